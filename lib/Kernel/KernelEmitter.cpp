//===- KernelEmitter.cpp - The kernels there are ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Kernel/KernelEmitter.h"

using namespace mlir;
using namespace mlir::flashfusion;

KernelEmitter::~KernelEmitter() = default;

SmallVector<ScheduleAttr> KernelEmitter::proposeInvariant(OnlineOp op, TargetAttr target, bool tf32,
                                                          bool packed) const {
  for (ScheduleAttr schedule : propose(op, target, tf32))
    if (schedule.getPacked() == packed &&
        (schedule.getMaxRows() == 0 || schedule.getMaxRows() >= invariantRows))
      return {withRows(schedule, 1, schedule.getMaxRows())};
  return {};
}

ScheduleAttr flashfusion::withRows(ScheduleAttr s, int64_t minRows, int64_t maxRows) {
  return ScheduleAttr::get(s.getContext(), s.getFamily(), s.getMma(), minRows, maxRows,
                           s.getTileM(), s.getTileN(), s.getTileK(), s.getStages(), s.getWarps(),
                           s.getSplit(), s.getParts(), s.getPacked(), s.getAlign(), s.getTf32());
}

/// Kernels count rows and columns in 32 bits, tiles of columns of all outputs included, and hold a
/// position in a row in an i32 with room for a stage of the pipeline behind the last one.
static std::string whyTooLarge(OnlineOp op) {
  if (op.getK() > int64_t(1) << 24)
    return "rows are longer than 2^24";
  constexpr int64_t limit = int64_t(1) << 31;
  if (op.getM() >= limit)
    return "there are 2^31 or more rows";
  int64_t columns = 0;
  for (unsigned l = 0; l < op.getWeights().size(); ++l) {
    if (op.getN(l) >= limit || columns >= limit - op.getN(l))
      return "there are 2^31 or more columns";
    columns += op.getN(l);
  }
  return "";
}

std::string KernelEmitter::whyNot(OnlineOp op, TargetAttr target, bool tf32) const {
  std::string reason = whyTooLarge(op);
  return reason.empty() ? unsupported(op, target, tf32) : reason;
}

ArrayRef<const KernelEmitter *> flashfusion::getKernelEmitters() {
  static const SmallVector<const KernelEmitter *> all = {
      &decodeEmitter(),     &decodeWgmmaEmitter(), &prefillWgmmaEmitter(),
      &prefillMmaEmitter(), &simtEmitter(),
  };
  return all;
}

const KernelEmitter *flashfusion::getKernelEmitter(KernelFamily family, MmaKind mma) {
  for (const KernelEmitter *emitter : getKernelEmitters())
    if (emitter->family() == family && emitter->mma() == mma)
      return emitter;
  return nullptr;
}
