//===- Linear.cpp - Contractions as Linears, and their epilogues -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// matmul, batch_matmul, matvec, contract and generics alike are read by their
// maps: a loop of h and the result is a row (batch loops included, which the
// weight must not depend on), one of the weight and the result is n, one of
// both inputs alone is k.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::flashfusion;

static bool isSupported(Type element) {
  return element.isF16() || element.isBF16() || element.isF32();
}

static bool same(ArrayRef<Atom> a, ArrayRef<Atom> b) { return a == b; }

static Index concat(const Index &a, const Index &b) {
  Index result = a;
  llvm::append_range(result, b);
  return result;
}

/// Whether one dimension ends where the digits `first` end.
static bool hasBoundary(ArrayRef<Index> access, size_t first) {
  size_t count = 0;
  for (const Index &index : access) {
    if (count == first)
      return true;
    count += index.size();
  }
  return count == first;
}

View flashfusion::findStored(Algebra &algebra, View view, const Index &first, const Index &second,
                             bool allowF64) {
  View found;
  Index expected = concat(first, second);
  do {
    Type element = getElementTypeOrSelf(view.value.getType());
    if ((isSupported(element) || (allowF64 && element.isF64())) && !hasEncoding(view.value) &&
        same(flatten(view.access), expected) && hasBoundary(view.access, first.size()))
      found = view;
  } while (stepThroughView(algebra, view.value, view.access, /*throughExt=*/true,
                           /*maySplit=*/false));
  return found;
}

SmallVector<std::optional<Index>> flashfusion::loopDigits(Algebra &algebra, linalg::LinalgOp op) {
  SmallVector<std::optional<Index>> loops;
  for (auto [d, range] : llvm::enumerate(op.getStaticLoopRanges()))
    loops.push_back(algebra.loop(op, d, range));
  return loops;
}

static std::optional<Access> operandAccess(Algebra &algebra, linalg::LinalgOp op,
                                           OpOperand *operand) {
  return accessOf(op.getMatchingIndexingMap(operand), loopDigits(algebra, op),
                  cast<ShapedType>(operand->get().getType()));
}

