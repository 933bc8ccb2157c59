//===- RankNames.cpp - One name for a rank wherever it appears -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RankNames.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::flashfusion;

static std::optional<unsigned> getLoop(AffineMap map, int64_t dim) {
  if (auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim)))
    return expr.getPosition();
  return std::nullopt;
}

RankNames::RankNames(ArrayRef<linalg::GenericOp> ops) {
  for (linalg::GenericOp op : ops) {
    first[op] = owner.size();
    owner.append(op.getNumLoops(), op);
  }
  for (unsigned i = 0; i < owner.size(); ++i) {
    parent.push_back(i);
    members.push_back({i});
  }
  auto linkAll = [&] {
    // Consumers first: what meets in one operation is known before names spread.
    for (linalg::GenericOp op : llvm::reverse(ops))
      for (OpOperand &operand : op->getOpOperands()) {
        if (op.isDpsInit(&operand) && !op.getNumReductionLoops())
          continue;
        AffineMap map = op.getMatchingIndexingMap(&operand);
        for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
          if (std::optional<unsigned> loop = getLoop(map, dim))
            link(first[op] + *loop, operand.get(), dim);
      }
  };
  linkAll();
  // Readers of one argument agree as far as that leaves the rest apart.
  linkRoots = true;
  linkAll();

  names.resize(owner.size());
  unsigned count = 0;
  for (unsigned i = 0; i < owner.size(); ++i) {
    std::string &name = names[find(i)];
    if (name.empty()) {
      name = count < 26 ? std::string(1, char('a' + count)) : "r" + std::to_string(count);
      ++count;
    }
  }
}

StringRef RankNames::lookup(linalg::GenericOp op, unsigned loop) const {
  return names[find(first.lookup(op) + loop)];
}

RankNames::Loop RankNames::find(Loop loop) const {
  while (parent[loop] != loop)
    loop = parent[loop];
  return loop;
}

void RankNames::unify(Loop a, Loop b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  for (Loop x : members[a])
    for (Loop y : members[b])
      if (owner[x] == owner[y])
        return;
  if (b < a)
    std::swap(a, b);
  parent[b] = a;
  llvm::append_range(members[a], members[b]);
  members[b].clear();
}

void RankNames::link(Loop loop, Value value, int64_t dim) {
  Operation *op = value.getDefiningOp();
  if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op); generic && first.contains(generic)) {
    OpOperand *init = generic.getDpsInitOperand(cast<OpResult>(value).getResultNumber());
    if (std::optional<unsigned> written = getLoop(generic.getMatchingIndexingMap(init), dim))
      unify(loop, first[generic] + *written);
    return;
  }
  auto type = cast<RankedTensorType>(value.getType());
  // A dimension shows another one if what else its group holds has size 1.
  auto isOnly = [](ArrayRef<int64_t> group, int64_t which, RankedTensorType expanded) {
    return llvm::all_of(group,
                        [&](int64_t d) { return d == which || expanded.getDimSize(d) == 1; });
  };
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    for (auto [source, group] : llvm::enumerate(expand.getReassociationIndices()))
      if (llvm::is_contained(group, dim) && isOnly(group, dim, type))
        link(loop, expand.getSrc(), source);
    return;
  }
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    ReassociationIndices group = collapse.getReassociationIndices()[dim];
    for (int64_t source : group)
      if (isOnly(group, source, collapse.getSrcType()))
        return link(loop, collapse.getSrc(), source);
    return;
  }
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    RankedTensorType source = slice.getSourceType();
    if (source.getRank() == type.getRank() && source.getDimSize(dim) == type.getDimSize(dim))
      link(loop, slice.getSource(), dim);
    return;
  }
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op)) {
    if (static_cast<int64_t>(concat.getDim()) != dim)
      for (Value input : concat.getInputs())
        link(loop, input, dim);
    return;
  }
  if (!linkRoots)
    return;
  auto [it, isNew] = roots.try_emplace({value, dim}, loop);
  if (!isNew)
    unify(it->second, loop);
}
