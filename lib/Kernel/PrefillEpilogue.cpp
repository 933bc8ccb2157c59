//===- PrefillEpilogue.cpp - Factors, finalizer, stores --------------------===//
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
    : kernel(kernel), group(group), lane(thread % 32), leader(thread.eq(0)) {
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

SmallVector<V> Epilogue::outputs(const OutputPlan &output, int64_t j, V accumulators,
                                 ArrayRef<V> factors) {
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
      pair[i] = inlineFinalizer(kb, plan.op, output.index, z, columns[i]);
    }
    result.push_back(packPair(pair[0], pair[1], output.type));
  }
  return result;
}

void Epilogue::storeByTensorMap(const OutputPlan &output, Tile tile, V accumulators,
                                ArrayRef<V> factors) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t chunks = plan.outN() / chunkCols;
  for (int64_t first = 0; first < chunks; first += plan.stagingBuffers) {
    int64_t count = std::min(plan.stagingBuffers, chunks - first);
    // Earlier stores must have read the buffers.
    kb.ifThen(leader, [&] { kb.bulkWait(0, /*read=*/true); });
    sync();
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < chunkCols / 16; ++j) {
        SmallVector<V> regs;
        for (int64_t side = 0; side < 2; ++side)
          for (V pair : outputs(output, ((first + i) * chunkCols + 16 * j) / 8 + side, accumulators,
                                factors))
            regs.push_back(kb.bitcast(pair, kb.b.getI32Type()));
        kb.stMatrix(kb.at(staging, matrixOffsets[j] + i * chunkBytes), regs);
      }
    // Ordinary writes, about to be read by the copy engine.
    kb.fenceAsync();
    sync();
    kb.ifThen(leader, [&] {
      for (int64_t i = 0; i < count; ++i)
        kb.tensorStore(kernel.args[output.arg], kb.at(staging, i * chunkBytes),
                       tile.col + (first + i) * chunkCols, tile.row + group.shl(6));
      kb.bulkCommit();
    });
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
    SmallVector<V> pairs = outputs(output, j, accumulators, factors);
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
