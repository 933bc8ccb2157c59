//===- DecodeWgmmaEpilogue.cpp - Factors, finalizer, stores ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "DecodeWgmma.h"
#include "Wgmma.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <array>

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;

namespace {

/// The thread's elements: columns firstCol + 8 j and the next, rows firstRow and
/// firstRow + 8.
struct Epilogue {
  Kernel &kernel;
  KernelBuilder &kb;
  const Plan &plan;
  const OutputPlan &output;
  Tile tile;
  V accumulators, firstRow, firstCol;
  SmallVector<V> scale, center; ///< of both rows; center negated
  int64_t part = 0;             ///< rank of this block in its cluster

  /// Groups of 8 columns that this block finalizes.
  int64_t eights() const { return plan.outN() / 8 / plan.split; }
  SmallVector<V> products(int64_t linear, int64_t j);

  std::pair<V, V> load(const ColumnVector &vector, int64_t j) {
    int64_t base = plan.vectorOffset + vector.offset + 8 * j * vector.bytes();
    V pair = kb.load(kb.at(kernel.smem, firstCol * vector.bytes() + base),
                     VectorType::get({2}, vector.type), 2 * vector.bytes());
    return {kb.extract(pair, 0), kb.extract(pair, 1)};
  }
  /// Elements of the output's tiles: per row, per tile, two neighbours.
  using TilePairs = SmallVector<std::pair<V, V>>;
  std::array<TilePairs, 2> loadTiles(int64_t j);
  SmallVector<V> outputs(int64_t j, const std::array<TilePairs, 2> &tiles);
  V packPair(V low, V high);
  void store();
};

} // namespace

V Epilogue::packPair(V low, V high) {
  // Round both at once where rounding is the last step.
  auto roundedLow = Value(low).getDefiningOp<arith::TruncFOp>();
  auto roundedHigh = Value(high).getDefiningOp<arith::TruncFOp>();
  if (roundedLow && roundedHigh && !roundedLow.getRoundingmode() &&
      roundedLow.getIn().getType().isF32())
    return kb.fromF32(kb.pack({kb.wrap(roundedLow.getIn()), kb.wrap(roundedHigh.getIn())}),
                      output.type);
  return kb.pack({low, high});
}

std::array<Epilogue::TilePairs, 2> Epilogue::loadTiles(int64_t j) {
  std::array<TilePairs, 2> result;
  for (const TilePlan &matrix : output.tiles)
    for (int64_t h = 0; h < 2; ++h) {
      // Rows and columns past the end repeat others; what they lead to is not stored.
      int64_t bytes = matrix.bytes();
      V row = kb.min(firstRow + 8 * h, kernel.rows - 1), col = tile.col + firstCol + 8 * j;
      V start = kb.at(kernel.args[matrix.arg], kb.wide(row) * (output.n * bytes));
      auto at = [&](V column, int64_t last) {
        return kb.at(start, kb.wide(kb.min(column, kb.i32(last))) * bytes);
      };
      if (output.n % 2 == 0) {
        V pair = kb.load(at(col, output.n - 2), VectorType::get({2}, matrix.type), 2 * bytes);
        result[h].emplace_back(kb.extract(pair, 0), kb.extract(pair, 1));
        continue;
      }
      V low = kb.load(at(col, output.n - 1), matrix.type, bytes);
      V high = kb.load(at(col + 1, output.n - 1), matrix.type, bytes);
      result[h].emplace_back(low, high);
    }
  return result;
}

/// Where block `from` of a cluster leaves this thread's part of slot `slot` for another one
/// that counts `from` without itself.
static V partialAt(Kernel &kernel, V from, int64_t slot) {
  const Plan &plan = kernel.plan;
  int64_t bytes = plan.multiplyingThreads() * 16;
  V offset = from * (plan.slots() * bytes) + kernel.tid.shl(4);
  return kernel.kb.at(kernel.smem, offset + (plan.partialOffset + slot * bytes));
}

void decodewgmma::sendPartials(Kernel &kernel, V accumulators) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t eights = plan.outN() / 8 / plan.split;
  for (int64_t to = 0; to < plan.split; ++to)
    kb.ifThen(kernel.rank.ne(to), [&] {
      V from = kb.select(kernel.rank.lt(to), kernel.rank, kernel.rank - 1);
      for (int64_t l = 0; l < plan.linears; ++l)
        for (int64_t j = 0; j < eights; ++j) {
          int64_t eight = l * plan.outN() / 8 + to * eights + j;
          SmallVector<V> four;
          for (int64_t i = 0; i < 4; ++i)
            four.push_back(wgmma::element(kb, accumulators, 4 * eight + i));
          V place = partialAt(kernel, from, l * eights + j);
          kb.store(kb.pack(four), cluster::peer(kb, place, kb.i32(to)), 16);
        }
    });
}

