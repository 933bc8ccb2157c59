//===- Raise.cpp - linalg to ff.norm_linear --------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %s = linalg.generic sum_k x^2        (and whatever else spells a norm)
//   %h = linalg.generic x * rsqrt(s / K + eps) * g
//   %q = linalg.matmul ins(%h, %wq) ; %q1 = %q + %c ; %q2 = truncf %q1
//   %k = linalg.matmul ins(%h, %wk)
// becomes
//   %q2, %k = ff.norm_linear rms_norm(%x) gain(%g) weights(%wq, %wk) biases(%c)
//
// Contractions are matched one by one without changing anything, grouped by
// norm, and rewritten; what became dead is erased; remarks come last, in the
// order of the program.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Passes.h"

#include "FlashFusion/Raise/Match.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_RAISEPASS
#include "FlashFusion/Raise/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

/// Linears of one norm: one ff.norm_linear.
struct Group {
  SmallVector<Match *> members;
  /// The op is created in front of this one.
  Operation *before = nullptr;
  bool escapes = false;
};

/// A contraction in program order, and what became of it.
struct Entry {
  Location loc;
  std::string function;
  Outcome outcome;
  Group *group = nullptr;
};

class Rewriter {
public:
  explicit Rewriter(std::vector<Entry> &entries) : entries(entries) {}
  void run();

private:
  Group *assign(Match &match);
  bool canHoist(Value value, Operation *before, SetVector<Operation *> &moves, unsigned depth);
  bool prepare(Match &match, Operation *before, SetVector<Operation *> &moves);
  void rewrite(Group &group);
  bool residualEscapes(Value x);
  Value map(Value value) const {
    auto it = replaced.find(value);
    return it == replaced.end() ? value : it->second;
  }

  std::vector<Entry> &entries;
  std::vector<std::unique_ptr<Group>> groups;
  llvm::DenseSet<Value> results;
  llvm::DenseMap<Value, Group *> groupOf;
  llvm::DenseMap<Value, Value> replaced;
  llvm::DenseSet<Value> erased;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether `value` is, or can be moved, in front of `before`.
bool Rewriter::canHoist(Value value, Operation *before, SetVector<Operation *> &moves,
                        unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != before->getBlock())
    return true;
  // The result of a Linear will be there when its own group is.
  if (results.contains(value)) {
    Group *group = groupOf.lookup(value);
    return group && group->before->isBeforeInBlock(before) && op->isBeforeInBlock(before);
  }
  if (op->isBeforeInBlock(before))
    return true;
  if (depth == 0 || op->getNumRegions() > 0 || !isPure(op))
    return false;
  for (Value operand : op->getOperands())
    if (!canHoist(operand, before, moves, depth - 1))
      return false;
  moves.insert(op);
  return true;
}

bool Rewriter::prepare(Match &match, Operation *before, SetVector<Operation *> &moves) {
  SmallVector<Value> needed{match.x.value, match.linear.weight.value};
  if (match.linear.bias)
    needed.push_back(match.linear.bias.value);
  for (Value scale : {match.linear.scale.view.value, match.linear.scale.scalar,
                      match.xScale.view.value, match.xScale.scalar})
    if (scale)
      needed.push_back(scale);
  for (const std::optional<Poly> &poly : {match.norm.gain, match.norm.shift})
    if (poly)
      llvm::append_range(needed, leavesOf(*match.algebra, *poly));
  llvm::append_range(needed, leavesOf(*match.algebra, match.norm.eps));
  return llvm::all_of(needed, [&](Value v) { return canHoist(v, before, moves, 8); });
}

/// The first operation in `value`'s block that uses it, or holds a user.
static Operation *firstUser(Value value) {
  Block *block = value.getParentBlock();
  Operation *first = block->getTerminator();
  for (Operation *user : value.getUsers())
    if (Operation *ancestor = block->findAncestorOpInBlock(*user))
      if (ancestor->isBeforeInBlock(first))
        first = ancestor;
  return first;
}

