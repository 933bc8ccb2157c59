//===- Match.cpp - From a contraction to the norm in front of it -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tensor is x? One that the contraction's operand reads both directly
// and through a row statistic. The search sweeps the backward slice in reverse
// order and lists such tensors, nearest first; each is tried as a leaf, and
// the algebra decides. A centred tensor d = x - mean(x) is nearer than x and
// reads as the RMS norm of d; the search then goes on for a LayerNorm of x.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;
using namespace mlir::flashfusion;

/// Operations of one backward slice that are looked at, and tensors tried.
static constexpr unsigned kMaxSlice = 256;
static constexpr unsigned kMaxCandidates = 12;

namespace {
struct Slice {
  SmallVector<Value> candidates; ///< nearest first
  bool hasStatistic = false;
  /// Statistics behind the i-th candidate, as a count of those in front.
  SmallVector<unsigned> statisticsBefore;
  unsigned statistics = 0;
};

class Sweep {
public:
  explicit Sweep(Block *block) : block(block) {}
  Slice run(ArrayRef<OpOperand *> operands);

private:
  enum : unsigned { Direct = 1, ThroughStatistic = 2 };
  void reach(Value value, unsigned how);
  void visit(Operation *op);

  struct Later {
    bool operator()(Operation *a, Operation *b) const { return a != b && b->isBeforeInBlock(a); }
  };
  Block *block;
  llvm::DenseMap<Value, unsigned> flags;
  std::set<Operation *, Later> pending;
  SmallVector<Value> given; ///< not computed in this block
  Slice slice;
};
} // namespace

void Sweep::reach(Value value, unsigned how) {
  if (!isa<RankedTensorType>(value.getType()))
    return;
  unsigned &flag = flags[value];
  if ((flag & how) == how)
    return;
  bool first = flag == 0;
  flag |= how;
  Operation *op = value.getDefiningOp();
  if (op && op->getBlock() == block)
    pending.insert(op);
  else if (first)
    given.push_back(value);
}

void Sweep::visit(Operation *op) {
  unsigned how = 0;
  for (Value result : op->getResults()) {
    unsigned flag = flags.lookup(result);
    how |= flag;
    if (flag == (Direct | ThroughStatistic) && cast<ShapedType>(result.getType()).getRank() > 0) {
      slice.candidates.push_back(result);
      slice.statisticsBefore.push_back(slice.statistics);
    }
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op)) {
    reach(op->getOperand(0), how);
    return;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || isContraction(linalgOp))
    return;
  if (isStatistic(op)) {
    slice.hasStatistic = true;
    ++slice.statistics;
    how = ThroughStatistic;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (linalgOp.payloadUsesValueFromOperand(&operand))
      reach(operand.get(), how);
  // Bodies may gather from tensors of the function.
  linalgOp.getBlock()->walk([&](tensor::ExtractOp extract) { reach(extract.getTensor(), how); });
}

Slice Sweep::run(ArrayRef<OpOperand *> operands) {
  for (OpOperand *operand : operands)
    reach(operand->get(), Direct);
  for (unsigned i = 0; i < kMaxSlice && !pending.empty(); ++i) {
    Operation *op = *pending.begin();
    pending.erase(pending.begin());
    visit(op);
    if (slice.candidates.size() >= kMaxCandidates)
      return slice;
  }
  for (Value value : given)
    if (flags[value] == (Direct | ThroughStatistic)) {
      slice.candidates.push_back(value);
      slice.statisticsBefore.push_back(slice.statistics);
    }
  return slice;
}

/// Text that is equal for equal functions of (row, k), whatever contraction
/// they were read from.
static void describe(const Algebra &algebra, const Poly &poly, const Index &digits,
                     llvm::raw_ostream &os) {
  SmallVector<std::string> terms;
  for (const auto &[m, c] : poly.terms) {
    SmallVector<std::string> factors;
    for (const auto &[f, e] : m) {
      const Factor &factor = algebra.get(f);
      std::string text;
      llvm::raw_string_ostream s(text);
      s << static_cast<int>(factor.kind) << factor.name << factor.value.getAsOpaquePointer()
        << factor.attributes.getAsOpaquePointer() << factor.type.getAsOpaquePointer() << '[';
      for (const Index &index : factor.access) {
        for (Atom atom : index)
          s << llvm::find(digits, atom) - digits.begin() << 'x' << algebra.extent(atom) << ' ';
        s << ',';
      }
      s << ']';
      for (const Poly &arg : factor.args)
        describe(algebra, arg, digits, s);
      s << '^' << e.num << '/' << e.den;
      factors.push_back(text);
    }
    llvm::sort(factors);
    std::string text;
    llvm::raw_string_ostream(text) << c.num << '/' << c.den << llvm::join(factors, "*");
    terms.push_back(text);
  }
  llvm::sort(terms);
  os << '(' << llvm::join(terms, "+") << ')';
}

