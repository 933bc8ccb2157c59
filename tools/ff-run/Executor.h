//===- Executor.h - Machines that run programs --------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_EXECUTOR_H
#define FF_RUN_EXECUTOR_H

#include "HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include <memory>
#include <string>

namespace ffrun {

/// How a program is to be compiled.
struct CompileOptions {
  /// Raise and fuse norms; otherwise the program runs as it is written.
  bool fuse = true;
  /// For the host: optimise, or compile fast.
  bool optimize = true;
  std::string rounding = "relaxed";
  /// Raise norms without a name, and Linears without a norm, too; gather what follows Linears into
  /// their finalizers.
  bool others = false, plainLinears = false, fuseEpilogue = true;
  /// Of a CUDA device: the chip (empty: the device's), the kernel family to prefer, and whether
  /// f32 operands may go through tf32 tensor cores.
  std::string chip, family;
  bool tf32 = false;
  bool onGPU = false;
};

/// Compiles functions of a module and runs them on host arrays. Failures have been reported to the
/// module's context or to stderr.
class Executor {
public:
  virtual ~Executor() = default;

  /// Takes a module of linalg (or ff) operations on tensors; it is consumed.
  virtual mlir::LogicalResult compile(mlir::ModuleOp module, llvm::ArrayRef<std::string> entries,
                                      const CompileOptions &options) = 0;

  virtual mlir::FailureOr<std::vector<HostTensor>> run(llvm::StringRef entry,
                                                       llvm::ArrayRef<HostTensor> arguments) = 0;

  /// Prints how long the call takes.
  virtual mlir::LogicalResult bench(llvm::StringRef entry,
                                    llvm::ArrayRef<HostTensor> arguments) = 0;
};

/// The host, through MLIR's execution engine. `sharedLibs` are searched for external functions.
std::unique_ptr<Executor> createCPUExecutor(llvm::ArrayRef<std::string> sharedLibs);

/// Fused kernels on the first CUDA device, the rest of the program on the host.
std::unique_ptr<Executor> createCUDAExecutor(llvm::ArrayRef<std::string> sharedLibs);

/// "median 1.2345 ms"
void printMedian(double milliseconds);

} // namespace ffrun

#endif // FF_RUN_EXECUTOR_H
