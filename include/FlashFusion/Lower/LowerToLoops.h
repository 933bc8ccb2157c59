//===- LowerToLoops.h - ff.online to linalg sums ------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LOWER_LOWERTOLOOPS_H
#define FLASHFUSION_LOWER_LOWERTOLOOPS_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/IR/Builders.h"

namespace mlir::flashfusion {

/// Builds the linalg operations that compute `op` (on tensors) before the
/// builder's insertion point, and returns the values of its results. Fails,
/// with nothing built, on memrefs.
FailureOr<SmallVector<Value>> decomposeOnline(OpBuilder &b, OnlineOp op);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LOWER_LOWERTOLOOPS_H
