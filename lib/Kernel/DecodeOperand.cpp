//===- DecodeOperand.cpp - The left operand of the decode kernel ----------===//
//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every lane owns, of its one or two rows, 8 of every 32 k of its warp's slice:
//
//   x
//   this warp's sums over its slice, to shared memory
//   deferred:  x v, rounded once, or x as it is
//   else:      the warps meet; the rows' factors;
//              h = (x - center) * scale * v + s, rounded once to the type of x
//
// Both stay for all tiles to come.
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;

static Type elementTypeOf(Value v) { return cast<ShapedType>(v.getType()).getElementType(); }

LeftOperand::LeftOperand(KernelBuilder &kb, OnlineOp op, const Plan &plan, const Parameters &params,
                         const BlockValues &block, DecodeLoader &loader)
    : kb(kb), op(op), plan(plan), params(params), block(block), loader(loader),
      bits(VectorType::get({4}, kb.b.getI32Type())), elements(VectorType::get({8}, plan.element)) {}

void LeftOperand::make() {
  unknownZero = block.rows.shr(31);
  load();
  form();
}

V LeftOperand::inside(int64_t step) {
  if (stepK(step) + plan.stageK - plan.warpK + 32 <= plan.k)
    return V();
  return (block.laneK + stepK(step)).lt(kb.i32(plan.k));
}

//===----------------------------------------------------------------------===//
// x
//===----------------------------------------------------------------------===//

V LeftOperand::rowAddress(V row) {
  // Rows past M repeat the last one; their results are not stored.
  V exists = kb.min(block.row0 + row, block.rows - 1);
  return kb.at(params[params.x], kb.wide(exists) * (plan.k * 2));
}

V LeftOperand::pivotOf(V row) {
  return needsPivot(op) ? loadPivot(kb, op, rowAddress(row)) : V();
}

/// Where this lane keeps a step that its registers do not.
V LeftOperand::spilled(int64_t half, int64_t step) {
  V place = block.warp * (plan.steps() - plan.kept) + (step - plan.kept);
  return kb.at(kb.smem(), (place * plan.halves + half) * 512 + block.lane * 16 + plan.operand);
}

void LeftOperand::load() {
  for (int64_t h = 0; h < plan.halves; ++h) {
    V row = rowAddress(block.quad + 8 * h);
    for (int64_t step = 0; step < plan.steps(); ++step) {
      V exists = inside(step), k = block.laneK + stepK(step);
      if (exists)
        k = kb.select(exists, k, kb.i32(0));
      V loaded = kb.load(kb.at(row, k * 2), bits, 16);
      x[h].push_back(exists ? kb.select(exists, loaded, zeroBits()) : loaded);
      if (step >= plan.kept)
        kb.store(x[h][step], spilled(h, step), 16);
    }
  }
}

