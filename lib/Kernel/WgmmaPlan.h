//===- WgmmaPlan.h - What the plans of wgmma kernels share -------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outputs and where their operands are, tiles over the concatenation of all outputs'
// columns, rings of stages: the same for few rows (DecodeWgmma.h) and many
// (PrefillKernel.h).
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_WGMMAPLAN_H
#define FLASHFUSION_KERNEL_WGMMAPLAN_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelBuilder.h"
#include <optional>

namespace mlir::flashfusion::wgmma {

/// A vector over N that the epilogue needs: kernel argument, and where a tile's
/// part of it is in shared memory.
struct ColumnVector {
  int64_t arg;
  Type type;
  int64_t offset;
  bool isShared = false; ///< one element for all columns
  int64_t bytes() const { return type.getIntOrFloatBitWidth() / 8; }
  /// Where column `column` is in memory, in elements.
  V place(KernelBuilder &kb, V column) const { return isShared ? kb.i32(0) : column; }
};

/// A matrix of the output's shape that the epilogue reads.
struct Matrix {
  int64_t arg;
  Type type;
  int64_t bytes() const { return type.getIntOrFloatBitWidth() / 8; }
};

/// One Linear: kernel argument of its weights, and its sums over K where the op
/// needs them.
struct LinearPlan {
  int64_t weightArg = 0;
  std::optional<ColumnVector> columnSum, shiftSum;
};

/// One output: its Linears, the first of its column tiles in the concatenation of
/// all outputs' column tiles, its kernel arguments.
struct OutputPlan {
  unsigned index = 0;
  int64_t n = 0, firstTile = 0;
  int64_t arg = 0;
  Type type;
  bool tensorStore = false; ///< `arg` is a tensor map
  int64_t bufferArg = 0;    ///< beside it, where the threads store a narrower chunk
  SmallVector<LinearPlan> linears;
  SmallVector<ColumnVector> columns;
  SmallVector<Matrix> tiles;
  int64_t bytes() const { return type.getIntOrFloatBitWidth() / 8; }
  /// Everything over N that the epilogue reads.
  SmallVector<ColumnVector> vectors() const;
};

/// Whether the weights must come from the pack step.
bool needsPacking(OnlineOp op);

/// Why no wgmma kernel can serve `op`; empty if its types, K and the use of its Linears
/// allow one.
std::string whyUnsupported(OnlineOp op, TargetAttr target);

/// Adds `arg` to a kernel's arguments and returns its number.
int64_t addArgument(SmallVectorImpl<KernelArg> &args, KernelArg arg);

/// Output `index` of `op` and the arguments of its operands; the output's own are
/// the caller's. Tiles have `outN` columns, boxes of weights are `outN` x `boxK`. Returns the
/// bytes that a tile's column vectors take.
int64_t planOperands(OnlineOp op, bool packed, int64_t outN, int64_t boxK,
                     SmallVectorImpl<KernelArg> &args, OutputPlan &output);

/// A position in a ring of stages: stage, and parity of its full barrier.
struct Ring {
  V stage, parity;
};
Ring advance(KernelBuilder &kb, Ring ring, int64_t stages);

/// The output that column tile `tile` of all outputs' belongs to, and that output's first.
struct Place {
  V output, firstTile;
};
Place findOutput(KernelBuilder &kb, ArrayRef<OutputPlan> outputs, V tile);

/// Emits `body` for every output, run for output number `output`.
void forOutput(KernelBuilder &kb, ArrayRef<OutputPlan> outputs, V output,
               llvm::function_ref<void(const OutputPlan &)> body);

/// The weights of the Linears of output number `output`, one after the other.
SmallVector<V> selectWeights(KernelBuilder &kb, ArrayRef<V> args, ArrayRef<OutputPlan> outputs,
                             V output);

/// Prefetches the descriptors of those of a kernel's arguments that are tensor maps.
void prefetchMaps(KernelBuilder &kb, ArrayRef<V> args, ArrayRef<KernelArg> kinds);

} // namespace mlir::flashfusion::wgmma

#endif // FLASHFUSION_KERNEL_WGMMAPLAN_H
