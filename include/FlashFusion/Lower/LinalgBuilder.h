//===- LinalgBuilder.h - Short forms of linalg on tensors ---------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LOWER_LINALGBUILDER_H
#define FLASHFUSION_LOWER_LINALGBUILDER_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

namespace mlir::flashfusion {

/// `value` as an element of the float type `type`, rounded to nearest even where it narrows.
Value castFloat(OpBuilder &b, Location loc, Value value, Type type);

/// Builds linalg.generic operations on tensors at one location.
class LinalgBuilder {
public:
  using Body = function_ref<SmallVector<Value>(OpBuilder &, ValueRange)>;

  LinalgBuilder(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// (d0, .., d<dims>) -> (d<positions>..)
  AffineMap map(unsigned dims, ArrayRef<unsigned> positions);
  /// Where a vector is read along d<position>; at 0 if it has one element.
  AffineMap along(unsigned dims, unsigned position, Value vector);

  Value constant(Type type, double value);
  Value empty(ArrayRef<OpFoldResult> sizes, Type element);
  Value zeros(ArrayRef<OpFoldResult> sizes, Type element);

  /// A generic whose last `reductions` loops are reductions; `body` takes the elements of `ins`
  /// and `outs` and returns those to yield.
  SmallVector<Value> generic(ArrayRef<AffineMap> maps, ValueRange ins, ValueRange outs,
                             unsigned reductions, Body body);

  /// body(x) of every element x of `tensor`, as a tensor of `element`.
  Value elementwise(Value tensor, Type element, function_ref<Value(OpBuilder &, Value)> body);

  /// Every element of `tensor` in the float type `element`.
  Value cast(Value tensor, Type element);

  /// Clones the body of `region` with `args` for its arguments; returns what it yields.
  static SmallVector<Value> inlineRegion(OpBuilder &b, Region &region, ValueRange args);

private:
  OpBuilder &b;
  Location loc;
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LOWER_LINALGBUILDER_H
