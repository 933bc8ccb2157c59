//===- WgmmaEpilogue.h - From accumulators to elements -----------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_WGMMAEPILOGUE_H
#define FLASHFUSION_KERNEL_WGMMAEPILOGUE_H

#include "WgmmaPlan.h"
#include <array>

namespace mlir::flashfusion::wgmma {

/// A thread's elements of an output's tile: rows `row` and `row` + 8, and for every group j
/// of 8 columns, columns `column` + 8 j and the next of the tile.
struct OutputElements {
  KernelBuilder &kb;
  OnlineOp op;
  const OutputPlan &output;
  ArrayRef<V> args; ///< of the kernel
  V rows;           ///< of the output
  V row, column;
  V tileColumn; ///< of the output, where the tile begins
  V smem;       ///< with the column vectors `vectorOffset` bytes on
  int64_t vectorOffset;
  ArrayRef<V> scale, center; ///< of both rows, if there are; center negated

  /// What the finalizer takes of the output's tiles for group j: per row, per tile, two
  /// neighbours.
  using TilePairs = SmallVector<std::pair<V, V>>;
  std::array<TilePairs, 2> loadTiles(int64_t j) const;

  /// The elements of group j, a pair for each row. `products` gives a Linear's four sums:
  /// two neighbours in the first row, two in the second.
  SmallVector<V> finalize(int64_t j, llvm::function_ref<SmallVector<V>(int64_t linear)> products,
                          const std::array<TilePairs, 2> &tiles) const;

  /// Where this thread's rows begin in the output, and which of them are in it.
  struct Rows {
    V start[2], inside[2];
  };
  Rows locateRows() const;
  /// Stores the pairs of group j as far as they are in the output.
  void store(int64_t j, ArrayRef<V> pairs, const Rows &to) const;

private:
  std::pair<V, V> load(const ColumnVector &vector, int64_t j) const;
  V packPair(V low, V high) const;
};

} // namespace mlir::flashfusion::wgmma

#endif // FLASHFUSION_KERNEL_WGMMAEPILOGUE_H
