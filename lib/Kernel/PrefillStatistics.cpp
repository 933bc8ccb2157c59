//===- PrefillStatistics.cpp - Row statistics from shared memory -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The x tile is in shared memory for the tensor cores anyway; while they run,
// every thread sums 32 values of a stage: d^2, and d where the op needs a
// pivot, with d = x or x - pivot. Each sum has four chains to hide latency.
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"
#include "WgmmaRowSums.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

static constexpr int64_t rowBytes = tileK * 2;
using wgmma::chains;

RowStatistics::RowStatistics(Kernel &kernel, V group, V thread)
    : kernel(kernel), pivoted(needsPivot(kernel.plan.op)), lane(thread % 32) {
  V row = thread.shr(1), half = (thread & 1).shl(2);
  V rowStart = group * (64 * rowBytes) + row * rowBytes;
  // Rows are swizzled: the 16-byte piece of columns 8 c .. 8 c + 7 is at position
  // c ^ (row % 8). The order differs from row to row, which keeps a warp's
  // accesses off each other's banks.
  for (int64_t j = 0; j < 4; ++j) {
    V position = ((row + j) & 3) + half;
    pieces.push_back(rowStart + position.shl(4));
    pieceColumns.push_back((position ^ (row & 7)).shl(3));
  }
  firstElement = rowStart + (row & 7).shl(4);
}

SmallVector<V> RowStatistics::init() {
  int64_t count = !kernel.plan.hasStatistics() ? 0 : pivoted ? 2 * chains + 1 : chains;
  return SmallVector<V>(count, kernel.kb.f32(0.0));
}

SmallVector<V> RowStatistics::accumulate(V k, V stage, ArrayRef<V> sums) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t extent = OnlineOp(plan.op).getK();
  SmallVector<V> next(sums);
  V pivot;
  if (pivoted) {
    pivot = kb.ifElse(
        k.eq(0),
        [&] {
          return SmallVector<V>{
              kb.toF32(kb.load(kb.at(stage, firstElement), plan.element, /*align=*/2))};
        },
        [&] { return SmallVector<V>{sums.back()}; })[0];
    next.back() = pivot;
  }
  auto piece4 = VectorType::get({4}, kb.b.getI32Type());
  for (auto [offset, column] : llvm::zip_equal(pieces, pieceColumns)) {
    V words = kb.load(kb.at(stage, offset), piece4, /*align=*/16);
    // Past K the tile is zero, and must stay so (K is a multiple of 8).
    V shift = pivot;
    if (pivoted && extent % tileK != 0)
      shift = kb.select((k * tileK + column).lt(extent), pivot, kb.f32(0.0));
    wgmma::addToSums(kb, words, plan.element, shift, next);
  }
  // The stage will be refilled by the copy engine. Order the loads before that,
  // in every lane: lane 0 releases the stage for all of them.
  kb.fenceAsync();
  kb.syncWarp();
  return next;
}

SmallVector<V> RowStatistics::factors(ArrayRef<V> sums) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  SmallVector<V> statistics;
  if (plan.hasStatistics()) {
    V square = wgmma::totalOf(kb, sums.take_front(chains));
    V sum = pivoted ? wgmma::totalOf(kb, sums.slice(chains, chains)) : V();
    statistics = statisticsFromSums(kb, plan.op, sum, square, pivoted ? sums.back() : V());
  }
  SmallVector<V> scalars;
  for (int64_t arg : plan.scalarArgs)
    scalars.push_back(kernel.args[arg]);
  RowFactors row = inlineRow(kb, plan.op, statistics, scalars);
  // Row r of the warp's 16 was summed by lanes 2 r and 2 r + 1; the thread's
  // accumulators are in rows lane / 4 and lane / 4 + 8.
  SmallVector<V> result;
  V from = lane.shr(2).shl(1);
  for (V factor : {row.scale, row.center ? kb.f32(0.0) - row.center : V()})
    if (factor)
      for (V source : {from, from + 16})
        result.push_back(kb.shuffleFrom(factor, source));
  return result;
}
