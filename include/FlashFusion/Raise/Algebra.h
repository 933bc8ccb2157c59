//===- Algebra.h - Scalar expressions in (row, k) ---------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tensor's element at symbolic coordinates is worth, in a normal form:
// a polynomial with exact rational coefficients whose factors are elements of
// other tensors, sums over an iteration variable, powers of polynomials and
// opaque functions. Two spellings of one function have one normal form as far
// as the laws of arithmetic (without rounding) that norms are written with go:
// commutativity, distributivity, 1/sqrt = rsqrt = pow(., -1/2), linearity of
// sums.
//
// Nothing disappears that may be undefined. A root is defined where its operand
// is no less than 0, a quotient where its divisor is not 0; f^p f^q is f^(p+q),
// (f^p)^q is f^(pq), and m - m or 0 m is 0, only where that is defined nowhere
// else, or where f is seen to be positive (or no less than 0): mean(x^2) + eps is
// positive, x is not. So sqrt(x)^2 and x^3 / x^2 are not x.
//
// Everything is bounded: what needs larger numbers, exponents or expressions than
// a norm does sets isTooLarge().
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RAISE_ALGEBRA_H
#define FLASHFUSION_RAISE_ALGEBRA_H

#include "mlir/Analysis/Presburger/Fraction.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace mlir::flashfusion {

using Rational = presburger::Fraction;

/// The value of `r`; exact where a double can hold it.
double toDouble(const Rational &r);

/// `value` as a rational; nothing for infinities, NaN and extreme exponents.
std::optional<Rational> toRational(const APFloat &value);

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// An iteration variable with an extent that is not 1.
using Atom = unsigned;
/// A coordinate: a number whose mixed-radix digits are atoms, the most
/// significant first. No digits: 0, the only index of a unit dimension.
using Index = SmallVector<Atom, 2>;
/// Coordinates of an element of a tensor, one per dimension.
using Access = SmallVector<Index, 4>;

/// The digits of all dimensions in order: the position in the flat tensor.
Index flatten(ArrayRef<Index> access);

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

/// Small: see Algebra::isTooLarge.
struct Exponent {
  int64_t num = 1, den = 1;
  static Exponent get(int64_t num, int64_t den = 1);
  bool isInteger() const { return den == 1; }
  bool isEven() const { return den == 1 && num % 2 == 0; }
  bool operator==(const Exponent &o) const { return num == o.num && den == o.den; }
  bool operator<(const Exponent &o) const { return std::tie(num, den) < std::tie(o.num, o.den); }
  Exponent operator+(Exponent o) const { return get(num * o.den + o.num * den, den * o.den); }
  Exponent operator*(Exponent o) const { return get(num * o.num, den * o.den); }
};

using FactorId = unsigned;
/// A product of powers of factors, by ascending factor, no exponent 0.
using Monomial = std::vector<std::pair<FactorId, Exponent>>;

struct Poly {
  /// No coefficient is 0.
  std::map<Monomial, Rational> terms;

  Poly() = default;
  explicit Poly(const Rational &constant) { add({}, constant); }
  void add(const Monomial &monomial, const Rational &coefficient);
  bool isZero() const { return terms.empty(); }
  /// The value, if the polynomial mentions no factor.
  std::optional<Rational> getConstant() const;
  /// The factor, if the polynomial is 1 * factor^1.
  std::optional<FactorId> getFactor() const;
  Poly scaled(const Rational &r) const;
  Poly operator+(const Poly &o) const;
  Poly operator-(const Poly &o) const { return *this + o.scaled(Rational(-1)); }
  bool operator==(const Poly &o) const { return terms == o.terms; }
  bool operator!=(const Poly &o) const { return !(*this == o); }
};

struct Factor {
  enum Kind {
    Leaf, ///< `value` read at `access`; a scalar value has no access
    Sum,  ///< sum over `bound` of the single monomial of args[0]
    Base, ///< args[0], to be raised to a power that does not expand
    Func  ///< `name` of args, with result type `type`
  };
  explicit Factor(Kind kind) : kind(kind) {}

  Kind kind;
  Value value;
  Access access;
  SmallVector<Atom, 2> bound;
  std::vector<Poly> args;
  std::string name;
  Type type;
  Attribute attributes;

  // Derived from the above.
  /// Free atoms, sorted.
  SmallVector<Atom, 4> atoms;
  /// Nesting depth of sums.
  unsigned height = 0;
  /// Nodes of the expression, written as a tree.
  unsigned size = 1;
  /// No less than 0, larger than 0, or defined, whatever the tensors hold (finite numbers).
  bool nonNegative = false, positive = false, total = false;
  /// Mentions a value for which Algebra::isActivation holds.
  bool activation = false;
};

/// Begins the name of a factor that is an extent.
inline constexpr llvm::StringLiteral kExtent("extent ");
/// Bounds of what a norm needs, with room: p and q of exponents p/q, nodes of an expression.
inline constexpr int64_t kMaxExponent = 16;
inline constexpr unsigned kMaxSize = 4096;

/// Owns atoms and factors; equal factors have equal ids.
class Algebra {
public:
  /// `activation`: the tensor whose mention Factor::activation reports.
  explicit Algebra(Value activation) : activation(activation) {}

  //===--- Atoms ---===//