/// 8 consecutive elements of a vector over k, for a step.
V LeftOperand::loadAlongK(V base, Type element, int64_t step) {
  V exists = inside(step), k = block.laneK + stepK(step) + unknownZero;
  if (exists)
    k = kb.select(exists, k, kb.i32(0));
  int64_t size = element.getIntOrFloatBitWidth() / 8;
  return kb.load(kb.at(base, k * size), VectorType::get({8}, element), 16);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

V LeftOperand::statisticAddress(int64_t kind, V warp, V row) {
  return kb.at(kb.smem(), ((warp + kind * plan.warps) * plan.rows() + row) * 4 + plan.statistics);
}

static V sum8(KernelBuilder &kb, V v) {
  SmallVector<V> e;
  for (int64_t i = 0; i < 8; ++i)
    e.push_back(kb.extract(v, i));
  return ((e[0] + e[1]) + (e[2] + e[3])) + ((e[4] + e[5]) + (e[6] + e[7]));
}

/// This warp's part of the sums over its rows, to shared memory.
void LeftOperand::sumRows() {
  for (int64_t h = 0; h < plan.halves; ++h) {
    pivots.push_back(pivotOf(block.quad + 8 * h));
    V zero = splat(kb.f32(0)), sum = zero, square = zero, pivot = pivots.back();
    for (int64_t step = 0; step < plan.steps(); ++step) {
      // Elements that are kept elsewhere shall not live in registers until here.
      V value = toF32(step < plan.kept ? x[h][step]
                                       : kb.load(kb.at(spilled(h, step), unknownZero), bits, 16));
      if (pivot) {
        value = value - splat(pivot);
        if (V exists = inside(step))
          value = kb.select(exists, value, zero);
        sum = sum + value;
      }
      square = kb.fma(value, value, square);
    }
    SmallVector<V> sums{kb.sumLanes(sum8(kb, square), 4)};
    if (pivot)
      sums.push_back(kb.sumLanes(sum8(kb, sum), 4));
    kb.ifThen(block.inQuad.eq(0), [&] {
      for (auto [kind, value] : llvm::enumerate(sums))
        kb.store(value, statisticAddress(kind, block.warp, block.quad + 8 * h), 4);
    });
  }
}

/// Factors of row `row` of the block, whose first element is `pivot`.
RowFactors LeftOperand::factors(V row, V pivot) {
  auto total = [&](int64_t kind) {
    V sum;
    for (int64_t w = 0; w < plan.warps; ++w) {
      V part = kb.load(statisticAddress(kind, kb.i32(w), row), kb.b.getF32Type(), 4);
      sum = sum ? sum + part : part;
    }
    return sum;
  };
  SmallVector<V> statistics, scalars;
  if (!op.getStatistics().empty()) {
    V square = total(0);
    statistics = statisticsFromSums(kb, op, pivot ? total(1) : V(), square, pivot);
  }
  for (int64_t i : params.scalars)
    scalars.push_back(params[i]);
  return inlineRow(kb, op, statistics, scalars);
}

RowFactors LeftOperand::factorsOf(V row) { return factors(row, pivotOf(row)); }

//===----------------------------------------------------------------------===//
// From x to the operand
//===----------------------------------------------------------------------===//

void LeftOperand::form() {
  V gain = params[params.gain], shift = params[params.shift];
  if (plan.staged) {
    V at = kb.at(kb.smem(), plan.vectors);
    if (shift)
      shift = kb.at(at, plan.gainBytes);
    if (gain)
      gain = at;
  }
  Type gainType = gain ? elementTypeOf(op.getGain()) : Type();
  Type shiftType = shift ? elementTypeOf(op.getShift()) : Type();
  // Loads from global memory run ahead of their use: the first ones before the
  // statistics meet.
  bool all = plan.ahead == plan.steps();
  SmallVector<V> gains, shifts;
  auto loadNext = [&] {
    int64_t step = gains.size();
    if (step == plan.steps())
      return;
    gains.push_back(gain ? loadAlongK(gain, gainType, step) : V());
    shifts.push_back(shift ? loadAlongK(shift, shiftType, step) : V());
  };
  for (int64_t i = 0; i < (plan.staged ? 0 : plan.ahead); ++i)
    loadNext();
  if (!op.getStatistics().empty())
    sumRows();
  SmallVector<RowFactors, 2> rows(plan.halves);
  if (!plan.deferred) {
    kb.barrier(1, plan.multiplying());
    for (int64_t h = 0; h < plan.halves; ++h)
      rows[h] = factors(block.quad + 8 * h, pivots.empty() ? V() : pivots[h]);
  }
  loader.waitForVectors();
  for (int64_t step = 0; step < plan.steps(); ++step) {
    if (plan.staged)
      loadNext();
    V g, s;
    if (gain)
      g = kb.toF32(gains[step]);
    if (double offset = op.getGainOffset().convertToDouble(); gain && offset != 0.0)
      g = g + splat(kb.f32(offset));
    if (shift)
      s = kb.toF32(shifts[step]);
    for (int64_t h = 0; h < plan.halves; ++h)
      keep(h, step, form(h, step, rows[h], g, s));
    // A step at a time, if registers are scarce.
    if (step < plan.kept && (!all || plan.operandRegisters() > 96))
      unknownZero = unknownZero & kb.extract(operand[0][step], 0);
    if (!plan.staged)
      loadNext();
  }
  if (plan.product != plan.element)
    rescale();
  kb.syncWarp();
}

/// A step of x to the operand; gain and shift may be null.
V LeftOperand::form(int64_t half, int64_t step, RowFactors row, V gain, V shift) {
  if (!row.center && !row.scale && !gain && !shift)
    return V();
  V value = x[half][step];
  if (step >= plan.kept)
    value = kb.load(kb.at(spilled(half, step), unknownZero), bits, 16);
  // Else x as f32 would live from the statistics to here, across the barrier, in
  // twice as many registers.
  value = toF32(value ^ kb.pack(SmallVector<V>(4, unknownZero)));
  if (row.center)
    value = value - splat(row.center);
  if (row.scale)
    value = value * splat(row.scale);
  if (gain)
    value = value * gain;
  if (shift)
    value = value + shift;
  V rounded = kb.bitcast(kb.fromF32(value, plan.element), bits);
  V exists = inside(step);
  return exists ? kb.select(exists, rounded, zeroBits()) : rounded;
}

/// Null: x itself is the operand.
void LeftOperand::keep(int64_t half, int64_t step, V value) {
  if (step < plan.kept)
    operand[half].push_back(value ? value : x[half][step]);
  else if (value)
    kb.store(value, spilled(half, step), 16);
}

/// The four words of `half` (rows 0..7, 8..15) in a step.
SmallVector<V> LeftOperand::words(int64_t half, int64_t step) {
  V value = kept(half, step);
  SmallVector<V> words;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(kb.extract(value, i));
  return words;
}

SmallVector<SmallVector<V>, 2> LeftOperand::operandsOf(int64_t step) {
  SmallVector<V> low = words(0, step);
  if (plan.halves == 1) {
    SmallVector<V> both{low[0], low[2], low[1], low[3]};
    return {both, both};
  }
  SmallVector<V> high = words(1, step);
  return {{low[0], high[0], low[1], high[1]}, {low[2], high[2], low[3], high[3]}};
}
