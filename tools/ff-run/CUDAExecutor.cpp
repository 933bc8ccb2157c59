//===- CUDAExecutor.cpp - Programs on a CUDA device ------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fused kernels run on the device, whatever stands beside them on the host: the
// host code is compiled as for the target cpu, and where it would launch a
// kernel it calls back. The call copies the operands to the device, fills the
// results there with NaN, runs the pack step and the kernel, and copies the
// results back.
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "HostProgram.h"
#include "LaunchCalls.h"

#include "FlashFusion/Emit/Passes.h"
#include "FlashFusion/Lower/Passes.h"
#include "FlashFusion/Pipelines/ToCPU.h"
#include "FlashFusion/Pipelines/ToPTX.h"
#include "FlashFusion/Runtime/Program.h"
#include "FlashFusion/Target/GPUTarget.h"
#include "FlashFusion/Verify/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ffrun;
using namespace mlir;
using namespace mlir::flashfusion;
using llvm::Error;
using llvm::Expected;

/// The most capable chip that code may be compiled for, for a device of this compute capability.
static Expected<std::string> chipOf(const runtime::Device &device) {
  Expected<int> capability = device.computeCapability();
  if (!capability)
    return capability.takeError();
  std::string chip;
  for (const GPUTarget &target : getGPUTargets()) {
    int value = 0;
    StringRef number = target.chip;
    if (!number.consume_front("sm_") || number.consumeInteger(10, value))
      continue;
    // A name with a suffix is code for that one chip.
    if (number.empty() ? value <= *capability : value == *capability)
      chip = target.chip.str();
  }
  if (chip.empty())
    return llvm::createStringError(device.name() + " is older than sm_80");
  return chip;
}

namespace {

class CUDAExecutor : public Executor {
public:
  explicit CUDAExecutor(ArrayRef<std::string> sharedLibs) : host(sharedLibs) {}

  LogicalResult compile(ModuleOp module, ArrayRef<std::string> entries,
                        const CompileOptions &options) override;
  FailureOr<std::vector<HostTensor>> run(StringRef entry, ArrayRef<HostTensor> arguments) override;
  LogicalResult bench(StringRef entry, ArrayRef<HostTensor> arguments) override;

private:
  /// What compiled code calls for a launch.
  static void callBack(int64_t handle, int64_t function, int64_t words) {
    reinterpret_cast<CUDAExecutor *>(handle)->launch(function,
                                                     reinterpret_cast<const int64_t *>(words));
  }
  void launch(int64_t index, const int64_t *words);
  Error launch(const runtime::Function &function, const int64_t *words);

  HostProgram host;
  // The program gives its memory back to the device.
  std::unique_ptr<runtime::Device> device;
  std::unique_ptr<runtime::Program> kernels;
  /// Set where kernels are to be timed: their sum in microseconds.
  std::optional<double> kernelTime;
  bool isQuiet = false;
  std::string problem;
};

} // namespace

LogicalResult CUDAExecutor::compile(ModuleOp module, ArrayRef<std::string> entries,
                                    const CompileOptions &options) {
  Expected<std::unique_ptr<runtime::Device>> opened = runtime::Device::open();
  if (!opened)
    return report(opened.takeError());
  device = std::move(*opened);
  ToPTXOptions fuse;
  fuse.chip = options.chip;
  fuse.family = options.family;
  fuse.tf32 = options.tf32;
  fuse.plainLinears = options.plainLinears;
  fuse.others = options.others;
  fuse.fuseEpilogue = options.fuseEpilogue;
  if (options.chip.empty()) {
    Expected<std::string> chip = chipOf(*device);
    if (!chip)
      return report(chip.takeError());
    fuse.chip = *chip;
  }

  host.setEntries(module, entries);
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  buildFusePipeline(pm, fuse, options.rounding);
  pm.addPass(createPromoteAccumulatorsPass());
  buildBufferizeForCPUPipeline(pm, options.optimize);
  pm.addPass(createLowerToNVGPUPass());
  pm.addPass(createEmitPTXPass());
  if (failed(pm.run(module)))
    return failure();
  FailureOr<runtime::Bundle> bundle = takeLaunches(module, reinterpret_cast<int64_t>(this));
  if (failed(bundle))
    return failure();
  PassManager lower(module.getContext(), ModuleOp::getOperationName());
  buildBuffersToLLVMPipeline(lower);
  if (failed(lower.run(module)))
    return failure();

  if (!bundle->functions.empty()) {
    Expected<std::unique_ptr<runtime::Program>> loaded =
        runtime::Program::load(*device, std::move(*bundle));
    if (!loaded)
      return report(loaded.takeError());
    kernels = std::move(*loaded);
  }
  return host.compile(module,
                      {{launchCallbackName, reinterpret_cast<void *>(&CUDAExecutor::callBack)}},
                      options.optimize);
}

