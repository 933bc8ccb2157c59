//===- IterateCascade.cpp - Softmax in one pass ----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   GM[p] = max(S[p, m])                        iterate "m1" streams(S or what makes it, V)
//   SN[p, m] = map(exp(S[p, m] - GM[p]))          GM.l[p] = max(S[p, m0])
//   SD[p] = add(SN[p, m])                  ->     GM[p] = map(max(GM', GM.l))
//   NV[p, f] = add(SN[p, m] * V[m, f])            SN[p, m0] = map(exp(S[p, m0] - GM))
//                                                 GM.c[p] = map(exp(GM' - GM))
//                                                 SD.l[p] = add(SN)
//                                                 SD[p] = map(SD' * GM.c + SD.l)   ...
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/Passes.h"

#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "FlashFusion/Raise/Casts.h"
#include "Rounding.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_ITERATECASCADEPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::cascade;

namespace {
/// A softmax, found from its maximum. Others may read that, too: rows whose maximum is minus
/// infinity have no key to see.
struct Softmax {
  EinsumOp maximum, exponential;
  SmallVector<EinsumOp> sums;
  StringRef rank;
  int64_t size = 0;
  /// What moves into the iteration besides, in program order, and what it reads of the rank
  /// that stays outside.
  llvm::SetVector<Operation *> inner;
  llvm::MapVector<Value, int64_t> streams;
};
} // namespace

static bool isFloat32(Value v) {
  Type type = getElementTypeOrSelf(v.getType());
  return type.isF32() || type.isF64();
}

/// Is `value` a product with exactly one factor `arg`? Casts of it are noted.
static bool isLinearIn(Value value, Value arg, Casts &casts) {
  value = stripCasts(value, casts);
  if (value == arg)
    return true;
  Operation *op = value.getDefiningOp();
  auto isFree = [&](Value v) {
    SmallVector<Value> leaves{v};
    llvm::SmallDenseSet<Value> seen;
    while (!leaves.empty()) {
      Value leaf = leaves.pop_back_val();
      if (leaf == arg)
        return false;
      if (!seen.insert(leaf).second)
        continue;
      if (Operation *def = leaf.getDefiningOp())
        llvm::append_range(leaves, def->getOperands());
    }
    return true;
  };
  bool product = isa_and_nonnull<arith::MulFOp>(op);
  if (!product && !isa_and_nonnull<arith::DivFOp>(op))
    return false;
  casts.round |= value.getType().getIntOrFloatBitWidth() < 32;
  // At most one side goes further down.
  if (isFree(op->getOperand(1)))
    return isLinearIn(op->getOperand(0), arg, casts);
  return product && isFree(op->getOperand(0)) && isLinearIn(op->getOperand(1), arg, casts);
}

/// Is `value` the element `arg`, perhaps widened?
static bool isElement(Value value, Value arg) {
  Casts casts;
  return stripCasts(value, casts) == arg && !casts.round && !casts.quantise;
}

/// The dimension of operand `i` that the rank names.
static std::optional<int64_t> findDim(const EinsumOp::Names &names, StringRef rank) {
  auto it = llvm::find(names, rank);
  return it == names.end() ? std::nullopt : std::optional<int64_t>(it - names.begin());
}

/// Collects what makes the operands of `op` and has the rank.
static bool collectInner(Softmax &softmax, EinsumOp op) {
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    std::optional<int64_t> dim = findDim(op.getReadRanks(i), softmax.rank);
    auto producer = input.getDefiningOp<EinsumOp>();
    if (!dim || softmax.inner.contains(producer) || producer == softmax.exponential)
      continue;
    // It moves if nobody else reads it and it has the shape of the scores: a projection of
    // keys or values is not part of attention.
    bool moves = producer && producer->getBlock() == op->getBlock() &&
                 llvm::all_of(softmax.maximum.getWriteRanks(),
                              [&](StringRef rank) {
                                return llvm::is_contained(producer.getWriteRanks(), rank);
                              }) &&
                 findDim(producer.getWriteRanks(), softmax.rank) == dim && !producer.getInit() &&
                 llvm::all_of(producer->getUsers(), [&](Operation *user) {
                   return user == op || user == softmax.maximum || user == softmax.exponential ||
                          llvm::is_contained(softmax.sums, user) || softmax.inner.contains(user);
                 });
    if (moves) {
      if (!collectInner(softmax, producer))
        return false;
      softmax.inner.insert(producer);
      continue;
    }
    auto [it, isNew] = softmax.streams.try_emplace(input, *dim);
    if (!isNew && it->second != *dim)
      return false;
  }
  return true;
}

