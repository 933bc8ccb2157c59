//===- PrefillPlan.cpp - Arguments, shared memory, tile order --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

bool Plan::hasStatistics() const { return !OnlineOp(op).getStatistics().empty(); }

bool prefill::needsPacking(OnlineOp op) {
  if (op.getGain() || op.getShift() || op.getNumRowFactors() == 2)
    return true;
  for (unsigned l = 0; l < op.getWeights().size(); ++l)
    if (op.getLayout(l) != WeightLayout::NK)
      return true;
  return false;
}

static Type elementOf(Value value) { return cast<ShapedType>(value.getType()).getElementType(); }

Plan prefill::makePlan(OnlineOp op, int64_t tileN, int64_t stages, bool packed,
                       int64_t sharedLimit) {
  OnlineOperands operands(op);
  Plan plan;
  plan.op = op;
  plan.element = elementOf(op.getX());
  plan.tileN = tileN;
  plan.stages = stages;
  plan.kSteps = llvm::divideCeil(op.getK(), tileK);

  using Kind = KernelArg::Kind;
  auto argument = [&](KernelArg arg) {
    plan.args.push_back(arg);
    return static_cast<int64_t>(plan.args.size()) - 1;
  };
  plan.xArg = argument({Kind::TensorMap, operands.x, tileM, tileK});

  Type f32 = Float32Type::get(op.getContext());
  plan.linears.resize(op.getWeights().size());
  for (unsigned out = 0; out < op.getOuts().size(); ++out) {
    int64_t l = op.getLinearsOf(out).front();
    LinearPlan &linear = plan.linears[l];
    linear.out = out;
    linear.n = op.getN(l);
    linear.outType = elementOf(op.getOuts()[out]);
    // Tensor maps want rows that are multiples of 16 bytes apart.
    linear.tensorStore = linear.n % 8 == 0 && linear.outType.getIntOrFloatBitWidth() == 16;
    linear.weightArg =
        packed ? argument({Kind::PackedMap, packedIndex(l, PackedPart::Weight), tileN, tileK})
               : argument({Kind::TensorMap, operands.weights[l], tileN, tileK});
    linear.outArg = linear.tensorStore
                        ? argument({Kind::TensorMap, operands.outs[out], 64, chunkCols})
                        : argument({Kind::Buffer, operands.outs[out]});
    int64_t offset = 0;
    auto vector = [&](KernelArg arg, Type type) {
      ColumnVector v{argument(arg), type, offset};
      offset += llvm::alignTo(tileN * v.bytes(), 16);
      return v;
    };
    if (op.getNumRowFactors() == 2)
      linear.columnSum = vector({Kind::Packed, packedIndex(l, PackedPart::ColumnSum)}, f32);
    if (op.getShift())
      linear.shiftSum = vector({Kind::Packed, packedIndex(l, PackedPart::ShiftSum)}, f32);
    for (unsigned c : op.getColumnsOf(out))
      linear.columns.push_back(
          vector({Kind::Buffer, operands.columns[c]}, elementOf(op.getColumns()[c])));
    plan.vectorBytes = std::max(plan.vectorBytes, offset);
  }
  for (LinearPlan &linear : plan.linears) {
    linear.firstTile = plan.tilesN;
    plan.tilesN += llvm::divideCeil(linear.n, tileN);
  }
  for (int64_t scalar : operands.scalars)
    plan.scalarArgs.push_back(argument({Kind::Scalar, scalar}));
  plan.rowsArg = argument({Kind::Rows});

  plan.stageBytes = (tileM + tileN) * tileK * 2;
  plan.stagingOffset = stages * plan.stageBytes;
  auto layOut = [&](int64_t buffers) {
    plan.stagingBuffers = buffers;
    plan.vectorOffset = plan.stagingOffset + consumers * buffers * chunkBytes;
    plan.barrierOffset = plan.vectorOffset + plan.vectorBytes;
    plan.sharedBytes = plan.barrierOffset + 8 * (2 * stages + 2);
  };
  // Two staging buffers halve the epilogue's barriers.
  layOut(std::min<int64_t>(2, tileN / chunkCols));
  if (plan.sharedBytes > sharedLimit)
    layOut(1);
  return plan;
}

Kernel::Kernel(KernelBuilder &kb, const Plan &plan, ArrayRef<V> args)
    : kb(kb), plan(plan), args(args), smem(kb.smem()), tid(kb.tid()), rows(args[plan.rowsArg]),
      rowBlocks((rows + (tileM - 1)) / tileM) {}

V Kernel::stage(V s) { return kb.at(smem, s * plan.stageBytes); }
V Kernel::full(V s) { return kb.at(smem, s.shl(3) + plan.barrierOffset); }
V Kernel::empty(V s) { return kb.at(smem, s.shl(3) + (plan.barrierOffset + 8 * plan.stages)); }
V Kernel::vectorsFull() { return kb.at(smem, plan.barrierOffset + 16 * plan.stages); }
V Kernel::vectorsEmpty() { return kb.at(smem, plan.barrierOffset + 16 * plan.stages + 8); }

Ring Kernel::advance(Ring ring) {
  V next = ring.stage + 1;
  V wrap = next.eq(plan.stages);
  return {kb.select(wrap, kb.i32(0), next), kb.select(wrap, ring.parity ^ 1, ring.parity)};
}

SmallVector<V> Kernel::forTiles(ArrayRef<V> init,
                                llvm::function_ref<SmallVector<V>(Tile, ArrayRef<V>)> body) {
  return kb.forLoop(kb.cta(), rowBlocks * plan.tilesN, kb.numCtas(), init,
                    [&](V t, ArrayRef<V> carried) {
                      int64_t perGroup = rowGroup * plan.tilesN;
                      V first = (t / perGroup) * rowGroup;
                      V inside = t % perGroup;
                      V height = kb.min(rowBlocks - first, kb.i32(rowGroup));
                      V n = inside / height;
                      Tile tile;
                      tile.row = (first + inside % height) * tileM;
                      tile.linear = kb.i32(0);
                      V start = kb.i32(0);
                      for (auto [l, linear] : llvm::enumerate(plan.linears)) {
                        if (l == 0)
                          continue;
                        V inLinear = n.ge(linear.firstTile);
                        tile.linear = kb.select(inLinear, kb.i32(l), tile.linear);
                        start = kb.select(inLinear, kb.i32(linear.firstTile), start);
                      }
                      tile.col = (n - start) * plan.tileN;
                      return body(tile, carried);
                    });
}

void Kernel::forLinear(Tile tile, llvm::function_ref<void(const LinearPlan &)> body) {
  forLinearFrom(0, tile, body);
}

void Kernel::forLinearFrom(unsigned l, Tile tile,
                           llvm::function_ref<void(const LinearPlan &)> body) {
  if (l + 1 == plan.linears.size())
    return body(plan.linears[l]);
  kb.ifThenElse(
      tile.linear.eq(l), [&] { body(plan.linears[l]); }, [&] { forLinearFrom(l + 1, tile, body); });
}
