//===- GroupCascade.cpp - Einsums by kernels -------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   x^2, its sum, Q, K, V, rotary positions      "linear0"
//   scores, softmax, weighted values             "attention1"
//   output projection, residual, x^2, its sum    "linear2"
//   gate, up, activation                         "linear3"
//   down, residual                               "linear4"
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/Passes.h"

#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "mlir/IR/Builders.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_GROUPCASCADEPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::cascade;

/// The tensor behind views.
static Value getSource(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && !isa<EinsumOp, IterateOp>(op) && op->getNumOperands() == 1) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

/// Arguments and constants, through views.
static bool isGiven(Value value) {
  Operation *op = getSource(value).getDefiningOp();
  return !op || op->getNumOperands() == 0;
}

namespace {
struct Grouping {
  explicit Grouping(GraphOp graph) : graph(graph) {}

  void run() {
    for (Operation &op : graph.getBody().front())
      assign(&op);
    if (groups.empty())
      groups.push_back({"all", {}, {}, {}});
    MLIRContext *context = graph.getContext();
    SmallVector<Attribute> attrs;
    for (Group &group : groups)
      attrs.push_back(GroupAttr::get(context, group.name, 1, names(group.rows),
                                     names(group.columns), {}, {}, {}));
    graph.setGroupsAttr(ArrayAttr::get(context, attrs));
    graph.getBody().walk([&](EinsumOp op) {
      Operation *top = graph.getBody().front().findAncestorOpInBlock(*op);
      op.setGroup(groups[std::max(groupOf.lookup(top), 0)].name);
    });
  }

private:
  struct Group {
    std::string name;
    /// What its contractions read besides weights.
    SmallVector<Value> sources;
    SmallVector<StringRef> rows, columns;
  };

  ArrayAttr names(ArrayRef<StringRef> ranks) { return Builder(graph).getStrArrayAttr(ranks); }

  int open(StringRef kind, EinsumOp contraction) {
    Group group;
    group.name = (kind + Twine(groups.size())).str();
    if (contraction) {
      unsigned last = contraction.getInputs().size() - 1;
      EinsumOp::Names right = contraction.getReadRanks(last);
      StringRef row;
      for (StringRef rank : contraction.getWriteRanks()) {
        bool left = false;
        for (unsigned i = 0; i < last; ++i)
          left |= llvm::is_contained(contraction.getReadRanks(i), rank);
        if (llvm::is_contained(right, rank) && !left)
          group.columns.push_back(rank);
        else if (!llvm::is_contained(right, rank) &&
                 (row.empty() || contraction.getRankSize(rank) > contraction.getRankSize(row)))
          row = rank;
      }
      if (!row.empty())
        group.rows.push_back(row);
    }
    groups.push_back(std::move(group));
    return groups.size() - 1;
  }

  /// The last group that the operation reads from; -1 if from none.
  int producers(Operation *op) {
    int last = -1;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (auto it = groupOf.find(def); it != groupOf.end())
          last = std::max(last, it->second);
    return last;
  }

  static bool isContraction(EinsumOp op) {
    SmallVector<MapStep> steps = getMapSteps(op);
    return op.getInputs().size() > 1 && op.getReduction() == Reduction::Add &&
           llvm::any_of(steps, [](const MapStep &s) { return s.kind == OpKind::Contract; });
  }

  void assign(Operation *op) {
    int after = producers(op);
    if (auto iterate = dyn_cast<IterateOp>(op)) {
      EinsumOp first;
      iterate.getBody().walk([&](EinsumOp einsum) {
        if (!first && isContraction(einsum))
          first = einsum;
      });
      groupOf[op] = open("attention", first);
      return;
    }
    auto einsum = dyn_cast<EinsumOp>(op);
    if (!einsum || !isContraction(einsum)) {
      groupOf[op] = after;
      return;
    }
    SmallVector<Value> sources;
    bool weight = false;
    for (Value input : einsum.getInputs()) {
      weight |= isGiven(input);
      sources.push_back(getSource(input));
    }
    if (!weight) {
      // Weighted values stay with the scores.
      bool inside = after >= 0 && StringRef(groups[after].name).starts_with("attention");
      groupOf[op] = inside ? after : open("attention", einsum);
      return;
    }
    for (int i = groups.size() - 1; i >= std::max(after, 0); --i)
      if (llvm::any_of(sources,
                       [&](Value v) { return llvm::is_contained(groups[i].sources, v); })) {
        groupOf[op] = i;
        return;
      }
    int group = open("linear", einsum);
    groups[group].sources = sources;
    groupOf[op] = group;
  }

  GraphOp graph;
  SmallVector<Group> groups;
  DenseMap<Operation *, int> groupOf;
};

struct GroupCascadePass : flashfusion::impl::GroupCascadePassBase<GroupCascadePass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](GraphOp graph) {
      if (!graph.getGroupsAttr())
        Grouping(graph).run();
    });
  }
};
} // namespace
