//===- DecodeLoader.cpp - Weights through a ring in shared memory ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BulkLoader (sm_90): a warp that only copies, with 1-D bulk copies of whole row
// segments. Stage s is full when its bytes have arrived (an mbarrier), and empty
// again when every multiplying warp has read it (another one).
//
// AsyncLoader (sm_80): every warp copies with cp.async the part of each row that
// it multiplies later, so that warps need no barriers for the ring; one group of
// copies per stage keeps count.
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

#include <functional>

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;

DecodeLoader::~DecodeLoader() = default;

Stage decode::next(KernelBuilder &kb, const Plan &plan, const Stage &stage) {
  V slot = stage.slot + 1;
  V wraps = slot.eq(plan.stages);
  return {stage.number + 1, kb.select(wraps, kb.i32(0), slot),
          kb.select(wraps, stage.parity ^ 1, stage.parity)};
}

SmallVector<V> decode::perGroup(KernelBuilder &kb, const Plan &plan, V unit,
                                function_ref<SmallVector<V>(const Group &)> values) {
  std::function<SmallVector<V>(size_t)> from = [&](size_t g) -> SmallVector<V> {
    if (g + 1 == plan.groups.size())
      return values(plan.groups[g]);
    return kb.ifElse(
        unit.lt(plan.groups[g + 1].firstUnit), [&] { return values(plan.groups[g]); },
        [&] { return from(g + 1); });
  };
  return from(0);
}

DecodeLoader::Source DecodeLoader::source(V number) {
  V unit = block.unit0 + number / plan.stagesPerUnit;
  V inUnit = number % plan.stagesPerUnit;
  V part = inUnit % plan.split;
  V member = inUnit / plan.split;
  // Selects instead of branches: the copies follow in one place.
  V base, firstUnit, n;
  for (const Group &group : plan.groups) {
    V weight = block.weights[group.linears[0]];
    for (int64_t j = 1; j < plan.width; ++j)
      weight = kb.select(member.eq(j), block.weights[group.linears[j]], weight);
    if (!base) {
      base = weight, firstUnit = kb.i32(0), n = kb.i32(group.n);
      continue;
    }
    V here = unit.ge(group.firstUnit);
    base = kb.select(here, weight, base);
    firstUnit = kb.select(here, kb.i32(group.firstUnit), firstUnit);
    n = kb.select(here, kb.i32(group.n), n);
  }
  V n0 = (unit - firstUnit) * unitN;
  V offset = kb.wide(n0) * (plan.k * plan.weightBytes) +
             kb.wide(part * (plan.stageK * plan.weightBytes));
  return {kb.at(base, offset), plan.ragged ? kb.min(n - n0, kb.i32(unitN)) : kb.i32(unitN), part};
}

namespace {

class BulkLoader : public DecodeLoader {
public:
  BulkLoader(KernelBuilder &kb, const Plan &plan, const Parameters &params,
             const BlockValues &block)
      : DecodeLoader(kb, plan, block), gain(params[params.gain]), shift(params[params.shift]) {}

  void run(function_ref<void()> multiply) override {
    kb.ifThenElse(
        block.warp.eq(plan.warps),
        [&] {
          initialize();
          // The others need not wait for the first copies to be issued, which takes long
          // where segments of rows are short and many.
          kb.syncThreads();
          // One thread: lanes side by side would take turns.
          kb.ifThen(block.lane.eq(0), [&] { fill(); });
          kb.syncWarp();
          if (plan.refill)
            refill();
        },
        multiply);
  }

  void ready() override { kb.syncThreads(); }
  void wait(const Stage &stage) override { kb.mbarrierWait(full(stage.slot), stage.parity); }
  void waitForVectors() override {
    if (plan.staged)
      kb.mbarrierWait(vectorsFull(), kb.i32(0));
  }

  // The reads were ordinary loads and the refill is not: without a fence by
  // every reading lane the copy can overtake them. It costs about 0.1 us.
  void release(ArrayRef<Stage> stages) override {
    if (!plan.refill)
      return;
    kb.fenceAsync();
    kb.syncWarp();
    kb.ifThen(block.lane.eq(0), [&] {
      for (const Stage &stage : stages)
        kb.mbarrierArrive(empty(stage.slot));
    });
  }

  int64_t releaseBatch() const override {
    return std::clamp<int64_t>(plan.stages / 3, 1, plan.stagesPerUnit);
  }

private:
  V gain, shift;

  V vectorsFull() { return kb.at(kb.smem(), plan.vectorsFull); }
  V full(V slot) { return kb.at(kb.smem(), slot * 8 + plan.full); }
  V empty(V slot) { return kb.at(kb.smem(), slot * 8 + plan.empty); }

  void initialize() {
    for (int64_t s = 0; s < plan.stages; s += 32) {
      V slot = block.lane + s;
      kb.ifThen(slot.lt(plan.stages), [&] {
        kb.mbarrierInit(full(slot), 1);
        if (plan.refill)
          kb.mbarrierInit(empty(slot), plan.warps);
      });
    }
    if (plan.staged)
      kb.ifThen(block.lane.eq(0), [&] { kb.mbarrierInit(vectorsFull(), 1); });
    kb.mbarrierInitFence();
  }

