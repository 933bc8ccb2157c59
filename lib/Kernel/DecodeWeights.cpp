//===- DecodeWeights.cpp - Right operands, and what they ask of the left --===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of every 32 k of a row of W a lane multiplies 8, which lie side by side:
//
//   16-bit weights    16 bytes, two right operands of m16n8k16 as they are
//   f8E4M3FN          8 bytes; two to f16x2 by one instruction (exact, NaN included)
//
// On to bf16 it would take three more, which is felt: where x is bf16, it is the left
// operand that becomes f16, once. A warp's slice of a row is multiplied by a power of
// two that brings its largest element to 2^15, the warp's sums by the inverse. An
// element of bf16 is then exact down to 2^-32 of the largest, and the rest is lost far
// below an f32 sum.
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;

/// Four words of two elements each, in the type of the products; zeros unless `exists` (null: they
/// do).
SmallVector<V> decode::loadWeights(KernelBuilder &kb, const Plan &plan, V at, V exists) {
  Type i32 = kb.b.getI32Type();
  int64_t count = 2 * plan.weightBytes;
  V loaded = kb.load(at, VectorType::get({count}, i32), 4 * count);
  if (exists)
    loaded = kb.select(exists, loaded, kb.pack(SmallVector<V>(count, kb.i32(0))));
  SmallVector<V> words;
  if (plan.weightBytes == 2) {
    for (int64_t i = 0; i < 4; ++i)
      words.push_back(kb.extract(loaded, i));
    return words;
  }
  V pairs = kb.bitcast(loaded, VectorType::get({4}, kb.b.getI16Type()));
  for (int64_t i = 0; i < 4; ++i) {
    V pair = kb.bitcast(kb.extract(pairs, i), VectorType::get({2}, kb.b.getI8Type()));
    words.push_back(kb.bitcast(kb.f8ToF16(pair), i32));
  }
  return words;
}

static V most(KernelBuilder &kb, V a, V b) {
  return kb.wrap(arith::MaxUIOp::create(kb.b, kb.loc, Value(a), Value(b)));
}

/// A step of the left operand, wherever it is kept.
V LeftOperand::kept(int64_t half, int64_t step) {
  return step < plan.kept ? operand[half][step] : kb.load(spilled(half, step), bits, 16);
}

/// From bf16 to f16.
void LeftOperand::rescale() {
  auto halfWords = VectorType::get({8}, kb.b.getI16Type());
  for (int64_t h = 0; h < plan.halves; ++h) {
    // Bits without the sign are in the order of magnitudes.
    V largest;
    for (int64_t step = 0; step < plan.steps(); ++step) {
      V sizes =
          kb.bitcast(kept(h, step) & kb.pack(SmallVector<V>(4, kb.i32(0x7fff7fff))), halfWords);
      largest = largest ? most(kb, largest, sizes) : sizes;
    }
    V size;
    for (int64_t i = 0; i < 8; ++i) {
      V element = kb.extract(largest, i);
      size = size ? most(kb, size, element) : element;
    }
    size = kb.wrap(arith::ExtUIOp::create(kb.b, kb.loc, kb.b.getI32Type(), Value(size)));
    for (int64_t lanes : {1, 2}) // of the row
      size = most(kb, size, kb.shuffleXor(size, lanes));
    // Exponents at which both factors are normal numbers; an infinity stays one.
    V exponent = kb.min(most(kb, size.shr(7), kb.i32(16)), kb.i32(254));
    V factor = kb.bitcast((kb.i32(269) - exponent).shl(23), kb.b.getF32Type());
    inverses.push_back(kb.bitcast((exponent - 15).shl(23), kb.b.getF32Type()));
    for (int64_t step = 0; step < plan.steps(); ++step) {
      // Not as the f32 that the statistics saw, and one step at a time: registers are few.
      V scaled = toF32(kept(h, step) ^ kb.pack(SmallVector<V>(4, unknownZero))) * splat(factor);
      V value = kb.bitcast(kb.fromF32(scaled, kb.b.getF16Type()), bits);
      unknownZero = unknownZero & kb.extract(value, 0);
      if (step < plan.kept)
        operand[h][step] = value;
      else
        kb.store(value, spilled(h, step), 16);
    }
  }
}
