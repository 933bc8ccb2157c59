//===- DeferCascade.cpp - Factors that wait for a reduction leave the sum --===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   A[p, m] = map(SN[p, m] / SD[p])             AV.1[p, f] = add(SN[p, m] * V[m, f])
//   AV[p, f] = add(A[p, m] * V[m, f])     ->    AV[p, f] = map(AV.1[p, f] / SD[p])
//
//   Y[p, k] = map((X[p, k] - MU[p]) * R[p])     Z.1[p, n] = add(X[p, k] * W[n, k])
//   Z[p, n] = add(Y[p, k] * W[n, k])      ->    Z.2[n] = add(W[n, k])
//                                               Z[p, n] = map((Z.1 - MU * Z.2) * R)
//
// In 16 bits Y is rounded, which is in the way of R: it is not with relaxed rounding, when the sums
// are f32 at least and Z alone is rounded, as ff-raise does it.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/FactorOut.h"
#include "FlashFusion/Cascade/Passes.h"
#include "FlashFusion/Cascade/PlanGraphs.h"
#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "Rounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <set>

namespace mlir::flashfusion {
#define GEN_PASS_DEF_DEFERCASCADEPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::cascade;

/// Does the value wait, through maps, for a reduction over one of the ranks?
static bool waitsForReduction(Value value, const EinsumOp::Names &ranks) {
  SmallVector<Value> open{value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value v = open.pop_back_val();
    auto einsum = v.getDefiningOp<EinsumOp>();
    if (!einsum || !seen.insert(v).second)
      continue;
    if (!einsum.getReduction())
      llvm::append_range(open, einsum.getInputs());
    else if (llvm::any_of(einsum.getReducedRanks(),
                          [&](StringRef rank) { return llvm::is_contained(ranks, rank); }))
      return true;
  }
  return false;
}

/// The elements that a value is made of, in order of operands. Bodies share subexpressions:
/// every one is visited once.
static void collectArguments(Value value, llvm::SmallSetVector<unsigned, 8> &arguments) {
  SmallVector<Value> open{value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value v = open.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    if (auto arg = dyn_cast<BlockArgument>(v)) {
      arguments.insert(arg.getArgNumber());
      continue;
    }
    SmallVector<Value> operands(v.getDefiningOp()->getOperands());
    llvm::append_range(open, llvm::reverse(operands));
  }
}

static bool isConstant(Value v) {
  llvm::SmallSetVector<unsigned, 8> used;
  collectArguments(v, used);
  return used.empty();
}

/// Is the tensor made by a map that multiplies one element by constants, without a rounding?
/// PyTorch's attention scales Q and K so; behind the sum it is done once.
static bool onlyScales(Value tensor) {
  auto map = tensor.getDefiningOp<EinsumOp>();
  if (!map || map.getReduction() || map.getInputs().size() != 1)
    return false;
  FactoredSum factored = factorOut(map.getYielded(), isConstant);
  const FactoredTerm &term = factored.terms.front();
  return factored.terms.size() == 1 && (!factored.times.empty() || !factored.over.empty()) &&
         term.inner.size() == 1 && isa<BlockArgument>(term.inner.front()) && term.innerOver.empty();
}

namespace {
/// A sum with the maps that feed it inlined: one body over everything they read.
struct Inlined {
  Inlined(EinsumOp sum, bool relaxed) : sum(sum), reduced(sum.getReducedRanks()), relaxed(relaxed) {
    region.push_back(new Block);
    IRMapping mapping;
    for (auto [i, input] : llvm::enumerate(sum.getInputs()))
      mapping.map(sum.getBody().getArgument(i), read(input, sum.getReadRanks(i)));
    value = cloneBody(sum, mapping);
  }

  /// Whether the value is made of elements alone that do not vary over the reduced ranks;
  /// `ranksOf` an argument of the body it is in.
  bool isOuter(Value v, llvm::function_ref<ArrayRef<StringRef>(unsigned)> ranksOf) {
    llvm::SmallSetVector<unsigned, 8> used;
    collectArguments(v, used);
    return llvm::all_of(used, [&](unsigned i) {
      return llvm::none_of(ranksOf(i),
                           [&](StringRef rank) { return llvm::is_contained(reduced, rank); });
    });
  }
  bool isOuter(Value v) {
    return isOuter(v, [&](unsigned i) { return ArrayRef(accesses[i].ranks); });
  }

