//===- CascadeOps.cpp - Graphs and iterations ------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/Cascade/Cascade.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSet.h"

#define GET_OP_CLASSES
#include "FlashFusion/Dialect/Cascade/CascadeOps.cpp.inc"

using namespace mlir;
using namespace mlir::flashfusion::cascade;

std::string mlir::flashfusion::cascade::getTensorName(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    unsigned number = arg.getArgNumber();
    if (auto graph = dyn_cast<GraphOp>(parent)) {
      if (ArrayAttr names = graph.getArgNamesAttr())
        return cast<StringAttr>(names[number]).str();
    } else if (auto iterate = dyn_cast<IterateOp>(parent); iterate && number > 0) {
      if (number <= iterate.getStreams().size())
        return getTensorName(iterate.getStreams()[number - 1]);
      Value next = iterate.getYielded()[number - 1 - iterate.getStreams().size()];
      // A running tensor that never changes is what it started as.
      return next == value
                 ? getTensorName(iterate.getInits()[number - 1 - iterate.getStreams().size()])
                 : getTensorName(next);
    }
    return "arg" + std::to_string(number);
  }
  Operation *op = value.getDefiningOp();
  if (auto einsum = dyn_cast<EinsumOp>(op))
    return einsum.getName().str();
  if (auto iterate = dyn_cast<IterateOp>(op)) {
    Value last = iterate.getYielded()[cast<OpResult>(value).getResultNumber()];
    auto arg = dyn_cast<BlockArgument>(last);
    if (!arg || arg.getOwner() != &iterate.getBody().front())
      return getTensorName(last);
    return iterate.getRank().str();
  }
  // A view shows its source; what is not a view is called after its operation.
  if (op->getNumOperands() && isa<RankedTensorType>(op->getOperand(0).getType()) &&
      op->getName().getDialectNamespace() == "tensor")
    return getTensorName(op->getOperand(0));
  return op->getName().stripDialect().str();
}

SmallVector<std::pair<StringRef, int64_t>> GraphOp::collectRanks() {
  SmallVector<std::pair<StringRef, int64_t>> ranks;
  auto add = [&](StringRef name, int64_t size) {
    for (auto &[known, knownSize] : ranks)
      if (known == name) {
        if (ShapedType::isDynamic(knownSize))
          knownSize = size;
        return;
      }
    ranks.push_back({name, size});
  };
  if (getRanksAttr())
    for (auto rank : getRanksAttr().getAsRange<RankAttr>())
      add(rank.getName(), rank.getSize() < 0 ? ShapedType::kDynamic : rank.getSize());
  getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto einsum = dyn_cast<EinsumOp>(op))
      for (StringRef rank : einsum.getIterationRanks())
        add(rank, einsum.getRankSize(rank));
    if (auto iterate = dyn_cast<IterateOp>(op))
      add(iterate.getRank(), iterate.getSteps());
  });
  return ranks;
}

