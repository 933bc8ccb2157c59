//===- Pack.cpp - The pack step --------------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block packs 32 columns of a Linear, a warp 4 of them, lanes along K:
//
//   for every 128 k:
//     w = W(n, k)               kn: read along N, turned in shared memory
//     W'[n][k] = round(v(k) w)                      0 from K to 16 bytes; of 8 bits,
//                                                   as an element of x
//     C += W'[n][k], B += s(k) w                    f32, one chain per lane
//   C[n], B[n] = sums over the lanes
//
// So the order of summation depends on K alone, and both layouts give equal bits.
//
//===----------------------------------------------------------------------===//
#include "Simt.h"

#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using simt::bytesOf;
using simt::loadElement;

static constexpr int64_t blockN = 32, blockK = 128, warps = 8;
static constexpr int64_t warpN = blockN / warps;
static constexpr int64_t laneK = blockK / 32;
static constexpr int64_t pitch = blockN + 1; ///< of the turned tile, in f32

namespace {

class Pack {
public:
  Pack(KernelBuilder &kb, OnlineOp op, unsigned linear, ArrayRef<V> params)
      : kb(kb), op(op), layout(op.getLayout(linear)),
        element(getElementTypeOrSelf(op.getWeights()[linear])),
        packedElement(packedBuffers(op)[packedIndex(linear, PackedPart::Weight)].element),
        n(op.getN(linear)), k(op.getK()),
        packedK(packedBuffers(op)[packedIndex(linear, PackedPart::Weight)].cols),
        lane(kb.tid() % 32), warp(kb.tid() / 32), n0(kb.cta() * blockN) {
    weight = params.front();
    params = params.drop_front();
    for (auto [vector, pointer] :
         {std::pair(op.getGain(), &gain), std::pair(op.getShift(), &shift)})
      if (vector) {
        *pointer = params.front();
        params = params.drop_front();
      }
    packed = params[0];
    columnSum = params[1];
    shiftSum = params[2];
    for (int64_t r = 0; r < warpN; ++r)
      rows.push_back(n0 + warp * warpN + r);
  }

  void emit() {
    SmallVector<V> sums(2 * warpN, kb.f32(0.0));
    sums = kb.forLoop(kb.i32(0), kb.i32(packedK), kb.i32(blockK), sums,
                      [&](V k0, ArrayRef<V> carried) {
                        SmallVector<V> next(carried);
                        step(k0, next);
                        return next;
                      });
    for (V &sum : sums)
      sum = kb.sumLanes(sum, 32);
    kb.ifThen(lane.eq(0), [&] {
      for (int64_t r = 0; r < warpN; ++r)
        ifRow(rows[r], [&] {
          kb.store(sums[r], kb.at(columnSum, kb.wide(rows[r]) * 4), 4);
          kb.store(sums[warpN + r], kb.at(shiftSum, kb.wide(rows[r]) * 4), 4);
        });
    });
  }

private:
  /// `index` or, past the end, the last one.
  V clampN(V index) { return n % blockN == 0 ? index : kb.min(index, kb.i32(n - 1)); }
  V clampK(V index) { return k % blockK == 0 ? index : kb.min(index, kb.i32(k - 1)); }
  void ifRow(V row, function_ref<void()> body) {
    if (n % blockN == 0)
      return body();
    kb.ifThen(row.lt(n), body);
  }
  V index(V k0, int64_t j) { return k0 + lane + 32 * j; }

  /// The weights of this thread: rows[r] at index(k0, j).
  SmallVector<V> loadWeights(V k0) {
    SmallVector<V> w;
    if (layout == WeightLayout::NK) {
      for (V row : rows) {
        V base = kb.at(weight, kb.wide(clampN(row)) * (k * bytesOf(element)));
        for (int64_t j = 0; j < laneK; ++j)
          w.push_back(loadElement(kb, base, clampK(index(k0, j)), element));
      }
      return llvm::map_to_vector(w, [&](V v) { return kb.toF32(v); });
    }
    V column = kb.at(weight, kb.wide(clampN(n0 + lane)) * bytesOf(element));
    for (int64_t i = 0; i < blockK / warps; ++i) {
      V row = kb.wide(clampK(k0 + warp + i * warps)) * (n * bytesOf(element));
      w.push_back(kb.load(kb.at(column, row), element, bytesOf(element)));
    }
    for (auto [i, value] : llvm::enumerate(w))
      kb.store(kb.toF32(value), tileAt(warp + i * warps, lane), 4);
    kb.syncThreads();
    SmallVector<V> turned;
    for (int64_t r = 0; r < warpN; ++r)
      for (int64_t j = 0; j < laneK; ++j)
        turned.push_back(kb.load(tileAt(lane + 32 * j, warp * warpN + r), kb.b.getF32Type(), 4));
    // Before the next step's weights take their place.
    kb.syncThreads();
    return turned;
  }
  V tileAt(V tileK, V tileN) { return kb.at(kb.smem(), (tileK * pitch + tileN) * 4); }

