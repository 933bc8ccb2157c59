//===- Views.cpp - Access maps and movements of data -----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::flashfusion;

bool ContractionFactor::dependsOn(linalg::LinalgOp op, unsigned loop) const {
  return llvm::any_of(inputs, [&](OpOperand *input) {
    return op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
  });
}

/// Collects the inputs behind `value`; fails if the accumulator is among them.
static LogicalResult collectInputs(linalg::LinalgOp op, Value value,
                                   llvm::SmallPtrSetImpl<Operation *> &seen,
                                   SmallVectorImpl<OpOperand *> &inputs) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (arg.getOwner() != op.getBlock())
      return success();
    OpOperand *operand = op.getMatchingOpOperand(arg);
    if (!op.isDpsInput(operand))
      return failure();
    if (!llvm::is_contained(inputs, operand))
      inputs.push_back(operand);
    return success();
  }
  Operation *producer = value.getDefiningOp();
  if (producer->getBlock() != op.getBlock() || !seen.insert(producer).second)
    return success();
  for (Value operand : producer->getOperands())
    if (failed(collectInputs(op, operand, seen, inputs)))
      return failure();
  return success();
}

std::optional<Contraction> flashfusion::readContraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() < 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  Block *body = op.getBlock();
  // acc + a b, in two operations or one.
  struct Sum {
    Value acc, a, b;
    Casts casts;
  };
  SmallVector<Sum> sums;
  Casts ofResult;
  Value sum = stripCasts(body->getTerminator()->getOperand(0), ofResult);
  if (auto fma = sum.getDefiningOp<math::FmaOp>())
    sums.push_back({fma.getC(), fma.getA(), fma.getB(), ofResult});
  else if (auto add = sum.getDefiningOp<arith::AddFOp>())
    for (auto [acc, product] :
         {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
      Casts casts = ofResult;
      if (auto mul = stripCasts(product, casts).getDefiningOp<arith::MulFOp>())
        sums.push_back({acc, mul.getLhs(), mul.getRhs(), casts});
    }
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (const Sum &sum : sums) {
    Contraction contraction{{}, sum.casts};
    if (stripCasts(sum.acc, contraction.casts) != body->getArguments().back())
      continue;
    std::array<ContractionFactor, 2> &factors = contraction.factors;
    bool valid = true;
    for (auto [factor, operand] : llvm::zip(factors, std::array<Value, 2>{sum.a, sum.b})) {
      factor.value = stripCasts(operand, factor.casts);
      llvm::SmallPtrSet<Operation *, 8> seen;
      valid &= succeeded(collectInputs(op, factor.value, seen, factor.inputs));
    }
    if (!valid)
      return std::nullopt;
    bool contracted = false, ownLoop = false;
    for (unsigned d = 0; d < op.getNumLoops(); ++d) {
      bool a = factors[0].dependsOn(op, d), b = factors[1].dependsOn(op, d);
      contracted |= linalg::isReductionIterator(kinds[d]) && a && b;
      ownLoop |= a != b && out.isFunctionOfDim(d);
    }
    if (contracted && ownLoop)
      return contraction;
  }
  return std::nullopt;
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
                                            bool collapsed, bool maySplit) {
  auto type = cast<RankedTensorType>(source.getType());
  Access result;
  for (auto [g, group] : llvm::enumerate(groups)) {
    if (collapsed) {
      SmallVector<int64_t> extents;
      for (int64_t d : group)
        extents.push_back(type.getDimSize(d));
      std::optional<Access> part =
          algebra.distribute(access[g], extents, source.getAsOpaquePointer(), maySplit);
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

bool flashfusion::stepThroughView(Algebra &algebra, Value &value, Access &access, bool throughExt,
                                  bool maySplit) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  std::optional<Access> next;
  Value source;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    source = collapse.getSrc();
    next =
        throughReshape(algebra, access, collapse.getReassociationIndices(), source, true, maySplit);
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    source = expand.getSrc();
    next =
        throughReshape(algebra, access, expand.getReassociationIndices(), source, false, maySplit);
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