LogicalResult flashfusion::readLoops(Algebra &algebra, Linear &linear, Reason &reason) {
  linalg::LinalgOp op = linear.op;
  auto fail = [&](StringRef id, StringRef text) {
    reason = {id, text.str()};
    return failure();
  };
  AffineMap y = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<std::optional<Index>> loops = loopDigits(algebra, op);
  Index rows, ns;
  linear.ks.clear();
  for (unsigned d = 0; d < loops.size(); ++d) {
    if (loops[d]->empty())
      continue;
    bool inH = linear.h.dependsOn(op, d), inW = linear.w.dependsOn(op, d);
    bool inY = y.isFunctionOfDim(d);
    if (linalg::isReductionIterator(kinds[d])) {
      if (!inH || !inW || inY)
        return fail("not-a-linear", "a contracted dimension does not run over both operands");
      for (Atom atom : *loops[d]) {
        if (ShapedType::isDynamic(algebra.extent(atom)))
          return fail("dynamic-k", "the extent of the contracted dimension is not known");
        if (algebra.extent(atom) == 0)
          return fail("not-a-linear", "the contracted dimension has no elements");
      }
      llvm::append_range(linear.ks, *loops[d]);
    } else if (inH && inY) {
      llvm::append_range(rows, *loops[d]);
    } else if (inW && inY) {
      llvm::append_range(ns, *loops[d]);
      for (Atom atom : *loops[d])
        if (ShapedType::isDynamic(algebra.extent(atom)))
          return fail("dynamic-n", "the number of outputs of the Linear is not known");
    } else {
      return fail("not-a-linear", "a dimension is missing from the result");
    }
  }
  if (linear.ks.empty())
    return fail("not-a-linear", "the contracted dimension has one element");
  std::optional<Access> out = operandAccess(algebra, op, op.getDpsInitOperand(0));
  if (!out)
    return fail("unsupported-access", "the result of the contraction is not indexed by loops");
  // The result orders the rows.
  linear.rows.clear();
  linear.ns.clear();
  for (Atom atom : flatten(*out))
    (llvm::is_contained(rows, atom) ? linear.rows : linear.ns).push_back(atom);
  Index digits = flatten(*out);
  linear.transposed = !same(digits, concat(linear.rows, linear.ns));
  if (!same(digits, concat(linear.outer(), linear.inner())) ||
      !hasBoundary(*out, linear.outer().size()))
    return fail("result-order", "the result of the contraction is neither rows x outputs nor "
                                "outputs x rows");
  linear.result = {op->getResult(0), *out};
  return success();
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

namespace {
/// cast(z) or cast(cast(z) + c): what an element of an epilogue may be.
struct Step {
  /// Whether something is rounded before the last operation, which may round the result.
  bool roundsWithin = false;
  std::optional<unsigned> bias; ///< block argument
};
} // namespace

static std::optional<Step> readStep(Block *body, unsigned z) {
  Step step;
  Casts casts;
  Value value = body->getTerminator()->getOperand(0);
  Operation *last = value.getDefiningOp();
  if (last && castKindOf(last) == CastKind::Rounds)
    value = last->getOperand(0);
  value = stripCasts(value, casts);
  if (value == body->getArgument(z)) {
    step.roundsWithin = casts.round;
    return casts.quantise ? std::nullopt : std::optional(step);
  }
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  for (auto [a, c] :
       {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
    Casts ofZ = casts, ofBias;
    if (stripCasts(a, ofZ) != body->getArgument(z) || ofZ.quantise)
      continue;
    auto arg = dyn_cast<BlockArgument>(stripCasts(c, ofBias));
    // A rounded bias is another bias.
    if (!arg || arg.getOwner() != body || ofBias.round || ofBias.quantise ||
        arg.getArgNumber() == z)
      continue;
    step.roundsWithin = ofZ.round;
    step.bias = arg.getArgNumber();
    return step;
  }
  return std::nullopt;
}

/// The one use of `value` that reads its elements.
static OpOperand *getSingleUse(Value value) {
  OpOperand *single = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    if (single)
      return nullptr;
    single = &use;
  }
  return single;
}

/// Extends `linear.result` over casts, the bias, and reshapes between them.
static void readEpilogue(Algebra &algebra, Linear &linear, bool strict) {
  View z = linear.result;
  while (OpOperand *single = getSingleUse(z.value)) {
    OpOperand &use = *single;
    Operation *user = use.getOwner();
    if (user->getBlock() != linear.op->getBlock())
      return;
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user)) {
      Access access;
      for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
        access.emplace_back();
        for (int64_t d : group)
          llvm::append_range(access.back(), z.access[d]);
      }
      z = {user->getResult(0), access};
      continue;
    }
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user)) {
      Access access;
      auto type = cast<RankedTensorType>(expand.getType());
      for (auto [g, group] : llvm::enumerate(expand.getReassociationIndices())) {
        SmallVector<int64_t> extents;
        for (int64_t d : group)
          extents.push_back(type.getDimSize(d));
        std::optional<Access> part = algebra.distribute(z.access[g], extents, nullptr, false);
        if (!part)
          return;
        llvm::append_range(access, *part);
      }
      z = {user->getResult(0), access};
      continue;
    }
    if (isa<tensor::CastOp>(user) && isa<RankedTensorType>(user->getResult(0).getType())) {
      z.value = user->getResult(0);
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || op.getNumReductionLoops() > 0 || op.getNumDpsInits() != 1 ||
        !op.hasPureTensorSemantics() || !op.isDpsInput(&use))
      return;
    std::optional<Step> step = readStep(op.getBlock(), use.getOperandNumber());
    auto loops = loopsOf(op, op.getMatchingIndexingMap(&use), z.access);
    auto outType = cast<RankedTensorType>(user->getResult(0).getType());
    if (!step || !loops || llvm::any_of(*loops, [](const auto &l) { return !l; }))
      return;
    std::optional<Access> access =
        accessOf(op.getMatchingIndexingMap(op.getDpsInitOperand(0)), *loops, outType);
    if (!access || !same(flatten(*access), concat(linear.outer(), linear.inner())) ||
        !hasBoundary(*access, linear.outer().size()) || !isSupported(outType.getElementType()) ||
        outType.getEncoding())
      return;
    View bias;
    if (step->bias) {
      if (linear.bias || *step->bias >= static_cast<unsigned>(op.getNumDpsInputs()))
        return;
      OpOperand *operand = op.getDpsInputOperand(*step->bias);
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      if (!type)
        return;
      std::optional<Access> at = accessOf(op.getMatchingIndexingMap(operand), *loops, type);
      if (!at)
        return;
      bias = findStored(algebra, {operand->get(), *at}, {}, linear.ns);
      if (!bias)
        return;
    }
    // What is stored in 16 bits, or rounded on the way, would be passed over.
    if (strict && (step->roundsWithin ||
                   getElementTypeOrSelf(z.value.getType()).getIntOrFloatBitWidth() < 32))
      return;
    if (bias)
      linear.bias = bias;
    z = linear.result = {user->getResult(0), *access};
  }
}

