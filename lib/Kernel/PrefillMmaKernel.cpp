//===- PrefillMmaKernel.cpp - From the block's tile to row factors ---------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   which rows and columns? pivots of the rows
//   sums over K: products and row sums (PrefillMmaLoop.cpp)
//   row sums -> row factors, through shared memory
//   finalizers and stores (PrefillMmaEpilogue.cpp)
//
//===----------------------------------------------------------------------===//
#include "PrefillMma.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// First elements of a row whose average stands for its center, see operandPivot.
static constexpr int64_t averaged = 16;
/// Rows of x that a group of neighbouring blocks keeps in the L2 cache while it
/// sweeps over the weights.
static constexpr int64_t groupedRows = 1024;

MmaKernel::MmaKernel(KernelBuilder &kb, OnlineOp op, const MmaTile &tile, bool packed,
                     int64_t align)
    : kb(kb), op(op), tile(tile), packed(packed), align(align),
      element(getElementTypeOrSelf(op.getX())), bytes(element.getIntOrFloatBitWidth() / 8),
      stageK(mmaRowBytes / bytes), operands(op) {
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
  for (int64_t i : operands.tiles)
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
  for (size_t i = 0; i < operands.tiles.size(); ++i)
    p.tiles.push_back(next());
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
    tiles += llvm::divideCeil(columnsOf(o), tile.outN());
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
    int64_t n = columnsOf(o);
    V n0 = (column - start) * tile.outN();
    MmaTarget here{kb.i32(o), n0, kb.i32(n) - n0, {}};
    for (int64_t l : op.getLinearsOf(o))
      here.weights.push_back(params.weights[l]);
    if (o == 0) {
      target = here;
    } else {
      V past = column.ge(start);
      target.index = kb.select(past, here.index, target.index);
      target.n0 = kb.select(past, here.n0, target.n0);
      target.cols = kb.select(past, here.cols, target.cols);
      for (auto [weight, other] : llvm::zip_equal(target.weights, here.weights))
        weight = kb.select(past, other, weight);
    }
    start += llvm::divideCeil(n, tile.outN());
  }
}

V MmaKernel::tileRow(int64_t block, int64_t half) const {
  return warpM * tile.warpRows() + lane.shr(2) + (block * 16 + half * 8);
}
V MmaKernel::tileCol(int64_t block) const {
  return warpN * tile.warpOutCols() + (lane & 3) * 2 + block * 8;
}

/// The row whose sums this thread shares, and its pivots.
void MmaKernel::prepareRows() {
  if (!hasSums)
    return;
  // Eight neighbouring lanes have eight neighbouring rows: no bank conflicts.
  sumRow = tid % tile.m;
  sumPart = tid / tile.m;
  sums.assign(sumChains * (hasPivot ? 2 : 1), kb.f32(0.0));
  if (!hasPivot)
    return;
  V row = kb.at(params.x, kb.wide(kb.min(m0 + sumRow, params.rows - 1)) * (op.getK() * bytes));
  pivot = loadPivot(kb, op, row);
  if (!shiftOperand)
    return;
  // A power of two: equal elements have exactly their value as average.
  int64_t count = llvm::bit_floor(static_cast<uint64_t>(std::min(op.getK(), averaged)));
  operandPivot = kb.load(row, element, bytes);
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
