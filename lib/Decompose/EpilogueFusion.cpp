//===- EpilogueFusion.cpp - An ff.online with a longer finalizer -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FuseEpilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::flashfusion;

bool EpilogueFusion::findPlace() {
  Operation *sink = cone.sink;
  auto isBefore = [](Value value, Operation *op) {
    Operation *def = value.getDefiningOp();
    return !def || def->getBlock() != op->getBlock() || def->isBeforeInBlock(op);
  };
  bool stays = llvm::all_of(cone.nodes, [&](auto &entry) {
    bool isOperand = entry.second.kind == ConeNode::Tile || entry.second.kind == ConeNode::Column;
    return !isOperand || isBefore(entry.first.first, online);
  });
  place = stays ? online.getOperation() : sink;
  if (stays)
    return true;
  // Other users of the results must come later.
  for (Operation *user : online->getUsers()) {
    Operation *here = online->getBlock()->findAncestorOpInBlock(*user);
    if (!here ||
        (here->isBeforeInBlock(sink) && !cone.absorbed.contains(here) && !isa<tensor::DimOp>(here)))
      return false;
  }
  return true;
}

/// The dimensions of a tensor in two groups, of which the second has `n` elements; the first may
/// be empty.
static SmallVector<ReassociationIndices> rowsAndColumns(RankedTensorType type, int64_t n) {
  int64_t first = type.getRank();
  for (int64_t product = 1; product != n; product *= type.getDimSize(--first))
    assert(first > 0 && "the cone has checked the extents");
  if (n == 1 && first > 0)
    --first;
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t d = 0; d < type.getRank(); ++d)
    groups[d < first ? 0 : 1].push_back(d);
  return groups;
}

/// `tensor` as M x N.
Value EpilogueFusion::matrixOf(OpBuilder &b, Value tensor) {
  auto wanted = [&](Value v) {
    return RankedTensorType::get({online.getM(), cone.n}, getElementTypeOrSelf(v.getType()));
  };
  // A matrix that was reshaped is taken as it was.
  for (Value v = tensor;; v = v.getDefiningOp()->getOperand(0)) {
    if (v.getType() == wanted(v))
      return v;
    if (!isReshape(v.getDefiningOp()))
      break;
  }
  Location loc = tensor.getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  Value matrix = tensor;
  SmallVector<ReassociationIndices> groups = rowsAndColumns(type, cone.n);
  if (groups[0].empty() || groups[1].empty()) {
    // One row, or one column: through a vector.
    Value vector = vectorOf(b, tensor);
    int64_t extent = cast<RankedTensorType>(vector.getType()).getDimSize(0);
    SmallVector<int64_t> shape{1, extent};
    SmallVector<OpFoldResult> sizes{b.getIndexAttr(1), tensor::getMixedSize(b, loc, vector, 0)};
    if (groups[1].empty() || cone.n == 1) {
      std::swap(shape[0], shape[1]);
      std::swap(sizes[0], sizes[1]);
    }
    matrix = tensor::ExpandShapeOp::create(b, loc, type.clone(shape), vector,
                                           SmallVector<ReassociationIndices>{{0, 1}}, sizes);
  } else if (type.getRank() > 2) {
    matrix = tensor::CollapseShapeOp::create(b, loc, tensor, groups);
  }
  if (matrix.getType() != wanted(matrix))
    matrix = tensor::CastOp::create(b, loc, wanted(matrix), matrix);
  return matrix;
}

/// `tensor` as a vector of length N.
Value EpilogueFusion::vectorOf(OpBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = tensor.getLoc();
  if (type.getRank() == 1)
    return tensor;
  if (type.getRank() == 0)
    return tensor::ExpandShapeOp::create(b, loc, type.clone({1}), tensor,
                                         SmallVector<ReassociationIndices>{},
                                         SmallVector<OpFoldResult>{b.getIndexAttr(1)});
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return tensor::CollapseShapeOp::create(b, loc, tensor, SmallVector<ReassociationIndices>{all});
}

void EpilogueFusion::collectOperands(OpBuilder &b) {
  auto add = [](auto &list, auto value) {
    auto it = llvm::find(list, value);
    if (it == list.end()) {
      list.push_back(value);
      return static_cast<unsigned>(list.size() - 1);
    }
    return static_cast<unsigned>(it - list.begin());
  };
  for (Value result : cone.results) {
    unsigned out = cast<OpResult>(result).getResultNumber();
    for (int64_t l : online.getLinearsOf(out))
      add(linears, l);
    for (unsigned c : online.getColumnsOf(out))
      add(columns, online.getColumns()[c]);
    for (unsigned t : online.getTilesOf(out))
      add(tiles, online.getTiles()[t]);
  }
  llvm::sort(linears);
  for (auto &[key, node] : cone.nodes) {
    if (node.kind == ConeNode::Column)
      columnAt[key] = add(columns, vectorOf(b, key.first));
    if (node.kind == ConeNode::Tile)
      tileAt[key] = add(tiles, matrixOf(b, key.first));
  }
}

