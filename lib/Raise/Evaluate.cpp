//===- Evaluate.cpp - From linalg to expressions ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks back from an element of a tensor through linalg operations (named ones
// included: all have a region and maps), reshapes and casts, and expresses it
// in elements of x and of tensors that are not computed here.
//
//   %s = linalg.generic {maps = [(m,k)->(m,k), (m,k)->(m)]} ins(%x) outs(%zero)
//          { yield addf(mulf(%in, %in), %out) }
//   read(%s, (m))  ->  sum_k x(m,k)^2
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Bounds the work per candidate x; a norm has about 30 operations.
static constexpr unsigned kMaxSteps = 600;

LogicalResult Evaluator::fail(StringRef id, const Twine &text) {
  if (reason.id.empty())
    reason = {id, text.str()};
  return failure();
}

bool Evaluator::isActivation(const Poly &poly) const {
  return algebra.isActivation(poly) ||
         algebra.hasAtom(poly, [&](Atom a) { return llvm::is_contained(rows, a); });
}

FailureOr<Poly> Evaluator::read(Value tensor, Access access) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [index, extent] : llvm::zip_equal(access, type.getShape()))
    if (extent == 1)
      index.clear();
  if (tensor == x)
    return algebra.leaf(tensor, access);
  std::pair<void *, std::vector<Atom>> key(tensor.getAsOpaquePointer(), {});
  for (const Index &index : access) {
    key.second.push_back(index.size());
    llvm::append_range(key.second, index);
  }
  if (auto it = memo.find(key); it != memo.end())
    return it->second;
  FailureOr<Poly> result = evaluate(tensor, access);
  if (algebra.isTooLarge())
    return fail("too-large", "the computation in front of the contraction is too large");
  if (failed(result))
    return failure();
  if (algebra.isActivation(*result)) {
    bool onlyX = result->getFactor() && algebra.get(*result->getFactor()).kind == Factor::Leaf;
    if (auto element = dyn_cast<FloatType>(type.getElementType());
        element && !onlyX && element.getWidth() < 32)
      narrow = true;
    if (llvm::any_of(result->terms, [&](const auto &term) {
          bool direct = false, statistic = false;
          for (const auto &[f, e] : term.first) {
            direct |= algebra.get(f).kind == Factor::Leaf && algebra.get(f).value == x;
            statistic |= algebra.get(f).height > 0;
          }
          return direct && statistic;
        }))
      normalized.push_back(tensor);
  }
  memo[key] = *result;
  return result;
}

FailureOr<Poly> Evaluator::evaluate(Value tensor, const Access &access) {
  if (++steps > kMaxSteps)
    return fail("too-large", "the computation in front of the contraction is too large");
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return algebra.leaf(tensor, access);
  DenseElementsAttr dense;
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant))) {
    dense = dyn_cast<DenseElementsAttr>(constant);
    if (dense && dense.isSplat() && isa<FloatType>(dense.getElementType()))
      if (std::optional<Rational> c = toRational(dense.getSplatValue<APFloat>()))
        return Poly(*c);
    return algebra.leaf(constants.try_emplace(constant, tensor).first->second, access);
  }
  if (isa<tensor::EmptyOp>(op)) {
    (void)fail("uninitialized-accumulator",
               "a tensor is read that nothing wrote: the accumulator has no initial value");
    return failure();
  }
  // What another region computed is given here, but for fills of constants.
  if (op->getBlock() != block && !isa<linalg::FillOp>(op))
    return algebra.leaf(tensor, access);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return scalar(splat.getInput());
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
    if (elements.getElements().size() == 1)
      return scalar(elements.getElements()[0]);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op)) {
    Value source = tensor;
    Access sourceAccess = access;
    if (stepThroughView(algebra, source, sourceAccess, /*throughExt=*/false, /*maySplit=*/true))
      return read(source, sourceAccess);
    return algebra.leaf(tensor, access);
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    if (linalgOp.hasPureTensorSemantics() && !isContraction(linalgOp))
      return evaluateLinalg(linalgOp, cast<OpResult>(tensor), access);
  return algebra.leaf(tensor, access);
}

