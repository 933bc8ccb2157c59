//===- Decode.h - Parts of the decode kernel ----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decode kernel serves up to 16 rows: its time is the time to read the
// weights once. Every block owns a range of units of 8 columns; the rows of W
// behind them arrive through a ring of shared-memory stages (DecodeLoader). The
// multiplying warps split K and keep their slice of the left operand in registers
// (where K is large, a part of it in shared memory): rows of x are the m16 of
// m16n8k16, columns the n8. The order of K inside of a product is free, so that the
// 16 bytes that a lane loads, of x or of W, are operands as they are.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_KERNEL_DECODE_H
#define FLASHFUSION_LIB_KERNEL_DECODE_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelBuilder.h"
#include <memory>

namespace mlir::flashfusion::decode {

/// Columns of a unit, hence rows of W in a stage.
constexpr int64_t unitN = 8;

/// The Linears that meet in one unit, those of one output (or of outputs that
/// share Linears), and the outputs. All have N columns.
struct Group {
  SmallVector<unsigned> linears, outs;
  int64_t n = 0, firstUnit = 0;
};

/// Everything static about one variant.
struct Plan {
  // The problem.
  Type element;            ///< of x
  Type product;            ///< of the operands of mma.sync: that of x, or f16
  int64_t weightBytes = 2; ///< of an element of W: f8E4M3FN has one
  int64_t k = 0;
  SmallVector<Group> groups;
  int64_t width = 1;   ///< Linears per group
  int64_t units = 0;   ///< of all groups
  bool ragged = false; ///< some unit has fewer than 8 columns
  bool packed = false; ///< reads packed weights
  bool bulk = false;   ///< bulk copies (sm_90), else cp.async
  /// The row factors wait for the finalizer: z = scale * (A - center * C) + B.
  /// Else the left operand is formed, h = scale * (x - center) * v + s.
  bool deferred = false;
  bool rounds = false; ///< gain or shift enter the left operand
  int64_t gainBytes = 0, shiftBytes = 0;

  // The schedule. A stage holds `stageK` elements of the 8 rows of W of a unit;
  // each warp multiplies `warpK` of them, in `chunks` steps of 32.
  int64_t halves = 1; ///< 8-row halves of x
  int64_t rowBlocks = 1;
  int64_t warps = 0, split = 1, stages = 0, chunks = 0, warpK = 0, stageK = 0;
  int64_t stagesPerUnit = 0, unitsPerBlock = 0, columnBlocks = 0;
  bool refill = false; ///< the ring does not hold everything
  int64_t minBlocks = 1;
  int64_t kept = 0;    ///< steps whose slice of the left operand stays in registers
  int64_t ahead = 0;   ///< steps for which registers hold gain and shift ahead of their use
  bool staged = false; ///< gain and shift come through shared memory instead

  // Shared memory: the ring, the steps of the left operand that registers do not
  // hold, gain and shift, the warps' partial tiles (double-buffered), their partial
  // statistics, the barriers of the stages, and of gain and shift.
  int64_t pitch = 0, stageBytes = 0, operand = 0, vectors = 0, partials = 0, statistics = 0;
  int64_t full = 0, empty = 0, vectorsFull = 0, sharedBytes = 0;

  int64_t rows() const { return 8 * halves; }
  /// Threads that multiply; a warp that only copies comes after them.
  int64_t multiplying() const { return 32 * warps; }
  int64_t threads() const { return 32 * (warps + bulk); }
  /// Bytes of a warp's part of a tile, and of all warps' parts.
  int64_t partBytes() const { return rows() * unitN * 4; }
  int64_t partialBytes() const { return width * warps * partBytes(); }
  /// Steps of 32 that a warp takes over all of K.
  int64_t steps() const { return split * chunks; }
  /// Registers of a thread that hold its slice of the left operand.
  int64_t operandRegisters() const { return 4 * halves * kept; }
  /// Registers that the launch bounds leave to a thread.
  int64_t registerLimit() const;
};

/// Why no decode kernel can serve `op`; empty if one can.
std::string whyUnsupported(OnlineOp op, TargetAttr target);

/// The plan of a schedule, or why there is none.
std::string makePlan(OnlineOp op, TargetAttr target, ScheduleAttr schedule, Plan &plan);

/// The variants for `op`, best first; empty if K is too large.
SmallVector<ScheduleAttr> proposeSchedules(OnlineOp op, TargetAttr target);

/// Variants for 1 to 64 rows in which a row's sums are made in the same order.
SmallVector<ScheduleAttr> proposeInvariant(OnlineOp op, TargetAttr target, bool packed);

/// Microseconds of a launch, as a model has it.
std::optional<double> predict(OnlineOp op, TargetAttr target, ScheduleAttr schedule, int64_t rows);

/// Parameters of the kernel, as LaunchSpec lists them and as values.
struct Parameters {
  Parameters(OnlineOp op, const Plan &plan);
  V operator[](int64_t i) const { return i < 0 ? V() : values[i]; }

