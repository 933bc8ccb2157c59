//===- HostProgram.h - A function in the LLVM dialect, callable ----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_HOSTPROGRAM_H
#define FF_RUN_HOSTPROGRAM_H

#include "HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace ffrun {

/// Reports `error`, if it is one, to stderr.
mlir::LogicalResult report(llvm::Error error);

/// A function that the execution engine has compiled.
class HostProgram {
public:
  /// A symbol of this process for the compiled code to call.
  struct Symbol {
    const char *name;
    void *address;
  };

  explicit HostProgram(llvm::ArrayRef<std::string> sharedLibs);
  ~HostProgram();

  /// Notes the types of `entry`'s results; before the function is lowered.
  void setEntry(mlir::ModuleOp module, llvm::StringRef entry);
  /// Compiles `module`, which is lowered to the LLVM dialect.
  mlir::LogicalResult compile(mlir::ModuleOp module, llvm::ArrayRef<Symbol> symbols = {});
  /// Calls the entry; `milliseconds` receives the time of the call alone.
  std::vector<HostTensor> call(llvm::ArrayRef<HostTensor> arguments, double &milliseconds);
  /// The median time of a call in milliseconds.
  double time(llvm::ArrayRef<HostTensor> arguments);

private:
  std::vector<std::string> sharedLibs;
  std::string entry;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  llvm::SmallVector<mlir::Type> resultTypes;
  void (*entryPoint)(void **) = nullptr;
};

} // namespace ffrun

#endif // FF_RUN_HOSTPROGRAM_H
