//===- Slice.cpp - Which tensor is x ---------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x is a tensor that is read both directly and through a row statistic. The
// search sweeps the backward slice in reverse order and lists such tensors,
// nearest first; each is tried as a leaf, and the algebra decides. A centred
// tensor d = x - mean(x) is nearer than x and reads as the RMS norm of d; the
// search then goes on for a LayerNorm of x.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Slice.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <set>

using namespace mlir;
using namespace mlir::flashfusion;

/// Operations of one backward slice that are looked at, and tensors tried.
static constexpr unsigned kMaxSlice = 256;
static constexpr unsigned kMaxCandidates = 12;

namespace {
class Sweep {
public:
  explicit Sweep(Block *block) : block(block) {}
  Slice run(ArrayRef<Value> operands);

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
  // Slices, pads and the like are not followed any further than to say that statistics lie behind.
  if (!linalgOp && op->getNumRegions() == 0 && isPure(op))
    for (Value operand : op->getOperands())
      reach(operand, how);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || isContraction(linalgOp))
    return;
  if (isStatistic(op)) {
    ++slice.statistics;
    how = ThroughStatistic;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (linalgOp.payloadUsesValueFromOperand(&operand))
      reach(operand.get(), how);
  // Bodies may gather from tensors of the function.
  linalgOp.getBlock()->walk([&](tensor::ExtractOp extract) { reach(extract.getTensor(), how); });
}

Slice Sweep::run(ArrayRef<Value> operands) {
  for (Value operand : operands)
    reach(operand, Direct);
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

Slice flashfusion::sliceOf(ArrayRef<Value> operands, Block *block) {
  return Sweep(block).run(operands);
}

void flashfusion::searchX(const Slice &slice,
                          function_ref<std::optional<NormKind>(Value)> attempt) {
  std::optional<unsigned> statistics;
  for (auto [candidate, before] : llvm::zip_equal(slice.candidates, slice.statisticsBefore)) {
    // Behind a match, only a LayerNorm is of interest, and only where
    // statistics are left that it could be made of.
    if (statistics == slice.statistics)
      return;
    std::optional<NormKind> kind = attempt(candidate);
    if (!kind)
      continue;
    if (*kind != NormKind::RMSNorm)
      return;
    if (!statistics)
      statistics = before;
  }
}

FailureOr<Norm> flashfusion::recognizeNorm(Value tensor, unsigned kDims,
                                           std::unique_ptr<Algebra> &algebra, Value &x,
                                           Reason &reason) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  Operation *op = tensor.getDefiningOp();
  if (!type || !op || kDims > type.getRank())
    return failure();
  std::optional<Norm> found;
  Reason best;
  unsigned bestDepth = 0;
  searchX(sliceOf(tensor, op->getBlock()), [&](Value candidate) -> std::optional<NormKind> {
    auto attempt = std::make_unique<Algebra>(candidate);
    for (unsigned round = 0; round < 8; ++round) {
      attempt->clearSplit();
      Access access;
      Index rows, ks;
      SmallVector<int64_t> extents;
      for (int64_t d = 0; d < type.getRank(); ++d) {
        // Numbers that no loop of the operation has.
        access.push_back(attempt->loop(op, 1000 + d, type.getDimSize(d)));
        llvm::append_range(d + kDims < type.getRank() ? rows : ks, access.back());
      }
      for (Atom atom : ks)
        extents.push_back(attempt->extent(atom));
      if (ks.empty())
        return std::nullopt;
      Evaluator evaluator(*attempt, candidate, extents, op->getBlock());
      for (int64_t d = type.getRank() - kDims; d < type.getRank(); ++d)
        if (type.isDynamicDim(d))
          attempt->setCount(access[d].front(), evaluator.extent(tensor, d));
      evaluator.rows.assign(rows.begin(), rows.end());
      FailureOr<Poly> h = evaluator.read(tensor, access);
      if (attempt->anySplit())
        continue;
      Reason why;
      unsigned depth = 0;
      FailureOr<Norm> norm = failure();
      if (failed(h))
        why = evaluator.getReason();
      else
        norm = readNorm(*attempt, evaluator, candidate, *h, rows, ks, why, depth);
      if (failed(norm)) {
        if (best.id.empty() || depth > bestDepth) {
          best = why;
          bestDepth = depth;
        }
        return std::nullopt;
      }
      if (!found || norm->kind == NormKind::LayerNorm) {
        found = *norm;
        x = candidate;
        algebra = std::move(attempt);
      }
      return norm->kind;
    }
    return std::nullopt;
  });
  reason = best;
  if (!found)
    return failure();
  return *found;
}
