//===- WgmmaRowSums.cpp - Row sums from swizzled tiles ---------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WgmmaRowSums.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Both 16-bit elements of `pair` as f32.
static std::pair<V, V> unpack(KernelBuilder &kb, V pair, Type element) {
  Type f32 = kb.b.getF32Type();
  if (element.isBF16())
    return {kb.bitcast(pair.shl(16), f32), kb.bitcast(pair & 0xffff0000, f32)};
  V both = kb.bitcast(pair, VectorType::get({2}, element));
  return {kb.toF32(kb.extract(both, 0)), kb.toF32(kb.extract(both, 1))};
}

void wgmma::addToSums(KernelBuilder &kb, V words, Type element, V pivot, MutableArrayRef<V> sums) {
  SmallVector<std::pair<V, V>> pairs;
  if (isa<Float8E4M3FNType>(element)) {
    V halves = kb.bitcast(words, VectorType::get({8}, kb.b.getI16Type()));
    for (int64_t i = 0; i < 8; ++i) {
      V both =
          kb.f8ToF16(kb.bitcast(kb.extract(halves, i), VectorType::get({2}, kb.b.getI8Type())));
      pairs.emplace_back(kb.toF32(kb.extract(both, 0)), kb.toF32(kb.extract(both, 1)));
    }
  } else {
    for (int64_t i = 0; i < 4; ++i)
      pairs.push_back(unpack(kb, kb.extract(words, i), element));
  }
  for (auto [i, pair] : llvm::enumerate(pairs)) {
    int64_t chain = 2 * (i % 2);
    for (V d : {pair.first, pair.second}) {
      if (pivot) {
        d = d - pivot;
        sums[chains + chain] = sums[chains + chain] + d;
      }
      sums[chain] = kb.fma(d, d, sums[chain]);
      ++chain;
    }
  }
}

V wgmma::totalOf(KernelBuilder &kb, ArrayRef<V> sums) {
  V sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return sum + kb.shuffleXor(sum, 1);
}
