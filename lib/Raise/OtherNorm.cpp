//===- OtherNorm.cpp - Norms without a name as ff.online -------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   h = 2 (x - mean) / sqrt(var K / (K - 1) + eps)
// becomes, in front of its Linears,
//   ff.online(%x) ... {statistics = [mean, variance]} row { (%mean, %var):
//     %b = %var * (K / (K - 1)) + eps
//     yield 2 * rsqrt(%b), %mean
//   }
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// The statistics of the norm, in the order of the region's arguments.
static SmallVector<Statistic> statisticsOf(const OtherNorm &other) {
  if (other.isL2)
    return {Statistic::SumSquare};
  SmallVector<Statistic> statistics{other.isVariance ? Statistic::Variance : Statistic::MeanSquare};
  if (other.meanSquared != Rational(0) || other.center != Rational(0))
    statistics.push_back(Statistic::Mean);
  return statistics;
}

static void buildRow(OpBuilder &b, Location loc, const Norm &norm, const OnlineRow &row) {
  const OtherNorm &other = *norm.other;
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(static_cast<float>(value)));
  };
  auto times = [&](Value value, const Rational &factor) -> Value {
    return factor == Rational(1) ? value
                                 : arith::MulFOp::create(b, loc, value, constant(toDouble(factor)));
  };
  // The row is that of x times xScale, the statistics are those of x.
  auto scaled = [&](Value value) -> Value {
    return row.xScale ? arith::MulFOp::create(b, loc, value, row.xScale) : value;
  };
  ValueRange args = row.statistics;
  Value squares = row.xScale ? scaled(scaled(args[0])) : args[0];
  Value eps = row.eps ? convertScalarToDtype(b, loc, row.eps, b.getF32Type(), false)
                      : constant(toDouble(norm.eps.getConstant().value_or(Rational(0))));
  if (other.isL2) {
    Value length = math::SqrtOp::create(b, loc, squares);
    Value bounded = arith::MaximumFOp::create(b, loc, length, eps);
    Value factor = scaled(constant(toDouble(other.factor)));
    YieldOp::create(b, loc, ValueRange{arith::DivFOp::create(b, loc, factor, bounded)});
    return;
  }
  Value sum = times(squares, other.square);
  if (other.meanSquared != Rational(0)) {
    Value mean = scaled(args[1]);
    Value square = arith::MulFOp::create(b, loc, mean, mean);
    sum = arith::AddFOp::create(b, loc, sum, times(square, other.meanSquared));
  }
  Value root = math::RsqrtOp::create(b, loc, arith::AddFOp::create(b, loc, sum, eps));
  SmallVector<Value> factors{scaled(times(root, other.factor))};
  if (other.center != Rational(0))
    factors.push_back(times(args[1], other.center));
  YieldOp::create(b, loc, factors);
}

OnlineOp flashfusion::emitOther(OpBuilder &b, Location loc, const Norm &norm,
                                const OnlineInputs &inputs) {
  return buildOnline(b, loc, statisticsOf(*norm.other), inputs,
                     [&](OpBuilder &b, const OnlineRow &row) { buildRow(b, loc, norm, row); });
}
