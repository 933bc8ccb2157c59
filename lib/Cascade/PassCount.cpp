//===- PassCount.cpp - How often a fiber must be read ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   GM[p] = max_m S[p, m]           reads S in pass 1, is complete after it
//   SN[p, m] = exp(S - GM)          has the fiber and waits for GM: pass 2
//   SD[p] = sum_m SN                follows SN: pass 2
//   A[p, m] = SN / SD               waits for SD: pass 3
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/PassCount.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::flashfusion::cascade;

namespace {
/// What a value has of the fiber that is followed.
struct Trace {
  unsigned pass = 0; ///< in which it is computed; 0: does not depend on the fiber
  llvm::SmallBitVector dims;
  /// An iteration steps over the fiber, so that a part of it is at hand at a time.
  bool steps = false;

  bool hasFiber() const { return steps || dims.any(); }
};

struct Follower {
  Value tensor;
  /// Two operands of one Einsum have the fiber under different names: positions as queries
  /// and as keys. Then one of them is whole for every element of the other.
  bool crossed = false;
  DenseMap<Value, Trace> traces;
  unsigned passes = 0;
  bool reduced = false;
  SmallVector<StringRef> names; ///< of the fiber, as readers call it

  Follower(GraphOp graph, Value tensor, unsigned dim) : tensor(tensor) {
    Trace trace;
    trace.pass = 1;
    trace.dims.resize(cast<RankedTensorType>(tensor.getType()).getRank());
    trace.dims.set(dim);
    traces[tensor] = trace;
    visit(graph.getBody().front());
  }

  void visit(Block &block) {
    for (Operation &op : block) {
      if (auto einsum = dyn_cast<EinsumOp>(op))
        visit(einsum);
      else if (auto iterate = dyn_cast<IterateOp>(op))
        visit(iterate);
      else if (op.getNumResults() && !traces.contains(op.getResult(0)))
        visitOther(op);
    }
  }

  void visit(EinsumOp op) {
    if (op.getResult() == tensor)
      return;
    Trace result;
    llvm::StringSet<> carrying;
    bool fiber = false;
    SmallVector<std::pair<Value, EinsumOp::Names>> reads;
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      reads.push_back({input, op.getReadRanks(i)});
    if (op.getInit())
      reads.push_back({op.getInit(), op.getInitRankNames()});
    llvm::StringSet<> others;
    for (auto &[value, ranks] : reads) {
      const Trace trace = traces.lookup(value);
      if (trace.dims.any()) {
        llvm::StringSet<> own;
        for (unsigned dim : trace.dims.set_bits())
          own.insert(ranks[dim]);
        crossed |= !others.empty() && llvm::none_of(own, [&](const auto &name) {
          return others.contains(name.getKey());
        });
        for (const auto &name : own)
          others.insert(name.getKey());
      }
      fiber |= trace.pass && trace.hasFiber();
      result.steps |= trace.steps;
      for (unsigned dim : trace.dims.set_bits())
        if (carrying.insert(ranks[dim]).second && !llvm::is_contained(names, ranks[dim]))
          names.push_back(ranks[dim]);
    }
    for (auto &[value, ranks] : reads) {
      const Trace trace = traces.lookup(value);
      if (trace.pass)
        result.pass = std::max(result.pass, trace.pass + (fiber && !trace.hasFiber()));
    }
    if (!result.pass)
      return;
    EinsumOp::Names writes = op.getWriteRanks();
    result.dims.resize(writes.size());
    bool kept = false;
    for (auto [dim, rank] : llvm::enumerate(writes))
      if (carrying.contains(rank)) {
        result.dims.set(dim);
        kept = true;
      }
    // What a reduction over other ranks makes of the fiber is another tensor: it is read
    // again in place of the first.
    bool other = op.getReduction() && kept;
    if (fiber)
      passes = std::max(passes, result.pass);
    for (StringRef rank : op.getReducedRanks())
      reduced |= carrying.contains(rank);
    if (!other)
      traces[op.getResult()] = result;
  }

