//===- SimtSums.cpp - Contractions of the simt kernel ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers need no alignment past that of an element, and K and N are
// arbitrary: every load is of one element, consecutive lanes read consecutive
// elements, indices are clamped to the operand, and what lies past K enters as
// 0. Rows past M and columns past N repeat the last one; they are not stored.
//
//===----------------------------------------------------------------------===//
#include "Simt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::simt;

/// Steps that the loop's body takes: a multiple of every ring's stages.
static constexpr int64_t stepsPerBody = 2;

/// Longest row whose sums start anew with every step, not with every body.
/// Errors grow with the length of a chain of additions; chains of 16, and of 32
/// where additions would be felt, keep them below those of a plain sum.
static constexpr int64_t shortRow = 512;

/// Elements of a step between two turns of the innermost loop. Unrolled whole,
/// so many values are loaded ahead that registers run out.
static constexpr int64_t unrolledK = 8;

/// Keeps the loop that `result` belongs to a loop.
static void keepRolled(OpBuilder &b, Value result) {
  MLIRContext *context = b.getContext();
  LLVM::LoopAnnotationAttr none;
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/b.getBoolAttr(true), {}, {}, {},
                                          none, none, none);
  result.getDefiningOp()->setAttr(
      "llvm.loop_annotation", LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                                            {}, {}, {}, {}, {}, {}, {}, {}));
}

namespace {

/// One step's elements of one thread, as they were loaded.
struct Step {
  SmallVector<V> x, w;
  SmallVector<V> xValid, wValid; ///< null where K leaves nothing to check
  V gain, shift;                 ///< of the thread's k
};

class Sums {
public:
  Sums(KernelBuilder &kb, OnlineOp op, const Shape &shape, const Params &params,
       const Linear &linear, V m0, V n0)
      : kb(kb), op(op), shape(shape), params(params), linear(linear), form(op), operands(op),
        k(op.getK()), stride(tileK * shape.split * stepsPerBody),
        steps(llvm::divideCeil(k, stride) * stepsPerBody), n0(n0), team(kb.tid() / shape.team()),
        t(kb.tid() % shape.team()) {
    Type element = getElementTypeOrSelf(op.getX());
    V last = params.rows - 1 - m0;
    xBase = kb.at(params.operands[operands.x], kb.wide(m0) * (k * bytesOf(element)));
    for (int64_t i = 0; i < shape.tileM * tileK / shape.team(); ++i)
      xRows.push_back(kb.min(line(i), last) * k);
    if (linear.layout == WeightLayout::NK) {
      wBase = kb.at(linear.weight, kb.wide(n0) * (k * bytesOf(linear.element)));
      for (int64_t i = 0; i < wCount(); ++i)
        wRows.push_back(kb.min(line(i), linear.n - 1 - n0) * k);
    }
    ring = kb.at(kb.smem(), team * (shape.stages * shape.stageBytes()) + shape.ringStart());
  }

  /// The team's sums, one vector of `cols` per row of the register block.
  SmallVector<V> run() {
    storeStep(loadStep(kb.i32(0)), buffer(0));
    synchronize();
    SmallVector<V> zeros(shape.rows(), zeroVector());
    return kb.forLoop(kb.i32(0), kb.i32(steps), kb.i32(stepsPerBody), zeros,
                      [&](V s, ArrayRef<V> carried) {
                        SmallVector<V> totals(carried), sums(zeros);
                        for (int64_t i = 0; i < stepsPerBody; ++i) {
                          advance(s + i, i, sums);
                          if (k > shortRow && i + 1 < stepsPerBody)
                            continue;
                          for (auto [total, sum] : llvm::zip_equal(totals, sums))
                            total = total + sum;
                          sums = zeros;
                        }
                        return totals;
                      });
  }

  /// Writes the sums to the team's matrix of slot `slot`.
  void write(ArrayRef<V> sums, int64_t slot) {
    V matrix =
        kb.at(kb.smem(), (team + slot * shape.split) * shape.sumsBytes() + shape.sumsStart());
    V row = blockRow(), col = blockCol();
    for (auto [r, sum] : llvm::enumerate(sums))
      kb.store(sum, kb.at(matrix, ((row + r) * shape.tileN + col) * 4), 16);
  }

private:
  int64_t wCount() const { return shape.tileN * tileK / shape.team(); }

  void synchronize() {
    if (shape.team() == 32)
      kb.syncWarp();
    else
      kb.syncThreads();
  }

  V buffer(int64_t i) { return kb.at(ring, i % shape.stages * shape.stageBytes()); }

  /// Adds step `s`, the i-th of its body, while the next one is on its way.
  void advance(V s, int64_t i, SmallVectorImpl<V> &sums) {
    // The one past the last is loaded and never used.
    Step next = loadStep(s + 1);
    multiply(buffer(i), sums);
    if (shape.stages == 1)
      synchronize();
    storeStep(next, buffer(i + 1));
    synchronize();
  }

  V zeroVector() {
    auto type = VectorType::get({cols}, kb.b.getF32Type());
    return kb.wrap(arith::ConstantOp::create(kb.b, kb.loc, kb.b.getZeroAttr(type)));
  }

  // Operands whose lines run along K: 16 lanes read 16 elements of a line.
  V line(int64_t i) { return t / tileK + i * (shape.team() / tileK); }
  V lineK() { return t % tileK; }
  // A weight whose lines run along N: lanes read neighbouring columns.
  V columnN() { return t % shape.tileN; }
  V columnK(int64_t i) { return t / shape.tileN + i * (shape.team() / shape.tileN); }

