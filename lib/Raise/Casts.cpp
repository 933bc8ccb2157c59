//===- Casts.cpp - What a cast of an activation means ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   extf bf16 -> f32, truncf f64 -> f32     nothing
//   truncf f32 -> bf16                      a rounding
//   truncf f32 -> f8E4M3FN                  a quantisation
//   truncf toward_zero f32 -> bf16          a quantisation
//
// The one place that says so: the algebra (Scalars.cpp), the bodies of
// contractions (Views.cpp) and epilogues (Linear.cpp) ask here.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Casts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;

std::optional<CastKind> flashfusion::castKindOf(Operation *op) {
  if (isa<arith::ExtFOp>(op))
    return CastKind::Keeps;
  auto trunc = dyn_cast<arith::TruncFOp>(op);
  if (!trunc)
    return std::nullopt;
  auto type = dyn_cast<FloatType>(trunc.getType());
  if (!type || type.getWidth() < 16 ||
      trunc.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
          arith::RoundingMode::to_nearest_even)
    return CastKind::Quantises;
  return type.getWidth() < 32 ? CastKind::Rounds : CastKind::Keeps;
}

Value flashfusion::stripCasts(Value value, Casts &casts) {
  while (Operation *op = value.getDefiningOp()) {
    std::optional<CastKind> kind = castKindOf(op);
    if (!kind)
      break;
    casts.round |= kind == CastKind::Rounds;
    casts.quantise |= kind == CastKind::Quantises;
    value = op->getOperand(0);
  }
  return value;
}
