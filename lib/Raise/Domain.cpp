//===- Domain.cpp - What must not disappear from an expression -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an expression is defined, and which sign it has, as far as that can be
// seen whatever the tensors hold:
//
//   mean(x^2) + 1e-5            positive: sqrt(b) sqrt(b) = b, b^2 / b = b
//   mean(x^2) - mean(x)^2       no less than 0: sqrt(v) sqrt(v) = v
//   x                           neither: sqrt(x) sqrt(x) and x^2 / x stay
//
// Also, the bounds of numbers, exponents and expressions.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Algebra.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// The name of a factor that is 0 where its operand is defined.
static constexpr StringLiteral kVanished("0 *");

/// Functions of floats that are defined everywhere.
static constexpr StringLiteral kTotal[] = {
    "max",      "min",       "arith.truncf", "math.absf", "math.ceil",      "math.cos", "math.erf",
    "math.exp", "math.exp2", "math.floor",   "math.sin",  "math.roundeven", "math.tanh"};

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

using Term = std::pair<const Monomial, Rational>;

/// c1 sum f^2 - c2 (sum f)^2 is no less than 0 if c2 n <= c1 for the n summands (Cauchy-Schwarz).
static bool isVariance(const Algebra &algebra, const Term &squares, const Term &squared) {
  const Monomial &p = squares.first, &q = squared.first;
  if (p.size() != 1 || q.size() != 1 || !(p[0].second == Exponent()) ||
      !(q[0].second == Exponent::get(2)))
    return false;
  const Factor &of2 = algebra.get(p[0].first), &of1 = algebra.get(q[0].first);
  if (of2.kind != Factor::Sum || of1.kind != Factor::Sum || of2.bound != of1.bound)
    return false;
  Monomial body = of1.args[0].terms.begin()->first;
  for (auto &[f, e] : body)
    e = e * Exponent::get(2);
  Rational n(1);
  for (Atom atom : of1.bound) {
    if (ShapedType::isDynamic(algebra.extent(atom)))
      return false;
    n *= Rational(algebra.extent(atom));
  }
  return body == of2.args[0].terms.begin()->first &&
         squares.second + squared.second * n >= Rational(0);
}

bool Algebra::hasSign(const Poly &poly, bool strictly) const {
  const Term *negative = nullptr;
  bool positive = false;
  for (const Term &term : poly.terms) {
    if (term.second > Rational(0) && isNonNegative(term.first))
      positive |= isPositive(term.first);
    else if (negative)
      return false;
    else
      negative = &term;
  }
  // The sum of squares that makes up for it is not positive by itself.
  if (negative && llvm::none_of(poly.terms, [&](const Term &term) {
        return isVariance(*this, term, *negative);
      }))
    return false;
  return positive || !strictly;
}

bool Algebra::isNonNegative(const Monomial &m) const {
  return llvm::all_of(m, [&](const auto &power) {
    return power.second.isEven() || !power.second.isInteger() || get(power.first).nonNegative;
  });
}

bool Algebra::isPositive(const Monomial &m) const {
  return llvm::all_of(m, [&](const auto &power) { return get(power.first).positive; });
}

bool Algebra::isTotal(const Monomial &m) const {
  return llvm::all_of(m, [&](const auto &power) {
    const Factor &factor = get(power.first);
    return factor.total && (power.second.isInteger() || factor.nonNegative) &&
           (power.second.num > 0 || factor.positive);
  });
}

void Algebra::findDomain(Factor &factor) const {
  factor.total = llvm::all_of(factor.args, [&](const Poly &arg) {
    return llvm::all_of(arg.terms, [&](const auto &term) { return isTotal(term.first); });
  });
  if (factor.kind == Factor::Sum) {
    factor.nonNegative = isNonNegative(factor.args[0].terms.begin()->first);
  } else if (factor.kind == Factor::Base) {
    factor.nonNegative = isNonNegative(factor.args[0]);
    factor.positive = isPositive(factor.args[0]);
  } else if (factor.kind == Factor::Func) {
    // An extent of 0 has no elements that anything could be worth.
    bool extent = StringRef(factor.name).starts_with(kExtent);
    factor.total &= extent || llvm::is_contained(kTotal, factor.name);
    factor.positive = extent;
    // exp may be too small for a float.
    factor.nonNegative = extent || factor.name == "math.absf" || factor.name == "math.exp";
    if (factor.name == "max")
      for (const Poly &arg : factor.args) {
        factor.nonNegative |= isNonNegative(arg);
        factor.positive |= isPositive(arg);
      }
  }
}

//===----------------------------------------------------------------------===//
// Laws that hold everywhere
//===----------------------------------------------------------------------===//

bool Algebra::keepsDomain(FactorId f, std::initializer_list<Exponent> from, Exponent to) {
  if (std::abs(to.num) > kMaxExponent || to.den > kMaxExponent) {
    tooLarge = true;
    return false;
  }
  const Factor &factor = get(f);
  return llvm::all_of(from, [&](Exponent e) {
    return (e.isInteger() || !to.isInteger() || factor.nonNegative) &&
           (e.num > 0 || to.num < 0 || factor.positive);
  });
}

Poly Algebra::vanished(const Monomial &m) {
  return func(kVanished, Type(), Attribute(), {monomial(m)});
}

void Algebra::accumulate(Poly &result, const Monomial &m, const Rational &c) {
  result.add(m, c);
  if (result.terms.count(m) || isTotal(m))
    return;
  bool again = m.size() == 1 && get(m[0].first).name == kVanished;
  Poly zero = again ? monomial(m) : vanished(m);
  result.terms[zero.terms.begin()->first] = Rational(1);
}

Poly Algebra::bounded(Poly poly) {
  static const llvm::DynamicAPInt kMax = [] {
    llvm::DynamicAPInt i(1);
    for (unsigned bit = 0; bit < 2048; ++bit)
      i *= 2;
    return i;
  }();
  for (const auto &[m, c] : poly.terms)
    tooLarge |= c.den > kMax || c.num > kMax || c.num < -kMax;
  return poly;
}
