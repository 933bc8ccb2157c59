//===- BaselineTest.cpp - Baselines against published numbers ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Check.h"
#include "FlashFusion/Plan/Baselines.h"
#include "FlashFusion/Plan/Planner.h"
#include "FlashFusion/Plan/TileTable.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace mlir::flashfusion::plan;

static unsigned layerFuseAgrees = 0, latencyAgrees = 0;

/// Equal but for the rounding of `printed` to its last digit.
static bool agrees(double value, const Row &row, StringRef column) {
  StringRef printed = row.at(column.str());
  StringRef digits = printed.take_until([](char c) { return c == 'e'; });
  int64_t exponent = 0;
  (void)printed.drop_front(digits.size()).ltrim("e+").getAsInteger(10, exponent);
  size_t decimals = digits.contains('.') ? digits.split('.').second.size() : 0;
  double unit = std::pow(10.0, double(exponent) - double(decimals));
  return std::abs(value - row.number(column)) <= 0.5001 * unit;
}

/// Lengths 4K, 64K and 1M of this table are in no other, so they test the mappings.
static void testSpeedups(const Row &row) {
  Target target = *lookUpTarget(row.at("arch"), /*compat=*/true);
  const Model &model = *lookUpModel(row.at("model"));
  LayerOptions options;
  options.sequence = *parseLength(row.at("seq"));
  options.keyBlock = target.tile;
  options.omitValueInput = target.omitValueInput;
  Baselines baselines = computeBaselines(model, options, target);
  CHECK(agrees(baselines.unfused / baselines.flat, row, "flat"), row.name());
  CHECK(agrees(baselines.unfused / baselines.fuseMax, row, "fusemax"), row.name());
  // The artifact's tiles for this baseline are not always the best.
  double layerFuse = baselines.unfused / baselines.layerFuse;
  CHECK(agrees(layerFuse, row, "layerfuse") || layerFuse > row.number("layerfuse"), row.name());
  CHECK(layerFuse < 1.04 * row.number("layerfuse"), row.name());
  layerFuseAgrees += agrees(layerFuse, row, "layerfuse");

  Cascade layer = buildLayer(model, options);
  Planner planner(layer, target);
  Plan plan = planWithTileSeek(planner, getLayerTileSpace(layer, target.tile), {}).first;
  CHECK(agrees(plan.seconds, row, "latency") || plan.seconds < row.number("latency"), row.name());
  CHECK(plan.seconds > 0.96 * row.number("latency"), row.name());
  latencyAgrees += agrees(plan.seconds, row, "latency");
}

static void testFuseMax(const Row &row) {
  int64_t sequence = *parseLength(row.at("seq"));
  FuseMaxAttention attention = computeFuseMaxAttention(*lookUpModel(row.at("model")), sequence);
  CHECK(agrees(attention.binding, row, "binding"), row.name() << attention.binding);
  CHECK(agrees(attention.utilisation2D, row, "utilisation"), row.name() << attention.utilisation2D);
  // From 256K on, FLAT is bound by memory.
  if (sequence <= 65536)
    CHECK(agrees(attention.flat, row, "flat"), row.name() << attention.flat);
  else
    CHECK(attention.flat < row.number("flat"), row.name() << attention.flat);
  CHECK(attention.binding <= attention.architecture, row.name());
  CHECK(attention.binding <= attention.cascade, row.name());
}

void testBaselines(const Rows &speedups, const Rows &fuseMax) {
  CHECK(speedups.size() == 60, speedups.size());
  CHECK(fuseMax.size() == 24, fuseMax.size());
  for (const Row &row : speedups)
    testSpeedups(row);
  for (const Row &row : fuseMax)
    testFuseMax(row);
  outs() << "published to the printed digits, of 60: FuseMax+LayerFuse " << layerFuseAgrees
         << ", TransFusion with tiles from scratch " << latencyAgrees << " (the rest is faster)\n";
}
