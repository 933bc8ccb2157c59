//===- VerifyProgram.cpp - Fused against written against f64 ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VerifyProgram.h"

#include "FlashFusion/Decompose/Passes.h"
#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Raise/Passes.h"
#include "FlashFusion/Verify/Accuracy.h"
#include "FlashFusion/Verify/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ffrun;
using namespace mlir;
using namespace mlir::flashfusion;

/// Whether `root` holds a fused norm, or calls a function that may.
static bool holdsFusion(Operation *root, ModuleOp module) {
  return root
      ->walk([&](Operation *op) {
        bool holds = isa<NormLinearOp, OnlineOp>(op);
        if (auto call = dyn_cast<func::CallOp>(op)) {
          auto callee = module.lookupSymbol<func::FuncOp>(call.getCalleeAttr());
          holds = callee && !callee->isAncestor(op) && holdsFusion(callee, module);
        }
        return holds ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<FusionFacts> ffrun::findFusion(ModuleOp module, StringRef entry,
                                         const CompileOptions &options) {
  OwningOpRef<ModuleOp> raised = module.clone();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  RaisePassOptions raise;
  raise.rounding = options.rounding;
  raise.plainLinears = options.plainLinears;
  if (options.fuse)
    pm.addPass(createRaisePass(raise));
  if (failed(pm.run(*raised)))
    return failure();
  FusionFacts facts;
  facts.tf32 = options.tf32;
  // Norms, and what is written as an ff.online; Linears that were raised without one do not count.
  auto isPlain = [](Operation *op) {
    auto online = dyn_cast<OnlineOp>(op);
    return online && online.getNumRowFactors() == 0;
  };
  raised->walk(
      [&](Operation *op) { facts.fused += isa<NormLinearOp, OnlineOp>(op) && !isPlain(op); });
  module.walk([&](Operation *op) { facts.fused += isPlain(op); });

  auto func = raised->lookupSymbol<func::FuncOp>(entry);
  if (!llvm::hasSingleElement(func.getBody())) {
    facts.dependsOnFused.assign(func.getNumResults(), facts.fused > 0);
    return facts;
  }
  for (Value result : func.front().getTerminator()->getOperands()) {
    SmallVector<Value> worklist{result};
    llvm::DenseSet<Value> seen;
    bool depends = false;
    while (!worklist.empty() && !depends) {
      Operation *op = worklist.pop_back_val().getDefiningOp();
      if (!op)
        continue;
      depends |= holdsFusion(op, *raised);
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (seen.insert(operand).second)
            worklist.push_back(operand);
      });
    }
    facts.dependsOnFused.push_back(depends);
  }
  return facts;
}

/// A copy of `module` without ff operations and without calls between its functions.
static OwningOpRef<ModuleOp> asWritten(ModuleOp module, function_ref<void(PassManager &)> more) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addPass(createInlinerPass());
  pm.addPass(createDecomposePass());
  pm.addPass(createExpandOnlinePass());
  more(pm);
  if (failed(pm.run(*copy)))
    return nullptr;
  return copy;
}

static FailureOr<std::vector<HostTensor>> runOnHost(OwningOpRef<ModuleOp> module, StringRef entry,
                                                    ArrayRef<std::string> sharedLibs,
                                                    ArrayRef<HostTensor> arguments) {
  if (!module)
    return failure();
  std::unique_ptr<Executor> host = createCPUExecutor(sharedLibs);
  CompileOptions options;
  options.fuse = false;
  if (failed(host->compile(*module, entry, options)))
    return failure();
  return host->run(arguments);
}

static Precision precisionOf(Element element, bool tf32) {
  switch (element) {
  case Element::F16:
    return Precision::F16;
  case Element::BF16:
    return Precision::BF16;
  case Element::F64:
    return Precision::F64;
  default:
    return tf32 ? Precision::TF32 : Precision::F32;
  }
}

