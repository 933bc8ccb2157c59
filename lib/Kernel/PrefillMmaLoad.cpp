//===- PrefillMmaLoad.cpp - Global memory to a stage of shared memory ------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for every copy i of this thread:
//     cp.async [stage + row_i * 128 + ((chunk ^ row_i % 8) * 16)],
//              [x + row_i * K + k], unit, row_i < rows && k < K ? unit : 0
//
//===----------------------------------------------------------------------===//
#include "PrefillMma.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;

MmaLoader::MmaLoader(KernelBuilder &kb, Type element, V base, V limit, int64_t stride, int64_t unit,
                     int64_t k, int64_t rows, int64_t threads, int64_t offset)
    : kb(kb), element(element), base(base), stride(stride), unit(unit), k(k),
      throughRegisters(unit < 4), offset(offset) {
  // Single 16-bit elements travel in pairs: one store for two loads.
  int64_t size = throughRegisters ? 4 : unit;
  int64_t unitsPerRow = mmaRowBytes / size;
  rowStep = threads / unitsPerRow;
  count = rows / rowStep;
  V tid = kb.tid();
  row = tid / unitsPerRow;
  lane = tid % unitsPerRow * size;
  source = kb.at(base, kb.wide(row) * stride + kb.wide(lane));
  limitFromRow = kb.select(row.lt(limit), limit - row, kb.i32(0));
}

void MmaLoader::begin(V stageStart, V kStart) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  stage = kb.at(stageStart, offset);
  kFirst = kStart + lane / bytes;
  // Past K a copy reads nothing and writes zeros; so it does past the last
  // stage, into a slot that nobody reads any more.
  rowLimit = kb.select(kFirst.lt(k), limitFromRow, kb.i32(0));
  from = kb.at(source, kb.wide(kStart) * bytes);
  held.clear();
}

void MmaLoader::issue(int64_t part, int64_t parts) {
  finish(); // what the part before has loaded: few registers at a time
  for (int64_t i = count * part / parts; i < count * (part + 1) / parts; ++i)
    copy(i);
  // The loads are conditional; ldmatrix and mma.sync want the warp together.
  if (throughRegisters)
    kb.syncWarp();
}

void MmaLoader::copy(int64_t i) {
  // Rows differ from `row` by a constant, whose low bits do not overlap with its own.
  int64_t r = i * rowStep;
  V chunk = (lane / mmaChunkBytes) ^ (row & 7) ^ (r & 7);
  V to = kb.at(stage, row * mmaRowBytes + chunk * mmaChunkBytes + lane % mmaChunkBytes);
  to = kb.at(to, r * mmaRowBytes);
  V at = kb.at(from, r * stride);
  V valid = kb.i32(r).lt(rowLimit);
  if (!throughRegisters) {
    kb.cpAsync(to, at, unit, kb.select(valid, kb.i32(unit), kb.i32(0)));
    return;
  }
  Type i16 = kb.b.getI16Type(), i32 = kb.b.getI32Type();
  auto half = [&](V ok, V address) {
    auto load = [&] {
      V word = kb.load(address, i16, 2);
      return SmallVector<V>{kb.wrap(arith::ExtUIOp::create(kb.b, kb.loc, i32, word))};
    };
    return kb.ifElse(ok, load, [&] { return SmallVector<V>{kb.i32(0)}; })[0];
  };
  V second = valid & (kFirst + 1).lt(k);
  V low = half(valid, at), high = half(second, kb.at(at, 2));
  held.push_back({to, low | high.shl(16)});
}

void MmaLoader::finish() {
  for (auto [to, word] : held)
    kb.store(word, to, 4);
  held.clear();
}
