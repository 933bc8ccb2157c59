//===- Algebra.cpp - Factors of polynomials --------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Algebra.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::flashfusion;

/// Products with more terms than this become opaque: no norm has as many.
static constexpr size_t kMaxTerms = 128;

/// r^n for a small integer n >= 0.
static Rational ipow(const Rational &r, int64_t n) {
  Rational result(1);
  for (int64_t i = 0; i < n; ++i)
    result *= r;
  return result;
}

/// The integer square root of a perfect square that is not huge.
static std::optional<int64_t> exactSqrt(const llvm::DynamicAPInt &i) {
  if (i < 0 || i > llvm::DynamicAPInt(int64_t(1) << 52))
    return std::nullopt;
  auto value = static_cast<int64_t>(i);
  auto root = static_cast<int64_t>(std::llround(std::sqrt(static_cast<double>(value))));
  return root * root == value ? std::optional(root) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

static void serialize(const Poly &poly, std::string &key) {
  llvm::raw_string_ostream os(key);
  os << '{';
  for (const auto &[m, c] : poly.terms) {
    os << c.num << '/' << c.den;
    for (const auto &[f, e] : m)
      os << ' ' << f << '^' << e.num << '/' << e.den;
    os << ';';
  }
  os << '}';
}

FactorId Algebra::intern(Factor factor) {
  std::string key;
  {
    llvm::raw_string_ostream os(key);
    os << static_cast<int>(factor.kind) << ' ' << factor.value.getAsOpaquePointer() << ' '
       << factor.type.getAsOpaquePointer() << ' ' << factor.attributes.getAsOpaquePointer() << ' '
       << factor.name << '[';
    for (const Index &index : factor.access) {
      for (Atom atom : index)
        os << atom << ' ';
      os << ',';
    }
    os << '|';
    for (Atom atom : factor.bound)
      os << atom << ' ';
    os << ']';
  }
  for (const Poly &arg : factor.args)
    serialize(arg, key);
  auto [it, inserted] = ids.try_emplace(key, factors.size());
  if (!inserted)
    return it->second;

  for (const Index &index : factor.access)
    llvm::append_range(factor.atoms, index);
  factor.activation = factor.kind == Factor::Leaf && factor.value == activation;
  for (const Poly &arg : factor.args)
    for (const auto &[m, c] : arg.terms)
      for (const auto &[f, e] : m) {
        llvm::append_range(factor.atoms, get(f).atoms);
        factor.height = std::max(factor.height, get(f).height);
        factor.size = std::min(factor.size + get(f).size, kMaxSize + 1);
        factor.activation |= get(f).activation;
      }
  tooLarge |= factor.size > kMaxSize;
  llvm::erase_if(factor.atoms, [&](Atom a) { return llvm::is_contained(factor.bound, a); });
  llvm::sort(factor.atoms);
  factor.atoms.erase(llvm::unique(factor.atoms), factor.atoms.end());
  if (factor.kind == Factor::Sum)
    ++factor.height;
  findDomain(factor);
  factors.push_back(std::make_unique<Factor>(std::move(factor)));
  return it->second;
}

FactorId Algebra::internBase(const Poly &poly) {
  Factor factor(Factor::Base);
  factor.args.push_back(poly);
  return intern(std::move(factor));
}

Poly Algebra::leaf(Value value, Access access) {
  Factor factor(Factor::Leaf);
  factor.value = value;
  factor.access = std::move(access);
  return power(intern(std::move(factor)), Exponent());
}

Poly Algebra::func(StringRef name, Type type, Attribute attributes, std::vector<Poly> args) {
  Factor factor(Factor::Func);
  factor.name = name.str();
  factor.type = type;
  factor.attributes = attributes;
  factor.args = std::move(args);
  return power(intern(std::move(factor)), Exponent());
}

std::optional<Poly> Algebra::count(Atom atom) const {
  if (ShapedType::isDynamic(extent(atom)))
    return atoms[atom].count;
  return Poly(Rational(extent(atom)));
}

Poly Algebra::symbolicExtent(Value tensor, int64_t dim) {
  // Not a leaf: the extent of an activation is no activation.
  std::string name(kExtent);
  llvm::raw_string_ostream(name) << tensor.getAsOpaquePointer() << ':' << dim;
  return func(name, Type(), Attribute(), {});
}

bool Algebra::isCount(const Poly &poly) const {
  if (poly.terms.size() != 1 || poly.terms.begin()->second.den != 1)
    return false;
  return llvm::all_of(poly.terms.begin()->first, [&](const auto &power) {
    return power.second.isInteger() && power.second.num > 0 &&
           StringRef(get(power.first).name).starts_with(kExtent);
  });
}

bool Algebra::mentionsExtent(const Poly &poly) const {
  return any(poly, [&](FactorId f) { return StringRef(get(f).name).starts_with(kExtent); });
}

Poly Algebra::power(FactorId factor, Exponent e) {
  Poly result;
  result.add(e.num == 0 ? Monomial() : Monomial{{factor, e}}, Rational(1));
  return result;
}

Poly Algebra::monomial(const Monomial &m, const Rational &coefficient) {
  Poly result;
  result.add(m, coefficient);
  return result;
}

Poly Algebra::opaque(const Poly &a, const Poly &b) {
  return func("opaque" + std::to_string(opaqueCount++), Type(), Attribute(), {a, b});
}

Poly Algebra::add(const Poly &a, const Poly &b) {
  Poly result = a;
  for (const auto &[m, c] : b.terms)
    accumulate(result, m, c);
  return bounded(std::move(result));
}

Poly Algebra::multiply(const Monomial &a, const Monomial &b) {
  Monomial product;
  Poly expanded(Rational(1));
  bool expands = false;
  auto expand = [&](const Poly &by) {
    expanded = mul(expanded, by);
    expands = true;
  };
  auto append = [&](FactorId f, Exponent e) {
    if (e.num == 0)
      return;
    const Factor &factor = get(f);
    // |x|^2 = x^2
    if (factor.name == "math.absf" && e.isEven())
      return expand(pow(factor.args[0], e));
    // A polynomial under a power that became a positive integer expands, a
    // number under any integer.
    if (factor.kind == Factor::Base && e.isInteger()) {
      if (std::optional<Rational> number = factor.args[0].getConstant())
        return expand(pow(Poly(*number), e));
      if (e.num > 0) {
        Poly base = factor.args[0];
        for (int64_t i = 0; i < e.num; ++i)
          expand(base);
        return;
      }
    }
    product.push_back({f, e});
  };
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->first < j->first)) {
      append(i->first, i->second);
      ++i;
    } else if (i == a.end() || j->first < i->first) {
      append(j->first, j->second);
      ++j;
    } else {
      Exponent sum = i->second + j->second;
      if (keepsDomain(i->first, {i->second, j->second}, sum))
        append(i->first, sum);
      else
        expand(func("mul", Type(), Attribute(),
                    {power(i->first, std::min(i->second, j->second)),
                     power(i->first, std::max(i->second, j->second))}));
      ++i, ++j;
    }
  }
  Poly result = monomial(product);
  return expands ? mul(result, expanded) : result;
}

