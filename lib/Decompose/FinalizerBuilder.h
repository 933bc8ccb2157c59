//===- FinalizerBuilder.h - Bodies of linalg in a finalizer -----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_DECOMPOSE_FINALIZERBUILDER_H
#define FLASHFUSION_LIB_DECOMPOSE_FINALIZERBUILDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::flashfusion {

/// Copies scalar operations into a finalizer. Arithmetic of 16-bit floats is done in f32 and
/// rounded, which is the same; a rounded activation that is widened again is not rounded where
/// `relaxed` allows that.
class FinalizerBuilder {
public:
  FinalizerBuilder(OpBuilder &b, Location loc, bool relaxed) : b(b), loc(loc), relaxed(relaxed) {}

  /// Why the body of `op` cannot be copied, as a sentence; empty if it can.
  static std::string unsupported(linalg::LinalgOp op);

  /// What the body of `op` yields for these inputs (null where the body does not use one).
  Value inlineBody(linalg::LinalgOp op, ArrayRef<Value> inputs);

  /// What a region yields for these arguments. `isRounded`: others see its values rounded, so
  /// whoever reads them further does too.
  SmallVector<Value> inlineRegion(Region &region, ArrayRef<Value> args, bool isRounded);

  /// Marks a value as depending on activations.
  void setActivation(Value value) { activations.insert(value); }

  Value constant(TypedAttr value);

private:
  Value copy(Operation *op, ArrayRef<Value> args);
  Value power(Value base, unsigned exponent);
  Value widen(Value value);
  Value narrow(Value value, Type type);
  Value note(Value value, ArrayRef<Value> from);

  OpBuilder &b;
  Location loc;
  bool relaxed;
  llvm::DenseSet<Value> activations;
  /// The f32 behind a rounded activation.
  llvm::DenseMap<Value, Value> wide;
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_DECOMPOSE_FINALIZERBUILDER_H
