//===- PrefillPlan.cpp - Arguments, shared memory, tile order --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"

#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

bool Plan::hasStatistics() const { return !OnlineOp(op).getStatistics().empty(); }

int64_t prefill::stageK(OnlineOp op) {
  return rowBytes * 8 / getElementTypeOrSelf(op.getX()).getIntOrFloatBitWidth();
}

bool prefill::promotes(OnlineOp op) { return isF8(op.getX()) || mustPromote(op); }

int64_t Plan::rowSumBytes() const { return 16 * (needsPivot(op) ? 8 : 4); }

int64_t prefill::linearsPerOutput(OnlineOp op) { return op.getLinearsOf(0).size(); }

bool prefill::fitsTile(OnlineOp op, int64_t tileN) {
  int64_t linears = linearsPerOutput(op);
  return tileN <= 256 && tileN % (columnUnit * linears) == 0 && tileN / linears >= chunkCols;
}

Plan prefill::makePlan(OnlineOp op, const Cut &cut, int64_t sharedLimit) {
  OnlineOperands operands(op);
  Plan plan;
  plan.op = op;
  plan.element = getElementTypeOrSelf(op.getX());
  plan.tileN = cut.tileN;
  plan.linears = linearsPerOutput(op);
  plan.split = cut.split;
  plan.parts = cut.parts;
  plan.stages = cut.stages;
  plan.kSteps = llvm::divideCeil(llvm::divideCeil(op.getK(), plan.tileK()), plan.parts);

  using Kind = KernelArg::Kind;
  auto argument = [&](KernelArg arg) { return wgmma::addArgument(plan.args, arg); };
  plan.xArg = argument({Kind::TensorMap, operands.x, tileM, plan.tileK()});
  if (plan.parts > 1 && needsPivot(op))
    plan.pivotArg = argument({Kind::Buffer, operands.x});

  for (unsigned out = 0; out < op.getOuts().size(); ++out) {
    OutputPlan &output = plan.outputs.emplace_back();
    output.index = out;
    output.n = op.getN(op.getLinearsOf(out).front());
    output.type = getElementTypeOrSelf(op.getOuts()[out]);
    // Tensor maps want rows that are multiples of 16 bytes apart; a part of a tile is no box.
    output.tensorStore =
        plan.parts == 1 && output.n % 8 == 0 && output.type.getIntOrFloatBitWidth() == 16;
    output.arg = output.tensorStore ? argument({Kind::TensorMap, operands.outs[out], 64, chunkCols})
                                    : argument({Kind::Buffer, operands.outs[out]});
    if (output.tensorStore && plan.outN() % chunkCols != 0)
      output.bufferArg = argument({Kind::Buffer, operands.outs[out]});
    int64_t bytes =
        wgmma::planOperands(op, cut.packed, plan.outN(), plan.tileK(), plan.args, output);
    plan.vectorBytes = std::max(plan.vectorBytes, bytes);
    output.firstTile = plan.tilesN;
    plan.tilesN += llvm::divideCeil(output.n, plan.outN());
  }
  // The last cluster's tiles may be past all columns: its blocks sum up rows all the same.
  plan.tilesN = llvm::alignTo(plan.tilesN, plan.split);
  if (op.getXScale())
    plan.xScaleArg = argument({Kind::Buffer, operands.xScale});
  for (int64_t scalar : operands.scalars)
    plan.scalarArgs.push_back(argument({Kind::Scalar, scalar}));
  plan.rowsArg = argument({Kind::Rows});

  plan.stageBytes = (tileM + plan.tileN) * rowBytes;
  plan.stagingOffset = plan.stages * plan.stageBytes;
  auto layOut = [&](int64_t buffers) {
    plan.stagingBuffers = buffers;
    plan.vectorOffset = plan.stagingOffset + consumers * buffers * chunkBytes;
    plan.rowSumOffset = plan.vectorOffset + plan.vectorBytes;
    plan.partialOffset = plan.rowSumOffset;
    int64_t barriers = 2 * plan.stages + 2;
    if (plan.exchangesSums()) {
      plan.partialOffset += 2 * 4 * consumers * plan.cluster() * plan.rowSumBytes();
      barriers += 2 * 4 * consumers;
    }
    plan.barrierOffset =
        plan.partialOffset + wgmma::Partials::bytes(plan.parts, plan.tileN, 128 * consumers);
    if (plan.parts > 1)
      barriers += 4 * consumers;
    plan.sharedBytes = plan.barrierOffset + 8 * barriers;
  };
  layOut(plan.fullStaging());
  if (plan.sharedBytes > sharedLimit && plan.stagingBuffers > 1)
    layOut(1);
  return plan;
}

Kernel::Kernel(KernelBuilder &kb, const Plan &plan, ArrayRef<V> args)
    : kb(kb), plan(plan), args(args), smem(kb.smem()), tid(kb.tid()), rows(args[plan.rowsArg]),
      rowBlocks((rows + (tileM - 1)) / tileM),
      rank(plan.cluster() == 1 ? kb.i32(0) : kb.cta() % plan.cluster()),
      firstStep(plan.parts == 1 ? kb.i32(0) : rank * plan.kSteps) {}

V Kernel::stage(V s) { return kb.at(smem, s * plan.stageBytes); }
V Kernel::full(V s) { return kb.at(smem, s.shl(3) + plan.barrierOffset); }
V Kernel::empty(V s) { return kb.at(smem, s.shl(3) + (plan.barrierOffset + 8 * plan.stages)); }
V Kernel::vectorsFull() { return kb.at(smem, plan.barrierOffset + 16 * plan.stages); }
V Kernel::vectorsEmpty() { return kb.at(smem, plan.barrierOffset + 16 * plan.stages + 8); }
V Kernel::rowSums(V warp, V number) {
  V place = (number & 1) * (4 * consumers) + warp;
  return kb.at(smem, place * (plan.cluster() * plan.rowSumBytes()) + plan.rowSumOffset);
}
V Kernel::rowSumsFull(V warp, V number) {
  V place = (number & 1) * (4 * consumers) + warp;
  return kb.at(smem, place.shl(3) + (plan.barrierOffset + 16 * (plan.stages + 1)));
}
V Kernel::partialsFull(V warp) {
  int64_t before = 2 * plan.stages + 2 + (plan.exchangesSums() ? 2 * 4 * consumers : 0);
  return kb.at(smem, warp.shl(3) + (plan.barrierOffset + 8 * before));
}

SmallVector<V> Kernel::forTiles(ArrayRef<V> init,
                                llvm::function_ref<SmallVector<V>(Tile, ArrayRef<V>)> body) {
  // A cluster takes `split` neighbouring column tiles at once.
  int64_t perRow = plan.tilesN / plan.split;
  auto visit = [&](V t, ArrayRef<V> carried) {
    int64_t perGroup = rowGroup * perRow;
    V first = (t / perGroup) * rowGroup;
    V inside = t % perGroup;
    V height = kb.min(rowBlocks - first, kb.i32(rowGroup));
    V n = (inside / height) * plan.split;
    if (plan.split > 1)
      n = n + rank;
    Tile tile;
    tile.row = (first + inside % height) * tileM;
    wgmma::Place place = wgmma::findOutput(kb, plan.outputs, n);
    tile.output = place.output;
    tile.col = (n - place.firstTile) * plan.outN();
    return body(tile, carried);
  };
  // With K in parts there are as many clusters as tiles (countBlocks).
  V cluster = kb.cta() / plan.cluster();
  if (plan.parts > 1)
    return visit(cluster, init);
  return kb.forLoop(cluster, rowBlocks * perRow, kb.numCtas() / plan.split, init, visit);
}
