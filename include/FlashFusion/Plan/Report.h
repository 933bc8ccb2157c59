//===- Report.h - Plans for people and for programs -----------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_REPORT_H
#define FLASHFUSION_PLAN_REPORT_H

#include "FlashFusion/Plan/Baselines.h"
#include "FlashFusion/Plan/Planner.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::flashfusion::plan {

/// The Einsums of a group on one array, in alphabetical order, separated by blanks.
std::string listPlacement(const Group &group, const PipeSchedule &schedule, unsigned array);

/// A line per group, the total and the tiles.
void printTable(llvm::raw_ostream &os, const Planner &planner, const Plan &plan);

/// Everything in the plan.
llvm::json::Object planToJSON(const Planner &planner, const Plan &plan);

/// How often the plan is faster than each baseline.
void printBaselines(llvm::raw_ostream &os, const Baselines &baselines, double seconds);
llvm::json::Object toJSON(const Baselines &baselines);

/// Every model at 1K to 1M positions on the target: seconds, gain over the baselines, gain
/// of attention over FuseMax's without traffic on either side, FuseMax's own seconds and the share
/// of them that its 2-D array works; geometric means.
void printSurvey(llvm::raw_ostream &os, const Target &target, const TileOptions &options);

/// A Gantt chart per group: a lane per array, first-stage Einsums (which work a step
/// ahead) in another colour.
void printGantt(llvm::raw_ostream &os, const Planner &planner, const Plan &plan);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_REPORT_H
