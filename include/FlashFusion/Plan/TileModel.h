//===- TileModel.h - What a tile of a kernel costs -----------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One model for both that choose tiles: ff-schedule, from an op and its target attribute, and
// TileSeek in ff-plan, from a shape and a target as data. Plain C++, a library of its own.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_TILEMODEL_H
#define FLASHFUSION_PLAN_TILEMODEL_H

#include <cstdint>

namespace mlir::flashfusion::plan {

/// What bounds a kernel on one multiprocessor of a GPU.
struct Gpu {
  int64_t multiprocessors = 1;
  int64_t sharedBytes = 0;     ///< of one block
  int64_t threadRegisters = 0; ///< of one thread
  int64_t otherRegisters = 0;  ///< of a thread, besides accumulators
  double productsPerCycle = 1; ///< of 16-bit elements, on tensor cores
  double copyBytesPerCycle = 1, copyLatency = 0;
  double narrowPenalty = 0; ///< share of a product's time, per 64 columns below 256
  double epilogueCycles = 0, epilogueCyclesPerColumn = 0;
  // The decode kernel: to start it, share of the memory's bandwidth that it gets, and a
  // warp's time for a step of 32 of K of eight rows of its left operand.
  double launchCycles = 0, streamShare = 1, operandCycles = 0;
  // Instructions of single lanes that a multiprocessor issues per cycle, and how many it takes to
  // fetch an element of a tile from shared memory into a lane.
  double issueWidth = 128, loadSlots = 0;
  // What a step of the prefill kernel takes at least with statistics, of which blocks share a
  // row's.
  double sumCycles = 0, sumSharers = 1;
  // A kernel of rows: per element of a row that is summed up, since a block walks along it. The
  // decode kernel for 17 to 128 rows: per 128 bytes of x or W that a block's copy engine fetches,
  // from launch to steady flow beside `launchCycles`, and its share of the memory's bandwidth.
  double rowCycles = 0, fillCycles = 0, fillStartCycles = 0, fillShare = 1;
};

/// One H200.
Gpu getH200Gpu();

/// The wgmma kernel's tile: rows of x, columns of a step of K, rows of x blocks that share a
/// sweep over the columns, and the widths there are, in columns (rows of W).
constexpr int64_t prefillTileRows = 128, prefillTileDepth = 64, prefillRowGroup = 16;
constexpr int64_t prefillWidths[] = {256, 192, 160, 128, 96, 64};

/// Whether a width is worth a try where no cluster shares row sums: consumers sum up rows for
/// longer than they multiply where tiles are narrow, and widths in between promise little
/// (docs/performance.md). `linears` Linears share a tile.
bool isPrefillWidth(int64_t columns, int64_t linears, bool statistics);

/// Whether a ring and the staging of the result fit a block: of the latter two buffers with
/// more than four stages, which a ring that deep is not worth more than.
bool fitsPrefillBlock(const Gpu &gpu, int64_t columns, int64_t stages);

/// Blocks that walk over so many tiles (0: any number). Where they take several each, their
/// number is a multiple of the row group.
int64_t countPrefillBlocks(int64_t multiprocessors, int64_t tiles);

/// Cycles for `tiles` tiles of so many columns: waves of blocks; per step of K the longest of
/// products, bytes from L2 and the latency that the ring does not cover; an epilogue per tile.
/// `issueCycles` is what else bounds a step: instructions of the multiplying warps.
double predictPrefillCycles(const Gpu &gpu, int64_t tiles, int64_t depth, int64_t columns,
                            int64_t stages, double issueCycles = 0);

/// A launch of the prefill kernel: so many blocks of 128 rows, tiles of so many columns, of all
/// outputs. With statistics two blocks of a cluster share row sums or, with `parts` = 2, K of a
/// tile; with a `pivot`, rows are summed up less it (LayerNorm).
struct PrefillLaunch {
  int64_t rowBlocks, columnTiles, depth;
  int64_t columns, stages, parts = 1;
  bool statistics = true, pivot = false;
};

/// K in parts pays where the exchange of sums is short beside the loop over K; with a pivot, it
/// never did.
bool gainsFromPrefillParts(const PrefillLaunch &launch, int64_t linears);

/// What ff-schedule chooses by; infinite where parts would take a second wave.
double predictPrefillCycles(const Gpu &gpu, const PrefillLaunch &launch);

/// The decode kernel's unit of columns (rows of W in a stage) and its step of K.
constexpr int64_t decodeUnit = 8, decodeStep = 32;

/// How a decode kernel cuts K: `split` stages a unit, each of `chunks` steps for every warp,
/// in a ring of `stages`.
struct DecodeCut {
  int64_t warps, chunks, split, stages;
  int64_t tileDepth() const { return chunks * warps * decodeStep; }
};

/// Warps that the kernel multiplies with, and the most steps that one of so many takes of a
/// stage where registers hold its part of the left operand; elsewhere two.
int64_t getDecodeWarps(int64_t depth);
int64_t getDecodeChunkLimit(int64_t warps);
constexpr int64_t decodeChunkLimitInMemory = 2;
/// The limit that applies to one norm and Linear without rounding, as far as the model knows.
int64_t getMostDecodeChunks(int64_t rows, int64_t depth);

/// Whether the cut leaves no part of K empty, and its ring (of four stages at least) and what
/// registers do not hold of the left operand fit a block.
constexpr int64_t leastDecodeStages = 4;
bool fitsDecodeBlock(const Gpu &gpu, int64_t rows, int64_t depth, const DecodeCut &cut);

/// Blocks, each with as many units of columns as the fullest.
int64_t countDecodeBlocks(int64_t multiprocessors, int64_t columns);

/// The decode kernel for 17 to 128 rows: columns of a block, which all blocks share evenly, and
/// cycles without the launch: bytes of weights at a share of `bytesPerCycle`, or what every block
/// fetches of x and W, half of it where two blocks share a tile. Statistics ride along.
constexpr int64_t maxWideDecodeRows = 128;
int64_t getWideDecodeColumns(const Gpu &gpu, int64_t columns);
double predictWideDecodeCycles(const Gpu &gpu, double bytesPerCycle, int64_t rows, int64_t columns,
                               int64_t depth);

/// Cycles for at most 16 rows: a launch, the left operand, the weights of the fullest block at
/// `bytesPerCycle` of all of memory, or at what the ring keeps in flight.
double predictDecodeCycles(const Gpu &gpu, double bytesPerCycle, int64_t rows, int64_t columns,
                           int64_t depth, const DecodeCut &cut);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_TILEMODEL_H
