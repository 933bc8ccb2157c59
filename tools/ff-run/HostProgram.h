//===- HostProgram.h - Functions in the LLVM dialect, callable -----*- C++ -*-===//
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
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace ffrun {

/// Reports `error`, if it is one, to stderr.
mlir::LogicalResult report(llvm::Error error);

/// Functions that the execution engine has compiled.
class HostProgram {
public:
  /// A symbol of this process for the compiled code to call.
  struct Symbol {
    const char *name;
    void *address;
  };

  explicit HostProgram(llvm::ArrayRef<std::string> sharedLibs);
  ~HostProgram();

  /// Notes the types of the entries' results; before the functions are lowered.
  void setEntries(mlir::ModuleOp module, llvm::ArrayRef<std::string> names);
  /// Compiles `module`, which is lowered to the LLVM dialect.
  mlir::LogicalResult compile(mlir::ModuleOp module, llvm::ArrayRef<Symbol> symbols, bool optimize);
  /// Calls an entry; `milliseconds` receives the time of the call alone.
  std::vector<HostTensor> call(llvm::StringRef name, llvm::ArrayRef<HostTensor> arguments,
                               double &milliseconds) const;
  /// The median time of a call in milliseconds.
  double time(llvm::StringRef name, llvm::ArrayRef<HostTensor> arguments) const;

private:
  struct Entry {
    std::string symbol;
    llvm::SmallVector<mlir::Type> resultTypes;
    void (*address)(void **) = nullptr;
  };

  std::vector<std::string> sharedLibs;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  llvm::StringMap<Entry> entries;
};

} // namespace ffrun

#endif // FF_RUN_HOSTPROGRAM_H
