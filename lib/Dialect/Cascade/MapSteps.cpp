//===- MapSteps.cpp - What an Einsum's map costs ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   { %0 = mulf %qk, %scale; %1 = addf %0, %mask; yield %1 }   ->   mul, add
//   { %0 = subf %qk, %max; %1 = exp %0; yield %1 }             ->   exp
//   { %0 = mulf %q, %k; yield %0 } summed                      ->   contract
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/Cascade/Cascade.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::flashfusion::cascade;

/// Visits what a value is made of, every value once (bodies share subexpressions), down to
/// arguments and to where `stop` says so.
static void visitLeaves(Value value, function_ref<bool(Value)> stop,
                        function_ref<void(BlockArgument)> atArgument) {
  SmallVector<Value> open{value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value v = open.pop_back_val();
    if (!seen.insert(v).second || stop(v))
      continue;
    if (auto arg = dyn_cast<BlockArgument>(v))
      atArgument(arg);
    else
      llvm::append_range(open, v.getDefiningOp()->getOperands());
  }
}

/// Does the value depend on `x` and constants alone?
static bool isFunctionOf(Value value, Value x) {
  bool other = false;
  visitLeaves(value, [&](Value v) { return v == x; }, [&](BlockArgument) { other = true; });
  return !other;
}

/// Does the value depend on nothing that varies?
static bool isConstant(Value value) { return isFunctionOf(value, Value()); }

static bool dependsOn(Value value, Value on) {
  bool found = false;
  visitLeaves(value, [&](Value v) { return (found |= v == on) || found; }, [](BlockArgument) {});
  return found;
}

/// What costs; nothing for casts, comparisons, signs and constants.
static std::optional<OpKind> classify(Operation *op) {
  if (isConstant(op->getResult(0)))
    return std::nullopt;
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return OpKind::Add;
  if (isa<arith::MulFOp, math::FPowIOp, math::PowFOp>(op))
    return OpKind::Mul;
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op)) {
    for (Value operand : op->getOperands())
      if (matchPattern(operand, m_AnyZeroFloat()))
        return OpKind::Relu;
    return OpKind::Max;
  }
  if (isa<arith::DivFOp>(op))
    return isConstant(op->getOperand(1)) ? OpKind::Mul : OpKind::Div;
  if (isa<math::RsqrtOp, math::SqrtOp>(op))
    return OpKind::Rsqrt;
  if (isa<math::MathDialect>(op->getDialect()) && !isa<math::AbsFOp, math::CopySignOp>(op))
    return OpKind::Exp;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // cmp(x, 0) ? x : 0
    auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
    if (compare &&
        (matchPattern(select.getFalseValue(), m_AnyZeroFloat()) ||
         matchPattern(select.getTrueValue(), m_AnyZeroFloat())) &&
        matchPattern(compare.getRhs(), m_AnyZeroFloat()))
      return OpKind::Relu;
  }
  return std::nullopt;
}

/// An activation is x times a function of x around `core`; returns its last operation.
static Operation *findActivation(Operation *core, Value &x) {
  Block *block = core->getBlock();
  SmallVector<Value> candidates(block->getArguments());
  for (Operation &op : *block)
    if (&op != core && op.isBeforeInBlock(core))
      candidates.push_back(op.getResult(0));
  for (Value candidate : llvm::reverse(candidates)) {
    if (!dependsOn(core->getResult(0), candidate) || isConstant(candidate) ||
        !isFunctionOf(core->getResult(0), candidate))
      continue;
    for (Operation *op = core->getNextNode(); op && op->getNumResults(); op = op->getNextNode()) {
      if (!isa<arith::MulFOp, arith::DivFOp>(op) ||
          !dependsOn(op->getResult(0), core->getResult(0)))
        continue;
      bool besides = llvm::any_of(op->getOperands(), [&](Value v) {
        return !dependsOn(v, core->getResult(0)) && dependsOn(v, candidate);
      });
      if (besides && isFunctionOf(op->getResult(0), candidate)) {
        x = candidate;
        return op;
      }
    }
  }
  return nullptr;
}

