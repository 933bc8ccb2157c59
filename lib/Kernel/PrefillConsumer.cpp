//===- PrefillConsumer.cpp - The warpgroups that multiply ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "PrefillKernel.h"
#include "Wgmma.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

namespace {

/// The products of one tile. One group of them stays in flight: stage k - 1 is
/// released after the products of stage k were issued, and rows are summed up beside those.
struct MainLoop {
  Kernel &kernel;
  RowStatistics &statistics;
  V group, lane, x, w, zeros;

  struct Result {
    V accumulators;
    Ring ring;
    SmallVector<V> sums;
  };

  void release(V stage, V condition) {
    KernelBuilder &kb = kernel.kb;
    kb.ifThen(condition, [&] { kb.mbarrierArrive(kernel.empty(stage)); });
  }

  /// Sums over a stage are added up in f32. While one warpgroup adds, the
  /// other's products keep the tensor cores busy.
  Result runPromoted(Tile tile, Ring ring, V fresh, V exchange) {
    KernelBuilder &kb = kernel.kb;
    const Plan &plan = kernel.plan;
    int64_t pieces = plan.pieces(), width = plan.tileN / pieces;
    SmallVector<V> init{ring.stage, ring.parity};
    llvm::append_range(init, statistics.init(tile));
    size_t count = init.size() - 2;
    init.append(plan.tileN / 2, kb.f32(0.0));
    auto out =
        kb.forLoop(kb.i32(0), kb.i32(plan.kSteps), kb.i32(1), init, [&](V k, ArrayRef<V> carried) {
          V stage = carried[0], parity = carried[1];
          SmallVector<V> sums(carried.slice(2, count)), totals(carried.drop_front(2 + count));
          kb.mbarrierWait(kernel.full(stage), parity);
          // Not beside products of its own, for which there would be too few registers; and not
          // behind, where LLVM would move the sums' additions past it.
          if (plan.hasStatistics()) {
            V rows = kernel.stage(stage);
            sums = kb.ifElse(
                fresh, [&] { return statistics.accumulate(k, rows, statistics.load(rows), sums); },
                [&] { return sums; });
          }
          V offset = stage * plan.stageBytes;
          V a = wgmma::advance(kb, x, offset), b = wgmma::advance(kb, w, offset);
          for (int64_t piece = 0; piece < pieces; ++piece) {
            wgmma::fence(kb);
            V products;
            V rows = b + piece * (width * rowBytes / 16);
            for (int64_t step = 0; step < rowBytes / 32; ++step)
              products =
                  wgmma::multiply(kb, plan.element, width, a + 2 * step, rows + 2 * step, products);
            wgmma::commit(kb);
            products = wgmma::finish(kb, products);
            if (piece + 1 == pieces)
              release(stage, lane.eq(0));
            for (int64_t i = 0; i < width / 2; ++i) {
              V &total = totals[piece * width / 2 + i];
              total = total + wgmma::element(kb, products, i);
            }
          }
          Ring next = wgmma::advance(kb, {stage, parity}, plan.stages);
          SmallVector<V> result{next.stage, next.parity};
          llvm::append_range(result, sums);
          llvm::append_range(result, totals);
          return result;
        });
    SmallVector<V> sums(ArrayRef(out).slice(2, count));
    if (plan.exchangesSums())
      kb.ifThen(fresh, [&] { statistics.send(sums, exchange); });
    return {wgmma::fromElements(kb, ArrayRef(out).drop_front(2 + count)), {out[0], out[1]}, sums};
  }

