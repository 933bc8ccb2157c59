//===- DecodeConsumer.cpp - What the multiplying warps do -----------------===//
//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;

/// Adds this warp's products of one part of K, in two chains of mma.sync.
static void multiply(KernelBuilder &kb, const Plan &plan, const BlockValues &block, V stage,
                     int64_t part, LeftOperand &operand, SmallVector<V> (&sums)[2]) {
  V at = kb.at(stage, block.quad * plan.pitch + block.laneK * plan.weightBytes);
  for (int64_t c = 0; c < plan.chunks; ++c) {
    int64_t step = part * plan.chunks + c;
    // Behind K a stage holds what it held before; the left operand is 0 there, but
    // 0 times an infinity is not.
    SmallVector<V> w =
        loadWeights(kb, plan, kb.at(at, 32 * plan.weightBytes * c), operand.inside(step));
    for (auto [q, left] : llvm::enumerate(operand.operandsOf(step)))
      sums[q] = kb.mmaSync(plan.product, left, {w[2 * q], w[2 * q + 1]}, sums[q]);
  }
}

/// This warp's parts of the tile of one unit, to shared memory; `stage` moves on.
static void multiplyUnit(KernelBuilder &kb, const Plan &plan, const BlockValues &block,
                         DecodeLoader &loader, LeftOperand &operand, DecodeOutputs &outputs,
                         Stage &stage, V parts) {
  SmallVector<Stage> used;
  for (int64_t member = 0; member < plan.width; ++member) {
    SmallVector<V> sums[2];
    sums[0] = sums[1] = SmallVector<V>(4, kb.f32(0));
    for (int64_t part = 0; part < plan.split; ++part) {
      loader.wait(stage);
      multiply(kb, plan, block, loader.slotAddress(stage.slot), part, operand, sums);
      used.push_back(stage);
      stage = next(kb, plan, stage);
      if (static_cast<int64_t>(used.size()) == loader.releaseBatch()) {
        loader.release(used);
        used.clear();
      }
    }
    V at = outputs.partAddress(parts, block.warp, member);
    at = kb.at(at, block.quad * (unitN * 4) + block.inQuad * 8);
    for (int64_t h = 0; h < plan.halves; ++h) {
      int64_t first = 2 * h, second = plan.halves == 1 ? 2 : first;
      V low = sums[0][first] + sums[1][second], high = sums[0][first + 1] + sums[1][second + 1];
      if (V inverse = operand.inverseOf(h))
        low = low * inverse, high = high * inverse;
      kb.store(kb.pack({low, high}), kb.at(at, h * (8 * unitN * 4)), 8);
    }
  }
  if (!used.empty())
    loader.release(used);
}

void decode::consume(KernelBuilder &kb, OnlineOp op, const Plan &plan, const Parameters &params,
                     const BlockValues &block, DecodeLoader &loader) {
  loader.ready();
  if (plan.bulk)
    kb.waitForPredecessor();
  LeftOperand operand(kb, op, plan, params, block, loader);
  operand.make();
  DecodeOutputs outputs(kb, op, plan, params, block);
  // The ring, then the factors of this thread's row where they are deferred.
  unsigned factorCount = plan.deferred ? op.getNumRowFactors() : 0;
  SmallVector<V> init{kb.i32(0), kb.i32(0)};
  init.append(factorCount, kb.f32(0));
  kb.forLoop(kb.i32(0), block.units, kb.i32(1), init, [&](V i, ArrayRef<V> carried) {
    Stage stage{i * plan.stagesPerUnit, carried[0], carried[1]};
    V parts = kb.at(kb.smem(), (i & 1) * plan.partialBytes() + plan.partials);
    outputs.begin(i);
    multiplyUnit(kb, plan, block, loader, operand, outputs, stage, parts);
    // The parts are complete. Two buffers: one barrier per tile is enough.
    kb.barrier(1, plan.multiplying());
    SmallVector<V> factors(carried.drop_front(2));
    if (factorCount)
      factors = kb.ifElse(
          i.eq(0),
          [&] {
            RowFactors found = operand.factorsOf(outputs.row());
            SmallVector<V> list{found.scale, found.center};
            list.resize(factorCount);
            return list;
          },
          [&] { return factors; });
    SmallVector<V> both = factors;
    both.resize(2);
    outputs.finish(parts, {both[0], both[1]});
    SmallVector<V> following{stage.slot, stage.parity};
    llvm::append_range(following, factors);
    return following;
  });
}
