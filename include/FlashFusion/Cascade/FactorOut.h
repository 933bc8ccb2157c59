//===- FactorOut.h - What commutes past a reduction ---------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one law behind division deferral and norm + Linear fusion: a sum commutes with
// factors and offsets that do not vary over what is summed,
//
//   sum_k (x(k) - mu) * r * w(k)  =  r * (sum_k x(k) w(k)  -  mu * sum_k w(k))
//   sum_k (c ? 0 : x(k)) * w(k)   =  c ? 0 : sum_k x(k) w(k)
//
// Whoever asks says which values do not vary (`isOuter`): the row statistics of a norm in
// `ff-decompose`, tensors without the reduced ranks in `ff-cascade-defer`. Casts that keep what is
// computed (Raise/Casts.h) are looked through. One that rounds stays, unless `mayLeave` says of a
// factor that is rounded (or of an inner value, for factors within) that it leaves the sum past the
// rounding. So a rounding of anything else, of weights or constants, is kept, and every
// quantisation is. Arithmetic in 16 bits counts as exact arithmetic and a rounding.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_FACTOROUT_H
#define FLASHFUSION_CASCADE_FACTOROUT_H

#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace mlir::flashfusion {

/// +- product(times) / product(over) * product(inner) / product(innerOver), and 0 if one of
/// `zeroIf` holds, where `times`, `over` and `zeroIf` are outer, the others are not. Without inner
/// values it is an offset. Types of values differ by casts.
struct FactoredTerm {
  bool negative = false;
  SmallVector<Value> times, over, zeroIf, inner, innerOver;
};

/// product(times) / product(over) * sum(terms), 0 if one of `zeroIf` holds: what all terms share
/// is in front.
struct FactoredSum {
  SmallVector<Value> times, over, zeroIf;
  std::vector<FactoredTerm> terms;
  /// Something has left the sum past a rounding.
  bool rounded = false;
};

/// Distributes the products, quotients, sums and differences that make up `value`. What would be
/// more than `maxTerms` terms stays in one piece.
FactoredSum factorOut(Value value, function_ref<bool(Value)> isOuter,
                      function_ref<bool(Value)> mayLeave = nullptr, unsigned maxTerms = 8);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_CASCADE_FACTOROUT_H
