//===- TileSeekTest.cpp - TileSeek against the published tiles --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Check.h"
#include "FlashFusion/Plan/Models.h"
#include "FlashFusion/Plan/Planner.h"
#include "FlashFusion/Plan/TileTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <ctime>
#include <map>

using namespace llvm;
using namespace mlir::flashfusion::plan;

static Cascade buildFor(const Model &model, int64_t sequence, const Target &target) {
  LayerOptions options;
  options.sequence = sequence;
  options.keyBlock = target.tile;
  options.omitValueInput = target.omitValueInput;
  return buildLayer(model, options);
}

static double slowest = 0, treeGap = 0, randomGap = 0;
static unsigned scarceRows = 0, treeOptimal = 0, randomOptimal = 0;

static TileResult search(const Planner &planner, SearchKind kind, uint64_t budget, uint64_t seed) {
  TileOptions options;
  options.kind = kind;
  options.budget = budget;
  options.seed = seed;
  TileSpace space = getLayerTileSpace(planner.getCascade(), planner.getTarget().tile);
  return planWithTileSeek(planner, space, options).second;
}

static Tiling readTiling(const Row &row) {
  Tiling tiling;
  for (StringRef rank : {"D", "F", "E", "N", "M", "P", "H", "B", "S"})
    for (auto [level, factors] :
         {std::make_pair("DRAM", &tiling.dram), std::make_pair("L3", &tiling.buffer),
          std::make_pair("PE", &tiling.pe)}) {
      factors->push_back(int64_t(row.number("tile_" + std::string(level) + "_" + rank.str())));
    }
  return tiling;
}

/// From scratch, never worse than the published tile in the planner's own model.
static void testPublishedRow(const Row &row) {
  Target target = *lookUpTarget(row.at("arch"), /*compat=*/true);
  const Model &model = *lookUpModel(row.at("model"));
  int64_t sequence = *parseLength(row.at("seq"));
  Tiling golden = readTiling(row);

  std::clock_t begin = std::clock();
  Planner planner(buildFor(model, sequence, target), target);
  double published = planner.evaluateSeconds(golden);
  CHECK(planner.fits(golden), row.name());
  TileResult found = search(planner, SearchKind::Auto, 2000, 1);
  double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
  CHECK(found.cost <= published, row.name());
  CHECK(taken < 1, taken << " s");
  slowest = std::max(slowest, taken);
}

/// Where memory decides: a tenth of the bandwidth, a quarter of the buffer.
static void testScarceRow(const Row &row) {
  Target target = *lookUpTarget(row.at("arch"), /*compat=*/true);
  target.bandwidth /= 10;
  target.bufferBytes /= 4;
  Planner planner(buildFor(*lookUpModel(row.at("model")), *parseLength(row.at("seq")), target),
                  target);
  TileResult all = search(planner, SearchKind::Exhaustive, 0, 1);
  if (all.choices.empty())
    return; // the model's weights alone do not fit
  ++scarceRows;
  TileResult found = search(planner, SearchKind::Auto, 2000, 1);
  CHECK(found.cost <= all.cost, row.name() << found.cost / all.cost);
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    double tree = search(planner, SearchKind::Tree, 100, seed).cost / all.cost;
    double random = search(planner, SearchKind::Random, 100, seed).cost / all.cost;
    treeGap += tree - 1;
    randomGap += random - 1;
    treeOptimal += tree == 1;
    randomOptimal += random == 1;
  }
}

static void testSmallTrees() {
  // A tree with pruned prefixes, searched to its end: every tile that fits, once.
  std::map<std::vector<unsigned>, unsigned> seen;
  TileProblem problem;
  problem.numChoices = {4, 5, 3};
  problem.fits = [](ArrayRef<unsigned> choices) {
    unsigned sum = 0;
    for (unsigned c : choices)
      sum += c;
    return sum <= 5;
  };
  problem.cost = [&](ArrayRef<unsigned> choices) {
    ++seen[choices.vec()];
    return 10.0 - choices[0] - 2 * choices[1] + choices[2];
  };
  TileOptions options;
  options.kind = SearchKind::Tree;
  TileResult tree = runTileSeek(problem, options);
  size_t tiles = seen.size();
  CHECK(tree.complete && tree.evaluated == tiles, tree.evaluated);
  CHECK(all_of(seen, [](const auto &entry) { return entry.second == 1; }), "a tile twice");
  options.kind = SearchKind::Exhaustive;
  TileResult all = runTileSeek(problem, options);
  CHECK(all.complete && all.evaluated == tiles && seen.size() == tiles, all.evaluated);
  CHECK(all.cost == tree.cost, all.cost);

  problem.fits = [](ArrayRef<unsigned> choices) { return choices.size() < 3; };
  for (SearchKind kind : {SearchKind::Tree, SearchKind::Exhaustive, SearchKind::Random}) {
    options.kind = kind;
    options.budget = 50;
    CHECK(runTileSeek(problem, options).choices.empty(), "nothing fits");
  }
}

void testTileSeek(const Rows &golden) {
  testSmallTrees();
  CHECK(golden.size() == 30, golden.size());
  for (const Row &row : golden) {
    testPublishedRow(row);
    testScarceRow(row);
  }
  outs() << "slowest plan of a published row: " << format("%.0f", 1000 * slowest) << " ms\n"
         << scarceRows
         << " rows with a tenth of the bandwidth and a quarter of the buffer, 5 seeds, "
         << "100 tiles: mean above optimum tree "
         << format("%.3f %%, random %.3f %%; optimum found tree %u, random %u times\n",
                   20 * treeGap / scarceRows, 20 * randomGap / scarceRows, treeOptimal,
                   randomOptimal);
}