LogicalResult GraphOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError("expects an argument of its body for each operand");
  for (auto [arg, input] : llvm::zip_equal(block.getArguments(), getInputs()))
    if (arg.getType() != input.getType())
      return emitOpError() << "argument " << arg.getArgNumber() << " differs from its operand in "
                           << "type";
  if (block.getTerminator()->getOperandTypes() != getResultTypes())
    return emitOpError("yields other types than it returns");
  if (getArgNamesAttr() && getArgNamesAttr().size() != block.getNumArguments())
    return emitOpError("expects a name for each argument or none");

  llvm::StringMap<int64_t> sizes;
  bool listed = bool(getRanksAttr());
  if (listed)
    for (auto rank : getRanksAttr().getAsRange<RankAttr>())
      if (!sizes.try_emplace(rank.getName(), rank.getSize()).second)
        return emitOpError() << "lists rank " << rank.getName() << " twice";
  llvm::StringSet<> groups;
  if (getGroupsAttr())
    for (auto group : getGroupsAttr().getAsRange<GroupAttr>()) {
      if (!groups.insert(group.getName()).second)
        return emitOpError() << "lists group " << group.getName() << " twice";
      if (group.getRepeats() < 0)
        return emitOpError() << "repeats group " << group.getName()
                             << " a negative number of times";
      for (ArrayAttr names :
           {group.getRows(), group.getColumns(), group.getMemory(), group.getBuffer()})
        if (names && !llvm::all_of(names, llvm::IsaPred<StringAttr>))
          return emitOpError() << "expects names in group " << group.getName();
    }
  auto use = [&](Operation *op, StringRef rank, int64_t size) -> LogicalResult {
    auto [it, isNew] = sizes.try_emplace(rank, size);
    if (isNew && listed)
      return op->emitOpError() << "uses rank " << rank << ", which its graph does not list";
    if (it->second < 0)
      it->second = size;
    if (size >= 0 && it->second != size)
      return op->emitOpError() << "has size " << size << " for rank " << rank << ", which is "
                               << it->second << " elsewhere";
    return success();
  };
  WalkResult walk = getBody().walk([&](Operation *op) {
    if (auto einsum = dyn_cast<EinsumOp>(op)) {
      for (StringRef rank : einsum.getIterationRanks())
        if (failed(use(op, rank, einsum.getRankSize(rank))))
          return WalkResult::interrupt();
      if (einsum.getGroup() && !groups.contains(*einsum.getGroup())) {
        einsum.emitOpError() << "is in group " << *einsum.getGroup()
                             << ", which its graph does not list";
        return WalkResult::interrupt();
      }
    } else if (auto iterate = dyn_cast<IterateOp>(op)) {
      if (failed(use(op, iterate.getRank(), iterate.getSteps())))
        return WalkResult::interrupt();
    } else if (op->getBlock() == &block && !isMemoryEffectFree(op)) {
      op->emitOpError("has side effects, which a graph cannot have");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult IterateOp::verifyRegions() {
  if (getSteps() < 1)
    return emitOpError("needs at least one step");
  if (getRank().empty())
    return emitOpError("needs the name of its rank");
  Block &block = getBody().front();
  unsigned streams = getStreams().size(), states = getInits().size();
  if (block.getNumArguments() != 1 + streams + states || !block.getArgument(0).getType().isIndex())
    return emitOpError("expects its body to take the step, a fiber of each stream and the running "
                       "tensors");
  if (getStreamDims().size() != streams)
    return emitOpError("expects one dimension in stream_dims for each stream");
  for (auto [stream, dim, arg] : llvm::zip_equal(getStreams(), getStreamDims(), getStreamArgs())) {
    auto type = cast<RankedTensorType>(stream.getType());
    if (dim < 0 || dim >= type.getRank())
      return emitOpError() << "has no dimension " << dim << " in a stream of type " << type;
    if (type.getDimSize(dim) != static_cast<int64_t>(getSteps()))
      return emitOpError() << "runs " << getSteps() << " steps over a stream with "
                           << type.getDimSize(dim);
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + dim);
    if (arg.getType() != RankedTensorType::get(shape, type.getElementType()))
      return emitOpError() << "has a fiber of type " << arg.getType() << " of a stream of type "
                           << type;
  }
  if (getInits().getTypes() != getResultTypes() ||
      getInits().getTypes() != TypeRange(ValueRange(getStateArgs())) ||
      getInits().getTypes() != getYielded().getTypes())
    return emitOpError("expects inits, running tensors, what is yielded and results of the same "
                       "types");
  bool reused = false;
  getBody().walk([&](EinsumOp einsum) {
    reused |= llvm::is_contained(einsum.getIterationRanks(), getRank());
  });
  if (reused)
    return emitOpError() << "has an Einsum over rank " << getRank()
                         << " in its body, which steps over it";
  return success();
}
