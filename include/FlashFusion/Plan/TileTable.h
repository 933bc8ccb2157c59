//===- TileTable.h - Plans from a table of tiles ---------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_TILETABLE_H
#define FLASHFUSION_PLAN_TILETABLE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace mlir::flashfusion::plan {

/// "1024", "64K" or "1M" (K = 1024) as a number; nothing if it is none of them.
std::optional<int64_t> parseLength(llvm::StringRef text);

/// Reads CSV with the columns arch, model, seq and tile_{DRAM,L3,PE}_<rank>, writes the
/// same rows with what the planner computes for those tiles: per group <group>_s and
/// <group>_on_1d, and total_s. Columns of those names are replaced, others kept.
/// The batch is 64. Errors name the line.
/// With `baselines`, also unfused_s, flat_s, fusemax_s and fusemax_layerfuse_s.
llvm::Error planTileTable(llvm::StringRef csv, bool compat, bool baselines, llvm::raw_ostream &os);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_TILETABLE_H
