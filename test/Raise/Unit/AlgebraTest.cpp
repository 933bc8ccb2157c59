//===- AlgebraTest.cpp - Laws that the normal form must know ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Algebra.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::flashfusion;

static unsigned check(bool holds, StringRef law) {
  if (holds)
    return 0;
  llvm::outs() << "FAILED: " << law << "\n";
  return 1;
}

unsigned testAlgebra(MLIRContext &context) {
  Builder b(&context);
  Block block;
  Location loc = b.getUnknownLoc();
  Value x = block.addArgument(RankedTensorType::get({4, 6}, b.getF32Type()), loc);
  Value g = block.addArgument(RankedTensorType::get({6}, b.getF32Type()), loc);
  Algebra algebra(x);
  // Loops of no operation: the numbers tell them apart.
  Index m = algebra.loop(nullptr, 0, 4), k = algebra.loop(nullptr, 1, 6);
  Index j = algebra.loop(nullptr, 2, 6), i = algebra.loop(nullptr, 3, 6);
  Poly xk = algebra.leaf(x, {m, k}), xj = algebra.leaf(x, {m, j}), xi = algebra.leaf(x, {m, i});
  Poly gk = algebra.leaf(g, {k}), two(Rational(2)), sixth(Rational(1, 6));
  Exponent half = Exponent::get(1, 2), minusHalf = Exponent::get(-1, 2), minus = Exponent::get(-1);
  Poly s1 = algebra.sum(xj, j), s2 = algebra.sum(algebra.mul(xj, xj), j);
  Poly mean = algebra.mul(s1, sixth);
  unsigned failures = 0;

  failures += check(algebra.mul(xk, gk) == algebra.mul(gk, xk), "x g = g x");
  failures += check(algebra.sum(xj, j) == algebra.sum(xi, i), "sums do not name their variable");
  failures += check(xk != xj, "x(m,k) is not x(m,j)");
  failures += check(algebra.sum(algebra.mul(gk, xj), j) == algebra.mul(gk, s1),
                    "factors leave a sum that does not run over them");
  failures += check(algebra.sum(gk, j) == gk.scaled(Rational(6)), "a constant is summed K times");
  failures += check(algebra.pow(s2, minusHalf) == algebra.pow(algebra.pow(s2, half), minus),
                    "1 / sqrt(q) = q^(-1/2)");
  failures +=
      check(algebra.mul(algebra.pow(s2 + two, half), algebra.pow(s2 + two, half)) == s2 + two,
            "sqrt(q + 2)^2 = q + 2");
  failures += check(algebra.pow(algebra.mul(xk, xk), half) != xk, "sqrt(x^2) is not x");
  // Nothing disappears that may be undefined.
  Exponent square = Exponent::get(2);
  Poly root2 = algebra.pow(xk, half), inverse = algebra.pow(xk, minus);
  failures += check(algebra.pow(root2, square) != xk && algebra.mul(root2, root2) != xk,
                    "sqrt(x)^2 is not x");
  failures += check(algebra.pow(algebra.pow(s2, half), square) == s2, "sqrt(q)^2 = q");
  failures += check(algebra.mul(inverse, algebra.mul(xk, xk)) != xk, "x^2 / x is not x");
  failures += check(algebra.mul(algebra.pow(s2, minus), algebra.pow(s2, half)) ==
                        algebra.pow(s2, minusHalf),
                    "sqrt(q) / q = 1 / sqrt(q): both need q > 0");
  failures += check(algebra.mul(algebra.pow(s2, minus), s2) != Poly(Rational(1)), "q / q is not 1");
  failures += check(algebra.mul(algebra.pow(s2 + two, half), algebra.pow(s2 + two, minusHalf)) ==
                        Poly(Rational(1)),
                    "sqrt(q + 2) / sqrt(q + 2) = 1");
  failures += check(!algebra.sub(inverse, inverse).isZero(), "1/x - 1/x is not 0");
  failures += check(!algebra.mul(Poly(), inverse).isZero(), "0 / x is not 0");
  failures +=
      check(algebra.sub(xk, xk).isZero() && algebra.mul(Poly(), xk).isZero(), "x - x = 0 x = 0");
  Poly variance = s2.scaled(Rational(1, 6)) - algebra.mul(mean, mean);
  failures += check(algebra.isNonNegative(variance) && !algebra.isPositive(variance) &&
                        algebra.isPositive(variance + two) && !algebra.isNonNegative(mean) &&
                        !algebra.isNonNegative(variance - two),
                    "a variance is no less than 0");
  Poly centered = xj - mean;
  failures += check(algebra.sum(algebra.mul(centered, centered), j) ==
                        s2 - algebra.mul(algebra.mul(s1, s1), sixth),
                    "two-pass variance = one-pass variance");
  failures += check(algebra.sum(centered, j).isZero(), "a centered row sums to 0");
  Poly root = algebra.pow(Poly(Rational(6)), half);
  failures += check(algebra.mul(root, root).getConstant() == Rational(6), "sqrt(6)^2 = 6");
  failures += check(algebra.pow(Poly(Rational(9, 4)), minusHalf).getConstant() == Rational(2, 3),
                    "(9/4)^(-1/2) = 2/3");
  failures += check(algebra.mul(algebra.pow(Poly(sixth), minusHalf), algebra.pow(Poly(sixth), half))
                            .getConstant() == Rational(1),
                    "(1/6)^(-1/2) (1/6)^(1/2) = 1");
  failures += check(*toRational(APFloat(0.375f)) == Rational(3, 8), "0.375 = 3/8");
  failures += check(!toRational(APFloat::getInf(APFloat::IEEEsingle())), "infinity is no number");

  // Reshapes: 4 x 6 read as 24, as 8 x 3, as 4 x 6 again.
  Index flat = flatten({m, k});
  std::optional<Access> again = algebra.distribute(flat, {4, 6}, nullptr);
  failures += check(again && (*again)[0] == m && (*again)[1] == k, "24 = 4 x 6 cuts nothing");
  failures += check(!algebra.anySplit(), "and says so");
  std::optional<Access> other = algebra.distribute(flat, {8, 3}, nullptr);
  failures +=
      check(other && algebra.anySplit() && (*other)[0].size() == 2, "24 = 8 x 3 cuts k into 2 x 3");
  failures +=
      check(!algebra.distribute(algebra.loop(nullptr, 4, 6), {4, 2}, nullptr), "6 is not 4 x 2");

  // Everything is bounded, and says so.
  failures += check(!algebra.isTooLarge(), "so far all was small");
  auto repeat = [&](unsigned times, function_ref<Poly(Algebra &, const Poly &)> step) {
    Algebra other(x);
    Index m = other.loop(nullptr, 0, 4), j = other.loop(nullptr, 1, 6);
    Poly value = other.sum(other.leaf(x, {m, j}), j);
    for (unsigned i = 0; i < times; ++i)
      value = step(other, value);
    return other.isTooLarge();
  };
  auto squared = [](Algebra &a, const Poly &p) { return a.mul(p, p); };
  auto rooted = [&](Algebra &a, const Poly &p) { return a.pow(p, half); };
  auto scaled = [](Algebra &a, const Poly &p) {
    return a.mul(Poly(*toRational(APFloat(1.1f))), a.pow(a.mul(p, Poly(Rational(3, 7))), {1, 1}));
  };
  failures += check(!repeat(3, squared) && repeat(70, squared), "x^(2^70) is too large");
  failures += check(!repeat(3, rooted) && repeat(70, rooted), "x^(2^-70) is too large");
  failures += check(!repeat(9, scaled) && repeat(300, scaled), "1.1^300 is too long a number");
  failures += check(repeat(40,
                           [](Algebra &a, const Poly &p) {
                             return a.func("max", Type(), Attribute(), {p, a.mul(p, p)});
                           }),
                    "an expression that doubles 40 times is too large");
  block.clear();
  return failures;
}
