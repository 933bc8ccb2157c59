//===- RuntimeTest.cpp - Drives the C++ runtime on a bundle ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ff-runtime-test BUNDLE [--rows=N] [--offset=N] [--function=F] [--time]: runs
// a function on arguments of zeros (scalars 0.5) and prints what comes back.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Runtime/Program.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::flashfusion::runtime;
namespace cl = llvm::cl;

static cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("bundle"));
static cl::opt<std::string> functionName("function", cl::desc("function to run"));
static cl::opt<int64_t> extent("extent", cl::init(2), cl::desc("value of unknown extents"));
static cl::opt<int64_t> offset("offset", cl::init(0), cl::desc("elements off alignment"));
static cl::opt<int> repeat("repeat", cl::init(1), cl::desc("steps launched directly"));
static cl::opt<bool> timing("time", cl::desc("also time it"));

static llvm::Error run() {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    return llvm::createFileError(file, text.getError());
  llvm::Expected<Bundle> bundle = Bundle::parse((*text)->getBuffer());
  if (!bundle)
    return bundle.takeError();
  llvm::Expected<std::unique_ptr<Device>> device = Device::open();
  if (!device)
    return device.takeError();
  llvm::Expected<std::unique_ptr<Program>> program = Program::load(**device, std::move(*bundle));
  if (!program)
    return program.takeError();
  llvm::Expected<const Function *> function = (*program)->bundle().find(functionName);
  if (!function)
    return function.takeError();
  std::vector<HostValue> arguments;
  for (const Buffer &info : (*function)->arguments) {
    HostValue &value = arguments.emplace_back();
    value.number = 0.5;
    value.shape = info.shape;
    for (int64_t &e : value.shape)
      e = e == dynamic ? extent : e;
    if (!info.scalar)
      value.bytes.assign(product(value.shape) * itemSize(info.type), '\0');
  }
  for (int i = 0; i < repeat; ++i) {
    llvm::outs() << "run\n";
    llvm::outs().flush();
    auto results = (*program)->run(**function, arguments, offset);
    if (!results)
      return results.takeError();
    for (const HostValue &result : *results) {
      llvm::outs() << "result";
      for (int64_t e : result.shape)
        llvm::outs() << " " << e;
      bool untouched = llvm::all_of(result.bytes, [](char c) { return c == '\xff'; });
      llvm::outs() << (untouched ? " all NaN\n" : "\n");
    }
  }
  llvm::outs() << "last kernel " << (*program)->lastKernel() << "\n";
  llvm::outs().flush();
  if (!timing)
    return llvm::Error::success();
  llvm::Expected<double> microseconds = (*program)->time(**function, arguments, /*dependent=*/true);
  if (!microseconds)
    return microseconds.takeError();
  llvm::outs() << llvm::format("%.2f us per call\n", *microseconds);
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv);
  if (llvm::Error error = run()) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
