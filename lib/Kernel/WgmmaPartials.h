//===- WgmmaPartials.h - K in parts over a cluster ---------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a cluster have one tile, each a part of K. Each finalizes its share of the
// columns, with sums that the others leave in its shared memory:
//
//   block 0: [own sums | to block 1]        block 1: [to block 0 | own sums]
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_WGMMAPARTIALS_H
#define FLASHFUSION_KERNEL_WGMMAPARTIALS_H

#include "WgmmaEpilogue.h"

namespace mlir::flashfusion::wgmma {

/// One thread's sums of a tile, and what the threads of its number in other blocks have for it.
struct Partials {
  KernelBuilder &kb;
  V smem, thread, rank; ///< of this block in its cluster
  V accumulators;
  int64_t parts, threads;      ///< blocks of a cluster; threads that multiply
  int64_t linears, tileLinear; ///< Linears of a tile, and columns of each
  int64_t offset;              ///< in shared memory, of `bytes`

  /// Groups of 8 columns of a Linear that a block finalizes.
  int64_t eights() const { return tileLinear / 8 / parts; }
  static int64_t bytes(int64_t parts, int64_t tileN, int64_t threads) {
    return (parts - 1) * (tileN / 8 / parts) * threads * 16;
  }
  /// Stores the sums that other blocks finalize in their shared memory.
  void store() const;
  /// The same by way of as many `bytes` at `staging`, each warp by itself, counted as arrived at
  /// the mbarrier that the other block has where this one has `full`: bytes(.., threads = 32) in
  /// all. This block must not end before.
  void copy(V staging, V full) const;
  /// Two neighbours in the first row, two in the second, of group `j` of `linear`'s columns,
  /// which block `part` finalizes, as is known when the kernel is emitted: sums over all of K,
  /// the parts added up in the order of their ranks.
  SmallVector<V> total(int64_t part, int64_t linear, int64_t j) const;

private:
  int64_t warpBytes() const { return linears * eights() * 32 * 16; }
  SmallVector<V> own(int64_t linear, int64_t j) const;
  V placeIn(V base, V other, int64_t slot) const;
  void forOthers(llvm::function_ref<void(int64_t to, V mine, V theirs)> body) const;
};

/// Finalizes and stores the columns of this block, all without a cluster.
void store(const OutputElements &elements, const Partials &partials);

} // namespace mlir::flashfusion::wgmma

#endif // FLASHFUSION_KERNEL_WGMMAPARTIALS_H
