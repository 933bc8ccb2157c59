//===- Norm.cpp - The law of a normalization -------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The law, in normal form (r a function of the row alone, g and s of k alone):
//
//   h = x(m,k) r(m) g(k)  -  mu(m) r(m) g(k)  +  s(k)
//
// What mu and r are, by kind, says the table kLaws. The two-pass variance
// sum (x - mu)^2 / K and the one-pass E[x^2] - mu^2 are both its second line: the
// normal form has expanded them. On demand, other rational multiples of the
// terms, and of the whole, are accepted, too: as a norm without a name.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Norm.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::flashfusion;

namespace {
/// How eps enters, with S2 = sum_k x^2.
enum class Eps {
  Added, ///< r = 1 / sqrt(S2 / K + squaredMean * mean^2 + eps)
  Bound  ///< r = 1 / max(sqrt(S2), eps); the same as 1 / sqrt(max(S2, eps^2)), or without eps
};

struct Law {
  NormKind kind;
  bool centered; ///< mu is the mean, or 0
  Eps eps;
  int squaredMean;
};
} // namespace

static constexpr Law kLaws[] = {
    {NormKind::RMSNorm, /*centered=*/false, Eps::Added, /*squaredMean=*/0},
    {NormKind::LayerNorm, /*centered=*/true, Eps::Added, /*squaredMean=*/-1},
    {NormKind::L2Norm, /*centered=*/false, Eps::Bound, /*squaredMean=*/0},
};

namespace {
class Reader {
public:
  Reader(Algebra &algebra, const Evaluator &evaluator, Value x, const Index &rows, const Index &ks,
         Reason &reason, unsigned &depth)
      : algebra(algebra), evaluator(evaluator), x(x), rows(rows), ks(ks), reason(reason),
        depth(depth) {}

  FailureOr<Norm> run(const Poly &h, bool others);

private:
  LogicalResult fail(unsigned at, StringRef id, const Twine &text) {
    depth = at;
    reason = {id, text.str()};
    return failure();
  }
  bool dependsOnK(FactorId f) const {
    return llvm::any_of(algebra.get(f).atoms, [&](Atom a) { return llvm::is_contained(ks, a); });
  }
  bool dependsOnRow(FactorId f) const {
    return evaluator.isActivation(algebra.power(f, Exponent()));
  }
  /// A number that is the same for all rows and all k.
  bool isScalar(const Poly &poly) const {
    return !evaluator.isActivation(poly) && !algebra.hasSum(poly) &&
           !algebra.hasAtom(poly, [](Atom) { return true; });
  }
  LogicalResult findX(const Poly &h);
  LogicalResult split(const Poly &h);
  LogicalResult checkOrder();
  /// Whether b = 1 / r^2 is that of `law`; fills eps, and moves a constant of b to `gain`.
  bool fits(const Law &law, Norm &norm, const Poly &b, Poly &gain);
  LogicalResult classify(Norm &norm);
  LogicalResult classifyOther(Norm &norm);
  LogicalResult explainScale(const Poly &b);
  bool isL2(Norm &norm, const Poly &b);

  Algebra &algebra;
  const Evaluator &evaluator;
  Value x;
  const Index &rows, &ks;
  Reason &reason;
  unsigned &depth;

  FactorId element = 0; ///< x(m,k)
  Index order;          ///< digits of k, as x orders them
  Poly r, g, s, rest;   ///< h = x r g + s + rest
  Poly s2, mean, meanSquare, meanSquared;
  Poly k; ///< the number of elements
};
} // namespace

LogicalResult Reader::findX(const Poly &h) {
  std::optional<FactorId> found;
  for (const auto &[m, c] : h.terms)
    for (const auto &[f, e] : m) {
      const Factor &factor = algebra.get(f);
      if (factor.kind != Factor::Leaf || factor.value != x || found == f)
        continue;
      if (found)
        return fail(1, "mixed-access", "the normalized tensor is read at two positions");
      found = f;
    }
  if (!found)
    return fail(0, "not-a-norm",
                "what is multiplied is not a multiple of the tensor whose "
                "statistics are taken");
  element = *found;
  Index digits = flatten(algebra.get(element).access);
  if (digits.size() != rows.size() + ks.size() ||
      !llvm::all_of(ks, [&](Atom a) { return llvm::is_contained(digits, a); }))
    return fail(1, "other-dimension",
                "the normalized tensor is not read once per row and per "
                "element of the contracted dimension");
  return success();
}

