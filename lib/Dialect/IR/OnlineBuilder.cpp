//===- OnlineBuilder.cpp - ff.online for Linears of one x ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/IR/OnlineBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// The number that all elements of a vector are, if the program says so.
static FloatAttr getSplat(Value vector) {
  DenseFPElementsAttr elements;
  if (matchPattern(vector, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<FloatAttr>();
  return {};
}

OnlineOp flashfusion::buildOnline(OpBuilder &b, Location loc, ArrayRef<Statistic> statistics,
                                  const OnlineInputs &inputs,
                                  function_ref<void(OpBuilder &, const OnlineRow &)> buildRow) {
  Type f32 = b.getF32Type();
  auto cast = [&](Value value, Type type) {
    return convertScalarToDtype(b, loc, value, type, /*isUnsignedCast=*/false);
  };
  SmallVector<Attribute> statisticAttrs, linearsOf;
  for (Statistic s : statistics)
    statisticAttrs.push_back(StatisticAttr::get(b.getContext(), s));
  SmallVector<Value> outs, scalars;
  for (auto [l, type] : llvm::enumerate(inputs.types)) {
    SmallVector<Value> dynamic;
    if (llvm::cast<RankedTensorType>(inputs.x.getType()).isDynamicDim(0))
      dynamic.push_back(b.createOrFold<tensor::DimOp>(loc, inputs.x, 0));
    outs.push_back(tensor::EmptyOp::create(b, loc, type, dynamic));
    linearsOf.push_back(b.getDenseI64ArrayAttr({static_cast<int64_t>(l)}));
  }
  if (inputs.eps)
    scalars.push_back(inputs.eps);
  FloatAttr xSplat = inputs.xScale ? getSplat(inputs.xScale) : FloatAttr();
  Value xScale = xSplat ? Value() : inputs.xScale;
  SmallVector<Value> columns;
  SmallVector<int64_t> columnOf;
  SmallVector<FloatAttr> splats(inputs.types.size());
  SmallVector<bool> isScaled(inputs.types.size());
  for (auto [scale, linear] : llvm::zip_equal(inputs.scales, inputs.scaleOf)) {
    if ((splats[linear] = getSplat(scale)))
      continue;
    isScaled[linear] = true;
    columns.push_back(scale);
    columnOf.push_back(linear);
  }
  llvm::append_range(columns, inputs.biases);
  llvm::append_range(columnOf, inputs.biasOf);
  auto online = OnlineOp::create(
      b, loc, inputs.types, inputs.x, inputs.gain, inputs.shift, inputs.weights, columns,
      /*tiles=*/ValueRange(), xScale, scalars, outs, b.getArrayAttr(statisticAttrs),
      b.getArrayAttr(inputs.layouts), b.getF64FloatAttr(inputs.gainOffset),
      b.getDenseI64ArrayAttr(columnOf), /*tile_of=*/b.getDenseI64ArrayAttr({}),
      b.getArrayAttr(linearsOf), /*schedule=*/ArrayAttr(), inputs.types.size());

  OpBuilder::InsertionGuard guard(b);
  auto begin = [&](Region &region, ArrayRef<Type> types) {
    return b.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
  };
  SmallVector<Type> rowTypes(statistics.size(), f32);
  if (xScale)
    rowTypes.push_back(getElementTypeOrSelf(xScale.getType()));
  llvm::append_range(rowTypes, ValueRange(scalars).getTypes());
  Block *block = begin(online.getRow(), rowTypes);
  OnlineRow row{block, block->getArguments().take_front(statistics.size()), {}, {}};
  if (xSplat)
    row.xScale = cast(arith::ConstantOp::create(b, loc, xSplat), f32);
  else if (xScale)
    row.xScale = cast(block->getArgument(statistics.size()), f32);
  if (inputs.eps)
    row.eps = block->getArguments().back();
  buildRow(b, row);
  for (auto [l, region] : llvm::enumerate(online.getFinalizers())) {
    SmallVector<Type> types{f32};
    for (unsigned c : online.getColumnsOf(l))
      types.push_back(getElementTypeOrSelf(columns[c].getType()));
    block = begin(region, types);
    Value y = block->getArgument(0);
    ArrayRef<BlockArgument> vectors = block->getArguments().drop_front();
    Value scale;
    if (splats[l])
      scale = arith::ConstantOp::create(b, loc, splats[l]);
    else if (isScaled[l])
      scale = vectors.consume_front();
    if (scale)
      y = arith::MulFOp::create(b, loc, y, cast(scale, f32));
    for (Value bias : vectors)
      y = arith::AddFOp::create(b, loc, y, cast(bias, f32));
    YieldOp::create(b, loc, cast(y, getElementTypeOrSelf(inputs.types[l])));
  }
  return online;
}
