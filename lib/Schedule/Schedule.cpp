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
// the registry's order of preference, so that at launch the first that serves
// the number of rows and the alignment of the pointers wins. The last one
// takes everything. What a tuning table holds for an operation comes first.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Schedule/Passes.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "FlashFusion/Schedule/TuningTable.h"
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

/// True if the variant serves every number of rows at every alignment.
static bool servesEverything(ScheduleAttr variant) {
  return variant.getMinRows() <= 1 && variant.getMaxRows() == 0 && variant.getAlign() <= 1;
}

/// True if for every number of rows that `variant` serves an earlier one would
/// be launched instead, also where weights may not be packed.
static bool isShadowed(ScheduleAttr variant, ArrayRef<Attribute> earlier) {
  auto last = [](ScheduleAttr v) {
    return v.getMaxRows() == 0 ? std::numeric_limits<int64_t>::max() - 1 : v.getMaxRows();
  };
  int64_t rows = variant.getMinRows();
  while (rows <= last(variant)) {
    const auto *serving = llvm::find_if(earlier, [&](Attribute attr) {
      auto v = cast<ScheduleAttr>(attr);
      return v.getMinRows() <= rows && rows <= last(v) && v.getAlign() <= variant.getAlign() &&
             (!v.getPacked() || variant.getPacked());
    });
    if (serving == earlier.end())
      return false;
    rows = last(cast<ScheduleAttr>(*serving)) + 1;
  }
  return true;
}

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
        emitError(module.getLoc()) << "unknown kernel family '" << family
                           << "': expected decode, prefill or simt";
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
    bool ok = true;
    module.walk([&](OnlineOp op) { ok &= succeeded(schedule(op, *target, wanted)); });
    if (!ok)
      signalPassFailure();
  }

  LogicalResult schedule(OnlineOp op, TargetAttr target, std::optional<KernelFamily> wanted) {
    SmallVector<Attribute> variants;
    if (failed(addTuned(op, target, variants)))
      return failure();
    auto propose = [&](bool preferred) {
      for (const KernelEmitter *emitter : getKernelEmitters()) {
        if (wanted && preferred != (emitter->family() == *wanted))
          continue;
        std::string reason = emitter->whyNot(op, target, tf32);
        if (!reason.empty()) {
          remarkUnsupported(op, *emitter, reason);
          continue;
        }
        for (ScheduleAttr variant : emitter->propose(op, target, tf32)) {
          if (isShadowed(variant, variants))
            continue;
          variants.push_back(variant);
          remarkVariant(op, variant);
          if (servesEverything(variant))
            return;
        }
      }
    };
    auto isComplete = [&] {
      return !variants.empty() && servesEverything(cast<ScheduleAttr>(variants.back()));
    };
    if (!isComplete())
      propose(/*preferred=*/true);
    if (wanted && !isComplete())
      propose(/*preferred=*/false);
    if (!isComplete())
      return op.emitOpError() << "has no kernel that serves it for every M on " << target.getChip()
                              << ": " << simtEmitter().whyNot(op, target, tf32);
    op.setScheduleAttr(ArrayAttr::get(&getContext(), variants));
    return success();
  }

  /// The variants of the tuning table, if it has the operation.
  LogicalResult addTuned(OnlineOp op, TargetAttr target, SmallVectorImpl<Attribute> &variants) {
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
      remarkVariant(op, variant);
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