namespace {
struct Analyzer {
  explicit Analyzer(EinsumOp einsum) : einsum(einsum) {}

  EinsumOp einsum;
  SmallVector<MapStep> result;
  /// The step that an operation belongs to, for those that are parts of another.
  DenseMap<Operation *, Operation *> partOf;

  void findActivations() {
    for (Operation &op : einsum.getBody().front()) {
      bool erf = isa<math::ErfOp, math::TanhOp>(op);
      if (!erf && !isa<math::ExpOp>(op))
        continue;
      Value x;
      Operation *last = findActivation(&op, x);
      if (!last)
        continue;
      kinds[last] = erf ? OpKind::Gelu : OpKind::Silu;
      for (Operation &inner : einsum.getBody().front())
        if (&inner != last && inner.getNumResults() &&
            dependsOn(last->getResult(0), inner.getResult(0)) && inner.getResult(0) != x &&
            isFunctionOf(inner.getResult(0), x))
          partOf[&inner] = last;
    }
  }

  /// Elements and earlier steps that a value is made of.
  void collect(Value value, MapStep &step, Operation *within) {
    visitLeaves(
        value,
        [&](Value v) {
          Operation *op = v.getDefiningOp();
          auto it = op ? stepOf.find(op) : stepOf.end();
          if (it == stepOf.end() || op == within)
            return false;
          step.steps.push_back(it->second);
          return true;
        },
        [&](BlockArgument arg) { step.inputs.push_back(arg.getArgNumber()); });
    // In order of operands, as dependences are looked at.
    llvm::sort(step.inputs);
    llvm::sort(step.steps);
  }

  void run() {
    findActivations();
    Block &block = einsum.getBody().front();
    for (Operation &op : block.without_terminator()) {
      if (partOf.contains(&op))
        continue;
      auto known = kinds.find(&op);
      std::optional<OpKind> kind = known != kinds.end() ? known->second : classify(&op);
      // The difference below an exponential is part of it.
      if (isa<arith::SubFOp>(op) && op.getResult(0).hasOneUse() &&
          isa<math::ExpOp, math::Exp2Op>(*op.getResult(0).user_begin()))
        continue;
      if (!kind)
        continue;
      MapStep step{*kind, op.getResult(0), {}, {}};
      collect(op.getResult(0), step, &op);
      stepOf[&op] = result.size();
      result.push_back(std::move(step));
    }
    if (!einsum.getReduction()) {
      // A copy moves every element once.
      if (result.empty()) {
        MapStep step{OpKind::Add, {}, {}, {}};
        collect(einsum.getYielded(), step, nullptr);
        result.push_back(std::move(step));
      }
      return;
    }
    Value yielded = einsum.getYielded();
    bool sum = *einsum.getReduction() == Reduction::Add;
    Operation *last = yielded.getDefiningOp();
    auto it = last ? stepOf.find(last) : stepOf.end();
    if (sum && isa_and_nonnull<arith::MulFOp>(last) && it != stepOf.end() &&
        it->second + 1 == result.size() && last->getOperand(0) != last->getOperand(1) &&
        !isConstant(last->getOperand(0)) && !isConstant(last->getOperand(1)) &&
        kinds.find(last) == kinds.end()) {
      result.back().kind = OpKind::Contract;
      result.back().value = {};
      return;
    }
    MapStep step{sum ? OpKind::Add : OpKind::Max, {}, {}, {}};
    collect(yielded, step, nullptr);
    result.push_back(std::move(step));
  }

  DenseMap<Operation *, OpKind> kinds;
  DenseMap<Operation *, unsigned> stepOf;
};
} // namespace

SmallVector<MapStep> mlir::flashfusion::cascade::getMapSteps(EinsumOp einsum) {
  Analyzer analyzer(einsum);
  analyzer.run();
  return std::move(analyzer.result);
}
