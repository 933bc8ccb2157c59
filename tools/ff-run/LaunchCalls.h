//===- LaunchCalls.h - Host code that hands its launches over -----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_LAUNCHCALLS_H
#define FF_RUN_LAUNCHCALLS_H

#include "FlashFusion/Runtime/Bundle.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace ffrun {

/// The function that host code calls for a launch: `handle` is what takeLaunches was given,
/// `function` an index into the bundle, `words` the address of the operands. A buffer is its
/// address and its extents; a float scalar the bits of its value as f64, another one its value.
using LaunchCallback = void (*)(int64_t handle, int64_t function, int64_t words);
constexpr const char *launchCallbackName = "__ff_run_launch";

/// Takes the kernels out of `module`, the result of ff-emit-ptx: every launch function becomes a
/// function of the bundle with one step, whose arguments are the operands that are read and whose
/// results are those that are written, and its body a call of the callback. Weights are packed by
/// the runtime, so that calls of pack functions go. The bundle is empty if there are no kernels.
mlir::FailureOr<mlir::flashfusion::runtime::Bundle> takeLaunches(mlir::ModuleOp module,
                                                                 int64_t handle);

} // namespace ffrun

#endif // FF_RUN_LAUNCHCALLS_H
