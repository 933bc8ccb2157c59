//===- Variants.cpp - Which of the proposed kernels come first -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Schedule/Variants.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::flashfusion;

static int64_t lastRow(ScheduleAttr variant) {
  return variant.getMaxRows() == 0 ? std::numeric_limits<int64_t>::max() - 1 : variant.getMaxRows();
}

static bool serves(ScheduleAttr variant, int64_t rows) {
  return variant.getMinRows() <= rows && rows <= lastRow(variant);
}

bool flashfusion::servesEverything(ScheduleAttr variant) {
  return variant.getMinRows() <= 1 && variant.getMaxRows() == 0 && variant.getAlign() <= 1;
}

bool flashfusion::isShadowed(ScheduleAttr variant, ArrayRef<ScheduleAttr> earlier) {
  int64_t rows = variant.getMinRows();
  while (rows <= lastRow(variant)) {
    const auto *serving = llvm::find_if(earlier, [&](ScheduleAttr v) {
      return serves(v, rows) && v.getAlign() <= variant.getAlign() &&
             (!v.getPacked() || variant.getPacked());
    });
    if (serving == earlier.end())
      return false;
    rows = lastRow(*serving) + 1;
  }
  return true;
}

static std::optional<double> predict(OnlineOp op, TargetAttr target, ScheduleAttr variant,
                                     int64_t rows) {
  const KernelEmitter *emitter = getKernelEmitter(variant.getFamily(), variant.getMma());
  return emitter ? emitter->predict(op, target, variant, rows) : std::nullopt;
}

/// The least number of rows from which on, up to the last that `first` serves, some of `rivals`
/// is predicted faster; 0 if there is none.
static int64_t findSwitch(OnlineOp op, TargetAttr target, ScheduleAttr first,
                          ArrayRef<ScheduleAttr> rivals) {
  int64_t from = 0;
  for (int64_t rows = first.getMaxRows(); rows >= first.getMinRows(); --rows) {
    const auto *rival = llvm::find_if(rivals, [&](ScheduleAttr v) { return serves(v, rows); });
    if (rival == rivals.end())
      break;
    std::optional<double> here = predict(op, target, first, rows),
                          there = predict(op, target, *rival, rows);
    if (!here || !there || *there >= *here)
      break;
    from = rows;
  }
  return from;
}

void flashfusion::preferFaster(OnlineOp op, TargetAttr target,
                               SmallVectorImpl<ScheduleAttr> &variants) {
  SmallVector<ScheduleAttr> few, rivals;
  for (ScheduleAttr variant : variants)
    if (variant.getFamily() == KernelFamily::Decode && variant.getMaxRows() != 0)
      (variant.getMma() == MmaKind::Wgmma ? rivals : few).push_back(variant);
  // From the last range of rows downwards; unpacked variants are for who does not pack, whom
  // wgmma with a gain does not serve.
  int64_t from = 0;
  bool reached = true;
  for (ScheduleAttr variant : llvm::reverse(few)) {
    bool alone = llvm::none_of(few, [&](ScheduleAttr v) {
      return v.getPacked() && !variant.getPacked() && serves(v, variant.getMaxRows());
    });
    if (!alone || !reached)
      continue;
    int64_t here = findSwitch(op, target, variant, rivals);
    if (here)
      from = here;
    reached = here == variant.getMinRows();
  }
  if (!from)
    return;
  SmallVector<ScheduleAttr> ordered;
  for (ScheduleAttr rival : rivals)
    if (lastRow(rival) >= from)
      ordered.push_back(withRows(rival, std::max(rival.getMinRows(), from), rival.getMaxRows()));
  for (ScheduleAttr variant : variants)
    if (!llvm::is_contained(rivals, variant))
      ordered.push_back(variant);
  variants.assign(ordered);
}

/// Predicted time for some numbers of rows; infinite without a model.
static double costOf(OnlineOp op, TargetAttr target, ArrayRef<ScheduleAttr> variants) {
  double sum = 0;
  for (int64_t rows : {1, 8, 16, 32, 64}) {
    const auto *serving = llvm::find_if(variants, [&](ScheduleAttr v) { return serves(v, rows); });
    std::optional<double> time;
    if (serving != variants.end())
      time = predict(op, target, *serving, rows);
    if (!time)
      return std::numeric_limits<double>::infinity();
    sum += *time;
  }
  return sum;
}

static SmallVector<ScheduleAttr> findPinned(OnlineOp op, TargetAttr target, bool tf32,
                                            ArrayRef<const KernelEmitter *> emitters,
                                            ArrayRef<bool> packings) {
  SmallVector<ScheduleAttr> best;
  double least = 0;
  for (const KernelEmitter *emitter : emitters)
    for (bool packed : packings) {
      SmallVector<ScheduleAttr> found = emitter->proposeInvariant(op, target, tf32, packed);
      if (found.empty())
        continue;
      double cost = costOf(op, target, found);
      if (best.empty() || cost < least)
        best = std::move(found), least = cost;
    }
  return best;
}

SmallVector<ScheduleAttr> flashfusion::pinFewRows(OnlineOp op, TargetAttr target, bool tf32,
                                                  ArrayRef<const KernelEmitter *> emitters,
                                                  ArrayRef<ScheduleAttr> variants) {
  SmallVector<ScheduleAttr> pinned = findPinned(op, target, tf32, emitters, {true, false});
  if (!pinned.empty() && pinned.front().getPacked())
    llvm::append_range(pinned, findPinned(op, target, tf32, emitters, {false}));
  if (pinned.empty())
    return {};
  // Which kernel it is must not depend on what is known about M.
  if (int64_t m = op.getM(); !ShapedType::isDynamic(m))
    llvm::erase_if(pinned, [&](ScheduleAttr variant) { return !serves(variant, m); });
  for (ScheduleAttr variant : variants)
    if (servesEverything(variant))
      pinned.push_back(variant);
    else if (lastRow(variant) > invariantRows)
      pinned.push_back(withRows(variant, std::max(variant.getMinRows(), invariantRows + 1),
                                variant.getMaxRows()));
  return pinned;
}
