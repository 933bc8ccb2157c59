//===- DPipeTest.cpp - DPipe against searches without pruning ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Check.h"
#include "FlashFusion/Plan/Models.h"
#include "FlashFusion/Plan/Planner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <ctime>
#include <limits>
#include <random>

using namespace llvm;
using namespace mlir::flashfusion::plan;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static bool has(NodeSet set, unsigned node) { return set >> node & 1; }

//===----------------------------------------------------------------------===//
// The definitions, written out
//===----------------------------------------------------------------------===//

/// Reachability by repeated closure, which shares nothing with the planner's.
static std::vector<NodeSet> closure(unsigned size, ArrayRef<std::pair<unsigned, unsigned>> edges) {
  std::vector<NodeSet> reach(size);
  for (unsigned i = 0; i < size; ++i)
    reach[i] = NodeSet(1) << i;
  for (unsigned round = 0; round < size; ++round)
    for (auto [from, to] : edges)
      reach[from] |= reach[to];
  return reach;
}

static bool isValidCut(const PipeProblem &problem, NodeSet first) {
  unsigned size = problem.latency.size();
  std::vector<std::pair<unsigned, unsigned>> inFirst, both[2];
  NodeSet notSource = 0, notSink = 0;
  for (auto [from, to] : problem.edges) {
    notSource |= NodeSet(1) << to;
    notSink |= NodeSet(1) << from;
    if (has(first, to) && !has(first, from))
      return false;
    if (has(first, from) == has(first, to)) {
      both[has(first, from)].push_back({from, to});
      both[has(first, from)].push_back({to, from});
      if (has(first, from))
        inFirst.push_back({from, to});
    }
  }
  std::vector<NodeSet> forward = closure(size, inFirst);
  for (unsigned i = 0; i < size; ++i) {
    if ((!has(notSource, i) && !has(first, i)) || (!has(notSink, i) && has(first, i)))
      return false;
    NodeSet side = has(first, i) ? first : ((NodeSet(1) << size) - 1) & ~first;
    if ((closure(size, both[has(first, i)])[i] & side) != side)
      return false;
    if (has(first, i) && !has(notSource, i) && (first & notSource & ~forward[i]))
      return false;
  }
  return true;
}

/// All orders, depth first by node number; keeps the first strict minimum.
static void visitOrders(const PipeProblem &problem, NodeSet cut,
                        ArrayRef<std::pair<unsigned, unsigned>> edges, std::vector<unsigned> &order,
                        PipeSchedule &best) {
  unsigned size = problem.latency.size();
  if (order.size() == size) {
    PipeSchedule schedule = listSchedule(problem, cut, order);
    if (best.order.empty() || schedule.makespan < best.makespan)
      best = schedule;
    return;
  }
  for (unsigned node = 0; node < size; ++node) {
    auto taken = [&](unsigned n) { return is_contained(order, n); };
    if (taken(node) ||
        any_of(edges, [&](auto edge) { return edge.second == node && !taken(edge.first); }))
      continue;
    order.push_back(node);
    visitOrders(problem, cut, edges, order, best);
    order.pop_back();
  }
}