  /// Whether one of the arguments that the value is made of waits.
  bool waits(Value v, llvm::function_ref<Value(unsigned)> tensorOf) {
    llvm::SmallSetVector<unsigned, 8> used;
    collectArguments(v, used);
    return llvm::any_of(used, [&](unsigned i) { return waitsForReduction(tensorOf(i), reduced); });
  }
  bool waits(Value v) {
    return waits(v, [&](unsigned i) { return accesses[i].value; });
  }

  FactoredSum factor() {
    auto outer = [&](Value v) { return isOuter(v); };
    auto mayLeave = [&](Value v) { return isOuter(v) && waits(v); };
    return factorOut(value, outer, relaxed ? llvm::function_ref<bool(Value)>(mayLeave) : nullptr);
  }

  EinsumOp sum;
  EinsumOp::Names reduced;
  bool relaxed;        ///< a rounding may be passed over
  bool scaled = false; ///< a map that only scales has gone
  Region region;
  SmallVector<Access> accesses; ///< per argument of the block
  Value value;

private:
  Value cloneBody(EinsumOp op, IRMapping &mapping) {
    OpBuilder b(op.getContext());
    b.setInsertionPointToEnd(&region.front());
    for (Operation &inner : op.getBody().front().without_terminator())
      b.clone(inner, mapping);
    return mapping.lookup(op.getYielded());
  }

  /// The element of a tensor: an argument, or the map that makes it if that holds a factor
  /// that waits.
  Value read(Value tensor, const EinsumOp::Names &names) {
    bool scales = onlyScales(tensor);
    scaled |= scales;
    if (scales || exposesFactor(tensor, names)) {
      auto map = tensor.getDefiningOp<EinsumOp>();
      IRMapping mapping;
      for (auto [i, input] : llvm::enumerate(map.getInputs()))
        mapping.map(map.getBody().getArgument(i), read(input, rename(map, i, names)));
      return cloneBody(map, mapping);
    }
    for (auto [access, arg] : llvm::zip(accesses, region.front().getArguments()))
      if (access.value == tensor && llvm::equal(access.ranks, names))
        return arg;
    accesses.push_back({tensor, names});
    return region.front().addArgument(getElementTypeOrSelf(tensor.getType()), sum.getLoc());
  }

  /// Ranks of operand `i` of a map whose result is read as `names`.
  static EinsumOp::Names rename(EinsumOp map, unsigned i, const EinsumOp::Names &names) {
    EinsumOp::Names writes = map.getWriteRanks(), renamed;
    for (StringRef rank : map.getReadRanks(i))
      renamed.push_back(rank == "_" ? rank : names[llvm::find(writes, rank) - writes.begin()]);
    return renamed;
  }

