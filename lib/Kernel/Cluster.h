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

/// Stores `value`, 4 or 8 bytes, at `ptr` and then counts them as arrived at `barrier`, an
/// mbarrier of the same block; both are a peer's. Asynchronous: an arrival of this thread with
/// release at the cluster's scope would have to wait for all that it wrote.
void send(KernelBuilder &kb, V value, V ptr, V barrier);

/// Copies `bytes`, a multiple of 16, from this block's shared memory to a peer's, and then counts
/// them as arrived at `barrier` there. This block must not end before.
void copy(KernelBuilder &kb, V dst, V src, V barrier, int64_t bytes);

} // namespace mlir::flashfusion::cluster

#endif // FLASHFUSION_KERNEL_CLUSTER_H