FailureOr<Poly> Evaluator::evaluateLinalg(linalg::LinalgOp op, OpResult result,
                                          const Access &access) {
  OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
  auto loops = loopsOf(op, op.getMatchingIndexingMap(init), access);
  if (!loops || op.hasIndexSemantics())
    return algebra.leaf(result, access);
  SmallVector<Atom> summed;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [d, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if ((*loops)[d])
      continue;
    if (!linalg::isReductionIterator(kind))
      return algebra.leaf(result, access);
    (*loops)[d] = algebra.summedLoop(op, d, ranges[d], ks);
    if (ShapedType::isDynamic(ranges[d]) && (*loops)[d]->size() == 1)
      if (std::optional<Poly> count = loopCount(op, d))
        algebra.setCount((*loops)[d]->front(), *count);
    llvm::append_range(summed, *(*loops)[d]);
  }
  Frame frame;
  frame.op = op;
  frame.loops = *loops;
  Value yielded = op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
  if (op.getNumReductionLoops() == 0)
    return scalar(yielded, &frame);

  // The accumulator may only be added to.
  frame.accumulator = algebra.leaf(op.getMatchingBlockArgument(init));
  FailureOr<Poly> body = scalar(yielded, &frame);
  if (failed(body))
    return failure();
  Poly term = *body - *frame.accumulator;
  if (algebra.mentions(term, *frame.accumulator->getFactor()))
    return fail("reduction-not-sum", "a statistic of the row is not a sum (" +
                                         op->getName().getStringRef() +
                                         " reduces with something else than addition)");
  FailureOr<Poly> initial = read(init->get(), access);
  if (failed(initial))
    return failure();
  return algebra.add(algebra.sum(term, summed), *initial);
}

FailureOr<Poly> Evaluator::element(linalg::LinalgOp op, ArrayRef<std::optional<Index>> loops,
                                   Value value) {
  Frame frame;
  frame.op = op;
  frame.loops.assign(loops.begin(), loops.end());
  return scalar(value, &frame);
}

FailureOr<Poly> Evaluator::blockArgument(BlockArgument arg, Frame &frame) {
  OpOperand *operand = frame.op.getMatchingOpOperand(arg);
  if (frame.op.isDpsInit(operand) && frame.accumulator) {
    if (operand == frame.op.getMatchingOpOperand(
                       cast<BlockArgument>(algebra.get(*frame.accumulator->getFactor()).value)))
      return *frame.accumulator;
    return fail("reduction-not-sum", "a reduction reads the accumulator of another one");
  }
  auto type = dyn_cast<RankedTensorType>(operand->get().getType());
  if (!type)
    return scalar(operand->get());
  std::optional<Access> access =
      accessOf(frame.op.getMatchingIndexingMap(operand), frame.loops, type);
  if (!access)
    return fail("unsupported-access",
                "an operand is read through a map that is not a permutation of loops");
  return read(operand->get(), *access);
}

FailureOr<Poly> Evaluator::scalar(Value value) { return scalar(value, nullptr); }

FailureOr<Poly> Evaluator::scalar(Value value, Frame *frame) {
  if (frame)
    if (auto it = frame->values.find(value); it != frame->values.end())
      return it->second;
  FailureOr<Poly> result = failure();
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (frame && arg.getOwner() == frame->op.getBlock())
      result = blockArgument(arg, *frame);
    else
      result = algebra.leaf(value);
  } else {
    if (++steps > kMaxSteps)
      return fail("too-large", "the computation in front of the contraction is too large");
    Operation *op = value.getDefiningOp();
    // Values from outside of the region do not see its arguments.
    bool inside = frame && op->getBlock() == frame->op.getBlock();
    result = operation(op, value, inside ? frame : nullptr);
    if (algebra.isTooLarge())
      return fail("too-large", "the numbers or powers in front of the contraction are too large");
  }
  if (frame && succeeded(result))
    frame->values[value] = *result;
  return result;
}
