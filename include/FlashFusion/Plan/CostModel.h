//===- CostModel.h - Compute load, traffic and buffer need ---------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_COSTMODEL_H
#define FLASHFUSION_PLAN_COSTMODEL_H

#include "FlashFusion/Plan/Cascade.h"
#include "FlashFusion/Plan/Target.h"

namespace mlir::flashfusion::plan {

/// Factors per rank; for each rank dram * buffer * pe is its size.
struct Tiling {
  std::vector<int64_t> dram, buffer, pe;

  /// What of the rank is in the buffer at a time.
  int64_t inBuffer(RankId rank) const { return buffer[rank] * pe[rank]; }
};

/// Lanes of the array that the Einsum can use.
double usableLanes(const Group &group, const Cascade &cascade, const Einsum &einsum,
                   const Array &array, int64_t packLimit);

/// Cycles on the array; infinity where the array cannot do it.
double computeCycles(const Group &group, const Cascade &cascade, const Einsum &einsum,
                     const Array &array, int64_t packLimit);

/// Bytes that one operand is moved, in memory or not: again for every loop over a rank it does not
/// have, outside the innermost of its own; partial results are read back in between.
double movedBytes(const Cascade &cascade, const Einsum &einsum, const Operand &operand,
                  const Tiling &tiling, double wordBytes);

/// Bytes an Einsum moves from and to memory, in closed form: a tensor is moved again for
/// every loop over a rank it does not have, outside the innermost of its own loops.
double trafficBytes(const Cascade &cascade, const Einsum &einsum, const Tiling &tiling,
                    double wordBytes);

/// Bytes of buffer the group needs: the larger of its closed form and of the operands
/// of any one Einsum. Monotone in every factor of the tiling. With `inMemory`, of what lives in
/// memory alone: on a GPU the rest is in registers and shared memory, not in the buffer.
double bufferBytes(const Group &group, const Tiling &tiling, double wordBytes,
                   bool inMemory = false);

/// Empty if the tiling fits the cascade, else what is wrong.
std::string verify(const Cascade &cascade, const Tiling &tiling);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_COSTMODEL_H