  void step(V k0, SmallVectorImpl<V> &sums) {
    SmallVector<V> w = loadWeights(k0), gains, shifts;
    for (int64_t j = 0; j < laneK; ++j) {
      V at = clampK(index(k0, j));
      if (gain) {
        V v = kb.toF32(loadElement(kb, gain, at, getElementTypeOrSelf(op.getGain())));
        double offset = op.getGainOffset().convertToDouble();
        gains.push_back(offset == 0.0 ? v : v + kb.f32(offset));
      }
      if (shift)
        shifts.push_back(kb.toF32(loadElement(kb, shift, at, getElementTypeOrSelf(op.getShift()))));
    }
    for (int64_t r = 0; r < warpN; ++r) {
      V line = kb.at(packed, kb.wide(rows[r]) * (packedK * bytesOf(packedElement)));
      for (int64_t j = 0; j < laneK; ++j) {
        V at = index(k0, j), value = w[r * laneK + j], valid;
        if (k % blockK != 0)
          valid = at.lt(k);
        // Not the operands but the products are masked: they may be infinite.
        auto orElse = [&](V product, V other) {
          return valid ? kb.select(valid, product, other) : product;
        };
        V &shiftTotal = sums[warpN + r];
        if (shift)
          shiftTotal = orElse(kb.fma(shifts[j], value, shiftTotal), shiftTotal);
        V rounded = kb.fromF32(orElse(gain ? gains[j] * value : value, kb.f32(0.0)), packedElement);
        sums[r] = sums[r] + kb.toF32(rounded);
        auto store = [&] {
          kb.store(rounded, kb.at(line, kb.wide(at) * bytesOf(packedElement)),
                   bytesOf(packedElement));
        };
        ifRow(rows[r], [&] {
          if (packedK % blockK == 0)
            return store();
          kb.ifThen(at.lt(packedK), store);
        });
      }
    }
  }

  KernelBuilder &kb;
  OnlineOp op;
  const WeightLayout layout;
  const Type element, packedElement;
  const int64_t n, k, packedK;
  V lane, warp, n0;
  V weight, gain, shift, packed, columnSum, shiftSum;
  SmallVector<V> rows;
};

} // namespace

bool flashfusion::isF8(Value factor) { return isa<Float8E4M3FNType>(getElementTypeOrSelf(factor)); }

bool flashfusion::hasQuantisedWeight(OnlineOp op) {
  return !isF8(op.getX()) && llvm::any_of(op.getWeights(), isF8);
}

std::string flashfusion::whyNotPacked(OnlineOp op) {
  Type x = getElementTypeOrSelf(op.getX());
  if (isF8(op.getX()) && op.getGain())
    return "a gain would quantise weights of 8 bits anew";
  for (Value weight : op.getWeights()) {
    Type element = getElementTypeOrSelf(weight);
    if (element == x)
      continue;
    if (!isa<Float8E4M3FNType>(element))
      return "x and a weight differ in type";
    // 8 bits without their scale are numbers up to 448.
    if (x.isF16() && op.getGain())
      return "a gain times a weight of 8 bits may be too large for f16";
  }
  return "";
}

FailureOr<LaunchSpec> flashfusion::emitPack(OnlineOp op, unsigned linear, TargetAttr target,
                                            gpu::GPUModuleOp module, StringRef name) {
  SmallVector<Value> inputs{op.getWeights()[linear]};
  for (Value vector : {op.getGain(), op.getShift()})
    if (vector)
      inputs.push_back(vector);
  for (Value input : inputs) {
    Type element = getElementTypeOrSelf(input);
    if (!element.isF32() && !element.isF16() && !element.isBF16() &&
        !isa<Float8E4M3FNType>(element))
      return op.emitOpError() << "cannot pack weights of " << input.getType()
                              << ": expects f32, f16, bf16 or f8E4M3FN";
  }

  LaunchSpec spec;
  spec.kernel = name.str();
  spec.grid.fixed = llvm::divideCeil(op.getN(linear), blockN);
  spec.block = 32 * warps;
  if (op.getLayout(linear) == WeightLayout::KN)
    spec.sharedBytes = blockK * pitch * 4;
  OnlineOperands operands(op);
  for (int64_t operand : {operands.weights[linear], operands.gain, operands.shift})
    if (operand >= 0)
      spec.args.push_back({KernelArg::Kind::Buffer, operand});
  for (PackedPart part : {PackedPart::Weight, PackedPart::ColumnSum, PackedPart::ShiftSum})
    spec.args.push_back({KernelArg::Kind::Packed, packedIndex(linear, part)});

  OpBuilder b(op.getContext());
  KernelBuilder kb(b, op.getLoc());
  SmallVector<V> params = kb.begin(module, name, op, spec.args, spec.block);
  Pack(kb, op, linear, params).emit();
  kb.end();
  return spec;
}
