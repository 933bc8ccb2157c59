//===- WgmmaRowSums.h - Row sums from swizzled tiles -------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads sum up a row of x that is in shared memory for the tensor cores: d^2, and d
// where the op needs a pivot, with d = x or x - pivot. Each sum has `chains` chains, which
// hide latency.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_WGMMAROWSUMS_H
#define FLASHFUSION_KERNEL_WGMMAROWSUMS_H

#include "FlashFusion/Kernel/KernelBuilder.h"

namespace mlir::flashfusion::wgmma {

constexpr int64_t chains = 4;

/// Adds eight 16-bit or sixteen 8-bit elements, `words` of 32 bits, to `sums`: chains of d^2, then
/// of d where there is a `pivot`.
void addToSums(KernelBuilder &kb, V words, Type element, V pivot, MutableArrayRef<V> sums);

/// The sum over the chains and over both threads of the row.
V totalOf(KernelBuilder &kb, ArrayRef<V> sums);

} // namespace mlir::flashfusion::wgmma

#endif // FLASHFUSION_KERNEL_WGMMAROWSUMS_H
