//===- PromoteAccumulators.cpp - Sums of 16-bit reductions in f32 ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = linalg.matmul ins(%a, %b : bf16, bf16) outs(%c : bf16)
// becomes
//   %d = linalg.generic extf %c
//   %s = linalg.generic sum extf(a) * extf(b), from %d on      in f32
//   %r = linalg.generic truncf %s
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Verify/Passes.h"

#include "FlashFusion/Lower/LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_PROMOTEACCUMULATORSPASS
#include "FlashFusion/Verify/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

static bool is16BitFloat(Type type) { return type.isF16() || type.isBF16(); }

/// Clones `body` with 16-bit floats widened to f32; returns the yielded values.
static SmallVector<Value> cloneWide(OpBuilder &b, Block &body, ValueRange args) {
  Type f32 = b.getF32Type();
  IRMapping mapping;
  auto widen = [&](Location loc, Value v) {
    return is16BitFloat(v.getType()) ? castFloat(b, loc, v, f32) : v;
  };
  for (auto [from, to] : llvm::zip_equal(body.getArguments(), args))
    mapping.map(from, widen(from.getLoc(), to));
  for (Operation &op : body.without_terminator()) {
    for (Value operand : op.getOperands())
      if (!mapping.contains(operand) && is16BitFloat(operand.getType()))
        mapping.map(operand, widen(op.getLoc(), operand));
    // A cast between f32 and a 16-bit type is now none; rounding happens once, at the end.
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      Type to = is16BitFloat(op.getResult(0).getType()) ? f32 : op.getResult(0).getType();
      Value in = mapping.lookupOrDefault(op.getOperand(0));
      mapping.map(op.getResult(0), castFloat(b, op.getLoc(), in, to));
      continue;
    }
    if (op.hasTrait<OpTrait::ConstantLike>() && is16BitFloat(op.getResult(0).getType())) {
      mapping.map(op.getResult(0), widen(op.getLoc(), b.clone(op)->getResult(0)));
      continue;
    }
    Operation *clone = b.clone(op, mapping);
    for (Value result : clone->getResults())
      if (is16BitFloat(result.getType()))
        result.setType(f32);
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value v) { return mapping.lookupOrDefault(v); });
}

/// True if `op` reduces on tensors into 16-bit floats, with a body that widening keeps valid.
static bool needsPromotion(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0)
    return false;
  if (llvm::none_of(op.getDpsInits(),
                    [](Value v) { return is16BitFloat(getElementTypeOrSelf(v)); }))
    return false;
  // Where an encoding says how a tensor is stored, this is not to say it again.
  if (llvm::any_of(op.getDpsInits(),
                   [](Value v) { return !!cast<RankedTensorType>(v.getType()).getEncoding(); }))
    return false;
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &op) {
    return op.getNumRegions() == 0 && !isa<arith::BitcastOp>(op);
  });
}

static void promote(RewriterBase &b, linalg::LinalgOp op) {
  linalg::GenericOp generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    b.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> general = linalg::generalizeNamedOp(b, op);
    if (failed(general))
      return;
    generic = *general;
  }
  Location loc = generic.getLoc();
  b.setInsertionPoint(generic);
  LinalgBuilder build(b, loc);
  SmallVector<Value> inits;
  for (Value init : generic.getOutputs())
    inits.push_back(is16BitFloat(getElementTypeOrSelf(init)) ? build.cast(init, b.getF32Type())
                                                             : init);
  auto wide = linalg::GenericOp::create(
      b, loc, ValueRange(inits).getTypes(), generic.getInputs(), inits,
      generic.getIndexingMapsArray(), generic.getIteratorTypesArray(),
      [&](OpBuilder &nested, Location, ValueRange args) {
        linalg::YieldOp::create(nested, loc, cloneWide(nested, *generic.getBlock(), args));
      });
  SmallVector<Value> results;
  for (auto [sum, old] : llvm::zip_equal(wide.getResults(), generic.getResults()))
    results.push_back(sum.getType() == old.getType() ? Value(sum)
                                                     : build.cast(sum, getElementTypeOrSelf(old)));
  b.replaceOp(generic, results);
}

namespace {

struct PromoteAccumulatorsPass
    : flashfusion::impl::PromoteAccumulatorsPassBase<PromoteAccumulatorsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (needsPromotion(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      promote(rewriter, op);
  }
};

} // namespace
