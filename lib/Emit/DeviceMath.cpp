//===- DeviceMath.cpp - Math in kernels without a device library -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-gpu-to-nvvm turns math operations into calls of CUDA's libdevice,
// which is not there without the CUDA toolkit. What kernels need are
// instructions, or short sequences of them:
//
//   fma, sqrt, absf, floor, ceil, trunc, roundeven, copysign: one instruction
//   exp2(x)   ex2.approx.f32, 2 ulp
//   exp(x)    2^n * 2^f with n = floor(x log2 e) exact and f in [0, 1): 3 ulp
//   rsqrt(x)  rsqrt.approx.f32 and a Newton step: 1 ulp, exact classes kept
//   erf(x)    a polynomial below 1, 1 - 2^-q(x) above: 2 ulp
//   tanh(x)   a polynomial below 5/8, 1 - 2 / (1 + e^2x) above: 3 ulp
//   x / y     div.full.f32, 2 ulp, where the operation allows it (fastmath<afn>)
//
// 16-bit floats are computed in f32 and rounded once; vectors by element.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Emit/DeviceMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::flashfusion;

namespace {
/// Emits scalar f32 arithmetic.
struct Scalar {
  OpBuilder &b;
  Location loc;

  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }
  Value intrinsic(StringRef name, ValueRange args) {
    return LLVM::CallIntrinsicOp::create(b, loc, args[0].getType(), b.getStringAttr(name), args)
        .getResults();
  }
  Value fma(Value x, Value y, Value z) { return intrinsic("llvm.fma", {x, y, z}); }
  Value exp2(Value x) { return intrinsic("llvm.nvvm.ex2.approx", x); }

  Value exp(Value x) {
    // The result is 0 below -104 and infinite above 89; without the bounds the
    // fraction of an infinite x would not be a number. NaN passes through.
    x = intrinsic("llvm.minimum",
                  {intrinsic("llvm.maximum", {x, constant(-105.0)}), constant(90.0)});
    // log2(e) as the sum of two f32.
    Value high = constant(1.44269502162933349609375), low = constant(1.92596299112661746887e-8);
    Value n = intrinsic("llvm.floor", arith::MulFOp::create(b, loc, x, high).getResult());
    Value f = fma(x, low, fma(x, high, arith::NegFOp::create(b, loc, n)));
    return arith::MulFOp::create(b, loc, exp2(f), exp2(n));
  }

  /// c[0] + c[1] x + ...
  Value polynomial(Value x, ArrayRef<double> c) {
    Value sum = constant(c.back());
    for (double next : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, constant(next));
    return sum;
  }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value select(Value magnitude, double bound, Value below, Value above, Value sign) {
    Value isBelow =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, magnitude, constant(bound));
    return arith::SelectOp::create(b, loc, isBelow, below,
                                   intrinsic("llvm.copysign", {above, sign}));
  }

  /// Both polynomials are fits in the largest relative error. They are computed side by side: a
  /// branch would cost more.
  Value erf(Value x) {
    Value magnitude = intrinsic("llvm.fabs", x);
    Value small =
        polynomial(mul(x, x), {0.12837916612625122, -0.3761262595653534, 0.1128358542919159,
                               -0.026853812858462334, 0.005188327748328447, -0.0008010193705558777,
                               7.853860734030604e-05});
    // From 4 on the result is 1.
    Value bounded = intrinsic("llvm.minimum", {magnitude, constant(4.0)});
    Value log =
        polynomial(bounded, {0.0002712801215238869, -1.6296371221542358, -0.9135432243347168,
                             -0.1564149111509323, 0.03636780381202698, -0.006065892521291971,
                             0.0006367122405208647, -3.128738535451703e-05});
    Value large = arith::SubFOp::create(b, loc, constant(1.0), exp2(log));
    return select(magnitude, 1.0, fma(small, x, x), large, x);
  }

  Value tanh(Value x) {
    Value magnitude = intrinsic("llvm.fabs", x), square = mul(x, x);
    Value small =
        polynomial(square, {-0.3333328068256378, 0.13331441581249237, -0.05373971536755562,
                            0.02063908614218235, -0.005704986397176981});
    // 2 log2(e); where e^2x overflows the quotient is 0.
    Value e = exp2(mul(magnitude, constant(2.885390043258667)));
    Value quotient =
        divide(constant(2.0), arith::AddFOp::create(b, loc, e, constant(1.0)).getResult());
    Value large = arith::SubFOp::create(b, loc, constant(1.0), quotient);
    return select(magnitude, 0.625, fma(mul(square, small), x, x), large, x);
  }

  Value divide(Value x, Value y) { return intrinsic("llvm.nvvm.div.full", {x, y}); }

  Value rsqrt(Value x) {
    Value y = intrinsic("llvm.nvvm.rsqrt.approx.f", x);
    // y + y/2 (1 - x y^2). Where that is no number (x is 0 or infinite) the
    // instruction's result is exact already.
    Value xy = arith::MulFOp::create(b, loc, x, y);
    Value error = fma(arith::NegFOp::create(b, loc, xy), y, constant(1.0));
    Value half = arith::MulFOp::create(b, loc, y, constant(0.5));
    Value refined = fma(half, error, y);
    Value isNumber = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, refined, refined);
    return arith::SelectOp::create(b, loc, isNumber, refined, y);
  }
};
} // namespace

