//===- HostProgram.cpp - Functions in the LLVM dialect, callable -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostProgram.h"

#include "MemRefCopy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace ffrun;
using namespace mlir;

namespace {

/// A memref descriptor of rank n: two pointers, an offset, n sizes and n strides.
struct Descriptor {
  explicit Descriptor(size_t rank) : words(3 + 2 * rank) {}
  std::vector<int64_t> words;
};

} // namespace

LogicalResult ffrun::report(llvm::Error error) {
  if (!error)
    return success();
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return failure();
}

static size_t bytesOfResult(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return 8 * (3 + 2 * tensor.getRank());
  return sizeOf(*elementOf(type));
}

HostProgram::HostProgram(ArrayRef<std::string> sharedLibs)
    : sharedLibs(sharedLibs.begin(), sharedLibs.end()) {}

/// What `abort` is to a program: cf.assert has printed its message and gives up.
[[noreturn]] static void stopProgram() {
  std::fflush(stdout);
  llvm::errs() << "error: the program gave up, an assertion of its own failed (cf.assert)\n";
  llvm::sys::Process::Exit(1, /*NoCleanup=*/true);
}

HostProgram::~HostProgram() = default;

void HostProgram::setEntries(ModuleOp module, ArrayRef<std::string> names) {
  for (const std::string &name : names) {
    auto func = module.lookupSymbol<func::FuncOp>(name);
    Entry &entry = entries[name];
    entry.symbol = name;
    entry.resultTypes.assign(func.getResultTypes().begin(), func.getResultTypes().end());
  }
  // A function named as one that this process has, `malloc` or `memcpy`, would be called in its
  // place by compiled code.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
    std::string old = func.getName().str();
    if (func.isExternal() || !llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(old))
      continue;
    FailureOr<StringAttr> unused = SymbolTable(module).renameToUnique(func, {});
    if (failed(unused))
      continue;
    if (auto it = entries.find(old); it != entries.end())
      it->second.symbol = unused->str();
  }
}

LogicalResult HostProgram::compile(ModuleOp module, ArrayRef<Symbol> symbols, bool optimize) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return report(builder.takeError());
  // The pipeline has vectorized what matters; -O3 would spend seconds on unrolling the rest.
  auto level = optimize ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None;
  builder->setCodeGenOptLevel(level);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return report(machine.takeError());
  auto transform =
      makeOptimizingTransformer(/*optLevel=*/optimize ? 2 : 0, /*sizeLevel=*/0, machine->get());
  SmallVector<StringRef> libraries(sharedLibs.begin(), sharedLibs.end());
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = transform;
  engineOptions.jitCodeGenOptLevel = level;
  engineOptions.sharedLibPaths = libraries;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto created = ExecutionEngine::create(module, engineOptions, std::move(*machine));
  if (!created)
    return report(created.takeError());
  engine = std::move(*created);
  // Lookups happen after this.
  engine->registerSymbols([&](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap map;
    map[intern("memrefCopy")] = {llvm::orc::ExecutorAddr::fromPtr(&copyMemRef),
                                 llvm::JITSymbolFlags::Exported};
    map[intern("abort")] = {llvm::orc::ExecutorAddr::fromPtr(&stopProgram),
                            llvm::JITSymbolFlags::Exported};
    for (const Symbol &symbol : symbols)
      map[intern(symbol.name)] = {llvm::orc::ExecutorAddr::fromPtr(symbol.address),
                                  llvm::JITSymbolFlags::Exported};
    return map;
  });
  engine->initialize();
  for (auto &entry : entries) {
    auto found = engine->lookupPacked(entry.second.symbol);
    if (!found)
      return report(found.takeError());
    entry.second.address = *found;
  }
  return success();
}

std::vector<HostTensor> HostProgram::call(StringRef name, ArrayRef<HostTensor> arguments,
                                          double &milliseconds) const {
  const Entry &entry = entries.find(name)->second;
  ArrayRef<Type> resultTypes = entry.resultTypes;
  // The packed interface takes a pointer to every word of every argument, then one to the struct
  // of the results.
  std::vector<Descriptor> descriptors;
  std::vector<void *> packed;
  std::set<int64_t> borrowed;
  descriptors.reserve(arguments.size());
  for (const HostTensor &argument : arguments) {
    if (argument.isScalar) {
      packed.push_back(const_cast<char *>(argument.data.data()));
      continue;
    }
    Descriptor &d = descriptors.emplace_back(argument.shape.size());
    d.words[0] = d.words[1] = reinterpret_cast<int64_t>(argument.data.data());
    borrowed.insert(d.words[0]);
    int64_t stride = 1;
    for (size_t rank = argument.shape.size(), i = rank; i-- > 0;) {
      d.words[3 + i] = argument.shape[i];
      d.words[3 + rank + i] = stride;
      stride *= argument.shape[i];
    }
    for (int64_t &word : d.words)
      packed.push_back(&word);
  }
  SmallVector<size_t> offsets;
  size_t size = 0;
  for (Type type : resultTypes) {
    bool isTensor = isa<RankedTensorType>(type);
    size = llvm::alignTo(size, isTensor ? 8 : bytesOfResult(type));
    offsets.push_back(size);
    size += bytesOfResult(type);
  }
  std::vector<int64_t> storage((size + 7) / 8 + 1);
  char *results = reinterpret_cast<char *>(storage.data());
  if (!resultTypes.empty())
    packed.push_back(results);

  auto start = std::chrono::steady_clock::now();
  entry.address(packed.data());
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  milliseconds = elapsed.count();

  std::vector<HostTensor> outputs;
  std::set<int64_t> owned;
  for (auto [type, offset] : llvm::zip_equal(resultTypes, offsets)) {
    HostTensor &out = outputs.emplace_back();
    auto tensor = dyn_cast<RankedTensorType>(type);
    out.element = *elementOf(tensor ? tensor.getElementType() : type);
    out.isScalar = !tensor;
    if (!tensor) {
      out.data.assign(results + offset, results + offset + sizeOf(out.element));
      continue;
    }
    Descriptor d(tensor.getRank());
    std::memcpy(d.words.data(), results + offset, 8 * d.words.size());
    out.shape.assign(d.words.begin() + 3, d.words.begin() + 3 + tensor.getRank());
    const char *from =
        reinterpret_cast<const char *>(d.words[1]) + d.words[2] * sizeOf(out.element);
    out.data.assign(from, from + out.size() * sizeOf(out.element));
    owned.insert(d.words[0]);
  }
  // Results are buffers of the caller's; 0xdeadbeef marks MLIR's constants.
  for (int64_t buffer : owned)
    if (!borrowed.count(buffer) && buffer != 0xdeadbeef)
      std::free(reinterpret_cast<void *>(buffer));
  return outputs;
}

double HostProgram::time(StringRef name, ArrayRef<HostTensor> arguments) const {
  std::vector<double> times;
  double total = 0;
  // At least 3 calls, then as many as fit in a second.
  while (times.size() < 3 || (total < 1000 && times.size() < 1000)) {
    call(name, arguments, times.emplace_back());
    total += times.back();
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}
