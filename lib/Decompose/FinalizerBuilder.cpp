//===- FinalizerBuilder.cpp - Bodies of linalg in a finalizer --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %e = math.exp %x : bf16
// becomes
//   %w = arith.extf %x : bf16 to f32        (or what %x was rounded from)
//   %e = math.exp %w : f32
//   %r = arith.truncf %e : f32 to bf16
//
//===----------------------------------------------------------------------===//
#include "FinalizerBuilder.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::flashfusion;

static bool isSupported(Type type) {
  return type.isF32() || type.isF16() || type.isBF16() || type.isInteger(1);
}

/// The exponent of a power that is a short product.
static std::optional<unsigned> smallExponent(Operation *op) {
  if (!isa<math::PowFOp, math::FPowIOp>(op))
    return std::nullopt;
  Attribute attr;
  if (!matchPattern(op->getOperand(1), m_Constant(&attr)))
    return std::nullopt;
  for (unsigned exponent : {2, 3, 4}) {
    if (auto real = dyn_cast<FloatAttr>(attr); real && real.getValueAsDouble() == exponent)
      return exponent;
    if (auto integer = dyn_cast<IntegerAttr>(attr); integer && integer.getValue() == exponent)
      return exponent;
  }
  return std::nullopt;
}

static bool isCopied(Operation *op) {
  return smallExponent(op) ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::CmpFOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, math::ExpOp, math::Exp2Op, math::TanhOp, math::ErfOp,
             math::SqrtOp, math::RsqrtOp, math::AbsFOp, math::FloorOp, math::CeilOp, math::TruncOp,
             math::RoundEvenOp, math::CopySignOp, math::FmaOp>(op);
}

static FloatAttr foldConstant(Value value, Type type) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return {};
  auto number = dyn_cast<FloatAttr>(attr);
  if (!number)
    return {};
  APFloat rounded = number.getValue();
  bool loses;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return FloatAttr::get(type, rounded);
}

/// A cast of a number that is known.
static FloatAttr foldCast(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp>(op) || !isSupported(op->getResult(0).getType()))
    return {};
  return foldConstant(op->getOperand(0), op->getResult(0).getType());
}

std::string FinalizerBuilder::unsupported(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  auto inside = [&](Value value) {
    if (value.getParentBlock() == body)
      return true;
    Attribute attr;
    return matchPattern(value, m_Constant(&attr));
  };
  for (Operation &nested : *body) {
    if (isa<arith::ConstantOp>(nested))
      continue;
    if (!llvm::all_of(nested.getOperands(), inside))
      return "its body uses a value from outside that is not a constant";
    if (foldCast(&nested) || nested.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (!isCopied(&nested))
      return "'" + nested.getName().getStringRef().str() + "' has no place in a finalizer";
    auto operands = nested.getOperands().take_front(smallExponent(&nested) ? 1 : 3);
    if (!isSupported(nested.getResult(0).getType()) ||
        !llvm::all_of(operands, [](Value v) { return isSupported(v.getType()); }))
      return "'" + nested.getName().getStringRef().str() +
             "' has operands or results other than f16, bf16 and f32";
  }
  return "";
}

Value FinalizerBuilder::constant(TypedAttr value) {
  return arith::ConstantOp::create(b, loc, value);
}

Value FinalizerBuilder::note(Value value, ArrayRef<Value> from) {
  if (llvm::any_of(from, [&](Value v) { return activations.contains(v); }))
    activations.insert(value);
  return value;
}

Value FinalizerBuilder::widen(Value value) {
  Type f32 = b.getF32Type();
  if (!isa<FloatType>(value.getType()) || value.getType() == f32)
    return value;
  if (Value source = wide.lookup(value))
    return source;
  if (FloatAttr known = foldConstant(value, f32))
    return constant(known);
  return note(arith::ExtFOp::create(b, loc, f32, value), value);
}

Value FinalizerBuilder::narrow(Value value, Type type) {
  if (value.getType() == type)
    return value;
  Value rounded = note(arith::TruncFOp::create(b, loc, type, value), value);
  if (relaxed && activations.contains(value))
    wide[rounded] = value;
  return rounded;
}

Value FinalizerBuilder::power(Value base, unsigned exponent) {
  Value square = arith::MulFOp::create(b, loc, base, base);
  if (exponent == 2)
    return square;
  return arith::MulFOp::create(b, loc, square, exponent == 3 ? base : square);
}

/// `op` on `args`, of which a power needs the first only.
Value FinalizerBuilder::copy(Operation *op, ArrayRef<Value> args) {
  Type type = op->getResult(0).getType();
  SmallVector<Value> in;
  if (isa<arith::SelectOp>(op))
    llvm::append_range(in, args);
  else
    for (Value arg : args)
      in.push_back(widen(arg));
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return narrow(in[0], type);
  if (std::optional<unsigned> exponent = smallExponent(op))
    return narrow(note(power(in[0], *exponent), args), type);
  bool isRounded = isa<FloatType>(type) && !isa<arith::SelectOp>(op);
  OperationState state(loc, op->getName(), in, isRounded ? TypeRange(b.getF32Type()) : type,
                       op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  Operation *copied = b.create(state);
  // The exact division takes many instructions and a branch on a GPU.
  if (auto div = dyn_cast<arith::DivFOp>(copied); div && relaxed)
    div.setFastmath(div.getFastmath() | arith::FastMathFlags::afn);
  Value result = note(copied->getResult(0), args);
  return isRounded ? narrow(result, type) : result;
}

Value FinalizerBuilder::inlineBody(linalg::LinalgOp op, ArrayRef<Value> inputs) {
  IRMapping map;
  for (auto [operand, input] : llvm::zip_equal(op.getDpsInputOperands(), inputs))
    if (input)
      map.map(op.getMatchingBlockArgument(operand), input);
  auto lookUp = [&](Value value) {
    if (Value mapped = map.lookupOrNull(value))
      return mapped;
    Attribute attr;
    bool known = matchPattern(value, m_Constant(&attr));
    assert(known && "the body was checked");
    (void)known;
    map.map(value, constant(cast<TypedAttr>(attr)));
    return map.lookup(value);
  };
  for (Operation &nested : op.getBlock()->without_terminator()) {
    if (isa<arith::ConstantOp>(nested))
      continue; // where it is used
    if (FloatAttr known = foldCast(&nested)) {
      map.map(nested.getResult(0), constant(known));
      continue;
    }
    SmallVector<Value> args;
    for (Value operand : nested.getOperands().take_front(smallExponent(&nested) ? 1 : 3))
      args.push_back(lookUp(operand));
    map.map(nested.getResult(0), copy(&nested, args));
  }
  return lookUp(op.getBlock()->getTerminator()->getOperand(0));
}

SmallVector<Value> FinalizerBuilder::inlineRegion(Region &region, ArrayRef<Value> args,
                                                  bool isRounded) {
  IRMapping map;
  for (auto [from, to] : llvm::zip_equal(region.getArguments(), args))
    map.map(from, to);
  SmallVector<Value> values;
  for (Operation &op : region.front().without_terminator())
    b.clone(op, map);
  for (Value yielded : region.front().getTerminator()->getOperands()) {
    Value value = map.lookupOrDefault(yielded);
    setActivation(value);
    if (auto cast = value.getDefiningOp<arith::TruncFOp>();
        cast && relaxed && !isRounded && cast.getIn().getType().isF32()) {
      setActivation(cast.getIn());
      wide[value] = cast.getIn();
    }
    values.push_back(value);
  }
  return values;
}
