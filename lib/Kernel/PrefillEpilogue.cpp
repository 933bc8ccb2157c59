//===- PrefillEpilogue.cpp - Finalizer, stores -----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"
#include "Wgmma.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

Epilogue::Epilogue(Kernel &kernel, V group, V thread)
    : kernel(kernel), group(group), thread(thread), lane(thread % 32), leader(thread.eq(0)) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V warp = thread.shr(5);
  staging = kb.at(kernel.smem, group * (plan.stagingBuffers * chunkBytes) + plan.stagingOffset);
  // A warp stores 16 rows of 128 bytes; lane i addresses row i % 16 of the left
  // (i < 16) or right 8 columns of 16. The 16-byte pieces are swizzled.
  V row = (warp.shl(4) + (lane & 15)).shl(7);
  V piece = (lane.shr(4) ^ (lane & 7)).shl(4);
  for (int64_t j = 0; j < chunkCols / 16; ++j)
    matrixOffsets.push_back(row + (piece ^ (32 * j)));
  firstRow = group.shl(6) + warp.shl(4) + lane.shr(2);
  firstCol = (lane & 3).shl(1);
}

void Epilogue::sync() {
  // One barrier per warpgroup; its number has to be a constant.
  KernelBuilder &kb = kernel.kb;
  kb.ifThenElse(group.eq(0), [&] { kb.barrier(1, 128); }, [&] { kb.barrier(2, 128); });
}

V Epilogue::packPair(V low, V high, Type type) {
  KernelBuilder &kb = kernel.kb;
  // Round both at once where rounding is the last step.
  auto roundedLow = Value(low).getDefiningOp<arith::TruncFOp>();
  auto roundedHigh = Value(high).getDefiningOp<arith::TruncFOp>();
  if (roundedLow && roundedHigh && !roundedLow.getRoundingmode() &&
      roundedLow.getIn().getType().isF32())
    return kb.fromF32(kb.pack({kb.wrap(roundedLow.getIn()), kb.wrap(roundedHigh.getIn())}), type);
  return kb.pack({low, high});
}

SmallVector<V> Epilogue::loadTiles(const OutputPlan &output, Tile tile, int64_t j) {
  KernelBuilder &kb = kernel.kb;
  SmallVector<V> pairs;
  // Past the matrix the last row and column are read; what they lead to is not stored.
  V col = tile.col + firstCol + 8 * j, last = kb.i32(output.n - 1);
  for (auto [arg, type] : output.tiles) {
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    for (int64_t h = 0; h < 2; ++h) {
      V row = kb.min(tile.row + firstRow + 8 * h, kernel.rows - 1);
      V start = kb.at(kernel.args[arg], kb.wide(row) * (output.n * bytes));
      auto at = [&](V column) { return kb.at(start, kb.wide(column) * bytes); };
      if (output.n % 2 == 0) {
        V first = kb.min(col, kb.i32(output.n - 2));
        pairs.push_back(kb.load(at(first), VectorType::get({2}, type), 2 * bytes));
        continue;
      }
      pairs.push_back(kb.pack({kb.load(at(kb.min(col, last)), type, bytes),
                               kb.load(at(kb.min(col + 1, last)), type, bytes)}));
    }
  }
  return pairs;
}

SmallVector<V> Epilogue::outputs(const OutputPlan &output, int64_t j, V accumulators,
                                 ArrayRef<V> factors, ArrayRef<V> tileElements) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  auto load = [&](const ColumnVector &vector) {
    int64_t base = plan.vectorOffset + vector.offset + 8 * j * vector.bytes();
    V pair = kb.load(kb.at(kernel.smem, firstCol * vector.bytes() + base),
                     VectorType::get({2}, vector.type), 2 * vector.bytes());
    return std::pair(kb.extract(pair, 0), kb.extract(pair, 1));
  };
  struct Sums {
    std::pair<V, V> column, shift;
  };
  SmallVector<Sums> sums;
  for (const LinearPlan &linear : output.linears) {
    Sums &s = sums.emplace_back();
    if (linear.columnSum)
      s.column = load(*linear.columnSum);
    if (linear.shiftSum)
      s.shift = load(*linear.shiftSum);
  }
  SmallVector<V> columns[2];
  for (const ColumnVector &vector : output.columns) {
    auto [low, high] = load(vector);
    columns[0].push_back(low);
    columns[1].push_back(high);
  }
  SmallVector<V> result;
  for (int64_t h = 0; h < 2; ++h) {
    V pair[2];
    for (int64_t i = 0; i < 2; ++i) {
      SmallVector<V> z;
      for (auto [l, s] : llvm::enumerate(sums)) {
        int64_t group = l * plan.outN() / 8 + j;
        V sum = wgmma::element(kb, accumulators, 4 * group + 2 * h + i);
        if (V column = i ? s.column.second : s.column.first)
          sum = kb.fma(factors[2 + h], column, sum);
        V shift = i ? s.shift.second : s.shift.first;
        if (!factors.empty())
          sum = shift ? kb.fma(factors[h], sum, shift) : factors[h] * sum;
        else if (shift)
          sum = sum + shift;
        z.push_back(sum);
      }
      SmallVector<V> elements;
      for (size_t t = 0; t < output.tiles.size(); ++t)
        elements.push_back(kb.extract(tileElements[2 * t + h], i));
      pair[i] = inlineFinalizer(kb, plan.op, output.index, z, columns[i], elements);
    }
    result.push_back(packPair(pair[0], pair[1], output.type));
  }
  return result;
}

