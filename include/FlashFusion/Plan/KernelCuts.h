//===- KernelCuts.h - Which Einsums share a kernel ------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer runs as kernels, one after another. Every boundary is a cut in DPipe's sense, a set of
// operations closed under predecessors; between two of them lies a kernel, whose steps DPipe
// schedules and whose tile TileSeek finds:
//
//   {} --stats Q K V--> {stats Q K V} --rope--> {.. rope} --attention--> ..
//
// The cheapest chain of cuts is found by dynamic programming over the sets that can be reached, for
// kernels that hang together: each operation reads what another one writes or reads, too.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_KERNELCUTS_H
#define FLASHFUSION_PLAN_KERNELCUTS_H

#include "FlashFusion/Plan/KernelModel.h"

namespace mlir::flashfusion::plan {

struct KernelCuts {
  /// Kernels in the order they run, each the groups of the cascade (operations) that it has,
  /// in their order; what is prepared comes first.
  std::vector<std::vector<unsigned>> operations;
  std::vector<Kernel> kernels;
  double seconds = 0;
  uint64_t evaluated = 0; ///< sets of operations that were priced
  /// False if the limit on them was reached, so that kernels are operations in a row, or if parts
  /// were cut alone.
  bool exact = true;
  /// Not empty if some operation fits no kernel; it has one of its own then.
  std::string unserved;
};

/// Every group of the cascade is an operation that is not divided.
KernelCuts chooseKernels(const Cascade &cascade, const Target &target, uint64_t limit = 5000);

/// The operations as one group; what others read or the graph returns is in memory.
Group mergeGroups(const Cascade &cascade, llvm::ArrayRef<unsigned> operations);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_KERNELCUTS_H
