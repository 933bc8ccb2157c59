//===- DecodeConsumer.cpp - What the multiplying warps do ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;

namespace {

class Consumer {
public:
  Consumer(KernelBuilder &kb, OnlineOp op, const Plan &plan, const Parameters &params,
           const BlockValues &block, DecodeLoader &loader)
      : kb(kb), op(op), plan(plan), params(params), block(block), loader(loader),
        bits(VectorType::get({4}, kb.b.getI32Type())),
        elements(VectorType::get({8}, plan.element)) {}

  void run() {
    if (plan.bulk)
      kb.waitForPredecessor();
    unknownZero = block.rows.shr(31);
    loadOperand();
    formOperand();
    forEachTile();
  }

private:
  KernelBuilder &kb;
  OnlineOp op;
  const Plan &plan;
  const Parameters &params;
  const BlockValues &block;
  DecodeLoader &loader;
  VectorType bits, elements;

  /// Which output this thread has in a tile.
  struct Output {
    V unit, stored;
  };

  /// 16 bytes of x, and the words of h as mma.sync wants them: [half][step],
  /// step = part * chunks + chunk.
  SmallVector<SmallVector<V>, 2> x{2};
  SmallVector<SmallVector<SmallVector<V>>, 2> operand{2};
  SmallVector<V, 2> rowAddress; ///< start of this lane's rows of x
  RowFactors deferred;          ///< packed weights: of the row this thread stores

  /// 0, which no compiler knows. It keeps work in the order in which it is
  /// written, where registers would not last for another one.
  V unknownZero;

  /// First k of a step, relative to block.laneK.
  int64_t stepK(int64_t step) const {
    return step / plan.chunks * plan.stageK + step % plan.chunks * 32;
  }
  /// Whether this lane's 8 elements of a step lie inside of K; null: certainly.
  V inside(int64_t step) {
    if (stepK(step) + plan.stageK - plan.warpK + 32 <= plan.k)
      return V();
    return (block.laneK + stepK(step)).lt(kb.i32(plan.k));
  }
  V splat(V scalar) { return kb.pack(SmallVector<V>(8, scalar)); }
  V zeroBits() { return kb.pack(SmallVector<V>(4, kb.i32(0))); }
  V toF32(V sixteenBytes) { return kb.toF32(kb.bitcast(sixteenBytes, elements)); }

  //===--- The left operand ------------------------------------------------===//

  void loadOperand() {
    for (int64_t h = 0; h < plan.halves; ++h) {
      // Rows past M repeat the last one; their results are not stored.
      V row = kb.min(block.row0 + block.quad + 8 * h, block.rows - 1);
      rowAddress.push_back(kb.at(params[params.x], row * (plan.k * 2)));
      for (int64_t step = 0; step < plan.steps(); ++step) {
        V exists = inside(step), k = block.laneK + stepK(step);
        if (exists)
          k = kb.select(exists, k, kb.i32(0));
        V loaded = kb.load(kb.at(rowAddress[h], k * 2), bits, 16);
        x[h].push_back(exists ? kb.select(exists, loaded, zeroBits()) : loaded);
        if (step >= plan.kept)
          kb.store(x[h][step], ownOperand(h, step), 16);
      }
    }
  }

  /// The part of the left operand that is kept in shared memory, warp by warp:
  /// this lane's 16 bytes, and what ldmatrix gathers (piece lane / 8 of row
  /// lane % 8).
  V operandAddress(int64_t half, int64_t step, V row, V piece) {
    V place = (block.warp * plan.rows() + row + 8 * half) * plan.operandPitch() + piece * 16;
    return kb.at(kb.smem(), place + (plan.operand + (step - plan.kept) * 64));
  }
  V ownOperand(int64_t half, int64_t step) {
    return operandAddress(half, step, block.quad, block.inQuad);
  }
  SmallVector<V> operandOf(int64_t half, int64_t step) {
    if (step < plan.kept)
      return operand[half][step];
    return kb.ldMatrix(operandAddress(half, step, block.lane % 8, block.lane / 8), 4);
  }

  /// 8 consecutive elements of a vector over k, for a step.
  V loadAlongK(V base, Type element, int64_t step) {
    V exists = inside(step), k = block.laneK + stepK(step) + unknownZero;
    if (exists)
      k = kb.select(exists, k, kb.i32(0));
    int64_t size = element.getIntOrFloatBitWidth() / 8;
    return kb.load(kb.at(base, k * size), VectorType::get({8}, element), 16);
  }