void Epilogue::storeNarrowChunk(const OutputPlan &output, Tile tile, int64_t chunk, V buffer) {
  KernelBuilder &kb = kernel.kb;
  int64_t pieces = kernel.plan.chunkWidth(chunk) / 8;
  static_assert(columnUnit == 32 && chunkCols == 64, "a narrow chunk has four pieces a row");
  auto words = VectorType::get({4}, kb.b.getI32Type());
  for (int64_t half = 0; half < 2; ++half) {
    V r = thread / pieces + half * (128 / pieces), piece = thread % pieces;
    V row = tile.row + group.shl(6) + r;
    V col = tile.col + piece.shl(3) + chunk * chunkCols;
    V data = kb.load(kb.at(buffer, r.shl(7) + (piece ^ (r & 7)).shl(4)), words, /*align=*/16);
    V place = kb.at(kernel.args[output.bufferArg], (kb.wide(row) * output.n + kb.wide(col)) * 2);
    kb.ifThen(row.lt(kernel.rows) & col.lt(output.n), [&] { kb.store(data, place, 16); });
  }
}

void Epilogue::storeByTensorMap(const OutputPlan &output, Tile tile, V accumulators,
                                ArrayRef<V> factors) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t chunks = plan.chunks();
  for (int64_t first = 0; first < chunks; first += plan.stagingBuffers) {
    int64_t last = std::min(first + plan.stagingBuffers, chunks);
    auto buffer = [&](int64_t chunk) { return kb.at(staging, (chunk - first) * chunkBytes); };
    // Earlier stores must have read the buffers.
    kb.ifThen(leader, [&] { kb.bulkWait(0, /*read=*/true); });
    sync();
    for (int64_t chunk = first; chunk < last; ++chunk) {
      int64_t start = chunk * chunkCols / 8, width = plan.chunkWidth(chunk);
      // The loads of tiles come first, so that their latencies overlap.
      SmallVector<SmallVector<V>> tiles;
      for (int64_t j = 0; j < width / 8; ++j)
        tiles.push_back(loadTiles(output, tile, start + j));
      for (int64_t j = 0; j < width / 16; ++j) {
        SmallVector<V> regs;
        for (int64_t side = 2 * j; side < 2 * j + 2; ++side)
          for (V pair : outputs(output, start + side, accumulators, factors, tiles[side]))
            regs.push_back(kb.bitcast(pair, kb.b.getI32Type()));
        kb.stMatrix(kb.at(buffer(chunk), matrixOffsets[j]), regs);
      }
    }
    // Ordinary writes, about to be read by the copy engine.
    kb.fenceAsync();
    sync();
    bool narrow = plan.chunkWidth(last - 1) < chunkCols;
    kb.ifThen(leader, [&] {
      for (int64_t chunk = first; chunk < last - narrow; ++chunk)
        kb.tensorStore(kernel.args[output.arg], buffer(chunk), tile.col + chunk * chunkCols,
                       tile.row + group.shl(6));
      kb.bulkCommit();
    });
    if (narrow)
      storeNarrowChunk(output, tile, last - 1, buffer(last - 1));
  }
}

void Epilogue::storeByThreads(const OutputPlan &output, Tile tile, V accumulators,
                              ArrayRef<V> factors) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t bytes = output.type.getIntOrFloatBitWidth() / 8;
  V inside[2], rowStart[2];
  for (int64_t h = 0; h < 2; ++h) {
    V row = tile.row + firstRow + 8 * h;
    inside[h] = row.lt(kernel.rows);
    rowStart[h] = kb.at(kernel.args[output.arg], kb.wide(row) * (output.n * bytes));
  }
  for (int64_t j = 0; j < plan.outN() / 8; ++j) {
    V col = tile.col + firstCol + 8 * j;
    V offset = kb.wide(col) * bytes;
    SmallVector<V> pairs = outputs(output, j, accumulators, factors, loadTiles(output, tile, j));
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

void Epilogue::emit(const OutputPlan &output, Tile tile, V accumulators, ArrayRef<V> factors) {
  if (output.tensorStore)
    storeByTensorMap(output, tile, accumulators, factors);
  else
    storeByThreads(output, tile, accumulators, factors);
}

void Epilogue::finish() {
  KernelBuilder &kb = kernel.kb;
  kb.ifThen(leader, [&] { kb.bulkWait(0, /*read=*/false); });
}
