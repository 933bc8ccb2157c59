//===- WgmmaEpilogue.cpp - From accumulators to elements -------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WgmmaEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::wgmma;

std::pair<V, V> OutputElements::load(const ColumnVector &vector, int64_t j) const {
  int64_t base = vectorOffset + vector.offset + 8 * j * vector.bytes();
  V pair = kb.load(kb.at(smem, column * vector.bytes() + base), VectorType::get({2}, vector.type),
                   2 * vector.bytes());
  return {kb.extract(pair, 0), kb.extract(pair, 1)};
}

V OutputElements::packPair(V low, V high) const {
  // Round both at once where rounding is the last step.
  auto roundedLow = Value(low).getDefiningOp<arith::TruncFOp>();
  auto roundedHigh = Value(high).getDefiningOp<arith::TruncFOp>();
  if (roundedLow && roundedHigh && !roundedLow.getRoundingmode() &&
      roundedLow.getIn().getType().isF32())
    return kb.fromF32(kb.pack({kb.wrap(roundedLow.getIn()), kb.wrap(roundedHigh.getIn())}),
                      output.type);
  return kb.pack({low, high});
}

std::array<OutputElements::TilePairs, 2> OutputElements::loadTiles(int64_t j) const {
  std::array<TilePairs, 2> result;
  V first = tileColumn + column + 8 * j;
  for (const Matrix &matrix : output.tiles)
    for (int64_t h = 0; h < 2; ++h) {
      // Past the matrix its last row and column are read; what they lead to is not stored.
      int64_t bytes = matrix.bytes();
      V inside = kb.min(row + 8 * h, rows - 1);
      V start = kb.at(args[matrix.arg], kb.wide(inside) * (output.n * bytes));
      auto at = [&](V at, int64_t last) {
        return kb.at(start, kb.wide(kb.min(at, kb.i32(last))) * bytes);
      };
      if (output.n % 2 == 0) {
        V pair = kb.load(at(first, output.n - 2), VectorType::get({2}, matrix.type), 2 * bytes);
        result[h].emplace_back(kb.extract(pair, 0), kb.extract(pair, 1));
        continue;
      }
      V low = kb.load(at(first, output.n - 1), matrix.type, bytes);
      V high = kb.load(at(first + 1, output.n - 1), matrix.type, bytes);
      result[h].emplace_back(low, high);
    }
  return result;
}

SmallVector<V> OutputElements::finalize(int64_t j,
                                        llvm::function_ref<SmallVector<V>(int64_t linear)> products,
                                        const std::array<TilePairs, 2> &tiles) const {
  struct Sums {
    std::pair<V, V> column, shift;
  };
  SmallVector<Sums> sums;
  for (const LinearPlan &linear : output.linears) {
    Sums &s = sums.emplace_back();
    if (linear.columnSum)
      s.column = load(*linear.columnSum, j);
    if (linear.shiftSum)
      s.shift = load(*linear.shiftSum, j);
  }
  SmallVector<V> columns[2];
  for (const ColumnVector &vector : output.columns) {
    auto [low, high] = load(vector, j);
    columns[0].push_back(low);
    columns[1].push_back(high);
  }
  SmallVector<SmallVector<V>> acc;
  for (size_t l = 0; l < output.linears.size(); ++l)
    acc.push_back(products(l));
  SmallVector<V> result;
  for (int64_t h = 0; h < 2; ++h) {
    V pair[2];
    for (int64_t i = 0; i < 2; ++i) {
      SmallVector<V> z;
      for (auto [l, s] : llvm::enumerate(sums)) {
        V sum = acc[l][2 * h + i];
        if (V column = i ? s.column.second : s.column.first)
          sum = kb.fma(center[h], column, sum);
        V shift = i ? s.shift.second : s.shift.first;
        if (!scale.empty())
          sum = shift ? kb.fma(scale[h], sum, shift) : scale[h] * sum;
        else if (shift)
          sum = sum + shift;
        z.push_back(sum);
      }
      SmallVector<V> elements;
      for (auto [low, high] : tiles[h])
        elements.push_back(i ? high : low);
      pair[i] = inlineFinalizer(kb, op, output.index, z, columns[i], elements);
    }
    result.push_back(packPair(pair[0], pair[1]));
  }
  return result;
}

OutputElements::Rows OutputElements::locateRows() const {
  Rows result;
  for (int64_t h = 0; h < 2; ++h) {
    V r = row + 8 * h;
    result.inside[h] = r.lt(rows);
    result.start[h] = kb.at(args[output.arg], kb.wide(r) * (output.n * output.bytes()));
  }
  return result;
}

void OutputElements::store(int64_t j, ArrayRef<V> pairs, const Rows &to) const {
  int64_t bytes = output.bytes();
  V col = tileColumn + column + 8 * j;
  V offset = kb.wide(col) * bytes;
  for (int64_t h = 0; h < 2; ++h) {
    V pair = pairs[h];
    V target = kb.at(to.start[h], offset);
    V left = to.inside[h] & col.lt(output.n);
    if (output.n % 2 == 0) {
      kb.ifThen(left, [&] { kb.store(pair, target, 2 * bytes); });
      continue;
    }
    kb.ifThen(left, [&] { kb.store(kb.extract(pair, 0), target, bytes); });
    kb.ifThen(to.inside[h] & (col + 1).lt(output.n),
              [&] { kb.store(kb.extract(pair, 1), kb.at(target, bytes), bytes); });
  }
}
