//===- Launch.cpp - One kernel launch of a step -------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Runtime/Program.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir::flashfusion::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using Kind = KernelParameter::Kind;

/// Room for any kernel parameter.
union Parameter {
  uint64_t bits;
  float f32;
  double f64;
  cuda::TensorMap map;
};

static uint64_t roundTo(const llvm::fltSemantics &semantics, double number) {
  llvm::APFloat value(number);
  bool inexact;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.bitcastToAPInt().getZExtValue();
}

/// `number` as a kernel takes it: by value, in its own type.
static uint64_t scalarBits(StringRef type, double number) {
  if (type == "bf16")
    return roundTo(llvm::APFloat::BFloat(), number);
  if (type == "f16")
    return roundTo(llvm::APFloat::IEEEhalf(), number);
  if (type == "f32")
    return roundTo(llvm::APFloat::IEEEsingle(), number);
  if (type == "f64")
    return roundTo(llvm::APFloat::IEEEdouble(), number);
  return static_cast<uint64_t>(static_cast<int64_t>(number));
}

/// The tensor map that docs/bundle.md describes.
static Error encode(const Driver &api, const Twine &what, DeviceAddress address, StringRef type,
                    uint64_t rows, uint64_t cols, const KernelParameter &p, cuda::TensorMap &map) {
  if (type != "bf16" && type != "f16" && type != "f32" && type != "f8E4M3FN")
    return llvm::createStringError(what + ": no tensor maps of " + type);
  auto element = type == "bf16"  ? cuda::MapBFloat16
                 : type == "f16" ? cuda::MapFloat16
                 : type == "f32" ? cuda::MapFloat32
                                 : cuda::MapUInt8;
  uint64_t extents[] = {cols, rows}, strides[] = {cols * itemSize(type)};
  uint32_t box[] = {static_cast<uint32_t>(p.boxCols), static_cast<uint32_t>(p.boxRows)};
  uint32_t steps[] = {1, 1};
  // No interleave, 128-byte swizzle, L2 promotion of 128 bytes, zeros out of bounds.
  return api.check(api.encodeTensorMap(&map, element, 2, reinterpret_cast<void *>(address), extents,
                                       strides, box, steps, 0, 3, 2, 0),
                   what + ": encoding a tensor map of " + Twine(rows) + " x " + Twine(cols) + " " +
                       type);
}

Expected<cuda::Kernel> Program::kernel(const Launch &spec) {
  auto [entry, isNew] = kernels.try_emplace(spec.kernel, nullptr);
  if (!isNew)
    return entry->second;
  const Driver &api = device.driver();
  cuda::Kernel found = nullptr;
  Error error =
      api.check(api.kernel(&found, module, spec.kernel.c_str()), "finding kernel " + spec.kernel);
  if (!error)
    error = api.check(api.setKernelAttribute(found, cuda::MaxDynamicSharedSize, spec.sharedBytes),
                      "giving kernel " + spec.kernel + " " + Twine(spec.sharedBytes) +
                          " bytes of shared memory");
  if (!error && spec.cluster > 8)
    error = api.check(api.setKernelAttribute(found, cuda::NonPortableClusterSize, 1),
                      "allowing kernel " + spec.kernel + " large clusters");
  if (error) {
    kernels.erase(entry);
    return std::move(error);
  }
  return entry->second = found;
}