Value EpilogueFusion::emit(FinalizerBuilder &f, Value value, Space space) {
  std::pair<Value, Space> key{value, space};
  if (Value known = emitted.lookup(key))
    return known;
  const ConeNode &node = cone.nodes.find(key)->second;
  Block *block = &fused.getFinalizers()[newOut].front();
  Value result;
  switch (node.kind) {
  case ConeNode::Result:
    llvm_unreachable("results are emitted first");
  case ConeNode::Reshaped:
    result = emit(f, value.getDefiningOp()->getOperand(0), space);
    break;
  case ConeNode::Tile:
    result = block->getArgument(linears.size() + columns.size() + tileAt.lookup(key));
    f.setActivation(result);
    break;
  case ConeNode::Column:
    result = block->getArgument(linears.size() + columnAt.lookup(key));
    break;
  case ConeNode::Constant:
    result = f.constant(node.constant);
    break;
  case ConeNode::Inlined: {
    auto op = cast<linalg::LinalgOp>(value.getDefiningOp());
    FailureOr<SmallVector<Space>> spaces = inputSpaces(op, space, cone.n, [&](Value v) {
      return cone.nodes.contains({v, Space::Matrix}) &&
             (cone.results.contains(v) || cone.absorbed.contains(v.getDefiningOp()));
    });
    SmallVector<Value> inputs;
    for (auto [input, inputSpace] : llvm::zip_equal(op.getDpsInputOperands(), *spaces))
      inputs.push_back(op.payloadUsesValueFromOperand(input) ? emit(f, input->get(), inputSpace)
                                                             : Value());
    result = f.inlineBody(op, inputs);
    break;
  }
  }
  emitted[key] = result;
  return result;
}

void EpilogueFusion::finalize(Block *block) {
  OpBuilder b = OpBuilder::atBlockEnd(block);
  FinalizerBuilder f(b, cone.sink->getLoc(), relaxed);
  for (Value result : cone.results) {
    unsigned out = cast<OpResult>(result).getResultNumber();
    SmallVector<Value> args;
    for (int64_t l : online.getLinearsOf(out))
      args.push_back(block->getArgument(llvm::find(linears, l) - linears.begin()));
    for (unsigned c : online.getColumnsOf(out))
      args.push_back(block->getArgument(
          linears.size() + (llvm::find(columns, online.getColumns()[c]) - columns.begin())));
    for (unsigned t : online.getTilesOf(out))
      args.push_back(block->getArgument(linears.size() + columns.size() +
                                        (llvm::find(tiles, online.getTiles()[t]) - tiles.begin())));
    emitted[{result, Space::Matrix}] =
        f.inlineRegion(online.getFinalizers()[out], args, cone.kept.contains(result)).front();
  }
  Value value = emit(f, cone.sink->getResult(0), Space::Matrix);
  YieldOp::create(b, cone.sink->getLoc(), value);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

OnlineOp EpilogueFusion::build() {
  OpBuilder b(place);
  Location loc = online.getLoc();
  Block::iterator before = place->getIterator();
  Operation *previous = before == place->getBlock()->begin() ? nullptr : &*std::prev(before);
  collectOperands(b);

  // The outputs that stay, and the new one in place of the first that it makes superfluous, or
  // behind them all.
  SmallVector<Value> allColumns, allTiles, outs;
  SmallVector<int64_t> columnOf, tileOf;
  SmallVector<Attribute> linearsOf;
  SmallVector<int> oldOut; // -1: the new one
  bool placed = false;
  for (OpResult result : online->getOpResults()) {
    if (!cone.results.contains(result) || cone.kept.contains(result)) {
      oldOut.push_back(result.getResultNumber());
    } else if (!placed) {
      placed = true;
      oldOut.push_back(-1);
    }
  }
  if (!placed)
    oldOut.push_back(-1);
  newNumber.assign(online->getNumResults(), -1);
  auto resultType = RankedTensorType::get({online.getM(), cone.n},
                                          getElementTypeOrSelf(cone.sink->getResult(0).getType()));
  for (auto [number, old] : llvm::enumerate(oldOut)) {
    auto append = [&](ValueRange c, ValueRange t) {
      llvm::append_range(allColumns, c);
      llvm::append_range(allTiles, t);
      columnOf.append(c.size(), number);
      tileOf.append(t.size(), number);
    };
    if (old < 0) {
      newOut = number;
      append(columns, tiles);
      linearsOf.push_back(b.getDenseI64ArrayAttr(linears));
      SmallVector<Value> dynamic;
      if (resultType.isDynamicDim(0))
        dynamic.push_back(b.createOrFold<tensor::DimOp>(loc, online.getX(), 0));
      outs.push_back(tensor::EmptyOp::create(b, loc, resultType, dynamic));
      continue;
    }
    newNumber[old] = number;
    append(llvm::map_to_vector(online.getColumnsOf(old),
                               [&](unsigned c) { return Value(online.getColumns()[c]); }),
           llvm::map_to_vector(online.getTilesOf(old),
                               [&](unsigned t) { return Value(online.getTiles()[t]); }));
    linearsOf.push_back(online.getLinearsOf()[old]);
    outs.push_back(online.getOuts()[old]);
  }
  fused = OnlineOp::create(
      b, loc, ValueRange(outs).getTypes(), online.getX(), online.getGain(), online.getShift(),
      online.getWeights(), allColumns, allTiles, online.getXScale(), online.getScalars(), outs,
      online.getStatistics(), online.getLayouts(), online.getGainOffsetAttr(),
      b.getDenseI64ArrayAttr(columnOf), b.getDenseI64ArrayAttr(tileOf), b.getArrayAttr(linearsOf),
      /*schedule=*/ArrayAttr(), outs.size());
  fused->setDiscardableAttrs(online->getDiscardableAttrDictionary());
  Block::iterator first =
      previous ? std::next(previous->getIterator()) : place->getBlock()->begin();
  for (Operation &op : llvm::make_range(first, before))
    created.push_back(&op);

  IRMapping none;
  online.getRow().cloneInto(&fused.getRow(), none);
  for (auto [number, old] : llvm::enumerate(oldOut)) {
    Region &region = fused.getFinalizers()[number];
    if (old >= 0) {
      IRMapping map;
      online.getFinalizers()[old].cloneInto(&region, map);
      continue;
    }
    SmallVector<Type> types(linears.size(), b.getF32Type());
    for (Value operand : llvm::concat<Value>(columns, tiles))
      types.push_back(getElementTypeOrSelf(operand.getType()));
    Block *block = b.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
    finalize(block);
  }
  return fused;
}

void EpilogueFusion::abandon() {
  for (Operation *op : llvm::reverse(created))
    op->erase();
}

/// `matrix` in the shape of the cone's result.
Value EpilogueFusion::restoreShape(OpBuilder &b, Value matrix) {
  Operation *sink = cone.sink;
  auto type = cast<RankedTensorType>(sink->getResult(0).getType());
  Location loc = sink->getLoc();
  auto isFlat = [](const ReassociationIndices &group) { return group.empty(); };
  SmallVector<ReassociationIndices> groups = rowsAndColumns(type, cone.n);
  if (llvm::any_of(groups, isFlat)) {
    llvm::erase_if(groups, isFlat);
    matrix = vectorOf(b, matrix);
  }
  if (type.getRank() != cast<RankedTensorType>(matrix.getType()).getRank()) {
    Type collapsed = tensor::CollapseShapeOp::inferCollapsedType(type, groups);
    if (matrix.getType() != collapsed)
      matrix = tensor::CastOp::create(b, loc, collapsed, matrix);
    linalg::LinalgOp op = cone.sink;
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, op.getDpsInitOperand(0)->get());
    return tensor::ExpandShapeOp::create(b, loc, type, matrix, groups, sizes);
  }
  if (matrix.getType() != type)
    matrix = tensor::CastOp::create(b, loc, type, matrix);
  return matrix;
}