  V sum8(V v) {
    SmallVector<V> e;
    for (int64_t i = 0; i < 8; ++i)
      e.push_back(kb.extract(v, i));
    return ((e[0] + e[1]) + (e[2] + e[3])) + ((e[4] + e[5]) + (e[6] + e[7]));
  }

  V statisticAddress(int64_t kind, V warp, V row) {
    return kb.at(kb.smem(), ((warp + kind * plan.warps) * plan.rows() + row) * 4 + plan.statistics);
  }

  V pivotOf(int64_t half) {
    return needsPivot(op) ? kb.toF32(kb.load(rowAddress[half], plan.element, 2)) : V();
  }

  /// This warp's part of the sums over its rows, to shared memory.
  void sumRows() {
    for (int64_t h = 0; h < plan.halves; ++h) {
      V zero = splat(kb.f32(0)), sum = zero, square = zero, pivot = pivotOf(h);
      for (int64_t step = 0; step < plan.steps(); ++step) {
        V value = toF32(x[h][step]);
        if (pivot) {
          value = value - splat(pivot);
          if (V exists = inside(step))
            value = kb.select(exists, value, zero);
          sum = sum + value;
        }
        square = kb.fma(value, value, square);
      }
      SmallVector<V> sums{kb.sumLanes(sum8(square), 4)};
      if (pivot)
        sums.push_back(kb.sumLanes(sum8(sum), 4));
      kb.ifThen(block.inQuad.eq(0), [&] {
        for (auto [kind, value] : llvm::enumerate(sums))
          kb.store(value, statisticAddress(kind, block.warp, block.quad + 8 * h), 4);
      });
    }
  }

  /// Factors of row `row` of the block, whose first element is `pivot`.
  RowFactors factors(V row, V pivot) {
    auto total = [&](int64_t kind) {
      V sum;
      for (int64_t w = 0; w < plan.warps; ++w) {
        V part = kb.load(statisticAddress(kind, kb.i32(w), row), kb.b.getF32Type(), 4);
        sum = sum ? sum + part : part;
      }
      return sum;
    };
    SmallVector<V> statistics, scalars;
    if (!op.getStatistics().empty()) {
      V square = total(0);
      statistics = statisticsFromSums(kb, op, pivot ? total(1) : V(), square, pivot);
    }
    for (int64_t i : params.scalars)
      scalars.push_back(params[i]);
    return inlineRow(kb, op, statistics, scalars);
  }

  /// Packed weights were rounded once already, so x stays as it is, exact, and its
  /// row's factors wait for the finalizer: one rounding, as in the program.
  void deferFactors() {
    if (!op.getStatistics().empty())
      sumRows();
    kb.syncThreads();
    for (int64_t h = 0; h < plan.halves; ++h)
      for (int64_t step = 0; step < plan.kept; ++step)
        operand[h].push_back(transposeInQuad(x[h][step]));
    V row = kb.min(block.tid / tileN, kb.i32(plan.rows() - 1)), pivot;
    if (needsPivot(op)) {
      V source = kb.min(block.row0 + row, block.rows - 1);
      pivot = kb.toF32(
          kb.load(kb.at(params[params.x], kb.wide(source) * (plan.k * 2)), plan.element, 2));
    }
    deferred = factors(row, pivot);
  }

