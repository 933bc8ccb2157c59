//===- Norm.h - The law of a normalization ----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RAISE_NORM_H
#define FLASHFUSION_RAISE_NORM_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Raise/Evaluate.h"

namespace mlir::flashfusion {

/// What the law covers beyond the named norms:
///
///   scale = factor / sqrt(square * q + meanSquared * mean(x)^2 + eps),  center = center * mean(x)
///
/// with q the variance of x if `isVariance`, else mean(x^2); or, if `isL2`,
/// scale = factor / max(sqrt(sum(x^2)), eps).
struct OtherNorm {
  bool isL2 = false, isVariance = false;
  Rational factor, square, meanSquared, center;
};

/// h(row, k) = (x(row, k) - center(row)) * scale(row) * gain(k) + shift(k),
/// with center and scale as `kind` says.
struct Norm {
  NormKind kind;
  /// A norm that has no name; `kind` means nothing then.
  std::optional<OtherNorm> other;
  /// Where x is read: the digits of the row, then those of k.
  Access access;
  Index ks;
  /// No value: the factor 1, the summand 0.
  std::optional<Poly> gain, shift;
  Poly eps;
};

/// Reads the law off `h`, an expression in elements of `x` and of tensors that
/// do not depend on the row. `rows` are the digits of the row in order, `ks`
/// those of k in any order. On failure `reason` says why not, and `depth` how
/// far the expression went: of several choices of x, the deepest reason counts.
/// `others`: norms without a name are accepted.
FailureOr<Norm> readNorm(Algebra &algebra, const Evaluator &evaluator, Value x, const Poly &h,
                         const Index &rows, const Index &ks, Reason &reason, unsigned &depth,
                         bool others = false);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_RAISE_NORM_H
