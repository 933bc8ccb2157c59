//===- LinalgBuilder.cpp - Short forms of linalg on tensors ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::flashfusion;

Value flashfusion::castFloat(OpBuilder &b, Location loc, Value value, Type type) {
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(b, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(b, loc, type, value);
  return value;
}

AffineMap LinalgBuilder::map(unsigned dims, ArrayRef<unsigned> positions) {
  SmallVector<AffineExpr> exprs;
  for (unsigned p : positions)
    exprs.push_back(b.getAffineDimExpr(p));
  return AffineMap::get(dims, 0, exprs, b.getContext());
}

AffineMap LinalgBuilder::along(unsigned dims, unsigned position, Value vector) {
  if (mlir::cast<ShapedType>(vector.getType()).getDimSize(0) != 1)
    return map(dims, {position});
  return AffineMap::get(dims, 0, b.getAffineConstantExpr(0), b.getContext());
}

Value LinalgBuilder::constant(Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

Value LinalgBuilder::empty(ArrayRef<OpFoldResult> sizes, Type element) {
  return tensor::EmptyOp::create(b, loc, sizes, element);
}

Value LinalgBuilder::zeros(ArrayRef<OpFoldResult> sizes, Type element) {
  Value zero = constant(element, 0.0);
  return linalg::FillOp::create(b, loc, zero, empty(sizes, element)).getResult(0);
}

SmallVector<Value> LinalgBuilder::generic(ArrayRef<AffineMap> maps, ValueRange ins, ValueRange outs,
                                          unsigned reductions, Body body) {
  SmallVector<utils::IteratorType> iterators(maps.front().getNumDims(),
                                             utils::IteratorType::parallel);
  for (unsigned i = 0; i < reductions; ++i)
    iterators[iterators.size() - 1 - i] = utils::IteratorType::reduction;
  auto op = linalg::GenericOp::create(b, loc, outs.getTypes(), ins, outs, maps, iterators,
                                      [&](OpBuilder &nested, Location, ValueRange args) {
                                        linalg::YieldOp::create(nested, loc, body(nested, args));
                                      });
  return llvm::to_vector_of<Value>(op.getResults());
}

Value LinalgBuilder::elementwise(Value tensor, Type element,
                                 function_ref<Value(OpBuilder &, Value)> body) {
  AffineMap map =
      b.getMultiDimIdentityMap(mlir::cast<RankedTensorType>(tensor.getType()).getRank());
  return generic(
      {map, map}, tensor, empty(tensor::getMixedSizes(b, loc, tensor), element), 0,
      [&](OpBuilder &b, ValueRange args) { return SmallVector<Value>{body(b, args[0])}; })[0];
}

Value LinalgBuilder::cast(Value tensor, Type element) {
  return elementwise(tensor, element,
                     [&](OpBuilder &b, Value x) { return castFloat(b, loc, x, element); });
}

SmallVector<Value> LinalgBuilder::inlineRegion(OpBuilder &b, Region &region, ValueRange args) {
  IRMapping mapping;
  mapping.map(region.front().getArguments(), args);
  for (Operation &op : region.front().without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(region.front().getTerminator()->getOperands(),
                             [&](Value v) { return mapping.lookupOrDefault(v); });
}