  /// Is the tensor made by a map, and is a factor or offset in it outer and waits?
  bool exposesFactor(Value tensor, const EinsumOp::Names &names) {
    auto map = tensor.getDefiningOp<EinsumOp>();
    bool varies = llvm::any_of(names, [&](StringRef n) { return llvm::is_contained(reduced, n); });
    if (!map || !varies || map.getReduction() || !waitsForReduction(tensor, reduced) ||
        !isa<FloatType>(getElementTypeOrSelf(tensor.getType())))
      return false;
    SmallVector<EinsumOp::Names> inputs;
    for (unsigned i = 0; i < map.getInputs().size(); ++i)
      inputs.push_back(rename(map, i, names));
    auto outer = [&](Value v) {
      return isOuter(v, [&](unsigned i) { return ArrayRef(inputs[i]); });
    };
    auto waitsOutside = [&](Value v) {
      return outer(v) && waits(v, [&](unsigned i) { return map.getInputs()[i]; });
    };
    // Or with a factor that the map which makes an operand exposes.
    auto exposes = [&](Value v) {
      auto arg = dyn_cast<BlockArgument>(v);
      return arg && exposesFactor(map.getInputs()[arg.getArgNumber()],
                                  rename(map, arg.getArgNumber(), names));
    };
    auto mayLeave = [&](Value v) { return waitsOutside(v) || exposes(v); };
    FactoredSum factored = factorOut(map.getYielded(), outer,
                                     relaxed ? llvm::function_ref<bool(Value)>(mayLeave) : nullptr);
    auto anyWaits = [&](ArrayRef<Value> values) { return llvm::any_of(values, waitsOutside); };
    // Of a sum of tensors the sum would be run once for each.
    std::set<SmallVector<unsigned>> summands;
    for (const FactoredTerm &term : factored.terms) {
      llvm::SmallSetVector<unsigned, 8> used;
      for (Value v : term.inner)
        collectArguments(v, used);
      if (llvm::all_of(names, [&](StringRef rank) {
            return llvm::any_of(used,
                                [&](unsigned i) { return llvm::is_contained(inputs[i], rank); });
          })) {
        SmallVector<unsigned> tensors(used.begin(), used.end());
        llvm::sort(tensors);
        summands.insert(std::move(tensors));
      }
    }
    if (summands.size() > 1)
      return false;
    if (anyWaits(factored.times) || anyWaits(factored.over) || anyWaits(factored.zeroIf))
      return true;
    return llvm::any_of(factored.terms, [&](const FactoredTerm &term) {
      return anyWaits(term.times) || anyWaits(term.over) || anyWaits(term.zeroIf) ||
             llvm::any_of(term.inner, exposes);
    });
  }
};
} // namespace

/// Clones what `value` is made of, elements being in `mapping`.
static Value cloneExpression(OpBuilder &b, Value value, IRMapping &mapping) {
  if (mapping.contains(value))
    return mapping.lookup(value);
  for (Value operand : value.getDefiningOp()->getOperands())
    cloneExpression(b, operand, mapping);
  return b.clone(*value.getDefiningOp(), mapping)->getResult(0);
}

/// The value as one of the type, f32 or f64, or rounded to it.
static Value convert(OpBuilder &b, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < to)
    return arith::ExtFOp::create(b, value.getLoc(), type, value);
  return arith::TruncFOp::create(b, value.getLoc(), type, value);
}

static Value multiplyAll(OpBuilder &b, Type type, ArrayRef<Value> times, ArrayRef<Value> over,
                         IRMapping &mapping, Value start = {}) {
  Value result = start;
  for (Value v : times) {
    Value factor = convert(b, cloneExpression(b, v, mapping), type);
    result = result ? arith::MulFOp::create(b, v.getLoc(), result, factor) : factor;
  }
  for (Value v : over) {
    Value divisor = convert(b, cloneExpression(b, v, mapping), type);
    if (!result)
      result = arith::ConstantOp::create(b, v.getLoc(), b.getFloatAttr(type, 1.0));
    result = arith::DivFOp::create(b, v.getLoc(), result, divisor);
  }
  return result;
}

static Value clear(OpBuilder &b, Value value, ArrayRef<Value> zeroIf, IRMapping &mapping) {
  for (Value v : zeroIf) {
    Value zero = arith::ConstantOp::create(b, v.getLoc(), b.getFloatAttr(value.getType(), 0.0));
    value = arith::SelectOp::create(b, v.getLoc(), cloneExpression(b, v, mapping), zero, value);
  }
  return value;
}