/// `values` in the order of the matrix that `places` (empty: the same order) points into.
static std::vector<double> inOrder(std::vector<double> values, const std::vector<double> &places) {
  if (places.empty())
    return values;
  std::vector<double> ordered(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    ordered[static_cast<size_t>(places[i])] = values[i];
  return ordered;
}

/// Judges one float result; prints its line.
static bool judge(unsigned index, const HostTensor &result, const HostTensor &written,
                  ArrayRef<HostTensor> reference, DictionaryAttr facts, bool isFused, bool tf32) {
  std::vector<double> places, noise;
  int64_t size = result.size();
  int64_t columns = result.shape.empty() ? 1 : result.shape.back();
  if (auto bounds = facts.getAs<IntegerAttr>("bounds")) {
    noise = reference[bounds.getInt()].toDoubles();
    places = reference[bounds.getInt() + 1].toDoubles();
    columns = facts.getAs<IntegerAttr>("columns").getInt();
  }
  noise = inOrder(std::move(noise), noise.empty() ? noise : places);
  std::vector<double> y = inOrder(result.toDoubles(), places),
                      w = inOrder(written.toDoubles(), places),
                      ref = inOrder(reference[index].toDoubles(), places);
  AccuracyInput input;
  input.precision = precisionOf(result.element, isFused && tf32);
  input.columns = columns;
  input.rows = columns > 0 ? size / columns : 0;
  input.k = facts.getAs<IntegerAttr>("k").getInt();
  // A result behind more than layout and sums has bounds of its own: those of the program.
  input.isCapped = isFused && !noise.empty();
  input.reference = ref;
  input.result = y;
  input.written = w;
  input.squaredNoise = noise;
  AccuracyReport report = measureAccuracy(input);
  auto number = [](double v) { return llvm::format("%.3g", v); };
  llvm::outs() << "result " << index << ": " << result.describe()
               << (isFused ? " fused" : " as written") << " row=" << number(report.row)
               << " written=" << number(report.writtenRow) << " cap=";
  if (input.isCapped)
    llvm::outs() << number(report.cap);
  else
    llvm::outs() << "n/a";
  llvm::outs() << " mean-ratio=" << number(report.mean) << " above=" << report.above << "/"
               << report.compared << " group8=" << number(report.group) << " element=";
  if (report.element < 0)
    llvm::outs() << "n/a";
  else
    llvm::outs() << number(report.element);
  llvm::outs() << (report.ok ? " ok" : " FAIL: " + report.reason) << "\n";
  return report.ok;
}

LogicalResult ffrun::verifyResults(ModuleOp module, StringRef entry,
                                   ArrayRef<std::string> sharedLibs, ArrayRef<HostTensor> arguments,
                                   ArrayRef<HostTensor> results, const FusionFacts &facts) {
  auto written = runOnHost(asWritten(module, [](PassManager &) {}), entry, sharedLibs, arguments);
  if (failed(written))
    return failure();
  OwningOpRef<ModuleOp> f64 = asWritten(module, [](PassManager &pm) {
    pm.addPass(createPromoteToF64Pass());
    pm.addPass(createAppendBoundsPass());
  });
  if (!f64)
    return failure();
  auto described = f64->lookupSymbol<func::FuncOp>(entry)->getAttrOfType<ArrayAttr>("ff.results");
  auto reference = runOnHost(std::move(f64), entry, sharedLibs, arguments);
  if (failed(reference))
    return failure();

  bool ok = true;
  for (auto [i, result] : llvm::enumerate(results)) {
    DictionaryAttr k = DictionaryAttr::get(
        module.getContext(),
        NamedAttribute(StringAttr::get(module.getContext(), "k"),
                       IntegerAttr::get(IntegerType::get(module.getContext(), 64), 1)));
    if (result.shape != (*written)[i].shape || result.shape != (*reference)[i].shape) {
      llvm::outs() << "result " << i << ": " << result.describe()
                   << " FAIL: the program as written makes " << (*written)[i].describe() << "\n";
      ok = false;
    } else if (!isFloat(result.element)) {
      bool same = result.data == (*written)[i].data;
      llvm::outs() << "result " << i << ": " << result.describe()
                   << (same ? " equal ok\n" : " FAIL: differs from the program as written\n");
      ok &= same;
    } else {
      ok &= judge(i, result, (*written)[i], *reference,
                  described ? cast<DictionaryAttr>(described[i]) : k, facts.dependsOnFused[i],
                  facts.tf32);
    }
  }
  return success(ok);
}
