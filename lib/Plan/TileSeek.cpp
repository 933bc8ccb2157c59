//===- TileSeek.cpp - Search for tiles in a tree of factors ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/TileSeek.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace mlir::flashfusion::plan;

namespace {
struct Node {
  std::vector<int> children; ///< index of a node, or unknown / closed
  unsigned visits = 0;
  double costs = 0; ///< sum of the costs seen below
  bool opened = false;
};
constexpr int unknown = -1, closed = -2;

class Search {
public:
  Search(const TileProblem &problem, const TileOptions &options)
      : problem(problem), options(options), random(options.seed) {}

  /// All that fits, in order; false as soon as there are more than `limit`.
  bool enumerate(uint64_t limit) {
    leaves.clear();
    choices.clear();
    return enumerateBelow(limit);
  }

  void evaluateLeaves() {
    for (const auto &leaf : leaves)
      evaluate(leaf);
    result.complete = true;
  }

  void searchTree();
  void searchRandom();

  TileResult result;

private:
  bool enumerateBelow(uint64_t limit) {
    if (choices.size() == problem.numChoices.size()) {
      leaves.push_back(choices);
      return leaves.size() <= limit;
    }
    for (unsigned i = 0; i < problem.numChoices[choices.size()]; ++i) {
      choices.push_back(i);
      bool within = !problem.fits(choices) || enumerateBelow(limit);
      choices.pop_back();
      if (!within)
        return false;
    }
    return true;
  }

  double evaluate(ArrayRef<unsigned> leaf) {
    double cost = problem.cost(leaf);
    ++result.evaluated;
    if (result.choices.empty() || cost < result.cost) {
      result.choices.assign(leaf.begin(), leaf.end());
      result.cost = cost;
    }
    smallest = std::min(smallest, cost);
    largest = std::max(largest, cost);
    return cost;
  }

  /// 1 for the best cost seen, 0 for the worst: UCB's constant means the same at any scale.
  double reward(const Node &node) const {
    double range = largest - smallest;
    return range > 0 ? (largest - node.costs / node.visits) / range : 1;
  }

  const TileProblem &problem;
  const TileOptions &options;
  std::mt19937_64 random;
  std::vector<std::vector<unsigned>> leaves;
  std::vector<unsigned> choices;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
};
} // namespace

void Search::searchTree() {
  unsigned depth = problem.numChoices.size();
  std::vector<Node> nodes(1);
  std::vector<std::pair<int, unsigned>> path; // node, choice taken there
  while (result.evaluated < options.budget) {
    path.clear();
    choices.clear();
    int current = 0;
    bool dead = false;
    while (choices.size() < depth) {
      if (!nodes[current].opened) {
        nodes[current].opened = true;
        nodes[current].children.assign(problem.numChoices[choices.size()], unknown);
        for (unsigned i = 0; i < nodes[current].children.size(); ++i) {
          choices.push_back(i);
          if (!problem.fits(choices))
            nodes[current].children[i] = closed;
          choices.pop_back();
        }
      }
      // Unvisited children in random order first, then by UCB.
      std::vector<unsigned> fresh;
      int best = -1;
      double bestScore = 0;
      for (unsigned i = 0; i < nodes[current].children.size(); ++i) {
        int child = nodes[current].children[i];
        if (child == unknown)
          fresh.push_back(i);
        if (child < 0)
          continue;
        double score = reward(nodes[child]) +
                       options.exploration *
                           std::sqrt(std::log(double(nodes[current].visits)) / nodes[child].visits);
        if (best < 0 || score > bestScore) {
          best = int(i);
          bestScore = score;
        }
      }
      if (!fresh.empty())
        best = int(fresh[random() % fresh.size()]);
      if (best < 0) {
        dead = true; // all below was evaluated or cannot fit
        break;
      }
      path.push_back({current, unsigned(best)});
      if (nodes[current].children[best] == unknown) {
        nodes[current].children[best] = int(nodes.size());
        nodes.emplace_back();
      }
      current = nodes[current].children[best];
      choices.push_back(unsigned(best));
    }
    if (!dead) {
      double cost = evaluate(choices);
      nodes[current].visits++;
      nodes[current].costs += cost;
      for (auto [node, choice] : path) {
        nodes[node].visits++;
        nodes[node].costs += cost;
      }
    }
    // A leaf is evaluated once: close it, and every parent left without an open child.
    if (path.empty()) {
      result.complete = true;
      return;
    }
    for (auto [node, choice] : llvm::reverse(path)) {
      nodes[node].children[choice] = closed;
      if (llvm::any_of(nodes[node].children, [](int child) { return child != closed; }))
        break;
    }
  }
}

void Search::searchRandom() {
  unsigned depth = problem.numChoices.size();
  uint64_t attempts = 0;
  while (result.evaluated < options.budget && attempts++ < 20 * options.budget) {
    choices.clear();
    std::vector<unsigned> fitting;
    while (choices.size() < depth) {
      fitting.clear();
      for (unsigned i = 0; i < problem.numChoices[choices.size()]; ++i) {
        choices.push_back(i);
        if (problem.fits(choices))
          fitting.push_back(i);
        choices.pop_back();
      }
      if (fitting.empty())
        break;
      choices.push_back(fitting[random() % fitting.size()]);
    }
    if (choices.size() == depth)
      evaluate(choices);
  }
}

TileResult mlir::flashfusion::plan::runTileSeek(const TileProblem &problem,
                                                const TileOptions &options) {
  Search search(problem, options);
  switch (options.kind) {
  case SearchKind::Exhaustive:
    search.enumerate(std::numeric_limits<uint64_t>::max());
    search.evaluateLeaves();
    break;
  case SearchKind::Auto:
    if (search.enumerate(options.budget))
      search.evaluateLeaves();
    else
      search.searchTree();
    break;
  case SearchKind::Tree:
    search.searchTree();
    break;
  case SearchKind::Random:
    search.searchRandom();
    break;
  }
  return std::move(search.result);
}