  // The thread's register block within the tile.
  V warpOfTeam() { return t / 32; }
  V blockRow() { return (warpOfTeam() / (shape.tileN / 32) * 4 + t % 32 / 8) * shape.rows(); }
  V blockCol() { return (warpOfTeam() % (shape.tileN / 32) * 8 + t % 8) * cols; }

  /// `index`, or the last one past K; `valid` says which, where both happen in
  /// steps that count. Clamping throughout also keeps LLVM from turning every
  /// load's address into an induction variable with registers of its own.
  V clampK(V index, V &valid) {
    valid = k % stride == 0 ? V() : index.lt(k);
    return kb.min(index, kb.i32(k - 1));
  }

  Step loadStep(V s) {
    Step step;
    V k0 = (s * shape.split + team) * tileK, valid;
    V index = clampK(k0 + lineK(), valid);
    Type element = getElementTypeOrSelf(op.getX());
    for (V row : xRows) {
      step.x.push_back(loadElement(kb, xBase, row + index, element));
      step.xValid.push_back(valid);
    }
    if (op.getGain())
      step.gain = loadElement(kb, params.operands[operands.gain], index,
                              getElementTypeOrSelf(op.getGain()));
    if (op.getShift())
      step.shift = loadElement(kb, params.operands[operands.shift], index,
                               getElementTypeOrSelf(op.getShift()));
    if (linear.layout == WeightLayout::NK) {
      for (V row : wRows) {
        step.w.push_back(loadElement(kb, wBase, row + index, linear.element));
        step.wValid.push_back(valid);
      }
      return step;
    }
    int64_t bytes = bytesOf(linear.element);
    V column = kb.wide(kb.min(n0 + columnN(), linear.n - 1)) * bytes;
    V pitch = kb.wide(linear.n) * bytes;
    for (int64_t i = 0; i < wCount(); ++i) {
      V row = kb.wide(clampK(k0 + columnK(i), valid));
      step.w.push_back(kb.load(kb.at(linear.weight, row * pitch + column), linear.element, bytes));
      step.wValid.push_back(valid);
    }
    return step;
  }

  V orZero(V value, V valid) { return valid ? kb.select(valid, value, kb.f32(0.0)) : value; }

  /// Forms h and stores it and the weights as f32.
  void storeStep(const Step &step, V buffer) {
    V gain, shift;
    if (step.gain) {
      gain = kb.toF32(step.gain);
      if (!op.getGainOffset().isZero())
        gain = gain + kb.f32(op.getGainOffset().convertToDouble());
    }
    if (step.shift)
      shift = kb.toF32(step.shift);
    for (auto [i, raw] : llvm::enumerate(step.x)) {
      V h = kb.toF32(raw), m = line(i);
      if (form.scaled) {
        V record = kb.load(kb.at(kb.smem(), m * 16), VectorType::get({4}, kb.b.getF32Type()), 16);
        V scale = kb.extract(record, 2);
        h = form.centered ? kb.fma(h - kb.extract(record, 0), scale, kb.extract(record, 1))
                          : h * scale;
      }
      if (gain && shift)
        h = kb.fma(h, gain, shift);
      else if (gain)
        h = h * gain;
      else if (shift)
        h = h + shift;
      kb.store(orZero(h, step.xValid[i]), kb.at(buffer, (lineK() * shape.ldH() + m) * 4), 4);
    }
    V weights = kb.at(buffer, 4 * tileK * shape.ldH());
    bool nk = linear.layout == WeightLayout::NK;
    for (auto [i, raw] : llvm::enumerate(step.w)) {
      V row = nk ? lineK() : columnK(i), col = nk ? line(i) : columnN();
      kb.store(orZero(kb.toF32(raw), step.wValid[i]), kb.at(weights, (row * shape.ldW() + col) * 4),
               4);
    }
  }

  void multiply(V buffer, SmallVectorImpl<V> &sums) {
    const int64_t rows = shape.rows(), width = std::min<int64_t>(rows, 4);
    V h = kb.at(buffer, blockRow() * 4);
    V w = kb.at(buffer, blockCol() * 4 + 4 * tileK * shape.ldH());
    auto f32s = [&](int64_t n) { return VectorType::get({n}, kb.b.getF32Type()); };
    sums = kb.forLoop(
        kb.i32(0), kb.i32(tileK), kb.i32(unrolledK), sums, [&](V first, ArrayRef<V> carried) {
          SmallVector<V> next(carried);
          for (int64_t i = 0; i < unrolledK; ++i) {
            V b = kb.load(kb.at(w, (first + i) * (shape.ldW() * 4)), f32s(cols), 16);
            for (int64_t r = 0; r < rows; r += width) {
              V a = kb.load(kb.at(h, (first + i) * (shape.ldH() * 4) + r * 4), f32s(width),
                            4 * width);
              for (int64_t j = 0; j < width; ++j)
                next[r + j] = kb.fma(kb.splat(kb.extract(a, j), cols), b, next[r + j]);
            }
          }
          return next;
        });
    keepRolled(kb.b, sums.front());
  }

  KernelBuilder &kb;
  OnlineOp op;
  const Shape &shape;
  const Params &params;
  const Linear &linear;
  RowForm form;
  OnlineOperands operands;
  const int64_t k, stride, steps;
  V n0, team, t, xBase, wBase, ring;
  SmallVector<V> xRows, wRows; ///< first element of the thread's lines in the tile
};

} // namespace

void simt::writeSums(KernelBuilder &kb, OnlineOp op, const Shape &shape, const Params &params,
                     const Linear &linear, V m0, V n0, int64_t slot) {
  Sums sums(kb, op, shape, params, linear, m0, n0);
  sums.write(sums.run(), slot);
}