static std::unique_ptr<Match> tryCandidate(linalg::LinalgOp op, const ContractionFactor &h,
                                           const ContractionFactor &w, Value x, bool strict,
                                           Reason &reason, unsigned &depth) {
  depth = 0;
  auto match = std::make_unique<Match>();
  match->algebra = std::make_unique<Algebra>(x);
  Algebra &algebra = *match->algebra;
  Linear &linear = match->linear;
  linear.op = op;
  linear.h = h;
  linear.w = w;
  auto fail = [&](unsigned at, StringRef id, StringRef text) {
    depth = at;
    reason = {id, text.str()};
    return nullptr;
  };
  // Cutting an iteration variable at a reshape makes earlier accesses stale;
  // every variable has finitely many cuts, and few in practice.
  for (unsigned round = 0; round < 8; ++round) {
    algebra.clearSplit();
    if (failed(readLoops(algebra, linear, reason))) {
      depth = 5;
      return nullptr;
    }
    SmallVector<int64_t> extents;
    for (Atom atom : linear.ks)
      extents.push_back(algebra.extent(atom));
    Evaluator evaluator(algebra, x, extents, op->getBlock());
    evaluator.rows.assign(linear.rows.begin(), linear.rows.end());
    FailureOr<Poly> element = evaluator.element(op, loopDigits(algebra, op), h.value);
    if (algebra.anySplit())
      continue;
    if (failed(element)) {
      reason = evaluator.getReason();
      return nullptr;
    }
    FailureOr<Norm> norm =
        readNorm(algebra, evaluator, x, *element, linear.rows, linear.ks, reason, depth);
    if (failed(norm))
      return nullptr;
    if (strict && (evaluator.sawNarrow() || h.narrows))
      return fail(6, "rounding",
                  "an activation is rounded to 16 bits between the norm and the "
                  "contraction, and rounding=strict honours that");
    match->norm = *norm;
    linear.ks = norm->ks;
    match->normalized.assign(evaluator.getNormalized().begin(), evaluator.getNormalized().end());
    match->x = findStored(algebra, {x, norm->access}, linear.rows, linear.ks,
                          /*allowF64=*/!strict);
    if (!match->x)
      return fail(6, "unsupported-type", "the normalized tensor is neither f16, bf16 nor f32");
    if (failed(readOperands(algebra, evaluator, linear, strict, reason))) {
      depth = 6;
      return nullptr;
    }
    if (algebra.anySplit())
      continue;
    for (const std::optional<Poly> &poly : {norm->gain, norm->shift})
      if (poly && !canEmit(algebra, *poly, linear.ks))
        return fail(6, "gain-form", "gain or shift is not an expression of vectors");
    if (!canEmit(algebra, norm->eps, {}))
      return fail(6, "eps-form", "eps is not an expression of numbers");

    Index digits = linear.rows;
    llvm::append_range(digits, linear.ks);
    llvm::raw_string_ostream os(match->key);
    os << static_cast<int>(norm->kind) << match->x.value.getAsOpaquePointer() << '[';
    for (const Index &index : match->x.access)
      os << index.size() << ' ';
    os << linear.rows.size() << ']';
    for (const std::optional<Poly> &poly : {norm->gain, norm->shift}) {
      os << ';';
      if (poly)
        describe(algebra, *poly, digits, os);
    }
    os << ';';
    describe(algebra, norm->eps, digits, os);
    return match;
  }
  return fail(1, "unsupported-reshape", "a reshape cuts dimensions in too many ways");
}

Outcome flashfusion::matchContraction(linalg::LinalgOp op, bool strict) {
  Outcome outcome;
  unsigned best = 0;
  auto note = [&](const Reason &reason, unsigned depth) {
    if (reason.id.empty() || (outcome.declined && depth < best))
      return;
    if (!outcome.declined || depth > best)
      outcome.declined = reason;
    best = std::max(best, depth);
  };
  std::optional<std::array<ContractionFactor, 2>> factors = readContraction(op);
  if (!factors)
    return outcome;
  for (unsigned side : {0, 1}) {
    const ContractionFactor &h = (*factors)[side], &w = (*factors)[1 - side];
    Slice slice = Sweep(op->getBlock()).run(h.inputs);
    if (!slice.hasStatistic)
      continue;
    std::unique_ptr<Match> found;
    unsigned statistics = 0;
    for (auto [candidate, before] : llvm::zip_equal(slice.candidates, slice.statisticsBefore)) {
      // Behind a match, only a LayerNorm is of interest, and only where
      // statistics are left that it could be made of.
      if (found && (statistics == slice.statistics))
        break;
      Reason reason;
      unsigned depth = 0;
      std::unique_ptr<Match> match = tryCandidate(op, h, w, candidate, strict, reason, depth);
      if (match && (!found || (found->norm.kind == NormKind::RMSNorm &&
                               match->norm.kind == NormKind::LayerNorm))) {
        found = std::move(match);
        statistics = before;
        if (found->norm.kind == NormKind::LayerNorm)
          break;
      } else if (!found && !match) {
        note(reason, depth);
      }
    }
    if (found) {
      outcome.match = std::move(found);
      outcome.declined.reset();
      return outcome;
    }
    // Without a candidate: why does the operand's own expression not do?
    if (slice.candidates.empty()) {
      Reason reason;
      unsigned depth = 0;
      (void)tryCandidate(op, h, w, Value(), strict, reason, depth);
      if (reason.id.empty() || reason.id == "not-a-norm")
        reason = {"other-statistics",
                  "the statistics are not those of the tensor that is multiplied"};
      note(reason, depth);
    }
    if (!outcome.declined)
      outcome.declined = Reason{"not-a-norm", "no normalization was recognised"};
  }
  return outcome;
}
