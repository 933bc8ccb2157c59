//===- DecodeLoader.cpp - Weights through a ring in shared memory ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BulkLoader (sm_90): 1-D bulk copies of whole row segments, issued by all warps. Stage s is full
// when its bytes have arrived (an mbarrier); it is free again when all warps have read it and met.
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
  V tile = number / (2 * plan.stagesPerUnit);
  V inTile = number % (2 * plan.stagesPerUnit);
  // The last tile may be a single unit.
  V single = (tile * 2 + 1).eq(block.units);
  V unit = block.unit0 + tile * 2 + kb.select(single, kb.i32(0), inTile % 2);
  V inUnit = kb.select(single, inTile, inTile / 2);
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
  V offset = kb.wide(n0) * (plan.k * 2) + kb.wide(part * (plan.stageK * 2));
  return {kb.at(base, offset), plan.ragged ? kb.min(n - n0, kb.i32(unitN)) : kb.i32(unitN), part};
}

namespace {

class BulkLoader : public DecodeLoader {
public:
  using DecodeLoader::DecodeLoader;

  void start() override {
    kb.ifThen(block.tid.eq(0), [&] {
      for (int64_t s = 0; s < plan.stages; ++s)
        kb.mbarrierInit(full(kb.i32(s)), issuers());
      kb.mbarrierInitFence();
    });
    kb.syncThreads();
    V first = kb.min(totalStages(), kb.i32(plan.stages));
    issue(first, [&] {
      kb.forLoop(block.lane, first, kb.i32(32), [&](V number) { fill(number, number); });
    });
  }

  void wait(const Stage &first, const Stage &second) override {
    kb.mbarrierWait(full(first.slot), first.parity);
    kb.mbarrierWait(full(second.slot), second.parity);
  }

  // The reads were ordinary loads and the refill is not: without a fence by
  // every reading lane the copy can overtake them. It costs about 0.1 us.
  void finishReading() override {
    if (plan.refill)
      kb.fenceAsync();
  }

  void refill(const Stage &first, V count, int64_t) override {
    if (!plan.refill)
      return;
    V number = first.number + block.lane + plan.stages;
    V slot = first.slot + block.lane;
    slot = kb.select(slot.ge(plan.stages), slot - plan.stages, slot);
    issue(count, [&] { kb.ifThen(number.lt(totalStages()), [&] { fill(number, slot); }); });
  }

  // The whole tile, whose end is a barrier anyway, if that leaves half of the
  // ring in flight.
  int64_t refillBatch() const override {
    int64_t batch = plan.stagesPerUnit;
    while (batch > 1 && (plan.stagesPerUnit % batch != 0 || 4 * batch > plan.stages))
      --batch;
    return batch;
  }
  bool refillNeedsBarrier() const override { return plan.refill; }

private:
  /// The rows of a stage are spread over the warps, and the stages over the
  /// lanes: one thread alone cannot issue copies fast enough.
  int64_t issuers() const { return std::min(plan.warps, unitN); }
  void issue(V lanes, function_ref<void()> copies) {
    V issues = block.lane.lt(lanes);
    if (issuers() < plan.warps)
      issues = issues & block.warp.lt(issuers());
    kb.ifThen(issues, copies);
  }

  V full(V slot) { return kb.at(kb.smem(), slot * 8 + plan.full); }

  /// This warp's rows of stage `number`.
  void fill(V number, V slot) {
    Source from = source(number);
    int64_t last = (plan.k - (plan.split - 1) * plan.stageK) * 2;
    V bytes = kb.i32(plan.stageK * 2);
    if (last != plan.stageK * 2)
      bytes = kb.select(from.part.eq(plan.split - 1), kb.i32(last), bytes);
    SmallVector<V> rows, exists;
    V expected = kb.i32(0);
    for (int64_t r = 0; r < unitN; r += issuers()) {
      rows.push_back(block.warp + r);
      bool certain = !plan.ragged && r + issuers() <= unitN;
      exists.push_back(certain ? kb.i1(true) : rows.back().lt(from.rows));
      expected = expected + kb.select(exists.back(), bytes, kb.i32(0));
    }
    kb.mbarrierExpect(full(slot), expected);
    for (auto [row, here] : llvm::zip_equal(rows, exists))
      kb.ifThen(here, [&, row = row] {
        kb.bulkLoad(kb.at(slotAddress(slot), row * plan.pitch),
                    kb.at(from.address, kb.wide(row) * (plan.k * 2)), full(slot), bytes,
                    /*evictFirst=*/true);
      });
  }
};

class AsyncLoader : public DecodeLoader {
public:
  using DecodeLoader::DecodeLoader;

  void start() override {
    kb.forLoop(kb.i32(0), kb.i32(plan.stages), kb.i32(1), [&](V number) {
      fill(number, number);
      kb.cpAsyncCommit();
    });
  }

  void wait(const Stage &, const Stage &) override {
    // At most two stages are read before they are refilled.
    kb.cpAsyncWait(plan.stages - 2);
    kb.syncWarp();
  }

  void finishReading() override { kb.syncWarp(); }

  void refill(const Stage &first, V count, int64_t maxCount) override {
    Stage stage = first;
    for (int64_t i = 0; i < maxCount; ++i) {
      // One group per stage, because wait() counts groups: some are empty.
      if (plan.refill)
        kb.ifThen(count.ge(i + 1), [&] { fill(stage.number + plan.stages, stage.slot); });
      kb.cpAsyncCommit();
      stage = next(kb, plan, stage);
    }
  }

  int64_t refillBatch() const override { return 1; }
  bool refillNeedsBarrier() const override { return false; }

private:
  void fill(V number, V slot) {
    kb.ifThen(number.lt(totalStages()), [&] {
      Source from = source(number);
      // Eight rows of this warp's slice, in pieces of 16 bytes.
      int64_t perRow = plan.warpK / 8;
      for (int64_t i = 0; i < unitN * perRow; i += 32) {
        V row = (block.lane + i) / perRow, piece = (block.lane + i) % perRow;
        V k = block.warp * plan.warpK + piece * 8;
        V exists = row.lt(from.rows);
        if (plan.split * plan.stageK != plan.k)
          exists = exists & (from.part * plan.stageK + k).lt(kb.i32(plan.k));
        V at = kb.at(from.address, kb.wide(row) * (plan.k * 2) + kb.wide(k * 2));
        // Nothing is read past the matrix; zeros arrive instead.
        kb.cpAsync(kb.at(slotAddress(slot), row * plan.pitch + k * 2),
                   kb.select(exists, at, from.address), 16,
                   kb.select(exists, kb.i32(16), kb.i32(0)));
      }
    });
  }
};

} // namespace

std::unique_ptr<DecodeLoader> decode::makeLoader(KernelBuilder &kb, const Plan &plan,
                                                 const BlockValues &block) {
  if (plan.bulk)
    return std::make_unique<BulkLoader>(kb, plan, block);
  return std::make_unique<AsyncLoader>(kb, plan, block);
}
