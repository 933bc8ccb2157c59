//===- GPUTarget.h - Plain facts about GPUs -----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler knows about the chips it can compile for, as data. Limits
// (shared memory, instruction sets) hold for every part with that chip; counts
// and speeds are those of one reference part and only steer the schedule.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_TARGET_GPUTARGET_H
#define FLASHFUSION_TARGET_GPUTARGET_H

#include "FlashFusion/Dialect/IR/FF.h"

namespace mlir::flashfusion {

struct GPUTarget {
  StringLiteral chip;     ///< LLVM processor name
  StringLiteral features; ///< PTX version, the lowest that serves our kernels
  StringLiteral part;     ///< the reference part
  int64_t sms;            ///< multiprocessors
  int64_t smem;           ///< bytes of dynamic shared memory that a block can have
  double bandwidth;       ///< memory, GB/s
  double tensor;          ///< dense 16-bit tensor cores with f32 sums, TFLOP/s
  double fma;             ///< f32 outside the tensor cores, TFLOP/s
};

/// All chips, oldest first.
ArrayRef<GPUTarget> getGPUTargets();

/// The chip's entry, or null.
const GPUTarget *lookUpGPUTarget(StringRef chip);

/// The chip as an attribute; failure if it is not known.
FailureOr<TargetAttr> lookUpTarget(MLIRContext *context, StringRef chip);

/// The names of all chips, for diagnostics: "sm_80, sm_86, ...".
std::string listGPUTargets();

/// 80 for sm_80, 90 for sm_90 and sm_90a, ...; 0 if the name has another form.
int64_t getComputeCapability(TargetAttr target);

/// Bulk copies, tensor maps, mbarriers with transaction counts, clusters.
inline bool hasBulkCopies(TargetAttr target) { return getComputeCapability(target) >= 90; }
/// wgmma exists on exactly one chip.
inline bool hasWgmma(TargetAttr target) { return target.getChip() == "sm_90a"; }

} // namespace mlir::flashfusion

#endif // FLASHFUSION_TARGET_GPUTARGET_H
