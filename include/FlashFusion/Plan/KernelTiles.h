//===- KernelTiles.h - Tiles of kernels on a GPU --------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A norm and its Linear as one group. Prefill: what the tensor cores, row sums, copies and waves of
// blocks take for a tile of 128 rows, so many columns, a ring of so many stages, and K in one or
// two parts. Decode with mma.sync: how K is cut into stages; with wgmma: columns, stages, parts of
// K.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_KERNELTILES_H
#define FLASHFUSION_PLAN_KERNELTILES_H

#include "FlashFusion/Plan/Target.h"
#include "FlashFusion/Plan/TileSeek.h"

namespace mlir::flashfusion::plan {

struct KernelShape {
  int64_t rows, columns, depth; ///< M, N, K
};

struct KernelTile {
  int64_t columns, stages;
  double cycles;     ///< predicted
  double seconds;    ///< of these, or of the memory traffic if that takes longer
  int64_t parts = 1; ///< of K, which two blocks of a cluster take
};

/// The tiles that fit the target's shared memory and registers, in order of predicted cycles;
/// among equals the wider tile, then the deeper ring. The target must have `gpu`.
std::vector<KernelTile> rankKernelTiles(const KernelShape &shape, const Target &target);

/// TileSeek's choice among all widths and rings of the prefill kernel, in predicted cycles.
std::optional<KernelTile> seekKernelTile(llvm::function_ref<bool(int64_t, int64_t)> fits,
                                         llvm::function_ref<double(int64_t, int64_t)> cycles,
                                         const TileOptions &options);

/// TileSeek's choice among them, with at most `budget` evaluations.
std::optional<KernelTile> seekKernelTile(const KernelShape &shape, const Target &target,
                                         const TileOptions &options);

/// A cut of K of the decode kernel, for at most 16 rows.
struct DecodeTile {
  DecodeCut cut;
  double seconds; ///< predicted
};
constexpr int64_t maxDecodeRows = 16;

/// The wgmma decode kernel for 17 to 128 rows: rows that are loaded, columns of a tile, K of a
/// stage, blocks of a cluster that K is split over, stages of W.
struct WideDecodeTile {
  int64_t rows, columns, depth, split, stages;
  double seconds; ///< predicted
};

/// What ff-schedule compares: K split over two blocks, then all of it in one, as far as they fit,
/// each with its columns and rings. The first is its choice.
std::vector<WideDecodeTile> rankWideDecodeTiles(const KernelShape &shape, const Target &target);

/// Blocks of a decode kernel, two for eight rows each where none holds sixteen.
int64_t countDecodeBlocks(const KernelShape &shape, const Target &target);

/// The cuts that fit, in order of predicted time; among equals the smallest split, then the
/// deepest ring.
std::vector<DecodeTile> rankDecodeTiles(const KernelShape &shape, const Target &target);

/// TileSeek's choice among them.
std::optional<DecodeTile> seekDecodeTile(const KernelShape &shape, const Target &target,
                                         const TileOptions &options);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_KERNELTILES_H