  /// Statistics, row factors, and from x to h.
  void formOperand() {
    if (plan.packed)
      return deferFactors();
    V gain = params[params.gain], shift = params[params.shift];
    Type gainType = gain ? elementTypeOf(op.getGain()) : Type();
    Type shiftType = shift ? elementTypeOf(op.getShift()) : Type();
    // Loads of gain and shift run ahead of their use, as far as registers can
    // hold them: the first ones before the statistics meet.
    auto registers = [](Type type) -> int64_t {
      return type ? type.getIntOrFloatBitWidth() / 4 : 0;
    };
    int64_t perStep = registers(gainType) + registers(shiftType), ahead = plan.steps();
    if (perStep) {
      int64_t others = plan.operandRegisters() < 128 ? 64 : 96;
      ahead = (plan.registerLimit() - plan.operandRegisters() - others) / perStep;
      ahead = std::clamp<int64_t>(ahead, 1, plan.steps());
    }
    SmallVector<V> gains, shifts;
    auto loadNext = [&] {
      int64_t step = gains.size();
      if (step == plan.steps())
        return;
      gains.push_back(gain ? loadAlongK(gain, gainType, step) : V());
      shifts.push_back(shift ? loadAlongK(shift, shiftType, step) : V());
    };
    for (int64_t i = 0; i < ahead; ++i)
      loadNext();
    if (!op.getStatistics().empty())
      sumRows();
    kb.syncThreads();
    SmallVector<RowFactors, 2> rows;
    for (int64_t h = 0; h < plan.halves; ++h)
      rows.push_back(factors(block.quad + 8 * h, pivotOf(h)));
    for (int64_t step = 0; step < plan.steps(); ++step) {
      V g, s;
      if (gain)
        g = kb.toF32(gains[step]);
      if (double offset = op.getGainOffset().convertToDouble(); gain && offset != 0.0)
        g = g + splat(kb.f32(offset));
      if (shift)
        s = kb.toF32(shifts[step]);
      for (int64_t h = 0; h < plan.halves; ++h) {
        if (step >= plan.kept) {
          x[h][step] = kb.load(ownOperand(h, step), bits, 16);
          kb.store(normalize(h, step, rows[h], g, s), ownOperand(h, step), 16);
          continue;
        }
        operand[h].push_back(transposeInQuad(normalize(h, step, rows[h], g, s)));
      }
      // Some steps at a time, if registers are scarce.
      if (step % 2 == 1 && step < plan.kept &&
          (ahead < plan.steps() || plan.operandRegisters() > 128))
        unknownZero = unknownZero & operand[0][step][0];
      loadNext();
    }
    kb.syncWarp();
  }

  /// A step of x to h; gain and shift may be null.
  V normalize(int64_t half, int64_t step, RowFactors row, V gain, V shift) {
    if (!row.center && !row.scale && !gain && !shift)
      return x[half][step];
    // Else x as f32 would live from the statistics to here, across the barrier, in
    // twice as many registers.
    V value = toF32(x[half][step] ^ kb.pack(SmallVector<V>(4, unknownZero)));
    if (row.center)
      value = value - splat(row.center);
    if (row.scale)
      value = value * splat(row.scale);
    if (gain)
      value = value * gain;
    if (shift)
      value = value + shift;
    V rounded = kb.bitcast(kb.fromF32(value, plan.element), bits);
    V exists = inside(step);
    return exists ? kb.select(exists, rounded, zeroBits()) : rounded;
  }

  /// Lane t of a quad holds 16 bytes, words 0..3 of its piece of K; as operand of
  /// mma.sync it must hold word t of the quad's pieces 0..3.
  SmallVector<V> transposeInQuad(V sixteenBytes) {
    SmallVector<V> w;
    for (int64_t i = 0; i < 4; ++i)
      w.push_back(kb.extract(sixteenBytes, i));
    for (int64_t bit = 1; bit < 4; bit *= 2) {
      V upper = (block.inQuad & bit).ne(0);
      for (int64_t i = 0; i < 4; ++i) {
        if (i & bit)
          continue;
        V other = kb.shuffleXor(kb.select(upper, w[i], w[i | bit]), bit);
        w[i] = kb.select(upper, other, w[i]);
        w[i | bit] = kb.select(upper, w[i | bit], other);
      }
    }
    return w;
  }

  static Type elementTypeOf(Value v) { return cast<ShapedType>(v.getType()).getElementType(); }

  //===--- Tiles -----------------------------------------------------------===//

