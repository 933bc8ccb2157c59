//===- FuseEpilogue.cpp - Elementwise consumers into finalizers ------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows a Linear element by element belongs to its finalizer:
//
//   %g, %u = ff.online(%x) weights(%wg, %wu) ... finalize { yield %z }, { yield %z }
//   %s = linalg.generic sigmoid(%g)
//   %a = linalg.generic %g * %s
//   %y = linalg.generic %a * %u + %residual
// becomes
//   %y = ff.online(%x) weights(%wg, %wu) tiles(%residual) ...
//            finalize { (%zg, %zu, %r): yield %zg * sigmoid(%zg) * %zu + %r }
//
// The last operation whose values in between nobody else needs is tried first,
// then earlier ones, until nothing more can be gathered. Where a chip is given,
// the kernels that serve the ff.online must serve it afterwards too.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Decompose/Passes.h"

#include "EpilogueCone.h"
#include "FinalizerBuilder.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "FlashFusion/Target/GPUTarget.h"
#include "FuseEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <limits>

namespace mlir::flashfusion {
#define GEN_PASS_DEF_FUSEEPILOGUEPASS
#include "FlashFusion/Decompose/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

/// The tensors that depend on an ff.online by elementwise operations and reshapes, and these
/// operations in the order of the program.
struct Consumers {
  llvm::DenseSet<Value> dependent;
  SmallVector<std::pair<linalg::LinalgOp, int64_t>> ops; ///< with N
};

/// Whether an earlier variant serves every number of rows (`m`, if that is known) that `variant`
/// serves, where pointers are aligned.
bool isCovered(ScheduleAttr variant, ArrayRef<ScheduleAttr> earlier, int64_t m) {
  auto last = [](ScheduleAttr v) {
    return v.getMaxRows() == 0 ? std::numeric_limits<int64_t>::max() - 1 : v.getMaxRows();
  };
  int64_t rows = variant.getMinRows(), end = last(variant);
  if (!ShapedType::isDynamic(m)) {
    if (m < rows || m > end)
      return true;
    rows = end = m;
  }
  while (rows <= end) {
    const auto *serving = llvm::find_if(
        earlier, [&](ScheduleAttr v) { return v.getMinRows() <= rows && rows <= last(v); });
    if (serving == earlier.end())
      return false;
    rows = last(*serving) + 1;
  }
  return true;
}

struct FuseEpiloguePass : flashfusion::impl::FuseEpiloguePassBase<FuseEpiloguePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (rounding != "relaxed" && rounding != "strict") {
      module.emitError() << "unknown rounding '" << rounding << "': expected relaxed or strict";
      return signalPassFailure();
    }
    if (!chip.empty()) {
      FailureOr<TargetAttr> found = lookUpTarget(&getContext(), chip);
      if (failed(found)) {
        module.emitError() << "unknown chip '" << chip << "'; known are " << listGPUTargets();
        return signalPassFailure();
      }
      target = *found;
    }
    SmallVector<OnlineOp> ops;
    module.walk([&](OnlineOp op) {
      if (isa<RankedTensorType>(op.getX().getType()) && !op.getScheduleAttr())
        ops.push_back(op);
    });
    for (OnlineOp op : ops)
      while (OnlineOp next = fuseOnce(op))
        op = next;
    for (auto &[loc, function, reason] : declined)
      remark::missed(loc, options("declined", function))
          << remark::detail::Remark::Arg("reason", reason.first)
          << remark::detail::Remark::Arg("message", reason.second);
  }

