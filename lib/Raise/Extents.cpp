//===- Extents.cpp - How many elements there are ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mean over a dynamic dimension divides by an extent, which the program asks
// for and converts:
//
//   %d = tensor.dim %x, %c1 ; %i = index_cast %d ; %k = sitofp %i
//
// Extents are symbols of the tensor that they are of, found through what
// allocated the others: a sum over %h = linalg.generic outs(tensor.empty(%d)) has
// as many terms as a sum over %x.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Operations that one extent is followed through.
static constexpr unsigned kMaxChain = 64;

Poly Evaluator::extent(Value tensor, int64_t dim) {
  auto given = [&](OpFoldResult size) -> Poly {
    if (auto value = dyn_cast<Value>(size)) {
      FailureOr<Poly> poly = scalar(value);
      return succeeded(poly) ? *poly : algebra.leaf(value);
    }
    return Poly(Rational(cast<IntegerAttr>(cast<Attribute>(size)).getInt()));
  };
  for (unsigned i = 0; i < kMaxChain; ++i) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return Poly(Rational(type.getDimSize(dim)));
    Operation *op = tensor.getDefiningOp();
    if (!op || tensor == x || op->getBlock() != block)
      break;
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return given(empty.getMixedSizes()[dim]);
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      return given(expand.getMixedOutputShape()[dim]);
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      Poly product(Rational(1));
      ReassociationIndices group = collapse.getReassociationIndices()[dim];
      for (int64_t d : group)
        product = algebra.mul(product, extent(collapse.getSrc(), d));
      return product;
    }
    if (auto cast = dyn_cast<tensor::CastOp>(op);
        cast && isa<RankedTensorType>(cast.getSource().getType()))
      tensor = cast.getSource();
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      tensor = linalgOp.getDpsInitOperand(mlir::cast<OpResult>(tensor).getResultNumber())->get();
    else
      break;
  }
  return algebra.symbolicExtent(tensor, dim);
}

std::optional<Poly> Evaluator::loopCount(linalg::LinalgOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [d, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim.getPosition() == loop)
        return extent(operand.get(), d);
  }
  return std::nullopt;
}

std::optional<Poly> Evaluator::integer(Operation *op, ArrayRef<Poly> args) {
  if (args.empty())
    return std::nullopt;
  Type type = op->getResult(0).getType();
  bool wide = isa<IndexType>(type) || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 32);
  std::optional<Rational> a = args[0].getConstant();
  // An extent fits where a program puts it.
  bool isNumber = a || (wide && algebra.isCount(args[0]));
  if (isNumber && (isa<arith::SIToFPOp, arith::IndexCastOp, arith::ExtSIOp>(op) ||
                   (isa<arith::UIToFPOp, arith::ExtUIOp, arith::IndexCastUIOp>(op) &&
                    (!a || *a >= Rational(0)))))
    return args[0];
  if (args.size() != 2 || !isa<arith::MulIOp, arith::AddIOp, arith::SubIOp>(op) || !wide)
    return std::nullopt;
  if (std::optional<Rational> b = args[1].getConstant(); a && b) {
    Rational value = isa<arith::MulIOp>(op) ? *a * *b : isa<arith::AddIOp>(op) ? *a + *b : *a - *b;
    // What might wrap around is not followed.
    if (presburger::abs(value) < Rational(int64_t(1) << 31))
      return Poly(value);
    return std::nullopt;
  }
  if (isa<arith::MulIOp>(op) && algebra.isCount(args[0]) && algebra.isCount(args[1]))
    return algebra.mul(args[0], args[1]);
  return std::nullopt;
}
