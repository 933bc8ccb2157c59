//===- DecodeWgmma.h - Parts of the wgmma decode kernel ----------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel for up to 128 rows: like the decode kernel it reads the weights once, at
// memory speed, but multiplies with wgmma, all rows at once. Its parts:
//
//   DecodeWgmmaPlan.cpp        what is supported, arguments, shared memory
//   DecodeWgmmaSchedule.cpp    tiles and rings for an op
//   DecodeWgmmaRoles.cpp       the threads that load, the warpgroups that multiply
//   DecodeWgmmaStatistics.cpp  the warps that sum up the rows of x, and load columns
//   DecodeWgmmaEpilogue.cpp    factors, finalizer, stores
//   DecodeWgmma.cpp            the emitter that puts them together
//
// Outputs and rings (WgmmaPlan.h), row sums (WgmmaRowSums.h) and the way from accumulators
// to elements (WgmmaEpilogue.h) are the prefill kernel's too.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_DECODEWGMMA_H
#define FLASHFUSION_KERNEL_DECODEWGMMA_H

#include "WgmmaPartials.h"

namespace mlir::flashfusion::decodewgmma {

/// K of a box: a row of 16-bit elements is one 128-byte swizzle row.
constexpr int64_t boxK = 64, boxRowBytes = boxK * 2;

using wgmma::ColumnVector;
using wgmma::OutputPlan;
using wgmma::Ring;

/// Everything about a kernel that is known when it is emitted.
struct Plan {
  OnlineOp op;
  Type element;
  int64_t tileM = 64; ///< rows of x that are loaded
  int64_t tileN = 0;  ///< weight rows of a tile; each of an output's Linears has its share
  int64_t linears = 1;
  int64_t boxes = 1;         ///< boxes of 64 k in a stage
  int64_t kSteps = 0;        ///< stages' worth of K
  int64_t split = 1;         ///< parts of K, one for each block of a cluster
  int64_t tiles = 0;         ///< of all outputs
  int64_t blocks = 0;        ///< grid
  int64_t tilesPerBlock = 0; ///< tiles that every block walks over, some may be empty
  int64_t xStages = 0, wStages = 0;
  SmallVector<OutputPlan, 1> outputs;
  SmallVector<KernelArg> args;
  int64_t xArg = 0, rowsArg = 0, pivotArg = 0;
  SmallVector<int64_t> scalarArgs;
  // Shared memory: ring of x, ring of W, what other blocks of the cluster send (sums over
  // their K: of products, of rows), column vectors of a tile, factors of the rows, barriers.
  int64_t wOffset = 0, partialOffset = 0, rowSumOffset = 0, vectorOffset = 0, vectorBytes = 0,
          factorOffset = 0, barrierOffset = 0, sharedBytes = 0;

  /// Warpgroups that multiply, 64 rows each: those that are loaded, the rest is zero.
  int64_t groups() const { return (tileM + 63) / 64; }
  int64_t multiplyingThreads() const { return 128 * groups(); }
  /// Threads that sum up rows, two for each. Two more warps load.
  int64_t summingThreads() const { return 2 * tileM; }
  int64_t threads() const { return multiplyingThreads() + summingThreads() + 64; }
  int64_t partialBytes() const {
    return wgmma::Partials::bytes(split, tileN, multiplyingThreads());
  }
  int64_t rowSumBytes() const { return split == 1 ? 0 : split * tileM * 8; }
  /// Columns of an output tile.
  int64_t outN() const { return tileN / linears; }
  int64_t stageK() const { return boxes * boxK; }
  int64_t xBoxBytes() const { return 64 * groups() * boxRowBytes; }
  int64_t wBoxBytes() const { return tileN * boxRowBytes; }
  int64_t xStageBytes() const { return boxes * xBoxBytes(); }
  int64_t wStageBytes() const { return boxes * wBoxBytes(); }
  int64_t steps() const { return tilesPerBlock * kSteps; }
  /// Whether stages are used again, and hence released.
  bool xRefill() const { return steps() > xStages; }
  bool wRefill() const { return steps() > wStages; }
  bool hasStatistics() const;
  /// How many factors a row has: scale, center.
  int64_t factors() const;
  int64_t factorBytes() const { return 64 * groups() * 4; }
  bool hasVectors() const { return vectorBytes != 0; }
};

/// Why no kernel of this family can serve `op`; empty if one can.
std::string whyUnsupported(OnlineOp op, TargetAttr target);

/// The plan of a supported op: tile, boxes of a stage, split and depth of the ring of W
/// as in `schedule`; the ring of x takes what shared memory is left.
Plan makePlan(OnlineOp op, TargetAttr target, ScheduleAttr schedule);
/// Whether what is left are two stages at least, or all that there are.
bool fits(const Plan &plan, TargetAttr target);

/// The variants for a supported `op`.
SmallVector<ScheduleAttr> proposeSchedules(OnlineOp op, TargetAttr target);

/// Variants for 1 to 64 rows that differ only in how many rows of x they load.
SmallVector<ScheduleAttr> proposeInvariant(OnlineOp op, TargetAttr target, bool packed);

/// Microseconds of a launch, as a model has it.
std::optional<double> predict(OnlineOp op, TargetAttr target, ScheduleAttr schedule, int64_t rows);

/// Clusters of `split` blocks that run at a time, a block to a multiprocessor.
int64_t residentClusters(TargetAttr target, int64_t split);
/// Tiles of `outN` columns of all outputs.
int64_t countTiles(OnlineOp op, int64_t outN);

/// A tile: its number in the block's sequence, output, first column within the output.
struct Tile {
  V number, output, col;
};

/// A kernel under construction, seen by its parts.
struct Kernel {
  Kernel(KernelBuilder &kb, const Plan &plan, ArrayRef<V> args);

  KernelBuilder &kb;
  const Plan &plan;
  SmallVector<V> args;
  V smem, tid, lane, rows;
  V rank;   ///< of this block in its cluster
  V firstK; ///< where its part of K begins

  V xStage(V s);
  V wStage(V s);
  V xFull(V s);
  V xEmpty(V s);
  V wFull(V s);
  V wEmpty(V s);
  V vectorsFull();
  V vectorsEmpty();
  V factorsFull();
  /// One arrival of this warp for a stage, if `condition`; all lanes call it.
  void releaseX(V stage, V condition);
  void releaseW(V stage, V condition);
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

private:
  V barrier(int64_t first, V s);
};

/// One thread each: tiles of W, tiles of x, into their rings.
void emitWeightLoader(Kernel &kernel);
void emitRowLoader(Kernel &kernel);
/// Warpgroup `group` of those that multiply.
void emitConsumer(Kernel &kernel, V group);
/// Thread `thread` of those that sum up rows and load column vectors.
void emitStatistics(Kernel &kernel, V thread);

/// Sends a warpgroup's sums of the columns that other blocks of the cluster finalize.
void sendPartials(Kernel &kernel, V accumulators);
/// Finalizes and stores one warpgroup's accumulators of a tile.
void emitEpilogue(Kernel &kernel, V group, Tile tile, V accumulators);
/// Until all of the cluster have sent what they have to send; also for threads that send nothing.
void meetCluster(Kernel &kernel);
void passCluster(Kernel &kernel);

} // namespace mlir::flashfusion::decodewgmma

#endif // FLASHFUSION_KERNEL_DECODEWGMMA_H