  /// Adds this warp's products of one part of K: two chains of mma.sync for each
  /// half of the rows.
  void multiply(const Stage &first, const Stage &second, int64_t part,
                SmallVectorImpl<SmallVector<V>> &sums) {
    // ldmatrix: lanes 0..7 and 16..23 name the rows of the first unit, at 8 and
    // at the next 8 k; the others those of the second unit.
    V inFirst = (block.lane & 8).eq(0);
    V at = loader.slotAddress(kb.select(inFirst, first.slot, second.slot));
    at = kb.at(at,
               block.lane % 8 * plan.pitch + block.warp * (plan.warpK * 2) + block.lane / 16 * 16);
    V zero = kb.i32(0);
    for (int64_t c = 0; c < plan.chunks; ++c) {
      int64_t step = part * plan.chunks + c;
      SmallVector<V> h[2];
      for (int64_t half = 0; half < plan.halves; ++half)
        h[half] = operandOf(half, step);
      for (int64_t q = 0; q < 2; ++q) {
        SmallVector<V> w = kb.ldMatrix(kb.at(at, 64 * c + 32 * q), 4);
        // Behind K a stage holds what it held before; h is 0 there, but 0 times
        // an infinity is not.
        if (inside(step))
          for (int64_t i = 0; i < 4; ++i) {
            V k = block.warp * plan.warpK + (stepK(step) + 16 * q + i / 2 * 8);
            w[i] = kb.select(k.lt(kb.i32(plan.k)), w[i], zero);
          }
        for (int64_t half = 0; half < plan.halves; ++half) {
          SmallVector<V> &sum = sums[2 * half + q];
          sum = kb.mmaSync(plan.element, w, {h[half][2 * q], h[half][2 * q + 1]}, sum);
        }
      }
    }
  }

  V partialAddress(V buffer, V warp, int64_t member) {
    return kb.at(buffer, (warp + member * plan.warps) * (tileN * plan.partialPitch() * 4));
  }

  void forEachTile() {
    V tiles = (block.units + 1) / 2;
    kb.forLoop(kb.i32(0), tiles, kb.i32(1), {kb.i32(0), kb.i32(0)}, [&](V i, ArrayRef<V> ring) {
      Stage stage{i * (2 * plan.stagesPerUnit), ring[0], ring[1]};
      V buffer = kb.at(kb.smem(), (i & 1) * plan.partialBytes() + plan.partials);
      Output output = outputOf(i);
      SmallVector<V> columns = loadColumns(output);
      multiplyTile(i, stage, buffer);
      kb.ifThen(output.stored, [&] { finish(output, buffer, columns); });
      return SmallVector<V>{stage.slot, stage.parity};
    });
  }

  void multiplyTile(V tile, Stage &stage, V buffer) {
    V pair = (tile * 2 + 1).lt(block.units);
    auto ifPair = [&](const Stage &yes, const Stage &no) -> Stage {
      return {kb.select(pair, yes.number, no.number), kb.select(pair, yes.slot, no.slot),
              kb.select(pair, yes.parity, no.parity)};
    };
    Stage oldest = stage; // the first one that is read and not refilled
    int64_t parts = 0;
    auto refill = [&](bool barrier) {
      loader.finishReading();
      if (barrier)
        kb.syncThreads();
      if (parts)
        loader.refill(oldest, kb.select(pair, kb.i32(2 * parts), kb.i32(parts)), 2 * parts);
      oldest = stage;
      parts = 0;
    };
    int64_t left = plan.stagesPerUnit;
    for (int64_t member = 0; member < plan.width; ++member) {
      SmallVector<SmallVector<V>> sums(2 * plan.halves, SmallVector<V>(4, kb.f32(0)));
      for (int64_t part = 0; part < plan.split; ++part) {
        Stage following = next(kb, plan, stage);
        Stage second = ifPair(following, stage);
        loader.wait(stage, second);
        multiply(stage, second, part, sums);
        stage = ifPair(next(kb, plan, following), following);
        bool last = --left == 0;
        if (++parts == loader.refillBatch() && !(last && loader.refillNeedsBarrier()))
          refill(loader.refillNeedsBarrier());
      }
      V at = partialAddress(buffer, block.warp, member);
      for (int64_t half = 0; half < plan.halves; ++half)
        for (int64_t unit = 0; unit < 2; ++unit) {
          auto sum = [&](int64_t i) { return sums[2 * half][i] + sums[2 * half + 1][i]; };
          V place = (block.quad + unit * unitN) * plan.partialPitch() + block.inQuad * 2;
          kb.store(kb.pack({sum(2 * unit), sum(2 * unit + 1)}), kb.at(at, (place + 8 * half) * 4),
                   8);
        }
    }
    // The partial tiles are complete. Two buffers: one barrier per tile is enough.
    refill(/*barrier=*/true);
  }

  //===--- Outputs: thread tid has row tid / 16 and column tid % 16 --------===//

  /// This thread's output in tile `tile` of the block.
  Output outputOf(V tile) {
    Output output;
    V inBlock = tile * 2 + block.tid % tileN / unitN;
    V rowsHere = kb.min(block.rows - block.row0, kb.i32(plan.rows()));
    output.unit = block.unit0 + inBlock;
    output.stored = block.tid.lt(rowsHere * tileN) & inBlock.lt(block.units);
    return output;
  }