LogicalResult Reader::checkOrder() {
  Index digits = flatten(algebra.get(element).access);
  if (!std::equal(rows.begin(), rows.end(), digits.begin()))
    return fail(2, "row-order",
                "rows of the result and of the normalized tensor are ordered "
                "differently");
  order.assign(digits.begin() + rows.size(), digits.end());
  return success();
}

LogicalResult Reader::split(const Poly &h) {
  bool first = true;
  for (const auto &[m, c] : h.terms) {
    Monomial ofRow, ofK;
    bool linear = false;
    for (const auto &[f, e] : m) {
      if (f == element) {
        if (!(e == Exponent()))
          return fail(2, "not-affine", "the normalized tensor enters the product nonlinearly");
        linear = true;
      } else if (dependsOnRow(f)) {
        if (dependsOnK(f) && algebra.get(f).height > 0)
          return fail(2, "other-axis",
                      "statistics are taken over another dimension than the contracted one, or "
                      "over a part of it");
        if (dependsOnK(f))
          return fail(2, "not-affine",
                      "a factor or summand depends on the row and on the contracted dimension");
        ofRow.push_back({f, e});
      } else if (algebra.get(f).kind == Factor::Base && isScalar(algebra.get(f).args[0])) {
        ofRow.push_back({f, e});
      } else {
        ofK.push_back({f, e});
      }
    }
    if (linear) {
      Poly factor = algebra.monomial(ofRow);
      if (!first && factor != r)
        return fail(3, "not-affine", "the gain depends on the row");
      first = false;
      r = factor;
      g.add(ofK, c);
    } else if (llvm::any_of(ofRow, [&](const auto &p) { return dependsOnRow(p.first); })) {
      rest.add(m, c);
    } else {
      s.add(m, c);
    }
  }
  if (r.getConstant())
    return fail(1, "not-a-norm", "nothing divides the row by its statistics");
  return success();
}

bool Reader::isL2(Norm &norm, const Poly &b) {
  if (b == s2) {
    norm.eps = Poly();
    return true;
  }
  // b = max(p, q)^2, or b = max(p, q).
  if (b.terms.size() != 1 || b.terms.begin()->second != Rational(1) ||
      b.terms.begin()->first.size() != 1)
    return false;
  auto [f, e] = b.terms.begin()->first[0];
  const Factor &factor = algebra.get(f);
  if (factor.name != "max")
    return false;
  Poly root = algebra.pow(s2, Exponent::get(1, 2));
  for (unsigned i : {0, 1}) {
    const Poly &eps = factor.args[1 - i];
    std::optional<Rational> c = eps.getConstant();
    if (!isScalar(eps) || (c && *c < Rational(0)))
      continue;
    if (e == Exponent::get(2) && factor.args[i] == root) {
      norm.eps = eps;
      return true;
    }
    if (e == Exponent() && factor.args[i] == s2 && c) {
      // The bound stands under the root; its root need not be a rational.
      if (std::optional<Rational> bound = toRational(APFloat(std::sqrt(toDouble(*c))))) {
        norm.eps = Poly(*bound);
        return true;
      }
    }
  }
  return false;
}

