//===- PrefillMmaEpilogue.cpp - Finalizers and stores ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread holds, of every 16 x 8 block, two neighbouring elements of two rows.
//
//   z = scale * (acc - center * C) + B;  y = finalizer(z, columns)
//
// 16-bit results of four blocks are exchanged among the four threads of a row,
// so that each has the eight elements of one block: one 16-byte store.
//
//===----------------------------------------------------------------------===//
#include "PrefillMma.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// words[j] of lane q of a group of four becomes words[q] of lane j.
static void transposeInQuad(KernelBuilder &kb, V lane, MutableArrayRef<V> words) {
  for (int64_t bit : {1, 2}) {
    V upper = (lane & bit).ne(0);
    for (int64_t j = 0; j < 4; ++j) {
      if (j & bit)
        continue;
      V &low = words[j], &high = words[j + bit];
      V received = kb.shuffleXor(kb.select(upper, low, high), bit);
      V newLow = kb.select(upper, received, low);
      high = kb.select(upper, high, received);
      low = newLow;
    }
  }
}

void MmaKernel::epilogue(unsigned out) {
  int64_t n = columnsOf(out);
  // What the finalizer needs of every column, C and B of every Linear first; null where unused.
  struct Vector {
    V base;
    Type type;
    bool isShared = false; // one element for all columns
  };
  SmallVector<Vector> vectors;
  for (int64_t l : op.getLinearsOf(out))
    for (V sums : {params.columnSums[l], params.shiftSums[l]})
      vectors.push_back({sums, kb.b.getF32Type()});
  for (unsigned c : op.getColumnsOf(out))
    vectors.push_back(
        {params.columns[c], getElementTypeOrSelf(op.getColumns()[c]), op.isSharedColumn(c)});

  int64_t group = tile.outBlocks() % 4 == 0 ? 4 : 2;
  for (int64_t first = 0; first < tile.outBlocks(); first += group) {
    SmallVector<SmallVector<V>> columnValues(2 * group);
    for (int64_t e = 0; e < 2 * group; ++e) {
      V column = target.n0 + tileCol(first + e / 2) + e % 2;
      if (n % tile.outN() != 0)
        column = kb.min(column, kb.i32(n - 1));
      for (const Vector &vector : vectors) {
        int64_t size = vector.type.getIntOrFloatBitWidth() / 8;
        V place = vector.isShared ? kb.i64(0) : kb.wide(column) * size;
        columnValues[e].push_back(
            vector.base ? kb.load(kb.at(vector.base, place), vector.type, size) : V());
      }
    }
    storeGroup(out, first, group, target.n0 + tileCol(first), columnValues);
  }
}

/// The elements of `blocks` blocks side by side; `n` is this thread's column in
/// the first.
void MmaKernel::storeGroup(unsigned out, int64_t firstBlock, int64_t blocks, V n,
                           ArrayRef<SmallVector<V>> columnValues) {
  int64_t cols = columnsOf(out);
  Type type = getElementTypeOrSelf(op.getOuts()[out]), i32 = kb.b.getI32Type();
  int64_t size = type.getIntOrFloatBitWidth() / 8;
  bool ragged = cols % tile.outN() != 0;
  bool quads = blocks == 4 && size == 2 && cols % 8 == 0 && align >= 16;
  bool pairs = cols % 2 == 0 && align >= 2 * size;
  V quad = lane & 3;
  // The elements of a tile that go with the results of a row. Past the matrix its last
  // row and column are read; what they lead to is not stored.
  auto loadTile = [&](unsigned t, V row) {
    Type of = getElementTypeOrSelf(op.getTiles()[t]);
    int64_t bytes = of.getIntOrFloatBitWidth() / 8;
    V start = kb.wide(kb.min(row, params.rows - 1)) * cols;
    auto at = [&](V column, int64_t last) {
      column = ragged ? kb.min(column, kb.i32(cols - last)) : column;
      return kb.at(params.tiles[t], (start + kb.wide(column)) * bytes);
    };
    SmallVector<V> elements;
    for (int64_t j = 0; j < blocks; ++j) {
      if (cols % 2 == 0 && align >= 2 * bytes) {
        V pair = kb.load(at(n + j * 8, 2), VectorType::get({2}, of), 2 * bytes);
        elements.append({kb.extract(pair, 0), kb.extract(pair, 1)});
        continue;
      }
      for (int64_t e = 0; e < 2; ++e)
        elements.push_back(kb.load(at(n + (j * 8 + e), 1), of, bytes));
    }
    return elements;
  };

  for (int64_t i = 0; i < tile.blocksM(); ++i)
    for (int64_t half = 0; half < 2; ++half) {
      int64_t r = 2 * i + half;
      V row = m0 + tileRow(i, half);
      SmallVector<SmallVector<V>> tiles;
      for (unsigned t : op.getTilesOf(out))
        tiles.push_back(loadTile(t, row));
      SmallVector<V> results;
      for (int64_t e = 0; e < 2 * blocks; ++e) {
        ArrayRef<V> column = columnValues[e];
        SmallVector<V> zs;
        for (int64_t l = 0; l < tile.linears; ++l, column = column.drop_front(2)) {
          int64_t block = i * tile.blocksN() + l * tile.outBlocks() + firstBlock + e / 2;
          V z = acc[block * 4 + half * 2 + e % 2];
          if (hasCenter)
            z = kb.fma(minusCenters[r], column[0], z);
          if (hasScale)
            z = column[1] ? kb.fma(z, scales[r], column[1]) : z * scales[r];
          else if (column[1])
            z = z + column[1];
          zs.push_back(z);
        }
        SmallVector<V> elements;
        for (ArrayRef<V> ofTile : tiles)
          elements.push_back(ofTile[e]);
        results.push_back(inlineFinalizer(kb, op, out, zs, column, elements));
      }
      V at = kb.at(params.outs[out], (kb.wide(row) * cols + kb.wide(n)) * size);
      V inside = row.lt(params.rows);
      auto storeIf = [&](V column, V value, V address, int64_t alignment) {
        kb.ifThen(ragged ? inside & column.lt(cols) : inside,
                  [&] { kb.store(value, address, alignment); });
      };
      if (quads) {
        SmallVector<V> words;
        for (int64_t j = 0; j < 4; ++j)
          words.push_back(kb.bitcast(kb.pack({results[2 * j], results[2 * j + 1]}), i32));
        transposeInQuad(kb, lane, words);
        // From column n = first + 2 * quad to first + 8 * quad.
        storeIf(n + quad * 6, kb.pack(words), kb.at(at, kb.wide(quad) * (6 * size)), 16);
        continue;
      }
      for (int64_t j = 0; j < blocks; ++j) {
        V first = results[2 * j], second = results[2 * j + 1], to = kb.at(at, j * 8 * size);
        if (pairs) {
          storeIf(n + j * 8, kb.pack({first, second}), to, 2 * size);
          continue;
        }
        storeIf(n + j * 8, first, to, size);
        storeIf(n + (j * 8 + 1), second, kb.at(to, size), size);
      }
    }
}
