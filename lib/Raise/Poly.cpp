//===- Poly.cpp - Exact numbers and polynomials ----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Algebra.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::flashfusion;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

double flashfusion::toDouble(const Rational &r) {
  auto convert = [](const llvm::DynamicAPInt &i) {
    std::string text;
    llvm::raw_string_ostream(text) << i;
    return std::strtod(text.c_str(), nullptr);
  };
  return convert(r.num) / convert(r.den);
}

std::optional<Rational> flashfusion::toRational(const APFloat &value) {
  if (!value.isFinite() || APFloat::semanticsSizeInBits(value.getSemantics()) > 64)
    return std::nullopt;
  int exponent = 0;
  double fraction = std::frexp(value.convertToDouble(), &exponent);
  if (exponent < -200 || exponent > 200)
    return std::nullopt;
  llvm::DynamicAPInt num(static_cast<int64_t>(std::ldexp(fraction, 53))), scale(1);
  exponent -= 53;
  for (int i = 0; i < std::abs(exponent); ++i)
    scale *= 2;
  return presburger::reduce(exponent < 0 ? Rational(num, scale) : Rational(num * scale));
}

Exponent Exponent::get(int64_t num, int64_t den) {
  int64_t g = std::gcd(num, den);
  if (den < 0)
    g = -g;
  return {num / g, den / g};
}

//===----------------------------------------------------------------------===//
// Poly
//===----------------------------------------------------------------------===//

void Poly::add(const Monomial &monomial, const Rational &coefficient) {
  if (coefficient == Rational(0))
    return;
  auto [it, inserted] = terms.try_emplace(monomial, coefficient);
  if (inserted)
    return;
  it->second += coefficient;
  if (it->second == Rational(0))
    terms.erase(it);
}

std::optional<Rational> Poly::getConstant() const {
  if (terms.empty())
    return Rational(0);
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

std::optional<FactorId> Poly::getFactor() const {
  if (terms.size() != 1 || terms.begin()->second != Rational(1))
    return std::nullopt;
  const Monomial &m = terms.begin()->first;
  if (m.size() != 1 || !(m[0].second == Exponent()))
    return std::nullopt;
  return m[0].first;
}

Poly Poly::scaled(const Rational &r) const {
  Poly result;
  for (const auto &[m, c] : terms)
    result.add(m, c * r);
  return result;
}

Poly Poly::operator+(const Poly &o) const {
  Poly result = *this;
  for (const auto &[m, c] : o.terms)
    result.add(m, c);
  return result;
}
