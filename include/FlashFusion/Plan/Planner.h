//===- Planner.h - Plans a cascade on a target ---------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_PLANNER_H
#define FLASHFUSION_PLAN_PLANNER_H

#include "FlashFusion/Plan/CostModel.h"
#include "FlashFusion/Plan/KernelModel.h"
#include "FlashFusion/Plan/TileSeek.h"

namespace mlir::flashfusion::plan {

/// DPipe's choice for a group, which does not depend on the tiles: latencies of whole
/// Einsums in cycles.
struct GroupSchedule {
  PipeProblem problem;
  PipeResult pipe;
  /// On a GPU, what the group is as a kernel, if one serves it.
  std::optional<Kernel> kernel;
};

/// A group with tiles: every Einsum takes the longer of its computation and its traffic. With a
/// copy engine, the group takes a launch and then the longer of all computation and all traffic.
struct GroupPlan {
  std::vector<double> computeSeconds, trafficBytes;
  std::vector<double> copySeconds; ///< of each Einsum, on the copy engine
  PipeSchedule schedule;           ///< in seconds
  double launchSeconds = 0;
  double seconds = 0;
  double bufferBytes = 0;
};

struct Plan {
  Tiling tiling;
  std::vector<GroupPlan> groups; ///< as in the cascade
  double seconds = 0;            ///< with the groups' repeats
};

class Planner {
public:
  /// `error()` says what is wrong if an Einsum runs nowhere on the target.
  Planner(const Cascade &cascade, const Target &target);
  llvm::StringRef error() const { return message; }

  const Cascade &getCascade() const { return cascade; }
  const Target &getTarget() const { return target; }
  llvm::ArrayRef<GroupSchedule> getSchedules() const { return schedules; }

  Plan evaluate(const Tiling &tiling) const;
  /// Evaluate without keeping the parts.
  double evaluateSeconds(const Tiling &tiling) const;
  bool fits(const Tiling &tiling) const;

private:
  PipeSchedule scheduleGroup(unsigned index, const Tiling &tiling, GroupPlan &part,
                             bool keepParts) const;

  Cascade cascade;
  Target target;
  std::vector<GroupSchedule> schedules;
  /// Tensors that some Einsum writes.
  llvm::StringSet<> written;
  std::string message;
};

/// The tiles a cascade can have: which ranks are decided, and their factors.
struct TileSpace {
  std::vector<RankId> ranks;
  std::vector<std::vector<int64_t>> bufferFactors;
  Tiling base; ///< everything that is not decided

  Tiling select(llvm::ArrayRef<unsigned> choices) const;
};
/// `tile` is the inner tile of P, S and N; E, F and H stay on chip.
TileSpace getLayerTileSpace(const Cascade &cascade, int64_t tile);

/// The tiles of any cascade: all ranks are decided; an array works on up to `tile` of those
/// that its rows and columns run over.
TileSpace getTileSpace(const Cascade &cascade, int64_t tile);

/// TileSeek over the space; an empty tiling in the result if nothing fits.
std::pair<Plan, TileResult> planWithTileSeek(const Planner &planner, const TileSpace &space,
                                             const TileOptions &options);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_PLANNER_H