/// The matrix that the contraction takes as its weight, as it is stored.
static LogicalResult readStoredWeight(Algebra &algebra, Linear &linear, Reason &reason) {
  linalg::LinalgOp op = linear.op;
  auto fail = [&](StringRef id, StringRef text) {
    reason = {id, text.str()};
    return failure();
  };
  if (!isa<BlockArgument>(linear.w.value) || linear.w.inputs.size() != 1)
    return fail("weight-form", "the contraction computes its weight");
  if (linear.w.casts.round || linear.w.casts.quantise)
    return fail("weight-form", "the contraction rounds its weight");
  OpOperand *operand = linear.w.inputs[0];
  std::optional<Access> access = operandAccess(algebra, op, operand);
  if (!access)
    return fail("unsupported-access", "the weight is not indexed by loops");
  View weight{operand->get(), *access};
  linear.layout = WeightLayout::NK;
  linear.weight = findStored(algebra, weight, linear.ns, linear.ks);
  View transposed = findStored(algebra, weight, linear.ks, linear.ns);
  // Of two readings (a transpose in between), the one nearer to the source.
  if (transposed && !linear.ns.empty()) {
    View deeper = linear.weight;
    bool behind = false;
    for (View v = transposed; deeper && stepThroughView(algebra, v.value, v.access, true, false);)
      behind |= v.value == deeper.value;
    if (!behind) {
      linear.weight = transposed;
      linear.layout = WeightLayout::KN;
    }
  }
  if (!linear.weight &&
      (!isSupported(getElementTypeOrSelf(weight.value.getType())) || hasEncoding(weight.value)))
    return fail("unsupported-type", "the weight is neither f16, bf16 nor f32, or has an encoding");
  if (!linear.weight)
    return fail("weight-form", "the weight is not one matrix of f16, bf16 or f32 over the "
                               "contracted dimension and the outputs");
  return success();
}

LogicalResult flashfusion::readOperands(Algebra &algebra, Evaluator &evaluator, Linear &linear,
                                        bool strict, Reason &reason) {
  linalg::LinalgOp op = linear.op;
  auto fail = [&](StringRef id, StringRef text) {
    reason = {id, text.str()};
    return failure();
  };
  if (!readQuantised(algebra, linear, strict) && failed(readStoredWeight(algebra, linear, reason)))
    return failure();
  if (!cast<ShapedType>(linear.weight.value.getType()).hasStaticShape())
    return fail("dynamic-n", "the weight has a dynamic extent");
  if (llvm::is_contained(cast<ShapedType>(linear.weight.value.getType()).getShape(), 0))
    return fail("weight-form", "the weight has no elements");

  linear.bias = View();
  OpOperand *init = op.getDpsInitOperand(0);
  std::optional<Access> out = operandAccess(algebra, op, init);
  FailureOr<Poly> initial = evaluator.read(init->get(), *out);
  if (failed(initial)) {
    reason = evaluator.getReason();
    return failure();
  }
  if (!initial->isZero()) {
    linear.bias = findStored(algebra, {init->get(), *out}, {}, linear.ns);
    if (!linear.bias)
      return fail("accumulator-not-zero", "the contraction adds to something that is neither "
                                          "zero nor a bias");
  }
  readEpilogue(algebra, linear, strict);
  if (!isSupported(getElementTypeOrSelf(linear.result.value.getType())))
    return fail("unsupported-type", "the result is neither f16, bf16 nor f32");
  if (hasEncoding(linear.result.value))
    return fail("unsupported-type", "the result has an encoding");
  return success();
}
