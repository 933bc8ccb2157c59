//===- Context.h - Everything that a program may consist of -------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_CONTEXT_H
#define FF_RUN_CONTEXT_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ffrun {

/// Registers the dialects of MLIR and of this project, their interfaces, and their translations
/// to LLVM IR.
void registerEverything(mlir::DialectRegistry &registry);

} // namespace ffrun

#endif // FF_RUN_CONTEXT_H
