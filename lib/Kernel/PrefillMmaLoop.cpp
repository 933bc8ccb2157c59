//===- PrefillMmaLoop.cpp - Products and row sums --------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   start stages 0 .. S-2
//   for every stage:
//     wait for its copies; barrier     // and all warps have left the stage before
//     for four steps of K:             // m16n8k16, or m16n8k8 with tf32
//       a part of the copies of the stage S-1 ahead, a part of the row sums
//       fragments of x and W for the next step, by ldmatrix; products of this one
//
//===----------------------------------------------------------------------===//
#include "PrefillMma.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Steps of K in a stage: 32 bytes each.
static constexpr int64_t steps = 4;

/// The fragments of one step of K of the stage at `stage`.
MmaFragments MmaKernel::loadFragments(V stage, int64_t step) {
  // Lane l names row l % 16 of a 16 x 32-byte block of x; of two blocks of W it
  // names row l % 8 of block l / 16. Bit 0 of a chunk comes from the lane, the
  // others from the step, so that the swizzle is an exclusive or.
  V xRow = warpM * tile.warpRows() + (lane & 15);
  V xChunk = lane.shr(4) ^ (lane & 7);
  V wRow = warpN * tile.warpOutCols() + (lane & 7) + lane.shr(4) * 8;
  V wChunk = (lane.shr(3) & 1) ^ (lane & 7);
  V xAt = kb.at(stage, xRow * mmaRowBytes + (xChunk ^ (2 * step)) * mmaChunkBytes);
  V wAt = kb.at(stage, wRow * mmaRowBytes + (wChunk ^ (2 * step)) * mmaChunkBytes);
  wAt = kb.at(wAt, tile.m * mmaRowBytes);
  MmaFragments fragments;
  for (int64_t i = 0; i < tile.blocksM(); ++i)
    fragments.x.push_back(kb.ldMatrix(kb.at(xAt, i * 16 * mmaRowBytes), 4));
  for (int64_t j = 0; j < tile.blocksN(); j += 2) {
    // The warp's columns of one Linear, then those of the next.
    int64_t row = j / tile.outBlocks() * tile.outN() + j % tile.outBlocks() * 8;
    SmallVector<V> two = kb.ldMatrix(kb.at(wAt, row * mmaRowBytes), 4);
    fragments.w.push_back({two[0], two[1]});
    fragments.w.push_back({two[2], two[3]});
  }
  return fragments;
}

/// Rounds fragments of f32 to tf32; rows of x lose their pivots before.
void MmaKernel::toTF32(MmaFragments &fragments) {
  Type f32 = kb.b.getF32Type();
  for (auto [i, block] : llvm::enumerate(fragments.x))
    for (auto [r, word] : llvm::enumerate(block)) {
      V value = kb.bitcast(word, f32);
      word = kb.toTF32(shiftOperand ? value - fragmentPivots[2 * i + r % 2] : value);
    }
  for (SmallVector<V> &block : fragments.w)
    for (V &word : block)
      word = kb.toTF32(kb.bitcast(word, f32));
}

void MmaKernel::multiply(MmaFragments &fragments) {
  if (element.isF32())
    toTF32(fragments);
  for (int64_t i = 0; i < tile.blocksM(); ++i)
    for (int64_t j = 0; j < tile.blocksN(); ++j) {
      MutableArrayRef<V> c = MutableArrayRef<V>(acc).slice((i * tile.blocksN() + j) * 4, 4);
      llvm::copy(kb.mmaSync(element, fragments.x[i], fragments.w[j], c), c.begin());
    }
}

/// Adds chunk `chunk` of this thread's part of its row to the row's sums.
void MmaKernel::addToSums(V stage, V kFirst, int64_t chunk) {
  int64_t perThread = mmaRowChunks / tile.threadsPerRow(), inChunk = mmaChunkBytes / bytes;
  V number = sumPart * perThread + chunk;
  V at = kb.at(stage, sumRow * mmaRowBytes + (number ^ (sumRow & 7)) * mmaChunkBytes);
  V words = kb.load(at, VectorType::get({4}, kb.b.getI32Type()), mmaChunkBytes);

  // Zeros past K must not enter pivoted sums: there the pivot is zero as well.
  // `low` serves the elements that exist in a partial last chunk.
  int64_t partial = op.getK() % inChunk;
  V low = pivot, high = pivot;
  if (hasPivot && op.getK() % stageK != 0) {
    V k = kFirst + number * inChunk;
    low = high = kb.select(k.lt(op.getK()), pivot, kb.f32(0.0));
    if (partial != 0)
      high = kb.select((k + inChunk).lt(op.getK() + 1), pivot, kb.f32(0.0));
  }
  SmallVector<V> values;
  Type f32 = kb.b.getF32Type();
  for (int64_t w = 0; w < 4; ++w) {
    V word = kb.extract(words, w);
    if (element.isF32()) {
      values.push_back(kb.bitcast(word, f32));
    } else if (element.isBF16()) {
      values.push_back(kb.bitcast(word.shl(16), f32));
      values.push_back(kb.bitcast(word & kb.i32(0xffff0000), f32));
    } else {
      V pair = kb.toF32(kb.bitcast(word, VectorType::get({2}, element)));
      values.push_back(kb.extract(pair, 0));
      values.push_back(kb.extract(pair, 1));
    }
  }
  for (auto [i, value] : llvm::enumerate(values)) {
    V &square = sums[i % sumChains];
    if (hasPivot) {
      value = value - (partial != 0 && static_cast<int64_t>(i) >= partial ? high : low);
      V &sum = sums[sumChains + i % sumChains];
      sum = sum + value;
    }
    square = kb.fma(value, value, square);
  }
}