  void visit(IterateOp op) {
    for (auto [stream, dim, arg] :
         llvm::zip_equal(op.getStreams(), op.getStreamDims(), op.getStreamArgs())) {
      Trace trace = traces.lookup(stream);
      if (!trace.pass)
        continue;
      Trace fiber{trace.pass, {}, trace.steps || trace.dims.test(dim)};
      if (trace.dims.test(dim) && !llvm::is_contained(names, op.getRank()))
        names.push_back(op.getRank());
      for (unsigned i = 0; i < trace.dims.size(); ++i)
        if (static_cast<int64_t>(i) != dim)
          fiber.dims.push_back(trace.dims.test(i));
      reduced |= trace.dims.test(dim);
      traces[arg] = fiber;
    }
    // Twice: running tensors know in the second round what the first one made of them. A
    // fiber of another step is another fiber, unless the steps are over it.
    for (unsigned round = 0; round < 2; ++round) {
      for (auto [init, state, next] :
           llvm::zip_equal(op.getInits(), op.getStateArgs(), op.getYielded())) {
        Trace trace = traces.lookup(init);
        if (Trace last = traces.lookup(next); last.steps)
          trace = last;
        if (trace.pass)
          traces[state] = trace;
      }
      visit(op.getBody().front());
    }
    for (auto [next, result] : llvm::zip_equal(op.getYielded(), op.getResults())) {
      Trace trace = traces.lookup(next);
      trace.steps = false;
      if (trace.pass)
        traces[result] = trace;
    }
  }

  /// Views carry the fiber in the dimensions that show it; whatever else reads it is
  /// complete when it has read all.
  void visitOther(Operation &op) {
    for (Value operand : op.getOperands()) {
      Trace trace = traces.lookup(operand);
      auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
      if (!trace.pass || !type)
        continue;
      Trace result{trace.pass, llvm::SmallBitVector(type.getRank()), trace.steps};
      SmallVector<ReassociationIndices> storage;
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
        storage = expand.getReassociationIndices();
        for (auto [source, group] : llvm::enumerate(storage))
          for (int64_t dim : group)
            if (trace.dims.test(source) && type.getDimSize(dim) != 1)
              result.dims.set(dim);
      } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
        storage = collapse.getReassociationIndices();
        for (auto [dim, group] : llvm::enumerate(storage))
          for (int64_t source : group)
            if (trace.dims.test(source))
              result.dims.set(dim);
      } else if (type.getRank() == static_cast<int64_t>(trace.dims.size())) {
        result.dims = trace.dims;
      }
      for (Value value : op.getResults()) {
        // Another shape shows the fiber in no dimension that is known.
        Trace shown = result;
        auto shape = dyn_cast<RankedTensorType>(value.getType());
        if (shape && shape.getRank() != type.getRank()) {
          shown.dims.clear();
          shown.dims.resize(shape.getRank());
        }
        if (Trace known = traces.lookup(value); shape && known.pass <= shown.pass)
          traces[value] = shown;
      }
    }
  }
};
} // namespace

SmallVector<PassCount> mlir::flashfusion::cascade::countPasses(GraphOp graph) {
  SmallVector<Value> tensors(graph.getBody().getArguments());
  graph.getBody().walk<WalkOrder::PreOrder>(
      [&](EinsumOp op) { tensors.push_back(op.getResult()); });
  SmallVector<PassCount> result;
  for (Value tensor : tensors) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    for (unsigned dim = 0; type && dim < type.getRank(); ++dim) {
      Follower follower(graph, tensor, dim);
      if (!follower.reduced || follower.crossed)
        continue;
      PassCount count;
      count.tensor = getTensorName(tensor);
      count.rank = llvm::join(follower.names, "+");
      count.passes = follower.passes;
      if (count.passes > 1)
        count.footprint = type.getDimSize(dim);
      result.push_back(std::move(count));
    }
  }
  return result;
}