/// Whether something that the iteration reads from outside waits for its results.
static bool waitsForItself(Softmax &softmax) {
  llvm::SmallPtrSet<Operation *, 16> moved(softmax.inner.begin(), softmax.inner.end());
  moved.insert(softmax.maximum);
  moved.insert(softmax.exponential);
  for (EinsumOp sum : softmax.sums)
    moved.insert(sum);
  Block *block = softmax.maximum->getBlock();
  SmallVector<Operation *> open;
  for (Operation *op : moved)
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!moved.contains(def))
        open.push_back(def);
      else if (llvm::is_contained(softmax.sums, def) ||
               (def == softmax.maximum && op != softmax.exponential))
        return true;
    }
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!op || op->getBlock() != block || !seen.insert(op).second)
      continue;
    if (moved.contains(op))
      return true;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        open.push_back(operand.getDefiningOp());
    });
  }
  return false;
}

/// Empty if the maximum is one of a softmax that can run in one pass, else why not; nothing
/// at all if it is no softmax.
static std::optional<StringRef> match(EinsumOp maximum, bool strict, Softmax &softmax) {
  if (maximum.getReduction() != Reduction::Max || maximum.getInputs().size() != 1 ||
      !isElement(maximum.getYielded(), maximum.getBody().getArgument(0)) || maximum.getInit())
    return std::nullopt;
  softmax.maximum = maximum;
  Value scores = maximum.getInputs()[0];
  Casts casts; // of the weights
  for (Operation *user : maximum->getUsers()) {
    auto map = dyn_cast<EinsumOp>(user);
    if (!map || map.getReduction() || map.getInputs().size() != 2)
      continue;
    Casts ofWeights;
    auto exp = stripCasts(map.getYielded(), ofWeights).getDefiningOp<math::ExpOp>();
    auto sub = exp ? exp.getOperand().getDefiningOp<arith::SubFOp>() : arith::SubFOp();
    unsigned row = map.getInputs()[0] == scores ? 1 : 0;
    if (!sub || map.getInputs()[1 - row] != scores || map.getInputs()[row] != maximum.getResult() ||
        !isElement(sub.getLhs(), map.getBody().getArgument(1 - row)) ||
        !isElement(sub.getRhs(), map.getBody().getArgument(row)))
      continue;
    if (softmax.exponential)
      return "several-exponentials";
    softmax.exponential = map;
    casts = ofWeights;
  }
  if (!softmax.exponential)
    return std::nullopt;
  EinsumOp::Names reduced = maximum.getReducedRanks();
  if (reduced.size() != 1)
    return "several-ranks";
  softmax.rank = reduced[0];
  softmax.size = maximum.getRankSize(softmax.rank);
  if (maximum.getType().getNumDynamicDims() || ShapedType::isDynamic(softmax.size))
    return "dynamic-shape";
  EinsumOp exponential = softmax.exponential;
  unsigned scoresArg = exponential.getInputs()[0] == scores ? 0 : 1;
  if (exponential.getReadRanks(scoresArg) != maximum.getReadRanks(0))
    return "subscripts";
  if (!isFloat32(maximum.getResult()))
    return "element-type";
  for (Operation *user : exponential->getUsers()) {
    auto sum = dyn_cast<EinsumOp>(user);
    if (!sum || sum.getReduction() != Reduction::Add || sum.getReducedRanks() != reduced)
      return "weights-used-elsewhere";
    if (sum.getInit() || !isFloat32(sum.getResult()) || sum.getType().getNumDynamicDims())
      return "sum";
    unsigned uses = 0;
    for (auto [i, input] : llvm::enumerate(sum.getInputs()))
      if (input == exponential.getResult()) {
        ++uses;
        if (sum.getReadRanks(i) != exponential.getWriteRanks() ||
            !isLinearIn(sum.getYielded(), sum.getBody().getArgument(i), casts))
          return "not-linear";
      }
    if (uses != 1)
      return "not-linear";
    softmax.sums.push_back(sum);
  }
  if (softmax.sums.empty())
    return "no-sums";
  // Relative to a running maximum, weights are other numbers to round.
  if (casts.quantise || (casts.round && strict))
    return casts.quantise ? "quantization" : "rounding";
  // Every sum must have the maximum's ranks, for the correction.
  for (EinsumOp sum : softmax.sums)
    for (StringRef rank : maximum.getWriteRanks())
      if (!llvm::is_contained(sum.getWriteRanks(), rank))
        return "ranks";
  auto byPosition = [](EinsumOp a, EinsumOp b) { return a->isBeforeInBlock(b); };
  llvm::sort(softmax.sums, byPosition);
  for (EinsumOp op : softmax.sums)
    if (!collectInner(softmax, op))
      return "streams";
  if (!collectInner(softmax, maximum))
    return "streams";
  if (waitsForItself(softmax))
    return "waits-for-itself";
  return StringRef();
}