int64_t EpilogueFusion::countOperations() const {
  return llvm::count_if(cone.absorbed, [](Operation *op) { return isElementwise(op); });
}

void EpilogueFusion::commit() {
  OpBuilder b(cone.sink);
  // Extents of values that disappear are those of the tensors they were written to.
  auto redirectDims = [&](Value value, Value init) {
    for (Operation *user : llvm::make_early_inc_range(value.getUsers()))
      if (auto dim = dyn_cast<tensor::DimOp>(user); dim && dim.getSource() == value)
        dim.getSourceMutable().assign(init);
  };
  for (auto [result, init] : llvm::zip_equal(online.getResults(), online.getOuts()))
    redirectDims(result, init);
  for (Operation *op : cone.absorbed)
    if (op != cone.sink && isElementwise(op))
      redirectDims(op->getResult(0), cast<linalg::LinalgOp>(op).getDpsInitOperand(0)->get());
  Value shaped = restoreShape(b, fused.getResult(newOut));
  cone.sink->getResult(0).replaceAllUsesWith(shaped);
  for (OpResult result : online->getOpResults())
    if (int64_t number = newNumber[result.getResultNumber()]; number >= 0)
      result.replaceAllUsesWith(fused.getResult(number));
  // Users before their operands; broadcasts and casts of other operands go if nobody needs them.
  SmallVector<Operation *> dead(cone.absorbed.begin(), cone.absorbed.end());
  for (auto &[key, node] : cone.nodes) {
    Operation *op = key.first.getDefiningOp();
    bool isInside = node.kind == ConeNode::Inlined || node.kind == ConeNode::Reshaped;
    if (isInside && !cone.absorbed.contains(op) && op->getBlock() == online->getBlock() &&
        !llvm::is_contained(dead, op))
      dead.push_back(op);
  }
  llvm::sort(dead, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : dead)
    if (op->use_empty())
      op->erase();
  online->erase();
}
