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

int64_t prefill::linearsPerOutput(OnlineOp op) { return op.getLinearsOf(0).size(); }

bool prefill::fitsTile(OnlineOp op, int64_t tileN) {
  int64_t linears = linearsPerOutput(op);
  return tileN <= 256 && tileN % (columnUnit * linears) == 0 && tileN / linears >= chunkCols;
}

SmallVector<ColumnVector> OutputPlan::vectors() const {
  SmallVector<ColumnVector> all(columns);
  for (const LinearPlan &linear : linears)
    for (const std::optional<ColumnVector> &sum : {linear.columnSum, linear.shiftSum})
      if (sum)
        all.push_back(*sum);
  return all;
}

static Type elementOf(Value value) { return cast<ShapedType>(value.getType()).getElementType(); }

Plan prefill::makePlan(OnlineOp op, int64_t tileN, int64_t stages, bool packed,
                       int64_t sharedLimit) {
  OnlineOperands operands(op);
  Plan plan;
  plan.op = op;
  plan.element = elementOf(op.getX());
  plan.tileN = tileN;
  plan.linears = linearsPerOutput(op);
  plan.stages = stages;
  plan.kSteps = llvm::divideCeil(op.getK(), tileK);

  using Kind = KernelArg::Kind;
  auto argument = [&](KernelArg arg) {
    plan.args.push_back(arg);
    return static_cast<int64_t>(plan.args.size()) - 1;
  };
  plan.xArg = argument({Kind::TensorMap, operands.x, tileM, tileK});

  Type f32 = Float32Type::get(op.getContext());
  for (unsigned out = 0; out < op.getOuts().size(); ++out) {
    OutputPlan &output = plan.outputs.emplace_back();
    output.index = out;
    output.n = op.getN(op.getLinearsOf(out).front());
    output.type = elementOf(op.getOuts()[out]);
    // Tensor maps want rows that are multiples of 16 bytes apart.
    output.tensorStore = output.n % 8 == 0 && output.type.getIntOrFloatBitWidth() == 16;
    output.arg = output.tensorStore ? argument({Kind::TensorMap, operands.outs[out], 64, chunkCols})
                                    : argument({Kind::Buffer, operands.outs[out]});
    if (output.tensorStore && plan.outN() % chunkCols != 0)
      output.bufferArg = argument({Kind::Buffer, operands.outs[out]});
    int64_t offset = 0;
    auto vector = [&](KernelArg arg, Type type) {
      ColumnVector v{argument(arg), type, offset};
      offset += llvm::alignTo(plan.outN() * v.bytes(), 16);
      return v;
    };
    for (int64_t l : op.getLinearsOf(out)) {
      LinearPlan &linear = output.linears.emplace_back();
      linear.weightArg =
          packed
              ? argument({Kind::PackedMap, packedIndex(l, PackedPart::Weight), plan.outN(), tileK})
              : argument({Kind::TensorMap, operands.weights[l], plan.outN(), tileK});
      if (op.getNumRowFactors() == 2)
        linear.columnSum = vector({Kind::Packed, packedIndex(l, PackedPart::ColumnSum)}, f32);
      if (op.getShift())
        linear.shiftSum = vector({Kind::Packed, packedIndex(l, PackedPart::ShiftSum)}, f32);
    }
    for (unsigned c : op.getColumnsOf(out))
      output.columns.push_back(
          vector({Kind::Buffer, operands.columns[c]}, elementOf(op.getColumns()[c])));
    plan.vectorBytes = std::max(plan.vectorBytes, offset);
    for (unsigned t : op.getTilesOf(out))
      output.tiles.push_back(
          {argument({Kind::Buffer, operands.tiles[t]}), elementOf(op.getTiles()[t])});
    output.firstTile = plan.tilesN;
    plan.tilesN += llvm::divideCeil(output.n, plan.outN());
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
  layOut(plan.fullStaging());
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
                      tile.output = kb.i32(0);
                      V start = kb.i32(0);
                      for (const OutputPlan &output : ArrayRef(plan.outputs).drop_front()) {
                        V reached = n.ge(output.firstTile);
                        tile.output = kb.select(reached, kb.i32(output.index), tile.output);
                        start = kb.select(reached, kb.i32(output.firstTile), start);
                      }
                      tile.col = (n - start) * plan.outN();
                      return body(tile, carried);
                    });
}

void Kernel::forOutput(Tile tile, llvm::function_ref<void(const OutputPlan &)> body, size_t from) {
  if (from + 1 == plan.outputs.size())
    return body(plan.outputs[from]);
  kb.ifThenElse(
      tile.output.eq(from), [&] { body(plan.outputs[from]); },
      [&] { forOutput(tile, body, from + 1); });
}

V Kernel::selectArg(Tile tile, llvm::function_ref<int64_t(const OutputPlan &)> arg) {
  V result = args[arg(plan.outputs[0])];
  for (const OutputPlan &output : ArrayRef(plan.outputs).drop_front())
    result = kb.select(tile.output.eq(output.index), args[arg(output)], result);
  return result;
}
