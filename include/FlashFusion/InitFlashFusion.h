//===- InitFlashFusion.h - Registration ---------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_INITFLASHFUSION_H
#define FLASHFUSION_INITFLASHFUSION_H

namespace mlir {
class DialectRegistry;
namespace flashfusion {

/// Registers the ff dialect and its interface models with `registry`.
void registerDialects(DialectRegistry &registry);

/// Registers every pass and pipeline of the project, once per process.
void registerPassesAndPipelines();

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_INITFLASHFUSION_H
