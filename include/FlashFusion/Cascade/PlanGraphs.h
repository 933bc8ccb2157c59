//===- PlanGraphs.h - Planning every graph of a module ------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_PLANGRAPHS_H
#define FLASHFUSION_CASCADE_PLANGRAPHS_H

#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "FlashFusion/Plan/Planner.h"
#include "mlir/IR/Remarks.h"

#include <limits>

namespace mlir::flashfusion {

/// Calls `use` for every graph of `module` with its planner on the target; fails with an error
/// where the target cannot be loaded or a graph cannot be planned.
LogicalResult planGraphs(Operation *module, StringRef target, bool compat,
                         function_ref<void(cascade::GraphOp, const plan::Planner &)> use);

/// A count for a remark; what is more than an integer holds becomes the largest.
inline int64_t toInteger(double value) {
  return value < 0x1p63 ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::max();
}

/// A remark about a graph, in the function that it is in.
remark::RemarkOpts getGraphRemark(cascade::GraphOp graph, StringRef category, StringRef name);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_CASCADE_PLANGRAPHS_H
