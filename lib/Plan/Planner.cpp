//===- Planner.cpp - Plans a cascade on a target ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Planner.h"

#include "FlashFusion/Plan/KernelModel.h"
#include "FlashFusion/Plan/Models.h"
#include <algorithm>

using namespace llvm;
using namespace mlir::flashfusion::plan;

Planner::Planner(const Cascade &cascade, const Target &target) : cascade(cascade), target(target) {
  message = verify(cascade);
  for (const Group &group : cascade.groups)
    for (const Einsum &einsum : group.einsums)
      if (message.empty() &&
          none_of(target.arrays, [&](const Array &array) { return array.supports(einsum.op); }))
        message = "no array of target " + target.name + " supports " +
                  stringifyOpKind(einsum.op).str() + " (Einsum " + einsum.name + ")";
  if (!message.empty())
    return;
  for (const Group &group : cascade.groups)
    for (const Einsum &einsum : group.einsums)
      written.insert(einsum.result.tensor);
  std::optional<KernelModel> model;
  if (target.gpu)
    model.emplace(cascade, target);
  for (const Group &group : cascade.groups) {
    GroupSchedule &schedule = schedules.emplace_back();
    Refusal refusal;
    if (model)
      schedule.kernel = model->describe(group, refusal, /*visits=*/0);
    ArrayRef<double> times;
    if (schedule.kernel)
      times = schedule.kernel->times;
    schedule.problem = getPipeProblem(cascade, group, target, times);
    // Many groups share what a few may take.
    schedule.pipe =
        runDPipe(schedule.problem, std::max<uint64_t>(maxVisits / cascade.groups.size(), 10'000));
  }
}

/// Latencies of a group's Einsums on the resources that DPipe chose, in seconds. Without a copy
/// engine they cover the Einsum's traffic.
PipeSchedule Planner::scheduleGroup(unsigned index, const Tiling &tiling, GroupPlan &part,
                                    bool keepParts) const {
  const Group &group = cascade.groups[index];
  const GroupSchedule &chosen = schedules[index];
  const Array *engine = target.findCopyEngine();
  PipeProblem problem = chosen.problem;
  StringMap<double> moved; // of every tensor, the most that an Einsum moves
  double copies = 0;
  for (unsigned i = 0; i < group.einsums.size(); ++i) {
    const Einsum &einsum = group.einsums[i];
    unsigned resource = chosen.pipe.best.resource[i];
    double &latency = problem.latency[i][resource];
    double compute = latency / target.clock, bytes = 0, copySeconds = 0;
    if (!engine) {
      bytes = trafficBytes(cascade, einsum, tiling, target.wordBytes);
      latency = std::max(compute, bytes / target.bandwidth);
    } else {
      latency = compute;
      auto copy = [&](const Operand &operand, bool intermediate) {
        if (!operand.offChip)
          return;
        double all = movedBytes(cascade, einsum, operand, tiling, target.wordBytes);
        double &before = moved[operand.tensor];
        double more = std::max(0.0, all - before);
        before += more;
        bytes += more;
        double rate = engine->bytesPerCycle * target.clock;
        if (chosen.kernel && chosen.kernel->kind == KernelKind::Rows)
          rate = target.bandwidth * target.gpu->streamShare;
        bool onChip = intermediate && operand.words * target.wordBytes <= target.bufferBytes;
        copySeconds += more / (onChip ? rate : std::min(rate, target.bandwidth));
      };
      for (const Operand &read : einsum.reads)
        copy(read, written.contains(read.tensor));
      copy(einsum.result, !einsum.returned);
      copies += copySeconds;
    }
    if (!problem.issue.empty())
      problem.issue[i][resource] /= target.clock;
    if (keepParts) {
      part.computeSeconds.push_back(compute);
      part.trafficBytes.push_back(bytes);
      part.copySeconds.push_back(copySeconds);
    }
  }
  const PipeSchedule &best = chosen.pipe.best;
  PipeSchedule schedule = listSchedule(problem, best.firstStage, best.order, best.resource);
  part.seconds = std::max(schedule.makespan, copies);
  if (chosen.kernel) {
    // The tile model's time, which a schedule of whole Einsums cannot know.
    const Kernel &kernel = *chosen.kernel;
    part.launchSeconds = kernel.launchSeconds;
    part.seconds = std::max(part.seconds, kernel.computeSeconds) + part.launchSeconds;
  } else if (target.gpu) {
    part.launchSeconds = target.gpu->launchCycles / target.clock;
    part.seconds += part.launchSeconds;
  }
  return schedule;
}

Plan Planner::evaluate(const Tiling &tiling) const {
  Plan plan;
  plan.tiling = tiling;
  for (auto [index, group] : enumerate(cascade.groups)) {
    GroupPlan &part = plan.groups.emplace_back();
    part.schedule = scheduleGroup(index, tiling, part, /*keepParts=*/true);
    part.bufferBytes = bufferBytes(group, tiling, target.wordBytes, target.gpu.has_value());
    plan.seconds += group.repeats * part.seconds;
  }
  return plan;
}

double Planner::evaluateSeconds(const Tiling &tiling) const {
  double seconds = 0;
  for (auto [index, group] : enumerate(cascade.groups)) {
    GroupPlan part;
    scheduleGroup(index, tiling, part, /*keepParts=*/false);
    seconds += group.repeats * part.seconds;
  }
  return seconds;
}

bool Planner::fits(const Tiling &tiling) const {
  return all_of(cascade.groups, [&](const Group &group) {
    return bufferBytes(group, tiling, target.wordBytes, target.gpu.has_value()) <=
           target.bufferBytes;
  });
}

//===----------------------------------------------------------------------===//
// Tiles of a layer
//===----------------------------------------------------------------------===//

/// From prime factors up to 2^20; what is left of a number beyond 2^40 counts as one.
static std::vector<int64_t> getDivisors(int64_t value) {
  std::vector<int64_t> divisors = {1};
  auto multiply = [&](int64_t prime, unsigned times) {
    size_t count = divisors.size();
    int64_t power = 1;
    for (unsigned i = 0; i < times; ++i) {
      power *= prime;
      for (size_t d = 0; d < count; ++d)
        divisors.push_back(divisors[d] * power);
    }
  };
  for (int64_t prime = 2; prime < 1 << 20 && prime <= value / prime; ++prime) {
    unsigned times = 0;
    for (; value % prime == 0; value /= prime)
      ++times;
    multiply(prime, times);
  }
  if (value > 1)
    multiply(value, 1);
  llvm::sort(divisors);
  return divisors;
}

TileSpace mlir::flashfusion::plan::getLayerTileSpace(const Cascade &cascade, int64_t tile) {
  TileSpace space;
  space.ranks = {B, D, M, P, S};
  Tiling &base = space.base;
  base.dram.assign(numLayerRanks, 1);
  base.buffer.assign(numLayerRanks, 1);
  base.pe.assign(numLayerRanks, 1);
  for (RankId rank : {E, F, H})
    base.buffer[rank] = cascade.ranks[rank].size;
  base.pe[N] = cascade.ranks[N].size;
  for (RankId rank : {P, S})
    base.pe[rank] = std::min(tile, cascade.ranks[rank].size);
  for (RankId rank : space.ranks) {
    int64_t rest = cascade.ranks[rank].size / base.pe[rank];
    space.bufferFactors.push_back(getDivisors(rest));
    base.dram[rank] = rest;
  }
  return space;
}

TileSpace mlir::flashfusion::plan::getTileSpace(const Cascade &cascade, int64_t tile) {
  TileSpace space;
  Tiling &base = space.base;
  RankSet onArray = 0;
  for (const Group &group : cascade.groups)
    onArray |= group.rowRanks | group.columnRanks;
  for (RankId rank = 0; rank < cascade.ranks.size(); ++rank) {
    int64_t size = cascade.ranks[rank].size, pe = 1;
    if (contains(onArray, rank))
      for (int64_t divisor : getDivisors(size))
        if (divisor <= tile)
          pe = divisor;
    space.ranks.push_back(rank);
    space.bufferFactors.push_back(getDivisors(size / pe));
    base.dram.push_back(size / pe);
    base.buffer.push_back(1);
    base.pe.push_back(pe);
  }
  return space;
}

Tiling TileSpace::select(ArrayRef<unsigned> choices) const {
  Tiling tiling = base;
  for (auto [rank, factors, choice] : zip(ranks, bufferFactors, choices)) {
    tiling.buffer[rank] = factors[choice];
    tiling.dram[rank] = base.dram[rank] / factors[choice];
  }
  return tiling;
}

std::pair<Plan, TileResult> mlir::flashfusion::plan::planWithTileSeek(const Planner &planner,
                                                                      const TileSpace &space,
                                                                      const TileOptions &options) {
  TileProblem problem;
  for (const auto &factors : space.bufferFactors)
    problem.numChoices.push_back(factors.size());
  // Decisions that are still open count with their smallest tile, and need grows with
  // every factor: a prefix that does not fit has no completion that does.
  problem.fits = [&](ArrayRef<unsigned> choices) { return planner.fits(space.select(choices)); };
  problem.cost = [&](ArrayRef<unsigned> choices) {
    return planner.evaluateSeconds(space.select(choices));
  };
  TileResult result = runTileSeek(problem, options);
  Plan plan;
  if (!result.choices.empty())
    plan = planner.evaluate(space.select(result.choices));
  return {std::move(plan), std::move(result)};
}
