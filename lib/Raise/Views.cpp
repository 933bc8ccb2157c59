//===- Views.cpp - Access maps and movements of data -----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::flashfusion;

static Value stripCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool flashfusion::isContraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics())
    return false;
  Block *body = op.getBlock();
  auto add = dyn_cast_or_null<arith::AddFOp>(
      stripCasts(body->getTerminator()->getOperand(0)).getDefiningOp());
  if (!add)
    return false;
  for (auto [acc, product] :
       {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
    auto mul = dyn_cast_or_null<arith::MulFOp>(stripCasts(product).getDefiningOp());
    if (stripCasts(acc) != body->getArgument(2) || !mul)
      continue;
    Value a = stripCasts(mul.getLhs()), b = stripCasts(mul.getRhs());
    if (!(a == body->getArgument(0) && b == body->getArgument(1)) &&
        !(a == body->getArgument(1) && b == body->getArgument(0)))
      continue;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (unsigned d = 0; d < op.getNumLoops(); ++d)
      if (maps[0].isFunctionOfDim(d) != maps[1].isFunctionOfDim(d) && maps[2].isFunctionOfDim(d))
        return true;
  }
  return false;
}

bool flashfusion::isStatistic(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0 && linalgOp.hasPureTensorSemantics() &&
         !isContraction(linalgOp);
}

std::optional<SmallVector<std::optional<Index>>>
flashfusion::loopsOf(linalg::LinalgOp op, AffineMap map, ArrayRef<Index> access) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<std::optional<Index>> loops(ranges.size());
  for (auto [d, range] : llvm::enumerate(ranges))
    if (range == 1)
      loops[d] = Index();
  for (auto [expr, index] : llvm::zip_equal(map.getResults(), access)) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      std::optional<Index> &loop = loops[dim.getPosition()];
      if (ranges[dim.getPosition()] == 1)
        continue;
      if (loop && *loop != index)
        return std::nullopt;
      loop = index;
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant || constant.getValue() != 0 || !index.empty())
      return std::nullopt;
  }
  return loops;
}

std::optional<Access> flashfusion::accessOf(AffineMap map, ArrayRef<std::optional<Index>> loops,
                                            ShapedType type) {
  Access access;
  for (auto [expr, extent] : llvm::zip_equal(map.getResults(), type.getShape())) {
    if (extent == 1) {
      access.emplace_back();
      continue;
    }
    // Index 0 of a dimension that is not unit is a slice, not a coordinate.
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !loops[dim.getPosition()] || loops[dim.getPosition()]->empty())
      return std::nullopt;
    access.push_back(*loops[dim.getPosition()]);
  }
  return access;
}

/// Coordinates before a reshape that groups dimensions of `wide` into those of
/// `narrow`, from those after it; `collapsed` says that the result is `narrow`.
static std::optional<Access> throughReshape(Algebra &algebra, ArrayRef<Index> access,
                                            ArrayRef<ReassociationIndices> groups, Value source,
                                            bool collapsed) {
  auto type = cast<RankedTensorType>(source.getType());
  Access result;
  for (auto [g, group] : llvm::enumerate(groups)) {
    if (collapsed) {
      SmallVector<int64_t> extents;
      for (int64_t d : group)
        extents.push_back(type.getDimSize(d));
      std::optional<Access> part =
          algebra.distribute(access[g], extents, source.getAsOpaquePointer());
      if (!part)
        return std::nullopt;
      llvm::append_range(result, *part);
    } else {
      Index index;
      for (int64_t d : group)
        llvm::append_range(index, access[d]);
      result.push_back(index);
    }
  }
  // A tensor of one element collapses to rank 0 without groups.
  if (collapsed && groups.empty())
    result.resize(type.getRank());
  return result;
}

bool flashfusion::stepThroughView(Algebra &algebra, Value &value, Access &access, bool throughExt) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  std::optional<Access> next;
  Value source;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    source = collapse.getSrc();
    next = throughReshape(algebra, access, collapse.getReassociationIndices(), source, true);
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    source = expand.getSrc();
    next = throughReshape(algebra, access, expand.getReassociationIndices(), source, false);
  } else if (auto castOp = dyn_cast<tensor::CastOp>(op)) {
    source = castOp.getSource();
    if (!isa<RankedTensorType>(source.getType()))
      return false;
    next = access;
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!linalgOp.hasPureTensorSemantics() || linalgOp.getNumReductionLoops() > 0)
      return false;
    unsigned number = cast<OpResult>(value).getResultNumber();
    Value element = linalgOp.getBlock()->getTerminator()->getOperand(number);
    while (throughExt && element.getDefiningOp<arith::ExtFOp>())
      element = element.getDefiningOp()->getOperand(0);
    auto arg = dyn_cast<BlockArgument>(element);
    if (!arg || arg.getOwner() != linalgOp.getBlock() ||
        arg.getArgNumber() >= static_cast<unsigned>(linalgOp.getNumDpsInputs()))
      return false;
    OpOperand *operand = linalgOp.getDpsInputOperand(arg.getArgNumber());
    source = operand->get();
    auto type = dyn_cast<RankedTensorType>(source.getType());
    if (!type)
      return false;
    AffineMap out = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(number));
    auto loops = loopsOf(linalgOp, out, access);
    if (loops)
      next = accessOf(linalgOp.getMatchingIndexingMap(operand), *loops, type);
  }
  if (!next)
    return false;
  auto type = cast<RankedTensorType>(source.getType());
  for (auto [index, extent] : llvm::zip_equal(*next, type.getShape()))
    if (extent == 1)
      index.clear();
  value = source;
  access = *next;
  return true;
}
