//===- Decompose.cpp - ff.norm_linear to ff.online -------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A norm is an affine function of its row whose two factors depend on row
// statistics alone; this pass writes down which statistics, and the factors.
//
//   %y = ff.norm_linear layer_norm(%x) gain(%g) weights(%w) scales(%s) biases(%c) {eps = e}
// becomes
//   %y = ff.online(%x) gain(%g) weights(%w) columns(%s, %c) outs(%empty)
//            {statistics = [mean, variance]}
//     row { (%mean, %var): yield rsqrt(%var + e), %mean }
//     finalize { (%z, %s, %c): yield cast(%z * %s + %c) }
//
// Weights that are quantised stay so: sum_k h (q s) = (sum_k h q) s, exactly but for rounding. So
// does an x that is: of a row s q, the variance is s^2 that of q, s multiplies the scale, and the
// center is q's own:
//     row { (%mean, %var, %s): yield %s * rsqrt(%s * %s * %var + e), %mean }
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Decompose/Passes.h"

#include "FlashFusion/Cascade/FactorOut.h"
#include "FlashFusion/Dialect/IR/OnlineBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "FlashFusion/Decompose/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

static SmallVector<Statistic> statisticsOf(NormKind kind) {
  switch (kind) {
  case NormKind::RMSNorm:
    return {Statistic::MeanSquare};
  case NormKind::LayerNorm:
    return {Statistic::Mean, Statistic::Variance};
  case NormKind::L2Norm:
    return {Statistic::SumSquare};
  }
  llvm_unreachable("unknown norm");
}

/// The normalised element of x, without gain and shift, from the row's statistics.
static Value buildNormalized(OpBuilder &b, Location loc, NormLinearOp op, ValueRange statistics,
                             Value eps, Value x) {
  Value last = statistics.back();
  if (op.getKind() == NormKind::L2Norm) {
    // eps stays outside of the square root, where eps * eps might underflow.
    Value norm = math::SqrtOp::create(b, loc, last);
    return arith::DivFOp::create(b, loc, x, arith::MaximumFOp::create(b, loc, norm, eps));
  }
  Value scale = math::RsqrtOp::create(b, loc, arith::AddFOp::create(b, loc, last, eps));
  if (op.getKind() == NormKind::LayerNorm)
    x = arith::SubFOp::create(b, loc, x, statistics.front());
  return arith::MulFOp::create(b, loc, x, scale);
}

/// product(times) / product(over)
static Value multiplyAll(OpBuilder &b, Location loc, ArrayRef<Value> times, ArrayRef<Value> over) {
  Value result;
  for (Value v : times)
    result = result ? Value(arith::MulFOp::create(b, loc, result, v)) : v;
  for (Value v : over) {
    if (!result)
      result = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1.0));
    result = arith::DivFOp::create(b, loc, result, v);
  }
  return result;
}

/// Fills the row region: statistics (and eps, where it is an operand) to factors. The norm
/// is written down for an element x, and what does not vary with x leaves the sum over K:
/// the common factor is the scale, an offset beside x the center.
static void buildRow(OpBuilder &b, Location loc, NormLinearOp op, const OnlineRow &row) {
  Type f32 = b.getF32Type();
  Block *block = row.block;
  Value eps;
  if (row.eps)
    eps = convertScalarToDtype(b, loc, row.eps, f32, /*isUnsignedCast=*/false);
  else
    eps = arith::ConstantOp::create(
        b, loc, b.getF32FloatAttr(op.getEps() ? op.getEps()->convertToDouble() : 0.0));
  SmallVector<Value> statistics(row.statistics);
  if (row.xScale) {
    // The last statistic is of squares.
    Value square = arith::MulFOp::create(b, loc, row.xScale, row.xScale);
    statistics.back() = arith::MulFOp::create(b, loc, statistics.back(), square);
  }
  BlockArgument x = block->addArgument(f32, loc);
  Value normalized = buildNormalized(b, loc, op, statistics, eps, x);
  std::function<bool(Value)> isOuter = [&](Value v) {
    Operation *def = v.getDefiningOp();
    return v != x && (!def || llvm::all_of(def->getOperands(), isOuter));
  };
  FactoredSum sum = factorOut(normalized, isOuter);
  SmallVector<Value> times(sum.times);
  if (row.xScale)
    times.push_back(row.xScale);
  SmallVector<Value> factors{multiplyAll(b, loc, times, sum.over)};
  for (FactoredTerm &term : sum.terms)
    if (term.inner.empty()) {
      Value center = multiplyAll(b, loc, term.times, term.over);
      factors.push_back(term.negative ? center : Value(arith::NegFOp::create(b, loc, center)));
    }
  YieldOp::create(b, loc, factors);
  SmallVector<Operation *> onX;
  for (Operation &inner : block->without_terminator())
    if (!isOuter(inner.getResult(0)))
      onX.push_back(&inner);
  // Who listens to the builder (a driver of patterns keeps a list of what was made) has to know.
  IRRewriter rewriter(b);
  for (Operation *inner : llvm::reverse(onX))
    rewriter.eraseOp(inner);
  block->eraseArgument(x.getArgNumber());
}

namespace {

// Pattern: ff.norm_linear -> ff.online
struct DecomposeNormLinear : OpRewritePattern<NormLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NormLinearOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    OnlineOp online =
        buildOnline(rewriter, loc, statisticsOf(op.getKind()),
                    {op.getX(), op.getGain(), op.getShift(), op.getEpsValue(),
                     op.getGainOffset().convertToDouble(), op.getWeights(), op.getBiases(),
                     op.getLayouts().getValue(), op.getBiasOf(), op.getResultTypes(),
                     op.getScales(), op.getScaleOf(), op.getXScale()},
                    [&](OpBuilder &b, const OnlineRow &row) { buildRow(b, loc, op, row); });
    online->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, online);
    return success();
  }
};

} // namespace

void flashfusion::populateDecomposePatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeNormLinear>(patterns.getContext());
}

namespace {

struct DecomposePass : flashfusion::impl::DecomposePassBase<DecomposePass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposePatterns(patterns);
    // What the program computes of constants keeps its precision (ff-run's reference is in f64).
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
