//===- CUDAExecutor.cpp - Programs on a CUDA device ------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles to a bundle and runs that, so that what is verified is what users
// load.
//
//===----------------------------------------------------------------------===//
#include "Executor.h"

#include "FlashFusion/Emit/Artifacts.h"
#include "FlashFusion/Pipelines/ToPTX.h"
#include "FlashFusion/Runtime/Program.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace ffrun;
using namespace mlir;
using namespace mlir::flashfusion;

static LogicalResult report(llvm::Error error) {
  if (!error)
    return success();
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return failure();
}

static runtime::HostValue toHostValue(const HostTensor &tensor) {
  runtime::HostValue value;
  value.shape.assign(tensor.shape.begin(), tensor.shape.end());
  if (tensor.isScalar)
    value.number = tensor.get(0);
  else
    value.bytes.assign(tensor.data.begin(), tensor.data.end());
  return value;
}

static std::optional<Element> elementNamed(StringRef name) {
  for (Element e : {Element::F16, Element::BF16, Element::F32, Element::F64, Element::I1,
                    Element::I8, Element::I16, Element::I32, Element::I64})
    if (name == nameOf(e))
      return e;
  return std::nullopt;
}

namespace {

class CUDAExecutor : public Executor {
public:
  explicit CUDAExecutor(StringRef chip) : chip(chip) {}

  LogicalResult compile(ModuleOp module, StringRef entry, const CompileOptions &options) override {
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    ToPTXOptions pipeline;
    pipeline.chip = chip;
    buildToPTXPipeline(pm, pipeline);
    std::string json;
    llvm::raw_string_ostream stream(json);
    if (failed(pm.run(module)) || failed(printBundle(module, stream)))
      return failure();
    llvm::Expected<runtime::Bundle> bundle = runtime::Bundle::parse(json);
    if (!bundle)
      return report(bundle.takeError());
    auto opened = runtime::Device::open();
    if (!opened)
      return report(opened.takeError());
    device = std::move(*opened);
    auto loaded = runtime::Program::load(*device, std::move(*bundle));
    if (!loaded)
      return report(loaded.takeError());
    program = std::move(*loaded);
    auto found = program->bundle().find(entry);
    if (!found)
      return report(found.takeError());
    function = *found;
    return success();
  }

  FailureOr<std::vector<HostTensor>> run(ArrayRef<HostTensor> arguments) override {
    auto results = program->run(*function, toHostValues(arguments));
    if (!results)
      return report(results.takeError());
    std::vector<HostTensor> outputs;
    for (auto [value, buffer] : llvm::zip_equal(*results, function->results)) {
      std::optional<Element> element = elementNamed(buffer.type);
      if (!element)
        return report(llvm::createStringError("result of unknown type " + buffer.type));
      HostTensor &out = outputs.emplace_back();
      out.element = *element;
      out.shape.assign(value.shape.begin(), value.shape.end());
      out.data.assign(value.bytes.begin(), value.bytes.end());
    }
    return outputs;
  }

  FailureOr<double> time(ArrayRef<HostTensor> arguments) override {
    llvm::Expected<double> microseconds = program->time(*function, toHostValues(arguments));
    if (!microseconds)
      return report(microseconds.takeError());
    return *microseconds / 1000;
  }

private:
  static std::vector<runtime::HostValue> toHostValues(ArrayRef<HostTensor> arguments) {
    std::vector<runtime::HostValue> values;
    for (const HostTensor &argument : arguments)
      values.push_back(toHostValue(argument));
    return values;
  }

  std::string chip;
  std::unique_ptr<runtime::Device> device;
  std::unique_ptr<runtime::Program> program;
  const runtime::Function *function = nullptr;
};

} // namespace

std::unique_ptr<Executor> ffrun::createCUDAExecutor(StringRef chip) {
  return std::make_unique<CUDAExecutor>(chip);
}
