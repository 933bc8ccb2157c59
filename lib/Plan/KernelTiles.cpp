//===- KernelTiles.cpp - Tiles of kernels on a GPU --------------------------===//
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

static constexpr int64_t ringDepths[] = {8, 7, 6, 5, 4, 3, 2};

/// One Linear behind a norm.
static bool fits(const Gpu &gpu, int64_t columns, int64_t stages) {
  return isPrefillWidth(columns, /*linears=*/1, /*statistics=*/true) &&
         fitsPrefillBlock(gpu, columns, stages);
}

static double predict(const KernelShape &shape, const Gpu &gpu, int64_t columns, int64_t stages) {
  int64_t tiles = divideCeil(shape.rows, prefillTileRows) * divideCeil(shape.columns, columns);
  return predictPrefillCycles(gpu, tiles, shape.depth, columns, stages);
}

/// Memory is a bound that all tiles share, so that it does not order them.
static KernelTile getTile(const KernelShape &shape, const Target &target, int64_t columns,
                          int64_t stages, double cycles) {
  double words = static_cast<double>(shape.rows) * static_cast<double>(shape.depth) +
                 static_cast<double>(shape.columns) * static_cast<double>(shape.depth) +
                 static_cast<double>(shape.rows) * static_cast<double>(shape.columns);
  double memory = words * target.wordBytes / target.bandwidth;
  return {columns, stages, cycles, std::max(cycles / target.clock, memory)};
}

std::vector<KernelTile> mlir::flashfusion::plan::rankKernelTiles(const KernelShape &shape,
                                                                 const Target &target) {
  std::vector<KernelTile> result;
  for (int64_t columns : prefillWidths)
    for (int64_t stages : ringDepths)
      if (fits(*target.gpu, columns, stages))
        result.push_back(
            getTile(shape, target, columns, stages, predict(shape, *target.gpu, columns, stages)));
  llvm::stable_sort(result,
                    [](const KernelTile &a, const KernelTile &b) { return a.cycles < b.cycles; });
  return result;
}

std::optional<KernelTile>
mlir::flashfusion::plan::seekKernelTile(function_ref<bool(int64_t, int64_t)> fits,
                                        function_ref<double(int64_t, int64_t)> cycles,
                                        const TileOptions &options) {
  TileProblem problem;
  problem.numChoices = {static_cast<unsigned>(std::size(prefillWidths)),
                        static_cast<unsigned>(std::size(ringDepths))};
  // A ring of two stages is the least that any width can have.
  problem.fits = [&](ArrayRef<unsigned> choices) {
    return choices.empty() || fits(prefillWidths[choices[0]],
                                   choices.size() > 1 ? ringDepths[choices[1]]
                                                      : ringDepths[std::size(ringDepths) - 1]);
  };
  problem.cost = [&](ArrayRef<unsigned> choices) {
    return cycles(prefillWidths[choices[0]], ringDepths[choices[1]]);
  };
  TileResult result = runTileSeek(problem, options);
  if (result.choices.empty())
    return std::nullopt;
  return KernelTile{prefillWidths[result.choices[0]], ringDepths[result.choices[1]], result.cost,
                    0};
}

std::optional<KernelTile> mlir::flashfusion::plan::seekKernelTile(const KernelShape &shape,
                                                                  const Target &target,
                                                                  const TileOptions &options) {
  std::optional<KernelTile> found = seekKernelTile(
      [&](int64_t columns, int64_t stages) { return ::fits(*target.gpu, columns, stages); },
      [&](int64_t columns, int64_t stages) { return predict(shape, *target.gpu, columns, stages); },
      options);
  if (found)
    found = getTile(shape, target, found->columns, found->stages, found->cycles);
  return found;
}

//===----------------------------------------------------------------------===//
// Decode
//===----------------------------------------------------------------------===//

static constexpr int64_t maxDecodeStages = 12;

/// Of `chunks` steps for each warp; the warps follow from K, since no others are measured.
static DecodeCut getCut(int64_t depth, int64_t chunks, int64_t stages) {
  DecodeCut cut{getDecodeWarps(depth), chunks, 1, stages};
  cut.split = divideCeil(depth, cut.tileDepth());
  return cut;
}

static DecodeTile getDecodeTile(const KernelShape &shape, const Target &target,
                                const DecodeCut &cut) {
  double cycles = predictDecodeCycles(*target.gpu, target.bandwidth / target.clock, shape.rows,
                                      shape.columns, shape.depth, cut);
  return {cut, cycles / target.clock};
}

static bool fitsSomehow(const KernelShape &shape, const Gpu &gpu) {
  for (int64_t chunks = getMostDecodeChunks(shape.rows, shape.depth); chunks >= 1; --chunks)
    if (fitsDecodeBlock(gpu, shape.rows, shape.depth, getCut(shape.depth, chunks, 2)))
      return true;
  return false;
}

/// Sixteen rows that no block holds are two blocks of eight side by side, which read the same
/// weights: half of the multiprocessors for the columns.
static void placeRows(KernelShape &shape, Target &target) {
  if (shape.rows <= 8 || fitsSomehow(shape, *target.gpu))
    return;
  shape.rows = 8;
  target.gpu->multiprocessors = std::max<int64_t>(target.gpu->multiprocessors / 2, 1);
}

int64_t mlir::flashfusion::plan::countDecodeBlocks(const KernelShape &given,
                                                   const Target &machine) {
  KernelShape shape = given;
  Target target = machine;
  placeRows(shape, target);
  return countDecodeBlocks(target.gpu->multiprocessors, shape.columns) *
         (shape.rows < given.rows ? 2 : 1);
}

std::vector<DecodeTile> mlir::flashfusion::plan::rankDecodeTiles(const KernelShape &given,
                                                                 const Target &machine) {
  KernelShape shape = given;
  Target target = machine;
  placeRows(shape, target);
  std::vector<DecodeTile> result;
  for (int64_t chunks = getMostDecodeChunks(shape.rows, shape.depth); chunks >= 1; --chunks)
    for (int64_t stages = maxDecodeStages; stages >= 2; --stages)
      if (DecodeCut cut = getCut(shape.depth, chunks, stages);
          fitsDecodeBlock(*target.gpu, shape.rows, shape.depth, cut))
        result.push_back(getDecodeTile(shape, target, cut));
  llvm::stable_sort(result,
                    [](const DecodeTile &a, const DecodeTile &b) { return a.seconds < b.seconds; });
  return result;
}

std::optional<DecodeTile> mlir::flashfusion::plan::seekDecodeTile(const KernelShape &given,
                                                                  const Target &machine,
                                                                  const TileOptions &options) {
  KernelShape shape = given;
  Target target = machine;
  placeRows(shape, target);
  int64_t most = getMostDecodeChunks(shape.rows, shape.depth);
  auto cutOf = [&](ArrayRef<unsigned> choices) {
    return getCut(shape.depth, most - choices[0],
                  choices.size() > 1 ? maxDecodeStages - choices[1] : 2);
  };
  TileProblem problem;
  problem.numChoices = {static_cast<unsigned>(most), maxDecodeStages - 1};
  problem.fits = [&](ArrayRef<unsigned> choices) {
    return choices.empty() || fitsDecodeBlock(*target.gpu, shape.rows, shape.depth, cutOf(choices));
  };
  problem.cost = [&](ArrayRef<unsigned> choices) {
    return getDecodeTile(shape, target, cutOf(choices)).seconds;
  };
  TileResult result = runTileSeek(problem, options);
  if (result.choices.empty())
    return std::nullopt;
  return getDecodeTile(shape, target, cutOf(result.choices));
}