namespace {
struct Rewrite {
  Rewrite(RewriterBase &b, Softmax &softmax, int64_t block)
      : b(b), s(softmax), loc(softmax.maximum.getLoc()), group(softmax.maximum.getGroupAttr()) {
    while (s.size % block)
      --block;
    this->block = block;
    outerName = getFreshRank((s.rank + "1").str(), getSteps());
    innerName = getFreshRank((s.rank + "0").str(), block);
  }

  int64_t getSteps() const { return s.size / block; }

  void run() {
    Block *around = s.maximum->getBlock();
    if (auto graph = s.maximum->getParentOfType<GraphOp>(); graph && graph.getRanksAttr())
      listRanks(graph);
    b.setInsertionPointAfter(s.sums.back());
    SmallVector<Value> streams, inits;
    SmallVector<int64_t> dims;
    SmallVector<Type> argTypes{b.getIndexType()};
    for (auto [value, dim] : s.streams) {
      streams.push_back(split(value, dim));
      dims.push_back(dim);
      argTypes.push_back(resize(cast<RankedTensorType>(value.getType()), dim));
    }
    inits.push_back(splat(s.maximum.getType(), -std::numeric_limits<double>::infinity()));
    for (EinsumOp sum : s.sums)
      inits.push_back(splat(sum.getType(), 0));
    SmallVector<Type> types(ValueRange(inits).getTypes());
    llvm::append_range(argTypes, types);
    auto iterate = IterateOp::create(b, loc, types, b.getStringAttr(outerName), getSteps(), streams,
                                     inits, b.getDenseI64ArrayAttr(dims));
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&iterate.getBody(), {}, argTypes, SmallVector<Location>(argTypes.size(), loc));
    for (auto [stream, arg] : llvm::zip_equal(s.streams, iterate.getStreamArgs()))
      mapping.map(stream.first, arg);
    SmallVector<Operation *> inner(s.inner.begin(), s.inner.end());
    llvm::sort(inner, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
    for (Operation *op : inner)
      clone(cast<EinsumOp>(op));
    YieldOp::create(b, loc, buildStep(iterate.getStateArgs()));
    for (auto [sum, result] : llvm::zip_equal(s.sums, iterate.getResults().drop_front()))
      b.replaceOp(sum, result);
    b.eraseOp(s.exponential);
    // Who tells rows with no key to see from others.
    b.replaceOp(s.maximum, iterate.getResult(0));
    for (Operation *op : llvm::reverse(inner))
      b.eraseOp(op);
    // What reads an early sum may stand before the iteration.
    sortTopologically(around);
  }

private:
  std::string name(EinsumOp op, StringRef suffix) { return (op.getName() + suffix).str(); }

