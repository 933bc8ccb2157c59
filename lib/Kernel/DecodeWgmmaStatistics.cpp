//===- DecodeWgmmaStatistics.cpp - Row sums, column vectors ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x passes through shared memory for the tensor cores anyway. Beside them, threads
// 2r and 2r + 1 sum the two halves of every box of row r: d^2, and d where the op
// needs a pivot, with d = x or x - pivot. Each sum has four chains, and
// goes through k in ascending order in every row. With the last step of the first tile the rows'
// factors are known, and stay.
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "DecodeWgmma.h"
#include "WgmmaRowSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;

using wgmma::chains;

namespace {

struct RowSums {
  RowSums(Kernel &kernel, V thread)
      : kernel(kernel), kb(kernel.kb), plan(kernel.plan), pivoted(needsPivot(plan.op)),
        row(thread.shr(1)), half(thread & 1) {
    // Rows are swizzled: the 16-byte piece of columns 8 c .. 8 c + 7 is at position
    // c ^ (row % 8), which also keeps a warp's accesses off each other's banks.
    for (int64_t j = 0; j < 4; ++j) {
      V piece = half.shl(2) + j;
      offsets.push_back(row * boxRowBytes + (piece ^ (row & 7)).shl(4));
      columns.push_back(piece.shl(3));
    }
    if (pivoted) {
      // Rows past M, which are zero, take that of another.
      V source = kb.wide(kb.min(row, kernel.rows - 1)) * (2 * OnlineOp(plan.op).getK());
      pivot = loadPivot(kb, plan.op, kb.at(kernel.args[plan.pivotArg], source));
    }
  }

  /// Running sums before the first stage.
  SmallVector<V> init() {
    int64_t count = !plan.hasStatistics() ? 0 : pivoted ? 2 * chains : chains;
    return SmallVector<V>(count, kb.f32(0.0));
  }
  SmallVector<V> accumulate(V k, V stage, ArrayRef<V> sums);
  void storeFactors(ArrayRef<V> sums);
  /// Sums over all of K from those over the parts of the cluster's blocks.
  std::pair<V, V> overCluster(V square, V sum);

  Kernel &kernel;
  KernelBuilder &kb;
  const Plan &plan;
  bool pivoted;
  V row, half, pivot;
  SmallVector<V> offsets, columns;
};

} // namespace

SmallVector<V> RowSums::accumulate(V k, V stage, ArrayRef<V> sums) {
  SmallVector<V> next(sums);
  auto piece4 = VectorType::get({4}, kb.b.getI32Type());
  int64_t extent = OnlineOp(plan.op).getK();
  for (int64_t box = 0; box < plan.boxes; ++box)
    for (auto [offset, column] : llvm::zip_equal(offsets, columns)) {
      V words = kb.load(kb.at(stage, offset + box * plan.xBoxBytes()), piece4, /*align=*/16);
      // Past K the stage is zero, and must stay so (K is a multiple of 8).
      V shift = pivot;
      if (pivoted && extent % (plan.stageK() * plan.split) != 0) {
        V at = kernel.firstK + k * plan.stageK() + column + box * boxK;
        shift = kb.select(at.lt(extent), pivot, kb.f32(0.0));
      }
      wgmma::addToSums(kb, words, plan.element, shift, next);
    }
  // The stage will be refilled by the copy engine. Order the loads before that, in
  // every lane: one lane releases the stage for all of them.
  if (plan.xRefill())
    kb.fenceAsync();
  kb.syncWarp();
  return next;
}

void RowSums::storeFactors(ArrayRef<V> sums) {
  V square, sum;
  if (plan.hasStatistics())
    square = wgmma::totalOf(kb, sums.take_front(chains));
  if (pivoted)
    sum = wgmma::totalOf(kb, sums.drop_front(chains));
  if (plan.split > 1)
    std::tie(square, sum) = overCluster(square, sum);
  SmallVector<V> statistics;
  if (plan.hasStatistics())
    statistics = statisticsFromSums(kb, plan.op, sum, square, pivot);
  SmallVector<V> scalars;
  for (int64_t arg : plan.scalarArgs)
    scalars.push_back(kernel.args[arg]);
  RowFactors factors = inlineRow(kb, plan.op, statistics, scalars);
  V place = kb.at(kernel.smem, row.shl(2) + plan.factorOffset);
  kb.ifThen(half.eq(0), [&] {
    kb.store(factors.scale, place, 4);
    if (factors.center)
      kb.store(kb.f32(0.0) - factors.center, kb.at(place, plan.factorBytes()), 4);
  });
  kb.mbarrierArrive(kernel.factorsFull());
}

