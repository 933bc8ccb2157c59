//===- GroupCascade.cpp - Einsums by kernels -------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   x^2, its sum, Q, K, V                        "linear0"
//   rotary positions                             "rows1"
//   scores, softmax, weighted values             "attention2"
//   output projection, residual                  "linear3"
//   x^2, its sum, gate, up, activation           "linear4"
//   down, residual                               "linear5"
//
// Every operation is read as a group of its own; which of them share a kernel is what
// chooseKernels finds cheapest on the target.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/GroupByKernels.h"
#include "FlashFusion/Cascade/Passes.h"
#include "FlashFusion/Cascade/PlanGraphs.h"

#include "FlashFusion/Plan/KernelCuts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_GROUPCASCADEPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::cascade;

using Arg = remark::detail::Remark::Arg;

namespace {
/// A kernel as a group of the graph.
struct Grouping {
  GraphOp graph;
  const plan::Cascade &operations;
  MLIRContext *context = graph.getContext();

  ArrayAttr names(plan::RankSet ranks) {
    SmallVector<StringRef> list;
    for (auto [i, rank] : llvm::enumerate(operations.ranks))
      if (plan::contains(ranks, i))
        list.push_back(rank.name);
    return Builder(context).getStrArrayAttr(list);
  }

  /// Of several, the longest: an array's rows run over one.
  plan::RankSet longest(plan::RankSet ranks) {
    plan::RankSet best = 0;
    for (auto [i, rank] : llvm::enumerate(operations.ranks))
      if (plan::contains(ranks, i) && (!best || rank.size > sizeOf(best)))
        best = plan::rankBit(i);
    return best;
  }
  int64_t sizeOf(plan::RankSet one) { return operations.ranks[llvm::countr_zero(one)].size; }

  /// What rows and columns of an array run over: of the first product, else of what is reduced.
  GroupAttr describe(StringRef name, const plan::Group &group, const plan::Kernel &kernel) {
    plan::RankSet rows = 0, columns = 0;
    if (!kernel.products.empty()) {
      const plan::Product &product = kernel.products.front();
      const plan::Einsum &einsum = group.einsums[product.einsum];
      for (auto [i, read] : llvm::enumerate(einsum.reads))
        if (i != product.right)
          rows |= read.ranks;
      columns = einsum.reads[product.right].ranks & einsum.result.ranks & ~rows;
      // Inside of an iteration a block of keys.
      plan::RankSet blocks = 0;
      for (auto [i, rank] : llvm::enumerate(operations.ranks))
        if (rank.iterative)
          blocks |= plan::rankBit(i);
      columns &= ~blocks;
      rows &= einsum.result.ranks & ~einsum.reads[product.right].ranks;
    } else {
      plan::RankSet all = 0;
      for (const plan::Einsum &einsum : group.einsums) {
        all |= einsum.ranks;
        columns |= einsum.ranks & ~einsum.result.ranks;
      }
      rows = all & ~columns;
    }
    // What is prepared is not part of a layer's run.
    int64_t repeats = kernel.kind == plan::KernelKind::Prepare ? 0 : 1;
    return GroupAttr::get(context, name, repeats, names(longest(rows)), names(columns), {}, {}, {});
  }
};
} // namespace

static void remarkKernel(GraphOp graph, StringRef name, const plan::Kernel &kernel) {
  remark::passed(graph.getLoc(), getGraphRemark(graph, "ff-cascade-group", "kernel"))
      << Arg("name", name) << Arg("kind", plan::stringifyKernelKind(kernel.kind))
      << Arg("linears", static_cast<int64_t>(
                            kernel.kind == plan::KernelKind::Linear ? kernel.products.size() : 0))
      << Arg("statistics", kernel.statistics) << Arg("microseconds", kernel.seconds() * 1e6);
}

LogicalResult mlir::flashfusion::groupByKernels(GraphOp graph, const plan::Target &target) {
  SmallVector<SmallVector<EinsumOp>> einsums;
  for (Operation &op : graph.getBody().front()) {
    SmallVector<EinsumOp> inside;
    op.walk([&](EinsumOp einsum) { inside.push_back(einsum); });
    if (inside.empty())
      continue;
    StringAttr name = StringAttr::get(graph.getContext(), Twine(einsums.size()));
    for (EinsumOp einsum : inside)
      einsum.setGroupAttr(name);
    einsums.push_back(std::move(inside));
  }
  llvm::Expected<plan::Cascade> operations = plan::readCascade(graph);
  if (!operations) {
    // What no plan can take (sizes that are not known, too many ranks) stays one group.
    remark::missed(graph.getLoc(), getGraphRemark(graph, "ff-cascade-group", "declined"))
        << Arg("reason", toString(operations.takeError()));
    for (SmallVector<EinsumOp> &operation : einsums)
      for (EinsumOp einsum : operation)
        einsum.removeGroupAttr();
    return success();
  }
  plan::KernelCuts cuts = plan::chooseKernels(*operations, target);
  Grouping grouping{graph, *operations};
  SmallVector<Attribute> groups;
  for (auto [members, kernel] : llvm::zip_equal(cuts.operations, cuts.kernels)) {
    std::string name = (plan::stringifyKernelKind(kernel.kind) + Twine(groups.size())).str();
    groups.push_back(grouping.describe(name, plan::mergeGroups(*operations, members), kernel));
    for (unsigned member : members)
      for (EinsumOp einsum : einsums[member])
        einsum.setGroup(name);
    remarkKernel(graph, name, kernel);
  }
  if (!cuts.unserved.empty())
    remark::missed(graph.getLoc(), getGraphRemark(graph, "ff-cascade-group", "declined"))
        << Arg("reason", "no-kernel") << Arg("operation", cuts.unserved);
  graph.setGroupsAttr(ArrayAttr::get(graph.getContext(), groups));
  // For the report of a plan, which may be made later.
  if (!cuts.exact)
    graph->setAttr(plan::inexactGroupsAttr, UnitAttr::get(graph.getContext()));
  remark::passed(graph.getLoc(), getGraphRemark(graph, "ff-cascade-group", "cut"))
      << Arg("kernels", static_cast<int64_t>(cuts.kernels.size()))
      << Arg("microseconds", cuts.seconds * 1e6) << Arg("exact", cuts.exact);
  return success();
}

namespace {
struct GroupCascadePass : flashfusion::impl::GroupCascadePassBase<GroupCascadePass> {
  using Base::Base;

  void runOnOperation() override {
    llvm::Expected<plan::Target> machine = plan::loadTarget(target, compat);
    if (!machine) {
      getOperation().emitError() << toString(machine.takeError());
      return signalPassFailure();
    }
    SmallVector<GraphOp> graphs;
    getOperation().walk([&](GraphOp graph) {
      if (!graph.getGroupsAttr())
        graphs.push_back(graph);
    });
    for (GraphOp graph : graphs)
      if (failed(groupByKernels(graph, *machine)))
        return signalPassFailure();
  }
};
} // namespace
