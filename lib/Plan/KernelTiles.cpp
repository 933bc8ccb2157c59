//===- KernelTiles.cpp - Tiles of the prefill kernel on a GPU --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/KernelTiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace mlir::flashfusion::plan;

static constexpr int64_t tileRows = 128, tileDepth = 64;
static constexpr int64_t widths[] = {256, 192, 128, 64};
static constexpr int64_t ringDepths[] = {8, 7, 6, 5, 4, 3, 2};

static int64_t stageBytes(int64_t columns) { return (tileRows + columns) * tileDepth * 2; }

static bool fits(const Gpu &gpu, int64_t columns, int64_t stages) {
  // Two consumer warpgroups hold the accumulators; the result is staged in 16-bit rows of
  // one buffer at least, and barriers and statistics take some kilobytes.
  int64_t accumulators = tileRows * columns / (2 * 128);
  int64_t staging = 2 * 64 * 64 * 2 + 4096;
  return stages * stageBytes(columns) + staging <= gpu.sharedBytes &&
         accumulators + gpu.otherRegisters <= gpu.threadRegisters;
}

static double predict(const KernelShape &shape, const Target &target, int64_t columns,
                      int64_t stages) {
  const Gpu &gpu = *target.gpu;
  auto divide = [](int64_t a, int64_t b) { return static_cast<double>(divideCeil(a, b)); };
  double tiles = divide(shape.rows, tileRows) * divide(shape.columns, columns);
  double waves = std::ceil(tiles / static_cast<double>(gpu.multiprocessors));
  double products = static_cast<double>(tileRows * columns * tileDepth) / gpu.productsPerCycle;
  // Narrow tiles move more bytes for the same products, which costs power and thereby clock.
  products *= 1 + gpu.narrowPenalty * static_cast<double>(256 - columns) / 64;
  double loads = static_cast<double>(stageBytes(columns)) / gpu.copyBytesPerCycle;
  // A stage is asked for when its slot is free: the ring must cover the latency of a load.
  double latency = (gpu.copyLatency + loads) / static_cast<double>(stages - 1);
  double step = std::max({products, loads, latency});
  double epilogue = gpu.epilogueCycles + gpu.epilogueCyclesPerColumn * static_cast<double>(columns);
  double cycles = waves * (divide(shape.depth, tileDepth) * step + epilogue);
  double words = static_cast<double>(shape.rows) * static_cast<double>(shape.depth) +
                 static_cast<double>(shape.columns) * static_cast<double>(shape.depth) +
                 static_cast<double>(shape.rows) * static_cast<double>(shape.columns);
  return std::max(cycles / target.clock, words * target.wordBytes / target.bandwidth);
}

std::vector<KernelTile> mlir::flashfusion::plan::rankKernelTiles(const KernelShape &shape,
                                                                 const Target &target) {
  std::vector<KernelTile> result;
  for (int64_t columns : widths)
    for (int64_t stages : ringDepths)
      if (fits(*target.gpu, columns, stages))
        result.push_back({columns, stages, predict(shape, target, columns, stages)});
  std::stable_sort(result.begin(), result.end(),
                   [](const KernelTile &a, const KernelTile &b) { return a.seconds < b.seconds; });
  return result;
}

std::optional<KernelTile> mlir::flashfusion::plan::seekKernelTile(const KernelShape &shape,
                                                                  const Target &target,
                                                                  const TileOptions &options) {
  TileProblem problem;
  problem.numChoices = {static_cast<unsigned>(std::size(widths)),
                        static_cast<unsigned>(std::size(ringDepths))};
  // A ring of two stages is the least that any width can have.
  problem.fits = [&](ArrayRef<unsigned> choices) {
    return choices.empty() || fits(*target.gpu, widths[choices[0]],
                                   choices.size() > 1 ? ringDepths[choices[1]]
                                                      : ringDepths[std::size(ringDepths) - 1]);
  };
  problem.cost = [&](ArrayRef<unsigned> choices) {
    return predict(shape, target, widths[choices[0]], ringDepths[choices[1]]);
  };
  TileResult result = runTileSeek(problem, options);
  if (result.choices.empty())
    return std::nullopt;
  return KernelTile{widths[result.choices[0]], ringDepths[result.choices[1]], result.cost};
}