/// Two neighbours in the first row, two in the second: sums over all of K, the parts of
/// the cluster's blocks added up in the order of their ranks.
SmallVector<V> Epilogue::products(int64_t linear, int64_t j) {
  int64_t eight = linear * plan.outN() / 8 + j;
  SmallVector<V> mine, sums;
  for (int64_t i = 0; i < 4; ++i)
    mine.push_back(wgmma::element(kb, accumulators, 4 * eight + i));
  if (plan.split == 1)
    return mine;
  for (int64_t from = 0; from < plan.split; ++from) {
    SmallVector<V> four(mine);
    if (from != part) {
      V other = kb.i32(from < part ? from : from - 1);
      V loaded = kb.load(partialAt(kernel, other, linear * eights() + j - part * eights()),
                         VectorType::get({4}, kb.b.getF32Type()), 16);
      for (int64_t i = 0; i < 4; ++i)
        four[i] = kb.extract(loaded, i);
    }
    for (int64_t i = 0; i < 4; ++i)
      if (from == 0)
        sums.push_back(four[i]);
      else
        sums[i] = sums[i] + four[i];
  }
  return sums;
}

/// Two neighbours in the first row, two in the second, each as a vector.
SmallVector<V> Epilogue::outputs(int64_t j, const std::array<TilePairs, 2> &tiles) {
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
  for (int64_t l = 0; l < plan.linears; ++l)
    acc.push_back(products(l, j));
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
      pair[i] = inlineFinalizer(kb, plan.op, output.index, z, columns[i], elements);
    }
    result.push_back(packPair(pair[0], pair[1]));
  }
  return result;
}

void Epilogue::store() {
  int64_t bytes = output.type.getIntOrFloatBitWidth() / 8;
  V inside[2], rowStart[2];
  for (int64_t h = 0; h < 2; ++h) {
    V row = firstRow + 8 * h;
    inside[h] = row.lt(kernel.rows);
    rowStart[h] = kb.at(kernel.args[output.arg], kb.wide(row) * (output.n * bytes));
  }
  // Tiles are loaded ahead of the stores, which the compiler must not move them across.
  constexpr int64_t ahead = 4;
  SmallVector<std::array<TilePairs, 2>> tiles;
  int64_t begin = part * eights(), end = begin + eights();
  for (int64_t j = begin; j < end; ++j) {
    if ((j - begin) % ahead == 0) {
      tiles.clear();
      for (int64_t i = j; i < std::min(j + ahead, end); ++i)
        tiles.push_back(loadTiles(i));
    }
    V col = tile.col + firstCol + 8 * j;
    V offset = kb.wide(col) * bytes;
    SmallVector<V> pairs = outputs(j, tiles[(j - begin) % ahead]);
    for (int64_t h = 0; h < 2; ++h) {
      V pair = pairs[h];
      V target = kb.at(rowStart[h], offset);
      V left = inside[h] & col.lt(output.n);
      if (output.n % 2 == 0) {
        kb.ifThen(left, [&] { kb.store(pair, target, 2 * bytes); });
        continue;
      }
      kb.ifThen(left, [&] { kb.store(kb.extract(pair, 0), target, bytes); });
      kb.ifThen(inside[h] & (col + 1).lt(output.n),
                [&] { kb.store(kb.extract(pair, 1), kb.at(target, bytes), bytes); });
    }
  }
}

void decodewgmma::emitEpilogue(Kernel &kernel, V group, Tile tile, V accumulators) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V warp = kernel.tid.shr(5) & 3;
  V firstRow = group.shl(6) + warp.shl(4) + kernel.lane.shr(2);
  V firstCol = (kernel.lane & 3).shl(1);
  SmallVector<V> factors[2];
  for (int64_t f = 0; f < plan.factors(); ++f)
    for (int64_t h = 0; h < 2; ++h) {
      V place = firstRow.shl(2) + (plan.factorOffset + f * plan.factorBytes() + 32 * h);
      factors[f].push_back(kb.load(kb.at(kernel.smem, place), kb.b.getF32Type(), 4));
    }
  kernel.forOutput(tile, [&](const OutputPlan &output) {
    for (int64_t part = 0; part < plan.split; ++part) {
      Epilogue epilogue{kernel,   kb,       plan,       output,     tile, accumulators,
                        firstRow, firstCol, factors[0], factors[1], part};
      if (plan.split == 1)
        epilogue.store();
      else
        kb.ifThen(kernel.rank.eq(part), [&] { epilogue.store(); });
    }
  });
}
