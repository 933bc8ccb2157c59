//===- HostLaunch.h - Host functions that launch kernels ----------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LOWER_HOSTLAUNCH_H
#define FLASHFUSION_LOWER_HOSTLAUNCH_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/LaunchSpec.h"

namespace mlir {
namespace func {
class FuncOp;
} // namespace func
namespace gpu {
class GPUModuleOp;
} // namespace gpu
namespace flashfusion {

/// The op's operands, those that are not row-major and contiguous replaced by
/// copies that are.
SmallVector<Value> contiguousOperands(OpBuilder &b, OnlineOp op);
/// After the launch: outputs that contiguousOperands replaced are copied back,
/// and every copy is freed.
void copyBack(OpBuilder &b, OnlineOp op, ArrayRef<Value> operands);

/// A private function (<operands of op>, <packed buffers>) with attribute
/// `ff.plan` that launches the first variant that serves the number of rows and
/// the pointers' alignment. No launch for M = 0. The function has no parent yet.
func::FuncOp buildLaunchFunction(OnlineOp op, const LaunchPlan &plan, gpu::GPUModuleOp kernels,
                                 StringRef name);

/// The operands of the pack function, out of the operands of the op: gain,
/// shift (those that exist) and weights.
SmallVector<Value> packOperands(OnlineOp op, ArrayRef<Value> operands);
/// A private function (<packOperands>, <packed buffers>) that launches the pack
/// kernels. The function has no parent yet.
func::FuncOp buildPackFunction(OnlineOp op, const LaunchPlan &plan, gpu::GPUModuleOp kernels,
                               StringRef name);

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_LOWER_HOSTLAUNCH_H
