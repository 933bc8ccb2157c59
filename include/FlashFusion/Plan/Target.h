//===- Target.h - Machines to plan for, as data --------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_TARGET_H
#define FLASHFUSION_PLAN_TARGET_H

#include "FlashFusion/Plan/Cascade.h"
#include "FlashFusion/Plan/TileModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace mlir::flashfusion::plan {

/// Something that computes: rows x columns lanes, each with a cost (in cycles) per
/// kind of operation; a negative cost says that the array cannot do it.
struct Array {
  std::string name;
  int64_t rows = 1, columns = 1;
  /// Any lane can take any point (a GPU); otherwise rows and columns run over the
  /// ranks that the group's inner tile gives them.
  bool flat = false;
  std::array<double, numOpKinds> cost;
  /// The share of the issue slots that it takes while it is busy; several arrays cannot take
  /// more than all of them together.
  double issue = 0;
  /// If positive, a copy engine: it computes nothing, and what Einsums move goes over it while
  /// arrays compute, at this rate or that of the memory, whichever is lower.
  double bytesPerCycle = 0;

  bool copies() const { return bytesPerCycle > 0; }
  bool supports(OpKind kind) const { return cost[unsigned(kind)] >= 0; }
  double lanes() const { return double(rows) * double(columns); }
};

struct Target {
  std::string name;
  double clock = 0;       ///< Hz
  double bandwidth = 0;   ///< bytes per second to memory
  double bufferBytes = 0; ///< on-chip buffer
  double wordBytes = 2;
  int64_t tile = 1;            ///< inner tile of positions, keys and hidden units
  int64_t packLimit = 1;       ///< indices of a group's pack rank side by side on an array
  bool omitValueInput = false; ///< a quirk of the published traffic model
  std::vector<Array> arrays;   ///< on equal terms the earlier one is taken
  std::optional<Gpu> gpu;

  /// The one that copies, or null.
  const Array *findCopyEngine() const;
};

/// Reads {"name", "clock_hz", "bytes_per_second", "buffer_bytes", "tile", "arrays": [...]}.
llvm::Expected<Target> parseTarget(llvm::StringRef json);
llvm::json::Value toJSON(const Target &target);

/// cloud, edge (as published, or `fair`: every array may do max and divide and all
/// traffic counts), fusemax (cloud with FuseMax's array), h200; null if there is none of that name.
std::optional<Target> lookUpTarget(llvm::StringRef name, bool compat);
/// A built-in target, or else one from a file.
llvm::Expected<Target> loadTarget(llvm::StringRef nameOrFile, bool compat);
/// "cloud, edge, fusemax, h200", for diagnostics.
std::string listTargets();

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_TARGET_H
