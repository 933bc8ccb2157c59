//===- DecodeModel.h - How long the decode kernels take ------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides, for ff-schedule, from how many rows on wgmma multiplies instead of mma.sync, and
// which schedule serves all numbers of rows if it must be one. Fitted to an H200:
// test/Plan/Inputs/fit_decode.py and the measurements beside it. Plain C++.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_DECODEMODEL_H
#define FLASHFUSION_PLAN_DECODEMODEL_H

#include <cstdint>

namespace mlir::flashfusion::plan {

/// A launch of the mma.sync kernel. Bytes are those of one block, but `xBytes` are of all.
struct MmaDecode {
  int64_t blocks = 1;
  int64_t tiles = 1;      ///< of 8 rows of W that the fullest block takes
  int64_t split = 1;      ///< stages of a tile
  int64_t depth = 2;      ///< stages of the ring
  int64_t operands = 0;   ///< pieces of 8 rows x 32 k of the left operand that a warp makes
  int64_t stageBytes = 0; ///< without padding
  int64_t xBytes = 0;     ///< what all blocks read of x
  bool roomInL1 = false;  ///< for x, as the ring is small
};

/// A launch of the wgmma kernel.
struct WgmmaDecode {
  int64_t blocks = 1;
  int64_t steps = 1;   ///< stages that the fullest block takes
  int64_t depth = 2;   ///< stages of the ring of W
  int64_t columns = 0; ///< of all its tiles
  bool cluster = false;
  int64_t wBytes = 0, xBytes = 0; ///< of a stage
  int64_t spareRows = 0;          ///< of a stage of x, all boxes together, behind the last row
  int64_t xRead = 0;              ///< bytes of x that all blocks read
};

/// Microseconds of a plain launch, weights not in L2.
double predictDecode(const MmaDecode &launch);
double predictDecode(const WgmmaDecode &launch);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_DECODEMODEL_H
