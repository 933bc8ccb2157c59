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
//
// Whoever asks says which values do not vary (`isOuter`): the row statistics of a norm in
// `ff-decompose`, tensors without the reduced ranks in `ff-cascade-defer`.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_FACTOROUT_H
#define FLASHFUSION_CASCADE_FACTOROUT_H

#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace mlir::flashfusion {

/// +- product(times) / product(over) * product(inner) / product(innerOver), where `times`
/// and `over` are outer, the others are not. Without inner values it is an offset.
struct FactoredTerm {
  bool negative = false;
  SmallVector<Value> times, over, inner, innerOver;
};

/// product(times) / product(over) * sum(terms): what all terms share is in front.
struct FactoredSum {
  SmallVector<Value> times, over;
  std::vector<FactoredTerm> terms;
};

/// Distributes the products, quotients, sums and differences of f32 or f64 values that make
/// up `value`. What would be more than `maxTerms` terms stays in one piece.
FactoredSum factorOut(Value value, function_ref<bool(Value)> isOuter, unsigned maxTerms = 8);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_CASCADE_FACTOROUT_H
