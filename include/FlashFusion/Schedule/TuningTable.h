//===- TuningTable.h - Measured schedules -------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   {"format": "flashfusion-tuning", "version": 1, "entries": [
//     {"chip": "sm_90a", "op": "mean_square bf16 K=4096 N=6144nk gain outs=1",
//      "schedule": ["#ff.schedule<family = decode, ..., max_rows = 16>", ..]}]}
//
// `python -m flashfusion.tune` writes it. Other keys are for people.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_SCHEDULE_TUNINGTABLE_H
#define FLASHFUSION_SCHEDULE_TUNINGTABLE_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::flashfusion {

class TuningTable {
public:
  /// Reads a table; what is wrong with it is reported at `loc`.
  static FailureOr<TuningTable> read(StringRef path, Location loc);

  /// The variants that were found best for operations with this key, in order of preference;
  /// they need not serve every number of rows or alignment. Empty if there are none.
  ArrayRef<ScheduleAttr> lookUp(StringRef chip, StringRef key) const;

private:
  llvm::StringMap<SmallVector<ScheduleAttr>> entries;
};

/// What of `op` a schedule depends on, as text: operations with equal keys have equal kernels but
/// for their finalizers.
std::string tuningKey(OnlineOp op, bool tf32);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_SCHEDULE_TUNINGTABLE_H
