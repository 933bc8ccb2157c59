//===- ProgramRoles.cpp - Activations and weights of a program -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Verify/ProgramRoles.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;
using namespace mlir::flashfusion;

bool flashfusion::isLinear(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d)
    if (maps[2].isFunctionOfDim(d) && maps[0].isFunctionOfDim(d) != maps[1].isFunctionOfDim(d))
      return true;
  return false;
}

namespace {

/// What lies behind a value up to contractions, calls and arguments.
struct Slice {
  SmallVector<Value> arguments;
  bool hasStatistics = false;
  /// True if a contraction ends the slice somewhere.
  bool hasLinears = false;
};

} // namespace

static Slice sliceOf(Value root) {
  Slice slice;
  SmallVector<Value> worklist{root};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value v = worklist.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    Operation *op = v.getDefiningOp();
    if (!op) {
      auto arg = cast<BlockArgument>(v);
      if (isa<func::FuncOp>(arg.getOwner()->getParentOp()))
        slice.arguments.push_back(arg);
      continue;
    }
    if (isa<NormLinearOp, OnlineOp>(op)) {
      slice.hasLinears = true;
      continue;
    }
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (isLinear(linalgOp)) {
        slice.hasLinears = true;
        continue;
      }
      slice.hasStatistics |= linalgOp.getNumReductionLoops() > 0;
    }
    llvm::append_range(worklist, op->getOperands());
  }
  return slice;
}

bool flashfusion::dependsOnStatistics(Value value) { return sliceOf(value).hasStatistics; }

static int64_t reducedExtent(linalg::LinalgOp op) {
  int64_t k = 1;
  for (auto [extent, type] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      k = ShapedType::isDynamic(extent) ? k : k * extent;
  return k;
}

void ProgramRoles::addWeights(ArrayRef<Value> values, int64_t k) {
  for (Value v : values)
    if (auto type = dyn_cast<ShapedType>(v.getType());
        type && type.hasRank() && type.getRank() > 1) {
      weights.insert(v);
      fanIns.try_emplace(v, k);
    }
}

ProgramRoles::ProgramRoles(func::FuncOp func) {
  if (func.isExternal())
    return;
  for (BlockArgument arg : func.getArguments())
    if (auto type = dyn_cast<ShapedType>(arg.getType());
        !type || !type.hasRank() || type.getRank() <= 1)
      weights.insert(arg);

  SmallVector<Value> activations;
  func.walk([&](Operation *op) {
    if (auto norm = dyn_cast<NormLinearOp>(op)) {
      llvm::append_range(activations, sliceOf(norm.getX()).arguments);
      for (Value w : norm.getWeights())
        addWeights(sliceOf(w).arguments, cast<ShapedType>(norm.getX().getType()).getDimSize(1));
    } else if (auto online = dyn_cast<OnlineOp>(op)) {
      llvm::append_range(activations, sliceOf(online.getX()).arguments);
      for (Value w : online.getWeights())
        addWeights(sliceOf(w).arguments, online.getK());
    } else if (auto linear = dyn_cast<linalg::LinalgOp>(op); linear && isLinear(linear)) {
      Slice sides[2] = {sliceOf(linear.getDpsInputs()[0]), sliceOf(linear.getDpsInputs()[1])};
      unsigned weight = 1;
      if (sides[0].hasStatistics != sides[1].hasStatistics)
        weight = sides[0].hasStatistics ? 1 : 0;
      else if (sides[0].hasLinears != sides[1].hasLinears)
        weight = sides[0].hasLinears ? 1 : 0;
      weightSides[op] = weight;
      if (!sides[weight].hasStatistics && !sides[weight].hasLinears)
        addWeights(sides[weight].arguments, reducedExtent(linear));
      llvm::append_range(activations, sides[1 - weight].arguments);
    }
  });
  for (Value v : activations)
    if (auto type = dyn_cast<ShapedType>(v.getType()); type && type.hasRank() && type.getRank() > 1)
      weights.erase(v);

  for (BlockArgument arg : func.getArguments())
    if (isActivation(arg))
      active.insert(arg);
  for (Operation &op : func.front())
    propagate(&op);
}

/// Marks what `op` computes from active values.
void ProgramRoles::propagate(Operation *op) {
  auto isActive = [&](Value v) { return active.contains(v); };
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp) {
    bool any = llvm::any_of(op->getOperands(), isActive);
    op->walk([&](Operation *nested) { any |= llvm::any_of(nested->getOperands(), isActive); });
    if (!any)
      return;
    op->walk([&](Operation *nested) {
      active.insert(nested->result_begin(), nested->result_end());
      for (Region &region : nested->getRegions())
        for (Block &block : region)
          active.insert(block.args_begin(), block.args_end());
    });
    return;
  }
  Block *body = linalgOp.getBlock();
  bool anyInput = llvm::any_of(op->getOperands(), isActive);
  for (OpOperand &operand : op->getOpOperands()) {
    // What accumulates is active as soon as one input is.
    bool accumulates = linalgOp.isDpsInit(&operand) && linalgOp.getNumReductionLoops() > 0;
    if (isActive(operand.get()) || (accumulates && anyInput))
      active.insert(linalgOp.getMatchingBlockArgument(&operand));
  }
  for (Operation &nested : *body)
    propagate(&nested);
  for (auto [yielded, result] : llvm::zip(body->getTerminator()->getOperands(), op->getResults()))
    if (isActive(yielded))
      active.insert(result);
}

unsigned ProgramRoles::weightSide(linalg::LinalgOp contraction) const {
  auto it = weightSides.find(contraction);
  return it == weightSides.end() ? 1 : it->second;
}