  /// The new ranks in the order of loops, right outside of the one they stand for.
  void listRanks(GraphOp graph) {
    SmallVector<Attribute> ranks;
    for (auto rank : graph.getRanksAttr().getAsRange<RankAttr>()) {
      ranks.push_back(rank);
      if (rank.getName() != s.rank)
        continue;
      for (auto [name, size] : {std::pair(innerName, block), std::pair(outerName, getSteps())})
        if (llvm::none_of(graph.collectRanks(), [&](auto known) { return known.first == name; }))
          ranks.push_back(RankAttr::get(graph.getContext(), name, size));
    }
    graph.setRanksAttr(b.getArrayAttr(ranks));
  }

  /// A name that no rank of another size has in the graph.
  std::string getFreshRank(std::string rank, int64_t size) {
    auto graph = s.maximum->getParentOfType<GraphOp>();
    auto isTaken = [&](auto known) { return known.first == rank && known.second != size; };
    while (graph && llvm::any_of(graph.collectRanks(), isTaken))
      rank += "_";
    return rank;
  }

  RankedTensorType resize(RankedTensorType type, int64_t dim) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = block;
    return RankedTensorType::get(shape, type.getElementType());
  }

  /// [.., m, ..] as [.., m1, m0, ..].
  Value split(Value value, int64_t dim) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = block;
    shape.insert(shape.begin() + dim, getSteps());
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      int64_t first = i + (i > dim);
      groups.push_back(i == dim ? ReassociationIndices{first, first + 1}
                                : ReassociationIndices{first});
    }
    return tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get(shape, type.getElementType()), value, groups);
  }

  Value splat(RankedTensorType type, double value) {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, b.getFloatAttr(type.getElementType(), value)));
  }

  SmallVector<StringRef> rename(const EinsumOp::Names &names) {
    SmallVector<StringRef> result;
    for (StringRef rank : names)
      result.push_back(rank == s.rank ? StringRef(innerName) : rank);
    return result;
  }

  static Value cloneBody(OpBuilder &inner, EinsumOp op, IRMapping &values) {
    for (Operation &nested : op.getBody().front().without_terminator())
      inner.clone(nested, values);
    return values.lookup(op.getYielded());
  }

  EinsumOp clone(EinsumOp op, StringRef suffix = "") {
    SmallVector<Access> reads;
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      reads.push_back({mapping.lookupOrDefault(input), rename(op.getReadRanks(i))});
    auto copy = createEinsum(
        b, op.getLoc(), name(op, suffix), rename(op.getWriteRanks()), op.getReduction(), reads,
        [&](OpBuilder &inner, ValueRange elements) {
          IRMapping values;
          values.map(op.getBody().front().getArguments(), elements);
          return cloneBody(inner, op, values);
        },
        op.getGroupAttr());
    mapping.map(op.getResult(), copy.getResult());
    return copy;
  }

  /// What a maximum stands for in an exponential: one of minus infinity (nothing seen so far) for
  /// 0, since the exponential of minus infinity is 0, its difference with itself no number.
  Value getShift(OpBuilder &inner, Value maximum) {
    auto type = cast<FloatType>(maximum.getType());
    Value none = arith::ConstantOp::create(
        inner, loc, b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(), true)));
    Value zero = arith::ConstantOp::create(inner, loc, b.getFloatAttr(type, 0.0));
    Value empty = arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OEQ, maximum, none);
    return arith::SelectOp::create(inner, loc, empty, zero, maximum);
  }

  SmallVector<Value> buildStep(ValueRange states) {
    EinsumOp maximum = s.maximum, exponential = s.exponential;
    SmallVector<StringRef> row = rename(maximum.getWriteRanks());
    Value scores = mapping.lookup(maximum.getInputs()[0]);
    SmallVector<StringRef> scoreRanks = rename(maximum.getReadRanks(0));
    Value local = clone(maximum, ".l");
    Value running = createEinsum(
        b, loc, maximum.getName(), row, std::nullopt, {{states[0], row}, {local, row}},
        [&](OpBuilder &inner, ValueRange v) -> Value {
          return arith::MaximumFOp::create(inner, loc, v[0], v[1]);
        },
        group);
    // The maximum's ranks as the exponential reads them: they are those of the scores.
    unsigned rowArg = exponential.getInputs()[0] == maximum.getInputs()[0] ? 1 : 0;
    Value weights = createEinsum(
        b, loc, exponential.getName(), rename(exponential.getWriteRanks()), std::nullopt,
        {{scores, scoreRanks}, {running, row}},
        [&](OpBuilder &inner, ValueRange v) {
          IRMapping values;
          values.map(exponential.getBody().getArgument(1 - rowArg), v[0]);
          values.map(exponential.getBody().getArgument(rowArg), getShift(inner, v[1]));
          return cloneBody(inner, exponential, values);
        },
        exponential.getGroupAttr());
    mapping.map(exponential.getResult(), weights);
    Value correction = createEinsum(
        b, loc, name(maximum, ".c"), row, std::nullopt, {{states[0], row}, {running, row}},
        [&](OpBuilder &inner, ValueRange v) -> Value {
          Value shift = getShift(inner, v[1]);
          return math::ExpOp::create(inner, loc, arith::SubFOp::create(inner, loc, v[0], shift));
        },
        group);
    SmallVector<Value> next{running};
    for (auto [sum, state] : llvm::zip_equal(s.sums, states.drop_front())) {
      SmallVector<StringRef> ranks = rename(sum.getWriteRanks());
      Value part = clone(sum, ".l");
      Value corrected = createEinsum(
          b, loc, name(sum, ".p"), ranks, std::nullopt, {{state, ranks}, {correction, row}},
          [&](OpBuilder &inner, ValueRange v) -> Value {
            return arith::MulFOp::create(inner, loc, v[0], v[1]);
          },
          sum.getGroupAttr());
      next.push_back(createEinsum(
          b, loc, sum.getName(), ranks, std::nullopt, {{part, ranks}, {corrected, ranks}},
          [&](OpBuilder &inner, ValueRange v) -> Value {
            return arith::AddFOp::create(inner, loc, v[0], v[1]);
          },
          sum.getGroupAttr()));
    }
    return next;
  }

  RewriterBase &b;
  Softmax &s;
  Location loc;
  StringAttr group;
  int64_t block;
  std::string outerName, innerName;
  IRMapping mapping;
};