LogicalResult Reader::explainScale(const Poly &b) {
  const auto &[square, reciprocal] = *meanSquare.terms.begin();
  std::optional<Rational> elements = k.getConstant();
  if (auto it = b.terms.find(square); elements && it != b.terms.end() && it->second != reciprocal)
    return fail(4, "divisor-not-k",
                "the sum of squares is divided by " +
                    Twine(std::to_string(1.0 / toDouble(it->second))) + ", but the row has " +
                    llvm::formatv("{0:F0}", toDouble(*elements)).str() + " elements");
  if (!elements && b.terms.count(s2.terms.begin()->first))
    return fail(4, "divisor-not-k",
                "the sum of squares is not divided by the number of elements, which is dynamic");
  // A sum of something over the whole row of x is a statistic of that row.
  bool ofRow = algebra.any(b, [&](FactorId f) {
    const Factor &factor = algebra.get(f);
    Poly count(Rational(1));
    bool known = elements.has_value();
    for (Atom atom : factor.bound) {
      known &= !ShapedType::isDynamic(algebra.extent(atom));
      count = count.scaled(Rational(algebra.extent(atom)));
    }
    return factor.kind == Factor::Sum && factor.activation && (!known || count == k);
  });
  if (algebra.hasSum(b) && !ofRow)
    return fail(4, "other-statistics",
                "the statistics are not those of the row that is multiplied: another tensor, "
                "another axis or a part of the row");
  return fail(4, "unknown-scale",
              "the factor of the row is none of 1/sqrt(mean(x^2) + eps), "
              "1/sqrt(var(x) + eps), 1/max(|x|, eps)");
}

/// The positive square root of `r`, where it is rational.
static std::optional<Rational> rationalSqrt(Algebra &algebra, const Rational &r) {
  if (r <= Rational(0))
    return std::nullopt;
  return algebra.pow(Poly(r), Exponent::get(1, 2)).getConstant();
}

/// A constant other than 1 that multiplies the whole gain.
static bool isScaled(const Poly &gain) {
  Rational c = presburger::abs(gain.terms.begin()->second);
  return (gain.terms.size() == 1 && gain.terms.begin()->second != Rational(1)) ||
         (c != Rational(1) && llvm::all_of(gain.terms, [&](const auto &term) {
            return presburger::abs(term.second) == c;
          }));
}

bool Reader::fits(const Law &law, Norm &norm, const Poly &b, Poly &gain) {
  if (law.eps == Eps::Bound)
    return isL2(norm, b);
  // A constant may stand on either side of the root: move it to the gain, so that b has S2 / K.
  Poly moved = b;
  const auto &[square, reciprocal] = *meanSquare.terms.begin();
  if (auto it = b.terms.find(square); it != b.terms.end())
    if (std::optional<Rational> c = rationalSqrt(algebra, it->second / reciprocal)) {
      moved = b.scaled(Rational(1) / (*c * *c));
      gain = g.scaled(Rational(1) / *c);
    }
  norm.eps = moved - meanSquare - meanSquared.scaled(Rational(law.squaredMean));
  std::optional<Rational> eps = norm.eps.getConstant();
  return isScalar(norm.eps) && (!eps || *eps >= Rational(0)) && (moved == b || !isScaled(gain));
}

LogicalResult Reader::classify(Norm &norm) {
  Poly b = algebra.pow(r, Exponent::get(-2), /*defined=*/true);
  bool centered = !rest.isZero();
  if (centered && rest != algebra.mul(algebra.mul(mean, r), g).scaled(Rational(-1)))
    return fail(3, "other-center", "what is subtracted from the row is not its mean");
  for (const Law &law : kLaws) {
    Poly gain = g;
    if (!fits(law, norm, b, gain))
      continue;
    if (law.centered != centered)
      return fail(4, "center-mismatch",
                  centered ? "the row is centered, but its statistic is not the variance"
                           : "the statistic is the variance, but the row is not centered");
    // c x / sqrt(S2) is x / sqrt(S2 / c^2): most likely meant as a mean.
    if (b == s2 && gain.terms.size() == 1 && isScaled(gain)) {
      const Rational &c = gain.terms.begin()->second;
      return explainScale(b.scaled(Rational(1) / (c * c)));
    }
    if (isScaled(gain) || algebra.mentionsExtent(gain))
      return fail(4, "scaled", "the normalized row is multiplied by a constant");
    norm.kind = law.kind;
    g = gain;
    return success();
  }
  return explainScale(b);
}

