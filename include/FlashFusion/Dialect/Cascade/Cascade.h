//===- Cascade.h - The cascade dialect ----------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DIALECT_CASCADE_CASCADE_H
#define FLASHFUSION_DIALECT_CASCADE_CASCADE_H

#include "FlashFusion/Dialect/Cascade/OpKinds.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "FlashFusion/Dialect/Cascade/CascadeDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "FlashFusion/Dialect/Cascade/CascadeAttrs.h.inc"

#define GET_OP_CLASSES
#include "FlashFusion/Dialect/Cascade/CascadeOps.h.inc"

namespace mlir::flashfusion::cascade {

/// The name of the tensor that a value of a graph is: of the Einsum that writes it, of
/// the argument it is, of what a view shows. The running tensor of an iteration is the
/// tensor that the body yields for it.
std::string getTensorName(Value value);

/// A part of an Einsum's map that costs something, or its reduction.
struct MapStep {
  OpKind kind;
  /// The value in the body that it computes; null for the reduction.
  Value value;
  /// Elements of operands that it reads.
  SmallVector<unsigned> inputs;
  /// Earlier steps that it reads.
  SmallVector<unsigned> steps;
};

/// An Einsum as elementary steps, in order; casts, comparisons and constants cost
/// nothing. A product of two tensors that is summed is one step (`contract`), a
/// difference below an exponential belongs to it, and so do the parts of an activation.
SmallVector<MapStep> getMapSteps(EinsumOp einsum);

/// A tensor (or scalar) and the names of its dimensions.
struct Access {
  Value value;
  SmallVector<StringRef> ranks;
};

/// An Einsum over `reads`, its shape from theirs; every rank of `writes` must be in one of
/// them. `body` maps elements to a value, whose type is the result's element type.
EinsumOp createEinsum(OpBuilder &b, Location loc, StringRef name, ArrayRef<StringRef> writes,
                      std::optional<Reduction> reduction, ArrayRef<Access> reads,
                      function_ref<Value(OpBuilder &, ValueRange)> body, StringAttr group = {},
                      std::optional<Access> init = {});

} // namespace mlir::flashfusion::cascade

#endif // FLASHFUSION_DIALECT_CASCADE_CASCADE_H
