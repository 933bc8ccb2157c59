//===- ff-run.cpp - Compile a function, run it, verify it ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ff-run.h"

#include "Context.h"
#include "Executor.h"
#include "Inputs.h"
#include "Npy.h"
#include "VerifyProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace ffrun;
using namespace mlir;
namespace cl = llvm::cl;

namespace {

enum class Target { Default, CPU, CUDA };
enum class Rows { Random, Hard };

/// The command line.
struct Options {
  cl::OptionCategory category{"ff-run options"};
  cl::list<std::string> inputs{cl::Positional, cl::OneOrMore,
                               cl::desc("<file.mlir>.. (- for the standard input)"),
                               cl::cat(category)};
  cl::opt<Target> target{"target", cl::desc("where to run (the default is cpu)"),
                         cl::init(Target::Default),
                         cl::values(clEnumValN(Target::CPU, "cpu", "the host"),
                                    clEnumValN(Target::CUDA, "cuda", "a CUDA device")),
                         cl::cat(category)};
  cl::opt<std::string> chip{
      "chip", cl::desc("for cuda: chip to compile for (default: the device's)"), cl::cat(category)};
  cl::opt<std::string> family{"family",
                              cl::desc("for cuda: use only this kernel family (decode, prefill, "
                                       "simt) where it can serve"),
                              cl::cat(category)};
  cl::opt<bool> tf32{"tf32", cl::desc("for cuda: f32 operands through tf32 tensor cores"),
                     cl::cat(category)};
  cl::opt<std::string> entry{"entry", cl::desc("function to run, if there are several"),
                             cl::cat(category)};
  cl::opt<bool> all{"all", cl::desc("run every public function, compiled together"),
                    cl::cat(category)};
  cl::list<std::string> shapes{
      "shape",
      cl::desc("argN:4x8x4096, extents of an argument; argN:8, the value of an index argument. "
               "Extents that must be equal follow; those that nothing decides are 8"),
      cl::cat(category)};
  cl::list<std::string> files{"input", cl::desc("argN:file.npy, contents of an argument"),
                              cl::cat(category)};
  cl::list<std::string> outputs{"output", cl::desc("resN:file.npy, where a result is written"),
                                cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("of random arguments"), cl::init(0), cl::cat(category)};
  cl::opt<Rows> rows{
      "rows", cl::desc("random rows of activations"), cl::init(Rows::Random),
      cl::values(clEnumValN(Rows::Random, "random", "normal"),
                 clEnumValN(Rows::Hard, "hard",
                            "normal, mean/std = 100, an outlier (first; amidst), zeros, near "
                            "f16's maximum, tiny")),
      cl::cat(category)};
  cl::opt<bool> verify{"verify",
                       cl::desc("also run the program as written and in f64, and exit by the "
                                "accuracy contract"),
                       cl::cat(category)};
  cl::opt<int> expectFused{"expect-fused", cl::desc("fail unless this many norms are fused"),
                           cl::init(-1), cl::cat(category)};
  cl::opt<std::string> rounding{"rounding", cl::desc("of ff-raise: relaxed or strict"),
                                cl::init("relaxed"), cl::cat(category)};
  cl::opt<bool> others{"others", cl::desc("fuse norms without a name, too (kind other)"),
                       cl::cat(category)};
  cl::opt<bool> plainLinears{"plain-linears", cl::desc("fuse Linears without a norm, too"),
                             cl::cat(category)};
  cl::opt<bool> fuseEpilogue{"fuse-epilogue",
                             cl::desc("gather what follows Linears into their kernels"),
                             cl::init(true), cl::cat(category)};
  cl::opt<bool> optimize{"optimize",
                         cl::desc("optimise code for the host (the default); =0 compiles several "
                                  "times faster, for many or small functions"),
                         cl::init(true), cl::cat(category)};
  cl::opt<bool> bench{"bench", cl::desc("print the median time of a call, and of its kernels"),
                      cl::cat(category)};
  cl::list<std::string> sharedLibs{"shared-libs", cl::desc("libraries with external functions"),
                                   cl::CommaSeparated, cl::cat(category)};
};

} // namespace

static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return failure();
}

