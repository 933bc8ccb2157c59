//===- ExpandF8.cpp - Floats of 8 bits for the CPU -------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %f = arith.extf %q : f8E4M3FN to f32
// becomes
//   %i = arith.extui (arith.bitcast %q) : i8 to i32
//   %m = (%i & 0x7f) << 20                       sign aside, as bits of an f32
//   %v = bitcast %m * 2^120                      biases of the exponents: 127 - 7
//   %f = bitcast (bitcast %v | (%i & 0x80) << 24), or NaN where %i & 0x7f is 0x7f
//
// Subnormal numbers of the one are subnormal numbers of the other until they are multiplied.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/Passes.h"

#include "FlashFusion/Lower/LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_EXPANDF8PASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

/// Writes operations on scalars or vectors of one shape.
class Widening {
public:
  Widening(OpBuilder &b, Location loc, Type shape) : b(b), loc(loc), shape(shape) {}

  Value widen(Value q) {
    Type i32 = like(b.getI32Type()), f32 = like(b.getF32Type());
    Value bits = arith::BitcastOp::create(b, loc, like(b.getI8Type()), q);
    bits = arith::ExtUIOp::create(b, loc, i32, bits);
    Value magnitude = arith::AndIOp::create(b, loc, bits, integer(0x7f));
    Value placed = arith::ShLIOp::create(b, loc, magnitude, integer(20));
    Value value = arith::MulFOp::create(b, loc, arith::BitcastOp::create(b, loc, f32, placed),
                                        splat(b.getF32FloatAttr(0x1p120f)));
    Value sign = arith::AndIOp::create(b, loc, bits, integer(0x80));
    sign = arith::ShLIOp::create(b, loc, sign, integer(24));
    value = arith::OrIOp::create(b, loc, arith::BitcastOp::create(b, loc, i32, value), sign);
    Value isNaN = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, magnitude, integer(0x7f));
    value = arith::SelectOp::create(b, loc, isNaN, integer(0x7fc00000), value);
    return arith::BitcastOp::create(b, loc, f32, value);
  }

private:
  Type like(Type element) {
    auto shaped = dyn_cast<ShapedType>(shape);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Value splat(TypedAttr value) {
    if (auto shaped = dyn_cast<ShapedType>(shape))
      value = DenseElementsAttr::get(shaped.clone(value.getType()), ArrayRef<Attribute>(value));
    return arith::ConstantOp::create(b, loc, value);
  }
  Value integer(int32_t value) { return splat(b.getI32IntegerAttr(value)); }

  OpBuilder &b;
  Location loc;
  Type shape; ///< any type of this shape
};

struct ExpandF8Pass : flashfusion::impl::ExpandF8PassBase<ExpandF8Pass> {
  using Base::Base;

  void runOnOperation() override {
    auto isF8 = [](Type type) { return isa<Float8E4M3FNType>(getElementTypeOrSelf(type)); };
    SmallVector<arith::ExtFOp> casts;
    WalkResult walked = getOperation()->walk([&](Operation *op) {
      if (isa<arith::TruncFOp>(op) && isF8(op->getResult(0).getType())) {
        op->emitOpError("rounds to f8E4M3FN, which is not lowered for the CPU");
        return WalkResult::interrupt();
      }
      auto ext = dyn_cast<arith::ExtFOp>(op);
      if (ext && isF8(ext.getIn().getType()) && !isa<TensorType>(ext.getType()))
        casts.push_back(ext);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    for (arith::ExtFOp op : casts) {
      OpBuilder b(op);
      Value wide = Widening(b, op.getLoc(), op.getType()).widen(op.getIn());
      Type type = op.getType(), from = getElementTypeOrSelf(wide), to = getElementTypeOrSelf(type);
      // Every number of 8 bits is one of 16 bits, too.
      if (from != to)
        wide = to.getIntOrFloatBitWidth() > 32
                   ? Value(arith::ExtFOp::create(b, op.getLoc(), type, wide))
                   : Value(arith::TruncFOp::create(b, op.getLoc(), type, wide));
      op.replaceAllUsesWith(wide);
      op.erase();
    }
  }
};

} // namespace
