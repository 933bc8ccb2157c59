//===- PrefillMma.h - Parts of the cp.async + mma.sync kernel -----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block computes a tile of one output: x and the weights of its Linears (one,
// or several side by side: SwiGLU) stream through a ring of stages in shared memory, every stage
// 128 bytes of K (64 16-bit elements or 32 of f32). A row of a stage is 8 chunks of 16 bytes; chunk
// c of row r stands at position c ^ (r % 8), so that eight rows of one chunk (ldmatrix, the row
// sums) and eight chunks of one row (copies) both touch all 32 banks.
//
//   stage:  x tile, tile.m rows | W tile, tile.n rows: tile.outN() of each Linear
//   shared: stage 0 | ... | stage S-1 | row sums, then row factors
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_KERNEL_PREFILLMMA_H
#define FLASHFUSION_LIB_KERNEL_PREFILLMMA_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelBuilder.h"
#include "FlashFusion/Kernel/KernelEmitter.h"

namespace mlir::flashfusion {

/// Bytes of K that a row of a stage holds, and of one chunk.
constexpr int64_t mmaRowBytes = 128, mmaChunkBytes = 16;
constexpr int64_t mmaRowChunks = mmaRowBytes / mmaChunkBytes;
/// Independent chains of a row sum in one thread: even and odd elements.
constexpr int64_t sumChains = 2;

/// Geometry of one variant.
struct MmaTile {
  int64_t m = 0, n = 0, stages = 0;
  int64_t warpsM = 0, warpsN = 0; ///< warps along the tile's rows and columns
  int64_t linears = 1;            ///< of an output, each with its share of the n rows of W

  /// Divides a tile among `warps` as squarely as possible; failure if it does not divide.
  static FailureOr<MmaTile> get(int64_t m, int64_t n, int64_t stages, int64_t warps,
                                int64_t linears);

  int64_t warps() const { return warpsM * warpsN; }
  int64_t threads() const { return warps() * 32; }
  int64_t warpRows() const { return m / warpsM; }
  int64_t warpCols() const { return n / warpsN; }
  int64_t blocksM() const { return warpRows() / 16; } ///< of mma.sync, in a warp
  int64_t blocksN() const { return warpCols() / 8; }
  /// Columns of the output: of the tile, of a warp, and in blocks.
  int64_t outN() const { return n / linears; }
  int64_t warpOutCols() const { return warpCols() / linears; }
  int64_t outBlocks() const { return blocksN() / linears; }
  int64_t stageBytes() const { return (m + n) * mmaRowBytes; }
  int64_t sumsOffset() const { return stages * stageBytes(); }
  int64_t sharedBytes() const { return sumsOffset() + threads() * 8; }
  /// Threads that share the sums of a row of x.
  int64_t threadsPerRow() const { return threads() / m; }
};

/// Kernel parameters by role.
struct MmaParams {
  V x, rows;
  SmallVector<V> weights, columnSums, shiftSums; ///< by Linear; sums null where unused
  SmallVector<V> columns, tiles, scalars, outs;
};

/// The columns [0, limit) of one output that a block computes, from column n0.
struct MmaTarget {
  V index;                ///< number of the output
  V n0;                   ///< first column
  V cols;                 ///< N - n0
  SmallVector<V> weights; ///< those of its Linears
};

/// Copies one operand's tile of a stage into shared memory: rows past the limit
/// and elements past K arrive as zeros. The widest copy that addresses allow:
/// 16, 8 or 4 bytes by cp.async, single 16-bit elements through registers.
class MmaLoader {
public:
  /// `base`: row 0 of the tile at k = 0; `limit` valid rows (at least one);
  /// rows are `stride` bytes apart and addresses multiples of `unit` bytes;
  /// `rows` rows by `threads` threads, to `offset` bytes from a stage's start.
  MmaLoader(KernelBuilder &kb, Type element, V base, V limit, int64_t stride, int64_t unit,
            int64_t k, int64_t rows, int64_t threads, int64_t offset);

  /// Starts a stage: elements from `k` on go to the stage at `stage`. The
  /// copies are issued in `parts` parts, so that they can stand between other work.
  void begin(V stage, V k);
  void issue(int64_t part, int64_t parts);
  /// Stores what still travels through registers.
  void finish();

private:
  void copy(int64_t i);
  KernelBuilder &kb;
  Type element;
  V base, limitFromRow;
  int64_t stride, unit, k, count, rowStep;
  bool throughRegisters;
  V row, lane, source; ///< this thread's first row, unit of the row, address
  int64_t offset;
  // The stage under way.
  V stage, kFirst, rowLimit, from;
  SmallVector<std::pair<V, V>> held; ///< address, word
};

/// Operands of mma.sync: 4 words for every 16 rows of x, 2 for every 8 of W.
struct MmaFragments {
  SmallVector<SmallVector<V>> x, w;
};

/// Emits the body of the kernel.
class MmaKernel {
public:
  MmaKernel(KernelBuilder &kb, OnlineOp op, const MmaTile &tile, bool packed, int64_t align);

  /// The kernel's parameters, and their values sorted by role.
  SmallVector<KernelArg> arguments();
  MmaParams sort(ArrayRef<V> values);
  /// Column tiles of all outputs.
  int64_t columnTiles();

  void build(const MmaParams &params);

private:
  void locate();
  void prepareRows();
  /// Products and row sums of all of K.
  void mainLoop();
  MmaFragments loadFragments(V stage, int64_t step);
  void toTF32(MmaFragments &fragments);
  void multiply(MmaFragments &fragments);
  void addToSums(V stage, V kFirst, int64_t chunk);
  /// Row factors from the sums of the rows, for the rows of this thread.
  void exchangeFactors();
  void epilogue(unsigned out);
  void storeGroup(unsigned out, int64_t firstBlock, int64_t blocks, V n,
                  ArrayRef<SmallVector<V>> columnValues);

  /// Row and column of the tile that accumulator registers of this thread hold.
  V tileRow(int64_t block, int64_t half) const;
  V tileCol(int64_t block) const;
  int64_t columnsOf(unsigned out) { return op.getN(op.getLinearsOf(out)[0]); }

  KernelBuilder &kb;
  OnlineOp op;
  MmaTile tile;
  bool packed;
  int64_t align;
  Type element;
  int64_t bytes;  ///< of an element
  int64_t stageK; ///< elements of K in a stage
  bool hasSums, hasPivot, hasScale, hasCenter;
  bool shiftOperand; ///< x minus operandPivot is multiplied (tf32 with a center)
  OnlineOperands operands;
  MmaParams params;

  V tid, lane, warpM, warpN;
  V m0;
  MmaTarget target;
  // Row sums: the row and the part of its chunks that this thread adds up.
  V sumRow, sumPart;
  V pivot;             ///< subtracted in the sums
  V operandPivot;      ///< close to the row's center, subtracted from x (shiftOperand)
  SmallVector<V> sums; ///< squares, then plain sums with a pivot; `sumChains` of each
  SmallVector<V> acc;  ///< 4 for every mma block, row of blocks by row of blocks
  SmallVector<V> fragmentPivots;
  SmallVector<V> scales, minusCenters; ///< by row of this thread: 2 for every row of blocks
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_KERNEL_PREFILLMMA_H