Group *Rewriter::assign(Match &match) {
  // As late as possible: weights of later Linears are then most likely there.
  Operation *user = firstUser(match.linear.result.value);
  for (const std::unique_ptr<Group> &group : groups) {
    if (group->before->getBlock() != user->getBlock() || group->members[0]->key != match.key)
      continue;
    Operation *before = user->isBeforeInBlock(group->before) ? user : group->before;
    SetVector<Operation *> moves;
    if (!prepare(match, before, moves) ||
        !llvm::all_of(group->members, [&](Match *m) { return prepare(*m, before, moves); }))
      continue;
    for (Operation *op : moves)
      op->moveBefore(before);
    group->before = before;
    group->members.push_back(&match);
    return group.get();
  }
  groups.push_back(std::make_unique<Group>());
  groups.back()->before = user;
  groups.back()->members.push_back(&match);
  return groups.back().get();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The extent of dimension `d` of `value`, from what it was allocated with.
static OpFoldResult extentOf(OpBuilder &b, Location loc, Value value, int64_t d) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(d))
    return b.getIndexAttr(type.getDimSize(d));
  while (auto op = value.getDefiningOp<DestinationStyleOpInterface>())
    value = op.getTiedOpOperand(cast<OpResult>(value))->get();
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes()[d];
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
    return expand.getMixedOutputShape()[d];
  return tensor::getMixedSize(b, loc, value, d);
}

/// If nothing but extents of the results of `op` is used, takes them from
/// elsewhere.
static void releaseExtents(Operation *op) {
  if (!isa<DestinationStyleOpInterface, tensor::ExpandShapeOp>(op))
    return;
  SmallVector<tensor::DimOp> dims;
  for (Operation *user : op->getUsers()) {
    auto dim = dyn_cast<tensor::DimOp>(user);
    if (!dim || !dim.getConstantIndex() ||
        *dim.getConstantIndex() >= cast<ShapedType>(dim.getSource().getType()).getRank())
      return;
    dims.push_back(dim);
  }
  for (tensor::DimOp dim : dims) {
    OpBuilder b(dim);
    OpFoldResult extent = extentOf(b, dim.getLoc(), dim.getSource(), *dim.getConstantIndex());
    dim.replaceAllUsesWith(getValueOrCreateConstantIndexOp(b, dim.getLoc(), extent));
    dim.erase();
  }
}

Value flashfusion::shapeResult(OpBuilder &b, Location loc, Value value, const Linear &linear) {
  const View &view = linear.result;
  auto type = cast<RankedTensorType>(view.value.getType());
  if (linear.transposed) {
    auto from = cast<RankedTensorType>(value.getType());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
    std::swap(sizes[0], sizes[1]);
    Value init = tensor::EmptyOp::create(b, loc, sizes, from.getElementType());
    value = linalg::TransposeOp::create(b, loc, value, init, ArrayRef<int64_t>{1, 0})->getResult(0);
  }
  int64_t rank = type.getRank(), split = 0;
  for (size_t count = 0; split < rank && count < linear.outer().size(); ++split)
    count += view.access[split].size();
  if (linear.outer().empty() && rank >= 2 && type.getDimSize(0) == 1)
    split = 1;
  if (linear.inner().empty())
    split = rank >= 2 && type.getDimSize(rank - 1) == 1 ? rank - 1 : rank;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> flat;
  for (auto [from, to] : {std::pair(int64_t(0), split), std::pair(split, rank)}) {
    int64_t extent = 1;
    groups.emplace_back();
    for (int64_t d = from; d < to; ++d) {
      groups.back().push_back(d);
      extent = type.isDynamicDim(d) || ShapedType::isDynamic(extent) ? ShapedType::kDynamic
                                                                     : extent * type.getDimSize(d);
    }
    flat.push_back(extent);
  }
  auto matrix = RankedTensorType::get(flat, type.getElementType());
  if (value.getType() != matrix)
    value = tensor::CastOp::create(b, loc, matrix, value);
  if (rank == 2 && split == 1)
    return value;
  // One of the two groups has no dimension.
  if (split == 0 || split == rank) {
    value =
        tensor::CollapseShapeOp::create(b, loc, value, SmallVector<ReassociationIndices>{{0, 1}});
    llvm::erase_if(groups, [](const ReassociationIndices &group) { return group.empty(); });
    if (rank == 1)
      return value;
  }
  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d < rank; ++d)
    sizes.push_back(extentOf(b, loc, view.value, d));
  return tensor::ExpandShapeOp::create(b, loc, type, value, groups, sizes);
}

