//===- RaiseCascade.h - Which functions become cascades -----------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_RAISECASCADE_H
#define FLASHFUSION_CASCADE_RAISECASCADE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::flashfusion::cascade {

/// Why ff-raise-cascade leaves a function alone: an empty reason if it does not, no operation if
/// there is nothing in it to raise ("no-linalg"). Else "control-flow", "effects", or
/// "extents" (a reshape whose extents contradict its type), at an operation.
struct Obstacle {
  Operation *op = nullptr;
  StringRef reason;
};
Obstacle findObstacle(func::FuncOp func);

} // namespace mlir::flashfusion::cascade

#endif // FLASHFUSION_CASCADE_RAISECASCADE_H
