//===- DPipe.cpp - Two-stage pipelining of an Einsum graph -----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search visits topological orders depth first and keeps the first strict
// minimum. It prunes a partial schedule (1) when a bound on its makespan is no better
// than the best so far, or (2) when an earlier one left exactly the same choices (same
// nodes, times and ends that still matter), or where no node that is left has a choice of
// resources, one whose times and ends are nowhere later, or (3) when of nodes that are alike, with
// what alone follows them (Linears of one tensor with their epilogues), a later one went first: the
// order with both exchanged was visited before. None can hide a strictly better one, so the
// schedule found is the one that visiting every order finds. (With a choice, the greedy rule may do
// worse after an earlier start.)
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/DPipe.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>

using namespace llvm;
using namespace mlir::flashfusion::plan;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr NodeSet nodeBit(unsigned node) { return NodeSet(1) << node; }
static unsigned countNodes(NodeSet set) { return __builtin_popcountll(set); }
static unsigned firstNode(NodeSet set) { return __builtin_ctzll(set); }

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

namespace {
struct Graph {
  Graph(unsigned size, ArrayRef<std::pair<unsigned, unsigned>> edges)
      : size(size), all(size == 64 ? ~NodeSet(0) : nodeBit(size) - 1), preds(size), succs(size) {
    for (auto [from, to] : edges) {
      preds[to] |= nodeBit(from);
      succs[from] |= nodeBit(to);
    }
  }

  /// Grows `seed` along the edges within `within`.
  NodeSet reach(NodeSet seed, NodeSet within, bool bothWays) const {
    NodeSet reached = seed & within, todo = reached;
    while (todo) {
      unsigned node = firstNode(todo);
      NodeSet next = (succs[node] | (bothWays ? preds[node] : 0)) & within & ~reached;
      reached |= next;
      todo = (todo & ~nodeBit(node)) | next;
    }
    return reached;
  }

  bool isConnected(NodeSet set) const { return reach(set & -set, set, /*bothWays=*/true) == set; }

  unsigned size;
  NodeSet all;
  std::vector<NodeSet> preds, succs;
};
} // namespace

std::vector<NodeSet> mlir::flashfusion::plan::enumerateBipartitions(const PipeProblem &problem,
                                                                    uint64_t limit) {
  Graph graph(problem.latency.size(), problem.edges);
  NodeSet sources = 0, sinks = 0;
  for (unsigned i = 0; i < graph.size; ++i) {
    if (!graph.preds[i])
      sources |= nodeBit(i);
    if (!graph.succs[i])
      sinks |= nodeBit(i);
  }
  std::vector<NodeSet> found;
  if (sources & sinks)
    return found;

  // Grow the sets closed under predecessors from the sources, each once.
  std::vector<NodeSet> work = {sources};
  std::unordered_set<NodeSet> seen = {sources};
  for (size_t next = 0; next < work.size() && seen.size() < limit; ++next) {
    NodeSet first = work[next];
    for (unsigned i = 0; i < graph.size; ++i) {
      NodeSet bit = nodeBit(i);
      if (!((first | sinks) & bit) && !(graph.preds[i] & ~first) && seen.insert(first | bit).second)
        work.push_back(first | bit);
    }
  }
  for (NodeSet first : work) {
    bool valid = graph.isConnected(first) && graph.isConnected(graph.all & ~first);
    for (NodeSet s = sources; valid && s; s &= s - 1)
      valid = !(first & ~sources & ~graph.reach(s & -s, first, /*bothWays=*/false));
    if (valid)
      found.push_back(first);
  }
  llvm::sort(found);
  return found;
}

