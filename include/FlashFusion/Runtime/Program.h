//===- Program.h - Running bundles on a GPU ------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RUNTIME_PROGRAM_H
#define FLASHFUSION_RUNTIME_PROGRAM_H

#include "FlashFusion/Runtime/Bundle.h"
#include "FlashFusion/Runtime/Driver.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <memory>

namespace mlir::flashfusion::runtime {

/// One GPU, opened: its primary context is current to the calling thread.
class Device {
public:
  /// An error without a driver or without such a device.
  static llvm::Expected<std::unique_ptr<Device>> open(int ordinal = 0);
  ~Device();

  const Driver &driver() const { return api; }
  std::string name() const;
  /// 90 for sm_90.
  llvm::Expected<int> computeCapability() const;
  llvm::Error synchronize() const;

  /// Device memory; 256-byte aligned, freed by `release` or with the device.
  llvm::Expected<DeviceAddress> allocate(int64_t bytes);
  void release(DeviceAddress address);
  llvm::Error upload(DeviceAddress to, llvm::StringRef bytes) const;
  llvm::Error download(llvm::MutableArrayRef<char> to, DeviceAddress from) const;

private:
  Device(const Driver &api, cuda::Device handle) : api(api), handle(handle) {}
  const Driver &api;
  cuda::Device handle;
  std::vector<DeviceAddress> allocations;
};

/// An operand of a step, or an argument: an address, or a number for scalars.
struct Value {
  DeviceAddress address = 0;
  double number = 0;
};

/// An array or a number on the host.
struct HostValue {
  Shape shape;
  std::string bytes; ///< row-major elements
  double number = 0; ///< scalars
};

/// A bundle on a device: kernels compiled, constants in place, weights packed
/// when first needed. Not thread-safe.
class Program {
public:
  static llvm::Expected<std::unique_ptr<Program>> load(Device &device, Bundle bundle);
  ~Program();

  const Bundle &bundle() const { return contents; }

  /// Queues one step on `stream`: one value per operand. Chooses the variant by
  /// rows and addresses, and packs weights that it has not packed before.
  /// `dependent`: the kernel may overlap its predecessor in the stream, which
  /// must not write the step's weights.
  llvm::Error launch(const Step &step, llvm::ArrayRef<Value> operands, int64_t rows,
                     cuda::Stream stream = nullptr, bool dependent = false);

  /// Queues a function on device memory. `shapes`: of the arguments.
  llvm::Error launch(const Function &function, llvm::ArrayRef<Value> arguments,
                     llvm::ArrayRef<Shape> shapes, llvm::ArrayRef<DeviceAddress> results,
                     cuda::Stream stream = nullptr, bool dependent = false);

  /// Weights were changed in place: pack them again at their next use.
  void repack();

  /// Copies in, runs, waits, copies the results out. Results hold NaN (all bits
  /// set) before the run, so that what no kernel writes is seen. `offset`
  /// shifts every buffer by so many elements off its alignment.
  llvm::Expected<std::vector<HostValue>>
  run(const Function &function, llvm::ArrayRef<HostValue> arguments, int64_t offset = 0);

  /// Microseconds of one call, the median over `rounds` of a captured graph of
  /// calls that rotate through copies of the arguments larger than L2.
  llvm::Expected<double> time(const Function &function, llvm::ArrayRef<HostValue> arguments,
                              bool dependent = false, int rounds = 15);

  /// Name of the kernel launched last.
  llvm::StringRef lastKernel() const { return last; }

private:
  struct Buffers;
  struct Packed {
    std::vector<DeviceAddress> buffers;
    bool valid = false;
  };
  Program(Device &device, Bundle bundle) : device(device), contents(std::move(bundle)) {}
  llvm::Error initialize();
  llvm::Expected<cuda::Kernel> kernel(const Launch &launch);
  llvm::Error launch(const Step &step, const Launch &spec, llvm::ArrayRef<Value> operands,
                     int64_t rows, llvm::ArrayRef<DeviceAddress> packedBuffers, cuda::Stream stream,
                     bool dependent);
  llvm::Expected<llvm::ArrayRef<DeviceAddress>>
  pack(const Step &step, llvm::ArrayRef<Value> operands, cuda::Stream stream);
  void dropPacked();
  /// The address of an intermediate, with room for `bytes`.
  llvm::Expected<DeviceAddress> intermediate(const Buffer &buffer, int64_t bytes);
  llvm::Error prepare(const Function &function, llvm::ArrayRef<HostValue> arguments, int64_t offset,
                      Buffers &buffers);
  llvm::Expected<cuda::GraphExec> capture(const Function &function,
                                          llvm::ArrayRef<std::unique_ptr<Buffers>> sets,
                                          bool dependent, cuda::Stream stream);

  Device &device;
  Bundle contents;
  cuda::Module module = nullptr;
  std::map<std::string, cuda::Kernel> kernels;
  std::map<const Buffer *, DeviceAddress> constants;
  std::map<const Buffer *, std::pair<DeviceAddress, int64_t>> intermediates;
  /// By step and the addresses of its gain, shift and weights.
  std::map<std::pair<const Step *, std::vector<DeviceAddress>>, Packed> packed;
  std::string last;
};

} // namespace mlir::flashfusion::runtime

#endif // FLASHFUSION_RUNTIME_PROGRAM_H
