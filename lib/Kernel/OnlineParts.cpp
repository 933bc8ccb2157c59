//===- OnlineParts.cpp - Pieces of ff.online inside kernels ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

OnlineOperands::OnlineOperands(OnlineOp op) {
  auto first = [&](unsigned group) {
    auto [start, length] = op.getODSOperandIndexAndLength(group);
    return length ? static_cast<int64_t>(start) : -1;
  };
  auto all = [&](unsigned group) {
    auto [start, length] = op.getODSOperandIndexAndLength(group);
    return llvm::to_vector(llvm::seq<int64_t>(start, start + length));
  };
  // The order of the operands in FFOps.td.
  x = first(0);
  gain = first(1);
  shift = first(2);
  weights = all(3);
  columns = all(4);
  tiles = all(5);
  xScale = first(6);
  scalars = all(7);
  outs = all(8);
}

SmallVector<PackedBuffer> flashfusion::packedBuffers(OnlineOp op) {
  SmallVector<PackedBuffer> buffers;
  Type f32 = Float32Type::get(op.getContext());
  for (auto [l, weight] : llvm::enumerate(op.getWeights())) {
    int64_t n = op.getN(l);
    Type element = getElementTypeOrSelf(weight);
    if (isa<Float8E4M3FNType>(element))
      element = getElementTypeOrSelf(op.getX());
    // Rows of what tensor maps and copies take, 16 bytes.
    int64_t unit = isa<Float8E4M3FNType>(element) ? 16 : 8;
    buffers.push_back({element, n, static_cast<int64_t>(llvm::alignTo(op.getK(), unit))});
    buffers.push_back({f32, 1, n});
    buffers.push_back({f32, 1, n});
  }
  return buffers;
}

bool flashfusion::needsPivot(OnlineOp op) {
  return llvm::any_of(op.getStatistics().getAsRange<StatisticAttr>(), [](StatisticAttr s) {
    return s.getValue() == Statistic::Mean || s.getValue() == Statistic::Variance;
  });
}

/// Up to here the error stays below that of rounding the rows to f16 once (measured: at 4104 it is
/// 1.6 times as much, in proportion to K).
static constexpr int64_t longestCancellingSum = 1024;

bool flashfusion::mustPromote(OnlineOp op) {
  return needsPivot(op) && op.getK() > longestCancellingSum &&
         getElementTypeOrSelf(op.getX()).getIntOrFloatBitWidth() == 16 &&
         llvm::any_of(op.getOuts().getTypes(),
                      [](Type type) { return !getElementTypeOrSelf(type).isBF16(); });
}

V flashfusion::loadPivot(KernelBuilder &kb, OnlineOp op, V address) {
  Type element = getElementTypeOrSelf(op.getX());
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  SmallVector<V> x;
  for (int64_t k = 0; k < std::min<int64_t>(op.getK(), 3); ++k)
    x.push_back(kb.toF32(kb.load(kb.at(address, k * bytes), element, bytes)));
  if (x.size() < 3)
    return x[0];
  return kb.fmax(kb.fmin(x[0], x[1]), kb.fmin(kb.fmax(x[0], x[1]), x[2]));
}

SmallVector<V> flashfusion::statisticsFromSums(KernelBuilder &kb, OnlineOp op, V sum, V square,
                                               V pivot) {
  double inverse = 1.0 / static_cast<double>(op.getK());
  V shifted, mean, variance, meanSquare;
  if (pivot) {
    shifted = sum * kb.f32(inverse);
    mean = pivot + shifted;
    // Rounding must not make it negative: rsqrt of that is NaN.
    variance = kb.fmax(square * kb.f32(inverse) - shifted * shifted, kb.f32(0.0));
    meanSquare = variance + mean * mean;
  } else if (square) {
    meanSquare = square * kb.f32(inverse);
  }
  SmallVector<V> result;
  for (StatisticAttr statistic : op.getStatistics().getAsRange<StatisticAttr>())
    switch (statistic.getValue()) {
    case Statistic::Mean:
      result.push_back(mean);
      break;
    case Statistic::Variance:
      result.push_back(variance);
      break;
    case Statistic::MeanSquare:
      result.push_back(meanSquare);
      break;
    case Statistic::SumSquare:
      result.push_back(pivot ? meanSquare * kb.f32(op.getK()) : square);
      break;
    }
  return result;
}

/// Copies a region's operations to the insertion point; returns what it yields.
/// Roots become instructions: the general lowering would call a library.
static SmallVector<V> inlineRegion(KernelBuilder &kb, Region &region, ArrayRef<V> args) {
  IRMapping map;
  Block &block = region.front();
  for (auto [from, to] : llvm::zip_equal(block.getArguments(), args))
    map.map(from, Value(to));
  for (Operation &op : block.without_terminator()) {
    bool isF32 = op.getNumResults() == 1 && op.getResult(0).getType().isF32();
    if (isF32 && isa<math::RsqrtOp, math::SqrtOp>(op)) {
      V a = kb.wrap(map.lookupOrDefault(op.getOperand(0)));
      map.map(op.getResult(0), Value(isa<math::SqrtOp>(op) ? kb.sqrt(a) : kb.rsqrt(a)));
      continue;
    }
    kb.b.clone(op, map);
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value v) { return kb.wrap(map.lookupOrDefault(v)); });
}

RowFactors flashfusion::inlineRow(KernelBuilder &kb, OnlineOp op, ArrayRef<V> statistics,
                                  ArrayRef<V> scalars) {
  SmallVector<V> args(statistics);
  llvm::append_range(args, scalars);
  SmallVector<V> factors = inlineRegion(kb, op.getRow(), args);
  factors.resize(2);
  return {factors[0], factors[1]};
}

V flashfusion::inlineFinalizer(KernelBuilder &kb, OnlineOp op, unsigned out, ArrayRef<V> z,
                               ArrayRef<V> columns, ArrayRef<V> tiles) {
  SmallVector<V> args(z);
  llvm::append_range(args, columns);
  llvm::append_range(args, tiles);
  return inlineRegion(kb, op.getFinalizers()[out], args).front();
}