  /// Gain and shift, and the first stages.
  void fill() {
    if (plan.staged) {
      kb.mbarrierExpect(vectorsFull(), kb.i32(plan.gainBytes + plan.shiftBytes));
      V at = kb.at(kb.smem(), plan.vectors);
      if (gain)
        kb.bulkLoad(at, gain, vectorsFull(), kb.i32(plan.gainBytes));
      if (shift)
        kb.bulkLoad(kb.at(at, plan.gainBytes), shift, vectorsFull(), kb.i32(plan.shiftBytes));
    }
    V count = kb.min(totalStages(), kb.i32(plan.stages));
    kb.forLoop(kb.i32(0), count, kb.i32(1), [&](V number) { copy(number, number); });
  }

  /// The other stages, as the ring empties.
  void refill() {
    kb.forLoop(kb.i32(plan.stages), totalStages(), kb.i32(1), {kb.i32(0), kb.i32(0)},
               [&](V number, ArrayRef<V> ring) {
                 Stage stage{number, ring[0], ring[1]};
                 kb.mbarrierWait(empty(stage.slot), stage.parity);
                 kb.ifThen(block.lane.eq(0), [&] { copy(number, stage.slot); });
                 Stage following = next(kb, plan, stage);
                 return SmallVector<V>{following.slot, following.parity};
               });
  }

  void copy(V number, V slot) {
    Source from = source(number);
    int64_t whole = plan.stageK * plan.weightBytes;
    int64_t last = (plan.k - (plan.split - 1) * plan.stageK) * plan.weightBytes;
    V bytes = kb.i32(whole), stage = slotAddress(slot);
    if (last != whole)
      bytes = kb.select(from.part.eq(plan.split - 1), kb.i32(last), bytes);
    kb.mbarrierExpect(full(slot), bytes * from.rows);
    for (int64_t row = 0; row < unitN; ++row) {
      auto load = [&] {
        kb.bulkLoad(kb.at(stage, row * plan.pitch),
                    kb.at(from.address, row * plan.k * plan.weightBytes), full(slot), bytes,
                    /*evictFirst=*/true);
      };
      if (plan.ragged && row > 0)
        kb.ifThen(from.rows.ge(row + 1), load);
      else
        load();
    }
  }
};

class AsyncLoader : public DecodeLoader {
public:
  using DecodeLoader::DecodeLoader;

  void run(function_ref<void()> multiply) override {
    kb.forLoop(kb.i32(0), kb.i32(plan.stages), kb.i32(1), [&](V number) {
      fill(number, number);
      kb.cpAsyncCommit();
    });
    multiply();
  }

  void ready() override {}
  void wait(const Stage &) override {
    kb.cpAsyncWait(plan.stages - 1);
    kb.syncWarp();
  }

  void release(ArrayRef<Stage> stages) override {
    kb.syncWarp();
    for (const Stage &stage : stages) {
      // One group per stage, because wait() counts groups: some are empty.
      if (plan.refill)
        fill(stage.number + plan.stages, stage.slot);
      kb.cpAsyncCommit();
    }
  }

  int64_t releaseBatch() const override { return 1; }

private:
  void fill(V number, V slot) {
    kb.ifThen(number.lt(totalStages()), [&] {
      Source from = source(number);
      // Eight rows of this warp's slice, in pieces of 16 bytes.
      int64_t bytes = plan.weightBytes, perPiece = 16 / bytes, perRow = plan.warpK / perPiece;
      auto copyPiece = [&](V number) {
        V row = number / perRow, piece = number % perRow;
        V k = block.warp * plan.warpK + piece * perPiece;
        V exists = row.lt(from.rows);
        if (plan.split * plan.stageK != plan.k)
          exists = exists & (from.part * plan.stageK + k).lt(kb.i32(plan.k));
        V at = kb.at(from.address, kb.wide(row) * (plan.k * bytes) + kb.wide(k * bytes));
        // Nothing is read past the matrix; zeros arrive instead.
        kb.cpAsync(kb.at(slotAddress(slot), row * plan.pitch + k * bytes),
                   kb.select(exists, at, from.address), 16,
                   kb.select(exists, kb.i32(16), kb.i32(0)));
      };
      for (int64_t i = 0; i < unitN * perRow; i += 32) {
        V number = block.lane + i;
        if (i + 32 <= unitN * perRow)
          copyPiece(number);
        else
          kb.ifThen(number.lt(unitN * perRow), [&] { copyPiece(number); });
      }
    });
  }
};

} // namespace

std::unique_ptr<DecodeLoader> decode::makeLoader(KernelBuilder &kb, const Plan &plan,
                                                 const Parameters &params,
                                                 const BlockValues &block) {
  if (plan.bulk)
    return std::make_unique<BulkLoader>(kb, plan, params, block);
  return std::make_unique<AsyncLoader>(kb, plan, block);
}
