//===- DPipe.h - Two-stage pipelining of an Einsum graph -----------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DPipe cuts a graph in two stages that run side by side on successive steps, so that
// an edge from the first stage to the second constrains nothing within a step:
//
//   QK -> LM -> RM -> SLN -> SLNV        step i:   SLN(i) -> SLNV(i)     (stage 2)
//                ^ cut                    with:    QK(i+1) -> LM -> RM   (stage 1)
//
// and schedules every candidate by the greedy rule "each node, in some topological
// order, on the resource that ends it first", over all topological orders.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_DPIPE_H
#define FLASHFUSION_PLAN_DPIPE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace mlir::flashfusion::plan {

using NodeSet = uint64_t;

struct PipeProblem {
  /// latency[node][resource]; infinity where the resource cannot run the node. Sums are
  /// exact, and with them ties, if these are multiples of one power of two.
  std::vector<std::vector<double>> latency;
  /// issue[node][resource]: what the node takes of a resource that all share while they run; a
  /// step takes at least the sum. Empty: nothing. Finite where the latency is.
  std::vector<std::vector<double>> issue;
  /// (from, to) within a step, and across one step.
  std::vector<std::pair<unsigned, unsigned>> edges, carried;
};

struct PipeSchedule {
  NodeSet firstStage = 0; ///< empty: not cut
  std::vector<unsigned> order, resource;
  std::vector<double> start, end;
  double makespan = 0; ///< of a step: no resource is busy longer, nor is issuing
  double issued = 0;   ///< the sum of what the nodes issue
};

struct PipeResult {
  PipeSchedule best;
  double unsplit = 0; ///< makespan of the best schedule without a cut
  unsigned bipartitions = 0;
  uint64_t visited = 0; ///< partial schedules looked at
  bool exact = true;    ///< false if the limit on them was reached
};

/// The cuts DPipe considers: sources first, sinks second, the first stage closed under
/// predecessors, both weakly connected, and every node of the first stage reached from
/// each of its sources. At most 64 nodes.
std::vector<NodeSet> enumerateBipartitions(const PipeProblem &problem, uint64_t limit = 1 << 16);

/// The edges within a step once the graph is cut.
std::vector<std::pair<unsigned, unsigned>> cutEdges(const PipeProblem &problem, NodeSet firstStage);

/// Partial schedules that a plan looks at: a few seconds.
constexpr uint64_t maxVisits = 1'000'000;

/// The first best schedule in the order of enumeration (not cut, then the cuts; topological
/// orders depth first by node number). Pruning never changes which one that is.
PipeResult runDPipe(const PipeProblem &problem, uint64_t visitLimit = maxVisits);

/// The greedy schedule of a cut and an order; `resource` fixes the resources if not empty.
PipeSchedule listSchedule(const PipeProblem &problem, NodeSet firstStage,
                          llvm::ArrayRef<unsigned> order, llvm::ArrayRef<unsigned> resource = {});

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_DPIPE_H