static PipeSchedule searchWithoutPruning(const PipeProblem &problem) {
  PipeSchedule best;
  for (NodeSet cut = 0; cut < NodeSet(1) << problem.latency.size(); ++cut) {
    if (cut != 0 && !isValidCut(problem, cut))
      continue;
    std::vector<unsigned> order;
    visitOrders(problem, cut, cutEdges(problem, cut), order, best);
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static PipeProblem makeRandomProblem(std::mt19937_64 &random) {
  PipeProblem problem;
  unsigned size = 2 + random() % 6, resources = 1 + random() % 3;
  for (unsigned i = 0; i < size; ++i) {
    auto &latency = problem.latency.emplace_back();
    for (unsigned r = 0; r < resources; ++r)
      latency.push_back(random() % 4 == 0 ? infinity : double(1 + random() % 8));
    latency[random() % resources] = double(1 + random() % 8);
    for (unsigned j = 0; j < i; ++j) {
      if (random() % 3 == 0)
        problem.edges.push_back({j, i});
      if (random() % 6 == 0)
        problem.carried.push_back({i, j});
    }
  }
  return problem;
}

/// Copies of a chain behind one node and before another: nodes that are alike, in any numbering.
static PipeProblem makeAlikeProblem(std::mt19937_64 &random) {
  unsigned length = 1 + random() % 2, copies = length == 1 ? 2 + random() % 4 : 2;
  unsigned resources = 1 + random() % 2, chains = length * copies;
  bool sink = random() % 2, interleaved = random() % 2;
  PipeProblem problem;
  auto draw = [&] {
    std::vector<double> latency;
    for (unsigned r = 0; r < resources; ++r)
      latency.push_back(double(1 + random() % 8));
    return latency;
  };
  std::vector<std::vector<double>> chain;
  for (unsigned i = 0; i < length; ++i)
    chain.push_back(draw());
  problem.latency.push_back(draw());
  problem.latency.resize(1 + chains);
  for (unsigned c = 0; c < copies; ++c)
    for (unsigned i = 0, before = 0; i < length; ++i) {
      unsigned node = 1 + (interleaved ? i * copies + c : c * length + i);
      problem.latency[node] = chain[i];
      problem.edges.push_back({before, node});
      before = node;
      if (sink && i + 1 == length)
        problem.edges.push_back({node, 1 + chains});
    }
  if (sink)
    problem.latency.push_back(draw());
  if (random() % 2) // one copy is not like the others
    problem.carried.push_back({chains, 0});
  return problem;
}

/// What all resources share while they run.
static void addIssue(PipeProblem &problem, std::mt19937_64 &random) {
  for (const std::vector<double> &latency : problem.latency) {
    std::vector<double> &issue = problem.issue.emplace_back();
    for (double l : latency)
      issue.push_back(l < infinity ? l * double(random() % 5) / 4 : l);
  }
}

static void checkSchedule(const PipeProblem &problem, const PipeSchedule &schedule) {
  unsigned size = problem.latency.size();
  double issued = 0;
  for (unsigned i = 0; i < size && !problem.issue.empty(); ++i)
    issued += problem.issue[i][schedule.resource[i]];
  CHECK(issued <= schedule.makespan, issued);
  for (auto [from, to] : cutEdges(problem, schedule.firstStage))
    CHECK(schedule.end[from] <= schedule.start[to], from << " -> " << to);
  for (unsigned i = 0; i < size; ++i) {
    CHECK(schedule.end[i] <= schedule.makespan, i);
    CHECK(schedule.end[i] == schedule.start[i] + problem.latency[i][schedule.resource[i]], i);
    for (unsigned j = 0; j < i; ++j)
      CHECK(schedule.resource[i] != schedule.resource[j] || schedule.end[i] <= schedule.start[j] ||
                schedule.end[j] <= schedule.start[i],
            i << " overlaps " << j);
  }
}

static void testRandomGraphs() {
  std::mt19937_64 random(7);
  unsigned cut = 0, issueBound = 0;
  for (unsigned round = 0; round < 800; ++round) {
    PipeProblem problem = round < 600 ? makeRandomProblem(random) : makeAlikeProblem(random);
    if (round >= 400 && round < 600)
      addIssue(problem, random);
    PipeResult result = runDPipe(problem);
    PipeSchedule reference = searchWithoutPruning(problem);
    CHECK(result.exact, "round " << round);
    CHECK(result.best.makespan == reference.makespan, "round " << round);
    CHECK(result.best.firstStage == reference.firstStage, "round " << round);
    CHECK(result.best.order == reference.order, "round " << round);
    CHECK(result.best.resource == reference.resource, "round " << round);
    CHECK(result.best.makespan <= result.unsplit, "round " << round);
    checkSchedule(problem, result.best);
    cut += result.best.firstStage != 0;
    issueBound += result.best.issued == result.best.makespan && !problem.issue.empty();
  }
  CHECK(issueBound > 20, "few of the random graphs are bound by issuing: " << issueBound);
  CHECK(cut > 20, "few of the random graphs are worth a cut: " << cut);
}

static Planner planOn(StringRef model, StringRef target, int64_t sequence) {
  Target machine = *lookUpTarget(target, /*compat=*/true);
  LayerOptions options;
  options.sequence = sequence;
  options.keyBlock = machine.tile;
  options.omitValueInput = machine.omitValueInput;
  return Planner(buildLayer(*lookUpModel(model), options), machine);
}

static void testPublishedGroups() {
  const unsigned cuts[] = {0, 36, 8, 2};
  for (StringRef target : {"cloud", "edge"})
    for (const Model &model : getModels()) {
      std::clock_t begin = std::clock();
      Planner planner = planOn(model.name, target, 65536);
      double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
      CHECK(taken < 0.05, model.name << ": " << taken << " s");
      for (auto [schedule, expected] : zip_equal(planner.getSchedules(), cuts)) {
        CHECK(schedule.pipe.bipartitions == expected, schedule.pipe.bipartitions);
        CHECK(schedule.pipe.exact, model.name);
        checkSchedule(schedule.problem, schedule.pipe.best);
      }
    }
}

/// Attention with heads of 128 on one multiprocessor of the H200, per 128 x 128 tile: the
/// cut is that of the two-stage softmax and GEMM pipeline. What is left is the chain of
/// exp, second product and accumulation.
static void testAttentionOnH200() {
  Target target = *lookUpTarget("h200", /*compat=*/false);
  for (Array &array : target.arrays)
    array.rows = 1;
  constexpr int64_t blocks = 1024;
  LayerOptions options;
  options.sequence = 128 * blocks;
  options.keyBlock = 128;
  options.batch = 1;
  Model model = *lookUpModel("Llama3");
  model.heads = 1;
  Planner planner(buildLayer(model, options), target);
  CHECK(planner.error().empty(), planner.error());
  const GroupSchedule &attention = planner.getSchedules()[1];
  double best = attention.pipe.best.makespan / (blocks * blocks);
  double unsplit = attention.pipe.unsplit / (blocks * blocks);
  CHECK(best > 2175 && best < 2178, best);
  CHECK(unsplit > 3325 && unsplit < 3335, unsplit);
  CHECK(attention.pipe.best.firstStage == 0b111, "QK, LM and RM work a step ahead");
  checkSchedule(attention.problem, attention.pipe.best);
  outs() << "attention tile on h200: " << format("%.1f -> %.1f cycles\n", unsplit, best);
}

/// How far the greedy rule is from any schedule: all orders and all assignments.
static void visitSchedules(const PipeProblem &problem, NodeSet cut,
                           ArrayRef<std::pair<unsigned, unsigned>> edges, NodeSet done,
                           std::vector<double> &time, std::vector<double> &end, double &best) {
  unsigned size = problem.latency.size();
  if (*llvm::max_element(time) >= best)
    return;
  if (done == (NodeSet(1) << size) - 1) {
    best = *llvm::max_element(time);
    return;
  }
  for (unsigned node = 0; node < size; ++node) {
    double ready = 0;
    bool free = !has(done, node);
    for (auto [from, to] : edges)
      if (to == node) {
        free &= has(done, from);
        ready = std::max(ready, end[from]);
      }
    for (unsigned r = 0; free && r < time.size(); ++r) {
      if (problem.latency[node][r] == infinity)
        continue;
      double saved = time[r];
      time[r] = end[node] = std::max(time[r], ready) + problem.latency[node][r];
      visitSchedules(problem, cut, edges, done | NodeSet(1) << node, time, end, best);
      time[r] = saved;
    }
  }
}

static void reportGreedyGap() {
  std::mt19937_64 random(11);
  unsigned optimal = 0, rounds = 200;
  double worst = 1;
  for (unsigned round = 0; round < rounds; ++round) {
    PipeProblem problem = makeRandomProblem(random);
    double best = infinity;
    for (NodeSet cut = 0; cut < NodeSet(1) << problem.latency.size(); ++cut) {
      if (cut != 0 && !isValidCut(problem, cut))
        continue;
      std::vector<double> time(problem.latency[0].size()), end(problem.latency.size());
      visitSchedules(problem, cut, cutEdges(problem, cut), 0, time, end, best);
    }
    double found = runDPipe(problem).best.makespan;
    CHECK(found >= best, found << " < " << best);
    optimal += found == best;
    worst = std::max(worst, found / best);
  }
  outs() << "greedy over all orders is optimal on " << optimal << " of " << rounds
         << format(" random graphs, worst %.3fx\n", worst);
}

void testDPipe() {
  testRandomGraphs();
  testPublishedGroups();
  testAttentionOnH200();
  reportGreedyGap();
}
