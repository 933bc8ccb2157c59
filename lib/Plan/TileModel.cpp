//===- TileModel.cpp - What a tile of a kernel costs -----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/TileModel.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace llvm;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::plan;

/// Columns of the staged result that one copy stores.
static constexpr int64_t chunkColumns = 64;

Gpu plan::getH200Gpu() {
  Gpu gpu;
  gpu.multiprocessors = 132;
  gpu.sharedBytes = 232448;
  gpu.threadRegisters = 255;
  gpu.otherRegisters = 64;
  gpu.productsPerCycle = 2048;
  // Of a multiprocessor, from L2; epilogue and narrow tiles as fitted to the prefill kernel.
  gpu.copyBytesPerCycle = 56;
  gpu.copyLatency = 1000;
  gpu.narrowPenalty = 0.03;
  gpu.epilogueCycles = 400;
  gpu.epilogueCyclesPerColumn = 6;
  // Least squares of relative errors over the decode rows of docs/performance.md.
  gpu.launchCycles = 2650;
  gpu.streamShare = 0.749;
  gpu.operandCycles = 278;
  // With half of a product's time (the tensor cores' share in the target): what a step of 64 of K
  // takes where every block sums up its rows, 650, 780, 890 and 1030 cycles for 64 to 256 columns
  // (docs/performance.md), comes out as 640, 768, 896 and 1024. Two blocks share the sums, and then
  // latency is left, as ff-schedule has it.
  gpu.issueWidth = 128;
  gpu.loadSlots = 6;
  gpu.sumCycles = 630;
  gpu.sumSharers = 2;
  // What rms_norm takes in eager mode (docs/performance.md, eager less GEMM): a launch, 0.95 ns an
  // element of a row, and its bytes at the same share of the bandwidth as decode: 25 rows within
  // 20 %.
  gpu.rowCycles = 1.75;
  // Least squares of relative errors over test/Plan/Inputs/wide-decode-h200.csv: 5.6 %.
  gpu.fillCycles = 5.2;
  gpu.fillStartCycles = 2850;
  gpu.fillShare = 0.84;
  return gpu;
}

static int64_t stageBytes(int64_t columns) {
  return (prefillTileRows + columns) * prefillTileDepth * 2;
}

bool plan::isPrefillWidth(int64_t columns, int64_t linears, bool statistics) {
  return !statistics || columns / linears % chunkColumns == 0;
}

bool plan::fitsPrefillBlock(const Gpu &gpu, int64_t columns, int64_t stages) {
  // Two consumer warpgroups hold the accumulators, each stages 64 rows of the result in
  // 16-bit chunks; barriers and vectors over the columns take some kilobytes.
  int64_t accumulators = prefillTileRows * columns / (2 * 128);
  int64_t buffers = stages > 4 ? std::min<int64_t>(2, divideCeil(columns, chunkColumns)) : 1;
  int64_t staging = buffers * 2 * 64 * chunkColumns * 2 + 2048;
  return stages * stageBytes(columns) + staging <= gpu.sharedBytes &&
         accumulators + gpu.otherRegisters <= gpu.threadRegisters;
}

int64_t plan::countPrefillBlocks(int64_t multiprocessors, int64_t tiles) {
  multiprocessors = std::max<int64_t>(multiprocessors, 1);
  if (tiles && tiles <= multiprocessors)
    return multiprocessors;
  return multiprocessors < prefillRowGroup ? multiprocessors
                                           : multiprocessors / prefillRowGroup * prefillRowGroup;
}

double plan::predictPrefillCycles(const Gpu &gpu, int64_t tiles, int64_t depth, int64_t columns,
                                  int64_t stages, double issueCycles) {
  auto waves =
      static_cast<double>(divideCeil(tiles, countPrefillBlocks(gpu.multiprocessors, tiles)));
  double products =
      static_cast<double>(prefillTileRows * columns * prefillTileDepth) / gpu.productsPerCycle;
  // Narrow tiles move more bytes for the same products, which costs power and thereby clock
  // even where it costs no cycles.
  products *= 1 + gpu.narrowPenalty * static_cast<double>(256 - columns) / 64;
  double loads = static_cast<double>(stageBytes(columns)) / gpu.copyBytesPerCycle;
  // A stage is asked for when its slot is free: the ring must cover the latency of a load.
  double latency = (gpu.copyLatency + loads) / static_cast<double>(stages - 1);
  double epilogue = gpu.epilogueCycles + gpu.epilogueCyclesPerColumn * static_cast<double>(columns);
  auto steps = static_cast<double>(divideCeil(depth, prefillTileDepth));
  return waves * (steps * std::max({products, loads, latency, issueCycles}) + epilogue);
}

bool plan::gainsFromPrefillParts(const PrefillLaunch &launch, int64_t linears) {
  return launch.statistics && !launch.pivot && launch.depth >= 1536 &&
         launch.columns % (8 * linears * 2) == 0;
}

/// What a step of K takes at least with row sums: bytes through shared memory, which products and
/// sums share, and latency. Lines through what was measured (docs/performance.md) for tiles of 64
/// to 192 columns where two blocks share the sums.
static double getSumCycles(const PrefillLaunch &launch) {
  if (!launch.statistics)
    return 0;
  auto columns = static_cast<double>(launch.columns);
  return launch.pivot ? 500 + 2.3 * columns : 460 + 1.7 * columns;
}

