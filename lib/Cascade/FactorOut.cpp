//===- FactorOut.cpp - What commutes past a reduction ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/FactorOut.h"

#include "FlashFusion/Raise/Casts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

using Terms = std::vector<FactoredTerm>;

static FactoredTerm multiply(const FactoredTerm &a, const FactoredTerm &b) {
  FactoredTerm result = a;
  result.negative ^= b.negative;
  llvm::append_range(result.times, b.times);
  llvm::append_range(result.over, b.over);
  llvm::append_range(result.zeroIf, b.zeroIf);
  llvm::append_range(result.inner, b.inner);
  llvm::append_range(result.innerOver, b.innerOver);
  return result;
}

namespace {
/// Every value is expanded once, however often a body uses it, and into no more than
/// `maxTerms` terms of `maxFactors`: beyond that it counts as it is.
struct Expander {
  Expander(function_ref<bool(Value)> isOuter, function_ref<bool(Value)> mayLeave, unsigned maxTerms)
      : isOuter(isOuter), mayLeave(mayLeave), maxTerms(maxTerms) {}

  static constexpr size_t maxFactors = 32;

  Terms expand(Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    Terms terms = compute(value);
    bool large = terms.size() > maxTerms;
    for (const FactoredTerm &term : terms)
      large |= term.times.size() + term.over.size() + term.zeroIf.size() + term.inner.size() +
                   term.innerOver.size() >
               maxFactors;
    if (large || (rounds(value) && !leaves(terms)))
      terms = takeAsItIs(value);
    else
      rounded |= rounds(value);
    known[value] = terms;
    return terms;
  }

  bool rounded = false;

private:
  /// Whether what the operation computes is rounded to 16 bits: by a cast, or since it is done in
  /// them. A value that is taken as it is is not asked for.
  bool rounds(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!op || !isa<FloatType>(value.getType()) || isOuter(value) ||
        isa<arith::SelectOp, arith::NegFOp>(op))
      return false;
    std::optional<CastKind> cast = castKindOf(op);
    return cast ? cast == CastKind::Rounds : value.getType().getIntOrFloatBitWidth() < 32;
  }

  bool leaves(const Terms &terms) const {
    auto any = [&](const SmallVector<Value> &values) { return llvm::any_of(values, mayLeave); };
    return mayLeave && llvm::any_of(terms, [&](const FactoredTerm &term) {
             return any(term.times) || any(term.over) || any(term.zeroIf) || any(term.inner);
           });
  }

  Terms takeAsItIs(Value value) {
    FactoredTerm single;
    (isOuter(value) ? single.times : single.inner).push_back(value);
    return {single};
  }

  static Terms product(const Terms &left, const Terms &right) {
    Terms result;
    for (const FactoredTerm &a : left)
      for (const FactoredTerm &b : right)
        result.push_back(multiply(a, b));
    return result;
  }

  Terms compute(Value value) {
    Operation *op = value.getDefiningOp();
    if (isOuter(value) || !op || !isa<FloatType>(value.getType()) ||
        value.getType().getIntOrFloatBitWidth() < 16)
      return takeAsItIs(value);
    if (std::optional<CastKind> cast = castKindOf(op))
      return cast == CastKind::Quantises ? takeAsItIs(value) : expand(op->getOperand(0));
    if (auto select = dyn_cast<arith::SelectOp>(op);
        select && isOuter(select.getCondition()) &&
        matchPattern(select.getTrueValue(), m_PosZeroFloat())) {
      Terms result = expand(select.getFalseValue());
      for (FactoredTerm &term : result)
        term.zeroIf.push_back(select.getCondition());
      return result;
    }
    if (isa<arith::MulFOp>(op))
      return product(expand(op->getOperand(0)), expand(op->getOperand(1)));
    APInt exponent;
    if (auto power = dyn_cast<math::FPowIOp>(op);
        power && matchPattern(power.getRhs(), m_ConstantInt(&exponent)) && exponent == 2)
      return product(expand(op->getOperand(0)), expand(op->getOperand(0)));
    if (isa<arith::NegFOp>(op)) {
      Terms result = expand(op->getOperand(0));
      for (FactoredTerm &term : result)
        term.negative ^= true;
      return result;
    }
    if (isa<arith::DivFOp>(op)) {
      Terms result = expand(op->getOperand(0));
      bool outer = isOuter(op->getOperand(1));
      for (FactoredTerm &term : result)
        (outer ? term.over : term.innerOver).push_back(op->getOperand(1));
      return result;
    }
    if (isa<arith::AddFOp, arith::SubFOp>(op)) {
      Terms result = expand(op->getOperand(0));
      for (FactoredTerm term : expand(op->getOperand(1))) {
        term.negative ^= isa<arith::SubFOp>(op);
        result.push_back(std::move(term));
      }
      return result;
    }
    return takeAsItIs(value);
  }

  function_ref<bool(Value)> isOuter, mayLeave;
  unsigned maxTerms;
  DenseMap<Value, Terms> known;
};
} // namespace

/// Takes the values that every term has in the list out of them.
static SmallVector<Value> takeCommon(Terms &terms, SmallVector<Value> FactoredTerm::*list) {
  SmallVector<Value> common;
  for (Value value : SmallVector<Value>(terms[0].*list)) {
    if (!llvm::all_of(terms, [&](FactoredTerm &t) { return llvm::is_contained(t.*list, value); }))
      continue;
    common.push_back(value);
    for (FactoredTerm &term : terms)
      (term.*list).erase(llvm::find(term.*list, value));
  }
  return common;
}

FactoredSum mlir::flashfusion::factorOut(Value value, function_ref<bool(Value)> isOuter,
                                         function_ref<bool(Value)> mayLeave, unsigned maxTerms) {
  Expander expander(isOuter, mayLeave, maxTerms);
  Terms terms = expander.expand(value);
  FactoredSum sum;
  sum.rounded = expander.rounded;
  sum.times = takeCommon(terms, &FactoredTerm::times);
  sum.over = takeCommon(terms, &FactoredTerm::over);
  sum.zeroIf = takeCommon(terms, &FactoredTerm::zeroIf);
  sum.terms = std::move(terms);
  return sum;
}
