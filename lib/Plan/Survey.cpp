//===- Survey.cpp - Plans against the baselines -----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Report.h"

#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;
using namespace mlir::flashfusion::plan;

void mlir::flashfusion::plan::printBaselines(raw_ostream &os, const Baselines &baselines,
                                             double seconds) {
  os << format("baselines: Unfused %.6g s (%.2fx), FLAT %.6g s (%.2fx), ", baselines.unfused,
               baselines.unfused / seconds, baselines.flat, baselines.flat / seconds)
     << format("FuseMax %.6g s (%.2fx), FuseMax+LayerFuse %.6g s (%.2fx)\n", baselines.fuseMax,
               baselines.fuseMax / seconds, baselines.layerFuse, baselines.layerFuse / seconds)
     << format("FuseMax's attention: %.4g s, its 2-D array busy %.3f\n", baselines.fuseMaxAttention,
               baselines.fuseMaxUtilisation);
}

json::Object mlir::flashfusion::plan::toJSON(const Baselines &baselines) {
  return json::Object{{"unfused_s", baselines.unfused},
                      {"flat_s", baselines.flat},
                      {"fusemax_s", baselines.fuseMax},
                      {"fusemax_layerfuse_s", baselines.layerFuse},
                      {"fusemax_attention_s", baselines.fuseMaxAttention},
                      {"fusemax_utilisation", baselines.fuseMaxUtilisation}};
}

void mlir::flashfusion::plan::printSurvey(raw_ostream &os, const Target &target,
                                          const TileOptions &options) {
  os << format("%-7s %5s %12s %8s %8s %8s %10s %8s %14s %6s\n", "model", "seq", "seconds",
               "Unfused", "FLAT", "FuseMax", "+LayerFuse", "MHA", "FuseMax MHA s", "2-D");
  double logs[5] = {};
  unsigned rows = 0;
  for (const Model &model : getModels())
    for (int64_t kilo = 1; kilo <= 1024; kilo *= 4) {
      LayerOptions layerOptions;
      layerOptions.sequence = 1024 * kilo;
      layerOptions.keyBlock = target.tile;
      layerOptions.omitValueInput = target.omitValueInput;
      Cascade layer = buildLayer(model, layerOptions);
      Planner planner(layer, target);
      if (!planner.error().empty())
        continue;
      Plan plan = planWithTileSeek(planner, getLayerTileSpace(layer, target.tile), options).first;
      if (plan.groups.empty())
        continue; // no tile fits
      Baselines baselines = computeBaselines(model, layerOptions, target);
      const double gains[] = {baselines.unfused / plan.seconds, baselines.flat / plan.seconds,
                              baselines.fuseMax / plan.seconds, baselines.layerFuse / plan.seconds,
                              baselines.fuseMaxAttention * target.clock /
                                  planner.getSchedules()[1].pipe.best.makespan};
      os << format("%-7s %4dK %12.6g", model.name.data(), int(kilo), plan.seconds)
         << format(" %8.3f %8.3f %8.3f %10.3f %8.3f", gains[0], gains[1], gains[2], gains[3],
                   gains[4])
         << format(" %14.4g %6.3f\n", baselines.fuseMaxAttention, baselines.fuseMaxUtilisation);
      ++rows;
      for (unsigned i = 0; i < 5; ++i)
        logs[i] += std::log(gains[i]);
    }
  if (!rows)
    return;
  for (double &l : logs)
    l = std::exp(l / rows);
  os << format("%-26s %8.3f %8.3f %8.3f %10.3f %8.3f\n", "geometric mean", logs[0], logs[1],
               logs[2], logs[3], logs[4]);
}
