//===- Device.cpp - One GPU and its memory -----------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Runtime/Program.h"

using namespace mlir::flashfusion::runtime;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Expected<std::unique_ptr<Device>> Device::open(int ordinal) {
  Expected<const Driver &> driver = Driver::get();
  if (!driver)
    return driver.takeError();
  const Driver &api = *driver;
  int count = 0;
  if (Error error = api.check(api.deviceCount(&count), "counting the GPUs"))
    return std::move(error);
  if (ordinal < 0 || ordinal >= count)
    return llvm::createStringError("no GPU number " + Twine(ordinal) +
                                   " on this machine, which has " + Twine(count));
  cuda::Device handle = 0;
  if (Error error = api.check(api.device(&handle, ordinal), "finding GPU " + Twine(ordinal)))
    return std::move(error);
  cuda::Context context = nullptr;
  if (Error error = api.check(api.retainContext(&context, handle), "opening GPU " + Twine(ordinal)))
    return std::move(error);
  std::unique_ptr<Device> device(new Device(api, handle));
  if (Error error = api.check(api.setContext(context), "choosing GPU " + Twine(ordinal)))
    return std::move(error);
  return device;
}

Device::~Device() {
  for (DeviceAddress address : allocations)
    api.free(address);
  api.releaseContext(handle);
}

std::string Device::name() const {
  char text[256] = {};
  return api.deviceName(text, sizeof(text), handle) == 0 ? text : "unknown GPU";
}

Expected<int> Device::computeCapability() const {
  int major = 0, minor = 0;
  int result = api.deviceAttribute(&major, cuda::ComputeCapabilityMajor, handle);
  if (!result)
    result = api.deviceAttribute(&minor, cuda::ComputeCapabilityMinor, handle);
  if (Error error = api.check(result, "asking for the compute capability of " + name()))
    return std::move(error);
  return 10 * major + minor;
}

Error Device::synchronize() const { return api.check(api.synchronize(), "waiting for the GPU"); }

Expected<DeviceAddress> Device::allocate(int64_t bytes) {
  DeviceAddress address = 0;
  if (Error error = api.check(api.allocate(&address, std::max<int64_t>(bytes, 1)),
                              "allocating " + Twine(bytes) + " bytes"))
    return std::move(error);
  allocations.push_back(address);
  return address;
}

void Device::release(DeviceAddress address) {
  llvm::erase(allocations, address);
  api.free(address);
}

Error Device::upload(DeviceAddress to, StringRef bytes) const {
  if (bytes.empty())
    return Error::success();
  return api.check(api.copyToDevice(to, bytes.data(), bytes.size()), "copying to the GPU");
}

Error Device::download(llvm::MutableArrayRef<char> to, DeviceAddress from) const {
  if (to.empty())
    return Error::success();
  return api.check(api.copyToHost(to.data(), from, to.size()), "copying from the GPU");
}
