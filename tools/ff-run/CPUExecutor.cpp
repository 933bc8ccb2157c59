//===- CPUExecutor.cpp - Programs on the host ------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "HostProgram.h"

#include "FlashFusion/Pipelines/ToCPU.h"
#include "mlir/Pass/PassManager.h"

using namespace ffrun;
using namespace mlir;

namespace {

class CPUExecutor : public Executor {
public:
  explicit CPUExecutor(ArrayRef<std::string> sharedLibs) : program(sharedLibs) {}

  LogicalResult compile(ModuleOp module, StringRef entry, const CompileOptions &options) override {
    program.setEntry(module, entry);
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    flashfusion::ToCPUOptions pipeline;
    pipeline.fuse = options.fuse;
    pipeline.rounding = options.rounding;
    pipeline.plainLinears = options.plainLinears;
    pipeline.fuseEpilogue = options.fuseEpilogue;
    flashfusion::buildToCPUPipeline(pm, pipeline);
    return failure(failed(pm.run(module)) || failed(program.compile(module)));
  }

  FailureOr<std::vector<HostTensor>> run(ArrayRef<HostTensor> arguments) override {
    double unused;
    return program.call(arguments, unused);
  }

  LogicalResult bench(ArrayRef<HostTensor> arguments) override {
    printMedian(program.time(arguments));
    return success();
  }

private:
  HostProgram program;
};

} // namespace

std::unique_ptr<Executor> ffrun::createCPUExecutor(ArrayRef<std::string> sharedLibs) {
  return std::make_unique<CPUExecutor>(sharedLibs);
}