/// The one coefficient of `poly`, which is a multiple of `unit`; nothing if it is none.
static std::optional<Rational> ratio(const Poly &poly, const Poly &unit) {
  if (poly.isZero())
    return Rational(0);
  const auto &[monomial, coefficient] = *unit.terms.begin();
  auto it = poly.terms.find(monomial);
  if (it == poly.terms.end())
    return std::nullopt;
  Rational r = it->second / coefficient;
  if (poly != unit.scaled(r))
    return std::nullopt;
  return r;
}

LogicalResult Reader::classifyOther(Norm &norm) {
  OtherNorm other;
  other.factor = Rational(1);
  if (g.terms.size() == 1) {
    other.factor = g.terms.begin()->second;
    g = g.scaled(Rational(1) / other.factor);
  }
  Poly b = algebra.pow(r, Exponent::get(-2), /*defined=*/true);
  if (algebra.mentionsExtent(g) || algebra.mentionsExtent(b) || algebra.mentionsExtent(rest))
    return failure();
  std::optional<Rational> center =
      ratio(rest, algebra.mul(algebra.mul(mean, r), g).scaled(-other.factor));
  if (!center)
    return failure();
  other.center = *center;
  // A constant may be part of b; its root need not be a rational.
  if (*center == Rational(0) && b.terms.size() == 1) {
    const Rational c = b.terms.begin()->second;
    std::optional<Rational> root = toRational(APFloat(1.0 / std::sqrt(toDouble(c))));
    if (c > Rational(0) && root && isL2(norm, b.scaled(Rational(1) / c))) {
      other.factor = other.factor * *root;
      other.isL2 = true;
      norm.other = other;
      return success();
    }
  }
  auto coefficient = [&](const Poly &unit) {
    auto it = b.terms.find(unit.terms.begin()->first);
    return it == b.terms.end() ? Rational(0) : it->second / unit.terms.begin()->second;
  };
  other.square = coefficient(meanSquare);
  other.meanSquared = coefficient(meanSquared);
  norm.eps = b - meanSquare.scaled(other.square) - meanSquared.scaled(other.meanSquared);
  // mean(x^2) = variance + mean^2: no difference of large numbers remains.
  if (other.meanSquared != Rational(0)) {
    other.isVariance = true;
    other.meanSquared = other.meanSquared + other.square;
  }
  std::optional<Rational> value = norm.eps.getConstant();
  if (!isScalar(norm.eps) || (value && *value < Rational(0)) || other.square <= Rational(0) ||
      other.meanSquared < Rational(0))
    return failure();
  norm.other = other;
  return success();
}

FailureOr<Norm> Reader::run(const Poly &h, bool others) {
  if (failed(findX(h)) || failed(split(h)) || failed(checkOrder()))
    return failure();
  k = Poly(Rational(1));
  for (Atom atom : ks) {
    std::optional<Poly> count = algebra.count(atom);
    if (!count)
      return fail(4, "dynamic-k", "the extent of the normalized dimension is not known");
    k = algebra.mul(k, *count);
  }
  Poly xk = algebra.power(element, Exponent());
  Poly reciprocal = algebra.pow(k, Exponent::get(-1));
  s2 = algebra.sum(algebra.mul(xk, xk), ks);
  mean = algebra.mul(algebra.sum(xk, ks), reciprocal);
  meanSquare = algebra.mul(s2, reciprocal);
  meanSquared = algebra.mul(mean, mean);
  Norm norm;
  norm.access = algebra.get(element).access;
  norm.ks = order;
  Poly gain = g;
  if (failed(classify(norm))) {
    g = gain;
    if (!others || failed(classifyOther(norm)))
      return failure();
  }
  if (!g.getConstant())
    norm.gain = g;
  if (!s.isZero())
    norm.shift = s;
  return norm;
}

FailureOr<Norm> flashfusion::readNorm(Algebra &algebra, const Evaluator &evaluator, Value x,
                                      const Poly &h, const Index &rows, const Index &ks,
                                      Reason &reason, unsigned &depth, bool others) {
  return Reader(algebra, evaluator, x, rows, ks, reason, depth).run(h, others);
}
