//===- Slice.h - Which tensor is x ------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RAISE_SLICE_H
#define FLASHFUSION_RAISE_SLICE_H

#include "FlashFusion/Raise/Norm.h"

namespace mlir::flashfusion {

/// Part of the backward slice of a tensor.
struct Slice {
  /// Tensors that are reached directly and through a statistic, nearest first.
  SmallVector<Value> candidates;
  /// How many statistics the search had met when it met the candidate.
  SmallVector<unsigned> statisticsBefore;
  unsigned statistics = 0;
};

/// Sweeps the slice of `operands` in `block`.
Slice sliceOf(ArrayRef<Value> operands, Block *block);

/// Calls `attempt` with one candidate after the other until one yields a norm;
/// behind an RMSNorm, goes on for a LayerNorm. `attempt` returns the kind.
void searchX(const Slice &slice, function_ref<std::optional<NormKind>(Value)> attempt);

/// Recognises a norm over the last `kDims` dimensions of `tensor`, without a
/// contraction that reads it. `x` becomes the normalised tensor.
FailureOr<Norm> recognizeNorm(Value tensor, unsigned kDims, std::unique_ptr<Algebra> &algebra,
                              Value &x, Reason &reason);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_RAISE_SLICE_H