/// g(k) + offset, the offset a constant.
static Poly splitOffset(const Poly &gain, double &offset) {
  offset = 0.0;
  auto it = gain.terms.find({});
  if (gain.terms.size() != 2 || it == gain.terms.end())
    return gain;
  Poly rest = gain - Poly(it->second);
  if (!rest.getFactor())
    return gain;
  offset = toDouble(it->second);
  return rest;
}

void Rewriter::rewrite(Group &group) {
  Match &first = *group.members[0];
  const Algebra &algebra = *first.algebra;
  Location loc = first.linear.op.getLoc();
  OpBuilder b(group.before);
  auto renamed = [&](Value value) { return map(value); };
  auto stored = [&](const View &view) { return View{map(view.value), view.access}; };

  Value x = emitMatrix(b, loc, stored(first.x), first.linear.rows, first.linear.ks);
  if (getElementTypeOrSelf(x.getType()).isF64())
    x = emitRounded(b, loc, x);
  Value xScale = first.xScale ? emitScale(b, loc, first.xScale, renamed) : Value();
  Value gain, shift, epsValue;
  FloatAttr eps;
  double offset = 0.0;
  if (first.norm.gain)
    gain = emitVector(b, loc, algebra, splitOffset(*first.norm.gain, offset), first.linear.ks,
                      renamed);
  if (first.norm.shift)
    shift = emitVector(b, loc, algebra, *first.norm.shift, first.linear.ks, renamed);
  if (std::optional<Rational> c = first.norm.eps.getConstant())
    eps = b.getF64FloatAttr(toDouble(*c));
  else
    epsValue = emitScalar(b, loc, algebra, first.norm.eps, renamed);

  SmallVector<Value> weights, scales, biases;
  SmallVector<int64_t> scaleOf, biasOf;
  SmallVector<Attribute> layouts;
  SmallVector<Type> types;
  int64_t m = cast<ShapedType>(x.getType()).getDimSize(0);
  for (auto [l, match] : llvm::enumerate(group.members)) {
    const Linear &linear = match->linear;
    bool nk = linear.layout == WeightLayout::NK;
    weights.push_back(emitMatrix(b, loc, stored(linear.weight), nk ? linear.ns : linear.ks,
                                 nk ? linear.ks : linear.ns));
    layouts.push_back(WeightLayoutAttr::get(b.getContext(), linear.layout));
    if (linear.scale) {
      scales.push_back(emitScale(b, loc, linear.scale, renamed));
      scaleOf.push_back(l);
    }
    if (linear.bias) {
      biases.push_back(emitVector(b, loc, stored(linear.bias)));
      biasOf.push_back(l);
    }
    int64_t n = cast<ShapedType>(weights.back().getType()).getDimSize(nk ? 0 : 1);
    types.push_back(
        RankedTensorType::get({m, n}, getElementTypeOrSelf(linear.result.value.getType())));
  }
  Operation *op;
  if (first.norm.other)
    op = emitOther(b, loc, first.norm,
                   {x, gain, shift, epsValue, offset, weights, biases, layouts, biasOf, types,
                    scales, scaleOf, xScale});
  else
    op = NormLinearOp::create(b, loc, types, NormKindAttr::get(b.getContext(), first.norm.kind), x,
                              xScale, gain, shift, weights, scales, biases, epsValue, eps,
                              b.getF64FloatAttr(offset), b.getArrayAttr(layouts),
                              b.getDenseI64ArrayAttr(scaleOf), b.getDenseI64ArrayAttr(biasOf));
  for (auto [match, result] : llvm::zip_equal(group.members, op->getResults())) {
    // Behind both the new op and the old result: extents are known there.
    Value old = match->linear.result.value;
    if (group.before->isBeforeInBlock(old.getDefiningOp()))
      b.setInsertionPoint(old.getDefiningOp());
    else
      b.setInsertionPoint(group.before);
    Value shaped = shapeResult(b, loc, result, match->linear);
    old.replaceAllUsesWith(shaped);
    replaced[old] = shaped;
  }
}

