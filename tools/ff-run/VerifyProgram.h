//===- VerifyProgram.h - Fused against written against f64 --------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_VERIFYPROGRAM_H
#define FF_RUN_VERIFYPROGRAM_H

#include "Executor.h"

namespace ffrun {

/// Number of fused norms that ff-raise makes of `module` (which stays as it is), and for every
/// result of `entry` whether it depends on one.
struct FusionFacts {
  unsigned fused = 0;
  std::vector<bool> dependsOnFused;
  /// Whether fused operations may multiply f32 in tf32.
  bool tf32 = false;
};
mlir::FailureOr<FusionFacts> findFusion(mlir::ModuleOp module, llvm::StringRef entry,
                                        const CompileOptions &options);

/// Runs the program as written and in f64 on the host, prints one line per result, and fails if
/// `results` miss the accuracy contract.
mlir::LogicalResult verifyResults(mlir::ModuleOp module, llvm::StringRef entry,
                                  llvm::ArrayRef<std::string> sharedLibs,
                                  llvm::ArrayRef<HostTensor> arguments,
                                  llvm::ArrayRef<HostTensor> results, const FusionFacts &facts);

} // namespace ffrun

#endif // FF_RUN_VERIFYPROGRAM_H
