//===- Cluster.h - Blocks of a cluster ---------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_CLUSTER_H
#define FLASHFUSION_KERNEL_CLUSTER_H

#include "FlashFusion/Kernel/KernelBuilder.h"

namespace mlir::flashfusion::cluster {

/// The barrier of all threads of a cluster; what was written before arrive is seen
/// after wait.
void arrive(KernelBuilder &kb);
void wait(KernelBuilder &kb);

/// Where block `rank` of the cluster has what this block has at `ptr`.
V peer(KernelBuilder &kb, V ptr, V rank);

} // namespace mlir::flashfusion::cluster

#endif // FLASHFUSION_KERNEL_CLUSTER_H
