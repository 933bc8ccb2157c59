//===- PrefillMmaKernel.cpp - Tiles, main loop and row sums ----------------===//
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
//   row sums -> row factors, through shared memory; epilogue
//
//===----------------------------------------------------------------------===//
#include "PrefillMma.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Independent chains of a row sum in one thread: even and odd elements.
static constexpr int64_t chains = 2;
/// First elements of a row whose average stands for its center, see operandPivot.
static constexpr int64_t averaged = 16;
/// Steps of K in a stage: 32 bytes each.
static constexpr int64_t steps = 4;
/// Rows of x that a group of neighbouring blocks keeps in the L2 cache while it
/// sweeps over the weights.
static constexpr int64_t groupedRows = 1024;

static Type elementOf(Value value) { return cast<ShapedType>(value.getType()).getElementType(); }

MmaKernel::MmaKernel(KernelBuilder &kb, OnlineOp op, const MmaTile &tile, bool packed,
                     int64_t align)
    : kb(kb), op(op), tile(tile), packed(packed), align(align), element(elementOf(op.getX())),
      bytes(element.getIntOrFloatBitWidth() / 8), stageK(mmaRowBytes / bytes), operands(op) {
  unsigned factors = op.getNumRowFactors();
  hasScale = factors > 0;
  hasCenter = factors > 1;
  hasSums = hasScale && !op.getStatistics().empty();
  hasPivot = hasSums && needsPivot(op);
  // tf32 keeps 11 bits of x: a row far from zero would lose what is left after
  // centering. Most of the center is subtracted before rounding.
  shiftOperand = element.isF32() && hasPivot && hasCenter;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

SmallVector<KernelArg> MmaKernel::arguments() {
  using Kind = KernelArg::Kind;
  SmallVector<KernelArg> args{{Kind::Buffer, operands.x}};
  for (int64_t l = 0, e = operands.weights.size(); l < e; ++l) {
    if (!packed) {
      args.push_back({Kind::Buffer, operands.weights[l]});
      continue;
    }
    args.push_back({Kind::Packed, packedIndex(l, PackedPart::Weight)});
    if (hasCenter)
      args.push_back({Kind::Packed, packedIndex(l, PackedPart::ColumnSum)});
    if (operands.shift >= 0)
      args.push_back({Kind::Packed, packedIndex(l, PackedPart::ShiftSum)});
  }
  for (int64_t i : operands.columns)
    args.push_back({Kind::Buffer, i});
  for (int64_t i : operands.scalars)
    args.push_back({Kind::Scalar, i});
  for (int64_t i : operands.outs)
    args.push_back({Kind::Buffer, i});
  args.push_back({Kind::Rows});
  return args;
}

MmaParams MmaKernel::sort(ArrayRef<V> values) {
  MmaParams p;
  auto next = [&] {
    V value = values.front();
    values = values.drop_front();
    return value;
  };
  p.x = next();
  for (size_t l = 0; l < operands.weights.size(); ++l) {
    p.weights.push_back(next());
    p.columnSums.push_back(packed && hasCenter ? next() : V());
    p.shiftSums.push_back(packed && operands.shift >= 0 ? next() : V());
  }
  for (size_t i = 0; i < operands.columns.size(); ++i)
    p.columns.push_back(next());
  for (size_t i = 0; i < operands.scalars.size(); ++i)
    p.scalars.push_back(next());
  for (size_t i = 0; i < operands.outs.size(); ++i)
    p.outs.push_back(next());
  p.rows = next();
  return p;
}

int64_t MmaKernel::columnTiles() {
  int64_t tiles = 0;
  for (size_t o = 0; o < operands.outs.size(); ++o)
    tiles += llvm::divideCeil(op.getN(linearOf(o)), tile.n);
  return tiles;
}

//===----------------------------------------------------------------------===//
// The block's tile
//===----------------------------------------------------------------------===//

/// Finds the block's rows and output. Neighbouring blocks share rows of x and,
/// a few of them, columns of W: they walk down a group of row tiles first.
void MmaKernel::locate() {
  tid = kb.tid();
  lane = tid & 31;
  V warp = tid.shr(5);
  warpM = warp % tile.warpsM;
  warpN = warp / tile.warpsM;

  int64_t tilesN = columnTiles(), group = std::max<int64_t>(1, groupedRows / tile.m);
  V rowTiles = (params.rows + (tile.m - 1)) / tile.m;
  V first = kb.cta() / (group * tilesN) * group;
  V inGroup = kb.cta() % (group * tilesN);
  V height = kb.min(rowTiles - first, kb.i32(group));
  m0 = (first + inGroup % height) * tile.m;
  V column = inGroup / height;

  int64_t start = 0;
  for (size_t o = 0; o < operands.outs.size(); ++o) {
    int64_t n = op.getN(linearOf(o));
    V n0 = (column - start) * tile.n;
    MmaTarget here{kb.i32(o), n0, kb.i32(n) - n0, params.weights[linearOf(o)]};
    if (o == 0) {
      target = here;
    } else {
      V past = column.ge(start);
      target = {kb.select(past, here.index, target.index), kb.select(past, here.n0, target.n0),
                kb.select(past, here.cols, target.cols),
                kb.select(past, here.weight, target.weight)};
    }
    start += llvm::divideCeil(n, tile.n);
  }
}

V MmaKernel::tileRow(int64_t block, int64_t half) const {
  return warpM * tile.warpRows() + lane.shr(2) + (block * 16 + half * 8);
}
V MmaKernel::tileCol(int64_t block) const {
  return warpN * tile.warpCols() + (lane & 3) * 2 + block * 8;
}

/// The row whose sums this thread shares, and its pivots.
void MmaKernel::prepareRows() {
  if (!hasSums)
    return;
  // Eight neighbouring lanes have eight neighbouring rows: no bank conflicts.
  sumRow = tid % tile.m;
  sumPart = tid / tile.m;
  sums.assign(chains * (hasPivot ? 2 : 1), kb.f32(0.0));
  if (!hasPivot)
    return;
  V row = kb.at(params.x, kb.wide(kb.min(m0 + sumRow, params.rows - 1)) * (op.getK() * bytes));
  pivot = kb.toF32(kb.load(row, element, bytes));
  if (!shiftOperand)
    return;
  // A power of two: equal elements have exactly their value as average.
  int64_t count = llvm::bit_floor(static_cast<uint64_t>(std::min(op.getK(), averaged)));
  operandPivot = pivot;
  for (int64_t k = 1; k < count; ++k)
    operandPivot = operandPivot + kb.load(kb.at(row, k * bytes), element, bytes);
  operandPivot = operandPivot * kb.f32(1.0 / static_cast<double>(count));
  V pivots = kb.at(kb.smem(), tile.sumsOffset());
  kb.ifThen(tid.lt(tile.m), [&] { kb.store(operandPivot, kb.at(pivots, tid * 4), 4); });
  kb.syncThreads();
  for (int64_t i = 0; i < tile.blocksM(); ++i)
    for (int64_t half = 0; half < 2; ++half)
      fragmentPivots.push_back(kb.load(kb.at(pivots, tileRow(i, half) * 4), element, 4));
}

//===----------------------------------------------------------------------===//
// Main loop
//===----------------------------------------------------------------------===//

/// The fragments of one step of K of the stage at `stage`.
MmaFragments MmaKernel::loadFragments(V stage, int64_t step) {
  // Lane l names row l % 16 of a 16 x 32-byte block of x; of two blocks of W it
  // names row l % 8 of block l / 16. Bit 0 of a chunk comes from the lane, the
  // others from the step, so that the swizzle is an exclusive or.
  V xRow = warpM * tile.warpRows() + (lane & 15);
  V xChunk = lane.shr(4) ^ (lane & 7);
  V wRow = warpN * tile.warpCols() + (lane & 7) + lane.shr(4) * 8;
  V wChunk = (lane.shr(3) & 1) ^ (lane & 7);
  V xAt = kb.at(stage, xRow * mmaRowBytes + (xChunk ^ (2 * step)) * mmaChunkBytes);
  V wAt = kb.at(stage, wRow * mmaRowBytes + (wChunk ^ (2 * step)) * mmaChunkBytes);
  wAt = kb.at(wAt, tile.m * mmaRowBytes);
  MmaFragments fragments;
  for (int64_t i = 0; i < tile.blocksM(); ++i)
    fragments.x.push_back(kb.ldMatrix(kb.at(xAt, i * 16 * mmaRowBytes), 4));
  for (int64_t j = 0; j < tile.blocksN(); j += 2) {
    SmallVector<V> two = kb.ldMatrix(kb.at(wAt, j * 8 * mmaRowBytes), 4);
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
    V &square = sums[i % chains];
    if (hasPivot) {
      value = value - (partial != 0 && static_cast<int64_t>(i) >= partial ? high : low);
      V &sum = sums[chains + i % chains];
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
  V wBase = kb.at(target.weight, kb.wide(target.n0) * weightStride);
  MmaLoader x(kb, element, xBase, params.rows - m0, k * bytes, xUnit, k, tile.m, tile.threads(), 0);
  MmaLoader w(kb, element, wBase, target.cols, weightStride, wUnit, k, tile.n, tile.threads(),
              tile.m * mmaRowBytes);
  int64_t ringBytes = tile.sumsOffset();

  for (int64_t s = 0; s + 1 < tile.stages; ++s) {
    V stage = kb.at(kb.smem(), s * tile.stageBytes());
    for (MmaLoader *loader : {&x, &w}) {
      loader->begin(stage, kb.i32(s * stageK));
      loader->issue(0, 1);
      loader->finish();
    }
    kb.cpAsyncCommit();
  }

  acc.assign(tile.blocksM() * tile.blocksN() * 4, kb.f32(0.0));
  SmallVector<V> init = acc;
  llvm::append_range(init, sums);
  init.push_back(kb.i32(0));                                     // stage to read
  init.push_back(kb.i32((tile.stages - 1) * tile.stageBytes())); // stage to fill
  int64_t chunks = hasSums ? mmaRowChunks / tile.threadsPerRow() : 0;
  SmallVector<V> done =
      kb.forLoop(kb.i32(0), kb.i32(llvm::divideCeil(k, stageK) * stageK), kb.i32(stageK), init,
                 [&](V kFirst, ArrayRef<V> carried) {
                   llvm::copy(carried.take_front(acc.size()), acc.begin());
                   llvm::copy(carried.slice(acc.size(), sums.size()), sums.begin());
                   V reading = carried[carried.size() - 2], filling = carried.back();
                   kb.cpAsyncWait(tile.stages - 2);
                   kb.syncThreads();
                   V stage = kb.at(kb.smem(), reading);
                   V fill = kb.at(kb.smem(), filling);
                   x.begin(fill, kFirst + (tile.stages - 1) * stageK);
                   w.begin(fill, kFirst + (tile.stages - 1) * stageK);
                   MmaFragments fragments = loadFragments(stage, 0);
                   for (int64_t step = 0; step < steps; ++step) {
                     x.issue(step, steps);
                     w.issue(step, steps);
                     for (int64_t c = chunks * step / steps; c < chunks * (step + 1) / steps; ++c)
                       addToSums(stage, kFirst, c);
                     MmaFragments next;
                     if (step + 1 < steps)
                       next = loadFragments(stage, step + 1);
                     multiply(fragments);
                     fragments = std::move(next);
                   }
                   x.finish();
                   w.finish();
                   kb.cpAsyncCommit();
                   auto next = [&](V at) {
                     V after = at + tile.stageBytes();
                     return kb.select(after.eq(ringBytes), kb.i32(0), after);
                   };
                   SmallVector<V> result = acc;
                   llvm::append_range(result, sums);
                   result.push_back(next(reading));
                   result.push_back(next(filling));
                   return result;
                 });
  kb.cpAsyncWait(0);
  llvm::copy(ArrayRef<V>(done).take_front(acc.size()), acc.begin());
  llvm::copy(ArrayRef<V>(done).slice(acc.size(), sums.size()), sums.begin());
}

//===----------------------------------------------------------------------===//
// Row factors
//===----------------------------------------------------------------------===//

void MmaKernel::exchangeFactors() {
  if (!hasScale)
    return;
  int64_t rowsPerThread = 2 * tile.blocksM();
  if (!hasSums) {
    RowFactors factors = inlineRow(kb, op, {}, params.scalars);
    scales.assign(rowsPerThread, factors.scale);
    minusCenters.assign(rowsPerThread, hasCenter ? kb.f32(0.0) - factors.center : V());
    return;
  }
  Type f32 = kb.b.getF32Type();
  V squares = kb.at(kb.smem(), tile.sumsOffset());
  V plain = kb.at(squares, tile.threads() * 4);
  int64_t parts = tile.threadsPerRow();
  V square = sums[0] + sums[1], sum = hasPivot ? sums[2] + sums[3] : V();
  if (parts > 1) {
    kb.store(square, kb.at(squares, tid * 4), 4);
    if (hasPivot)
      kb.store(sum, kb.at(plain, tid * 4), 4);
    kb.syncThreads();
  }
  // Thread r has part 0 of row r; it adds the others and leaves the factors in
  // the place of its own sums, which nobody else reads.
  kb.ifThen(tid.lt(tile.m), [&] {
    V totalSquare = square, total = sum;
    for (int64_t p = 1; p < parts; ++p) {
      V other = (tid + p * tile.m) * 4;
      totalSquare = totalSquare + kb.load(kb.at(squares, other), f32, 4);
      if (hasPivot)
        total = total + kb.load(kb.at(plain, other), f32, 4);
    }
    RowFactors factors =
        inlineRow(kb, op, statisticsFromSums(kb, op, total, totalSquare, pivot), params.scalars);
    kb.store(factors.scale, kb.at(squares, tid * 4), 4);
    if (factors.center)
      kb.store((shiftOperand ? operandPivot : kb.f32(0.0)) - factors.center, kb.at(plain, tid * 4),
               4);
  });
  kb.syncThreads();
  for (int64_t i = 0; i < tile.blocksM(); ++i)
    for (int64_t half = 0; half < 2; ++half) {
      V at = tileRow(i, half) * 4;
      scales.push_back(kb.load(kb.at(squares, at), f32, 4));
      minusCenters.push_back(hasCenter ? kb.load(kb.at(plain, at), f32, 4) : V());
    }
}

void MmaKernel::build(const MmaParams &values) {
  params = values;
  locate();
  prepareRows();
  mainLoop();
  exchangeFactors();
  if (operands.outs.size() == 1)
    return epilogue(0);
  for (unsigned o = 0; o < operands.outs.size(); ++o)
    kb.ifThen(target.index.eq(o), [&] { epilogue(o); });
}
