//===- LaunchSpec.h - How to launch a kernel ----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a runtime must know to launch the kernels of one ff.online: written by
// the kernel emitters, carried as attributes on the IR, printed into bundles.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_LAUNCHSPEC_H
#define FLASHFUSION_KERNEL_LAUNCHSPEC_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace mlir::flashfusion {

/// One kernel parameter, in the order of the kernel's signature.
struct KernelArg {
  enum class Kind {
    Buffer,    ///< device pointer of operand `index` of the ff.online
    TensorMap, ///< 128-byte tensor map of operand `index`, by value
    Packed,    ///< device pointer of packed buffer `index`
    PackedMap, ///< tensor map of packed buffer `index`, by value
    Scalar,    ///< operand `index`, a float, by value in its own type
    Rows,      ///< M, i32 by value
  };
  Kind kind;
  int64_t index = 0;
  /// Tensor maps: the 2-D matrix is row-major and contiguous; the box is
  /// `boxRows` x `boxCols` elements, 128-byte swizzle, out-of-bounds reads give 0.
  int64_t boxRows = 0, boxCols = 0;
};

/// Number of blocks: `fixed`, or where that is 0,
/// ceil(M / tileM) * tilesN, at most `cap` (0: no bound).
struct LaunchGrid {
  int64_t fixed = 0, tileM = 0, tilesN = 0, cap = 0;
};

/// One kernel and how to launch it.
struct LaunchSpec {
  std::string kernel;
  LaunchGrid grid;
  int64_t block = 0;       ///< threads of a block (1-D)
  int64_t cluster = 1;     ///< blocks of a cluster
  int64_t sharedBytes = 0; ///< dynamic shared memory of a block
  llvm::SmallVector<KernelArg> args;
  int64_t minRows = 1, maxRows = 0; ///< serves minRows <= M <= maxRows (0: no bound)
  int64_t align = 1; ///< x, gain, shift, weights, tiles, outputs: pointers aligned to this
  bool packed = false;              ///< reads the packed buffers
  bool dependentLaunch = false;     ///< may start before its predecessor ends
};

/// A buffer that the pack step fills: `rows` x `cols` elements, row-major.
struct PackedBuffer {
  Type element;
  int64_t rows = 1, cols = 1;
};

/// Everything about one ff.online: variants in order of preference (the first
/// that serves M and whose alignment holds is launched), the pack step's
/// kernels (run once per set of weights, before any packed variant; they take
/// no Rows argument), and the buffers that it fills. Packed buffers are valid
/// as long as the contents of gain, shift and weights do not change.
struct LaunchPlan {
  llvm::SmallVector<LaunchSpec> variants, pack;
  llvm::SmallVector<PackedBuffer> packed;
  /// Operands of the ff.online by role: how many are x, gain, shift, weights,
  /// columns, tiles, x_scale, scalars, outs (its operandSegmentSizes). Bundles need it.
  llvm::SmallVector<int32_t> segments;

  /// As a DictionaryAttr; `fromAttr(toAttr(p))` is p. A malformed attribute is failure.
  DictionaryAttr toAttr(MLIRContext *context) const;
  static FailureOr<LaunchPlan> fromAttr(DictionaryAttr attr);
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_KERNEL_LAUNCHSPEC_H
