//===- Checker.cpp - One input through the passes ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Child.h"

#include "FlashFusion/InitFlashFusion.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace fffuzz;
using namespace mlir;

/// Upstream's, between ours.
static constexpr StringLiteral bufferize = "one-shot-bufferize{bufferize-function-boundaries "
                                           "function-boundary-type-conversion=identity-layout-map}";

/// Lists of passes: ours, and what they need in front of them.
static const SmallVector<SmallVector<StringRef>> pipelines = {
    {"ff-raise{rounding=strict}"},
    {"ff-raise{others}", "ff-decompose", "ff-expand-f8", "ff-mark-unrounded"},
    {"ff-expand-f8"},
    {"ff-mark-unrounded"},
    {"ff-raise{plain-linears}", "ff-decompose", "ff-fuse-epilogue", "ff-schedule{chip=sm_90a}"},
    {"ff-raise", "ff-decompose", "ff-schedule{chip=sm_80 tf32=true}"},
    {"ff-raise", "ff-decompose", "ff-schedule{chip=sm_120 family=prefill}"},
    {"ff-raise{plain-linears}", "ff-decompose", "ff-fuse-epilogue", "ff-lower-to-loops",
     "ff-promote-accumulators"},
    {"ff-raise", "ff-decompose", "ff-expand-online", "ff-promote-to-f64", "ff-append-bounds"},
    {"ff-schedule{chip=sm_90a}"},
    {"ff-schedule{chip=sm_90a}", "ff-lower-to-nvgpu"},
    {"ff-lower-to-nvgpu"},
    {"ff-schedule{chip=sm_80}", "ff-lower-to-nvgpu", "ff-emit-ptx"},
    {"ff-raise", "ff-decompose", "ff-schedule{chip=sm_80}", "ff-prepare-host-functions", bufferize,
     "func.func(ff-write-results-in-place)", "ff-lower-to-nvgpu", "ff-emit-ptx"},
    {"ff-lower-to-nvgpu", "ff-emit-ptx"},
    {"ff-emit-ptx"},
    {"ff-fuse-epilogue{chip=sm_80}"},
    {"ff-raise-cascade", "ff-cascade-defer{moments}", "ff-cascade-iterate", "ff-lower-cascade"},
    {"ff-raise-cascade", "ff-cascade-report", "ff-cascade-group", "ff-tileseek{budget=20}",
     "ff-dpipe{target=cloud}"},
    {"ff-tileseek{budget=20 target=edge}", "ff-dpipe{target=edge compat=true}"},
    {"ff-cascade-group", "ff-cascade-report"},
    {"ff-cascade-defer"},
    {"ff-cascade-iterate"},
    {"ff-lower-cascade"},
    {"ff-lower-to-loops"},
    {"ff-expand-online"},
    {"ff-promote-accumulators"},
    {"ff-promote-to-f64", "ff-append-bounds"},
    {"ff-append-bounds"},
    {"ff-vectorize-for-cpu"},
    {"ff-lower-packs"},
    {"ff-expand-dynamic-reshapes"},
    {"ff-prepare-host-functions"},
    {"func.func(ff-write-results-in-place)"},
};

struct Checker::Impl {
  explicit Impl(Progress &progress) : progress(progress) {
    static bool registered = false;
    if (!registered) {
      flashfusion::registerPassesAndPipelines();
      bufferization::registerOneShotBufferizePass();
    }
    registered = true;
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllGPUToLLVMIRTranslations(registry);
    flashfusion::registerDialects(registry);
    context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    context->allowUnregisteredDialects();
    context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
      // For the log of a fault.
      last = diagnostic.str();
      return success();
    });
  }

  void stage(StringRef name) {
    size_t n = std::min(name.size(), sizeof(progress.stage) - 1);
    memcpy(progress.stage, name.data(), n);
    progress.stage[n] = 0;
  }

  bool fault(StringRef what) {
    std::string text = (what + (last.empty() ? "" : ": " + last)).str();
    size_t n = std::min(text.size(), sizeof(progress.where) - 1);
    memcpy(progress.where, text.data(), n);
    progress.where[n] = 0;
    return false;
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(context.get()));
  }

  static std::string print(ModuleOp module, bool generic) {
    std::string text;
    llvm::raw_string_ostream os(text);
    OpPrintingFlags flags;
    module->print(os, generic ? flags.printGenericOpForm() : flags);
    return text;
  }

  bool readsBack(ModuleOp module) {
    stage("print");
    std::string text = print(module, false);
    stage("read back");
    last.clear();
    OwningOpRef<ModuleOp> again = parse(text);
    if (!again)
      return fault("the printed module does not parse");
    stage("bytecode");
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    if (failed(writeBytecodeToFile(module, os)))
      return true; // attributes of the builtin dialect may have no encoding
    if (!parse(bytes))
      return fault("the bytecode does not read back");
    return true;
  }

  /// Runs one pass. `ok`: it succeeded.
  bool run(ModuleOp module, StringRef pass, bool &ok) {
    stage(pass);
    startClock();
    PassManager pm(context.get(), ModuleOp::getOperationName());
    if (failed(parsePassPipeline(pass, pm)))
      return fault("no such pass");
    pm.enableVerifier(false);
    errors = 0;
    last.clear();
    ++progress.counts.runs;
    ok = succeeded(pm.run(module));
    progress.counts.emitted +=
        ok && pass == "ff-emit-ptx" && !module.getOps<gpu::BinaryOp>().empty();
    if (!ok && errors == 0)
      return fault("fails without an error");
    if (ok && failed(verify(module)))
      return fault("leaves invalid IR");
    return true;
  }

  bool check(StringRef text, uint64_t index) {
    stage("parse");
    last.clear();
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module)
      return true;
    ++progress.counts.valid;
    if (index % 4 == 0 && !readsBack(*module))
      return false;

    bool ok;
    OwningOpRef<ModuleOp> raised = module->clone();
    std::string before = print(*raised, true);
    if (!run(*raised, "ff-raise", ok))
      return false;
    std::string once = print(*raised, true);
    if (ok && once != before) {
      progress.counts.raised +=
          StringRef(once).count("ff.norm_linear") > StringRef(before).count("ff.norm_linear");
      if (!run(*raised, "ff-raise", ok))
        return false;
      if (print(*raised, true) != once)
        return fault("finds more the second time");
    }
    raised = nullptr;
    for (uint64_t n = 0; n < 4; ++n) {
      OwningOpRef<ModuleOp> copy = module->clone();
      for (StringRef pass : pipelines[(index * 4 + n) % pipelines.size()]) {
        if (!run(*copy, pass, ok))
          return false;
        if (!ok)
          break;
      }
    }
    return true;
  }

  Progress &progress;
  std::unique_ptr<MLIRContext> context;
  unsigned errors = 0;
  std::string last;
};

Checker::Checker(Progress &progress) : impl(std::make_unique<Impl>(progress)) {}
Checker::~Checker() = default;
bool Checker::check(const std::string &text, uint64_t index) { return impl->check(text, index); }
