//===- Artifacts.h - What users load: PTX and bundles -------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_EMIT_ARTIFACTS_H
#define FLASHFUSION_EMIT_ARTIFACTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::flashfusion {

/// The PTX of the one gpu.binary of `module`. Fails, with a diagnostic on
/// `module`, if there is none or it holds something else than PTX.
FailureOr<StringRef> getPTX(ModuleOp module);

/// Prints `module` as a bundle: its PTX and all that a runtime without LLVM must
/// know to run it (docs/bundle.md). Preconditions: the result of ff-to-ptx.
/// Fails, with diagnostics, if a function that uses a kernel does anything
/// else on the host.
LogicalResult printBundle(ModuleOp module, llvm::raw_ostream &os);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_EMIT_ARTIFACTS_H
