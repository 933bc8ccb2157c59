//===- PassCount.h - How often a fiber must be read ---------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FuseMax's rule: if several Einsums read fibers of a rank that project to the same tensor,
// and all elements of the fiber must have been read before any may be read again, the pair
// adds a pass. Einsums of one pass may be fused at will on the rank; across passes the
// whole fiber stays alive.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_PASSCOUNT_H
#define FLASHFUSION_CASCADE_PASSCOUNT_H

#include "FlashFusion/Dialect/Cascade/Cascade.h"

namespace mlir::flashfusion::cascade {

struct PassCount {
  std::string tensor, rank;
  unsigned passes = 1;
  /// Elements of a fiber that are alive at a time: all of them if it is read again.
  int64_t footprint = 1;
};

/// Every tensor and rank of it over which something is reduced, in program order: arguments
/// of the graph and what its Einsums write.
SmallVector<PassCount> countPasses(GraphOp graph);

} // namespace mlir::flashfusion::cascade

#endif // FLASHFUSION_CASCADE_PASSCOUNT_H
