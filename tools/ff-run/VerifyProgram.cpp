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
#include "FlashFusion/Verify/ProgramRoles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ffrun;
using namespace mlir;
using namespace mlir::flashfusion;

/// Counts the operations of `root`, and of the functions that it calls (each once), that `counts`.
static unsigned count(Operation *root, ModuleOp module, llvm::SmallPtrSetImpl<Operation *> &seen,
                      function_ref<bool(Operation *)> counts) {
  unsigned sum = 0;
  root->walk([&](Operation *op) {
    sum += counts(op);
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCalleeAttr()))
        if (seen.insert(callee).second)
          sum += count(callee, module, seen, counts);
  });
  return sum;
}

static unsigned count(StringRef name, ModuleOp module, function_ref<bool(Operation *)> counts) {
  auto func = module.lookupSymbol<func::FuncOp>(name);
  llvm::SmallPtrSet<Operation *, 4> seen{func};
  return count(func, module, seen, counts);
}

static bool isFused(Operation *op) { return isa<NormLinearOp, OnlineOp>(op); }

/// A Linear without a norm.
static bool isPlain(Operation *op) {
  auto online = dyn_cast<OnlineOp>(op);
  return online && online.getStatistics().empty();
}

/// A sum over a row, or another reduction, that is no Linear.
static bool isStatistic(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0 && !isLinear(linalgOp);
}

/// Whether x has 8 bits.
static bool hasF8Rows(Operation *op) {
  return isFused(op) && isa<Float8E4M3FNType>(getElementTypeOrSelf(op->getOperand(0)));
}

/// The facts of function `name`, which ff-raise has made of `module`'s.
static FusionFacts factsOf(StringRef name, ModuleOp raised, ModuleOp module) {
  FusionFacts facts;
  // Norms, and what is written as an ff.online; Linears that were raised without one do not count.
  facts.fused = count(name, raised, [](Operation *op) { return isFused(op) && !isPlain(op); }) +
                count(name, module, isPlain);
  auto func = raised.lookupSymbol<func::FuncOp>(name);
  if (!llvm::hasSingleElement(func.getBody())) {
    facts.dependsOnFused.assign(func.getNumResults(), count(name, raised, isFused) > 0);
    facts.isCapped.assign(func.getNumResults(), count(name, raised, isStatistic) == 0);
    return facts;
  }
  for (Value result : func.front().getTerminator()->getOperands()) {
    SmallVector<Value> worklist{result};
    llvm::DenseSet<Value> seen;
    bool depends = false, exact = true;
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val().getDefiningOp();
      if (!op)
        continue;
      llvm::SmallPtrSet<Operation *, 4> callees;
      depends |= count(op, raised, callees, isFused) > 0;
      callees.clear();
      exact &= count(op, raised, callees, isStatistic) == 0;
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (seen.insert(operand).second)
            worklist.push_back(operand);
      });
    }
    facts.dependsOnFused.push_back(depends);
    facts.isCapped.push_back(exact);
  }
  return facts;
}

LogicalResult ffrun::findFusion(ModuleOp module, MutableArrayRef<Run> runs,
                                const CompileOptions &options) {
  OwningOpRef<ModuleOp> raised = module.clone();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  RaisePassOptions raise;
  raise.rounding = options.rounding;
  raise.plainLinears = options.plainLinears;
  raise.others = options.others;
  if (options.fuse)
    pm.addPass(createRaisePass(raise));
  if (failed(pm.run(*raised)))
    return failure();
  for (Run &run : runs) {
    run.facts = factsOf(run.entry, *raised, module);
    run.facts.tf32 = options.tf32;
    run.facts.sumsF8 = options.onGPU && count(run.entry, *raised, hasF8Rows) > 0;
    run.facts.strict = options.fuse && options.rounding == "strict";
  }
  return success();
}

/// A copy of `module` without ff operations and without calls between its functions. `marked`:
/// casts that fusion does without are marked first.
static OwningOpRef<ModuleOp> asWritten(ModuleOp module, bool marked,
                                       function_ref<void(PassManager &)> more) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  if (marked)
    pm.addPass(createMarkUnroundedPass());
  // Nothing is folded: 1 / K that the program computes is no constant rounded to f32.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createDecomposePass());
  pm.addPass(createExpandOnlinePass());
  more(pm);
  if (failed(pm.run(*copy)))
    return nullptr;
  return copy;
}

/// Compiles `module` for the host as it is written.
static std::unique_ptr<Executor> compileOnHost(OwningOpRef<ModuleOp> module, ArrayRef<Run> runs,
                                               ArrayRef<std::string> sharedLibs, bool optimize) {
  if (!module)
    return nullptr;
  std::unique_ptr<Executor> host = createCPUExecutor(sharedLibs);
  CompileOptions options;
  options.fuse = false;
  options.optimize = optimize;
  auto entries = llvm::map_to_vector(runs, [](const Run &run) { return run.entry; });
  if (failed(host->compile(*module, entries, options)))
    return nullptr;
  return host;
}