/// The functions to run: the named one, all public ones with a body, or the only one of these
/// besides `main`.
static FailureOr<SmallVector<func::FuncOp>> findEntries(ModuleOp module, const Options &options) {
  using Entries = SmallVector<func::FuncOp>;
  if (StringRef name = options.entry; !name.empty()) {
    auto func = module.lookupSymbol<func::FuncOp>(name);
    if (!func || func.isExternal())
      return fail("the module has no function @" + name + " with a body");
    if (!func.isPublic())
      return fail("function @" + name + " is private");
    return Entries{func};
  }
  Entries candidates;
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal() && func.isPublic())
      candidates.push_back(func);
  if (options.all && !candidates.empty())
    return candidates;
  // A driver next to what it calls.
  if (candidates.size() > 1)
    llvm::erase_if(candidates, [](func::FuncOp func) { return func.getName() == "main"; });
  if (candidates.size() == 1)
    return candidates;
  if (candidates.empty())
    return fail("the module has no public function with a body");
  std::string names;
  for (func::FuncOp func : candidates)
    names += " @" + func.getName().str();
  return fail("the module has several functions, choose one by --entry or run --all:" + names);
}

static LogicalResult checkResults(func::FuncOp func) {
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!elementOf(tensor ? tensor.getElementType() : type) || (isa<ShapedType>(type) && !tensor))
      return func.emitError() << "result " << i << " has a type that ff-run cannot read: " << type;
  }
  return success();
}

/// Leaves `entries` and what they call.
static LogicalResult keepOnly(ModuleOp module, ArrayRef<func::FuncOp> entries) {
  for (auto other : module.getOps<func::FuncOp>())
    if (!llvm::is_contained(entries, other) && !other.isExternal())
      other.setPrivate();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addPass(createSymbolDCEPass());
  return pm.run(module);
}

/// An error at a call that leads back to its own function without any condition: that never ends.
static LogicalResult checkEnds(ModuleOp module) {
  for (auto start : module.getOps<func::FuncOp>()) {
    llvm::SmallPtrSet<Operation *, 8> seen;
    SmallVector<func::FuncOp> reached{start};
    while (!reached.empty()) {
      func::FuncOp func = reached.pop_back_val();
      if (func.isExternal() || !seen.insert(func).second)
        continue;
      for (auto call : func.getBody().front().getOps<func::CallOp>()) {
        auto callee = module.lookupSymbol<func::FuncOp>(call.getCalleeAttr());
        if (callee == start)
          return call.emitError() << "calls '" << start.getName() << "' again and again";
        if (callee)
          reached.push_back(callee);
      }
    }
  }
  return success();
}

/// MLIR's runner libraries, where this build's MLIR has them, after the user's.
static std::vector<std::string> allSharedLibs(const Options &options) {
  std::vector<std::string> libs(options.sharedLibs.begin(), options.sharedLibs.end());
  for (const char *name : {"libmlir_c_runner_utils.so", "libmlir_runner_utils.so"}) {
    std::string path = std::string(FF_MLIR_LIBRARY_DIR) + "/" + name;
    if (llvm::sys::fs::exists(path))
      libs.push_back(path);
  }
  return libs;
}

static LogicalResult writeOutputs(const Options &options, ArrayRef<HostTensor> results) {
  for (StringRef text : options.outputs) {
    auto [name, path] = text.split(':');
    unsigned index;
    if (!name.consume_front("res") || name.getAsInteger(10, index) || path.empty())
      return fail("--output=" + text + ": expected resN:file.npy");
    if (index >= results.size())
      return fail("--output=" + text + ": the function has " + llvm::Twine(results.size()) +
                  " results");
    if (llvm::Error error = writeNpy(path, results[index]))
      return fail(llvm::toString(std::move(error)));
  }
  return success();
}

void ffrun::printMedian(double milliseconds) {
  llvm::outs() << "median " << llvm::format("%.4f", milliseconds) << " ms\n";
}

static void printResults(ArrayRef<HostTensor> results) {
  for (auto [i, result] : llvm::enumerate(results)) {
    llvm::outs() << "result " << i << ": " << result.describe() << " [";
    for (int64_t j = 0, e = std::min<int64_t>(result.size(), 4); j < e; ++j)
      llvm::outs() << (j ? ", " : "") << llvm::format("%g", result.get(j));
    llvm::outs() << (result.size() > 4 ? ", ..]\n" : "]\n");
  }
}