  V columnOf(const Group &group, V unit) {
    return (unit - group.firstUnit) * unitN + block.tid % unitN;
  }

  /// What the finalizers of a group read along n: address and type.
  SmallVector<std::pair<V, Type>> columnOperands(const Group &group) {
    SmallVector<std::pair<V, Type>> all;
    for (unsigned l : group.linears)
      for (int64_t part : {params.columnSums[l], params.shiftSums[l]})
        if (V base = params[part])
          all.push_back({base, kb.b.getF32Type()});
    for (unsigned out : group.outs)
      for (unsigned c : op.getColumnsOf(out))
        all.push_back({params[params.columns[c]], elementTypeOf(op.getColumns()[c])});
    return all;
  }

  /// Loads them when the tile begins, so that they are there when it ends.
  SmallVector<V> loadColumns(const Output &output) {
    size_t count = 0;
    for (const Group &group : plan.groups)
      count = std::max(count, columnOperands(group).size());
    if (count == 0)
      return {};
    auto load = [&](const Group &group) {
      V n = kb.min(columnOf(group, output.unit), kb.i32(group.n - 1));
      SmallVector<V> values;
      for (auto [base, type] : columnOperands(group)) {
        int64_t size = type.getIntOrFloatBitWidth() / 8;
        values.push_back(asBits(kb, kb.load(kb.at(base, kb.wide(n) * size), type, size)));
      }
      values.resize(count, kb.i32(0));
      return values;
    };
    return kb.ifElse(
        output.stored, [&] { return perGroup(kb, plan, output.unit, load); },
        [&] { return SmallVector<V>(count, kb.i32(0)); });
  }

  void finish(const Output &output, V buffer, ArrayRef<V> columns) {
    Type f32 = kb.b.getF32Type();
    V row = block.tid / tileN, place = block.tid % tileN * plan.partialPitch() + row;
    SmallVector<V> z;
    for (int64_t member = 0; member < plan.width; ++member) {
      V sum;
      for (int64_t w = 0; w < plan.warps; ++w) {
        V part = kb.load(kb.at(partialAddress(buffer, kb.i32(w), member), place * 4), f32, 4);
        sum = sum ? sum + part : part;
      }
      z.push_back(sum);
    }
    perGroup(kb, plan, output.unit, [&](const Group &group) {
      V n = columnOf(group, output.unit);
      auto store = [&] { storeOutputs(group, block.row0 + row, n, z, columns); };
      if (group.n % unitN != 0)
        kb.ifThen(n.lt(group.n), store);
      else
        store();
      return SmallVector<V>();
    });
  }

  void storeOutputs(const Group &group, V row, V n, ArrayRef<V> sums, ArrayRef<V> columns) {
    DenseMap<int64_t, V> z;
    auto nextSum = [&] {
      V value = fromBits(kb, columns.front(), kb.b.getF32Type());
      columns = columns.drop_front();
      return value;
    };
    for (auto [member, l] : llvm::enumerate(group.linears)) {
      z[l] = sums[member];
      if (params.columnSums[l] >= 0)
        z[l] = z[l] - deferred.center * nextSum();
      if (deferred.scale)
        z[l] = z[l] * deferred.scale;
      if (params.shiftSums[l] >= 0)
        z[l] = z[l] + nextSum();
    }
    for (unsigned out : group.outs) {
      SmallVector<V> zs, elements;
      for (int64_t l : op.getLinearsOf(out))
        zs.push_back(z[l]);
      for (unsigned c : op.getColumnsOf(out)) {
        elements.push_back(fromBits(kb, columns.front(), elementTypeOf(op.getColumns()[c])));
        columns = columns.drop_front();
      }
      V y = inlineFinalizer(kb, op, out, zs, elements);
      int64_t size = y.getType().getIntOrFloatBitWidth() / 8;
      V index = kb.wide(row) * group.n + kb.wide(n);
      kb.store(y, kb.at(params[params.outs[out]], index * size), size);
    }
  }
};

} // namespace

void decode::consume(KernelBuilder &kb, OnlineOp op, const Plan &plan, const Parameters &params,
                     const BlockValues &block, DecodeLoader &loader) {
  Consumer(kb, op, plan, params, block, loader).run();
}
