//===- DynamicExtents.cpp - Which dynamic extents are equal ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DynamicExtents.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace ffrun;
using namespace mlir;

/// The size of an extent that nothing decides.
static constexpr int64_t defaultExtent = 8;

unsigned DynamicExtents::idOf(Value value, int64_t dim) {
  auto [it, isNew] = ids.try_emplace({value, dim}, ids.size());
  if (isNew) {
    classes.insert(it->second);
    if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && !type.isDynamicDim(dim))
      sizes[it->second] = type.getDimSize(dim);
  }
  return it->second;
}

void DynamicExtents::unite(Extent a, Extent b) {
  unsigned x = classes.getLeaderValue(idOf(a.first, a.second));
  unsigned y = classes.getLeaderValue(idOf(b.first, b.second));
  if (x == y)
    return;
  std::optional<int64_t> size;
  for (unsigned leader : {x, y})
    if (auto it = sizes.find(leader); it != sizes.end())
      size = it->second;
  classes.unionSets(x, y);
  if (size)
    sizes[classes.getLeaderValue(x)] = *size;
}

void DynamicExtents::uniteReshaped(Value many, Value few, ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(many.getType());
  for (auto [d, group] : llvm::enumerate(groups)) {
    auto other = [&](int64_t i) { return type.getDimSize(i) != 1; };
    if (llvm::count_if(group, other) == 1)
      unite({few, d}, {many, *llvm::find_if(group, other)});
  }
}

void DynamicExtents::uniteRows(Value x, Value scale, ValueRange others) {
  // A scale is one for all rows, or one for each.
  if (scale && cast<ShapedType>(scale.getType()).getDimSize(0) != 1)
    unite({x, 0}, {scale, 0});
  for (Value other : others)
    if (isa<RankedTensorType>(other.getType()))
      unite({x, 0}, {other, 0});
}

DynamicExtents::DynamicExtents(func::FuncOp func) : func(func) {
  func.walk([&](Operation *op) {
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      if (std::optional<int64_t> i = dim.getConstantIndex();
          i && isa<RankedTensorType>(dim.getSource().getType()))
        unite({dim.getResult(), -1}, {dim.getSource(), *i});
      return;
    }
    if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      for (int64_t d = 0, e = empty.getType().getRank(); d < e; ++d)
        if (empty.getType().isDynamicDim(d))
          unite({empty.getResult(), d}, {empty.getDynamicSize(d), -1});
      return;
    }
    // Frontends assert that the extents of what they add are equal.
    if (auto check = dyn_cast<cf::AssertOp>(op)) {
      if (auto equal = check.getArg().getDefiningOp<arith::CmpIOp>();
          equal && equal.getPredicate() == arith::CmpIPredicate::eq &&
          equal.getLhs().getType().isIndex())
        unite({equal.getLhs(), -1}, {equal.getRhs(), -1});
      return;
    }
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      for (auto [d, size] : llvm::enumerate(expand.getMixedOutputShape()))
        if (auto value = dyn_cast<Value>(size))
          unite({expand.getResult(), d}, {value, -1});
      uniteReshaped(expand.getResult(), expand.getSrc(), expand.getReassociationIndices());
      return;
    }
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      uniteReshaped(collapse.getSrc(), collapse.getResult(), collapse.getReassociationIndices());
      return;
    }
    if (auto norm = dyn_cast<flashfusion::NormLinearOp>(op)) {
      uniteRows(norm.getX(), norm.getXScale(), norm.getResults());
      return;
    }
    if (auto online = dyn_cast<flashfusion::OnlineOp>(op)) {
      uniteRows(online.getX(), online.getXScale(), online.getResults());
      uniteRows(online.getX(), {}, online.getTiles());
      uniteRows(online.getX(), {}, online.getOuts());
      return;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || !linalgOp.hasPureTensorSemantics())
      return;
    // All extents that one loop runs over are equal, and results have the shapes of their inits.
    SmallVector<Extent> ofLoop(linalgOp.getNumLoops());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      for (auto [d, expr] : llvm::enumerate(linalgOp.getMatchingIndexingMap(&operand).getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
          Extent here{operand.get(), static_cast<int64_t>(d)};
          Extent &first = ofLoop[loop.getPosition()];
          if (first.first)
            unite(first, here);
          else
            first = here;
        }
    }
    for (auto [init, result] : llvm::zip(linalgOp.getDpsInits(), op->getResults()))
      for (int64_t d = 0, e = cast<RankedTensorType>(init.getType()).getRank(); d < e; ++d)
        unite({init, d}, {result, d});
  });
}

LogicalResult DynamicExtents::fixExtent(unsigned i, int64_t dim, int64_t size) {
  unsigned leader = classes.getLeaderValue(idOf(func.getArgument(i), dim));
  auto [it, isNew] = sizes.try_emplace(leader, size);
  if (isNew || it->second == size)
    return success();
  auto diag = func.emitError() << "argument " << i << " is given ";
  if (dim >= 0)
    diag << "extent " << size << " in dimension " << dim;
  else
    diag << "the value " << size;
  return diag << ", but other arguments make it " << it->second;
}

LogicalResult DynamicExtents::fix(unsigned i, ArrayRef<int64_t> shape) {
  for (auto [d, size] : llvm::enumerate(shape))
    if (failed(fixExtent(i, d, size)))
      return failure();
  return success();
}

LogicalResult DynamicExtents::fixIndex(unsigned i, int64_t value) {
  return fixExtent(i, -1, value);
}

int64_t DynamicExtents::sizeOf(Value value, int64_t dim) {
  unsigned leader = classes.getLeaderValue(idOf(value, dim));
  return sizes.try_emplace(leader, defaultExtent).first->second;
}

SmallVector<int64_t> DynamicExtents::shapeOf(unsigned i) {
  SmallVector<int64_t> shape;
  if (auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[i]))
    for (int64_t d = 0, e = type.getRank(); d < e; ++d)
      shape.push_back(sizeOf(func.getArgument(i), d));
  return shape;
}

int64_t DynamicExtents::indexOf(unsigned i) { return sizeOf(func.getArgument(i), -1); }
