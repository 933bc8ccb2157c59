//===- Main.cpp - The command line of ff-compile ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostObject.h"
#include "Library.h"
#include "Remarks.h"

#include "../ff-run/Context.h"
#include "../ff-run/ff-run.h"
#include "FlashFusion/Emit/Artifacts.h"
#include "FlashFusion/InitFlashFusion.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {

enum class Target { CUDA, CPU, IR };

/// The command line.
struct Options {
  cl::OptionCategory category{"ff-compile options"};
  cl::opt<std::string> input{cl::Positional, cl::init("-"), cl::desc("<file.mlir>"),
                             cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("file to write"), cl::init("-"), cl::cat(category)};
  cl::opt<Target> target{
      "target", cl::desc("what to write"), cl::init(Target::CUDA),
      cl::values(clEnumValN(Target::CUDA, "cuda", "a bundle (docs/bundle.md), by ff-to-ptx"),
                 clEnumValN(Target::CPU, "cpu", "an object for this host, by ff-to-cpu"),
                 clEnumValN(Target::IR, "ir", "the module after --pipeline")),
      cl::cat(category)};
  cl::opt<std::string> options{
      "options", cl::desc("options of ff-to-ptx or ff-to-cpu, as chip=sm_90a"), cl::cat(category)};
  cl::opt<std::string> pipeline{"pipeline", cl::desc("for ir: passes of this project to run"),
                                cl::cat(category)};
  cl::opt<std::string> remarks{"remarks",
                               cl::desc("file to write what was decided to, as lines of JSON"),
                               cl::cat(category)};
};

} // namespace

static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return failure();
}

/// The whole of `text`, into `path`.
static LogicalResult write(StringRef path, StringRef text) {
  std::string message;
  auto file = openOutputFile(path, &message);
  if (!file)
    return fail(message);
  file->os() << text;
  file->keep();
  return success();
}

static LogicalResult compile(const Options &options, ModuleOp module, llvm::raw_ostream &os) {
  std::string pipeline = options.pipeline;
  if (options.target != Target::IR)
    pipeline =
        (options.target == Target::CUDA ? "ff-to-ptx{" : "ff-to-cpu{") + options.options + "}";
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  std::string message;
  llvm::raw_string_ostream errors(message);
  if (failed(parsePassPipeline(pipeline, pm, errors)))
    return fail("in the options: " + message);

  FailureOr<llvm::json::Array> functions = llvm::json::Array();
  if (options.target == Target::CPU)
    functions = ffcompile::describeFunctions(module);
  if (failed(functions) || failed(pm.run(module)))
    return failure();
  switch (options.target) {
  case Target::CUDA:
    return flashfusion::printBundle(module, os);
  case Target::CPU:
    return ffcompile::writeHostProgram(module, std::move(*functions), os);
  case Target::IR:
    module.print(os);
    os << "\n";
    return success();
  }
  llvm_unreachable("unknown target");
}

static LogicalResult compileFile(const Options &options) {
  DialectRegistry registry;
  ffrun::registerEverything(registry);
  flashfusion::registerPassesAndPipelines();
  std::string remarks;
  llvm::raw_string_ostream remarkStream(remarks);
  std::string text;
  llvm::raw_string_ostream os(text);
  bool ok = false;
  {
    MLIRContext context(registry);
    context.printOpOnDiagnostic(false);
    // Attributes of other compilers' dialects change nothing here; their operations do not lower.
    context.allowUnregisteredDialects();
    if (!options.remarks.empty() && failed(ffcompile::streamRemarks(context, remarkStream)))
      return failure();
    std::string message;
    auto file = openInputFile(options.input, &message);
    if (!file)
      return fail(message);
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
    SourceMgrDiagnosticHandler diagnostics(*sources, &context);
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
    ok = module && succeeded(compile(options, *module, os));
  }
  // Remarks say why something failed, too; a result is written whole or not at all.
  if (!options.remarks.empty() && failed(write(options.remarks, remarks)))
    return failure();
  return ok ? write(options.output, text) : failure();
}

int ffMain(int argc, char **argv) {
  if (argc > 1 && StringRef(argv[1]) == "run")
    return ffrun::main(argc - 1, argv + 1);
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles linalg on tensors to GPU kernels, or for this host. 'ff-compile run' is ff-run.\n");
  return failed(compileFile(options));
}
