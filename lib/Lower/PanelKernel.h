//===- PanelKernel.h - Vector loops over one panel ----------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_LOWER_PANELKERNEL_H
#define FLASHFUSION_LIB_LOWER_PANELKERNEL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {

/// The loops of a contraction by role. `left` and `right` are its inputs; the last of n is the
/// innermost dimension of the output, and `right` has it.
struct ContractionRoles {
  unsigned left = 0, right = 1;
  SmallVector<unsigned> batch, m, n, k;
};

/// Replaces `op`, a contraction of its inputs over (batch, m, k) and (batch, k, n), by vector
/// loops. Preconditions: elements are f32 or f64; the last n is one vector wide and static, the
/// last k static, the last m of any extent; every other loop has extent 1.
void emitPanelKernel(RewriterBase &b, linalg::GenericOp op, const ContractionRoles &roles);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_LOWER_PANELKERNEL_H
