//===- BufferizableOpInterfaceImpl.h - Bufferization models -------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DIALECT_IR_BUFFERIZABLEOPINTERFACEIMPL_H
#define FLASHFUSION_DIALECT_IR_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
namespace flashfusion {

/// Lets one-shot-bufferize handle ff.online.
void registerBufferizableOpInterfaceModels(DialectRegistry &registry);

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_DIALECT_IR_BUFFERIZABLEOPINTERFACEIMPL_H
