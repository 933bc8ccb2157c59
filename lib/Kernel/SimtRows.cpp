//===- SimtRows.cpp - Row statistics of the simt kernel --------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp takes a row at a time. Where the mean or the variance is asked for, a
// first sweep finds a pivot (the mean, rounded), and the second sums x - pivot
// and its square: with a mean of 100 standard deviations, and whatever the
// first element is, x - pivot is then exact up to a unit in the last place of
// the deviation. The mean itself is the unrounded sum pivot + shift.
//
//===----------------------------------------------------------------------===//
#include "Simt.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::simt;

/// Independent sums of a lane. Together with the order of the lanes they fix
/// the order of summation of a row, in every shape of the kernel.
static constexpr int64_t chains = 8;

simt::RowForm::RowForm(OnlineOp op)
    : scaled(op.getNumRowFactors() > 0), centered(op.getNumRowFactors() > 1) {}

/// Sums over a row of `count` functions of x, for all lanes of the warp.
static SmallVector<V> sweep(KernelBuilder &kb, V row, V lane, Type element, int64_t k,
                            int64_t count, function_ref<SmallVector<V>(V x)> terms) {
  auto add = [&](SmallVectorImpl<V> &sums, int64_t chain, V index, V valid) {
    V x = kb.toF32(loadElement(kb, row, index, element));
    for (auto [i, term] : llvm::enumerate(terms(x)))
      sums[i * chains + chain] =
          sums[i * chains + chain] + (valid ? kb.select(valid, term, kb.f32(0.0)) : term);
  };
  const int64_t step = 32 * chains, whole = k / step * step;
  SmallVector<V> sums(count * chains, kb.f32(0.0));
  if (whole > 0)
    sums = kb.forLoop(kb.i32(0), kb.i32(whole), kb.i32(step), sums, [&](V iv, ArrayRef<V> carried) {
      SmallVector<V> next(carried);
      for (int64_t c = 0; c < chains; ++c)
        add(next, c, iv + lane + 32 * c, V());
      return next;
    });
  for (int64_t c = 0; whole + 32 * c < k; ++c) {
    V index = lane + (whole + 32 * c);
    bool full = whole + 32 * (c + 1) <= k;
    add(sums, c, full ? index : kb.min(index, kb.i32(k - 1)), full ? V() : index.lt(k));
  }
  SmallVector<V> totals;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t width = chains / 2; width > 0; width /= 2)
      for (int64_t c = 0; c < width; ++c)
        sums[i * chains + c] = sums[i * chains + c] + sums[i * chains + c + width];
    totals.push_back(kb.sumLanes(sums[i * chains], 32));
  }
  return totals;
}

/// The statistic that the row region yields as the center, if it is just that.
static bool centerIsMean(OnlineOp op) {
  auto arg = dyn_cast<BlockArgument>(op.getRow().front().getTerminator()->getOperand(1));
  return arg && arg.getArgNumber() < op.getStatistics().size() &&
         cast<StatisticAttr>(op.getStatistics()[arg.getArgNumber()]).getValue() == Statistic::Mean;
}

void simt::writeFactors(KernelBuilder &kb, OnlineOp op, const Shape &shape, const Params &params,
                        V m0) {
  RowForm form(op);
  if (!form.scaled)
    return;
  OnlineOperands operands(op);
  const int64_t k = op.getK();
  Type element = getElementTypeOrSelf(op.getX());
  V zero = kb.f32(0.0), lane = kb.tid() % 32, warp = kb.tid() / 32;

  kb.forLoop(warp, kb.i32(shape.tileM), kb.i32(shape.warps), [&](V m) {
    V index = kb.min(m0 + m, params.rows - 1);
    V row = kb.at(params.operands[operands.x], kb.wide(index) * (k * bytesOf(element)));
    SmallVector<V> scalars;
    if (op.getXScale())
      scalars.push_back(loadElement(kb, params.operands[operands.xScale],
                                    op.isSharedXScale() ? kb.i32(0) : index,
                                    getElementTypeOrSelf(op.getXScale())));
    for (int64_t i : operands.scalars)
      scalars.push_back(params.operands[i]);
    V pivot, shift, sum, square;
    if (needsPivot(op)) {
      V first = sweep(kb, row, lane, element, k, 1, [](V x) { return SmallVector<V>{x}; })[0];
      pivot = first * kb.f32(1.0 / static_cast<double>(k));
      SmallVector<V> sums = sweep(kb, row, lane, element, k, 2, [&](V x) {
        V d = x - pivot;
        return SmallVector<V>{d, d * d};
      });
      sum = sums[0];
      square = sums[1];
      shift = sum * kb.f32(1.0 / static_cast<double>(k));
    } else if (!op.getStatistics().empty()) {
      square = sweep(kb, row, lane, element, k, 1, [](V x) { return SmallVector<V>{x * x}; })[0];
    }
    kb.exactRoots = true;
    RowFactors factors = inlineRow(kb, op, statisticsFromSums(kb, op, sum, square, pivot), scalars);
    kb.exactRoots = false;
    V offset = zero;
    if (form.centered) {
      if (!pivot)
        pivot = zero;
      // The rest of the center, past the pivot.
      V rest = shift && centerIsMean(op) ? shift : factors.center - pivot;
      offset = zero - rest * factors.scale;
    }
    V record = kb.pack({form.centered ? pivot : zero, offset, factors.scale, zero});
    kb.ifThen(lane.eq(0), [&] { kb.store(record, kb.at(kb.smem(), m * 16), 16); });
  });
}
