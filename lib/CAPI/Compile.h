//===- Compile.h - The C API's compiler ---------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_CAPI_COMPILE_H
#define FLASHFUSION_LIB_CAPI_COMPILE_H

#include "FlashFusion-c/FlashFusion.h"
#include "mlir/Support/LLVM.h"
#include <string>

struct FlashFusionResult {
  bool ok = false;
  std::string artifact;
  std::string diagnostics;
};

namespace mlir::flashfusion {

/// Compiles `source` in a context of its own; the buffer must end in a zero byte.
void compileSource(StringRef source, const FlashFusionRequest &request, FlashFusionResult &result);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_CAPI_COMPILE_H
