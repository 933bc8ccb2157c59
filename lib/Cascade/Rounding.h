//===- Rounding.h - The option `rounding` of rewrites ---------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_CASCADE_ROUNDING_H
#define FLASHFUSION_LIB_CASCADE_ROUNDING_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::flashfusion {

inline LogicalResult checkRounding(MLIRContext *context, StringRef pass, StringRef rounding) {
  if (rounding == "relaxed" || rounding == "strict")
    return success();
  return emitError(UnknownLoc::get(context))
         << pass << ": unknown rounding '" << rounding << "': expected relaxed or strict";
}

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_CASCADE_ROUNDING_H
