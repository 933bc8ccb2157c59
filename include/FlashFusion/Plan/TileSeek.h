//===- TileSeek.h - Search for tiles in a tree of factors ----------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is one choice per decision; decisions are taken in order, so candidates that
// begin alike share the path from the root:
//
//   B=4 -+- D=64 -+- M=1 ...        a prefix that cannot fit any more is cut off with
//        |        +- M=2 ...        all that is below it
//        +- D=128 ...
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_TILESEEK_H
#define FLASHFUSION_PLAN_TILESEEK_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace mlir::flashfusion::plan {

/// Choices are indices; `numChoices[i]` many at decision i.
struct TileProblem {
  std::vector<unsigned> numChoices;
  /// Can a tile that begins with these choices fit? Asked for every prefix; exact for a
  /// full one.
  std::function<bool(llvm::ArrayRef<unsigned>)> fits;
  /// Lower is better.
  std::function<double(llvm::ArrayRef<unsigned>)> cost;
};

enum class SearchKind { Auto, Exhaustive, Tree, Random };

struct TileOptions {
  SearchKind kind = SearchKind::Auto;
  uint64_t budget = 2000; ///< tiles to evaluate
  uint64_t seed = 1;
  double exploration = 1.4;
};

struct TileResult {
  std::vector<unsigned> choices; ///< empty if nothing fits
  double cost = 0;
  uint64_t evaluated = 0;
  bool complete = false; ///< every tile that fits was evaluated
};

/// Any-time: the best of what `budget` evaluations have seen. Auto evaluates all that fit
/// when there are no more than the budget, else searches the tree by UCB.
TileResult runTileSeek(const TileProblem &problem, const TileOptions &options);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_TILESEEK_H
