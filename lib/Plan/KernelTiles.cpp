//===- KernelTiles.cpp - Tiles of kernels on a GPU --------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/KernelTiles.h"

#include "FlashFusion/Plan/DecodeModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir::flashfusion::plan;

static constexpr int64_t ringDepths[] = {8, 7, 6, 5, 4, 3, 2};

static PrefillLaunch getLaunch(const KernelShape &shape, int64_t columns, int64_t stages,
                               int64_t parts) {
  int64_t rowBlocks = divideCeil(shape.rows, prefillTileRows);
  int64_t columnTiles = divideCeil(shape.columns, columns);
  return {rowBlocks, columnTiles, shape.depth, columns, stages, parts};
}

/// One Linear behind RMSNorm. K in parts is for what is one wave then.
static bool fits(const KernelShape &shape, const Gpu &gpu, int64_t columns, int64_t stages,
                 int64_t parts) {
  PrefillLaunch launch = getLaunch(shape, columns, stages, parts);
  return fitsPrefillBlock(gpu, columns, stages) &&
         (parts == 1 || (gainsFromPrefillParts(launch, /*linears=*/1) &&
                         std::isfinite(predictPrefillCycles(gpu, launch))));
}

/// Memory is a bound that all tiles share, so that it does not order them.
static KernelTile getTile(const KernelShape &shape, const Target &target, int64_t columns,
                          int64_t stages, int64_t parts) {
  double words = static_cast<double>(shape.rows) * static_cast<double>(shape.depth) +
                 static_cast<double>(shape.columns) * static_cast<double>(shape.depth) +
                 static_cast<double>(shape.rows) * static_cast<double>(shape.columns);
  double memory = words * target.wordBytes / target.bandwidth;
  double cycles = predictPrefillCycles(*target.gpu, getLaunch(shape, columns, stages, parts));
  return {columns, stages, cycles, std::max(cycles / target.clock, memory), parts};
}

std::vector<KernelTile> mlir::flashfusion::plan::rankKernelTiles(const KernelShape &shape,
                                                                 const Target &target) {
  std::vector<KernelTile> result;
  for (int64_t columns : prefillWidths)
    for (int64_t parts : {1, 2})
      for (int64_t stages : ringDepths)
        if (::fits(shape, *target.gpu, columns, stages, parts))
          result.push_back(getTile(shape, target, columns, stages, parts));
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
  std::optional<KernelTile> best;
  for (int64_t parts : {1, 2}) {
    std::optional<KernelTile> found = seekKernelTile(
        [&](int64_t columns, int64_t stages) {
          return ::fits(shape, *target.gpu, columns, stages, parts);
        },
        [&](int64_t columns, int64_t stages) {
          return getTile(shape, target, columns, stages, parts).cycles;
        },
        options);
    if (found && (!best || found->cycles < best->cycles))
      best = getTile(shape, target, found->columns, found->stages, parts);
  }
  return best;
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

//===----------------------------------------------------------------------===//
// Decode, 17 to 128 rows
//===----------------------------------------------------------------------===//

/// Columns of a tile, as ff-schedule shares them among clusters: the fewest for a block in all,
/// beginning a tile counted as four. 0 if there is no such tile.
static int64_t chooseColumns(const KernelShape &shape, const Gpu &gpu, int64_t widest,
                             int64_t split) {
  int64_t clusters = std::max<int64_t>(gpu.multiprocessors / split, 1), best = 0, least = 0;
  for (int64_t columns = 8 * split; columns <= widest; columns += 8 * split) {
    int64_t tiles = divideCeil(divideCeil(shape.columns, columns), clusters);
    if (split > 1 && tiles > 1)
      continue;
    if (int64_t cost = tiles * (columns + 4); !best || cost < least)
      best = columns, least = cost;
  }
  return best;
}

/// The tile for so many loaded rows, with the deepest ring of W that leaves two stages of x.
static std::optional<WideDecodeTile> proposeWideTile(const KernelShape &shape, const Target &target,
                                                     int64_t rows, int64_t split) {
  const Gpu &gpu = *target.gpu;
  constexpr int64_t boxDepth = prefillTileDepth, boxRowBytes = 2 * boxDepth;
  int64_t columns = chooseColumns(shape, gpu, rows <= 64 && split == 1 ? 256 : 128, split);
  if (!columns || (split > 1 && shape.depth < split * boxDepth))
    return std::nullopt;
  int64_t all = divideCeil(shape.depth, boxDepth * split);
  int64_t wanted = columns > 96 ? 1 : columns <= 64 && rows <= 64 && all >= 16 ? 4 : 2;
  int64_t boxes = std::min(wanted, all), threadRows = alignTo(rows, 64);
  int64_t xStage = boxes * threadRows * boxRowBytes, wStage = boxes * columns * boxRowBytes;
  int64_t tiles = divideCeil(divideCeil(shape.columns, columns),
                             std::max<int64_t>(gpu.multiprocessors / split, 1));
  int64_t steps = tiles * divideCeil(shape.depth, boxes * boxDepth * split);
  // Sums of products and of rows that the other block sends, factors, barriers.
  int64_t partials = (split - 1) * (columns / 8 / split) * 2 * threadRows * 16;
  int64_t sums = split == 1 ? 0 : split * rows * 8;
  int64_t room = gpu.sharedBytes - 4096 - (split - 1) * columns / split * threadRows * 4;
  int64_t stages = std::min(
      {std::max(room / (xStage + wStage), room / 2 / wStage), steps, static_cast<int64_t>(64)});
  auto leaves = [&](int64_t depth) {
    int64_t x = std::min<int64_t>(2, steps);
    int64_t others = partials + sums + 2 * threadRows * 4 + 8 * (2 * (x + depth) + 3);
    return depth * wStage + x * xStage + others <= gpu.sharedBytes;
  };
  while (stages > 0 && !leaves(stages))
    --stages;
  if (stages <= 0)
    return std::nullopt;
  WgmmaDecode launch;
  launch.blocks = divideCeil(divideCeil(shape.columns, columns), tiles) * split;
  launch.steps = steps;
  launch.depth = stages;
  launch.columns = tiles * columns;
  launch.cluster = split > 1;
  launch.wBytes = wStage;
  launch.xBytes = boxes * rows * boxRowBytes;
  launch.spareRows = boxes * std::max<int64_t>(rows - shape.rows, 0);
  launch.xRead = launch.blocks * steps * boxes * boxDepth * std::min(shape.rows, rows) * 2;
  return WideDecodeTile{rows,  columns, boxes * boxDepth,
                        split, stages,  predictDecode(launch) * 1e-6};
}

std::vector<WideDecodeTile> mlir::flashfusion::plan::rankWideDecodeTiles(const KernelShape &shape,
                                                                         const Target &target) {
  int64_t rows = shape.rows;
  for (int64_t loaded : {128, 96, 64, 48, 32})
    if (loaded >= shape.rows)
      rows = loaded;
  // ff-schedule decides for a variant's last row.
  KernelShape full = shape;
  full.rows = rows;
  auto time = [&](int64_t split) {
    std::optional<WideDecodeTile> tile = proposeWideTile(full, target, rows, split);
    return tile ? tile->seconds : std::numeric_limits<double>::infinity();
  };
  // One block where it is faster by more than the model errs; it knows one warpgroup only.
  bool one = rows <= 64 && time(1) < 0.96 * time(2);
  std::vector<WideDecodeTile> result;
  for (int64_t split : {one ? 1 : 2, one ? 2 : 1})
    if (std::optional<WideDecodeTile> tile = proposeWideTile(shape, target, rows, split))
      result.push_back(*tile);
  return result;
}
