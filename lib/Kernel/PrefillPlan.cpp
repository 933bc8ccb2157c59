//===- PrefillPlan.cpp - Arguments, shared memory, tile order --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

bool Plan::hasStatistics() const { return !OnlineOp(op).getStatistics().empty(); }

int64_t Plan::rowSumBytes() const { return 16 * (needsPivot(op) ? 8 : 4); }

int64_t prefill::linearsPerOutput(OnlineOp op) { return op.getLinearsOf(0).size(); }

bool prefill::fitsTile(OnlineOp op, int64_t tileN) {
  int64_t linears = linearsPerOutput(op);
  return tileN <= 256 && tileN % (columnUnit * linears) == 0 && tileN / linears >= chunkCols;
}

Plan prefill::makePlan(OnlineOp op, int64_t tileN, int64_t split, int64_t stages, bool packed,
                       int64_t sharedLimit) {
  OnlineOperands operands(op);
  Plan plan;
  plan.op = op;
  plan.element = getElementTypeOrSelf(op.getX());
  plan.tileN = tileN;
  plan.linears = linearsPerOutput(op);
  plan.split = split;
  plan.stages = stages;
  plan.kSteps = llvm::divideCeil(op.getK(), tileK);

  using Kind = KernelArg::Kind;
  auto argument = [&](KernelArg arg) { return wgmma::addArgument(plan.args, arg); };
  plan.xArg = argument({Kind::TensorMap, operands.x, tileM, tileK});

  for (unsigned out = 0; out < op.getOuts().size(); ++out) {
    OutputPlan &output = plan.outputs.emplace_back();
    output.index = out;
    output.n = op.getN(op.getLinearsOf(out).front());
    output.type = getElementTypeOrSelf(op.getOuts()[out]);
    // Tensor maps want rows that are multiples of 16 bytes apart.
    output.tensorStore = output.n % 8 == 0 && output.type.getIntOrFloatBitWidth() == 16;
    output.arg = output.tensorStore ? argument({Kind::TensorMap, operands.outs[out], 64, chunkCols})
                                    : argument({Kind::Buffer, operands.outs[out]});
    if (output.tensorStore && plan.outN() % chunkCols != 0)
      output.bufferArg = argument({Kind::Buffer, operands.outs[out]});
    int64_t bytes = wgmma::planOperands(op, packed, plan.outN(), tileK, plan.args, output);
    plan.vectorBytes = std::max(plan.vectorBytes, bytes);
    output.firstTile = plan.tilesN;
    plan.tilesN += llvm::divideCeil(output.n, plan.outN());
  }
  // The last cluster's tiles may be past all columns: its blocks sum up rows all the same.
  plan.tilesN = llvm::alignTo(plan.tilesN, split);
  for (int64_t scalar : operands.scalars)
    plan.scalarArgs.push_back(argument({Kind::Scalar, scalar}));
  plan.rowsArg = argument({Kind::Rows});

  plan.stageBytes = (tileM + tileN) * tileK * 2;
  plan.stagingOffset = stages * plan.stageBytes;
  auto layOut = [&](int64_t buffers) {
    plan.stagingBuffers = buffers;
    plan.vectorOffset = plan.stagingOffset + consumers * buffers * chunkBytes;
    plan.rowSumOffset = plan.vectorOffset + plan.vectorBytes;
    plan.barrierOffset = plan.rowSumOffset;
    int64_t barriers = 2 * stages + 2;
    if (split > 1) {
      plan.barrierOffset += 2 * 4 * consumers * split * plan.rowSumBytes();
      barriers += 2 * 4 * consumers;
    }
    plan.sharedBytes = plan.barrierOffset + 8 * barriers;
  };
  layOut(plan.fullStaging());
  if (plan.sharedBytes > sharedLimit)
    layOut(1);
  return plan;
}

Kernel::Kernel(KernelBuilder &kb, const Plan &plan, ArrayRef<V> args)
    : kb(kb), plan(plan), args(args), smem(kb.smem()), tid(kb.tid()), rows(args[plan.rowsArg]),
      rowBlocks((rows + (tileM - 1)) / tileM),
      rank(plan.split == 1 ? kb.i32(0) : kb.cta() % plan.split) {}

V Kernel::stage(V s) { return kb.at(smem, s * plan.stageBytes); }
V Kernel::full(V s) { return kb.at(smem, s.shl(3) + plan.barrierOffset); }
V Kernel::empty(V s) { return kb.at(smem, s.shl(3) + (plan.barrierOffset + 8 * plan.stages)); }
V Kernel::vectorsFull() { return kb.at(smem, plan.barrierOffset + 16 * plan.stages); }
V Kernel::vectorsEmpty() { return kb.at(smem, plan.barrierOffset + 16 * plan.stages + 8); }
V Kernel::rowSums(V warp, V number) {
  V place = (number & 1) * (4 * consumers) + warp;
  return kb.at(smem, place * (plan.split * plan.rowSumBytes()) + plan.rowSumOffset);
}
V Kernel::rowSumsFull(V warp, V number) {
  V place = (number & 1) * (4 * consumers) + warp;
  return kb.at(smem, place.shl(3) + (plan.barrierOffset + 16 * (plan.stages + 1)));
}

SmallVector<V> Kernel::forTiles(ArrayRef<V> init,
                                llvm::function_ref<SmallVector<V>(Tile, ArrayRef<V>)> body) {
  // A cluster takes `split` neighbouring column tiles at once.
  int64_t perRow = plan.tilesN / plan.split;
  return kb.forLoop(kb.cta() / plan.split, rowBlocks * perRow, kb.numCtas() / plan.split, init,
                    [&](V t, ArrayRef<V> carried) {
                      int64_t perGroup = rowGroup * perRow;
                      V first = (t / perGroup) * rowGroup;
                      V inside = t % perGroup;
                      V height = kb.min(rowBlocks - first, kb.i32(rowGroup));
                      V n = (inside / height) * plan.split + rank;
                      Tile tile;
                      tile.row = (first + inside % height) * tileM;
                      wgmma::Place place = wgmma::findOutput(kb, plan.outputs, n);
                      tile.output = place.output;
                      tile.col = (n - place.firstTile) * plan.outN();
                      return body(tile, carried);
                    });
}
