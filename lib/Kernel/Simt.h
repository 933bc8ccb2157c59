//===- Simt.h - Parts of the simt kernel --------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block computes tiles of tileM x tileN outputs. Its warps form `split`
// teams; a team takes every split-th step of tileK along K, for the whole tile,
// and owns a ring of `stages` buffers that hold h[k][m] and W[k][n] as f32:
//
//   global x, W  --loadStep-->  registers  --storeStep-->  ring  --multiply-->  sums
//
// A warp covers 4 x 8 register blocks of `rows` x 4 outputs.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_KERNEL_SIMT_H
#define FLASHFUSION_LIB_KERNEL_SIMT_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelBuilder.h"

namespace mlir::flashfusion::simt {

inline constexpr int64_t tileK = 16;
inline constexpr int64_t cols = 4; ///< of a thread's register block

/// A tile and how the block's threads share it; `slots` is the largest number
/// of Linears that an output needs at once.
struct Shape {
  int64_t tileM, tileN, stages, split, warps, slots;

  int64_t threads() const { return 32 * warps; }
  int64_t team() const { return threads() / split; }
  /// Rows of a thread's register block; 0 if the tile does not divide so.
  int64_t rows() const;
  /// Blocks of a multiprocessor that registers are limited for.
  int64_t residentBlocks() const;
  /// Leading dimensions of h[k][m] and W[k][n]: rows of 16 bytes, shifted by
  /// four banks from one k to the next.
  int64_t ldH() const { return tileM + 4; }
  int64_t ldW() const { return tileN + 4; }

  // Shared memory, in bytes: factors of the rows, rings, sums of the teams.
  int64_t ringStart() const { return 16 * tileM; }
  int64_t stageBytes() const { return 4 * tileK * (ldH() + ldW()); }
  int64_t sumsStart() const { return ringStart() + split * stages * stageBytes(); }
  int64_t sumsBytes() const { return 4 * tileM * tileN; } ///< of one team and slot
  int64_t bytes() const { return sumsStart() + slots * split * sumsBytes(); }

  /// Why the kernel cannot have this shape, as a phrase; empty if it can.
  std::string invalid() const;
};

/// How a row turns into the left operand:
/// h(k) = ((x(k) - pivot) * scale - shift) * v(k) + s(k).
/// The block's rows have (pivot, shift, scale) in shared memory, see writeFactors.
struct RowForm {
  bool scaled = false, centered = false;
  explicit RowForm(OnlineOp op);
};

/// The kernel's parameters: those of operand `i` of the op, and M.
struct Params {
  SmallVector<V> operands;
  V rows;
};

/// Statistics and factors of rows m0 .. m0 + tileM - 1 (past the end: of the
/// last row), to the start of shared memory. All threads take part; the caller
/// synchronises.
void writeFactors(KernelBuilder &kb, OnlineOp op, const Shape &shape, const Params &params, V m0);

/// One Linear of the current tile.
struct Linear {
  V weight;     ///< pointer
  V n;          ///< extent N
  Type element; ///< of the weight
  WeightLayout layout;
};

/// Sums over K of h W for the tile at (m0, n0), to the sums of slot `slot`: one
/// tileM x tileN matrix per team. The caller synchronises.
void writeSums(KernelBuilder &kb, OnlineOp op, const Shape &shape, const Params &params,
               const Linear &linear, V m0, V n0, int64_t slot);

/// Bytes of an element.
inline int64_t bytesOf(Type element) { return element.getIntOrFloatBitWidth() / 8; }
/// Element `index` (i32, or i64 past 4 GiB) of the buffer at `base`.
inline V loadElement(KernelBuilder &kb, V base, V index, Type element) {
  return kb.load(kb.at(base, kb.wide(index) * bytesOf(element)), element, bytesOf(element));
}

} // namespace mlir::flashfusion::simt

#endif // FLASHFUSION_LIB_KERNEL_SIMT_H
