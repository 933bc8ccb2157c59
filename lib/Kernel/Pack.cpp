//===- Pack.cpp - The pack step --------------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Kernel/KernelEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::flashfusion;

FailureOr<LaunchSpec> flashfusion::emitPack(OnlineOp op, unsigned linear, TargetAttr target,
                                            gpu::GPUModuleOp module, StringRef name) {
  return op.emitOpError("needs packed weights, which this build does not produce");
}
