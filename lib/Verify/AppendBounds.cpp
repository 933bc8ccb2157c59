//===- AppendBounds.cpp - What the error bounds of results need ------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %z = linalg.matmul ins(%h, %w)
//   %y = tensor.expand_shape %z
//   return %y
// becomes
//   %z = linalg.matmul ins(%h, %w)
//   %y = tensor.expand_shape %z
//   %s = linalg.generic sum h^2 * w^2;        %noise = tensor.expand_shape %s
//   %p = linalg.generic row * N + column;     %place = tensor.expand_shape %p
//   return %y, %noise, %place
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Verify/Passes.h"

#include "FlashFusion/Lower/LinalgBuilder.h"
#include "FlashFusion/Verify/ProgramRoles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_APPENDBOUNDSPASS
#include "FlashFusion/Verify/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

/// One step from a contraction towards a result: `op`, and the operand that it follows.
struct Step {
  Operation *op;
  unsigned operand;
};

/// A contraction and the steps that lead from a result back to it.
struct Path {
  linalg::LinalgOp contraction;
  SmallVector<Step> steps;
};

} // namespace

/// True if the body of `op` only adds to (or subtracts from) its inputs, so that an error of one
/// input reaches the output unchanged.
static bool isSumOfInputs(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &op) {
    return isa<arith::AddFOp, arith::SubFOp, arith::ExtFOp, arith::TruncFOp, arith::ConstantOp>(op);
  });
}

/// True if `value` has no error of its own but roundings to types that it is stored in: it is made
/// of what the function is given by sums and changes of layout.
static bool isGiven(Value value) {
  SetVector<Operation *> worklist;
  auto add = [&](Value v) {
    if (Operation *op = v.getDefiningOp())
      worklist.insert(op);
  };
  add(value);
  for (unsigned i = 0; i < worklist.size(); ++i) {
    Operation *op = worklist[i];
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op))
      add(op->getOperand(0));
    else if (linalgOp && linalgOp.getNumReductionLoops() == 0 && isSumOfInputs(linalgOp))
      llvm::for_each(linalgOp.getDpsInputs(), add);
    else if (!op->hasTrait<OpTrait::ConstantLike>())
      return false;
  }
  return true;
}

/// Follows `value` back to the one contraction that it is a layout of, plus other terms, which are
/// given: what is computed otherwise has errors that the contraction's bound does not know.
static FailureOr<Path> findPath(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return failure();
  auto extend = [&](unsigned operand) -> FailureOr<Path> {
    FailureOr<Path> path = findPath(op->getOperand(operand));
    if (succeeded(path))
      path->steps.push_back({op, operand});
    return path;
  };
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp, linalg::TransposeOp>(op))
    return extend(0);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return failure();
  auto isPlain = [](Value v) {
    auto tensor = dyn_cast<RankedTensorType>(v.getType());
    return isa<FloatType>(getElementTypeOrSelf(v.getType())) && !(tensor && tensor.getEncoding());
  };
  if (!llvm::all_of(op->getOperands(), isPlain))
    return failure();
  if (isLinear(linalgOp)) {
    // Its squares are computed as it computes: in a program that has been promoted, in f64.
    if (!llvm::all_of(op->getOperands(),
                      [](Value v) { return getElementTypeOrSelf(v.getType()).isF64(); }))
      return failure();
    return Path{linalgOp, {}};
  }
  if (linalgOp.getNumReductionLoops() > 0 || !isSumOfInputs(linalgOp) ||
      !linalgOp.getIndexingMapsArray().back().isPermutation())
    return failure();
  FailureOr<Path> found = failure();
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    if (isGiven(input->get()))
      continue;
    FailureOr<Path> path = failure();
    if (linalgOp.getMatchingIndexingMap(input).isPermutation())
      path = extend(input->getOperandNumber());
    if (failed(path))
      return failure();
    if (succeeded(found))
      return failure(); // two contractions: the bound of their sum is not that of one
    found = std::move(path);
  }
  return found;
}

namespace {

class Bounds {
public:
  Bounds(func::FuncOp func) : func(func), roles(func), b(func.getContext()) {}

  void append() {
    sweep();
    auto ret = cast<func::ReturnOp>(func.front().getTerminator());
    SmallVector<Value> values(ret.getOperands());
    SmallVector<Attribute> facts;
    for (Value result : ret.getOperands())
      facts.push_back(describe(result, values));
    ret->setOperands(values);
    func.setType(b.getFunctionType(func.getArgumentTypes(), ValueRange(values).getTypes()));
    func->setAttr("ff.results", b.getArrayAttr(facts));
  }

private:
  /// The contractions that a value depends on: K of the widest, and how many of them in a row.
  struct Behind {
    int64_t k = 1, links = 0;
  };

  /// Fills `behind`; values from outside the body have nothing behind them.
  void sweep() {
    for (Operation &op : func.front()) {
      Behind all;
      for (Value operand : op.getOperands()) {
        Behind one = behind.lookup(operand);
        all.k = std::max(all.k, one.k);
        all.links = std::max(all.links, one.links);
      }
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && isLinear(linalgOp)) {
        all.k = std::max(all.k, reduced(linalgOp));
        ++all.links;
      }
      for (Value result : op.getResults())
        behind[result] = all;
    }
  }