/// The LLVM intrinsic that NVPTX has an instruction for, on f32 and f64 alike.
static StringRef directIntrinsic(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("math.fma", "llvm.fma")
      .Case("math.sqrt", "llvm.sqrt")
      .Case("math.absf", "llvm.fabs")
      .Case("math.floor", "llvm.floor")
      .Case("math.ceil", "llvm.ceil")
      .Case("math.trunc", "llvm.trunc")
      .Case("math.roundeven", "llvm.rint")
      .Case("math.copysign", "llvm.copysign")
      .Default("");
}

/// `op` on scalars of type f32 or f64; null if there is no form for it.
static Value lowerScalar(Scalar s, Operation *op, ValueRange args) {
  if (StringRef name = directIntrinsic(op); !name.empty())
    return s.intrinsic(name, args);
  if (!args[0].getType().isF32())
    return {};
  if (isa<math::Exp2Op>(op))
    return s.exp2(args[0]);
  if (isa<math::ExpOp>(op))
    return s.exp(args[0]);
  if (isa<math::RsqrtOp>(op))
    return s.rsqrt(args[0]);
  if (isa<math::ErfOp>(op))
    return s.erf(args[0]);
  if (isa<math::TanhOp>(op))
    return s.tanh(args[0]);
  if (isa<arith::DivFOp>(op))
    return s.divide(args[0], args[1]);
  return {};
}

/// Converts one element, in f32 where the type is narrower.
static Value lowerElement(Scalar s, Operation *op, ValueRange args) {
  Type type = args[0].getType();
  if (type.getIntOrFloatBitWidth() >= 32)
    return lowerScalar(s, op, args);
  SmallVector<Value> wide;
  for (Value arg : args)
    wide.push_back(arith::ExtFOp::create(s.b, s.loc, s.b.getF32Type(), arg));
  Value result = lowerScalar(s, op, wide);
  return result ? Value(arith::TruncFOp::create(s.b, s.loc, type, result)) : Value();
}

static Value lower(Operation *op) {
  OpBuilder b(op);
  Scalar s{b, op->getLoc()};
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector)
    return lowerElement(s, op, op->getOperands());
  if (vector.isScalable())
    return {};
  SmallVector<SmallVector<Value>> elements;
  for (Value operand : op->getOperands())
    elements.emplace_back(vector::ToElementsOp::create(b, s.loc, operand).getResults());
  SmallVector<Value> results;
  for (int64_t i = 0, e = vector.getNumElements(); i < e; ++i) {
    SmallVector<Value> args;
    for (auto &list : elements)
      args.push_back(list[i]);
    results.push_back(lowerElement(s, op, args));
    if (!results.back())
      return {};
  }
  return vector::FromElementsOp::create(b, s.loc, vector, results);
}

/// An f32 division that may be off by 2 ulp: the exact one takes many instructions and a branch.
static bool isApproximateDivision(Operation *op) {
  auto div = dyn_cast<arith::DivFOp>(op);
  return div && getElementTypeOrSelf(div.getType()).isF32() &&
         arith::bitEnumContainsAny(div.getFastmath(), arith::FastMathFlags::afn);
}

/// Operations that upstream would turn into a call of the device library, or that have a shorter
/// form.
static bool hasOwnForm(Operation *op) {
  if (isa<arith::RemFOp>(op) || isApproximateDivision(op))
    return true;
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperandTypes(),
                      [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); });
}

LogicalResult flashfusion::lowerDeviceMath(Operation *kernels) {
  SmallVector<Operation *> worklist;
  kernels->walk([&](Operation *op) {
    if (hasOwnForm(op))
      worklist.push_back(op);
  });
  for (Operation *op : worklist) {
    Value result = lower(op);
    if (!result)
      return op->emitError() << "'" << op->getName() << "' on " << op->getOperand(0).getType()
                             << " has no form in PTX without CUDA's device library";
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
  return success();
}
