//===- toy-compiler.cpp - Another compiler's driver -------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: toy-compiler FILE (steps | ptx | cpu | apart)
//   steps: its own pass, ff-raise, ff.norm_linear decomposed by its own pass
//   ptx:   its own pass, and all of ff-to-ptx behind it
//   cpu:   its own pass, and all of ff-to-cpu behind it
//   apart: its own pass; the C API compiles the module, and this compiler's own remark engine still
//          works afterwards
//
//===----------------------------------------------------------------------===//
#include "ToyDialect.h"

#include "FlashFusion-c/MLIR.h"
#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Emit/Artifacts.h"
#include "FlashFusion/InitFlashFusion.h"
#include "FlashFusion/Pipelines/ToCPU.h"
#include "FlashFusion/Pipelines/ToPTX.h"
#include "FlashFusion/Raise/Passes.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Remarks.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {
/// The remarks of this compiler.
struct ToyRemarks : remark::detail::MLIRRemarkStreamerBase {
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    llvm::outs() << "toy remark: " << remark.getCategoryName() << " " << remark.getRemarkName()
                 << "\n";
  }
};
} // namespace

static LogicalResult compileApart(ModuleOp module) {
  FlashFusionRequest request{};
  request.options = "chip=sm_80";
  request.remarks = [](const FlashFusionRemark *remark, void *data) {
    if (StringRef(remark->category) == "ff-raise")
      *static_cast<llvm::raw_ostream *>(data)
          << "C remark: " << remark->name << " in " << remark->function << "\n";
  };
  request.remarksUserData = &llvm::outs();
  FlashFusionResult *result = flashFusionCompileModule(wrap(module), &request);
  bool ok = flashFusionResultIsOk(result);
  llvm::outs() << (ok ? flashFusionResultArtifact(result, nullptr)
                      : flashFusionResultDiagnostics(result));
  flashFusionResultDestroy(result);
  return success(ok);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  StringRef mode = argv[2];
  DialectRegistry registry;
  registerAllDialects(registry);
  flashfusion::registerDialects(registry);
  registry.insert<toy::ToyDialect>();
  MLIRContext context(registry);
  remark::RemarkCategories raised;
  raised.passed = "ff-raise";
  if (failed(remark::enableOptimizationRemarks(context, std::make_unique<ToyRemarks>(),
                                               std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                               raised)))
    return 1;
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], ParserConfig(&context));
  if (!module)
    return 1;

  PassManager lower(&context, ModuleOp::getOperationName());
  lower.addPass(toy::createLowerToyPass());
  if (failed(lower.run(*module)))
    return 1;
  if (mode == "apart" && failed(compileApart(*module)))
    return 1;

  PassManager pm(&context, ModuleOp::getOperationName());
  if (mode == "ptx") {
    flashfusion::ToPTXOptions options;
    options.chip = "sm_80";
    flashfusion::buildToPTXPipeline(pm, options);
  } else if (mode == "cpu") {
    flashfusion::ToCPUOptions options;
    options.vectorize = false;
    flashfusion::buildToCPUPipeline(pm, options);
  } else {
    pm.addPass(flashfusion::createRaisePass());
    pm.addPass(toy::createDecomposeHerePass());
    pm.addPass(createCanonicalizerPass());
  }
  if (failed(pm.run(*module)))
    return 1;
  if (mode == "ptx") {
    FailureOr<StringRef> ptx = flashfusion::getPTX(*module);
    if (failed(ptx))
      return 1;
    llvm::outs() << *ptx;
  } else {
    module->print(llvm::outs());
  }
  return 0;
}
