//===- Wgmma.h - Warpgroup matrix instructions -------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_WGMMA_H
#define FLASHFUSION_KERNEL_WGMMA_H

#include "FlashFusion/Kernel/KernelBuilder.h"

namespace mlir::flashfusion::wgmma {

/// The accumulators of a 64 x n product: n / 2 f32 a thread, as one struct.
/// Element 4 * j + 2 * h + i of a thread is row 16 * warp + 8 * h + lane / 4,
/// column 8 * j + 2 * (lane % 4) + i.
V zeros(KernelBuilder &kb, int64_t n);
V element(KernelBuilder &kb, V accumulators, int64_t i);
V fromElements(KernelBuilder &kb, ArrayRef<V> elements);

/// Describes an operand whose rows are 128 bytes of K each, 128-byte swizzled, at
/// shared-memory address `ptr` (aligned to 1024 bytes).
V descriptor(KernelBuilder &kb, V ptr);
/// The descriptor of an operand `bytes` (i32, a multiple of 16) further on.
V advance(KernelBuilder &kb, V descriptor, V bytes);

/// accumulators + a * b^T for a: 64 x 16 and b: n x 16, f16 or bf16 (f8E4M3FN: x 32); without
/// accumulators the product alone. Asynchronous. Of 8-bit factors a sum keeps some 14 bits.
V multiply(KernelBuilder &kb, Type element, int64_t n, V a, V b, V accumulators);

void fence(KernelBuilder &kb);
void commit(KernelBuilder &kb);
/// Waits until at most `pending` committed groups are unfinished.
void wait(KernelBuilder &kb, int64_t pending);
/// Waits for all groups; what it returns is read behind that and no earlier.
V finish(KernelBuilder &kb, V accumulators);

/// Gives up registers, or waits for and takes those that others gave up.
void decreaseRegisters(KernelBuilder &kb, int64_t count);
void increaseRegisters(KernelBuilder &kb, int64_t count);

} // namespace mlir::flashfusion::wgmma

#endif // FLASHFUSION_KERNEL_WGMMA_H
