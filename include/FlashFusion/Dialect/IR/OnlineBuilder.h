//===- OnlineBuilder.h - ff.online for Linears of one x ---------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DIALECT_IR_ONLINEBUILDER_H
#define FLASHFUSION_DIALECT_IR_ONLINEBUILDER_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/IR/Builders.h"

namespace mlir::flashfusion {

/// What an ff.online with one output per Linear reads.
struct OnlineInputs {
  Value x, gain, shift, eps; ///< eps: a scalar of the row region
  double gainOffset = 0.0;
  ValueRange weights, biases;
  ArrayRef<Attribute> layouts;
  ArrayRef<int64_t> biasOf;
  TypeRange types;   ///< of the results
  ValueRange scales; ///< what the sums of a Linear are multiplied by: N elements, or 1
  ArrayRef<int64_t> scaleOf;
  Value xScale; ///< what the rows of x are multiplied by: M elements, or 1
};

/// What a row region computes factors from.
struct OnlineRow {
  Block *block;
  ValueRange statistics;
  Value xScale, eps;
};

/// An ff.online whose outputs are Linears, scaled and with their biases added, in f32, as elements
/// of `types`. A scale that is one constant becomes a number of the finalizer, or of the row.
/// `buildRow` fills the block of the row region from the statistics, the scale of x (in f32; null:
/// 1) and eps (null where there is none).
OnlineOp buildOnline(OpBuilder &b, Location loc, ArrayRef<Statistic> statistics,
                     const OnlineInputs &inputs,
                     function_ref<void(OpBuilder &, const OnlineRow &)> buildRow);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_DIALECT_IR_ONLINEBUILDER_H