std::vector<std::pair<unsigned, unsigned>>
mlir::flashfusion::plan::cutEdges(const PipeProblem &problem, NodeSet firstStage) {
  std::vector<std::pair<unsigned, unsigned>> edges;
  for (auto [from, to] : problem.edges)
    if (!(firstStage & nodeBit(from)) || (firstStage & nodeBit(to)))
      edges.push_back({from, to});
  // The first stage runs a step ahead: what it needs from the second stage's previous
  // step is computed now.
  for (auto [from, to] : problem.carried)
    if (!(firstStage & nodeBit(from)) && (firstStage & nodeBit(to)))
      edges.push_back({from, to});
  return edges;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

PipeSchedule mlir::flashfusion::plan::listSchedule(const PipeProblem &problem, NodeSet firstStage,
                                                   ArrayRef<unsigned> order,
                                                   ArrayRef<unsigned> resource) {
  unsigned size = problem.latency.size();
  Graph graph(size, cutEdges(problem, firstStage));
  PipeSchedule schedule;
  schedule.firstStage = firstStage;
  schedule.order.assign(order.begin(), order.end());
  schedule.resource.resize(size);
  schedule.start.resize(size);
  schedule.end.resize(size);
  std::vector<double> time(size ? problem.latency[0].size() : 0);
  for (unsigned node : order) {
    double ready = 0;
    for (NodeSet p = graph.preds[node]; p; p &= p - 1)
      ready = std::max(ready, schedule.end[firstNode(p)]);
    unsigned best = resource.empty() ? 0 : resource[node];
    if (resource.empty())
      for (unsigned r = 1; r < time.size(); ++r)
        if (std::max(time[r], ready) + problem.latency[node][r] <
            std::max(time[best], ready) + problem.latency[node][best])
          best = r;
    schedule.resource[node] = best;
    schedule.start[node] = std::max(time[best], ready);
    schedule.end[node] = time[best] = schedule.start[node] + problem.latency[node][best];
    schedule.makespan = std::max(schedule.makespan, time[best]);
    if (!problem.issue.empty())
      schedule.issued += problem.issue[node][best];
  }
  schedule.makespan = std::max(schedule.makespan, schedule.issued);
  return schedule;
}

namespace {
/// The search over the orders of one cut.
class OrderSearch {
public:
  OrderSearch(const PipeProblem &problem, NodeSet firstStage, PipeResult &result, uint64_t limit)
      : problem(problem), firstStage(firstStage), result(result), limit(limit),
        graph(problem.latency.size(), cutEdges(problem, firstStage)),
        numResources(problem.latency[0].size()), time(numResources), end(graph.size),
        estimate(graph.size), head(graph.size), tail(graph.size), leastIssue(graph.size),
        earlierTwins(graph.size) {
    orderTopologically();
    // A resource whose latency alone is longer than some schedule is in none that counts;
    // where the greedy rule would take it, all others end later still.
    double known =
        std::min(result.best.makespan, listSchedule(problem, firstStage, topological).makespan);
    for (unsigned i = 0; i < graph.size; ++i) {
      unsigned options = 0;
      only.push_back(-1);
      for (unsigned r = 0; r < numResources; ++r)
        if (problem.latency[i][r] <= known)
          only[i] = ++options == 1 ? int(r) : -1;
      if (only[i] < 0)
        flexible |= nodeBit(i);
      if (!problem.issue.empty())
        leastIssue[i] = *llvm::min_element(problem.issue[i]);
    }
    for (unsigned i = 0; i < graph.size; ++i)
      for (unsigned j = 0; j < i; ++j)
        if (graph.preds[i] == graph.preds[j] && areAlike(i, j))
          earlierTwins[i] |= nodeBit(j);
    for (unsigned node : llvm::reverse(topological))
      for (NodeSet n = graph.succs[node]; n; n &= n - 1) {
        unsigned next = firstNode(n);
        tail[node] = std::max(tail[node], *llvm::min_element(problem.latency[next]) + tail[next]);
      }
    byTail = topological;
    llvm::stable_sort(byTail, [&](unsigned a, unsigned b) { return tail[a] > tail[b]; });
    if (numResources == 2) {
      // Best suited to resource 0 first: a fractional split in this order is optimal.
      byRatio = topological;
      llvm::sort(byRatio, [&](unsigned a, unsigned b) {
        const auto &la = problem.latency[a], &lb = problem.latency[b];
        return std::make_pair(la[0] / la[1], a) < std::make_pair(lb[0] / lb[1], b);
      });
    }
  }

  void run() { visit(0); }

private:
  void orderTopologically() {
    NodeSet done = 0;
    while (done != graph.all)
      for (unsigned i = 0; i < graph.size; ++i)
        if (!(done & nodeBit(i)) && !(graph.preds[i] & ~done)) {
          topological.push_back(i);
          done |= nodeBit(i);
        }
  }

  /// Whether the graph is the same with both nodes exchanged, and with them the chains behind them
  /// up to readers that they share, given that it is so far before them.
  bool areAlike(unsigned a, unsigned b) const {
    for (;;) {
      if (problem.latency[a] != problem.latency[b] ||
          (!problem.issue.empty() && problem.issue[a] != problem.issue[b]))
        return false;
      NodeSet afterA = graph.succs[a] & ~graph.succs[b], afterB = graph.succs[b] & ~graph.succs[a];
      if (!afterA && !afterB)
        return true;
      if (countNodes(afterA) != 1 || countNodes(afterB) != 1)
        return false;
      unsigned nextA = firstNode(afterA), nextB = firstNode(afterB);
      if ((graph.preds[nextA] & ~nodeBit(a)) != (graph.preds[nextB] & ~nodeBit(b)) || nextA == b ||
          nextB == a)
        return false;
      a = nextA;
      b = nextB;
    }
  }

  /// No completion of the partial schedule ends before this.
  double lowerBound(NodeSet done) {
    double bound = 0, slots = issued;
    load.assign(time.begin(), time.end());
    for (double t : time)
      bound = std::max(bound, t);
    // The chains of nodes that are left, each node on its best resource. Floating-point
    // additions are monotone, and these are the additions that the schedule would do.
    for (unsigned node : topological) {
      if (done & nodeBit(node)) {
        estimate[node] = end[node];
        continue;
      }
      double ready = 0, ends = infinity;
      for (NodeSet p = graph.preds[node]; p; p &= p - 1)
        ready = std::max(ready, estimate[firstNode(p)]);
      for (unsigned r = 0; r < numResources; ++r)
        ends = std::min(ends, std::max(time[r], ready) + problem.latency[node][r]);
      estimate[node] = ends;
      head[node] = ready;
      slots += leastIssue[node];
      bound = std::max(bound, ends);
      if (only[node] >= 0)
        load[only[node]] += problem.latency[node][only[node]];
    }
    bound = std::max(bound, slots);
    for (double l : load)
      bound = std::max(bound, l);
    // What one resource still has to run: the nodes with the longest chains behind them,
    // from when the first of them can start, and the shortest of these chains.
    load.assign(numResources, 0);
    first.assign(numResources, infinity);
    for (unsigned node : byTail) {
      int r = only[node];
      if ((done & nodeBit(node)) || r < 0)
        continue;
      load[r] += problem.latency[node][r];
      first[r] = std::min(first[r], std::max(time[r], head[node]));
      bound = std::max(bound, first[r] + load[r] + tail[node]);
    }
    if (numResources == 2)
      bound = std::max(bound, splitBound(done) * slack);
    return bound;
  }

  /// The work that is left, split between two resources as if it were a fluid.
  double splitBound(NodeSet done) const {
    double first = time[0], second = time[1];
    for (unsigned node : byRatio)
      if (!(done & nodeBit(node)))
        (only[node] == 0 ? first : second) += problem.latency[node][only[node] == 0 ? 0 : 1];
    for (unsigned node : byRatio) {
      if ((done & nodeBit(node)) || only[node] >= 0)
        continue;
      double l0 = problem.latency[node][0], l1 = problem.latency[node][1];
      if (first + l0 > second - l1) {
        double share = std::clamp((second - first) / (l0 + l1), 0.0, 1.0);
        return std::max(first + share * l0, second - share * l1);
      }
      first += l0;
      second -= l1;
    }
    return std::max(first, second);
  }

  /// What the rest of the search can see of the partial schedule.
  std::vector<double> getState(NodeSet done) const {
    std::vector<double> state(time);
    if (!problem.issue.empty())
      state.push_back(issued);
    double earliest = *llvm::min_element(time);
    for (NodeSet d = done; d; d &= d - 1)
      if (graph.succs[firstNode(d)] & ~done)
        state.push_back(std::max(end[firstNode(d)], earliest));
    return state;
  }

  /// Whether an earlier partial schedule of the same nodes was as good; remembers this one.
  bool isCovered(NodeSet done) {
    std::vector<double> state = getState(done);
    if (flexible & ~done) {
      std::string key(reinterpret_cast<const char *>(&done), sizeof(done));
      key.append(reinterpret_cast<const char *>(state.data()), state.size() * sizeof(double));
      return !seen.insert(std::move(key)).second;
    }
    auto isNowhereLater = [](const std::vector<double> &a, const std::vector<double> &b) {
      return llvm::all_of(llvm::zip_equal(a, b),
                          [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); });
    };
    std::vector<std::vector<double>> &earlier = best[done];
    for (const std::vector<double> &other : earlier)
      if (isNowhereLater(other, state))
        return true;
    llvm::erase_if(earlier,
                   [&](const std::vector<double> &other) { return isNowhereLater(state, other); });
    earlier.push_back(std::move(state));
    return false;
  }

  void visit(NodeSet done) {
    if (result.visited >= limit) {
      result.exact = false;
      return;
    }
    ++result.visited;
    if (done == graph.all) {
      double makespan = std::max(*llvm::max_element(time), issued);
      if (makespan < result.best.makespan) {
        result.best.makespan = makespan;
        result.best.firstStage = firstStage;
        result.best.order = order;
      }
      return;
    }
    if (lowerBound(done) >= result.best.makespan)
      return;
    if (graph.size - countNodes(done) > 2 && isCovered(done))
      return;
    for (unsigned node = 0; node < graph.size; ++node) {
      if ((done & nodeBit(node)) || ((graph.preds[node] | earlierTwins[node]) & ~done))
        continue;
      double ready = 0;
      for (NodeSet p = graph.preds[node]; p; p &= p - 1)
        ready = std::max(ready, end[firstNode(p)]);
      unsigned best = 0;
      double bestEnd = infinity;
      for (unsigned r = 0; r < numResources; ++r)
        if (double ends = std::max(time[r], ready) + problem.latency[node][r]; ends < bestEnd) {
          best = r;
          bestEnd = ends;
        }
      double saved = time[best], savedIssue = issued;
      time[best] = end[node] = bestEnd;
      if (!problem.issue.empty())
        issued += problem.issue[node][best];
      order.push_back(node);
      visit(done | nodeBit(node));
      order.pop_back();
      time[best] = saved;
      issued = savedIssue;
    }
  }

  /// The split divides, which may round up.
  static constexpr double slack = 1 - 1e-12;

  const PipeProblem &problem;
  NodeSet firstStage;
  PipeResult &result;
  uint64_t limit;
  Graph graph;
  unsigned numResources;
  double issued = 0; ///< by the nodes of the partial schedule
  std::vector<double> time, end, estimate, head, tail, leastIssue, load, first;
  std::vector<NodeSet> earlierTwins; ///< nodes before that are like this one
  std::vector<int> only;             ///< the one resource that a node can run on in time, or -1
  std::vector<unsigned> topological, byRatio, byTail, order;
  NodeSet flexible = 0; ///< nodes that several resources can run
  std::unordered_set<std::string> seen;
  std::unordered_map<NodeSet, std::vector<std::vector<double>>> best;
};
} // namespace

