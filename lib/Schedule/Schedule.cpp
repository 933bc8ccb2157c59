//===- Schedule.cpp - Choose kernel variants -------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = ff.online(%x) ...
// becomes
//   %y = ff.online(%x) ... {schedule = [
//     #ff.schedule<family = decode, ..., max_rows = 16, align = 16>,
//     #ff.schedule<family = prefill, ..., align = 16>, #ff.schedule<family = simt, ...>]}
//
// Every kernel that can serve the op proposes its variants; they are listed in
// the registry's order of preference, unless models of two kernels know better, so that at launch
// the first that serves the number of rows and the alignment of the pointers wins. The last one
// takes everything. Weights of 8 bits are kept for their bytes, which packed weights double: for
// callers that never pack, one that takes these as they are stands behind. What a tuning table
// holds for an operation comes first. With batch-invariant, one kernel serves 1 to 64 rows.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Schedule/Passes.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "FlashFusion/Schedule/TuningTable.h"
#include "FlashFusion/Schedule/Variants.h"
#include "FlashFusion/Target/GPUTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "FlashFusion/Schedule/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

struct SchedulePass : flashfusion::impl::SchedulePassBase<SchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<TargetAttr> target = lookUpTarget(&getContext(), chip);
    if (failed(target)) {
      // Without the operation, which would print the whole module behind it.
      emitError(module.getLoc()) << "unknown chip '" << chip << "'; known are " << listGPUTargets();
      return signalPassFailure();
    }
    std::optional<KernelFamily> wanted;
    if (!family.empty()) {
      wanted = symbolizeKernelFamily(family);
      if (!wanted) {
        emitError(module.getLoc())
            << "unknown kernel family '" << family << "': expected decode, prefill or simt";
        return signalPassFailure();
      }
    }
    if (!tuning.empty()) {
      FailureOr<TuningTable> read = TuningTable::read(tuning, module.getLoc());
      if (failed(read))
        return signalPassFailure();
      table = std::move(*read);
    }
    module->setAttr("ff.target", *target);
    if (batchInvariant)
      module->setAttr("ff.batch_invariant", UnitAttr::get(&getContext()));
    bool ok = true;
    module.walk([&](OnlineOp op) { ok &= succeeded(schedule(op, *target, wanted)); });
    if (!ok)
      signalPassFailure();
  }

  LogicalResult schedule(OnlineOp op, TargetAttr target, std::optional<KernelFamily> wanted) {
    SmallVector<ScheduleAttr> tuned, proposed, variants;
    if (failed(addTuned(op, target, tuned)))
      return failure();
    SmallVector<const KernelEmitter *> emitters;
    for (bool preferred : {true, false})
      for (const KernelEmitter *emitter : getKernelEmitters())
        if (preferred == (!wanted || emitter->family() == *wanted))
          emitters.push_back(emitter);
    SmallVector<const KernelEmitter *> serving;
    for (const KernelEmitter *emitter : emitters) {
      std::string reason = emitter->whyNot(op, target, tf32);
      if (!reason.empty()) {
        remarkUnsupported(op, *emitter, reason);
        continue;
      }
      serving.push_back(emitter);
      llvm::append_range(proposed, emitter->propose(op, target, tf32));
      if (llvm::any_of(proposed, [&](ScheduleAttr variant) { return suffices(op, variant); }))
        break;
    }
    preferFaster(op, target, proposed);
    proposed.insert(proposed.begin(), tuned.begin(), tuned.end());
    if (batchInvariant) {
      proposed = pinFewRows(op, target, tf32, serving, proposed);
      if (proposed.empty())
        return op.emitOpError() << "has no kernel whose rows have the same bits for every M on "
                                << target.getChip();
    }
    for (ScheduleAttr variant : proposed) {
      // A tuning table may hold what never runs.
      if (isShadowed(variant, variants) && (batchInvariant || !llvm::is_contained(tuned, variant)))
        continue;
      variants.push_back(variant);
      remarkVariant(op, variant);
      if (suffices(op, variant))
        break;
    }
    if (variants.empty() || !servesEverything(variants.back()))
      return op.emitOpError() << "has no kernel that serves it for every M on " << target.getChip()
                              << ": " << simtEmitter().whyNot(op, target, tf32);
    SmallVector<Attribute> attributes(variants.begin(), variants.end());
    op.setScheduleAttr(ArrayAttr::get(&getContext(), attributes));
    return success();
  }

  /// True if no variant is needed behind this one.
  static bool suffices(OnlineOp op, ScheduleAttr variant) {
    return servesEverything(variant) && !(variant.getPacked() && hasQuantisedWeight(op));
  }

  /// The variants of the tuning table, if it has the operation.
  LogicalResult addTuned(OnlineOp op, TargetAttr target, SmallVectorImpl<ScheduleAttr> &variants) {
    if (tuning.empty())
      return success();
    std::string key = tuningKey(op, tf32);
    ArrayRef<ScheduleAttr> tuned = table.lookUp(target.getChip(), key);
    remark::analysis(op.getLoc(), options(op, "tuning"))
        << remark::detail::Remark::Arg("op", key)
        << remark::detail::Remark::Arg("found", !tuned.empty());
    for (ScheduleAttr variant : tuned) {
      const KernelEmitter *emitter = getKernelEmitter(variant.getFamily(), variant.getMma());
      std::string reason =
          emitter ? emitter->whyNot(op, target, variant.getTf32()) : "no such kernel";
      if (!reason.empty())
        return op.emitError() << "the tuning table's " << variant << " does not fit: " << reason;
      variants.push_back(variant);
    }
    return success();
  }

  static remark::RemarkOpts options(OnlineOp op, StringRef name) {
    auto opts = remark::RemarkOpts::name(name).category("ff-schedule");
    if (auto func = op->getParentOfType<FunctionOpInterface>())
      opts = opts.function(func.getName());
    return opts;
  }

  void remarkVariant(OnlineOp op, ScheduleAttr variant) {
    remark::passed(op.getLoc(), options(op, "kernel"))
        << remark::detail::Remark::Arg("family", stringifyKernelFamily(variant.getFamily()))
        << remark::detail::Remark::Arg("mma", stringifyMmaKind(variant.getMma()))
        << remark::detail::Remark::Arg("min_rows", variant.getMinRows())
        << remark::detail::Remark::Arg("max_rows", variant.getMaxRows());
  }

  void remarkUnsupported(OnlineOp op, const KernelEmitter &emitter, StringRef reason) {
    remark::missed(op.getLoc(), options(op, "kernel"))
        << remark::detail::Remark::Arg("family", stringifyKernelFamily(emitter.family()))
        << remark::detail::Remark::Arg("mma", stringifyMmaKind(emitter.mma()))
        << remark::detail::Remark::Arg("reason", reason);
  }

  TuningTable table;
};

} // namespace
