//===- Program.cpp - Running the functions of a bundle ------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Buffers.h"

using namespace mlir::flashfusion::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using Source = Operand::Source;

Expected<std::unique_ptr<Program>> Program::load(Device &device, Bundle bundle) {
  std::unique_ptr<Program> program(new Program(device, std::move(bundle)));
  if (Error error = program->initialize())
    return std::move(error);
  return program;
}

Error Program::initialize() {
  const Driver &api = device.driver();
  std::string log(16384, '\0');
  cuda::JitOption options[] = {cuda::ErrorLogBuffer, cuda::ErrorLogBufferSize};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  int result = api.loadModule(&module, contents.ptx.c_str(), 2, options, values);
  StringRef text = StringRef(log.c_str()).trim();
  if (Error error = api.check(result, "compiling the bundle's PTX for " + device.name() +
                                          (text.empty() ? "" : ": " + text.str())))
    return error;
  for (const Function &function : contents.functions) {
    // Now, because a capture may not.
    for (const Step &step : function.steps)
      for (const auto *launches : {&step.variants, &step.pack})
        for (const Launch &spec : *launches)
          if (Expected<cuda::Kernel> found = kernel(spec); !found)
            return found.takeError();
    for (const Buffer &constant : function.constants) {
      Expected<DeviceAddress> address = device.allocate(constant.data.size());
      if (!address)
        return address.takeError();
      constants[&constant] = *address;
      if (Error error = device.upload(*address, constant.data))
        return error;
    }
  }
  return Error::success();
}

Program::~Program() {
  for (auto &[buffer, address] : constants)
    device.release(address);
  for (auto &[buffer, room] : intermediates)
    device.release(room.first);
  dropPacked();
  if (module)
    device.driver().unloadModule(module);
}

void Program::dropPacked() {
  for (auto &[key, entry] : packed)
    for (DeviceAddress address : entry.buffers)
      device.release(address);
  packed.clear();
}

void Program::repack() {
  for (auto &[key, entry] : packed)
    entry.valid = false;
}

Expected<DeviceAddress> Program::intermediate(const Buffer &buffer, int64_t bytes) {
  auto &[address, room] = intermediates[&buffer];
  if (address && room >= bytes)
    return address;
  if (address)
    device.release(address);
  address = 0;
  Expected<DeviceAddress> fresh = device.allocate(bytes);
  if (!fresh) {
    intermediates.erase(&buffer);
    return fresh.takeError();
  }
  address = *fresh;
  room = bytes;
  return address;
}

Error Program::launch(const Function &function, ArrayRef<Value> arguments, ArrayRef<Shape> shapes,
                      ArrayRef<DeviceAddress> results, cuda::Stream stream, bool dependent) {
  if (Error error = function.checkShapes(shapes))
    return error;
  if (arguments.size() != function.arguments.size() || results.size() != function.results.size())
    return llvm::createStringError(function.name + " takes " + Twine(function.arguments.size()) +
                                   " arguments and " + Twine(function.results.size()) + " results");
  for (unsigned i = 0, e = function.steps.size(); i < e; ++i) {
    const Step &step = function.steps[i];
    std::vector<Value> operands;
    bool computedWeights = false;
    for (const Operand &operand : step.operands) {
      Value value;
      switch (operand.source) {
      case Source::Argument:
        value = arguments[operand.index];
        break;
      case Source::Result:
        value.address = results[operand.index];
        break;
      case Source::Constant:
        value.address = constants[&function.constants[operand.index]];
        break;
      case Source::Number:
        value.number = operand.number;
        break;
      case Source::Intermediate: {
        const Buffer &buffer = function.intermediates[operand.index];
        Expected<DeviceAddress> address =
            intermediate(buffer, function.elements(buffer, shapes) * itemSize(buffer.type));
        if (!address)
          return address.takeError();
        value.address = *address;
        break;
      }
      }
      bool written = operand.source == Source::Result || operand.source == Source::Intermediate;
      computedWeights |= written && operand.role != "x" && operand.role != "tile" &&
                         operand.role != "x_scale" && operand.role != "out";
      operands.push_back(value);
    }
    // Behind another kernel of this function, which writes no weights, a kernel
    // may always start early.
    if (Error error = launch(step, operands, function.rows(i, shapes), stream,
                             i == 0 ? dependent : !computedWeights))
      return error;
  }
  return Error::success();
}

Expected<DeviceAddress> Program::Buffers::add(int64_t elements, StringRef type, int64_t offset) {
  int64_t size = itemSize(type);
  Expected<DeviceAddress> address = device.allocate((elements + offset) * size);
  if (!address)
    return address.takeError();
  owned.push_back(*address);
  return *address + offset * size;
}

Error Program::prepare(const Function &function, ArrayRef<HostValue> arguments, int64_t offset,
                       Buffers &buffers) {
  for (const HostValue &value : arguments)
    buffers.shapes.push_back(value.shape);
  if (Error error = function.checkShapes(buffers.shapes))
    return error;
  for (auto [info, value] : llvm::zip_equal(function.arguments, arguments)) {
    Value &argument = buffers.arguments.emplace_back();
    argument.number = value.number;
    if (info.scalar)
      continue;
    int64_t elements = product(value.shape);
    if (static_cast<int64_t>(value.bytes.size()) != elements * itemSize(info.type))
      return llvm::createStringError(function.name + ": " + info.name + " must hold " +
                                     Twine(elements) + " elements of type " + info.type);
    Expected<DeviceAddress> address = buffers.add(elements, info.type, offset);
    if (!address)
      return address.takeError();
    argument.address = *address;
    if (Error error = device.upload(*address, value.bytes))
      return error;
  }
  for (const Buffer &info : function.results) {
    Expected<Shape> shape = function.shapeOf(info, buffers.shapes);
    if (!shape)
      return shape.takeError();
    int64_t elements = product(*shape);
    Expected<DeviceAddress> address = buffers.add(elements, info.type, offset);
    if (!address)
      return address.takeError();
    buffers.results.push_back(*address);
    buffers.resultShapes.push_back(*shape);
    const Driver &api = device.driver();
    if (elements)
      if (Error error = api.check(api.fill8(*address, 0xFF, elements * itemSize(info.type)),
                                  "filling a result"))
        return error;
  }
  return Error::success();
}

Expected<std::vector<HostValue>> Program::run(const Function &function,
                                              ArrayRef<HostValue> arguments, int64_t offset) {
  Buffers buffers(device);
  if (Error error = prepare(function, arguments, offset, buffers))
    return std::move(error);
  if (Error error = launch(function, buffers.arguments, buffers.shapes, buffers.results))
    return std::move(error);
  if (Error error = device.synchronize())
    return std::move(error);
  std::vector<HostValue> results;
  for (auto [info, address, shape] :
       llvm::zip_equal(function.results, buffers.results, buffers.resultShapes)) {
    HostValue &result = results.emplace_back();
    result.shape = shape;
    result.bytes.resize(product(shape) * itemSize(info.type));
    if (Error error = device.download(
            llvm::MutableArrayRef<char>(result.bytes.data(), result.bytes.size()), address))
      return std::move(error);
  }
  // Other weights may have these addresses at the next run.
  dropPacked();
  return results;
}
