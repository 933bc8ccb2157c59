//===- FactorOut.cpp - What commutes past a reduction ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/FactorOut.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

using Terms = std::vector<FactoredTerm>;

static FactoredTerm multiply(const FactoredTerm &a, const FactoredTerm &b) {
  FactoredTerm result = a;
  result.negative ^= b.negative;
  llvm::append_range(result.times, b.times);
  llvm::append_range(result.over, b.over);
  llvm::append_range(result.inner, b.inner);
  llvm::append_range(result.innerOver, b.innerOver);
  return result;
}

/// Empty if there are too many terms.
static Terms expand(Value value, function_ref<bool(Value)> isOuter, unsigned maxTerms) {
  FactoredTerm single;
  if (isOuter(value)) {
    single.times.push_back(value);
    return {single};
  }
  single.inner.push_back(value);
  Operation *op = value.getDefiningOp();
  // 16-bit products and sums round: they are taken as they are.
  if (!op || !(value.getType().isF32() || value.getType().isF64()))
    return {single};
  auto sub = [&](unsigned i) { return expand(op->getOperand(i), isOuter, maxTerms); };
  auto product = [&](const Terms &left, const Terms &right) {
    Terms result;
    if (left.size() * right.size() <= maxTerms)
      for (const FactoredTerm &a : left)
        for (const FactoredTerm &b : right)
          result.push_back(multiply(a, b));
    return result;
  };
  if (isa<arith::MulFOp>(op))
    return product(sub(0), sub(1));
  if (auto power = dyn_cast<math::FPowIOp>(op);
      power && matchPattern(power.getRhs(), m_Constant())) {
    APInt exponent;
    if (matchPattern(power.getRhs(), m_ConstantInt(&exponent)) && exponent == 2)
      return product(sub(0), sub(0));
    return {single};
  }
  if (isa<arith::NegFOp>(op)) {
    Terms result = sub(0);
    for (FactoredTerm &term : result)
      term.negative ^= true;
    return result;
  }
  if (isa<arith::DivFOp>(op)) {
    Terms result = sub(0);
    bool outer = isOuter(op->getOperand(1));
    for (FactoredTerm &term : result)
      (outer ? term.over : term.innerOver).push_back(op->getOperand(1));
    return result;
  }
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    Terms left = sub(0), right = sub(1);
    if (left.empty() || right.empty() || left.size() + right.size() > maxTerms)
      return {};
    for (FactoredTerm &term : right) {
      term.negative ^= isa<arith::SubFOp>(op);
      left.push_back(std::move(term));
    }
    return left;
  }
  return {single};
}

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

std::optional<FactoredSum>
mlir::flashfusion::factorOut(Value value, function_ref<bool(Value)> isOuter, unsigned maxTerms) {
  Terms terms = expand(value, isOuter, maxTerms);
  if (terms.empty())
    return std::nullopt;
  FactoredSum sum;
  sum.times = takeCommon(terms, &FactoredTerm::times);
  sum.over = takeCommon(terms, &FactoredTerm::over);
  sum.terms = std::move(terms);
  return sum;
}
