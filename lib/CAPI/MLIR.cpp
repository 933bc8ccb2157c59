//===- MLIR.cpp - With MLIR's C API ------------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion-c/MLIR.h"

#include "Compile.h"
#include "FlashFusion/InitFlashFusion.h"
#include "FlashFusion/Pipelines/ToPTX.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include <limits>
#include <mutex>

using namespace mlir;
using namespace mlir::flashfusion;

void flashFusionRegisterDialects(MlirDialectRegistry registry) {
  registerDialects(*unwrap(registry));
}

void flashFusionRegisterPasses(void) {
  static std::once_flag once;
  std::call_once(once, registerPassesAndPipelines);
}

MlirLogicalResult flashFusionAddToPTXPipeline(MlirOpPassManager passManager, const char *options,
                                              MlirStringCallback onError, void *userData) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  ToPTXOptions parsed;
  OpPassManager &pm = *unwrap(passManager);
  bool ok = true;
  if (pm.getOpName() != ModuleOp::getOperationName()) {
    os << "ff-to-ptx runs on " << ModuleOp::getOperationName() << ", not on '"
       << pm.getOpAnchorName() << "'\n";
    ok = false;
  } else if (failed(parsed.parseFromString(options ? options : "", os))) {
    // LLVM's own parsers of values tell what is wrong on the process's stderr only.
    os << "these options are not understood: '" << options << "'\n";
    ok = false;
  }
  if (!ok) {
    if (onError)
      onError(wrap(StringRef(errors)), userData);
    return wrap(failure());
  }
  buildToPTXPipeline(pm, parsed);
  return wrap(success());
}

FlashFusionResult *flashFusionCompileModule(MlirModule module, const FlashFusionRequest *request) {
  auto *result = new FlashFusionResult;
  if (mlirModuleIsNull(module)) {
    result->diagnostics = "error: there is no module\n";
    return result;
  }
  // Generic text reads back whatever dialects it holds; nothing is left out of it, whatever the
  // host's command line says.
  OpPrintingFlags flags;
  flags.printGenericOpForm().enableDebugInfo(true, /*prettyForm=*/false);
  flags.elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  flags.elideLargeResourceString(std::numeric_limits<int64_t>::max());
  std::string text;
  llvm::raw_string_ostream os(text);
  unwrap(module)->print(os, flags);

  FlashFusionRequest copy = request ? *request : FlashFusionRequest{};
  copy.allowUnregisteredDialects = true;
  copy.sourceName = nullptr;
  compileSource(text, copy, *result);
  return result;
}