  /// The variable of loop `loop` of `op`, as its current digits; none for a
  /// unit extent. `extent` may be ShapedType::kDynamic.
  Index loop(Operation *op, unsigned loop, int64_t extent);
  /// The same for a loop that sums: one over as many elements as the product
  /// of `digits` is cut into these.
  Index summedLoop(Operation *op, unsigned loop, int64_t extent, ArrayRef<int64_t> digits);
  int64_t extent(Atom atom) const { return atoms[atom].extent; }
  /// The number of values of `atom`, if it is known: a number, or what setCount said.
  std::optional<Poly> count(Atom atom) const;
  void setCount(Atom atom, Poly count) { atoms[atom].count = std::move(count); }
  /// Dimension `dim` of `tensor`, a dynamic extent.
  Poly symbolicExtent(Value tensor, int64_t dim);
  /// Whether `poly` is a product of extents and integers.
  bool isCount(const Poly &poly) const;
  bool mentionsExtent(const Poly &poly) const;
  /// Whether `poly` can be seen to be no less than 0: a variance is.
  bool isNonNegative(const Poly &poly) const { return hasSign(poly, /*strictly=*/false); }
  bool isPositive(const Poly &poly) const { return hasSign(poly, /*strictly=*/true); }
  /// Whether a number, an exponent or an expression became larger than any norm's: results since
  /// then are not to be used.
  bool isTooLarge() const { return tooLarge; }
  /// Distributes the digits of `index` over dimensions of the given extents,
  /// and cuts digits where that is needed (`anySplit()` then tells that
  /// accesses made before are stale). `source` identifies whose dimensions
  /// these are: several dynamic extents are only cut one way.
  std::optional<Access> distribute(const Index &index, ArrayRef<int64_t> extents,
                                   const void *source, bool maySplit = true);
  bool anySplit() const { return split; }
  void clearSplit() { split = false; }

  //===--- Factors and polynomials ---===//

  Poly leaf(Value value, Access access = {});
  Poly func(StringRef name, Type type, Attribute attributes, std::vector<Poly> args);
  Poly base(const Poly &poly) { return power(internBase(poly), Exponent()); }
  Poly add(const Poly &a, const Poly &b);
  Poly sub(const Poly &a, const Poly &b) { return add(a, b.scaled(Rational(-1))); }
  Poly mul(const Poly &a, const Poly &b);
  /// a^e. `defined`: where a is not defined, the result may be; to tell which a it is.
  Poly pow(const Poly &a, Exponent e, bool defined = false);
  Poly power(FactorId factor, Exponent e);
  Poly monomial(const Monomial &m, const Rational &coefficient = Rational(1));
  /// Sum over all values of `over`.
  Poly sum(const Poly &poly, ArrayRef<Atom> over);

  const Factor &get(FactorId id) const { return *factors[id]; }
  /// Whether `pred` holds for a factor of `poly` or a part of one.
  bool any(const Poly &poly, llvm::function_ref<bool(FactorId)> pred) const;
  /// Whether a factor, or a part of one, is `id`.
  bool mentions(const Poly &poly, FactorId id) const;
  /// Whether a sum occurs in `poly`.
  bool hasSum(const Poly &poly) const;
  bool hasAtom(const Poly &poly, function_ref<bool(Atom)> pred) const;
  bool isActivation(const Poly &poly) const;
  void print(const Poly &poly, llvm::raw_ostream &os) const;

private:
  struct AtomInfo {
    int64_t extent;
    SmallVector<Atom, 2> digits; ///< after a split
    const void *source = nullptr;
    std::optional<Poly> count; ///< of a dynamic extent
  };
  Atom newAtom(int64_t extent);
  void resolve(Index &index) const;
  /// Cuts `atom` into digits of the given extents.
  bool cut(Atom atom, ArrayRef<int64_t> extents, const void *source);
  Atom boundAtom(unsigned height, unsigned position, int64_t extent);
  FactorId intern(Factor factor);
  /// Fills what is derived of signs and domain.
  void findDomain(Factor &factor) const;
  FactorId internBase(const Poly &poly);
  Poly sumMonomial(const Monomial &body, ArrayRef<Atom> over);
  Poly multiply(const Monomial &a, const Monomial &b);
  /// The exponent s in place of p (and q), if no value of `factor` gets a meaning by that.
  bool keepsDomain(FactorId factor, std::initializer_list<Exponent> from, Exponent to);
  /// Adds c m, where m may be undefined and the sum 0.
  void accumulate(Poly &result, const Monomial &m, const Rational &c);
  /// 0 where m is defined.
  Poly vanished(const Monomial &m);
  Poly bounded(Poly poly);
  FactorId rename(FactorId id, const llvm::DenseMap<Atom, Atom> &map);
  Poly rename(const Poly &poly, const llvm::DenseMap<Atom, Atom> &map);
  bool isNonNegative(const Monomial &m) const;
  bool isPositive(const Monomial &m) const;
  bool isTotal(const Monomial &m) const;
  bool hasSign(const Poly &poly, bool strictly) const;
  /// A factor equal to nothing else, in place of something too big to expand.
  Poly opaque(const Poly &a, const Poly &b);

  Value activation;
  std::vector<AtomInfo> atoms;
  std::map<std::pair<Operation *, unsigned>, Atom> loops;
  std::map<std::tuple<unsigned, unsigned, int64_t>, Atom> boundAtoms;
  std::vector<std::unique_ptr<Factor>> factors;
  llvm::StringMap<FactorId> ids;
  bool split = false, tooLarge = false;
  unsigned opaqueCount = 0;
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_RAISE_ALGEBRA_H