struct IterateCascadePass : flashfusion::impl::IterateCascadePassBase<IterateCascadePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (block < 1)
      return emitError(UnknownLoc::get(context), "ff-cascade-iterate: block must be positive");
    return checkRounding(context, "ff-cascade-iterate", rounding);
  }

  void runOnOperation() override {
    using Arg = remark::detail::Remark::Arg;
    IRRewriter rewriter(&getContext());
    SmallVector<EinsumOp> maxima;
    getOperation().walk([&](EinsumOp op) {
      if (op.getReduction() == Reduction::Max)
        maxima.push_back(op);
    });
    for (EinsumOp maximum : maxima) {
      Softmax softmax;
      std::optional<StringRef> reason = match(maximum, rounding == "strict", softmax);
      if (!reason)
        continue;
      auto func = maximum->getParentOfType<FunctionOpInterface>();
      auto options = [&](StringRef name) {
        return remark::RemarkOpts::name(name)
            .category("ff-cascade-iterate")
            .function(func ? func.getName() : StringRef());
      };
      if (!reason->empty()) {
        remark::missed(maximum.getLoc(), options("declined")) << Arg("reason", *reason);
        continue;
      }
      Rewrite rewrite(rewriter, softmax, std::min<int64_t>(block, softmax.size));
      remark::passed(maximum.getLoc(), options("one-pass"))
          << Arg("rank", softmax.rank) << Arg("steps", rewrite.getSteps())
          << Arg("sums", static_cast<unsigned>(softmax.sums.size()));
      rewrite.run();
    }
  }
};
} // namespace
