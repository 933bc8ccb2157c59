//===- Compile.cpp - Text to PTX through C ----------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context per call. It is the only way to hand out remarks without taking the remark engine
// away from a host: a context has one, and replacing it destroys what was there.
//
//===----------------------------------------------------------------------===//
#include "Compile.h"

#include "FlashFusion/Emit/Artifacts.h"
#include "FlashFusion/InitFlashFusion.h"
#include "FlashFusion/Pipelines/ToCPU.h"
#include "FlashFusion/Pipelines/ToPTX.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include <cstring>

using namespace mlir;
using namespace mlir::flashfusion;

/// "FILE:LINE:COLUMN" of the first such part of `loc`.
static std::string toString(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return {};
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()))
      .str();
}

static void printDiagnostic(const Diagnostic &diagnostic, llvm::raw_ostream &os) {
  static constexpr StringLiteral severities[] = {"note", "warning", "error", "remark"};
  std::string where = toString(diagnostic.getLocation());
  if (!where.empty())
    os << where << ": ";
  os << severities[static_cast<int>(diagnostic.getSeverity())] << ": " << diagnostic.str() << "\n";
  for (const Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note, os);
}

namespace {
/// Hands every remark to a C function.
struct CallbackStreamer : remark::detail::MLIRRemarkStreamerBase {
  CallbackStreamer(FlashFusionRemarkCallback callback, void *userData)
      : callback(callback), userData(userData) {}

  static FlashFusionRemarkKind kindOf(llvm::remarks::Type type) {
    switch (type) {
    case llvm::remarks::Type::Passed:
      return FLASHFUSION_REMARK_PASSED;
    case llvm::remarks::Type::Missed:
      return FLASHFUSION_REMARK_MISSED;
    case llvm::remarks::Type::Failure:
      return FLASHFUSION_REMARK_FAILED;
    default:
      return FLASHFUSION_REMARK_ANALYSIS;
    }
  }

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    // The remark's own strings need not end in a zero byte.
    std::string category = remark.getCombinedCategoryName().str();
    std::string name = remark.getRemarkName().str();
    std::string function = remark.getFunction().str();
    if (function == "<unknown function>")
      function.clear();
    std::string location = toString(remark.getLocation());
    SmallVector<const char *> keys, values;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      keys.push_back(arg.key.c_str());
      values.push_back(arg.val.c_str());
    }
    FlashFusionRemark plain{kindOf(remark.getRemarkType()),
                            category.c_str(),
                            name.c_str(),
                            function.c_str(),
                            location.c_str(),
                            keys.size(),
                            keys.data(),
                            values.data()};
    callback(&plain, userData);
  }

  FlashFusionRemarkCallback callback;
  void *userData;
};
} // namespace

/// Appends the pipeline that the request asks for.
static LogicalResult addPipeline(OpPassManager &pm, const FlashFusionRequest &request,
                                 llvm::raw_ostream &errors) {
  StringRef text = request.options ? request.options : "";
  // LLVM's own parsers of values tell what is wrong on the process's stderr only.
  auto refuse = [&] {
    errors << "error: these options are not understood: '" << text << "'\n";
    return failure();
  };
  if (request.artifact == FLASHFUSION_CPU_MODULE) {
    ToCPUOptions options;
    if (failed(options.parseFromString(text, errors)))
      return refuse();
    buildToCPUPipeline(pm, options);
    return success();
  }
  ToPTXOptions options;
  if (failed(options.parseFromString(text, errors)))
    return refuse();
  buildToPTXPipeline(pm, options);
  return success();
}

/// Writes what the request asks for.
static LogicalResult writeArtifact(ModuleOp module, FlashFusionArtifact artifact,
                                   llvm::raw_ostream &os) {
  switch (artifact) {
  case FLASHFUSION_PTX: {
    FailureOr<StringRef> ptx = getPTX(module);
    if (failed(ptx))
      return failure();
    os << *ptx;
    return success();
  }
  case FLASHFUSION_BUNDLE:
    return printBundle(module, os);
  case FLASHFUSION_MODULE:
  case FLASHFUSION_CPU_MODULE:
    module->print(os);
    os << "\n";
    return success();
  }
  llvm_unreachable("the request was checked");
}

/// Parses, compiles and writes in `context`.
static LogicalResult compile(MLIRContext &context, StringRef source,
                             const FlashFusionRequest &request, llvm::raw_ostream &artifact,
                             llvm::raw_ostream &errors) {
  PassManager pm(&context, ModuleOp::getOperationName());
  if (failed(addPipeline(pm, request, errors)))
    return failure();
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      source, config, request.sourceName ? request.sourceName : "<source>");
  if (!module || failed(pm.run(*module)))
    return failure();
  return writeArtifact(*module, request.artifact, artifact);
}

void flashfusion::compileSource(StringRef source, const FlashFusionRequest &request,
                                FlashFusionResult &result) {
  // C may write any number, which C++ must not read as an enumerator.
  int number;
  static_assert(sizeof(number) == sizeof(request.artifact));
  std::memcpy(&number, &request.artifact, sizeof(number));
  if (number < FLASHFUSION_PTX || number > FLASHFUSION_CPU_MODULE) {
    result.diagnostics = "error: no such artifact: " + std::to_string(number) + "\n";
    return;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllGPUToLLVMIRTranslations(registry);
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(request.allowUnregisteredDialects);

  llvm::raw_string_ostream errors(result.diagnostics);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    printDiagnostic(diagnostic, errors);
    return success();
  });
  if (request.remarks) {
    remark::RemarkCategories all;
    all.passed = all.missed = all.analysis = all.failed = ".*";
    if (failed(remark::enableOptimizationRemarks(
            context, std::make_unique<CallbackStreamer>(request.remarks, request.remarksUserData),
            std::make_unique<remark::RemarkEmittingPolicyAll>(), all))) {
      errors << "error: remarks cannot be collected\n";
      return;
    }
  }
  llvm::raw_string_ostream artifact(result.artifact);
  result.ok = succeeded(compile(context, source, request, artifact, errors));
  if (result.ok)
    return;
  result.artifact.clear();
  if (result.diagnostics.empty())
    errors << "error: compilation failed without a diagnostic\n";
}

//===----------------------------------------------------------------------===//
// The functions of FlashFusion.h
//===----------------------------------------------------------------------===//

const char *flashFusionVersion(void) { return FLASHFUSION_VERSION; }

FlashFusionResult *flashFusionCompile(const char *source, size_t length,
                                      const FlashFusionRequest *request) {
  auto *result = new FlashFusionResult;
  if (!source) {
    result->diagnostics = "error: there is no source\n";
    return result;
  }
  // The parser wants a zero byte behind the text.
  std::string copy(source, length);
  compileSource(copy, request ? *request : FlashFusionRequest{}, *result);
  return result;
}

bool flashFusionResultIsOk(const FlashFusionResult *result) { return result->ok; }

const char *flashFusionResultArtifact(const FlashFusionResult *result, size_t *length) {
  if (length)
    *length = result->artifact.size();
  return result->artifact.c_str();
}

const char *flashFusionResultDiagnostics(const FlashFusionResult *result) {
  return result->diagnostics.c_str();
}

void flashFusionResultDestroy(FlashFusionResult *result) { delete result; }
