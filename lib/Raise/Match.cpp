//===- Match.cpp - From a contraction to the norm in front of it -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each candidate for x is tried: the loops of the contraction become iteration
// variables, its operand h is evaluated at them, and where h is a norm of x the
// rest of the Linear is read.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "FlashFusion/Raise/Slice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Text that is equal for equal functions of (row, k), whatever contraction
/// they were read from.
static void describe(const Algebra &algebra, const Poly &poly, const Index &digits,
                     llvm::raw_ostream &os) {
  SmallVector<std::string> terms;
  for (const auto &[m, c] : poly.terms) {
    SmallVector<std::string> factors;
    for (const auto &[f, e] : m) {
      const Factor &factor = algebra.get(f);
      std::string text;
      llvm::raw_string_ostream s(text);
      s << static_cast<int>(factor.kind) << factor.name << factor.value.getAsOpaquePointer()
        << factor.attributes.getAsOpaquePointer() << factor.type.getAsOpaquePointer() << '[';
      for (const Index &index : factor.access) {
        for (Atom atom : index)
          s << llvm::find(digits, atom) - digits.begin() << 'x' << algebra.extent(atom) << ' ';
        s << ',';
      }
      s << ']';
      for (const Poly &arg : factor.args)
        describe(algebra, arg, digits, s);
      s << '^' << e.num << '/' << e.den;
      factors.push_back(text);
    }
    llvm::sort(factors);
    std::string text;
    llvm::raw_string_ostream(text) << c.num << '/' << c.den << llvm::join(factors, "*");
    terms.push_back(text);
  }
  llvm::sort(terms);
  os << '(' << llvm::join(terms, "+") << ')';
}

/// `side`: which factor of the contraction is the norm.
static std::unique_ptr<Match> tryCandidate(linalg::LinalgOp op, const Contraction &contraction,
                                           unsigned side, Value x, bool strict, Reason &reason,
                                           unsigned &depth, bool others = false) {
  depth = 0;
  auto match = std::make_unique<Match>();
  match->algebra = std::make_unique<Algebra>(x);
  Algebra &algebra = *match->algebra;
  Linear &linear = match->linear;
  linear.op = op;
  linear.h = contraction.factors[side];
  linear.w = contraction.factors[1 - side];
  Casts casts = contraction.casts;
  casts.add(linear.h.casts);
  auto fail = [&](unsigned at, StringRef id, StringRef text) {
    depth = at;
    reason = {id, text.str()};
    return nullptr;
  };
  // Cutting an iteration variable at a reshape makes earlier accesses stale;
  // every variable has finitely many cuts, and few in practice.
  for (unsigned round = 0; round < 8; ++round) {
    algebra.clearSplit();
    if (failed(readLoops(algebra, linear, reason))) {
      depth = 5;
      return nullptr;
    }
    SmallVector<int64_t> extents;
    for (Atom atom : linear.ks)
      extents.push_back(algebra.extent(atom));
    Evaluator evaluator(algebra, x, extents, op->getBlock());
    evaluator.rows.assign(linear.rows.begin(), linear.rows.end());
    FailureOr<Poly> element = evaluator.element(op, loopDigits(algebra, op), linear.h.value);
    if (algebra.anySplit())
      continue;
    if (failed(element)) {
      reason = evaluator.getReason();
      return nullptr;
    }
    FailureOr<Norm> norm =
        readNorm(algebra, evaluator, x, *element, linear.rows, linear.ks, reason, depth, others);
    if (failed(norm))
      return nullptr;
    if (casts.quantise)
      return fail(6, "quantization",
                  "the contraction rounds to fewer than 16 bits, or not to nearest even");
    if (strict && (evaluator.sawNarrow() || casts.round))
      return fail(6, "rounding",
                  "an activation is rounded to 16 bits between the norm and the "
                  "contraction or in it, and rounding=strict honours that");
    auto type = cast<ShapedType>(x.getType());
    for (auto [d, index] : llvm::enumerate(norm->access))
      if (type.isDynamicDim(d) &&
          llvm::any_of(index, [&](Atom a) { return llvm::is_contained(linear.ks, a); }))
        return fail(5, "dynamic-k", "the extent of the normalized dimension is not known");
    match->norm = *norm;
    linear.ks = norm->ks;
    match->normalized.assign(evaluator.getNormalized().begin(), evaluator.getNormalized().end());
    match->x = findStored(algebra, {x, norm->access}, linear.rows, linear.ks,
                          /*allowF64=*/!strict);
    bool isF8 = isa<Float8E4M3FNType>(getElementTypeOrSelf(x.getType()));
    if (!match->x && !isF8)
      return fail(6, "unsupported-type",
                  "the normalized tensor is neither f16, bf16 nor f32, "
                  "or has an encoding");
    if (failed(readOperands(algebra, evaluator, linear, strict, reason))) {
      depth = 6;
      return nullptr;
    }
    // A gain would have to multiply weights of 8 bits.
    if (!norm->gain)
      if (auto rows = readQuantisedRows(algebra, linear, {x, norm->access}, strict)) {
        match->x = rows->x;
        match->xScale = rows->scale;
      }
    if (algebra.anySplit())
      continue;
    if (!match->x)
      return fail(6, "unsupported-type",
                  "a normalized tensor of 8 bits takes weights of 8 bits "
                  "(f8E4M3FN) and no gain");
    for (const std::optional<Poly> &poly : {norm->gain, norm->shift})
      if (poly && !canEmit(algebra, *poly, linear.ks))
        return fail(6, "gain-form", "gain or shift is not an expression of vectors");
    if (!canEmit(algebra, norm->eps, {}))
      return fail(6, "eps-form", "eps is not an expression of numbers");

    Index digits = linear.rows;
    llvm::append_range(digits, linear.ks);
    llvm::raw_string_ostream os(match->key);
    os << static_cast<int>(norm->kind) << match->x.value.getAsOpaquePointer() << '[';
    for (const Index &index : match->x.access)
      os << index.size() << ' ';
    os << linear.rows.size() << ']' << match->xScale.view.value.getAsOpaquePointer()
       << match->xScale.scalar.getAsOpaquePointer() << match->xScale.constant.getAsOpaquePointer();
    if (const std::optional<OtherNorm> &other = norm->other) {
      os << 'o' << other->isL2 << other->isVariance;
      for (const Rational &r : {other->factor, other->square, other->meanSquared, other->center})
        os << ' ' << r.num << '/' << r.den;
    }
    for (const std::optional<Poly> &poly : {norm->gain, norm->shift}) {
      os << ';';
      if (poly)
        describe(algebra, *poly, digits, os);
    }
    os << ';';
    describe(algebra, norm->eps, digits, os);
    return match;
  }
  return fail(1, "unsupported-reshape", "a reshape cuts dimensions in too many ways");
}

