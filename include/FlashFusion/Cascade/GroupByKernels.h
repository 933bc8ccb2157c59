//===- GroupByKernels.h - Einsums by kernels -----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_GROUPBYKERNELS_H
#define FLASHFUSION_CASCADE_GROUPBYKERNELS_H

#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "FlashFusion/Plan/Target.h"

namespace mlir::flashfusion {

/// Gives the graph the groups that are cheapest as kernels on the target, whatever groups it has;
/// without sizes, none.
LogicalResult groupByKernels(cascade::GraphOp graph, const plan::Target &target);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_CASCADE_GROUPBYKERNELS_H