/// Latencies in multiples of a power of two that is small enough not to matter (2^-50 of
/// their sum) and large enough for sums of them to be exact in any order: schedules that are
/// equal then have equal makespans, and a bound that is reached prunes them.
static PipeProblem roundLatencies(PipeProblem problem) {
  double sum = 0;
  for (const auto *costs : {&problem.latency, &problem.issue})
    for (const std::vector<double> &cost : *costs)
      for (double c : cost)
        sum += c < infinity ? c : 0;
  int exponent = 0;
  std::frexp(sum, &exponent);
  for (auto *costs : {&problem.latency, &problem.issue})
    for (std::vector<double> &cost : *costs)
      for (double &c : cost)
        if (c < infinity)
          c = std::ldexp(std::round(std::ldexp(c, 50 - exponent)), exponent - 50);
  return problem;
}

PipeResult mlir::flashfusion::plan::runDPipe(const PipeProblem &exactProblem, uint64_t visitLimit) {
  PipeResult result;
  if (exactProblem.latency.empty())
    return result;
  PipeProblem problem = roundLatencies(exactProblem);
  result.best.makespan = infinity;
  OrderSearch(problem, 0, result, visitLimit).run();
  result.unsplit = result.best.makespan;
  std::vector<NodeSet> cuts = enumerateBipartitions(problem);
  result.bipartitions = cuts.size();
  for (NodeSet cut : cuts)
    OrderSearch(problem, cut, result, visitLimit).run();
  if (!result.best.order.empty()) {
    PipeSchedule best = listSchedule(problem, result.best.firstStage, result.best.order);
    result.best = listSchedule(exactProblem, best.firstStage, best.order, best.resource);
  }
  return result;
}