  SmallVector<KernelArg> list;
  SmallVector<V> values;
  /// Places in the list; -1 where absent.
  int64_t x = -1, gain = -1, shift = -1, rows = -1;
  SmallVector<int64_t> weights, columnSums, shiftSums, columns, tiles, scalars, outs;

private:
  int64_t add(KernelArg::Kind kind, int64_t index);
};

/// What the threads of a block know about it.
struct BlockValues {
  V tid, warp, lane;
  V quad, inQuad;         ///< lane / 4: row of x, column of W; lane % 4: which 8 of 32 k
  V rows, row0;           ///< M, and the first row of this block
  V unit0, units;         ///< first unit of this block and how many
  V laneK;                ///< this lane's first k in a stage
  SmallVector<V> weights; ///< of every Linear that is used, row-major N x K
};

/// One use of a stage: its number in the block's sequence, its slot of the ring
/// and the parity of that use. Unit by unit, the sequence runs over the Linears
/// of the group and, innermost, the parts of K.
struct Stage {
  V number, slot, parity;
};

/// Brings the stages of a block's units into the ring, in order.
class DecodeLoader {
public:
  DecodeLoader(KernelBuilder &kb, const Plan &plan, const BlockValues &block)
      : kb(kb), plan(plan), block(block) {}
  virtual ~DecodeLoader();

  /// Fills the ring and runs `multiply` in the multiplying warps.
  virtual void run(function_ref<void()> multiply) = 0;
  /// Before anything else that this warp does.
  virtual void ready() = 0;
  /// Until gain and shift are there, if they are staged.
  virtual void waitForVectors() {}
  /// Until a stage is there, as far as this warp reads it.
  virtual void wait(const Stage &stage) = 0;
  /// After this warp's last read of `stages`: they may be refilled.
  virtual void release(ArrayRef<Stage> stages) = 0;
  /// How many stages to read before they are released.
  virtual int64_t releaseBatch() const = 0;

  V slotAddress(V slot) { return kb.at(kb.smem(), slot * plan.stageBytes); }

protected:
  /// Where stage `number` comes from: address of its first row at its first k,
  /// how many of its 8 rows exist, and which part of K it is.
  struct Source {
    V address, rows, part;
  };
  Source source(V number);
  V totalStages() { return block.units * plan.stagesPerUnit; }

  KernelBuilder &kb;
  const Plan &plan;
  const BlockValues &block;
};

std::unique_ptr<DecodeLoader> makeLoader(KernelBuilder &kb, const Plan &plan,
                                         const Parameters &params, const BlockValues &block);

/// The left operand of the multiplying warps, and the rows' factors.
class LeftOperand {
public:
  LeftOperand(KernelBuilder &kb, OnlineOp op, const Plan &plan, const Parameters &params,
              const BlockValues &block, DecodeLoader &loader);

