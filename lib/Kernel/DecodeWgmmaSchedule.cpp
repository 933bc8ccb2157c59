//===- DecodeWgmmaSchedule.cpp - Tiles and rings for an op -----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is as wide as an equal share of the columns: N = 6144 on 66 clusters of two blocks is 64
// tiles of 96. Stages are long enough that waiting for them costs little, and the ring of
// W takes half of shared memory, as it is what has the longer way to come.
//
//===----------------------------------------------------------------------===//
#include "DecodeWgmma.h"
#include "FlashFusion/Plan/DecodeModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;
using llvm::divideCeil;

/// Columns of a tile: the fewest for a block in all, beginning a tile counted as four. 0 if
/// there is no such tile.
static int64_t chooseColumns(OnlineOp op, TargetAttr target, int64_t widest, int64_t split) {
  int64_t linears = op.getLinearsOf(0).size(), best = 0, least = 0;
  for (int64_t outN = 8 * split; outN * linears <= widest; outN += 8 * split) {
    int64_t tiles = divideCeil(countTiles(op, outN), residentClusters(target, split));
    if (split > 1 && tiles > 1)
      continue;
    int64_t columns = tiles * (outN * linears + 4);
    if (!best || columns < least)
      best = outN, least = columns;
  }
  return best;
}

/// Boxes of 64 k in a stage: as many as keep the rings some stages deep.
static int64_t chooseBoxes(OnlineOp op, int64_t tileM, int64_t tileN, int64_t split) {
  int64_t all = divideCeil(op.getK(), boxK * split);
  int64_t boxes = tileN > 96 ? 1 : tileN <= 64 && tileM <= 64 && all >= 16 ? 4 : 2;
  return std::min(boxes, all);
}

/// The variant for `first` to `tileM` rows with K in `split` parts; null if there is none.
static ScheduleAttr propose(OnlineOp op, TargetAttr target, int64_t first, int64_t tileM,
                            int64_t split) {
  int64_t linears = op.getLinearsOf(0).size();
  if (op.getK() < split * boxK && split > 1)
    return {};
  int64_t outN = chooseColumns(op, target, tileM <= 64 && split == 1 ? 256 : 128, split);
  if (!outN)
    return {};
  int64_t tileN = outN * linears, boxes = chooseBoxes(op, tileM, tileN, split);
  int64_t rows = tileM <= 64 ? 64 : 128;
  int64_t xStage = boxes * rows * boxRowBytes, wStage = boxes * tileN * boxRowBytes;
  int64_t room = target.getSmem() - 4096 - (split - 1) * tileN / split * rows * 4;
  int64_t tiles = divideCeil(countTiles(op, outN), residentClusters(target, split));
  int64_t steps = tiles * divideCeil(op.getK(), boxes * boxK * split);
  int64_t stages = std::max(room / (xStage + wStage), room / 2 / wStage);
  for (stages = std::min<int64_t>({stages, steps, 64}); stages > 0; --stages) {
    auto schedule = ScheduleAttr::get(op.getContext(), KernelFamily::Decode, MmaKind::Wgmma, first,
                                      /*max_rows=*/tileM, tileM, tileN, boxes * boxK, stages,
                                      /*warps=*/tileM <= 64 ? 4 : 8, split, /*parts=*/1,
                                      wgmma::needsPacking(op),
                                      /*align=*/16, /*tf32=*/false);
    if (fits(makePlan(op, target, schedule), target))
      return schedule;
  }
  return {};
}

/// Half of K and of x for each of two blocks, or all of it for one if that is predicted to take
/// less time by more than the model errs between the two.
static ScheduleAttr fasterOf(OnlineOp op, TargetAttr target, int64_t rows, ScheduleAttr two,
                             ScheduleAttr one) {
  if (!two || !one)
    return two ? two : one;
  std::optional<double> twoTime = decodewgmma::predict(op, target, two, rows),
                        oneTime = decodewgmma::predict(op, target, one, rows);
  return twoTime && oneTime && *oneTime < 0.96 * *twoTime ? one : two;
}

SmallVector<ScheduleAttr> decodewgmma::proposeSchedules(OnlineOp op, TargetAttr target) {
  SmallVector<ScheduleAttr> variants;
  int64_t m = op.getM(), minRows = 1;
  // A box of x that reaches past M takes the copy engine longer than a full one.
  for (int64_t tileM : {16, 32, 48, 64, 96, 128}) {
    int64_t first = std::exchange(minRows, tileM + 1);
    if (m != ShapedType::kDynamic && (m < first || m > tileM))
      continue;
    ScheduleAttr schedule = fasterOf(op, target, tileM, propose(op, target, first, tileM, 2),
                                     propose(op, target, first, tileM, 1));
    if (schedule)
      variants.push_back(schedule);
  }
  return variants;
}

SmallVector<ScheduleAttr> decodewgmma::proposeInvariant(OnlineOp op, TargetAttr target,
                                                        bool packed) {
  if (packed != wgmma::needsPacking(op))
    return {};
  // The split, and K of a stage where it does not divide K, decide on the order of a row's sums;
  // rows that are loaded beside it do not.
  SmallVector<ScheduleAttr> best;
  double least = 0;
  for (int64_t split : {2, 1}) {
    SmallVector<ScheduleAttr> variants;
    int64_t minRows = 1;
    double cost = 0;
    for (int64_t tileM : {16, 32, 48, 64}) {
      int64_t first = std::exchange(minRows, tileM + 1);
      if (ScheduleAttr schedule = propose(op, target, first, tileM, split)) {
        variants.push_back(schedule);
        cost += predict(op, target, schedule, tileM).value_or(0);
      }
    }
    bool alike = variants.size() == 4 && llvm::all_of(variants, [&](ScheduleAttr schedule) {
                   return schedule.getTileK() == variants[0].getTileK() &&
                          schedule.getTileN() == variants[0].getTileN();
                 });
    if (alike && (best.empty() || cost < 0.96 * least))
      best = std::move(variants), least = cost;
  }
  return best;
}

std::optional<double> decodewgmma::predict(OnlineOp op, TargetAttr target, ScheduleAttr schedule,
                                           int64_t rows) {
  // What the model was fitted to: one warpgroup multiplies.
  if (schedule.getTileM() > 64)
    return std::nullopt;
  Plan plan = makePlan(op, target, schedule);
  plan::WgmmaDecode launch;
  launch.blocks = plan.blocks;
  launch.steps = plan.steps();
  launch.depth = plan.wStages;
  launch.columns = plan.tilesPerBlock * plan.tileN;
  launch.cluster = plan.split > 1;
  launch.wBytes = plan.wStageBytes();
  launch.xBytes = plan.boxes * plan.tileM * boxRowBytes;
  launch.spareRows = plan.boxes * std::max<int64_t>(plan.tileM - rows, 0);
  launch.xRead = plan.blocks * plan.steps() * plan.stageK() * std::min(rows, plan.tileM) * 2;
  return plan::predictDecode(launch);
}