/// sum(product(inner) / product(innerOver)) of one term; null for a pure offset.
static EinsumOp buildSum(OpBuilder &b, Inlined &in, const FactoredTerm &term, Type type,
                         unsigned number) {
  EinsumOp sum = in.sum;
  llvm::SmallSetVector<unsigned, 8> used;
  for (const auto *list : {&term.inner, &term.innerOver})
    for (Value v : *list)
      collectArguments(v, used);
  SmallVector<Access> reads;
  llvm::SmallSetVector<StringRef, 8> ranks;
  for (unsigned i : used) {
    reads.push_back(in.accesses[i]);
    ranks.insert_range(in.accesses[i].ranks);
  }
  EinsumOp::Names writes;
  for (StringRef rank : sum.getWriteRanks())
    if (ranks.contains(rank))
      writes.push_back(rank);
  return createEinsum(
      b, sum.getLoc(), (sum.getName() + "." + Twine(number)).str(), writes, Reduction::Add, reads,
      [&](OpBuilder &inner, ValueRange elements) {
        IRMapping mapping;
        for (auto [i, element] : llvm::zip_equal(used, elements))
          mapping.map(in.region.front().getArgument(i), element);
        return multiplyAll(inner, type, term.inner, term.innerOver, mapping);
      },
      sum.getGroupAttr());
}

/// The number of points that are summed, if static.
static std::optional<int64_t> countReduced(EinsumOp sum) {
  int64_t count = 1;
  for (StringRef rank : sum.getReducedRanks()) {
    int64_t size = sum.getRankSize(rank);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    count *= size;
  }
  return count;
}

namespace {
/// What leaves a sum, and what is left of it.
struct Deferral {
  Deferral(EinsumOp sum, bool relaxed) : in(sum, relaxed), factored(in.factor()) {}

  bool find(bool moments);
  void run(RewriterBase &b);

  Inlined in;
  FactoredSum factored;
  llvm::SmallSetVector<unsigned, 8> outer; ///< arguments that leave
};
} // namespace

/// Whether something leaves the sum that waits for a reduction.
bool Deferral::find(bool moments) {
  // Where it leaves twice (the mean of a variance), terms of one size cancel.
  bool squares = false;
  auto collect = [&](ArrayRef<Value> values) {
    for (Value v : values)
      collectArguments(v, outer);
  };
  auto collectAll = [&](const auto &of) {
    collect(of.times);
    collect(of.over);
    collect(of.zeroIf);
  };
  collectAll(factored);
  for (FactoredTerm &term : factored.terms) {
    collectAll(term);
    for (Value v : term.times)
      squares |= !isConstant(v) && llvm::count(term.times, v) > 1;
    // Every sum must run over all reduced ranks.
    llvm::SmallSetVector<unsigned, 8> used;
    llvm::SmallSetVector<StringRef, 8> ranks;
    for (const auto *list : {&term.inner, &term.innerOver})
      for (Value v : *list)
        collectArguments(v, used);
    for (unsigned i : used)
      ranks.insert_range(in.accesses[i].ranks);
    if (used.empty() ? !countReduced(in.sum)
                     : !llvm::all_of(in.reduced, [&](StringRef r) { return ranks.contains(r); }))
      return false;
  }
  return (!squares || moments) && (in.scaled || llvm::any_of(outer, [&](unsigned i) {
                                     return waitsForReduction(in.accesses[i].value, in.reduced);
                                   }));
}

