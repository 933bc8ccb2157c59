//===- Casts.h - What a cast of an activation means -------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RAISE_CASTS_H
#define FLASHFUSION_RAISE_CASTS_H

#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::flashfusion {

enum class CastKind {
  Keeps,    ///< widens, or rounds to the 32 bits or more that everything is computed in
  Rounds,   ///< to nearest even, to 16 bits or more: `rounding` says whether that may be skipped
  Quantises ///< to fewer bits, or in a direction: a part of what the program computes
};

/// What `op` does to an activation; nothing if it is no cast from float to float.
std::optional<CastKind> castKindOf(Operation *op);

/// Casts that were passed over.
struct Casts {
  bool round = false, quantise = false;
  void add(const Casts &o) {
    round |= o.round;
    quantise |= o.quantise;
  }
};

/// The value behind casts of floats, which are noted in `casts`.
Value stripCasts(Value value, Casts &casts);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_RAISE_CASTS_H
