//===- Scalars.cpp - Scalar operations as expressions ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roundings of activations are erased (the pass option `rounding` decides
// whether that is allowed); casts of constants round, casts of weights and
// quantisations are kept.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cmath>

using namespace mlir;
using namespace mlir::flashfusion;

/// `value` rounded to `type`, to nearest even.
static std::optional<Rational> roundTo(double value, FloatType type) {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return toRational(rounded);
}

Poly Evaluator::snap(const Poly &poly, Type type) {
  std::optional<Rational> c = poly.getConstant();
  auto floatType = dyn_cast<FloatType>(type);
  if (!c || !floatType || k <= 1 || *c == Rational(k) || *c == Rational(1))
    return poly;
  auto matches = [&](double exact) {
    // f64 programs often hold a reciprocal that was computed in f32.
    Builder b(type.getContext());
    return roundTo(exact, floatType) == *c ||
           (floatType.getWidth() == 64 && roundTo(exact, b.getF32Type()) == *c);
  };
  if (matches(k))
    return Poly(Rational(k));
  if (matches(1.0 / k))
    return Poly(Rational(1, k));
  if (matches(std::sqrt(static_cast<double>(k))))
    return algebra.pow(Poly(Rational(k)), Exponent::get(1, 2));
  if (matches(1.0 / std::sqrt(static_cast<double>(k))))
    return algebra.pow(Poly(Rational(k)), Exponent::get(-1, 2));
  return poly;
}

Poly Evaluator::commutative(StringRef name, Type type, Poly a, Poly b) {
  if (a == b)
    return a;
  if (b.terms < a.terms)
    std::swap(a, b);
  return algebra.func(name, Type(), Attribute(), {a, b});
}

FailureOr<Poly> Evaluator::operation(Operation *op, Value value, Frame *frame) {
  // An infinity, or the like. What stands in a body is no value elsewhere.
  auto notANumber = [&](Attribute constant) {
    return frame ? algebra.func("constant", value.getType(), constant, {}) : algebra.leaf(value);
  };
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant))) {
    if (auto attr = dyn_cast<FloatAttr>(constant))
      if (std::optional<Rational> c = toRational(attr.getValue()))
        return Poly(*c);
    if (auto attr = dyn_cast<IntegerAttr>(constant))
      if (attr.getValue().getSignificantBits() <= 64)
        return Poly(Rational(attr.getValue().getSExtValue()));
    return notANumber(constant);
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    if (type && index && *index >= 0 && *index < type.getRank())
      return extent(dim.getSource(), *index);
    if (frame)
      return fail("unsupported-access", "a dimension that is not known is asked for");
    return algebra.leaf(value);
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    auto type = extract.getTensor().getType();
    if (type.hasStaticShape() && type.getNumElements() == 1)
      return read(extract.getTensor(), Access(type.getRank()));
    if (frame)
      return fail("unsupported-access", "an element is gathered from a tensor");
    return algebra.leaf(value);
  }
  // Without a side effect, a scalar from elsewhere is a number like any other.
  if (op->getNumRegions() > 0 || op->getNumResults() != 1 || !isMemoryEffectFree(op)) {
    if (frame)
      return fail("unsupported-op", "'" + op->getName().getStringRef() +
                                        "' stands between the norm and the contraction");
    return algebra.leaf(value);
  }

  std::vector<Poly> args;
  for (Value operand : op->getOperands()) {
    FailureOr<Poly> arg = scalar(operand, frame);
    if (failed(arg))
      return failure();
    args.push_back(*arg);
  }
  Type type = value.getType();
  bool activation = llvm::any_of(args, [&](const Poly &arg) { return isActivation(arg); });
  if (activation && isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32 &&
      !isa<arith::ExtFOp>(op))
    narrow = true;

  if (isa<arith::AddFOp>(op))
    return algebra.add(args[0], args[1]);
  if (isa<arith::SubFOp>(op))
    return algebra.sub(args[0], args[1]);
  if (isa<arith::NegFOp>(op))
    return args[0].scaled(Rational(-1));
  if (isa<arith::MulFOp>(op))
    return algebra.mul(snap(args[0], type), snap(args[1], type));
  if (isa<arith::DivFOp>(op))
    return algebra.mul(args[0], algebra.pow(snap(args[1], type), Exponent::get(-1)));
  if (isa<math::FmaOp>(op))
    return algebra.add(algebra.mul(snap(args[0], type), snap(args[1], type)), args[2]);
  if (isa<math::SqrtOp>(op))
    return algebra.pow(args[0], Exponent::get(1, 2));
  if (isa<math::RsqrtOp>(op))
    return algebra.pow(args[0], Exponent::get(-1, 2));
  if (isa<math::PowFOp, math::FPowIOp>(op)) {
    std::optional<Rational> e = args[1].getConstant();
    if (e && presburger::abs(*e) <= Rational(8) && e->den <= 8)
      return algebra.pow(args[0],
                         Exponent::get(static_cast<int64_t>(e->num), static_cast<int64_t>(e->den)));
    return algebra.func("pow", Type(), Attribute(), args);
  }
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
    // Rounding may make a one-pass variance negative: max(0, var) = var.
    for (unsigned i : {0, 1})
      if (args[i].isZero() && algebra.isNonNegative(args[1 - i]))
        return args[1 - i];
    return commutative("max", type, args[0], args[1]);
  }
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
    return commutative("min", type, args[0], args[1]);
  // select(a < b, b, a) is a maximum.
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (auto cmp = select.getCondition().getDefiningOp<arith::CmpFOp>()) {
      using P = arith::CmpFPredicate;
      bool less = llvm::is_contained({P::OLT, P::OLE, P::ULT, P::ULE}, cmp.getPredicate());
      bool greater = llvm::is_contained({P::OGT, P::OGE, P::UGT, P::UGE}, cmp.getPredicate());
      bool straight =
          select.getTrueValue() == cmp.getLhs() && select.getFalseValue() == cmp.getRhs();
      bool crossed =
          select.getTrueValue() == cmp.getRhs() && select.getFalseValue() == cmp.getLhs();
      if ((less || greater) && (straight || crossed))
        return commutative(less == crossed ? "max" : "min", type, args[1], args[2]);
    }
  if (isa<arith::ExtFOp>(op))
    return args[0];
  if (auto trunc = dyn_cast<arith::TruncFOp>(op)) {
    if (std::optional<Rational> c = args[0].getConstant(); c && !trunc.getRoundingmode()) {
      if (std::optional<Rational> rounded = roundTo(toDouble(*c), cast<FloatType>(type)))
        return Poly(*rounded);
      if (!frame)
        return algebra.leaf(value);
    }
    if (activation && castKindOf(op) != CastKind::Quantises)
      return args[0];
    if (!frame && !isa<ShapedType>(type))
      return algebra.leaf(value);
  }
  if (std::optional<Poly> number = integer(op, args))
    return *number;
  return algebra.func(op->getName().getStringRef(), type, op->getAttrDictionary(), args);
}
