//===- Driver.cpp - The CUDA driver, loaded at run time ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Runtime/Driver.h"

#include "llvm/Support/DynamicLibrary.h"

using namespace mlir::flashfusion::runtime;
using llvm::Error;
using llvm::Expected;

Error Driver::load() {
  std::string reason;
  llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &reason);
  if (!library.isValid())
    return llvm::createStringError("no CUDA driver on this machine: " + reason);
#define FLASHFUSION_CUDA_LOOKUP(name, symbol, parameters)                                          \
  name = reinterpret_cast<decltype(name)>(library.getAddressOfSymbol(symbol));                     \
  if (!name)                                                                                       \
    return llvm::createStringError("the CUDA driver is too old: it has no " symbol);
  FLASHFUSION_CUDA_FUNCTIONS(FLASHFUSION_CUDA_LOOKUP)
#undef FLASHFUSION_CUDA_LOOKUP
  return check(init(0), "starting the CUDA driver");
}

Expected<const Driver &> Driver::get() {
  struct Loaded {
    Driver driver;
    std::string error;
    Loaded() {
      if (Error failed = driver.load())
        error = llvm::toString(std::move(failed));
    }
  };
  static const Loaded loaded;
  if (!loaded.error.empty())
    return llvm::createStringError(loaded.error);
  return loaded.driver;
}

Error Driver::check(int result, const llvm::Twine &doing) const {
  if (result == 0)
    return Error::success();
  const char *label = nullptr, *text = nullptr;
  errorName(result, &label);
  errorString(result, &text);
  std::string reason = label ? label : "unknown error";
  if (text)
    reason += std::string(" (") + text + ")";
  return llvm::createStringError(doing + ": " + reason);
}