double plan::predictPrefillCycles(const Gpu &given, const PrefillLaunch &launch) {
  Gpu gpu = given;
  int64_t cluster = launch.statistics && gpu.multiprocessors > 1 ? 2 : 1;
  // Not all multiprocessors find a neighbour for a cluster of two: 132 tiles took two waves.
  if (cluster > 1)
    gpu.multiprocessors -= gpu.multiprocessors / 32;
  double floor = getSumCycles(launch);
  if (launch.parts == 1)
    return predictPrefillCycles(gpu, launch.rowBlocks * alignTo(launch.columnTiles, cluster),
                                launch.depth, launch.columns, launch.stages, floor);
  int64_t tiles = launch.rowBlocks * launch.columnTiles;
  if (tiles * launch.parts > gpu.multiprocessors)
    return std::numeric_limits<double>::infinity();
  // Every block sums up whole rows of its part, which takes longer, and sends half of its sums of
  // products to the other; both as measured.
  return predictPrefillCycles(gpu, tiles, divideCeil(launch.depth, launch.parts), launch.columns,
                              launch.stages, floor + 220) +
         700 + 11 * static_cast<double>(launch.columns);
}

int64_t plan::getDecodeWarps(int64_t depth) { return depth >= 4096 ? 16 : depth >= 2048 ? 8 : 4; }

int64_t plan::getDecodeChunkLimit(int64_t warps) { return warps > 8 ? 4 : warps > 4 ? 2 : 6; }

/// Registers of a thread: one more warp copies; each quarter of a multiprocessor has 16384, which a
/// thread gets in eights.
static int64_t getDecodeRegisters(int64_t warps) {
  return std::min<int64_t>(16384 / (32 * divideCeil(warps + 1, 4)) / 8 * 8, 255);
}

/// Of a warp's steps of the left operand, those that registers hold.
static int64_t countKeptSteps(int64_t warps, int64_t halves, int64_t steps) {
  int64_t limit = getDecodeRegisters(warps);
  if (4 * halves * steps + 32 <= limit)
    return steps;
  return std::clamp<int64_t>((limit - (halves == 1 ? 48 : 56)) / (4 * halves), 0, steps);
}

int64_t plan::getMostDecodeChunks(int64_t rows, int64_t depth) {
  int64_t warps = getDecodeWarps(depth);
  int64_t steps = divideCeil(divideCeil(depth, decodeStep), warps);
  if (countKeptSteps(warps, divideCeil(rows, 8), steps) < steps)
    return decodeChunkLimitInMemory;
  return getDecodeChunkLimit(warps);
}

/// Eight rows of W, padded so that two rows start in different banks.
static int64_t getDecodeStageBytes(const DecodeCut &cut) {
  return decodeUnit * (alignTo(cut.tileDepth() * 2, 128) + 64);
}

bool plan::fitsDecodeBlock(const Gpu &gpu, int64_t rows, int64_t depth, const DecodeCut &cut) {
  int64_t halves = divideCeil(rows, 8);
  // What registers do not hold of the left operand, the warps' partial tiles and statistics,
  // double-buffered, and two barriers a stage. A ring of less than four is not built.
  int64_t steps = cut.chunks * cut.split, stages = std::max(cut.stages, leastDecodeStages);
  int64_t operand = cut.warps * (steps - countKeptSteps(cut.warps, halves, steps)) * halves * 512;
  int64_t others = 2 * cut.warps * 8 * halves * (decodeUnit + 1) * 4 + 16 * stages;
  return cut.tileDepth() * (cut.split - 1) < depth && cut.tileDepth() * cut.split >= depth &&
         stages * getDecodeStageBytes(cut) + operand + others <= gpu.sharedBytes;
}

int64_t plan::countDecodeBlocks(int64_t multiprocessors, int64_t columns) {
  int64_t units = divideCeil(columns, decodeUnit);
  return divideCeil(units, divideCeil(units, std::max<int64_t>(multiprocessors, 1)));
}

double plan::predictDecodeCycles(const Gpu &gpu, double bytesPerCycle, int64_t rows,
                                 int64_t columns, int64_t depth, const DecodeCut &cut) {
  int64_t blocks = countDecodeBlocks(gpu.multiprocessors, columns);
  int64_t units = divideCeil(divideCeil(columns, decodeUnit), blocks);
  double stage = static_cast<double>(decodeUnit * depth * 2) / static_cast<double>(cut.split);
  double stream = stage * static_cast<double>(blocks) / (bytesPerCycle * gpu.streamShare);
  double latency =
      (gpu.copyLatency + stage / gpu.copyBytesPerCycle) / static_cast<double>(cut.stages - 1);
  auto operand = static_cast<double>(divideCeil(rows, 8) * cut.split * cut.chunks);
  return gpu.launchCycles + gpu.operandCycles * operand +
         static_cast<double>(units * cut.split) * std::max(stream, latency);
}

int64_t plan::getWideDecodeColumns(const Gpu &gpu, int64_t columns) {
  int64_t units = divideCeil(columns, decodeUnit);
  int64_t share = decodeUnit * divideCeil(units, std::max<int64_t>(gpu.multiprocessors, 1));
  return std::min<int64_t>(share, prefillWidths[0]);
}

double plan::predictWideDecodeCycles(const Gpu &gpu, double bytesPerCycle, int64_t rows,
                                     int64_t columns, int64_t depth) {
  int64_t width = getWideDecodeColumns(gpu, columns);
  int64_t tiles = divideCeil(columns, width);
  int64_t waves = divideCeil(tiles, std::max<int64_t>(gpu.multiprocessors, 1));
  double stream = static_cast<double>(columns * depth * 2) / (bytesPerCycle * gpu.fillShare);
  double fill = static_cast<double>(waves * divideCeil(depth, prefillTileDepth) * (rows + width)) *
                gpu.fillCycles / (waves == 1 ? 2 : 1);
  return gpu.fillStartCycles + std::max(stream, fill);
}
