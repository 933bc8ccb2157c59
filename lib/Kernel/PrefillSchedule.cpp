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
// tiles of 192 columns, two full waves. A small model in cycles decides for each
// number of row blocks, and a shortest path cuts them into a few ranges.
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"

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
/// Bytes a cycle that a multiprocessor gets from L2, and products of 16-bit
/// elements a cycle that its tensor cores do.
static constexpr double bytesPerCycle = 56, productsPerCycle = 2048;
/// Columns of a tile.
static constexpr int64_t tileWidths[] = {256, 192, 160, 128, 96, 64};

int64_t prefill::gridCap(TargetAttr target, int64_t maxTiles) {
  int64_t sms = std::max<int64_t>(target.getSms(), 1);
  if (maxTiles && maxTiles <= sms)
    return sms;
  return sms < rowGroup ? sms : sms / rowGroup * rowGroup;
}

static int64_t countTiles(OnlineOp op, int64_t tileN) {
  int64_t tiles = 0, columns = tileN / linearsPerOutput(op);
  for (unsigned out = 0; out < op.getOuts().size(); ++out)
    tiles += llvm::divideCeil(op.getN(op.getLinearsOf(out).front()), columns);
  return tiles;
}

static double cycles(OnlineOp op, TargetAttr target, int64_t rowBlocks, int64_t tileN) {
  // With statistics, the consumers sum up rows for longer than they multiply where
  // tiles are narrow: widths in between promise little (docs/performance.md).
  bool between = tileN / linearsPerOutput(op) % chunkCols != 0;
  if (!fitsTile(op, tileN) || (between && !op.getStatistics().empty()))
    return std::numeric_limits<double>::infinity();
  int64_t tiles = rowBlocks * countTiles(op, tileN);
  int64_t waves = llvm::divideCeil(tiles, prefill::gridCap(target, tiles));
  double products = static_cast<double>(tileM * tileN * tileK) / productsPerCycle;
  double loads = static_cast<double>((tileM + tileN) * tileK * 2) / bytesPerCycle;
  // Narrow tiles move more bytes for the same products, which costs power and
  // thereby clock even where it costs no cycles.
  products *= 1.0 + 0.03 * static_cast<double>(256 - tileN) / 64.0;
  double epilogue = 400.0 + 6.0 * static_cast<double>(tileN);
  double kSteps = static_cast<double>(llvm::divideCeil(op.getK(), tileK));
  return static_cast<double>(waves) * (kSteps * std::max(products, loads) + epilogue);
}

static int64_t bestTile(OnlineOp op, TargetAttr target, int64_t rowBlocks) {
  return *llvm::min_element(tileWidths, [&](int64_t a, int64_t b) {
    return cycles(op, target, rowBlocks, a) < cycles(op, target, rowBlocks, b);
  });
}

int64_t prefill::deepestRing(OnlineOp op, TargetAttr target, int64_t tileN, bool packed) {
  for (int64_t stages = 8; stages > 2; --stages) {
    Plan plan = makePlan(op, tileN, stages, packed, target.getSmem());
    if (plan.sharedBytes <= target.getSmem() &&
        (stages <= 4 || plan.stagingBuffers == plan.fullStaging()))
      return stages;
  }
  return 2;
}

SmallVector<TileRange> prefill::chooseTiles(OnlineOp op, TargetAttr target) {
  if (int64_t m = op.getM(); !ShapedType::isDynamic(m) && m > 0)
    return {{1, 0, bestTile(op, target, llvm::divideCeil(m, tileM))}};

  // Shortest path over the numbers of row blocks: `lost` is the least time lost
  // to the best tile of each, with `v + 1` variants so far of which tile `t` is the last.
  constexpr size_t tiles = std::size(tileWidths);
  size_t widest = 0;
  while (!fitsTile(op, tileWidths[widest]))
    ++widest;
  struct State {
    double lost = std::numeric_limits<double>::infinity();
    int64_t before = -1; // row blocks where this variant began, minus 1
    size_t tileBefore = 0;
  };
  using Row = std::array<std::array<State, tiles>, maxVariants>;
  std::vector<Row> table(maxRowBlocks + 2);
  for (int64_t r = 1; r <= maxRowBlocks + 1; ++r) {
    double best = std::numeric_limits<double>::infinity();
    for (int64_t tileN : tileWidths)
      best = std::min(best, cycles(op, target, r, tileN));
    // Powers of two are what sequence lengths and batches mostly are.
    double weight = llvm::isPowerOf2_64(r) ? 8.0 : 1.0;
    for (size_t t = 0; t < tiles; ++t) {
      if (r > maxRowBlocks && t != widest)
        continue; // without a bound only the widest
      double loss = weight * (cycles(op, target, r, tileWidths[t]) / best - 1);
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
    ranges.push_back({state.before + 1, r, tileWidths[t]});
    t = state.tileBefore;
    r = state.before;
    --v;
  }
  std::reverse(ranges.begin(), ranges.end());
  ranges.back().last = 0;
  return ranges;
}
