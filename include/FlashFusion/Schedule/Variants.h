//===- Variants.h - Which of the proposed kernels come first -------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_SCHEDULE_VARIANTS_H
#define FLASHFUSION_SCHEDULE_VARIANTS_H

#include "FlashFusion/Kernel/KernelEmitter.h"

namespace mlir::flashfusion {

/// True if the variant serves every number of rows at every alignment.
bool servesEverything(ScheduleAttr variant);

/// True if for every number of rows that `variant` serves an earlier one would
/// be launched instead, also where weights may not be packed.
bool isShadowed(ScheduleAttr variant, ArrayRef<ScheduleAttr> earlier);

/// Puts a kernel that the models find faster from some number of rows on before the one that
/// comes first otherwise, for those rows: wgmma for few rows before mma.sync.
void preferFaster(OnlineOp op, TargetAttr target, SmallVectorImpl<ScheduleAttr> &variants);

/// The variants of one kernel, of `emitters`, that serve 1 to 64 rows such that a row's bits do
/// not depend on their number; behind them, where they take packed weights, others that
/// do not. For more rows and for other alignments `variants`. Empty if there are none.
SmallVector<ScheduleAttr> pinFewRows(OnlineOp op, TargetAttr target, bool tf32,
                                     ArrayRef<const KernelEmitter *> emitters,
                                     ArrayRef<ScheduleAttr> variants);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_SCHEDULE_VARIANTS_H
