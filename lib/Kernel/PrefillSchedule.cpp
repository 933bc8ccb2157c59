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

#include "FlashFusion/Kernel/KernelEmitter.h"
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
static constexpr size_t maxVariants = 6;
static_assert(tileM == plan::prefillTileRows && rowBytes == 2 * plan::prefillTileDepth &&
              rowGroup == plan::prefillRowGroup);

int64_t prefill::gridCap(TargetAttr target, int64_t split, int64_t maxTiles) {
  // Whole clusters.
  return plan::countPrefillBlocks(target.getSms(), maxTiles) / split * split;
}

/// Blocks that share row sums.
static int64_t chooseSplit(OnlineOp op, TargetAttr target) {
  return op.getStatistics().empty() || target.getSms() < 2 ? 1 : 2;
}

static int64_t countTiles(OnlineOp op, int64_t tileN) {
  int64_t tiles = 0, columns = tileN / linearsPerOutput(op);
  for (unsigned out = 0; out < op.getOuts().size(); ++out)
    tiles += llvm::divideCeil(op.getN(op.getLinearsOf(out).front()), columns);
  return tiles;
}

namespace {
/// A tile that a schedule may have.
struct Candidate {
  int64_t tileN, parts, stages;
};

/// The model of TileModel.h, for an op and a target.
struct Cost {
  Cost(OnlineOp op, TargetAttr target) : op(op) {
    gpu.multiprocessors = target.getSms();
    gpu.sharedBytes = target.getSmem();
    for (int64_t tileN : plan::prefillWidths)
      for (int64_t parts : {1, 2})
        if (fitsTile(op, tileN) &&
            (parts == 1 ||
             (!isF8(op.getX()) &&
              plan::gainsFromPrefillParts(getLaunch(1, {tileN, parts, 0}), linearsPerOutput(op)))))
          candidates.push_back({tileN, parts, makeCut(op, target, tileN, parts).stages});
    if (promotes(op))
      std::stable_partition(candidates.begin(), candidates.end(),
                            [](const Candidate &tile) { return tile.tileN <= widestPiece; });
  }

  double operator()(int64_t rowBlocks, const Candidate &tile) const {
    double pieces = promotes(op) && tile.tileN > widestPiece ? 1.06 : 1;
    return pieces * plan::predictPrefillCycles(gpu, getLaunch(rowBlocks, tile));
  }

  /// Index of the best candidate.
  size_t best(int64_t rowBlocks) const {
    size_t result = 0;
    for (size_t i = 1; i < candidates.size(); ++i)
      if ((*this)(rowBlocks, candidates[i]) < (*this)(rowBlocks, candidates[result]))
        result = i;
    return result;
  }

  /// Tiles, the one for many rows first: the widest, of promoted sums the widest in one piece.
  SmallVector<Candidate> candidates;

private:
  plan::PrefillLaunch getLaunch(int64_t rowBlocks, const Candidate &tile) const {
    // A stage takes as long for 8-bit elements, of which it has twice as many (in two pieces
    // somewhat longer, docs/performance.md).
    int64_t depth = op.getK() * plan::prefillTileDepth / stageK(op);
    return {rowBlocks,  countTiles(op, tile.tileN),  depth,         tile.tileN, tile.stages,
            tile.parts, !op.getStatistics().empty(), needsPivot(op)};
  }

  mutable OnlineOp op;
  plan::Gpu gpu = plan::getH200Gpu();
};
} // namespace

Cut prefill::makeCut(OnlineOp op, TargetAttr target, int64_t tileN, int64_t parts) {
  Cut cut{tileN, parts == 1 ? chooseSplit(op, target) : 1, parts, /*stages=*/8,
          wgmma::needsPacking(op)};
  for (; cut.stages > 2; --cut.stages) {
    Plan plan = makePlan(op, cut, target.getSmem());
    if (plan.sharedBytes <= target.getSmem() &&
        (cut.stages <= 4 || plan.stagingBuffers == plan.fullStaging()))
      break;
  }
  return cut;
}

SmallVector<TileRange> prefill::chooseTiles(OnlineOp op, TargetAttr target) {
  Cost cycles(op, target);
  auto range = [&](int64_t first, int64_t last, size_t tile) {
    return TileRange{first, last, cycles.candidates[tile].tileN, cycles.candidates[tile].parts};
  };
  if (int64_t m = op.getM(); !ShapedType::isDynamic(m) && m > 0)
    return {range(1, 0, cycles.best(llvm::divideCeil(m, tileM)))};

  // Shortest path over the numbers of row blocks: `lost` is the least time lost
  // to the best tile of each, with `v + 1` variants so far of which tile `t` is the last.
  size_t tiles = cycles.candidates.size();
  constexpr size_t widest = 0;
  struct State {
    double lost = std::numeric_limits<double>::infinity();
    int64_t before = -1; // row blocks where this variant began, minus 1
    size_t tileBefore = 0;
  };
  using Row = std::array<std::vector<State>, maxVariants>;
  Row empty;
  empty.fill(std::vector<State>(tiles));
  std::vector<Row> table(maxRowBlocks + 2, empty);
  for (int64_t r = 1; r <= maxRowBlocks + 1; ++r) {
    double best = cycles(r, cycles.candidates[cycles.best(r)]);
    // Powers of two are what sequence lengths and batches mostly are.
    double weight = llvm::isPowerOf2_64(r) ? 8.0 : 1.0;
    for (size_t t = 0; t < tiles; ++t) {
      if (r > maxRowBlocks && t != widest)
        continue; // without a bound only the widest
      double loss = weight * (cycles(r, cycles.candidates[t]) / best - 1);
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
    ranges.push_back(range(state.before + 1, r, t));
    t = state.tileBefore;
    r = state.before;
    --v;
  }
  std::reverse(ranges.begin(), ranges.end());
  ranges.back().last = 0;
  return ranges;
}