  /// x, its statistics, the operand.
  void make();
  /// The two left operands of m16n8k16 for a step, or with eight rows the same one
  /// twice: then the low half of the first product and the high half of the second
  /// count.
  SmallVector<SmallVector<V>, 2> operandsOf(int64_t step);
  /// Whether this lane's 8 elements of a step lie inside of K; null: certainly.
  V inside(int64_t step);
  /// What this lane's sums over rows of `half` are to be multiplied by; null: nothing.
  V inverseOf(int64_t half) { return inverses.empty() ? V() : inverses[half]; }
  /// Deferred factors of row `row` of the block, once all warps have met.
  RowFactors factorsOf(V row);

private:
  /// First k of a step, relative to block.laneK.
  int64_t stepK(int64_t step) const {
    return step / plan.chunks * plan.stageK + step % plan.chunks * 32;
  }
  V splat(V scalar) { return kb.pack(SmallVector<V>(8, scalar)); }
  V zeroBits() { return kb.pack(SmallVector<V>(4, kb.i32(0))); }
  V toF32(V sixteenBytes) { return kb.toF32(kb.bitcast(sixteenBytes, elements)); }
  V spilled(int64_t half, int64_t step);
  SmallVector<V> words(int64_t half, int64_t step);
  V loadAlongK(V base, Type element, int64_t step);
  V rowAddress(V row);
  V pivotOf(V row);
  V statisticAddress(int64_t kind, V warp, V row);
  void load();
  void sumRows();
  void form();
  RowFactors factors(V row, V pivot);
  V form(int64_t half, int64_t step, RowFactors row, V gain, V shift);
  void keep(int64_t half, int64_t step, V value);
  V kept(int64_t half, int64_t step);
  void rescale();

  KernelBuilder &kb;
  OnlineOp op;
  const Plan &plan;
  const Parameters &params;
  const BlockValues &block;
  DecodeLoader &loader;
  VectorType bits, elements;
  /// 16 bytes of x, and of the operand where registers keep it: [half][step],
  /// step = part * chunks + chunk.
  SmallVector<SmallVector<V>, 2> x{2}, operand{2};
  SmallVector<V, 2> pivots; ///< of this lane's rows
  SmallVector<V, 2> inverses; ///< likewise, of what rescale() has multiplied by
  /// 0, which no compiler knows. It keeps work in the order in which it is
  /// written, where registers would not last for another one.
  V unknownZero;
};

/// The outputs of a tile: thread tid has row tid / 8 and column tid % 8.
class DecodeOutputs {
public:
  DecodeOutputs(KernelBuilder &kb, OnlineOp op, const Plan &plan, const Parameters &params,
                const BlockValues &block)
      : kb(kb), op(op), plan(plan), params(params), block(block) {}

  /// This thread's row of the block, clamped to its rows.
  V row() { return kb.min(block.tid / unitN, kb.i32(plan.rows() - 1)); }
  /// When tile `inBlock` begins: loads what its finalizers read.
  void begin(V inBlock);
  /// When the warps' parts lie complete at `parts`: sums them, finalizes, stores.
  void finish(V parts, RowFactors factors);

  /// Where a warp's part of a tile begins.
  V partAddress(V parts, V warp, int64_t member) {
    return kb.at(parts, (warp + member * plan.warps) * plan.partBytes());
  }

private:
  V columnOf(const Group &group) { return (unit - group.firstUnit) * unitN + block.tid % unitN; }
  /// A vector of N, or a matrix of M x N, of some type.
  struct Operand {
    V base;
    Type type;
    bool isTile = false;
    bool isShared = false; ///< one element for all columns
  };
  SmallVector<Operand> operandsOf(const Group &group);
  void store(const Group &group, V row, V n, ArrayRef<V> sums, RowFactors factors);

  KernelBuilder &kb;
  OnlineOp op;
  const Plan &plan;
  const Parameters &params;
  const BlockValues &block;
  V unit, stored;
  SmallVector<V> loaded; ///< what finalizers read, as bits
};

/// What a lane multiplies in a step, from `at` on in a stage, as right operands; zeros unless
/// `exists`.
SmallVector<V> loadWeights(KernelBuilder &kb, const Plan &plan, V at, V exists);

/// The code of the multiplying warps.
void consume(KernelBuilder &kb, OnlineOp op, const Plan &plan, const Parameters &params,
             const BlockValues &block, DecodeLoader &loader);

/// A float as i32 and back: values of different types leave one branch.
V asBits(KernelBuilder &kb, V value);
V fromBits(KernelBuilder &kb, V raw, Type type);

/// The stage that follows.
Stage next(KernelBuilder &kb, const Plan &plan, const Stage &stage);

/// Values of the group that `unit` belongs to.
SmallVector<V> perGroup(KernelBuilder &kb, const Plan &plan, V unit,
                        function_ref<SmallVector<V>(const Group &)> values);

} // namespace mlir::flashfusion::decode

#endif // FLASHFUSION_LIB_KERNEL_DECODE_H
