//===- VerifyProgram.h - Fused against written against f64 --------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_VERIFYPROGRAM_H
#define FF_RUN_VERIFYPROGRAM_H

#include "Executor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringMap.h"

namespace ffrun {

/// Number of fused norms that ff-raise makes of a function and of those that it calls (the module
/// stays as it is), and for every result whether it depends on one, and whether the caps hold for
/// it: nothing behind it takes statistics that are not fused.
struct FusionFacts {
  unsigned fused = 0;
  std::vector<bool> dependsOnFused, isCapped;
  /// Whether fused operations may multiply f32 in tf32.
  bool tf32 = false;
  /// Whether tensor cores may sum up products of 8-bit factors (docs/numerics.md).
  bool sumsF8 = false;
  /// Whether the program's roundings are all honoured (rounding=strict).
  bool strict = false;
};

/// One function: what it was called with, and what came of it.
struct Run {
  std::string entry;
  FusionFacts facts;
  std::vector<HostTensor> arguments, results;
};

/// Fills `facts` of every run.
mlir::LogicalResult findFusion(mlir::ModuleOp module, llvm::MutableArrayRef<Run> runs,
                               const CompileOptions &options);

/// The program as written and in f64, on the host.
class Verifier {
public:
  /// Compiles both for all entries of `runs`.
  mlir::LogicalResult compile(mlir::ModuleOp module, llvm::ArrayRef<Run> runs,
                              llvm::ArrayRef<std::string> sharedLibs,
                              const CompileOptions &options);
  /// Runs both, prints one line per result, and fails if the results miss the accuracy contract.
  mlir::LogicalResult verify(const Run &run);

private:
  /// `rounded`: in f64 with all roundings, if one of the runs honours them.
  std::unique_ptr<Executor> written, reference, rounded;
  /// Attribute `ff.results` of the functions in f64 (ff-append-bounds).
  llvm::StringMap<mlir::ArrayAttr> described;
};

} // namespace ffrun

#endif // FF_RUN_VERIFYPROGRAM_H
