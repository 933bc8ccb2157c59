//===- HostObject.h - Programs for the host, as files -------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_COMPILE_HOSTOBJECT_H
#define FF_COMPILE_HOSTOBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ffcompile {

/// The public functions of `module`, before they are lowered: name, arguments and results, each a
/// type and, for tensors, a shape (-1: any extent). Fails, with a diagnostic, for types that have
/// no array.
mlir::FailureOr<llvm::json::Array> describeFunctions(mlir::ModuleOp module);

/// Writes `module`, which is in the LLVM dialect, as a host program: a line of JSON with
/// `functions` and this host's name, then a relocatable object for this host (loadHostProgram).
mlir::LogicalResult writeHostProgram(mlir::ModuleOp module, llvm::json::Array functions,
                                     llvm::raw_ostream &os);

} // namespace ffcompile

#endif // FF_COMPILE_HOSTOBJECT_H