  /// `fresh`: the row statistics are not known yet, and are exchanged as number `exchange`.
  Result run(Tile tile, Ring ring, V fresh, V exchange) {
    KernelBuilder &kb = kernel.kb;
    const Plan &plan = kernel.plan;
    if (plan.promotes())
      return runPromoted(tile, ring, fresh, exchange);
    V signals = lane.eq(0);
    SmallVector<V> init{zeros, ring.stage, ring.parity, kb.i32(0)};
    llvm::append_range(init, statistics.init(tile));
    auto out =
        kb.forLoop(kb.i32(0), kb.i32(plan.kSteps), kb.i32(1), init, [&](V k, ArrayRef<V> carried) {
          V accumulators = carried[0], stage = carried[1], parity = carried[2];
          kb.mbarrierWait(kernel.full(stage), parity);
          // Ahead of products that are long enough, whose own loads would hold these up; before
          // short ones they would only be in the way.
          bool ahead = plan.hasStatistics() && plan.tileN > 128;
          SmallVector<V> elements;
          if (ahead)
            elements = kb.ifElse(
                fresh, [&] { return statistics.load(kernel.stage(stage)); },
                [&] { return statistics.none(); });
          V offset = stage * plan.stageBytes;
          V a = wgmma::advance(kb, x, offset), b = wgmma::advance(kb, w, offset);
          wgmma::fence(kb);
          // Where the loop has one step it disappears, and zeros to add to would be
          // written after the fence.
          if (plan.kSteps == 1)
            accumulators = V();
          for (int64_t step = 0; step < rowBytes / 32; ++step)
            accumulators = wgmma::multiply(kb, plan.element, plan.tileN, a + 2 * step, b + 2 * step,
                                           accumulators);
          wgmma::commit(kb);
          // The stage before goes back first: sums may take longer than its products.
          wgmma::wait(kb, 1);
          release(carried[3], signals & k.ne(0));
          // Hidden behind the products just issued. One loop with a uniform
          // branch: with two loops ptxas serializes the products.
          SmallVector<V> sums(carried.drop_front(4));
          if (plan.hasStatistics())
            sums = kb.ifElse(
                fresh,
                [&] {
                  if (!ahead)
                    elements = statistics.load(kernel.stage(stage));
                  return statistics.accumulate(k, kernel.stage(stage), elements, sums);
                },
                [&] { return sums; });
          Ring next = wgmma::advance(kb, {stage, parity}, plan.stages);
          SmallVector<V> result{accumulators, next.stage, next.parity, stage};
          llvm::append_range(result, sums);
          return result;
        });
    SmallVector<V> sums(ArrayRef(out).drop_front(4));
    // Hidden behind the last products. There is but one tile where K is in parts.
    if (plan.parts > 1)
      cluster::wait(kb);
    if (plan.exchangesSums())
      kb.ifThen(fresh, [&] { statistics.send(sums, exchange); });
    wgmma::wait(kb, 0);
    release(out[3], signals);
    return {out[0], {out[1], out[2]}, sums};
  }
};

} // namespace

void prefill::emitConsumer(Kernel &kernel, V group) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V thread = kernel.tid % 128, lane = kernel.tid % 32;
  RowStatistics statistics(kernel, group, thread);
  Epilogue epilogue(kernel, group, thread);
  MainLoop loop{kernel,
                statistics,
                group,
                lane,
                wgmma::descriptor(kb, kb.at(kernel.smem, group * (64 * rowBytes))),
                wgmma::descriptor(kb, kb.at(kernel.smem, plan.xTileBytes())),
                wgmma::zeros(kb, plan.tileN)};

  // The other blocks' barriers can be used.
  if (plan.split > 1)
    cluster::wait(kb);
  // Carried: ring, parity of the column vectors, the row block whose factors are
  // known, how many there were before it, the factors.
  V zero = kb.i32(0);
  SmallVector<V> init{zero, zero, zero, kb.i32(-1), zero};
  if (plan.hasRowFactors())
    init.append(2 * OnlineOp(plan.op).getNumRowFactors(), kb.f32(0.0));
  else
    llvm::append_range(init, statistics.factors({}, zero, zero));
  kernel.forTiles(init, [&](Tile tile, ArrayRef<V> carried) {
    V fresh = tile.row.ne(carried[3]), exchange = carried[4];
    MainLoop::Result products = loop.run(tile, {carried[0], carried[1]}, fresh, exchange);
    SmallVector<V> factors(carried.drop_front(5));
    if (plan.hasRowFactors())
      factors = kb.ifElse(
          fresh, [&] { return statistics.factors(products.sums, exchange, tile.row); },
          [&] { return factors; });
    if (plan.parts > 1)
      epilogue.exchangePartials(products.accumulators);
    V parity = carried[2];
    if (plan.hasVectors())
      kb.mbarrierWait(kernel.vectorsFull(), parity);
    kernel.forOutput(tile, [&](const OutputPlan &output) {
      epilogue.emit(output, tile, products.accumulators, factors);
    });
    if (plan.hasVectors()) {
      kb.syncWarp();
      kb.ifThen(lane.eq(0), [&] { kb.mbarrierArrive(kernel.vectorsEmpty()); });
    }
    SmallVector<V> next{products.ring.stage, products.ring.parity, parity ^ 1, tile.row,
                        kb.select(fresh, exchange + 1, exchange)};
    llvm::append_range(next, factors);
    return next;
  });
  epilogue.finish();
}