Outcome flashfusion::matchContraction(linalg::LinalgOp op, bool strict, bool others) {
  Outcome outcome;
  unsigned best = 0;
  auto note = [&](const Reason &reason, unsigned depth) {
    if (reason.id.empty() || (outcome.declined && depth < best))
      return;
    if (!outcome.declined || depth > best)
      outcome.declined = reason;
    best = std::max(best, depth);
  };
  std::optional<Contraction> contraction = readContraction(op);
  if (!contraction) {
    if (isa<linalg::DotOp>(op) && sliceOf(op.getDpsInputs(), op->getBlock()).statistics > 0)
      outcome.declined = Reason{"not-a-linear", "a dot product has neither rows nor outputs: write "
                                                "it as a matrix product"};
    return outcome;
  }
  for (unsigned side : {0, 1}) {
    SmallVector<Value> operands;
    for (OpOperand *input : contraction->factors[side].inputs)
      operands.push_back(input->get());
    // Bodies may gather from tensors of the function.
    op.getBlock()->walk(
        [&](tensor::ExtractOp extract) { operands.push_back(extract.getTensor()); });
    Slice slice = sliceOf(operands, op->getBlock());
    if (slice.statistics == 0)
      continue;
    std::unique_ptr<Match> found;
    searchX(slice, [&](Value candidate) -> std::optional<NormKind> {
      Reason reason;
      unsigned depth = 0;
      std::unique_ptr<Match> match =
          tryCandidate(op, *contraction, side, candidate, strict, reason, depth);
      if (!match) {
        note(reason, depth);
        return std::nullopt;
      }
      NormKind kind = match->norm.kind;
      if (!found || kind == NormKind::LayerNorm)
        found = std::move(match);
      return kind;
    });
    for (Value candidate : others && !found ? slice.candidates : SmallVector<Value>()) {
      Reason reason;
      unsigned depth = 0;
      std::unique_ptr<Match> match =
          tryCandidate(op, *contraction, side, candidate, strict, reason, depth, /*others=*/true);
      // Behind a centred row, goes on for the row itself.
      bool isCentered = match && match->norm.other->center != Rational(0);
      if (match && (!found || isCentered))
        found = std::move(match);
      if (isCentered)
        break;
    }
    if (found) {
      outcome.match = std::move(found);
      outcome.declined.reset();
      return outcome;
    }
    // Without a candidate: why does the operand's own expression not do?
    if (slice.candidates.empty()) {
      Reason reason;
      unsigned depth = 0;
      (void)tryCandidate(op, *contraction, side, Value(), strict, reason, depth);
      if (reason.id.empty() || reason.id == "not-a-norm")
        reason = {"other-statistics",
                  "the statistics are not those of the tensor that is multiplied"};
      note(reason, depth);
    }
    if (!outcome.declined)
      outcome.declined = Reason{"not-a-norm", "no normalization was recognised"};
  }
  return outcome;
}