void MmaKernel::mainLoop() {
  int64_t k = op.getK();
  int64_t weightStride = (packed ? llvm::alignTo(k, 8) : k) * bytes;
  int64_t xUnit = llvm::MinAlign(k * bytes, std::min(align, mmaChunkBytes));
  int64_t wUnit = packed ? mmaChunkBytes : xUnit;
  V xBase = kb.at(params.x, kb.wide(m0) * (k * bytes));
  std::vector<MmaLoader> loaders{MmaLoader(kb, element, xBase, params.rows - m0, k * bytes, xUnit,
                                           k, tile.m, tile.threads(), 0)};
  for (auto [l, weight] : llvm::enumerate(target.weights))
    loaders.push_back(MmaLoader(kb, element, kb.at(weight, kb.wide(target.n0) * weightStride),
                                target.cols, weightStride, wUnit, k, tile.outN(), tile.threads(),
                                (tile.m + l * tile.outN()) * mmaRowBytes));
  int64_t ringBytes = tile.sumsOffset();

  for (int64_t s = 0; s + 1 < tile.stages; ++s) {
    V stage = kb.at(kb.smem(), s * tile.stageBytes());
    for (MmaLoader &loader : loaders) {
      loader.begin(stage, kb.i32(s * stageK));
      loader.issue(0, 1);
      loader.finish();
    }
    kb.cpAsyncCommit();
  }

  bool promotes = mustPromote(op);
  acc.assign(tile.blocksM() * tile.blocksN() * 4, kb.f32(0.0));
  SmallVector<V> init = acc;
  llvm::append_range(init, sums);
  init.push_back(kb.i32(0));                                     // stage to read
  init.push_back(kb.i32((tile.stages - 1) * tile.stageBytes())); // stage to fill
  int64_t chunks = hasSums ? mmaRowChunks / tile.threadsPerRow() : 0;
  SmallVector<V> done =
      kb.forLoop(kb.i32(0), kb.i32(llvm::divideCeil(k, stageK) * stageK), kb.i32(stageK), init,
                 [&](V kFirst, ArrayRef<V> carried) {
                   // Sums that must be promoted begin anew with every stage.
                   if (promotes)
                     acc.assign(acc.size(), kb.f32(0.0));
                   else
                     llvm::copy(carried.take_front(acc.size()), acc.begin());
                   llvm::copy(carried.slice(acc.size(), sums.size()), sums.begin());
                   V reading = carried[carried.size() - 2], filling = carried.back();
                   kb.cpAsyncWait(tile.stages - 2);
                   kb.syncThreads();
                   V stage = kb.at(kb.smem(), reading);
                   V fill = kb.at(kb.smem(), filling);
                   for (MmaLoader &loader : loaders)
                     loader.begin(fill, kFirst + (tile.stages - 1) * stageK);
                   MmaFragments fragments = loadFragments(stage, 0);
                   for (int64_t step = 0; step < steps; ++step) {
                     for (MmaLoader &loader : loaders)
                       loader.issue(step, steps);
                     for (int64_t c = chunks * step / steps; c < chunks * (step + 1) / steps; ++c)
                       addToSums(stage, kFirst, c);
                     MmaFragments next;
                     if (step + 1 < steps)
                       next = loadFragments(stage, step + 1);
                     multiply(fragments);
                     fragments = std::move(next);
                   }
                   for (MmaLoader &loader : loaders)
                     loader.finish();
                   kb.cpAsyncCommit();
                   auto next = [&](V at) {
                     V after = at + tile.stageBytes();
                     return kb.select(after.eq(ringBytes), kb.i32(0), after);
                   };
                   SmallVector<V> result = acc;
                   if (promotes)
                     for (size_t i = 0; i < acc.size(); ++i)
                       result[i] = carried[i] + acc[i];
                   llvm::append_range(result, sums);
                   result.push_back(next(reading));
                   result.push_back(next(filling));
                   return result;
                 });
  kb.cpAsyncWait(0);
  llvm::copy(ArrayRef<V>(done).take_front(acc.size()), acc.begin());
  llvm::copy(ArrayRef<V>(done).slice(acc.size(), sums.size()), sums.begin());
}
