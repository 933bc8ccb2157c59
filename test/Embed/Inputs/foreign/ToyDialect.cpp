//===- ToyDialect.cpp - Another compiler's dialect --------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ToyDialect.h"

#include "FlashFusion/Decompose/Passes.h"
#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
namespace ff = mlir::flashfusion;

toy::ToyDialect::ToyDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<ToyDialect>()) {
  addOperations<RMSNormOp, NormProjOp>();
}

LogicalResult toy::RMSNormOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getOperand(0).getType());
  if (!type || type.getRank() != 2 || (*this)->getResult(0).getType() != type ||
      !type.getElementType().isF32())
    return emitOpError("takes and gives an f32 matrix");
  return success();
}

namespace {

// Pattern: toy.rms_norm(x, g) -> linalg.generic sum of squares, linalg.generic x * rsqrt * g
struct LowerNorm : OpRewritePattern<toy::RMSNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(toy::RMSNormOp op, PatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand(0);
    auto type = cast<RankedTensorType>(x.getType());
    Type f32 = b.getF32Type();
    AffineMap mk = b.getMultiDimIdentityMap(2);
    AffineMap m = mk.getSubMap({0}), k = mk.getSubMap({1});
    auto parallel = utils::IteratorType::parallel, reduction = utils::IteratorType::reduction;

    OpFoldResult rows = tensor::getMixedSize(b, loc, x, 0);
    Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
    Value empty = tensor::EmptyOp::create(b, loc, rows, f32);
    Value init = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
    Value squares =
        linalg::GenericOp::create(b, loc, init.getType(), x, init, ArrayRef<AffineMap>{mk, m},
                                  ArrayRef<utils::IteratorType>{parallel, reduction},
                                  [&](OpBuilder &b, Location loc, ValueRange args) {
                                    Value q = arith::MulFOp::create(b, loc, args[0], args[0]);
                                    Value s = arith::AddFOp::create(b, loc, args[1], q);
                                    linalg::YieldOp::create(b, loc, s);
                                  })
            .getResult(0);
    Value out = tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, x), f32);
    auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
      Value count = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(type.getDimSize(1)));
      Value eps = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1e-5f));
      Value mean = arith::DivFOp::create(b, loc, args[1], count);
      Value scale = math::RsqrtOp::create(b, loc, arith::AddFOp::create(b, loc, mean, eps));
      Value h = arith::MulFOp::create(b, loc, args[0], scale);
      linalg::YieldOp::create(b, loc, arith::MulFOp::create(b, loc, h, args[2]).getResult());
    };
    b.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, ValueRange{x, squares, op.getOperand(1)}, out, ArrayRef<AffineMap>{mk, m, k, mk},
        ArrayRef<utils::IteratorType>{parallel, parallel}, body);
    return success();
  }
};

// Pattern: toy.norm_proj(x, g, w) -> ff.norm_linear rms_norm(x) gain(g) weights(w)
struct LowerNormProj : OpRewritePattern<toy::NormProjOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(toy::NormProjOp op, PatternRewriter &b) const override {
    auto layout = ff::WeightLayoutAttr::get(getContext(), ff::WeightLayout::NK);
    b.replaceOpWithNewOp<ff::NormLinearOp>(
        op, op->getResultTypes(), ff::NormKindAttr::get(getContext(), ff::NormKind::RMSNorm),
        op.getOperand(0), /*x_scale=*/Value(), op.getOperand(1), /*shift=*/Value(),
        ValueRange(op.getOperand(2)),
        /*scales=*/ValueRange(), /*biases=*/ValueRange(), /*eps_value=*/Value(),
        b.getF64FloatAttr(1e-5),
        /*gain_offset=*/b.getF64FloatAttr(0), b.getArrayAttr(layout),
        /*scale_of=*/b.getDenseI64ArrayAttr({}), /*bias_of=*/b.getDenseI64ArrayAttr({}));
    return success();
  }
};

struct LowerToyPass : PassWrapper<LowerToyPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToyPass)
  StringRef getArgument() const override { return "toy-lower"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ff::FFDialect, arith::ArithDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerNorm, LowerNormProj>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

struct DecomposeHerePass : PassWrapper<DecomposeHerePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecomposeHerePass)
  StringRef getArgument() const override { return "toy-decompose"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ff::FFDialect, tensor::TensorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    ff::populateDecomposePatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> toy::createLowerToyPass() { return std::make_unique<LowerToyPass>(); }
std::unique_ptr<Pass> toy::createDecomposeHerePass() {
  return std::make_unique<DecomposeHerePass>();
}