  static int64_t reduced(linalg::LinalgOp op) {
    int64_t k = 1;
    for (auto [extent, type] :
         llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      if (type == utils::IteratorType::reduction && !ShapedType::isDynamic(extent))
        k *= extent;
    return k;
  }

  Attribute describe(Value result, SmallVectorImpl<Value> &values) {
    NamedAttrList facts;
    Behind all = behind.lookup(result);
    facts.append("k", b.getI64IntegerAttr(all.k));
    facts.append("links", b.getI64IntegerAttr(std::max<int64_t>(all.links, 1)));
    FailureOr<Path> path = findPath(result);
    if (failed(path) || !getElementTypeOrSelf(result).isF64())
      return facts.getDictionary(b.getContext());
    int64_t columns = 1;
    for (unsigned d : columnLoops(path->contraction))
      columns *= path->contraction.getStaticLoopRanges()[d];
    if (columns < 0)
      return facts.getDictionary(b.getContext());
    b.setInsertionPoint(func.front().getTerminator());
    facts.append("columns", b.getI64IntegerAttr(columns));
    facts.append("bounds", b.getI64IntegerAttr(values.size()));
    values.push_back(replay(*path, noise(path->contraction)));
    values.push_back(replay(*path, places(path->contraction)));
    return facts.getDictionary(b.getContext());
  }

  /// Loops of the output that only the weight has, in the output's order; a dynamic one makes
  /// the product of their extents negative.
  SmallVector<unsigned> columnLoops(linalg::LinalgOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    unsigned weight = roles.weightSide(op);
    SmallVector<unsigned> loops;
    for (AffineExpr e : maps[2].getResults()) {
      unsigned d = cast<AffineDimExpr>(e).getPosition();
      if (maps[weight].isFunctionOfDim(d) && !maps[1 - weight].isFunctionOfDim(d))
        loops.push_back(d);
    }
    return loops;
  }

  SmallVector<OpFoldResult> sizes(Value v) { return tensor::getMixedSizes(b, v.getLoc(), v); }

  /// sum_k (a b)^2, the contraction of the squares.
  Value noise(linalg::LinalgOp op) {
    LinalgBuilder build(b, op.getLoc());
    auto square = [&](Value v) {
      return build.elementwise(v, b.getF64Type(), [&](OpBuilder &b, Value x) -> Value {
        return arith::MulFOp::create(b, op.getLoc(), x, x);
      });
    };
    IRMapping mapping;
    for (Value input : op.getDpsInputs())
      if (!mapping.contains(input))
        mapping.map(input, square(input));
    Value out = op.getDpsInits()[0];
    mapping.map(out, build.zeros(sizes(out), b.getF64Type()));
    return b.clone(*op, mapping)->getResult(0);
  }

  /// row * N + column of every element of the contraction's output.
  Value places(linalg::LinalgOp op) {
    Location loc = op.getLoc();
    Value out = op->getResult(0);
    SmallVector<OpFoldResult> extents = sizes(out);
    SmallVector<unsigned> columns = columnLoops(op), order;
    AffineMap map = op.getIndexingMapsArray()[2];
    for (bool wantColumn : {false, true})
      for (auto [i, e] : llvm::enumerate(map.getResults()))
        if (llvm::is_contained(columns, cast<AffineDimExpr>(e).getPosition()) == wantColumn)
          order.push_back(i);
    LinalgBuilder build(b, loc);
    SmallVector<Value> dims;
    for (OpFoldResult extent : extents)
      dims.push_back(getValueOrCreateConstantIndexOp(b, loc, extent));
    return build.generic(
        {b.getMultiDimIdentityMap(extents.size())}, {}, build.empty(extents, b.getF64Type()), 0,
        [&](OpBuilder &b, ValueRange) {
          Value place = arith::ConstantIndexOp::create(b, loc, 0);
          for (unsigned i : order) {
            place = arith::MulIOp::create(b, loc, place, dims[i]);
            place = arith::AddIOp::create(b, loc, place, linalg::IndexOp::create(b, loc, i));
          }
          place = arith::IndexCastOp::create(b, loc, b.getI64Type(), place);
          return SmallVector<Value>{arith::SIToFPOp::create(b, loc, b.getF64Type(), place)};
        })[0];
  }

  /// Takes `value`, which has the contraction's shape, through the layout of the path.
  Value replay(const Path &path, Value value) {
    for (const Step &step : path.steps) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(step.op);
      if (!linalgOp || isa<linalg::TransposeOp>(step.op)) {
        IRMapping mapping;
        mapping.map(step.op->getOperand(step.operand), value);
        value = b.clone(*step.op, mapping)->getResult(0);
        continue;
      }
      Value out = linalgOp.getDpsInits()[0];
      OpOperand &in = step.op->getOpOperand(step.operand);
      LinalgBuilder build(b, step.op->getLoc());
      value = build.generic(
          {linalgOp.getMatchingIndexingMap(&in), linalgOp.getIndexingMapsArray().back()}, value,
          build.empty(sizes(out), b.getF64Type()), 0,
          [](OpBuilder &, ValueRange args) { return SmallVector<Value>{args[0]}; })[0];
    }
    return value;
  }

  func::FuncOp func;
  ProgramRoles roles;
  OpBuilder b;
  llvm::DenseMap<Value, Behind> behind;
};

struct AppendBoundsPass : flashfusion::impl::AppendBoundsPassBase<AppendBoundsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && func.isPublic() && llvm::hasSingleElement(func.getBody()))
        Bounds(func).append();
  }
};

} // namespace
