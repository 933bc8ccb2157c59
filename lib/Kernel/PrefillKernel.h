//===- PrefillKernel.h - Parts of the wgmma prefill kernel -------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel's static plan (which arguments, where in shared memory) and the
// parts that it is composed of, one role or concern per file:
//
//   PrefillSchedule.cpp    which tile for how many rows
//   PrefillPlan.cpp        plan of an op and a schedule, tile order, ring
//   PrefillProducer.cpp    the thread that loads tiles, the warps that load columns
//   PrefillConsumer.cpp    the warpgroups that multiply
//   PrefillStatistics.cpp  row statistics from the tiles in shared memory
//   PrefillEpilogue.cpp    factors, finalizer, stores
//   PrefillWgmma.cpp       the emitter that puts them together
//
// Outputs and rings (WgmmaPlan.h), row sums (WgmmaRowSums.h), the way from accumulators
// to elements (WgmmaEpilogue.h) and K in parts (WgmmaPartials.h) are the wgmma decode kernel's too.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_PREFILLKERNEL_H
#define FLASHFUSION_KERNEL_PREFILLKERNEL_H

#include "WgmmaPartials.h"

namespace mlir::flashfusion::prefill {

/// A row of a stage, one swizzle row: 64 of K of 16-bit elements, 128 of 8-bit ones.
constexpr int64_t rowBytes = 128;
int64_t stageK(OnlineOp op);
/// Consumer warpgroups, 64 rows each; one more warpgroup loads.
constexpr int64_t consumers = 2;
constexpr int64_t tileM = 64 * consumers;
constexpr int64_t threads = 128 * (consumers + 1);
/// Row blocks that share a sweep over the columns: a wave of blocks then covers
/// a squarish patch of the output, whose operands stay in L2.
constexpr int64_t rowGroup = 16;
/// Output staging: 64 x 64 elements of 16 bits, what one copy of the engine stores.
constexpr int64_t chunkCols = 64;
constexpr int64_t chunkBytes = 64 * chunkCols * 2;
/// Whether sums are promoted: those of 8-bit products, and what `mustPromote`.
bool promotes(OnlineOp op);
/// Columns of a tile of promoted sums that registers hold beside as many sums.
constexpr int64_t widestPiece = 192;
/// Columns of an output tile: a multiple of this, and at least a chunk.
constexpr int64_t columnUnit = 32;
/// Warps of the loading warpgroup that load columns (the first one loads tiles).
constexpr int64_t loaderThreads = 96;
constexpr int64_t maxColumns = 6;

using wgmma::ColumnVector;
using wgmma::OutputPlan;
using wgmma::Ring;

/// Everything about a kernel that is known when it is emitted.
struct Plan {
  OnlineOp op;
  Type element;
  /// Weight rows of a tile; each of an output's `linears` Linears has its share.
  int64_t tileN = 0, linears = 1;
  /// Blocks of a cluster: `split` with neighbouring tiles of a row block, which sum up a share of
  /// its rows' columns each; or `parts` with one tile, of which each has a part of K.
  int64_t split = 1, parts = 1;
  int64_t stages = 0, kSteps = 0, tilesN = 0;
  SmallVector<OutputPlan, 1> outputs;
  SmallVector<KernelArg> args;
  int64_t xArg = 0, rowsArg = 0, pivotArg = 0, xScaleArg = -1;
  SmallVector<int64_t> scalarArgs;
  // Shared memory: stages (x tile, then W tile), output staging, the column
  // vectors of a tile, from the cluster's blocks row sums and sums of products, barriers.
  int64_t stageBytes = 0, stagingBuffers = 0, stagingOffset = 0, vectorOffset = 0, vectorBytes = 0,
          rowSumOffset = 0, partialOffset = 0, barrierOffset = 0, sharedBytes = 0;

  int64_t cluster() const { return split * parts; }
  /// Whether row sums come from all of the cluster's blocks.
  bool exchangesSums() const { return hasStatistics() && cluster() > 1; }
  int64_t xTileBytes() const { return tileM * rowBytes; }
  int64_t tileK() const { return stageK(op); }
  int64_t elementBytes() const { return element.getIntOrFloatBitWidth() / 8; }
  /// Sums that are promoted leave the accumulators of the tensor cores with every stage, in
  /// `pieces()` pieces of a tile's columns, of which registers hold one beside all sums.
  bool promotes() const { return prefill::promotes(op); }
  int64_t pieces() const { return tileN > widestPiece ? 2 : 1; }
  /// Columns of an output tile.
  int64_t outN() const { return tileN / linears; }
  bool hasStatistics() const;
  /// Whether the factors of a row depend on the row.
  bool hasRowFactors() const { return hasStatistics() || xScaleArg >= 0; }
  bool hasVectors() const { return vectorBytes != 0; }
  /// A block's sums of a warp's 16 rows: squares and, with a pivot, values.
  int64_t rowSumBytes() const;
  /// Chunks of an output tile, of which the last may be narrower.
  int64_t chunks() const { return (outN() + chunkCols - 1) / chunkCols; }
  int64_t chunkWidth(int64_t chunk) const {
    return std::min(chunkCols, outN() - chunk * chunkCols);
  }
  /// Staging buffers of a consumer, if there is room: two halve the epilogue's barriers.
  int64_t fullStaging() const { return parts > 1 ? 0 : std::min<int64_t>(2, chunks()); }
};

/// What a schedule decides.
struct Cut {
  int64_t tileN, split = 1, parts = 1, stages = 2;
  bool packed = false;
};

/// Linears of each output.
int64_t linearsPerOutput(OnlineOp op);
/// Whether tiles of `tileN` weight rows give every Linear of an output whole units
/// of columns.
bool fitsTile(OnlineOp op, int64_t tileN);

/// The most blocks of a cluster: a thread sums 32 columns of a stage, by eights.
constexpr int64_t maxSplit = 4;
/// The plan of `op`, which must be supported.
Plan makePlan(OnlineOp op, const Cut &cut, int64_t sharedLimit);

/// A tile width, parts of K and the numbers of row blocks (first to last; 0: no bound) that
/// they serve best.
struct TileRange {
  int64_t first, last, tileN, parts;
};
/// Disjoint ranges that cover every number of rows.
SmallVector<TileRange> chooseTiles(OnlineOp op, TargetAttr target);
/// Tiles of `tileN` weight rows with K in `parts`, else row sums shared, and as many stages as fit
/// into shared memory.
Cut makeCut(OnlineOp op, TargetAttr target, int64_t tileN, int64_t parts);
/// Blocks that walk over at most `maxTiles` tiles (0: no bound). Where they take
/// several each, their number is a multiple of the row group: a block then
/// stays on one row block for a sweep over the columns and computes its
/// statistics once.
int64_t gridCap(TargetAttr target, int64_t split, int64_t maxTiles);

/// An output tile: first row, output, first column within the output.
struct Tile {
  V row, output, col;
};

/// A kernel under construction, seen by its parts.
struct Kernel {
  Kernel(KernelBuilder &kb, const Plan &plan, ArrayRef<V> args);