/// Short sums, of 8-bit products, have the cap of tf32 where a result's own is less.
static Precision precisionOf(Element element, bool tf32, bool shortSums) {
  switch (element) {
  case Element::F16:
    return shortSums ? Precision::TF32 : Precision::F16;
  case Element::BF16:
    return Precision::BF16;
  case Element::F64:
    return Precision::F64;
  default:
    return tf32 || shortSums ? Precision::TF32 : Precision::F32;
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

/// Judges one float result, which `facts` (there may be none) describe; prints its line. `rounded`
/// may be null.
static bool judge(unsigned index, const HostTensor &result, const HostTensor &written,
                  ArrayRef<HostTensor> reference, const HostTensor *rounded, DictionaryAttr facts,
                  bool isFused, bool isCapped, const FusionFacts &fusion) {
  std::vector<double> places, noise;
  int64_t size = result.size();
  int64_t columns = result.shape.empty() ? 1 : result.shape.back();
  if (auto bounds = facts ? facts.getAs<IntegerAttr>("bounds") : IntegerAttr()) {
    noise = reference[bounds.getInt()].toDoubles();
    places = reference[bounds.getInt() + 1].toDoubles();
    columns = facts.getAs<IntegerAttr>("columns").getInt();
  }
  noise = inOrder(std::move(noise), places);
  std::vector<double> y = inOrder(result.toDoubles(), places),
                      w = inOrder(written.toDoubles(), places),
                      ref = inOrder(reference[index].toDoubles(), places);
  AccuracyInput input;
  input.precision = precisionOf(result.element, isFused && fusion.tf32, isFused && fusion.sumsF8);
  input.columns = columns;
  input.rows = columns > 0 ? size / columns : 0;
  input.k = facts ? facts.getAs<IntegerAttr>("k").getInt() : 1;
  input.links = facts ? facts.getAs<IntegerAttr>("links").getInt() : 1;
  // A result behind more than layout and sums has bounds of its own: those of the program.
  input.isCapped = isFused && isCapped && !noise.empty();
  input.reference = ref;
  input.result = y;
  input.written = w;
  input.squaredNoise = noise;
  RoundingReport roundings;
  if (rounded && isFused)
    roundings = measureRoundings(input, inOrder(rounded->toDoubles(), places));
  // The reference lacks roundings that are asked for.
  input.isCapped &= roundings.effect <= accuracyCap(input.precision, input.k);
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
  if (report.ok && rounded && isFused) {
    llvm::outs() << " roundings=" << number(roundings.effect)
                 << " missing=" << number(roundings.missing);
    report.ok = roundings.ok;
    report.reason = "roundings of the program were skipped";
  }
  llvm::outs() << (report.ok ? " ok" : " FAIL: " + report.reason) << "\n";
  return report.ok;
}

LogicalResult Verifier::compile(ModuleOp module, ArrayRef<Run> runs,
                                ArrayRef<std::string> sharedLibs, const CompileOptions &options) {
  bool optimize = options.optimize;
  written = compileOnHost(asWritten(module, /*marked=*/false, [](PassManager &) {}), runs,
                          sharedLibs, optimize);
  if (!written)
    return failure();
  bool isRelaxed = options.fuse && options.rounding == "relaxed";
  OwningOpRef<ModuleOp> f64 = asWritten(module, isRelaxed, [](PassManager &pm) {
    pm.addPass(createPromoteToF64Pass());
    pm.addPass(createAppendBoundsPass());
  });
  if (!f64)
    return failure();
  for (const Run &run : runs)
    described[run.entry] =
        f64->lookupSymbol<func::FuncOp>(run.entry)->getAttrOfType<ArrayAttr>("ff.results");
  reference = compileOnHost(std::move(f64), runs, sharedLibs, optimize);
  if (!reference || llvm::none_of(runs, [](const Run &run) { return run.facts.strict; }))
    return success(reference != nullptr);
  OwningOpRef<ModuleOp> inSteps = asWritten(module, /*marked=*/false, [](PassManager &pm) {
    PromoteToF64PassOptions promote;
    promote.keepRoundings = true;
    pm.addPass(createPromoteToF64Pass(promote));
  });
  rounded = compileOnHost(std::move(inSteps), runs, sharedLibs, optimize);
  return success(rounded != nullptr);
}

LogicalResult Verifier::verify(const Run &run) {
  auto asWritten = written->run(run.entry, run.arguments);
  auto inF64 = reference->run(run.entry, run.arguments);
  std::vector<HostTensor> inSteps;
  if (run.facts.strict) {
    auto results = rounded->run(run.entry, run.arguments);
    if (failed(results))
      return failure();
    inSteps = std::move(*results);
  }
  if (failed(asWritten) || failed(inF64))
    return failure();
  ArrayAttr facts = described.lookup(run.entry);
  bool ok = true;
  for (auto [i, result] : llvm::enumerate(run.results)) {
    if (result.shape != (*asWritten)[i].shape || result.shape != (*inF64)[i].shape) {
      llvm::outs() << "result " << i << ": " << result.describe()
                   << " FAIL: the program as written makes " << (*asWritten)[i].describe() << "\n";
      ok = false;
    } else if (!isFloat(result.element)) {
      bool same = result.data == (*asWritten)[i].data;
      llvm::outs() << "result " << i << ": " << result.describe()
                   << (same ? " equal ok\n" : " FAIL: differs from the program as written\n");
      ok &= same;
    } else {
      ok &= judge(i, result, (*asWritten)[i], *inF64, inSteps.empty() ? nullptr : &inSteps[i],
                  facts ? cast<DictionaryAttr>(facts[i]) : DictionaryAttr(),
                  run.facts.dependsOnFused[i], run.facts.isCapped[i], run.facts);
    }
  }
  return success(ok);
}
