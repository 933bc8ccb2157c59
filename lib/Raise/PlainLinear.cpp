//===- PlainLinear.cpp - Linears without a norm ----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.matmul ins(%x, %w) ; %y1 = %y + %c ; %y2 = truncf %y1
// becomes
//   %y2 = ff.online(%x) weights(%w) columns(%c) row { yield } finalize {
//           (%z, %c): yield truncf (%z + %c) }
//
// The contraction is read as one behind a norm is; its left operand only has to
// be a tensor. What multiplies it must be a weight: an argument, a constant or a
// global. A product of two activations (attention's scores) stays.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::flashfusion;

namespace {
struct PlainLinear {
  std::unique_ptr<Algebra> algebra;
  Linear linear;
  View x;
};
} // namespace

/// Whether a tensor comes from outside of the function's computation.
static bool isGiven(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || (op->getNumOperands() == 0 && op->getNumRegions() == 0);
}

static std::optional<PlainLinear> readPlain(linalg::LinalgOp op, const ContractionFactor &h,
                                            const ContractionFactor &w, bool strict) {
  PlainLinear plain;
  plain.algebra = std::make_unique<Algebra>(Value());
  Algebra &algebra = *plain.algebra;
  Linear &linear = plain.linear;
  linear.op = op;
  linear.h = h;
  linear.w = w;
  Reason reason;
  auto arg = dyn_cast<BlockArgument>(h.value);
  if (!arg || h.inputs.size() != 1 || h.narrows || failed(readLoops(algebra, linear, reason)))
    return std::nullopt;
  SmallVector<int64_t> extents;
  for (Atom atom : linear.ks)
    extents.push_back(algebra.extent(atom));
  auto type = dyn_cast<RankedTensorType>(h.inputs[0]->get().getType());
  if (!type)
    return std::nullopt;
  std::optional<Access> access =
      accessOf(op.getMatchingIndexingMap(h.inputs[0]), loopDigits(algebra, op), type);
  if (!access)
    return std::nullopt;
  plain.x = findStored(algebra, {h.inputs[0]->get(), *access}, linear.rows, linear.ks);
  Evaluator evaluator(algebra, Value(), extents, op->getBlock());
  evaluator.rows.assign(linear.rows.begin(), linear.rows.end());
  if (!plain.x || failed(readOperands(algebra, evaluator, linear, strict, reason)) ||
      algebra.anySplit() || !isGiven(linear.weight.value))
    return std::nullopt;
  auto isMatrix = [](Value v) { return cast<RankedTensorType>(v.getType()).getRank() >= 2; };
  if (!isMatrix(plain.x.value) && !isMatrix(linear.weight.value))
    return std::nullopt;
  return plain;
}

static Value castTo(OpBuilder &b, Location loc, Value value, Type type) {
  return convertScalarToDtype(b, loc, value, type, /*isUnsignedCast=*/false);
}

static OnlineOp emitPlain(OpBuilder &b, const PlainLinear &plain) {
  const Linear &linear = plain.linear;
  Location loc = linear.op->getLoc();
  MLIRContext *context = b.getContext();
  bool nk = linear.layout == WeightLayout::NK;
  Value x = emitMatrix(b, loc, plain.x, linear.rows, linear.ks);
  Value weight =
      emitMatrix(b, loc, linear.weight, nk ? linear.ns : linear.ks, nk ? linear.ks : linear.ns);
  SmallVector<Value> columns;
  if (linear.bias)
    columns.push_back(emitVector(b, loc, linear.bias));
  int64_t n = cast<ShapedType>(weight.getType()).getDimSize(nk ? 0 : 1);
  Type element = getElementTypeOrSelf(linear.result.value.getType()), f32 = b.getF32Type();
  Value out = tensor::EmptyOp::create(
      b, loc, {tensor::getMixedSize(b, loc, x, 0), b.getIndexAttr(n)}, element);
  SmallVector<int64_t> columnOf(columns.size(), 0);
  auto online = OnlineOp::create(
      b, loc, out.getType(), x, /*gain=*/Value(), /*shift=*/Value(), weight, columns,
      /*tiles=*/ValueRange(), /*scalars=*/ValueRange(), out, b.getArrayAttr({}),
      b.getArrayAttr({WeightLayoutAttr::get(context, linear.layout)}), b.getF64FloatAttr(0.0),
      b.getDenseI64ArrayAttr(columnOf), b.getDenseI64ArrayAttr({}),
      b.getArrayAttr({b.getDenseI64ArrayAttr({0})}), /*schedule=*/ArrayAttr(), /*finalizers=*/1);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&online.getRow());
  YieldOp::create(b, loc, ValueRange());
  SmallVector<Type> types{f32};
  for (Value column : columns)
    types.push_back(getElementTypeOrSelf(column.getType()));
  Block *block = b.createBlock(&online.getFinalizers()[0], {}, types,
                               SmallVector<Location>(types.size(), loc));
  Value y = block->getArgument(0);
  for (Value column : block->getArguments().drop_front())
    y = arith::AddFOp::create(b, loc, y, castTo(b, loc, column, f32));
  YieldOp::create(b, loc, castTo(b, loc, y, element));
  return online;
}

void flashfusion::raisePlainLinears(Operation *root, bool strict) {
  SmallVector<linalg::LinalgOp> contractions;
  root->walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
    if (isContraction(op) && op->getBlock()->mightHaveTerminator())
      contractions.push_back(op);
  });
  for (linalg::LinalgOp op : contractions) {
    std::array<ContractionFactor, 2> factors = *readContraction(op);
    std::optional<PlainLinear> plain = readPlain(op, factors[0], factors[1], strict);
    if (!plain)
      plain = readPlain(op, factors[1], factors[0], strict);
    if (!plain)
      continue;
    // Whatever the Linear reads is there where its old result is made.
    Operation *old = plain->linear.result.value.getDefiningOp();
    OpBuilder b(old);
    OnlineOp online = emitPlain(b, *plain);
    auto function = online->getParentOfType<FunctionOpInterface>();
    remark::passed(op.getLoc(), remark::RemarkOpts::name("plain_linear")
                                    .category("ff-raise")
                                    .function(function ? function.getName() : ""));
    b.setInsertionPoint(old);
    plain->linear.result.value.replaceAllUsesWith(
        shapeResult(b, op.getLoc(), online.getResult(0), plain->linear));
    eraseDead(old);
  }
}
