//===- DecodeWgmmaRoles.cpp - Loads and products ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "DecodeWgmma.h"
#include "Wgmma.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;

void Kernel::releaseX(V stage, V condition) {
  if (plan.xRefill())
    kb.ifThen(condition & lane.eq(0), [&] { kb.mbarrierArrive(xEmpty(stage)); });
}

void Kernel::releaseW(V stage, V condition) {
  if (plan.wRefill())
    kb.ifThen(condition & lane.eq(0), [&] { kb.mbarrierArrive(wEmpty(stage)); });
}

void decodewgmma::meetCluster(Kernel &kernel) {
  cluster::arrive(kernel.kb);
  cluster::wait(kernel.kb);
}

void decodewgmma::passCluster(Kernel &kernel) {
  cluster::wait(kernel.kb);
  meetCluster(kernel);
}

void decodewgmma::emitWeightLoader(Kernel &kernel) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V zero = kb.i32(0);
  kernel.forTiles({zero, zero}, [&](Tile tile, ArrayRef<V> ring) {
    SmallVector<V> weights = kernel.selectWeights(tile);
    return kb.forLoop(zero, kb.i32(plan.kSteps), kb.i32(1), ring, [&](V k, ArrayRef<V> ring) {
      V stage = kernel.wStage(ring[0]), full = kernel.wFull(ring[0]);
      if (plan.wRefill())
        kb.mbarrierWait(kernel.wEmpty(ring[0]), ring[1] ^ 1);
      // Boxes count in full, also where they reach past the matrix.
      kb.mbarrierExpect(full, kb.i32(plan.wStageBytes()));
      for (int64_t box = 0; box < plan.boxes; ++box)
        for (int64_t l = 0; l < plan.linears; ++l)
          kb.tensorLoad(kb.at(stage, box * plan.wBoxBytes() + l * plan.outN() * boxRowBytes),
                        weights[l], full, kernel.firstK + k * plan.stageK() + box * boxK, tile.col,
                        /*evictFirst=*/true);
      Ring next = wgmma::advance(kb, {ring[0], ring[1]}, plan.wStages);
      return SmallVector<V>{next.stage, next.parity};
    });
  });
}

void decodewgmma::emitRowLoader(Kernel &kernel) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V zero = kb.i32(0), map = kernel.args[plan.xArg];
  // Every tile goes over the same x: K over and over again.
  kernel.forTiles({zero, zero}, [&](Tile, ArrayRef<V> ring) {
    return kb.forLoop(zero, kb.i32(plan.kSteps), kb.i32(1), ring, [&](V k, ArrayRef<V> ring) {
      V stage = kernel.xStage(ring[0]), full = kernel.xFull(ring[0]);
      if (plan.xRefill())
        kb.mbarrierWait(kernel.xEmpty(ring[0]), ring[1] ^ 1);
      kb.mbarrierExpect(full, kb.i32(plan.boxes * plan.tileM * boxRowBytes));
      for (int64_t box = 0; box < plan.boxes; ++box)
        kb.tensorLoad(kb.at(stage, box * plan.xBoxBytes()), map, full,
                      kernel.firstK + k * plan.stageK() + box * boxK, zero);
      Ring next = wgmma::advance(kb, {ring[0], ring[1]}, plan.xStages);
      return SmallVector<V>{next.stage, next.parity};
    });
  });
}