/// Runs one function that `executor` has compiled, and does with it what the options say.
static LogicalResult runFunction(const Options &options, Executor &executor, Verifier *verifier,
                                 Run &run) {
  if (options.all)
    llvm::outs() << "@" << run.entry << "\n";
  llvm::outs() << "fused=" << run.facts.fused << "\n";
  if (options.expectFused >= 0 && run.facts.fused != static_cast<unsigned>(options.expectFused))
    return fail("@" + run.entry +
                ": expected fused=" + llvm::Twine(options.expectFused.getValue()));
  FailureOr<std::vector<HostTensor>> results = executor.run(run.entry, run.arguments);
  if (failed(results) || failed(writeOutputs(options, *results)))
    return failure();
  if (!verifier)
    printResults(*results);
  if (options.bench && failed(executor.bench(run.entry, run.arguments)))
    return failure();
  run.results = std::move(*results);
  return verifier ? verifier->verify(run) : success();
}

static LogicalResult runProgram(const Options &options, ModuleOp module) {
  FailureOr<SmallVector<func::FuncOp>> funcs = findEntries(module, options);
  if (failed(funcs) || llvm::any_of(*funcs, [](auto func) { return failed(checkResults(func)); }) ||
      failed(keepOnly(module, *funcs)) || failed(checkEnds(module)))
    return failure();
  for (const std::string &lib : options.sharedLibs)
    if (!llvm::sys::fs::exists(lib))
      return fail("shared library " + lib + " does not exist");
  std::vector<std::string> sharedLibs = allSharedLibs(options);

  InputOptions inputs;
  inputs.shapes.assign(options.shapes.begin(), options.shapes.end());
  inputs.files.assign(options.files.begin(), options.files.end());
  inputs.seed = options.seed;
  inputs.hardRows = options.rows == Rows::Hard;
  std::vector<Run> runs;
  std::vector<std::string> entries;
  for (func::FuncOp func : *funcs) {
    FailureOr<std::vector<HostTensor>> arguments = makeArguments(func, inputs);
    if (failed(arguments))
      return failure();
    entries.push_back(func.getName().str());
    runs.push_back({entries.back(), {}, std::move(*arguments), {}});
  }

  CompileOptions compile;
  compile.rounding = options.rounding;
  compile.plainLinears = options.plainLinears;
  compile.others = options.others;
  compile.fuseEpilogue = options.fuseEpilogue;
  compile.chip = options.chip;
  compile.family = options.family;
  compile.tf32 = options.tf32;
  compile.onGPU = options.target == Target::CUDA;
  compile.optimize = options.optimize;
  if (failed(findFusion(module, runs, compile)))
    return failure();
  std::unique_ptr<Executor> executor = options.target == Target::CUDA
                                           ? createCUDAExecutor(sharedLibs)
                                           : createCPUExecutor(sharedLibs);
  OwningOpRef<ModuleOp> program = module.clone();
  if (failed(executor->compile(*program, entries, compile)))
    return failure();
  program = nullptr;
  Verifier verifier;
  if (options.verify && failed(verifier.compile(module, runs, sharedLibs, compile)))
    return failure();
  bool ok = true;
  for (Run &run : runs)
    ok &= succeeded(runFunction(options, *executor, options.verify ? &verifier : nullptr, run));
  return success(ok);
}

static LogicalResult runFile(const Options &options, const DialectRegistry &registry,
                             StringRef path) {
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  // Attributes of other compilers' dialects change nothing here; their operations do not lower.
  context.allowUnregisteredDialects();
  std::string message;
  auto file = openInputFile(path, &message);
  if (!file)
    return fail(message);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  return runProgram(options, *module);
}

int ffrun::main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles a function of linalg (or ff) operations on tensors, runs it and verifies it.\n"
      "Several files are run one after the other; the exit status says whether all went well.\n");
  if (options.rounding != "relaxed" && options.rounding != "strict")
    return failed(fail("--rounding: expected relaxed or strict"));
  if (options.all && !(options.entry.empty() && options.shapes.empty() && options.files.empty() &&
                       options.outputs.empty()))
    return failed(fail("--all goes without --entry, --shape, --input and --output"));

  DialectRegistry registry;
  registerEverything(registry);
  bool ok = true;
  for (const std::string &path : options.inputs) {
    if (options.inputs.size() > 1)
      llvm::outs() << llvm::sys::path::filename(path) << "\n";
    ok &= succeeded(runFile(options, registry, path));
  }
  return !ok;
}
