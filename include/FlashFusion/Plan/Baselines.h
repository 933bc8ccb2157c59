//===- Baselines.h - What TransFusion is compared with ------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unfused, FLAT, FuseMax and FuseMax with layers fused, in closed form: Einsums one
// after another, each the longer of its computation and its traffic. The mappings were
// derived from the published totals, which they reproduce (docs/transfusion.md).
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_BASELINES_H
#define FLASHFUSION_PLAN_BASELINES_H

#include "FlashFusion/Plan/Models.h"
#include "FlashFusion/Plan/Target.h"

namespace mlir::flashfusion::plan {

/// Seconds for a layer.
struct Baselines {
  double unfused = 0, flat = 0, fuseMax = 0, layerFuse = 0;
  /// One attention, as FuseMax schedules it, without traffic; the share of it that the 2-D array
  /// works. On the target fusemax these are FuseMax's published ones.
  double fuseMaxAttention = 0, fuseMaxUtilisation = 0;
};

/// Baselines are defined for machines with a 2-D array and a row of lanes beside it:
/// two arrays, the first one square.
bool hasBaselines(const Target &target);

Baselines computeBaselines(const Model &model, const LayerOptions &options, const Target &target);

/// FuseMax's own evaluation of attention on its cloud machine (256 x 256 and 256 lanes,
/// 940 MHz), in seconds; 2-D utilisation as a fraction.
struct FuseMaxAttention {
  double cascade, architecture, binding;
  double flat;          ///< the compute bound of FLAT; memory can only make it longer
  double utilisation2D; ///< of the binding
};
FuseMaxAttention computeFuseMaxAttention(const Model &model, int64_t sequence, int64_t batch = 64);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_BASELINES_H
