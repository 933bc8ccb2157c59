//===- Dequantise.cpp - Factors of 8 bits behind a product -----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %w = linalg.generic truncf (extf q(n, k) * s(n))      f8E4M3FN, f32 -> bf16
//   %y = linalg.matmul ins(%h, %w)
// is the Linear of weight q and scale s: sum_k h (q s) = (sum_k h q) s. In the same way
// x(m, k) = q(m, k) * s(m) is read as q and s: s is a factor of the row.
//
// Casts, the product and changes of layout may be operations of their own or stand
// in the contraction. An f8E4M3FN is exact in every wider type; the product is not
// in 16 bits, and is then rounded nowhere (rounding=relaxed) or read as it is.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::flashfusion;

using Loops = ArrayRef<std::optional<Index>>;

/// Whether more than one operation reads elements of `value`.
static bool isShared(Value value) {
  return llvm::count_if(value.getUses(),
                        [](OpOperand &use) { return !isa<tensor::DimOp>(use.getOwner()); }) > 1;
}

/// The tensor, and where in it, that a body's argument is read from.
static View viewOf(linalg::LinalgOp op, Loops loops, BlockArgument arg) {
  if (arg.getOwner() != op.getBlock() ||
      arg.getArgNumber() >= static_cast<unsigned>(op.getNumDpsInputs()))
    return {};
  OpOperand *operand = op.getDpsInputOperand(arg.getArgNumber());
  auto type = dyn_cast<RankedTensorType>(operand->get().getType());
  if (!type)
    return {};
  std::optional<Access> access = accessOf(op.getMatchingIndexingMap(operand), loops, type);
  return access ? View{operand->get(), *access} : View();
}

namespace {

/// Reads q and s over the digits `outer` (of n, or of the row) and `ks`.
class Reader {
public:
  Reader(Algebra &algebra, const Index &outer, const Index &ks, bool isWeight, bool strict,
         bool rounds)
      : algebra(algebra), outer(outer), ks(ks), isWeight(isWeight), strict(strict), rounds(rounds) {
  }

  /// `value` in the body of `op` at the iteration `loops`.
  bool readElement(linalg::LinalgOp op, Loops loops, Value value);
  bool read(View view);

  View matrix;
  bool turned = false; ///< k x n
  Scale scale;
  /// What rounds the product, but for the contraction's own body.
  SmallVector<Operation *> roundings;

private:
  bool place(const View &view);
  Scale readScale(linalg::LinalgOp op, Loops loops, Value value);
  Scale scalar(Value value);

  Algebra &algebra;
  const Index &outer, &ks;
  bool isWeight, strict;
  bool rounds;         ///< a cast on the way rounds
  bool shared = false; ///< what lies on the way is made for something else, too
};

} // namespace

/// `view` holds 8-bit floats: is it a matrix over n and k?
bool Reader::place(const View &view) {
  auto matches = [&](const Index &first, const Index &second) {
    Index expected = first, digits = flatten(view.access);
    llvm::append_range(expected, second);
    size_t count = 0;
    bool hasBoundary = first.empty();
    for (const Index &index : view.access)
      hasBoundary |= (count += index.size()) == first.size();
    return digits == expected && hasBoundary;
  };
  turned = !matches(outer, ks);
  if (turned && !(isWeight && matches(ks, outer)))
    return false;
  matrix = view;
  return true;
}

bool Reader::read(View view) {
  do {
    if (isa<Float8E4M3FNType>(getElementTypeOrSelf(view.value.getType())))
      return !hasEncoding(view.value) && place(view);
    // Several operations of a norm, and several Linears, read x. But a result is there anyway.
    shared |=
        isWeight ? isShared(view.value) : llvm::any_of(view.value.getUsers(), [](Operation *user) {
          return user->hasTrait<OpTrait::IsTerminator>();
        });
  } while (stepThroughView(algebra, view.value, view.access, /*throughExt=*/true,
                           /*maySplit=*/false));
  auto op = view.value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() > 0 ||
      op.getNumDpsInits() != 1 || op.hasIndexSemantics())
    return false;
  auto loops = loopsOf(op, op.getMatchingIndexingMap(op.getDpsInitOperand(0)), view.access);
  return loops && readElement(op, *loops, op.getBlock()->getTerminator()->getOperand(0));
}

bool Reader::readElement(linalg::LinalgOp op, Loops loops, Value value) {
  Casts casts;
  Value stripped = stripCasts(value, casts);
  if (casts.quantise)
    return false;
  rounds |= casts.round;
  for (; value != stripped; value = value.getDefiningOp()->getOperand(0))
    if (castKindOf(value.getDefiningOp()) == CastKind::Rounds && !scale)
      roundings.push_back(value.getDefiningOp());
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    View view = viewOf(op, loops, arg);
    return view && read(view);
  }
  auto mul = value.getDefiningOp<arith::MulFOp>();
  if (!mul || mul->getBlock() != op.getBlock() || scale)
    return false;
  rounds |= mul.getType().getIntOrFloatBitWidth() < 32;
  // What is rounded stays as it is, and so does what is made for others anyway.
  if (shared || (strict && rounds))
    return false;
  for (auto [q, s] :
       {std::pair(mul.getLhs(), mul.getRhs()), std::pair(mul.getRhs(), mul.getLhs())}) {
    scale = readScale(op, loops, s);
    if (scale && readElement(op, loops, q))
      return true;
    scale = {};
  }
  return false;
}