Error CUDAExecutor::launch(const runtime::Function &function, const int64_t *words) {
  std::vector<runtime::HostValue> arguments;
  for (const runtime::Buffer &buffer : function.arguments) {
    runtime::HostValue &value = arguments.emplace_back();
    int64_t word = *words++;
    if (buffer.scalar) {
      bool isFloat = StringRef(buffer.type).starts_with("f") || buffer.type == "bf16";
      value.number = isFloat ? llvm::bit_cast<double>(word) : static_cast<double>(word);
      continue;
    }
    value.shape.assign(words, words + buffer.shape.size());
    words += buffer.shape.size();
    value.bytes.assign(reinterpret_cast<const char *>(word),
                       runtime::product(value.shape) * runtime::itemSize(buffer.type));
  }
  int64_t rows = arguments.front().shape.front(), columns = 0;
  for (const runtime::Buffer &buffer : function.results)
    columns += buffer.shape.back();
  if (rows == 0 || columns == 0)
    return Error::success();

  Expected<std::vector<runtime::HostValue>> results = kernels->run(function, arguments);
  if (!results)
    return results.takeError();
  for (auto [buffer, value] : llvm::zip_equal(function.results, *results)) {
    auto *to = reinterpret_cast<char *>(*words++);
    if (!std::equal(value.shape.begin(), value.shape.end(), words, words + buffer.shape.size()))
      return llvm::createStringError(function.name + ": " + buffer.name + " has another shape");
    words += buffer.shape.size();
    llvm::copy(value.bytes, to);
  }
  std::string what = function.name + ": " + std::to_string(rows) + " rows by " +
                     kernels->lastKernel().str() + " on " + device->name();
  if (!kernelTime) {
    if (!isQuiet)
      llvm::outs() << what << "\n";
    return Error::success();
  }
  Expected<double> microseconds = kernels->time(function, arguments);
  if (!microseconds)
    return microseconds.takeError();
  llvm::outs() << what << ": " << llvm::format("%.2f", *microseconds) << " us\n";
  *kernelTime += *microseconds;
  return Error::success();
}

void CUDAExecutor::launch(int64_t index, const int64_t *words) {
  if (!problem.empty())
    return;
  if (Error error = launch(kernels->bundle().functions[index], words))
    problem = llvm::toString(std::move(error));
}

FailureOr<std::vector<HostTensor>> CUDAExecutor::run(StringRef entry,
                                                     ArrayRef<HostTensor> arguments) {
  double unused;
  std::vector<HostTensor> results = host.call(entry, arguments, unused);
  if (!problem.empty())
    return report(llvm::createStringError(problem));
  return results;
}

LogicalResult CUDAExecutor::bench(StringRef entry, ArrayRef<HostTensor> arguments) {
  kernelTime = 0;
  FailureOr<std::vector<HostTensor>> results = run(entry, arguments);
  double microseconds = *kernelTime;
  kernelTime.reset();
  if (failed(results))
    return failure();
  llvm::outs() << "kernels " << llvm::format("%.2f", microseconds) << " us\n";
  isQuiet = true;
  double milliseconds = host.time(entry, arguments);
  isQuiet = false;
  if (!problem.empty())
    return report(llvm::createStringError(problem));
  printMedian(milliseconds);
  return success();
}

std::unique_ptr<Executor> ffrun::createCUDAExecutor(ArrayRef<std::string> sharedLibs) {
  return std::make_unique<CUDAExecutor>(sharedLibs);
}