Poly Algebra::mul(const Poly &a, const Poly &b) {
  for (auto [number, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    std::optional<Rational> c = number->getConstant();
    if (!c)
      continue;
    if (*c != Rational(0))
      return bounded(other->scaled(*c));
    Poly zero;
    for (const auto &[m, unused] : other->terms)
      if (!isTotal(m))
        zero = add(zero, vanished(m));
    return zero;
  }
  if (a.terms.size() * b.terms.size() > kMaxTerms)
    return opaque(a, b);
  Poly result;
  for (const auto &[ma, ca] : a.terms)
    for (const auto &[mb, cb] : b.terms)
      for (const auto &[m, c] : multiply(ma, mb).terms)
        accumulate(result, m, c * ca * cb);
  return bounded(std::move(result));
}

Poly Algebra::pow(const Poly &a, Exponent e, bool defined) {
  auto opaquePower = [&] {
    return func("pow", Type(), Attribute(), {a, Poly(Rational(e.num, e.den))});
  };
  if (std::abs(e.num) > kMaxExponent || e.den > kMaxExponent) {
    tooLarge = true;
    return opaquePower();
  }
  if (e.num == 0)
    return Poly(Rational(1));
  if (std::optional<Rational> c = a.getConstant()) {
    if (*c == Rational(0))
      return e.num > 0 ? Poly() : opaque(a, a);
    if (e.isInteger())
      return bounded(Poly(e.num > 0 ? ipow(*c, e.num) : Rational(1) / ipow(*c, -e.num)));
    if (e.den == 2 && *c > Rational(0)) {
      // (p/q)^(n/2) = (sqrt(p q) / q)^n
      Rational reduced = presburger::reduce(*c);
      llvm::DynamicAPInt radicand = reduced.num * reduced.den;
      if (std::optional<int64_t> root = exactSqrt(radicand))
        return pow(Poly(Rational(llvm::DynamicAPInt(*root), reduced.den)), Exponent::get(e.num));
      int64_t whole = e.num >= 0 ? e.num / 2 : (e.num - 1) / 2; // e = whole + 1/2
      Rational outside = whole >= 0 ? ipow(*c, whole) : Rational(1) / ipow(*c, -whole);
      return bounded(power(internBase(Poly(Rational(radicand))), Exponent::get(1, 2))
                         .scaled(outside / Rational(reduced.den)));
    }
  }
  if (a.terms.size() == 1) {
    // (c f^p g^q)^e = c^e f^(pe) g^(qe), where that holds: for integers e, and
    // for factors that cannot be negative (a fractional power has no meaning
    // for a negative base, so p fractional says as much).
    const auto &[m, c] = *a.terms.begin();
    bool distributes =
        e.isInteger() || (c > Rational(0) && llvm::all_of(m, [&](const auto &power) {
                            return !power.second.isInteger() || get(power.first).nonNegative;
                          }));
    if (distributes && !defined)
      for (const auto &[f, p] : m)
        if (!keepsDomain(f, {p, e}, p * e))
          return opaquePower();
    if (distributes) {
      Poly result = pow(Poly(c), e);
      for (const auto &[f, p] : m)
        result = mul(result, multiply({{f, p * e}}, {}));
      return result;
    }
  }
  if (e.isInteger() && e.num > 0) {
    Poly result = a;
    for (int64_t i = 1; i < e.num; ++i)
      result = mul(result, a);
    return result;
  }
  return power(internBase(a), e);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Poly Algebra::sum(const Poly &poly, ArrayRef<Atom> over) {
  Poly result;
  for (const auto &[m, c] : poly.terms) {
    Monomial outer, inner;
    SmallVector<Atom> bound;
    for (const auto &p : m) {
      bool depends = false;
      for (Atom atom : over)
        if (llvm::is_contained(get(p.first).atoms, atom)) {
          depends = true;
          if (!llvm::is_contained(bound, atom))
            bound.push_back(atom);
        }
      (depends ? inner : outer).push_back(p);
    }
    Poly term = monomial(outer, c);
    for (Atom atom : over) {
      if (llvm::is_contained(bound, atom))
        continue;
      // The term is summed `extent` times.
      std::optional<Poly> times = count(atom);
      term = times ? mul(term, *times) : opaque(term, Poly(Rational(static_cast<int64_t>(atom))));
    }
    if (!inner.empty())
      term = mul(term, sumMonomial(inner, bound));
    result = add(result, term);
  }
  return result;
}

Poly Algebra::sumMonomial(const Monomial &body, ArrayRef<Atom> over) {
  Monomial inner = body;
  SmallVector<Atom> bound(over);
  // A sum of a sum is one sum over both variables.
  if (body.size() == 1 && get(body[0].first).kind == Factor::Sum && body[0].second == Exponent()) {
    const Factor &nested = get(body[0].first);
    llvm::append_range(bound, nested.bound);
    inner = nested.args[0].terms.begin()->first;
  }
  // Name the variables by what is inside, so that equal sums get equal names
  // wherever they stand: by the depth of nested sums, then by the order of
  // their first use.
  unsigned height = 0;
  SmallVector<Atom> order;
  std::function<void(const Monomial &)> visit = [&](const Monomial &m) {
    for (const auto &[f, e] : m) {
      const Factor &factor = get(f);
      height = std::max(height, factor.height);
      for (const Index &index : factor.access)
        for (Atom atom : index)
          if (llvm::is_contained(bound, atom) && !llvm::is_contained(order, atom))
            order.push_back(atom);
      for (const Poly &arg : factor.args)
        for (const auto &term : arg.terms)
          visit(term.first);
    }
  };
  visit(inner);
  llvm::DenseMap<Atom, Atom> map;
  Factor factor(Factor::Sum);
  for (auto [i, atom] : llvm::enumerate(order)) {
    map[atom] = boundAtom(height, i, extent(atom));
    factor.bound.push_back(map[atom]);
  }
  factor.args.push_back(rename(monomial(inner), map));
  return power(intern(std::move(factor)), Exponent());
}

FactorId Algebra::rename(FactorId id, const llvm::DenseMap<Atom, Atom> &map) {
  const Factor &old = get(id);
  if (llvm::none_of(old.atoms, [&](Atom a) { return map.contains(a); }))
    return id;
  Factor factor(old.kind);
  factor.value = old.value;
  factor.access = old.access;
  factor.bound = old.bound;
  factor.name = old.name;
  factor.type = old.type;
  factor.attributes = old.attributes;
  for (Index &index : factor.access)
    for (Atom &atom : index)
      if (auto it = map.find(atom); it != map.end())
        atom = it->second;
  std::vector<Poly> args = old.args;
  for (const Poly &arg : args)
    factor.args.push_back(rename(arg, map));
  return intern(std::move(factor));
}

Poly Algebra::rename(const Poly &poly, const llvm::DenseMap<Atom, Atom> &map) {
  Poly result;
  for (const auto &[m, c] : poly.terms) {
    Monomial renamed;
    for (const auto &[f, e] : m)
      renamed.push_back({rename(f, map), e});
    llvm::sort(renamed, [](const auto &a, const auto &b) { return a.first < b.first; });
    result.add(renamed, c);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool Algebra::any(const Poly &poly, llvm::function_ref<bool(FactorId)> pred) const {
  // A part may occur in many places.
  llvm::SmallDenseSet<FactorId> seen;
  SmallVector<const Poly *> worklist{&poly};
  while (!worklist.empty())
    for (const auto &[m, c] : worklist.pop_back_val()->terms)
      for (const auto &[f, e] : m) {
        if (!seen.insert(f).second)
          continue;
        if (pred(f))
          return true;
        for (const Poly &arg : get(f).args)
          worklist.push_back(&arg);
      }
  return false;
}

bool Algebra::mentions(const Poly &poly, FactorId id) const {
  return any(poly, [&](FactorId f) { return f == id; });
}

bool Algebra::hasSum(const Poly &poly) const {
  return llvm::any_of(poly.terms, [&](const auto &term) {
    return llvm::any_of(term.first, [&](const auto &p) { return get(p.first).height > 0; });
  });
}

bool Algebra::hasAtom(const Poly &poly, function_ref<bool(Atom)> pred) const {
  return llvm::any_of(poly.terms, [&](const auto &term) {
    return llvm::any_of(term.first,
                        [&](const auto &p) { return llvm::any_of(get(p.first).atoms, pred); });
  });
}

bool Algebra::isActivation(const Poly &poly) const {
  return llvm::any_of(poly.terms, [&](const auto &term) {
    return llvm::any_of(term.first, [&](const auto &p) { return get(p.first).activation; });
  });
}

void Algebra::print(const Poly &poly, llvm::raw_ostream &os) const {
  llvm::interleave(
      poly.terms, os,
      [&](const auto &term) {
        os << toDouble(term.second);
        for (const auto &[f, e] : term.first) {
          const Factor &factor = get(f);
          os << '*';
          if (factor.kind == Factor::Leaf) {
            os << (factor.activation ? "x" : "t") << f << '(';
            for (const Index &index : factor.access) {
              for (Atom atom : index)
                os << 'i' << atom;
              os << ',';
            }
            os << ')';
          } else {
            os << (factor.kind == Factor::Sum ? "sum" : factor.name) << '(';
            for (const Poly &arg : factor.args) {
              print(arg, os);
              os << ',';
            }
            os << ')';
          }
          if (!(e == Exponent()))
            os << "^(" << e.num << '/' << e.den << ')';
        }
      },
      " + ");
}