/// A number that every element is multiplied by.
Scale Reader::scalar(Value value) {
  Scale scale;
  Type type = value.getType();
  if (!type.isF32() && !type.isF16() && !type.isBF16())
    return scale;
  if (!matchPattern(value, m_Constant(&scale.constant)))
    scale.scalar = value;
  return scale;
}

Scale Reader::readScale(linalg::LinalgOp op, Loops loops, Value value) {
  Casts casts;
  value = stripCasts(value, casts);
  if (casts.round || casts.quantise)
    return {}; // a rounded scale is another scale
  auto arg = dyn_cast<BlockArgument>(value);
  bool isInside = arg && arg.getOwner() == op.getBlock();
  if (!isInside) {
    bool isOutside = value.getParentBlock() != op.getBlock();
    return isOutside || matchPattern(value, m_Constant()) ? scalar(value) : Scale();
  }
  if (arg.getArgNumber() < static_cast<unsigned>(op.getNumDpsInputs()))
    if (Value input = op.getDpsInputOperand(arg.getArgNumber())->get();
        isa<FloatType>(input.getType()))
      return scalar(input);
  View view = viewOf(op, loops, arg);
  if (!view)
    return {};
  for (View at = view;;) {
    DenseFPElementsAttr elements;
    if (matchPattern(at.value, m_Constant(&elements)) && elements.isSplat())
      return {{}, {}, elements.getSplatValue<FloatAttr>()};
    if (auto fill = at.value.getDefiningOp<linalg::FillOp>())
      return scalar(fill.getInputs()[0]);
    if (!stepThroughView(algebra, at.value, at.access, /*throughExt=*/true, /*maySplit=*/false))
      break;
  }
  if (View vector = findStored(algebra, view, {}, outer))
    return {vector, {}, {}};
  return {findStored(algebra, view, {}, {}), {}, {}};
}

bool flashfusion::readQuantised(Algebra &algebra, Linear &linear, bool strict,
                                SmallVectorImpl<Operation *> *roundings) {
  linear.scale = {};
  if (linear.w.casts.quantise)
    return false;
  Reader reader(algebra, linear.ns, linear.ks, /*isWeight=*/true, strict, linear.w.casts.round);
  if (!reader.readElement(linear.op, loopDigits(algebra, linear.op), linear.w.value))
    return false;
  linear.weight = reader.matrix;
  linear.layout = reader.turned ? WeightLayout::KN : WeightLayout::NK;
  linear.scale = reader.scale;
  if (roundings)
    *roundings = reader.roundings;
  return true;
}

/// Products of an x of 8 bits with wider weights are no better than those of a wider x.
static bool takesQuantisedRows(const Linear &linear) {
  return isa<Float8E4M3FNType>(getElementTypeOrSelf(linear.weight.value.getType()));
}

static std::optional<QuantisedRows> resultOf(Reader &reader, bool found) {
  if (!found)
    return std::nullopt;
  return QuantisedRows{reader.matrix, reader.scale};
}

std::optional<QuantisedRows> flashfusion::readQuantisedRows(Algebra &algebra, const Linear &linear,
                                                            View x, bool strict) {
  if (!takesQuantisedRows(linear))
    return std::nullopt;
  Reader reader(algebra, linear.rows, linear.ks, /*isWeight=*/false, strict, /*rounds=*/false);
  return resultOf(reader, reader.read(x));
}

std::optional<QuantisedRows> flashfusion::readQuantisedRows(Algebra &algebra, const Linear &linear,
                                                            bool strict) {
  if (!takesQuantisedRows(linear))
    return std::nullopt;
  Reader reader(algebra, linear.rows, linear.ks, /*isWeight=*/false, strict, linear.h.casts.round);
  return resultOf(reader,
                  reader.readElement(linear.op, loopDigits(algebra, linear.op), linear.h.value));
}

Value flashfusion::emitScale(OpBuilder &b, Location loc, const Scale &scale,
                             function_ref<Value(Value)> map) {
  if (scale.constant) {
    auto type = RankedTensorType::get({1}, scale.constant.getType());
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, scale.constant));
  }
  if (scale.scalar)
    return tensor::FromElementsOp::create(b, loc, ValueRange(map(scale.scalar)));
  return emitVector(b, loc, {map(scale.view.value), scale.view.access});
}