/// The products of one tile from the rings' positions in `rings` (stage and parity of x,
/// of W). One group of them stays in flight: the stages of step k - 1 are
/// released after the products of step k were issued. Returns the accumulators
/// and the rings' next positions.
static SmallVector<V> multiplyTile(Kernel &kernel, V x, V w, ArrayRef<V> rings) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  SmallVector<V> init{wgmma::zeros(kb, plan.tileN)};
  llvm::append_range(init, rings);
  init.append(2, kb.i32(0));
  auto out =
      kb.forLoop(kb.i32(0), kb.i32(plan.kSteps), kb.i32(1), init, [&](V k, ArrayRef<V> carried) {
        V accumulators = carried[0];
        Ring xRing{carried[1], carried[2]}, wRing{carried[3], carried[4]};
        kb.mbarrierWait(kernel.wFull(wRing.stage), wRing.parity);
        kb.mbarrierWait(kernel.xFull(xRing.stage), xRing.parity);
        V a = wgmma::advance(kb, x, xRing.stage * plan.xStageBytes());
        V b = wgmma::advance(kb, w, wRing.stage * plan.wStageBytes());
        wgmma::fence(kb);
        for (int64_t box = 0; box < plan.boxes; ++box)
          for (int64_t step = 0; step < boxK / 16; ++step)
            accumulators = wgmma::multiply(
                kb, plan.element, plan.tileN, a + (box * plan.xBoxBytes() + 32 * step) / 16,
                b + (box * plan.wBoxBytes() + 32 * step) / 16, accumulators);
        wgmma::commit(kb);
        wgmma::wait(kb, 1);
        kernel.releaseX(carried[5], k.ne(0));
        kernel.releaseW(carried[6], k.ne(0));
        Ring xNext = wgmma::advance(kb, xRing, plan.xStages),
             wNext = wgmma::advance(kb, wRing, plan.wStages);
        return SmallVector<V>{accumulators, xNext.stage, xNext.parity, wNext.stage,
                              wNext.parity, xRing.stage, wRing.stage};
      });
  wgmma::wait(kb, 0);
  kernel.releaseX(out[5], kb.i1(true));
  kernel.releaseW(out[6], kb.i1(true));
  out.truncate(5);
  return out;
}

/// Zeros in the rows of the ring of x that are multiplied and never loaded.
static void clearSpareRows(Kernel &kernel) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t first = plan.tileM * boxRowBytes / 16, end = plan.xBoxBytes() / 16;
  if (first == end)
    return;
  V zeros = kb.splat(kb.i32(0), 4);
  kb.forLoop(kb.i32(0), kb.i32(plan.xStages * plan.boxes), kb.i32(1), [&](V box) {
    V start = kb.at(kernel.smem, box * plan.xBoxBytes());
    kb.forLoop(kernel.tid + first, kb.i32(end), kb.i32(plan.multiplyingThreads()),
               [&](V i) { kb.store(zeros, kb.at(start, i.shl(4)), 16); });
  });
  kb.fenceAsync();
  kb.barrier(1, plan.multiplyingThreads());
}

void decodewgmma::emitConsumer(Kernel &kernel, V group) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  clearSpareRows(kernel);
  V x = wgmma::descriptor(kb, kb.at(kernel.smem, group * (64 * boxRowBytes)));
  V w = wgmma::descriptor(kb, kb.at(kernel.smem, plan.wOffset));
  SmallVector<V> init(4, kb.i32(0));
  init.push_back(kb.i32(0)); // parity of the column vectors
  kernel.forTiles(init, [&](Tile tile, ArrayRef<V> carried) {
    SmallVector<V> out = multiplyTile(kernel, x, w, carried.take_front(4));
    V parity = carried[4];
    if (plan.split > 1) {
      cluster::wait(kb); // the others have started
      sendPartials(kernel, out[0]);
      meetCluster(kernel);
    }
    if (plan.hasVectors())
      kb.mbarrierWait(kernel.vectorsFull(), parity);
    // Complete once and for all with the first tile.
    if (plan.factors())
      kb.mbarrierWait(kernel.factorsFull(), kb.i32(0));
    emitEpilogue(kernel, group, tile, out[0]);
    if (plan.hasVectors() && plan.tilesPerBlock > 1) {
      kb.syncWarp();
      kb.ifThen(kernel.lane.eq(0), [&] { kb.mbarrierArrive(kernel.vectorsEmpty()); });
    }
    SmallVector<V> next(ArrayRef(out).drop_front());
    next.push_back(parity ^ 1);
    return next;
  });
}
