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

SmallVector<V> Epilogue::outputs(const LinearPlan &linear, int64_t j, V accumulators,
                                 ArrayRef<V> factors) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  auto load = [&](const ColumnVector &vector) {
    int64_t base = plan.vectorOffset + vector.offset + 8 * j * vector.bytes();
    V pair = kb.load(kb.at(kernel.smem, firstCol * vector.bytes() + base),
                     VectorType::get({2}, vector.type), 2 * vector.bytes());
    return std::pair(kb.extract(pair, 0), kb.extract(pair, 1));
  };
  std::pair<V, V> columnSum, shiftSum;
  if (linear.columnSum)
    columnSum = load(*linear.columnSum);
  if (linear.shiftSum)
    shiftSum = load(*linear.shiftSum);
  SmallVector<V> columns[2];
  for (const ColumnVector &vector : linear.columns) {
    auto [low, high] = load(vector);
    columns[0].push_back(low);
    columns[1].push_back(high);
  }
  SmallVector<V> result;
  for (int64_t h = 0; h < 2; ++h) {
    V pair[2];
    for (int64_t i = 0; i < 2; ++i) {
      V z = wgmma::element(kb, accumulators, 4 * j + 2 * h + i);
      if (linear.columnSum)
        z = kb.fma(factors[2 + h], i ? columnSum.second : columnSum.first, z);
      V shift = i ? shiftSum.second : shiftSum.first;
      if (!factors.empty())
        z = shift ? kb.fma(factors[h], z, shift) : factors[h] * z;
      else if (shift)
        z = z + shift;
      pair[i] = inlineFinalizer(kb, plan.op, linear.out, {z}, columns[i]);
    }
    result.push_back(packPair(pair[0], pair[1], linear.outType));
  }
  return result;
}

void Epilogue::storeByTensorMap(const LinearPlan &linear, Tile tile, V accumulators,
                                ArrayRef<V> factors) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t chunks = plan.tileN / chunkCols;
  for (int64_t first = 0; first < chunks; first += plan.stagingBuffers) {
    int64_t count = std::min(plan.stagingBuffers, chunks - first);
    // Earlier stores must have read the buffers.
    kb.ifThen(leader, [&] { kb.bulkWait(0, /*read=*/true); });
    sync();
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < chunkCols / 16; ++j) {
        SmallVector<V> regs;
        for (int64_t side = 0; side < 2; ++side)
          for (V pair : outputs(linear, ((first + i) * chunkCols + 16 * j) / 8 + side, accumulators,
                                factors))
            regs.push_back(kb.bitcast(pair, kb.b.getI32Type()));
        kb.stMatrix(kb.at(staging, matrixOffsets[j] + i * chunkBytes), regs);
      }
    // Ordinary writes, about to be read by the copy engine.
    kb.fenceAsync();
    sync();
    kb.ifThen(leader, [&] {
      for (int64_t i = 0; i < count; ++i)
        kb.tensorStore(kernel.args[linear.outArg], kb.at(staging, i * chunkBytes),
                       tile.col + (first + i) * chunkCols, tile.row + group.shl(6));
      kb.bulkCommit();
    });
  }
}

void Epilogue::storeByThreads(const LinearPlan &linear, Tile tile, V accumulators,
                              ArrayRef<V> factors) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t bytes = linear.outType.getIntOrFloatBitWidth() / 8;
  V inside[2], rowStart[2];
  for (int64_t h = 0; h < 2; ++h) {
    V row = tile.row + firstRow + 8 * h;
    inside[h] = row.lt(kernel.rows);
    rowStart[h] = kb.at(kernel.args[linear.outArg], kb.wide(row) * (linear.n * bytes));
  }
  for (int64_t j = 0; j < plan.tileN / 8; ++j) {
    V col = tile.col + firstCol + 8 * j;
    V offset = kb.wide(col) * bytes;
    SmallVector<V> pairs = outputs(linear, j, accumulators, factors);
    for (int64_t h = 0; h < 2; ++h) {
      V pair = pairs[h];
      V target = kb.at(rowStart[h], offset);
      V left = inside[h] & col.lt(linear.n);
      if (linear.n % 2 == 0) {
        kb.ifThen(left, [&] { kb.store(pair, target, 2 * bytes); });
        continue;
      }
      kb.ifThen(left, [&] { kb.store(kb.extract(pair, 0), target, bytes); });
      kb.ifThen(inside[h] & (col + 1).lt(linear.n),
                [&] { kb.store(kb.extract(pair, 1), kb.at(target, bytes), bytes); });
    }
  }
}

void Epilogue::emit(const LinearPlan &linear, Tile tile, V accumulators, ArrayRef<V> factors) {
  if (linear.tensorStore)
    storeByTensorMap(linear, tile, accumulators, factors);
  else
    storeByThreads(linear, tile, accumulators, factors);
}

void Epilogue::finish() {
  KernelBuilder &kb = kernel.kb;
  kb.ifThen(leader, [&] { kb.bulkWait(0, /*read=*/false); });
}
