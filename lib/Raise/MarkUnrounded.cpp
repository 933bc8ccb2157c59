//===- MarkUnrounded.cpp - Roundings of weights that go --------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %w = linalg.generic { %p = arith.mulf (extf %q), %s; %r = arith.truncf %p }
//   %y = linalg.matmul ins(%h, %w)
// becomes
//   %w = linalg.generic { ...; %r = arith.truncf %p {ff.unrounded} }
//   %y = linalg.matmul ins(%h, %w)
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Passes.h"

#include "FlashFusion/Raise/Match.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_MARKUNROUNDEDPASS
#include "FlashFusion/Raise/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

/// The roundings of the weight if it is factor `side` of the contraction.
static SmallVector<Operation *> findRoundings(linalg::LinalgOp op, unsigned side) {
  std::array<ContractionFactor, 2> factors = readContraction(op)->factors;
  Algebra algebra{Value()};
  Linear linear;
  linear.op = op;
  linear.h = factors[1 - side];
  linear.w = factors[side];
  Reason reason;
  SmallVector<Operation *> roundings;
  if (failed(readLoops(algebra, linear, reason)) ||
      !readQuantised(algebra, linear, /*strict=*/false, &roundings) || !linear.scale)
    return {};
  // What the contraction rounds itself.
  for (auto cast : op.getBlock()->getOps<arith::TruncFOp>()) {
    Casts casts;
    if (castKindOf(cast) == CastKind::Rounds && stripCasts(cast, casts) == linear.w.value)
      roundings.push_back(cast);
  }
  return roundings;
}

namespace {
struct MarkUnroundedPass : flashfusion::impl::MarkUnroundedPassBase<MarkUnroundedPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](linalg::LinalgOp op) {
      if (!isContraction(op))
        return;
      for (unsigned side : {0, 1})
        for (Operation *rounding : findRoundings(op, side))
          rounding->setAttr("ff.unrounded", UnitAttr::get(op.getContext()));
    });
  }
};
} // namespace
