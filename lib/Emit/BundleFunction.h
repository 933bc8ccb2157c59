//===- BundleFunction.h - A function as a list of kernel steps ----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_EMIT_BUNDLEFUNCTION_H
#define FLASHFUSION_LIB_EMIT_BUNDLEFUNCTION_H

#include "FlashFusion/Kernel/LaunchSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace mlir::flashfusion {

/// Where a step finds an operand, seen through reshapes.
struct BundleSource {
  enum class Kind { Argument, Result, Constant, Intermediate, Number } kind;
  int64_t index = 0; ///< of the argument, result, constant or intermediate
  double number = 0; ///< a scalar known at compile time
};

struct BundleOperand {
  StringRef role;
  BundleSource source;
  Type type; ///< what the step sees: a memref, or the type of a scalar
};

/// One ff.online: a call of a function that carries an `ff.plan`.
struct BundleStep {
  StringRef name;
  LaunchPlan plan;
  SmallVector<BundleOperand> operands;
};

/// A function of the source program. Its parameters are the arguments and then
/// the results, as out-parameters.
struct BundleFunction {
  func::FuncOp func;
  SmallVector<Type> arguments, results;
  SmallVector<ElementsAttr> constants;
  SmallVector<MemRefType> intermediates;
  /// The step that writes a result or an intermediate.
  SmallVector<int64_t> resultWriter, intermediateWriter;
  std::vector<BundleStep> steps;
};

/// Whether `func` is an entry point that runs at least one fused kernel.
bool usesFusedKernels(func::FuncOp func);

/// Reads `func`. Fails, with a diagnostic, where it does anything but run fused
/// kernels on contiguous buffers.
FailureOr<BundleFunction> readBundleFunction(func::FuncOp func);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_EMIT_BUNDLEFUNCTION_H