llvm::DenseSet<Value> flashfusion::eraseDead(ArrayRef<Operation *> roots) {
  llvm::DenseSet<Value> erased;
  SetVector<Operation *> worklist(roots.begin(), roots.end());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    releaseExtents(op);
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        worklist.insert(producer);
    // Bodies read scalars of the enclosing function.
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp(); producer && !op->isAncestor(producer))
          worklist.insert(producer);
    });
    for (Value result : op->getResults())
      erased.insert(result);
    worklist.remove(op);
    op->erase();
  }
  return erased;
}

/// Whether `x` is a sum of two tensors that something else reads, too.
bool Rewriter::residualEscapes(Value x) {
  auto op = x.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumReductionLoops() > 0 || op.getNumDpsInputs() < 2)
    return false;
  Value sum = op.getBlock()->getTerminator()->getOperand(cast<OpResult>(x).getResultNumber());
  while (isa_and_present<arith::ExtFOp, arith::TruncFOp>(sum.getDefiningOp()))
    sum = sum.getDefiningOp()->getOperand(0);
  if (!sum.getDefiningOp<arith::AddFOp>())
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!op.getMatchingIndexingMap(input).isPermutation())
      return false;
  return llvm::any_of(x.getUsers(), [](Operation *user) {
    return !isa<NormLinearOp>(user) &&
           !(isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user) &&
             llvm::all_of(user->getUsers(), llvm::IsaPred<NormLinearOp>));
  });
}

void Rewriter::run() {
  for (Entry &entry : entries)
    if (entry.outcome.match)
      results.insert(entry.outcome.match->linear.result.value);
  for (Entry &entry : entries) {
    if (!entry.outcome.match)
      continue;
    entry.group = assign(*entry.outcome.match);
    groupOf[entry.outcome.match->linear.result.value] = entry.group;
  }
  for (const std::unique_ptr<Group> &group : groups)
    rewrite(*group);
  SmallVector<Operation *> replacedOps;
  for (const std::unique_ptr<Group> &group : groups)
    for (Match *match : group->members)
      replacedOps.push_back(match->linear.result.value.getDefiningOp());
  erased = eraseDead(replacedOps);
  for (const std::unique_ptr<Group> &group : groups) {
    for (Match *match : group->members)
      group->escapes |=
          llvm::any_of(match->normalized, [&](Value value) { return !erased.contains(value); });
    group->escapes |= residualEscapes(map(group->members[0]->x.value));
  }

  using Arg = remark::detail::Remark::Arg;
  llvm::DenseSet<Group *> reported;
  for (const Entry &entry : entries) {
    auto options = [&](StringRef name) {
      return remark::RemarkOpts::name(name).category("ff-raise").function(entry.function);
    };
    if (Group *group = entry.group) {
      if (reported.insert(group).second)
        remark::passed(entry.loc, options("norm_linear"))
            << Arg("kind", group->members[0]->norm.other
                               ? StringRef("other")
                               : stringifyNormKind(group->members[0]->norm.kind))
            << Arg("linears", static_cast<int64_t>(group->members.size()))
            << Arg("escapes", group->escapes);
    } else if (entry.outcome.declined) {
      remark::missed(entry.loc, options("declined"))
          << Arg("reason", entry.outcome.declined->id)
          << Arg("message", entry.outcome.declined->text);
    }
  }
}

namespace {
struct RaisePass : flashfusion::impl::RaisePassBase<RaisePass> {
  using Base::Base;

  void runOnOperation() override {
    if (rounding != "relaxed" && rounding != "strict") {
      getOperation().emitError() << "ff-raise: rounding is 'relaxed' or 'strict', not '" << rounding
                                 << "'";
      return signalPassFailure();
    }
    std::vector<Entry> entries;
    getOperation().walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
      // Without a terminator a block is a graph: nothing comes before anything.
      if ((!isContraction(op) && !isa<linalg::DotOp>(op)) || !op->getBlock()->mightHaveTerminator())
        return;
      auto function = op->getParentOfType<FunctionOpInterface>();
      entries.push_back({op.getLoc(), function ? function.getName().str() : "",
                         matchContraction(op, rounding == "strict", others)});
    });
    Rewriter(entries).run();
    if (plainLinears)
      raisePlainLinears(getOperation(), rounding == "strict");
  }
};
} // namespace
