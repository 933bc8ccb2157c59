//===- ff-opt.cpp - mlir-opt with FlashFusion ------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Emit/Artifacts.h"
#include "FlashFusion/InitFlashFusion.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace {
enum class Artifact { IR, PTX, Bundle };

llvm::cl::opt<Artifact>
    emitKind("emit", llvm::cl::desc("What to write"), llvm::cl::init(Artifact::IR),
             llvm::cl::values(clEnumValN(Artifact::IR, "mlir", "the resulting module"),
                              clEnumValN(Artifact::PTX, "ptx", "the PTX of its kernels alone"),
                              clEnumValN(Artifact::Bundle, "bundle",
                                         "PTX and how to run it, for a runtime without a "
                                         "compiler (docs/bundle.md)")));

/// The last pass of the pipeline under --emit: keeps the artifact instead of the IR.
struct WriteArtifact : PassWrapper<WriteArtifact, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WriteArtifact)
  WriteArtifact(Artifact kind, std::string &text) : kind(kind), text(text) {}
  StringRef getName() const override { return "write-artifact"; }

  void runOnOperation() override {
    llvm::raw_string_ostream os(text);
    if (kind == Artifact::Bundle) {
      if (failed(flashfusion::printBundle(getOperation(), os)))
        signalPassFailure();
      return;
    }
    FailureOr<StringRef> ptx = flashfusion::getPTX(getOperation());
    if (failed(ptx))
      return signalPassFailure();
    os << *ptx;
  }

  Artifact kind;
  std::string &text;
};
} // namespace

/// As MlirOptMain, but what is written is the artifact; nothing on failure.
static LogicalResult emitArtifact(StringRef inputFile, StringRef outputFile,
                                  DialectRegistry &registry) {
  std::string error;
  auto input = openInputFile(inputFile, &error);
  if (!input) {
    llvm::errs() << error << "\n";
    return failure();
  }
  MlirOptMainConfig fromOptions = MlirOptMainConfig::createFromCLOptions();
  if (!fromOptions.inputSplitMarker().empty()) {
    llvm::errs() << "--emit takes one module: it cannot be used with --split-input-file\n";
    return failure();
  }
  std::string text;
  MlirOptMainConfig config = fromOptions;
  config.setPassPipelineSetupFn([&](PassManager &pm) {
    if (failed(fromOptions.setupPassPipeline(pm)))
      return failure();
    pm.addPass(std::make_unique<WriteArtifact>(emitKind, text));
    return success();
  });
  if (failed(MlirOptMain(llvm::nulls(), std::move(input), registry, config)))
    return failure();
  auto output = openOutputFile(outputFile, &error);
  if (!output) {
    llvm::errs() << error << "\n";
    return failure();
  }
  output->os() << text;
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllGPUToLLVMIRTranslations(registry);
  registerAllPasses();
  flashfusion::registerDialects(registry);
  flashfusion::registerPassesAndPipelines();
  auto [inputFile, outputFile] =
      registerAndParseCLIOptions(argc, argv, "FlashFusion optimizer driver\n", registry);
  if (emitKind != Artifact::IR)
    return asMainReturnCode(emitArtifact(inputFile, outputFile, registry));
  return asMainReturnCode(MlirOptMain(argc, argv, inputFile, outputFile, registry));
}
