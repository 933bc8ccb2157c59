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

int64_t prefill::linearsPerOutput(OnlineOp op) { return op.getLinearsOf(0).size(); }

bool prefill::fitsTile(OnlineOp op, int64_t tileN) {
  int64_t linears = linearsPerOutput(op);
  return tileN <= 256 && tileN % (columnUnit * linears) == 0 && tileN / linears >= chunkCols;
}

Plan prefill::makePlan(OnlineOp op, int64_t tileN, int64_t stages, bool packed,
                       int64_t sharedLimit) {
  OnlineOperands operands(op);
  Plan plan;
  plan.op = op;
  plan.element = getElementTypeOrSelf(op.getX());
  plan.tileN = tileN;
  plan.linears = linearsPerOutput(op);
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
                      wgmma::Place place = wgmma::findOutput(kb, plan.outputs, n);
                      tile.output = place.output;
                      tile.col = (n - place.firstTile) * plan.outN();
                      return body(tile, carried);
                    });
}
