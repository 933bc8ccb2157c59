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

  LogicalResult compile(ModuleOp module, ArrayRef<std::string> entries,
                        const CompileOptions &options) override {
    program.setEntries(module, entries);
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    flashfusion::ToCPUOptions pipeline;
    pipeline.fuse = options.fuse;
    pipeline.rounding = options.rounding;
    pipeline.plainLinears = options.plainLinears;
    pipeline.others = options.others;
    pipeline.fuseEpilogue = options.fuseEpilogue;
    // Sums in one chain would miss what docs/numerics.md says of fused results in f32.
    pipeline.vectorize = options.optimize || options.fuse;
    flashfusion::buildToCPUPipeline(pm, pipeline);
    return failure(failed(pm.run(module)) || failed(program.compile(module, {}, options.optimize)));
  }

  FailureOr<std::vector<HostTensor>> run(StringRef entry, ArrayRef<HostTensor> arguments) override {
    double unused;
    return program.call(entry, arguments, unused);
  }

  LogicalResult bench(StringRef entry, ArrayRef<HostTensor> arguments) override {
    printMedian(program.time(entry, arguments));
    return success();
  }

private:
  HostProgram program;
};

} // namespace

std::unique_ptr<Executor> ffrun::createCPUExecutor(ArrayRef<std::string> sharedLibs) {
  return std::make_unique<CPUExecutor>(sharedLibs);
}
