//===- Driver.h - The CUDA driver, loaded at run time --------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Building needs no CUDA toolkit: the few functions of the driver that are used
// are declared here and looked up in libcuda.so.1.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RUNTIME_DRIVER_H
#define FLASHFUSION_RUNTIME_DRIVER_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

namespace mlir::flashfusion::runtime {

/// An address in device memory.
using DeviceAddress = uint64_t;

namespace cuda {
using Device = int;
using Context = struct ContextOpaque *;
using Module = struct ModuleOpaque *;
using Kernel = struct KernelOpaque *;
using Stream = struct StreamOpaque *;
using Event = struct EventOpaque *;
using Graph = struct GraphOpaque *;
using GraphExec = struct GraphExecOpaque *;

/// CUtensorMap.
struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

/// CUlaunchAttribute; 64 bytes of value behind the id.
struct LaunchAttribute {
  enum Id : int { ClusterDimension = 4, ProgrammaticStreamSerialization = 6 };
  int id;
  int padding;
  unsigned value[16];
};
static_assert(sizeof(LaunchAttribute) == 72);

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

enum DeviceAttribute : int { ComputeCapabilityMajor = 75, ComputeCapabilityMinor = 76 };
enum FunctionAttribute : int { MaxDynamicSharedSize = 8, NonPortableClusterSize = 14 };
enum JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferSize = 6 };
enum TensorMapType : int { MapUInt8 = 0, MapFloat16 = 6, MapFloat32 = 7, MapBFloat16 = 9 };
} // namespace cuda

/// The driver of this machine.
class Driver {
public:
  /// Loads and initializes it, once. An error where there is none.
  static llvm::Expected<const Driver &> get();

  /// An error that names what was being `doing`, where `result` is not success.
  llvm::Error check(int result, const llvm::Twine &doing) const;

  // clang-format off
#define FLASHFUSION_CUDA_FUNCTIONS(X)                                                              \
  X(init, "cuInit", (unsigned))                                                                    \
  X(errorName, "cuGetErrorName", (int, const char **))                                             \
  X(errorString, "cuGetErrorString", (int, const char **))                                         \
  X(deviceCount, "cuDeviceGetCount", (int *))                                                      \
  X(device, "cuDeviceGet", (cuda::Device *, int))                                                  \
  X(deviceAttribute, "cuDeviceGetAttribute", (int *, cuda::DeviceAttribute, cuda::Device))          \
  X(deviceName, "cuDeviceGetName", (char *, int, cuda::Device))                                    \
  X(retainContext, "cuDevicePrimaryCtxRetain", (cuda::Context *, cuda::Device))                    \
  X(releaseContext, "cuDevicePrimaryCtxRelease_v2", (cuda::Device))                                \
  X(setContext, "cuCtxSetCurrent", (cuda::Context))                                                \
  X(synchronize, "cuCtxSynchronize", ())                                                           \
  X(allocate, "cuMemAlloc_v2", (DeviceAddress *, size_t))                                          \
  X(free, "cuMemFree_v2", (DeviceAddress))                                                         \
  X(copyToDevice, "cuMemcpyHtoD_v2", (DeviceAddress, const void *, size_t))                        \
  X(copyToHost, "cuMemcpyDtoH_v2", (void *, DeviceAddress, size_t))                                \
  X(fill8, "cuMemsetD8_v2", (DeviceAddress, unsigned char, size_t))                                \
  X(loadModule, "cuModuleLoadDataEx",                                                              \
    (cuda::Module *, const void *, unsigned, cuda::JitOption *, void **))                          \
  X(unloadModule, "cuModuleUnload", (cuda::Module))                                                \
  X(kernel, "cuModuleGetFunction", (cuda::Kernel *, cuda::Module, const char *))                   \
  X(setKernelAttribute, "cuFuncSetAttribute", (cuda::Kernel, cuda::FunctionAttribute, int))        \
  X(launch, "cuLaunchKernelEx",                                                                    \
    (const cuda::LaunchConfig *, cuda::Kernel, void **, void **))                                  \
  X(encodeTensorMap, "cuTensorMapEncodeTiled",                                                     \
    (cuda::TensorMap *, cuda::TensorMapType, uint32_t, void *, const uint64_t *,                   \
     const uint64_t *, const uint32_t *, const uint32_t *, int, int, int, int))                    \
  X(createStream, "cuStreamCreate", (cuda::Stream *, unsigned))                                    \
  X(destroyStream, "cuStreamDestroy_v2", (cuda::Stream))                                           \
  X(beginCapture, "cuStreamBeginCapture_v2", (cuda::Stream, int))                                  \
  X(endCapture, "cuStreamEndCapture", (cuda::Stream, cuda::Graph *))                               \
  X(instantiate, "cuGraphInstantiateWithFlags",                                                    \
    (cuda::GraphExec *, cuda::Graph, unsigned long long))                                          \
  X(launchGraph, "cuGraphLaunch", (cuda::GraphExec, cuda::Stream))                                 \
  X(destroyGraph, "cuGraphDestroy", (cuda::Graph))                                                 \
  X(destroyGraphExec, "cuGraphExecDestroy", (cuda::GraphExec))                                     \
  X(createEvent, "cuEventCreate", (cuda::Event *, unsigned))                                       \
  X(destroyEvent, "cuEventDestroy_v2", (cuda::Event))                                              \
  X(recordEvent, "cuEventRecord", (cuda::Event, cuda::Stream))                                     \
  X(waitForEvent, "cuEventSynchronize", (cuda::Event))                                             \
  X(elapsed, "cuEventElapsedTime", (float *, cuda::Event, cuda::Event))
#define FLASHFUSION_CUDA_DECLARE(name, symbol, parameters) int(*name) parameters = nullptr;
  FLASHFUSION_CUDA_FUNCTIONS(FLASHFUSION_CUDA_DECLARE)
#undef FLASHFUSION_CUDA_DECLARE
  // clang-format on

private:
  llvm::Error load();
};

} // namespace mlir::flashfusion::runtime

#endif // FLASHFUSION_RUNTIME_DRIVER_H
