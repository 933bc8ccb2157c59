//===- PrefillSchedule.cpp - Column tiles by the number of rows ------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The widest tile, 128 x 256, feeds the tensor cores best. Narrower ones win
// where few tiles leave multiprocessors idle: with 8 row blocks and N = 6144 there
// are 192 tiles of 256 columns, one and a half waves of 128 blocks, but 256
// tiles of 192 columns, two full waves. A model in cycles (TileModel.h) decides for each
// number of row blocks, and a shortest path cuts them into a few ranges.
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"

#include "FlashFusion/Plan/TileModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <limits>
#include <vector>

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

/// From here on (4096 rows) waves are many and the widest tile is taken.
static constexpr int64_t maxRowBlocks = 32;
static constexpr size_t maxVariants = 4;
static_assert(tileM == plan::prefillTileRows && tileK == plan::prefillTileDepth &&
              rowGroup == plan::prefillRowGroup);

int64_t prefill::gridCap(TargetAttr target, int64_t split, int64_t maxTiles) {
  // Whole clusters.
  return plan::countPrefillBlocks(target.getSms(), maxTiles) / split * split;
}

int64_t prefill::chooseSplit(OnlineOp op, TargetAttr target) {
  return op.getStatistics().empty() || target.getSms() < 2 ? 1 : 2;
}

static int64_t countTiles(OnlineOp op, int64_t tileN, int64_t split) {
  int64_t tiles = 0, columns = tileN / linearsPerOutput(op);
  for (unsigned out = 0; out < op.getOuts().size(); ++out)
    tiles += llvm::divideCeil(op.getN(op.getLinearsOf(out).front()), columns);
  return llvm::alignTo(tiles, split);
}

/// What a step of K takes at least where two blocks share row sums, however narrow the tile
/// (docs/performance.md, in the model's cycles).
static double sumCycles(OnlineOp op) {
  return op.getStatistics().empty() ? 0 : needsPivot(op) ? 720 : 630;
}

namespace {
/// The model of TileModel.h, for an op and a target.
struct Cost {
  Cost(OnlineOp op, TargetAttr target) : op(op), split(chooseSplit(op, target)) {
    gpu.multiprocessors = target.getSms();
    gpu.sharedBytes = target.getSmem();
    for (auto [stages, tileN] : llvm::zip_equal(rings, plan::prefillWidths))
      if (fitsTile(op, tileN))
        stages = deepestRing(op, target, tileN, split, wgmma::needsPacking(op));
  }

  double operator()(int64_t rowBlocks, size_t width) const {
    if (!rings[width])
      return std::numeric_limits<double>::infinity();
    int64_t tileN = plan::prefillWidths[width];
    return plan::predictPrefillCycles(gpu, rowBlocks * countTiles(op, tileN, split), op.getK(),
                                      tileN, rings[width], sumCycles(op));
  }

  size_t best(int64_t rowBlocks) const {
    size_t result = 0;
    for (size_t width = 1; width < rings.size(); ++width)
      if ((*this)(rowBlocks, width) < (*this)(rowBlocks, result))
        result = width;
    return result;
  }

private:
  mutable OnlineOp op;
  int64_t split;
  plan::Gpu gpu = plan::getH200Gpu();
  /// The deepest of every width; 0 where the op has no tile of that width.
  std::array<int64_t, std::size(plan::prefillWidths)> rings{};
};
} // namespace

int64_t prefill::deepestRing(OnlineOp op, TargetAttr target, int64_t tileN, int64_t split,
                             bool packed) {
  for (int64_t stages = 8; stages > 2; --stages) {
    Plan plan = makePlan(op, tileN, split, stages, packed, target.getSmem());
    if (plan.sharedBytes <= target.getSmem() &&
        (stages <= 4 || plan.stagingBuffers == plan.fullStaging()))
      return stages;
  }
  return 2;
}

SmallVector<TileRange> prefill::chooseTiles(OnlineOp op, TargetAttr target) {
  Cost cycles(op, target);
  if (int64_t m = op.getM(); !ShapedType::isDynamic(m) && m > 0)
    return {{1, 0, plan::prefillWidths[cycles.best(llvm::divideCeil(m, tileM))]}};

  // Shortest path over the numbers of row blocks: `lost` is the least time lost
  // to the best tile of each, with `v + 1` variants so far of which tile `t` is the last.
  constexpr size_t tiles = std::size(plan::prefillWidths);
  size_t widest = 0;
  while (!fitsTile(op, plan::prefillWidths[widest]))
    ++widest;
  struct State {
    double lost = std::numeric_limits<double>::infinity();
    int64_t before = -1; // row blocks where this variant began, minus 1
    size_t tileBefore = 0;
  };
  using Row = std::array<std::array<State, tiles>, maxVariants>;
  std::vector<Row> table(maxRowBlocks + 2);
  for (int64_t r = 1; r <= maxRowBlocks + 1; ++r) {
    double best = cycles(r, cycles.best(r));
    // Powers of two are what sequence lengths and batches mostly are.
    double weight = llvm::isPowerOf2_64(r) ? 8.0 : 1.0;
    for (size_t t = 0; t < tiles; ++t) {
      if (r > maxRowBlocks && t != widest)
        continue; // without a bound only the widest
      double loss = weight * (cycles(r, t) / best - 1);
      for (size_t v = 0; v < maxVariants; ++v) {
        State &state = table[r][v][t];
        if (r == 1) {
          if (v == 0)
            state = {loss, 0, t};
          continue;
        }
        state = table[r - 1][v][t];
        state.lost += loss;
        for (size_t u = 0; v > 0 && u < tiles; ++u)
          if (double lost = table[r - 1][v - 1][u].lost + loss; lost < state.lost)
            state = {lost, r - 1, u};
      }
    }
  }
  const Row &last = table.back();
  size_t v = 0, t = widest;
  for (size_t i = 1; i < maxVariants; ++i)
    if (last[i][t].lost < last[v][t].lost)
      v = i;
  SmallVector<TileRange> ranges;
  for (int64_t r = maxRowBlocks + 1; r > 0;) {
    const State &state = table[r][v][t];
    ranges.push_back({state.before + 1, r, plan::prefillWidths[t]});
    t = state.tileBefore;
    r = state.before;
    --v;
  }
  std::reverse(ranges.begin(), ranges.end());
  ranges.back().last = 0;
  return ranges;
}
