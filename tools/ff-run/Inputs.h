//===- Inputs.h - Arguments of a function -------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_INPUTS_H
#define FF_RUN_INPUTS_H

#include "HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/LLVM.h"

namespace ffrun {

struct InputOptions {
  /// "arg0:4x8x4096", "arg1:32" (an index or integer argument).
  std::vector<std::string> shapes;
  /// "arg0:file.npy"
  std::vector<std::string> files;
  uint64_t seed = 0;
  /// Rows of activations also are shifted, peaked, zero, near f16's maximum, tiny; `seed` says
  /// which of these comes first.
  bool hardRows = false;
};

/// Makes every argument of `func`: from its file, or at random. Reports what is wrong with the
/// options at the function.
mlir::FailureOr<std::vector<HostTensor>> makeArguments(mlir::func::FuncOp func,
                                                       const InputOptions &options);

} // namespace ffrun

#endif // FF_RUN_INPUTS_H
