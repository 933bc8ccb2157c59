//===- PrefillStatistics.cpp - Row statistics from shared memory -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The x tile is in shared memory for the tensor cores anyway; while they run,
// every thread sums 64 bytes of a stage: d^2, and d where the op needs a
// pivot, with d = x or x - pivot. Each sum has four chains to hide latency.
//
// Every block with a tile of a row block has that row block's x. The blocks of a cluster do,
// and share the work: each sums up its share of a stage's columns, and sends what it found to
// all of them with the row block's last stage.
//
// Blocks that have one tile, each a part of K, sum up all of that part and send what they found in
// the same way. They cannot take a pivot from what is in shared memory, which must be one for all.
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "PrefillKernel.h"
#include "WgmmaRowSums.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

using wgmma::chains;

RowStatistics::RowStatistics(Kernel &kernel, V group, V thread)
    : kernel(kernel), pivoted(needsPivot(kernel.plan.op)), warp(group.shl(2) + thread.shr(5)),
      lane(thread % 32), row(group.shl(6) + thread.shr(1)) {
  int64_t count = 4 / kernel.plan.split;
  V first = (thread & 1).shl(2);
  if (kernel.plan.split > 1)
    first = first + kernel.rank * count;
  V rowStart = row * rowBytes;
  // Rows are swizzled: the 16-byte piece of columns 8 c .. 8 c + 7 is at position
  // c ^ (row % 8), which also keeps a warp's accesses off each other's banks.
  for (int64_t j = 0; j < count; ++j) {
    V piece = first + j;
    pieces.push_back(rowStart + (piece ^ (row & 7)).shl(4));
    pieceColumns.push_back(piece * (16 / kernel.plan.elementBytes()));
  }
  firstElement = rowStart + (row & 7).shl(4);
}

SmallVector<V> RowStatistics::init(Tile tile) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t count = !plan.hasStatistics() ? 0 : pivoted ? 2 * chains + 1 : chains;
  SmallVector<V> sums(count, kb.f32(0.0));
  if (pivoted && plan.parts > 1) {
    // Rows past M, which are zero, take that of another.
    V source = kb.wide(kb.min(tile.row + row, kernel.rows - 1)) * (2 * OnlineOp(plan.op).getK());
    sums.back() = loadPivot(kb, plan.op, kb.at(kernel.args[plan.pivotArg], source));
  }
  return sums;
}

SmallVector<V> RowStatistics::load(V stage) {
  KernelBuilder &kb = kernel.kb;
  auto piece4 = VectorType::get({4}, kb.b.getI32Type());
  return llvm::map_to_vector(
      pieces, [&](V offset) { return kb.load(kb.at(stage, offset), piece4, /*align=*/16); });
}

SmallVector<V> RowStatistics::none() {
  return SmallVector<V>(pieces.size(), kernel.kb.splat(kernel.kb.i32(0), 4));
}

SmallVector<V> RowStatistics::accumulate(V k, V stage, ArrayRef<V> elements, ArrayRef<V> sums) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t extent = OnlineOp(plan.op).getK(), tileK = plan.tileK();
  SmallVector<V> next(sums);
  V pivot;
  if (pivoted && plan.parts > 1)
    pivot = sums.back();
  else if (pivoted) {
    pivot = kb.ifElse(
        k.eq(0),
        [&] {
          // The first three elements are in one piece of 16 bytes.
          return SmallVector<V>{loadPivot(kb, plan.op, kb.at(stage, firstElement))};
        },
        [&] { return SmallVector<V>{sums.back()}; })[0];
    next.back() = pivot;
  }
  for (auto [words, column] : llvm::zip_equal(elements, pieceColumns)) {
    // Past K the tile is zero, and must stay so (K is a multiple of 16 bytes).
    V shift = pivot;
    if (pivoted && plan.parts * plan.kSteps * tileK != extent)
      shift = kb.select(((kernel.firstStep + k) * tileK + column).lt(extent), pivot, kb.f32(0.0));
    wgmma::addToSums(kb, words, plan.element, shift, next);
  }
  // The stage will be refilled by the copy engine. Order the loads before that,
  // in every lane: lane 0 releases the stage for all of them.
  kb.fenceAsync();
  kb.syncWarp();
  return next;
}

std::pair<V, V> RowStatistics::ownSums(ArrayRef<V> sums) {
  V square = wgmma::totalOf(kernel.kb, sums.take_front(chains));
  return {square, pivoted ? wgmma::totalOf(kernel.kb, sums.slice(chains, chains)) : V()};
}

void RowStatistics::send(ArrayRef<V> sums, V number) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  auto [square, sum] = ownSums(sums);
  V both = pivoted ? kb.pack({square, sum}) : square;
  V full = kernel.rowSumsFull(warp, number);
  int64_t bytes = plan.rowSumBytes();
  V place = kb.at(kernel.rowSums(warp, number), kernel.rank * bytes + lane.shr(1) * (bytes / 16));
  // What arrives before this is counted all the same: the phase waits for one arrival.
  kb.ifThen(lane.eq(0), [&] { kb.mbarrierExpect(full, kb.i32(plan.cluster() * bytes)); });
  kb.ifThen((lane & 1).eq(0), [&] {
    for (int64_t to = 0; to < plan.cluster(); ++to) {
      V rank = kb.i32(to);
      cluster::send(kb, both, cluster::peer(kb, place, rank), cluster::peer(kb, full, rank));
    }
  });
}

std::pair<V, V> RowStatistics::receive(V number) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  kb.mbarrierWait(kernel.rowSumsFull(warp, number), number.shr(1) & 1);
  int64_t bytes = plan.rowSumBytes();
  V place = kb.at(kernel.rowSums(warp, number), lane.shr(1) * (bytes / 16));
  Type f32 = kb.b.getF32Type();
  // In the order of ranks, the same in all blocks.
  V square, sum;
  for (int64_t from = 0; from < plan.cluster(); ++from) {
    V at = kb.at(place, from * bytes);
    V both = kb.load(at, pivoted ? VectorType::get({2}, f32) : f32, bytes / 16);
    V theirs = pivoted ? kb.extract(both, 0) : both;
    square = square ? square + theirs : theirs;
    if (pivoted)
      sum = sum ? sum + kb.extract(both, 1) : kb.extract(both, 1);
  }
  return {square, sum};
}

SmallVector<V> RowStatistics::factors(ArrayRef<V> sums, V number, V tileRow) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  SmallVector<V> statistics;
  if (plan.hasStatistics()) {
    auto [square, sum] = plan.cluster() > 1 ? receive(number) : ownSums(sums);
    statistics = statisticsFromSums(kb, plan.op, sum, square, pivoted ? sums.back() : V());
  }
  SmallVector<V> scalars;
  if (plan.xScaleArg >= 0) {
    Type type = getElementTypeOrSelf(OnlineOp(plan.op).getXScale());
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    // Rows past M take the last one's; what they lead to is not stored.
    V row = kb.min(tileRow + warp.shl(4) + lane.shr(1), kernel.rows - 1);
    V place = OnlineOp(plan.op).isSharedXScale() ? kb.i32(0) : row;
    scalars.push_back(
        kb.load(kb.at(kernel.args[plan.xScaleArg], kb.wide(place) * bytes), type, bytes));
  }
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
