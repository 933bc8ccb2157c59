//===- DecodeWgmmaPlan.cpp - What is supported, arguments, memory ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DecodeWgmma.h"

#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;
using llvm::divideCeil;

/// K of a sum that must be promoted and is not (measured: 4104 is borne just so).
static constexpr int64_t longestHalvedSum = 4096;

bool Plan::hasStatistics() const { return !OnlineOp(op).getStatistics().empty(); }
int64_t Plan::factors() const { return OnlineOp(op).getNumRowFactors(); }

std::string decodewgmma::whyUnsupported(OnlineOp op, TargetAttr target) {
  if (op.getOuts().empty())
    return "there are no outputs";
  if (isF8(op.getX()))
    return "x has 8 bits";
  if (std::string why = wgmma::whyUnsupported(op, target); !why.empty())
    return why;
  // Two blocks of a cluster have a half of K each. Behind the decode kernel prefill serves.
  if (mustPromote(op) && op.getK() > longestHalvedSum)
    return "long sums would have to leave the tensor cores' accumulators";
  if (op.getK() == 0)
    return "K is not a multiple of 8, as tensor maps need";
  for (unsigned l = 0; l < op.getWeights().size(); ++l)
    if (op.getN(l) == 0)
      return "a Linear has no columns";
  for (ValueRange values : {op.getColumns(), op.getTiles()})
    for (Value value : values)
      if (Type type = getElementTypeOrSelf(value);
          !type.isF32() && type.getIntOrFloatBitWidth() != 16)
        return "a column's or tile's elements are neither 16 nor 32 bits wide";
  if (op.getLinearsOf(0).size() > 4)
    return "an output takes more than four Linears";
  if (proposeSchedules(op, target).empty())
    return "M is too large, or shared memory too small";
  return "";
}

int64_t decodewgmma::residentClusters(TargetAttr target, int64_t split) {
  return std::max<int64_t>(target.getSms() / split, 1);
}

int64_t decodewgmma::countTiles(OnlineOp op, int64_t outN) {
  int64_t tiles = 0;
  for (unsigned out = 0; out < op.getOuts().size(); ++out)
    tiles += divideCeil(op.getN(op.getLinearsOf(out).front()), outN);
  return tiles;
}

/// Cuts the tiles into blocks, all in one wave; clusters take one tile each.
static void setGrid(OnlineOp op, TargetAttr target, Plan &plan) {
  plan.tiles = countTiles(op, plan.outN());
  plan.tilesPerBlock = plan.split > 1 ? 1 : divideCeil(plan.tiles, residentClusters(target, 1));
  plan.blocks = divideCeil(plan.tiles, plan.tilesPerBlock) * plan.split;
}

static void setArguments(OnlineOp op, bool packed, Plan &plan) {
  OnlineOperands operands(op);
  using Kind = KernelArg::Kind;
  auto argument = [&](KernelArg arg) { return wgmma::addArgument(plan.args, arg); };
  plan.xArg = argument({Kind::TensorMap, operands.x, plan.tileM, boxK});
  if (needsPivot(op))
    plan.pivotArg = argument({Kind::Buffer, operands.x});
  int64_t tiles = 0;
  for (unsigned out = 0; out < op.getOuts().size(); ++out) {
    OutputPlan &output = plan.outputs.emplace_back();
    output.index = out;
    output.n = op.getN(op.getLinearsOf(out).front());
    output.type = getElementTypeOrSelf(op.getOuts()[out]);
    output.arg = argument({Kind::Buffer, operands.outs[out]});
    int64_t bytes = wgmma::planOperands(op, packed, plan.outN(), boxK, plan.args, output);
    plan.vectorBytes = std::max(plan.vectorBytes, bytes);
    output.firstTile = tiles;
    tiles += divideCeil(output.n, plan.outN());
  }
  for (int64_t scalar : operands.scalars)
    plan.scalarArgs.push_back(argument({Kind::Scalar, scalar}));
  plan.rowsArg = argument({Kind::Rows});
}