void Deferral::run(RewriterBase &b) {
  EinsumOp sum = in.sum;
  Type element = sum.getType().getElementType();
  // What is summed without its factors is never rounded to 16 bits.
  Type type = element.getIntOrFloatBitWidth() < 32 ? Type(b.getF32Type()) : element;
  b.setInsertionPoint(sum);
  SmallVector<Access> reads;
  for (unsigned i : outer)
    reads.push_back(in.accesses[i]);
  SmallVector<int64_t> sumOf;
  for (auto [number, term] : llvm::enumerate(factored.terms)) {
    bool offset = term.inner.empty() && term.innerOver.empty();
    // Terms may differ by what leaves alone.
    auto same = llvm::find_if(factored.terms, [&, &term = term](const FactoredTerm &other) {
      return other.inner == term.inner && other.innerOver == term.innerOver;
    });
    int64_t earlier = same - factored.terms.begin();
    if (earlier < static_cast<int64_t>(number)) {
      sumOf.push_back(sumOf[earlier]);
      continue;
    }
    sumOf.push_back(offset ? -1 : static_cast<int64_t>(reads.size()));
    if (offset)
      continue;
    EinsumOp partial = buildSum(b, in, term, type, number + 1);
    reads.push_back({partial.getResult(), partial.getWriteRanks()});
  }
  if (sum.getInit())
    reads.push_back({sum.getInit(), sum.getInitRankNames()});
  Location loc = sum.getLoc();
  auto result = createEinsum(
      b, loc, sum.getName(), sum.getWriteRanks(), std::nullopt, reads,
      [&](OpBuilder &inner, ValueRange elements) {
        IRMapping mapping;
        for (auto [i, value] : llvm::zip(outer, elements))
          mapping.map(in.region.front().getArgument(i), value);
        Value total;
        for (auto [term, position] : llvm::zip_equal(factored.terms, sumOf)) {
          Value start =
              position >= 0
                  ? elements[position]
                  : Value(arith::ConstantOp::create(
                        inner, loc, inner.getFloatAttr(type, double(*countReduced(sum)))));
          Value product = multiplyAll(inner, type, term.times, term.over, mapping, start);
          product = clear(inner, product, term.zeroIf, mapping);
          if (!total)
            total = term.negative ? Value(arith::NegFOp::create(inner, loc, product)) : product;
          else if (term.negative)
            total = arith::SubFOp::create(inner, loc, total, product);
          else
            total = arith::AddFOp::create(inner, loc, total, product);
        }
        total = multiplyAll(inner, type, factored.times, factored.over, mapping, total);
        total = clear(inner, total, factored.zeroIf, mapping);
        if (sum.getInit())
          total = arith::AddFOp::create(inner, loc, total, convert(inner, elements.back(), type));
        return convert(inner, total, element);
      },
      sum.getGroupAttr());
  b.replaceOp(sum, result);
}

/// Whether a sum can have something that leaves it.
static bool isCandidate(EinsumOp sum, bool moments) {
  Type element = sum.getType().getElementType();
  // A statistic, a sum of one tensor, gains nothing as long as the tensor itself is needed.
  return (sum.getInputs().size() > 1 || moments) && sum.getReduction() == Reduction::Add &&
         isa<FloatType>(element) && element.getIntOrFloatBitWidth() >= 16 &&
         llvm::any_of(sum.getInputs(), [&](Value v) {
           return onlyScales(v) || waitsForReduction(v, sum.getReducedRanks());
         });
}

namespace {
struct DeferCascadePass : flashfusion::impl::DeferCascadePassBase<DeferCascadePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return checkRounding(context, "ff-cascade-defer", rounding);
  }

  void runOnOperation() override {
    using Arg = remark::detail::Remark::Arg;
    IRRewriter rewriter(&getContext());
    SmallVector<GraphOp> graphs;
    getOperation().walk([&](GraphOp graph) { graphs.push_back(graph); });
    for (GraphOp graph : graphs) {
      SmallVector<EinsumOp> sums;
      graph.getBody().walk([&](EinsumOp op) { sums.push_back(op); });
      for (EinsumOp sum : sums) {
        if (!isCandidate(sum, moments))
          continue;
        std::optional<Deferral> deferral;
        deferral.emplace(sum, /*relaxed=*/true);
        bool found = deferral->find(moments);
        if (found && deferral->factored.rounded && rounding == "strict") {
          remark::missed(sum.getLoc(), getGraphRemark(graph, "ff-cascade-defer", "declined"))
              << Arg("einsum", sum.getName()) << Arg("reason", "rounding");
          // What leaves without passing a rounding still does.
          deferral.emplace(sum, /*relaxed=*/false);
          found = deferral->find(moments);
        }
        if (!found)
          continue;
        remark::passed(sum.getLoc(), getGraphRemark(graph, "ff-cascade-defer", "deferred"))
            << Arg("einsum", sum.getName())
            << Arg("terms", static_cast<unsigned>(deferral->factored.terms.size()))
            << Arg("rounding", deferral->factored.rounded ? "skipped" : "none");
        deferral->run(rewriter);
      }
      (void)runRegionDCE(rewriter, graph->getRegions());
    }
  }
};
} // namespace