private:
  using Reason = std::pair<StringRef, std::string>;

  static Consumers consumersOf(OnlineOp online) {
    Consumers consumers;
    SmallVector<std::pair<Value, int64_t>> worklist;
    auto add = [&](Value value, int64_t n) {
      if (consumers.dependent.insert(value).second)
        worklist.push_back({value, n});
    };
    for (Value result : online.getResults())
      add(result, cast<RankedTensorType>(result.getType()).getDimSize(1));
    while (!worklist.empty()) {
      auto [value, n] = worklist.pop_back_val();
      for (OpOperand &use : value.getUses()) {
        Operation *user = use.getOwner();
        if (user->getBlock() != online->getBlock())
          continue;
        if (isReshape(user) && use.getOperandNumber() == 0)
          add(user->getResult(0), n);
        auto op = dyn_cast<linalg::LinalgOp>(user);
        if (!op || !isElementwise(op) || op.isDpsInit(&use))
          continue;
        if (!consumers.dependent.contains(user->getResult(0)))
          consumers.ops.push_back({op, n});
        add(user->getResult(0), n);
      }
    }
    llvm::sort(consumers.ops, [](auto &a, auto &b) { return a.first->isBeforeInBlock(b.first); });
    return consumers;
  }

  /// Gathers one cone; null if there is none.
  OnlineOp fuseOnce(OnlineOp online) {
    Consumers consumers = consumersOf(online);
    SmallVector<std::pair<Operation *, Reason>> reasons;
    for (auto [sink, n] : llvm::reverse(consumers.ops)) {
      Reason reason;
      FailureOr<Cone> cone = readCone(online, sink, n, consumers.dependent, reason);
      if (succeeded(cone))
        if (OnlineOp fused = fuse(*cone, reason))
          return fused;
      reasons.push_back({sink, reason});
    }
    // Of what stays, the operations that read the results themselves are told about.
    auto function = online->getParentOfType<FunctionOpInterface>();
    for (auto &[op, reason] : llvm::reverse(reasons))
      if (llvm::any_of(op->getOperands(), [&](Value v) { return behindReshapes(v) == online; }))
        declined.emplace_back(op->getLoc(), function ? function.getName().str() : "", reason);
    return {};
  }

  static Operation *behindReshapes(Value value) {
    Operation *op = value.getDefiningOp();
    while (isReshape(op))
      op = op->getOperand(0).getDefiningOp();
    return op;
  }

  OnlineOp fuse(const Cone &cone, Reason &reason) {
    OnlineOp online = cone.online;
    EpilogueFusion fusion(cone, rounding == "relaxed");
    if (!fusion.findPlace()) {
      reason = {"operand-order", "an operand is computed behind a use of the Linear's results"};
      return {};
    }
    OnlineOp fused = fusion.build();
    std::string lost = lostKernel(online, fused);
    if (!lost.empty()) {
      fusion.abandon();
      reason = {"no-kernel", lost};
      return {};
    }
    auto function = online->getParentOfType<FunctionOpInterface>();
    remark::passed(cone.sink->getLoc(), options("epilogue", function ? function.getName() : ""))
        << remark::detail::Remark::Arg("operations", fusion.countOperations())
        << remark::detail::Remark::Arg("linears", fusion.countLinears())
        << remark::detail::Remark::Arg("tiles", fusion.countTiles());
    fusion.commit();
    return fused;
  }

  /// A kernel that is launched for `before` and cannot serve `after`, with its reason; empty if
  /// there is none. Kernels that only serve pointers of little alignment do not count.
  std::string lostKernel(OnlineOp before, OnlineOp after) {
    if (!target)
      return "";
    std::optional<KernelFamily> wanted = symbolizeKernelFamily(family);
    SmallVector<ScheduleAttr> variants;
    for (const KernelEmitter *emitter : getKernelEmitters()) {
      if (wanted && emitter->family() != *wanted)
        continue;
      if (!emitter->whyNot(before, target, tf32).empty())
        continue;
      SmallVector<ScheduleAttr> proposed = emitter->propose(before, target, tf32);
      bool isLaunched = llvm::any_of(proposed, [&](ScheduleAttr variant) {
        return !isCovered(variant, variants, before.getM());
      });
      variants.append(proposed);
      std::string why = isLaunched ? emitter->whyNot(after, target, tf32) : "";
      if (!why.empty())
        return ("the " + stringifyKernelFamily(emitter->family()) + " kernel (" +
                stringifyMmaKind(emitter->mma()) + ") would not serve it any more: " + why)
            .str();
    }
    return "";
  }

  static remark::RemarkOpts options(StringRef name, StringRef function) {
    return remark::RemarkOpts::name(name).category("ff-fuse-epilogue").function(function);
  }

  TargetAttr target;
  SmallVector<std::tuple<Location, std::string, Reason>> declined;
};

} // namespace
