//===- DeviceMath.h - Math in kernels without a device library ----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_EMIT_DEVICEMATH_H
#define FLASHFUSION_EMIT_DEVICEMATH_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
namespace flashfusion {

/// Rewrites the math operations inside `kernels` as PTX instructions and
/// arithmetic. An operation for which upstream would call CUDA's libdevice, and
/// that has no such form, is an error at its location.
LogicalResult lowerDeviceMath(Operation *kernels);

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_EMIT_DEVICEMATH_H
