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
// be a tensor, or one of 8 bits that is dequantised. What multiplies it must be a weight: an
// argument, a constant or a global. A product of two activations (attention's scores) stays.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::flashfusion;

namespace {
struct PlainLinear {
  std::unique_ptr<Algebra> algebra;
  Linear linear;
  View x;
  Scale xScale;
};
} // namespace

/// Whether a tensor comes from outside of the function's computation.
static bool isGiven(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || (op->getNumOperands() == 0 && op->getNumRegions() == 0);
}

/// `side`: which factor of the contraction is x.
static std::optional<PlainLinear> readPlain(linalg::LinalgOp op, const Contraction &contraction,
                                            unsigned side, bool strict) {
  PlainLinear plain;
  plain.algebra = std::make_unique<Algebra>(Value());
  Algebra &algebra = *plain.algebra;
  Linear &linear = plain.linear;
  linear.op = op;
  const ContractionFactor &h = linear.h = contraction.factors[side];
  linear.w = contraction.factors[1 - side];
  const Casts &casts = contraction.casts;
  if (h.casts.round || h.casts.quantise || casts.quantise || (strict && casts.round))
    return std::nullopt;
  Reason reason;
  if (failed(readLoops(algebra, linear, reason)))
    return std::nullopt;
  SmallVector<int64_t> extents;
  for (Atom atom : linear.ks)
    extents.push_back(algebra.extent(atom));
  if (isa<BlockArgument>(h.value) && h.inputs.size() == 1)
    if (auto type = dyn_cast<RankedTensorType>(h.inputs[0]->get().getType()))
      if (std::optional<Access> access =
              accessOf(op.getMatchingIndexingMap(h.inputs[0]), loopDigits(algebra, op), type))
        plain.x = findStored(algebra, {h.inputs[0]->get(), *access}, linear.rows, linear.ks);
  Evaluator evaluator(algebra, Value(), extents, op->getBlock());
  evaluator.rows.assign(linear.rows.begin(), linear.rows.end());
  if (failed(readOperands(algebra, evaluator, linear, strict, reason)) || algebra.anySplit() ||
      !isGiven(linear.weight.value))
    return std::nullopt;
  if (auto rows = readQuantisedRows(algebra, linear, strict)) {
    plain.x = rows->x;
    plain.xScale = rows->scale;
  }
  if (!plain.x || algebra.anySplit())
    return std::nullopt;
  auto isMatrix = [](Value v) { return cast<RankedTensorType>(v.getType()).getRank() >= 2; };
  if (!isMatrix(plain.x.value) && !isMatrix(linear.weight.value))
    return std::nullopt;
  return plain;
}

static OnlineOp emitPlain(OpBuilder &b, const PlainLinear &plain) {
  const Linear &linear = plain.linear;
  Location loc = linear.op->getLoc();
  bool nk = linear.layout == WeightLayout::NK;
  Value x = emitMatrix(b, loc, plain.x, linear.rows, linear.ks);
  Value weight =
      emitMatrix(b, loc, linear.weight, nk ? linear.ns : linear.ks, nk ? linear.ks : linear.ns);
  SmallVector<Value> biases;
  if (linear.bias)
    biases.push_back(emitVector(b, loc, linear.bias));
  SmallVector<int64_t> biasOf(biases.size(), 0);
  Attribute layout = WeightLayoutAttr::get(b.getContext(), linear.layout);
  Type type = RankedTensorType::get({cast<ShapedType>(x.getType()).getDimSize(0),
                                     cast<ShapedType>(weight.getType()).getDimSize(nk ? 0 : 1)},
                                    getElementTypeOrSelf(linear.result.value.getType()));
  SmallVector<Value> scales;
  if (linear.scale)
    scales.push_back(emitScale(b, loc, linear.scale, [](Value value) { return value; }));
  SmallVector<int64_t> scaleOf(scales.size(), 0);
  OnlineInputs inputs;
  inputs.x = x;
  inputs.weights = weight;
  inputs.biases = biases;
  inputs.layouts = layout;
  inputs.biasOf = biasOf;
  inputs.types = type;
  inputs.scales = scales;
  inputs.scaleOf = scaleOf;
  if (plain.xScale)
    inputs.xScale = emitScale(b, loc, plain.xScale, [](Value value) { return value; });
  return buildOnline(b, loc, /*statistics=*/{}, inputs, [&](OpBuilder &b, const OnlineRow &row) {
    YieldOp::create(b, loc, row.xScale ? ValueRange(row.xScale) : ValueRange());
  });
}

void flashfusion::raisePlainLinears(Operation *root, bool strict) {
  SmallVector<linalg::LinalgOp> contractions;
  root->walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
    if (isContraction(op) && op->getBlock()->mightHaveTerminator())
      contractions.push_back(op);
  });
  for (linalg::LinalgOp op : contractions) {
    Contraction contraction = *readContraction(op);
    std::optional<PlainLinear> plain = readPlain(op, contraction, 0, strict);
    if (!plain)
      plain = readPlain(op, contraction, 1, strict);
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