  KernelBuilder &kb;
  const Plan &plan;
  SmallVector<V> args;
  V smem, tid, rows, rowBlocks;
  V rank;      ///< of this block in its cluster
  V firstStep; ///< of K, where this block's part begins

  V stage(V s);
  V full(V s);
  V empty(V s);
  V vectorsFull();
  V vectorsEmpty();
  /// Where the sums of consumer warp `warp`'s rows arrive, of the cluster's blocks one behind
  /// the other, and the barrier for that. There are two of each, for exchanges of even and odd
  /// `number`: a block may be ahead of another by one.
  V rowSums(V warp, V number);
  V rowSumsFull(V warp, V number);
  /// Sums of products for the threads of consumer warp `warp` have arrived.
  V partialsFull(V warp);
  /// Runs `body` for this block's tiles, in the order in which all roles take them.
  SmallVector<V> forTiles(ArrayRef<V> init,
                          llvm::function_ref<SmallVector<V>(Tile, ArrayRef<V>)> body);
  /// Emits `body` for every output, run for the one that `tile` belongs to.
  void forOutput(Tile tile, llvm::function_ref<void(const OutputPlan &)> body) {
    wgmma::forOutput(kb, plan.outputs, tile.output, body);
  }
  /// The weights of `tile`'s Linears.
  SmallVector<V> selectWeights(Tile tile) {
    return wgmma::selectWeights(kb, args, plan.outputs, tile.output);
  }
};

/// One thread: x and W tiles into the ring.
void emitProducer(Kernel &kernel);
/// `loaderThreads` threads, numbered by `thread`: column vectors of each tile.
void emitVectorLoader(Kernel &kernel, V thread);
/// Consumer warpgroup `group`.
void emitConsumer(Kernel &kernel, V group);

/// Row statistics of a consumer warpgroup's 64 rows, accumulated stage by stage:
/// threads 2r and 2r + 1 sum the two halves of row r.
class RowStatistics {
public:
  RowStatistics(Kernel &kernel, V group, V thread);
  /// Running sums before the first stage of `tile`.
  SmallVector<V> init(Tile tile);
  /// This thread's elements of `stage`, eight a vector.
  SmallVector<V> load(V stage);
  /// As many zeros.
  SmallVector<V> none();
  /// The sums with `elements` of k-step `k`, which is in `stage`, added.
  SmallVector<V> accumulate(V k, V stage, ArrayRef<V> elements, ArrayRef<V> sums);
  /// Sends this block's sums to all blocks of the cluster, in exchange `number`.
  void send(ArrayRef<V> sums, V number);
  /// Factors of the two rows of this thread's accumulators, in the tile whose first row is
  /// `tileRow`: scale of both, then -center of both, as far as the op has them. With a cluster,
  /// from what exchange `number` brings.
  SmallVector<V> factors(ArrayRef<V> sums, V number, V tileRow);

private:
  /// Sums of this thread's row: of squares, of values if there is a pivot.
  std::pair<V, V> ownSums(ArrayRef<V> sums);
  std::pair<V, V> receive(V number);

  Kernel &kernel;
  bool pivoted;
  V warp, lane, row, firstElement;
  SmallVector<V> pieces, pieceColumns;
};

/// From accumulators to the output, for one consumer warpgroup.
class Epilogue {
public:
  Epilogue(Kernel &kernel, V group, V thread);
  void emit(const OutputPlan &output, Tile tile, V accumulators, ArrayRef<V> factors);
  /// Sends the cluster's other blocks the sums of the columns that they finalize, and waits for
  /// those that they send.
  void exchangePartials(V accumulators);
  /// Waits for the last stores, and for others that read this block's shared memory.
  void finish();

private:
  using Elements = wgmma::OutputElements;
  SmallVector<V> finalize(const Elements &elements, int64_t j, V accumulators,
                          const std::array<Elements::TilePairs, 2> &tiles);
  void storeNarrowChunk(const OutputPlan &output, Tile tile, int64_t chunk, V buffer);
  void storeByTensorMap(const Elements &elements, Tile tile, V accumulators);
  wgmma::Partials partials(V accumulators);
  void sync();

  Kernel &kernel;
  V group, thread, warp, lane, leader, staging, firstRow, firstCol;
  SmallVector<V> matrixOffsets;
};

} // namespace mlir::flashfusion::prefill

#endif // FLASHFUSION_KERNEL_PREFILLKERNEL_H