Error Program::launch(const Step &step, const Launch &spec, ArrayRef<Value> operands, int64_t rows,
                      ArrayRef<DeviceAddress> packedBuffers, cuda::Stream stream, bool dependent) {
  const Driver &api = device.driver();
  Expected<cuda::Kernel> found = kernel(spec);
  if (!found)
    return found.takeError();
  std::vector<Parameter> values(spec.parameters.size());
  std::vector<void *> pointers;
  for (auto [p, value] : llvm::zip_equal(spec.parameters, values)) {
    pointers.push_back(&value);
    switch (p.kind) {
    case Kind::Buffer:
      value.bits = operands[p.index].address;
      break;
    case Kind::Packed:
      value.bits = packedBuffers[p.index];
      break;
    case Kind::Scalar:
      value.bits = scalarBits(step.operands[p.index].type, operands[p.index].number);
      break;
    case Kind::Rows:
      value.bits = static_cast<uint64_t>(rows);
      break;
    case Kind::TensorMap: {
      const Operand &operand = step.operands[p.index];
      if (Error error = encode(api, spec.kernel, operands[p.index].address, operand.type,
                               operand.shape[0] == dynamic ? rows : operand.shape[0],
                               operand.shape[1], p, value.map))
        return error;
      break;
    }
    case Kind::PackedMap: {
      const Buffer &buffer = step.packed[p.index];
      if (Error error = encode(api, spec.kernel, packedBuffers[p.index], buffer.type,
                               buffer.shape[0], buffer.shape[1], p, value.map))
        return error;
      break;
    }
    }
  }
  cuda::LaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (spec.cluster > 1)
    attributes[count++] = {
        cuda::LaunchAttribute::ClusterDimension, 0, {static_cast<unsigned>(spec.cluster), 1, 1}};
  if (dependent)
    attributes[count++] = {cuda::LaunchAttribute::ProgrammaticStreamSerialization, 0, {1}};
  cuda::LaunchConfig config{static_cast<unsigned>(spec.blocks(rows)),
                            1,
                            1,
                            static_cast<unsigned>(spec.block),
                            1,
                            1,
                            static_cast<unsigned>(spec.sharedBytes),
                            stream,
                            attributes,
                            count};
  return api.check(api.launch(&config, *found, pointers.data(), nullptr),
                   "launching kernel " + spec.kernel);
}

Expected<ArrayRef<DeviceAddress>> Program::pack(const Step &step, ArrayRef<Value> operands,
                                                cuda::Stream stream) {
  std::vector<DeviceAddress> key;
  bool computed = false;
  for (auto [operand, value] : llvm::zip_equal(step.operands, operands)) {
    if (operand.role != "gain" && operand.role != "shift" && operand.role != "weight")
      continue;
    key.push_back(value.address);
    computed |= operand.source == Operand::Source::Result ||
                operand.source == Operand::Source::Intermediate;
  }
  Packed &entry = packed[{&step, key}];
  while (entry.buffers.size() < step.packed.size()) {
    const Buffer &buffer = step.packed[entry.buffers.size()];
    Expected<DeviceAddress> address =
        device.allocate(product(buffer.shape) * itemSize(buffer.type));
    if (!address)
      return address.takeError();
    entry.buffers.push_back(*address);
  }
  if (!entry.valid || computed) {
    for (const Launch &spec : step.pack)
      if (Error error = launch(step, spec, operands, 1, entry.buffers, stream, false))
        return std::move(error);
    // What follows may start early or run on another stream.
    if (Error error = device.synchronize())
      return std::move(error);
    entry.valid = true;
  }
  return ArrayRef<DeviceAddress>(entry.buffers);
}

Error Program::launch(const Step &step, ArrayRef<Value> operands, int64_t rows, cuda::Stream stream,
                      bool dependent) {
  if (operands.size() != step.operands.size())
    return llvm::createStringError(step.name + " has " + Twine(step.operands.size()) +
                                   " operands, not " + Twine(operands.size()));
  if (rows == 0)
    return Error::success();
  if (rows < 0 || rows > INT32_MAX)
    return llvm::createStringError(step.name + ": " + Twine(rows) + " rows are too many");
  uint64_t addresses = 0;
  for (auto [operand, value] : llvm::zip_equal(step.operands, operands))
    if (operand.role != "column" && operand.role != "x_scale" && operand.role != "scalar")
      addresses |= value.address;
  Expected<const Launch *> variant = step.choose(rows, addresses);
  if (!variant)
    return variant.takeError();
  ArrayRef<DeviceAddress> buffers;
  if ((*variant)->packed) {
    Expected<ArrayRef<DeviceAddress>> filled = pack(step, operands, stream);
    if (!filled)
      return filled.takeError();
    buffers = *filled;
  }
  last = (*variant)->kernel;
  return launch(step, **variant, operands, rows, buffers, stream,
                dependent && (*variant)->dependentLaunch);
}