std::pair<V, V> RowSums::overCluster(V square, V sum) {
  // Every block gets the sums of all parts of K, and adds them up in the same order.
  V place = kb.at(kernel.smem, row.shl(3) + plan.rowSumOffset);
  cluster::wait(kb); // the others have started
  if (square) {
    V pair = kb.pack({square, sum ? sum : kb.f32(0.0)});
    V mine = kb.at(place, kernel.rank * (8 * plan.tileM));
    kb.ifThen(half.eq(0), [&] {
      for (int64_t to = 0; to < plan.split; ++to)
        kb.store(pair, cluster::peer(kb, mine, kb.i32(to)), 8);
    });
  }
  meetCluster(kernel);
  if (!square)
    return {square, sum};
  auto pairType = VectorType::get({2}, kb.b.getF32Type());
  V all = kb.load(place, pairType, 8);
  for (int64_t from = 1; from < plan.split; ++from)
    all = kb.wrap(
        arith::AddFOp::create(kb.b, kb.loc, Value(all),
                              Value(kb.load(kb.at(place, from * (8 * plan.tileM)), pairType, 8))));
  return {kb.extract(all, 0), sum ? kb.extract(all, 1) : V()};
}

/// A tile's columns to shared memory, once the tile before needs its own no more.
static void loadVectors(Kernel &kernel, V thread, Tile tile, V parity) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  if (plan.tilesPerBlock > 1)
    kb.mbarrierWait(kernel.vectorsEmpty(), parity ^ 1);
  kernel.forOutput(tile, [&](const OutputPlan &output) {
    for (const ColumnVector &vector : output.vectors())
      for (int64_t first = 0; first < plan.outN(); first += plan.summingThreads()) {
        V column = thread + first;
        auto copy = [&] {
          // Columns past N repeat the last one; what they lead to is not stored.
          V source = vector.place(kb, kb.min(tile.col + column, kb.i32(output.n - 1)));
          V value = kb.load(kb.at(kernel.args[vector.arg], kb.wide(source) * vector.bytes()),
                            vector.type, vector.bytes());
          kb.store(value,
                   kb.at(kernel.smem, column * vector.bytes() + plan.vectorOffset + vector.offset),
                   vector.bytes());
        };
        if (first + plan.summingThreads() <= plan.outN())
          copy();
        else
          kb.ifThen(column.lt(plan.outN()), copy);
      }
  });
  kb.mbarrierArrive(kernel.vectorsFull());
}

void decodewgmma::emitStatistics(Kernel &kernel, V thread) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  RowSums rows(kernel, thread);
  V zero = kb.i32(0);
  SmallVector<V> init{zero, zero, zero};
  kernel.forTiles(init, [&](Tile tile, ArrayRef<V> carried) {
    V stage = carried[0], stageParity = carried[1], parity = carried[2];
    if (plan.hasVectors())
      loadVectors(kernel, thread, tile, parity);
    V fresh = tile.number.eq(0);
    SmallVector<V> sums = rows.init();
    if (plan.hasStatistics()) {
      sums.insert(sums.begin(), {stage, stageParity});
      sums = kb.forLoop(zero, kb.i32(plan.kSteps), kb.i32(1), sums, [&](V k, ArrayRef<V> carried) {
        Ring ring{carried[0], carried[1]};
        kb.mbarrierWait(kernel.xFull(ring.stage), ring.parity);
        SmallVector<V> next(carried.drop_front(2));
        next = kb.ifElse(
            fresh, [&] { return rows.accumulate(k, kernel.xStage(ring.stage), next); },
            [&] { return next; });
        kernel.releaseX(ring.stage, kb.i1(true));
        ring = wgmma::advance(kb, ring, plan.xStages);
        next.insert(next.begin(), {ring.stage, ring.parity});
        return next;
      });
      stage = sums[0], stageParity = sums[1];
      sums.erase(sums.begin(), sums.begin() + 2);
    }
    if (plan.factors())
      kb.ifThen(fresh, [&] { rows.storeFactors(sums); });
    else if (plan.split > 1)
      passCluster(kernel);
    return SmallVector<V>{stage, stageParity, parity ^ 1};
  });
}
