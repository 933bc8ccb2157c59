//===- Buffers.h - Device memory for one call ----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_RUNTIME_BUFFERS_H
#define FLASHFUSION_LIB_RUNTIME_BUFFERS_H

#include "FlashFusion/Runtime/Program.h"

namespace mlir::flashfusion::runtime {

/// Arguments and results of a function on the device, freed with this.
struct Program::Buffers {
  explicit Buffers(Device &device) : device(device) {}
  Buffers(const Buffers &) = delete;
  ~Buffers() {
    for (DeviceAddress address : owned)
      device.release(address);
  }
  llvm::Expected<DeviceAddress> add(int64_t elements, llvm::StringRef type, int64_t offset);

  Device &device;
  std::vector<Value> arguments;
  std::vector<Shape> shapes, resultShapes;
  std::vector<DeviceAddress> results, owned;
};

} // namespace mlir::flashfusion::runtime

#endif // FLASHFUSION_LIB_RUNTIME_BUFFERS_H