Plan decodewgmma::makePlan(OnlineOp op, TargetAttr target, ScheduleAttr schedule) {
  Plan plan;
  plan.op = op;
  plan.element = getElementTypeOrSelf(op.getX());
  plan.tileM = schedule.getTileM();
  plan.tileN = schedule.getTileN();
  plan.linears = op.getLinearsOf(0).size();
  plan.boxes = schedule.getTileK() / boxK;
  plan.split = schedule.getSplit();
  plan.kSteps = divideCeil(op.getK(), plan.stageK() * plan.split);
  plan.wStages = schedule.getStages();
  setGrid(op, target, plan);
  setArguments(op, schedule.getPacked(), plan);

  // What is left beside the ring of W and the rest is the ring of x, as far as
  // there is use for it.
  auto rest = [&](int64_t xStages) {
    return plan.partialBytes() + plan.rowSumBytes() + plan.vectorBytes + 2 * plan.factorBytes() +
           8 * (2 * (xStages + plan.wStages) + 3);
  };
  int64_t room = target.getSmem() - plan.wStages * plan.wStageBytes();
  plan.xStages = std::min(plan.steps(), std::max<int64_t>(room, 0) / plan.xStageBytes());
  while (plan.xStages > 0 && plan.xStages * plan.xStageBytes() + rest(plan.xStages) > room)
    --plan.xStages;
  plan.wOffset = plan.xStages * plan.xStageBytes();
  plan.partialOffset = plan.wOffset + plan.wStages * plan.wStageBytes();
  plan.rowSumOffset = plan.partialOffset + plan.partialBytes();
  plan.vectorOffset = plan.rowSumOffset + plan.rowSumBytes();
  plan.factorOffset = plan.vectorOffset + plan.vectorBytes;
  plan.barrierOffset = plan.factorOffset + 2 * plan.factorBytes();
  plan.sharedBytes = plan.partialOffset + rest(plan.xStages);
  return plan;
}

bool decodewgmma::fits(const Plan &plan, TargetAttr target) {
  return plan.xStages >= std::min<int64_t>(2, plan.steps()) && plan.sharedBytes <= target.getSmem();
}

Kernel::Kernel(KernelBuilder &kb, const Plan &plan, ArrayRef<V> args)
    : kb(kb), plan(plan), args(args), smem(kb.smem()), tid(kb.tid()), lane(tid % 32),
      rows(args[plan.rowsArg]), rank(plan.split == 1 ? kb.i32(0) : kb.cta() % plan.split),
      firstK(rank * (plan.kSteps * plan.stageK())) {}

V Kernel::xStage(V s) { return kb.at(smem, s * plan.xStageBytes()); }
V Kernel::wStage(V s) { return kb.at(smem, s * plan.wStageBytes() + plan.wOffset); }
V Kernel::barrier(int64_t first, V s) {
  return kb.at(smem, s.shl(3) + (plan.barrierOffset + 8 * first));
}
V Kernel::xFull(V s) { return barrier(0, s); }
V Kernel::xEmpty(V s) { return barrier(plan.xStages, s); }
V Kernel::wFull(V s) { return barrier(2 * plan.xStages, s); }
V Kernel::wEmpty(V s) { return barrier(2 * plan.xStages + plan.wStages, s); }
V Kernel::vectorsFull() { return barrier(2 * (plan.xStages + plan.wStages), kb.i32(0)); }
V Kernel::vectorsEmpty() { return barrier(2 * (plan.xStages + plan.wStages), kb.i32(1)); }
V Kernel::factorsFull() { return barrier(2 * (plan.xStages + plan.wStages), kb.i32(2)); }

SmallVector<V> Kernel::forTiles(ArrayRef<V> init,
                                llvm::function_ref<SmallVector<V>(Tile, ArrayRef<V>)> body) {
  auto visit = [&](V number, ArrayRef<V> carried) {
    // Numbers past the last tile, of which the last blocks may have some, mean columns
    // past the last output: zeros are loaded for them, and nothing is stored.
    V t = number * (plan.blocks / plan.split) + kb.cta() / plan.split;
    wgmma::Place place = wgmma::findOutput(kb, plan.outputs, t);
    Tile tile{number, place.output, (t - place.firstTile) * plan.outN()};
    return body(tile, carried);
  };
  if (plan.tilesPerBlock == 1)
    return visit(kb.i32(0), init);
  return kb.forLoop(kb.i32(0), kb.i32(plan.tilesPerBlock), kb.i32(1), init, visit);
}
