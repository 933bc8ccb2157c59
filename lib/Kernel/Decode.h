//===- Decode.h - Parts of the decode kernel ----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decode kernel serves up to 16 rows: its time is the time to read the
// weights once. Every block owns a range of units of 8 columns; the rows of W
// behind them arrive through a ring of shared-memory stages (DecodeLoader), the
// warps split K and keep their slice of the left operand in registers (where K is
// large, a part of it in shared memory). Two units make a tile: the m16 of
// m16n8k16 are columns, the n8 are rows of x, so that registers hold each element
// of x once.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_KERNEL_DECODE_H
#define FLASHFUSION_LIB_KERNEL_DECODE_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelBuilder.h"
#include <memory>

namespace mlir::flashfusion::decode {

/// Columns of a unit, hence rows of W in a stage; columns of a tile.
constexpr int64_t unitN = 8, tileN = 2 * unitN;

/// The Linears that meet in one unit, those of one output (or of outputs that
/// share Linears), and the outputs. All have N columns.
struct Group {
  SmallVector<unsigned> linears, outs;
  int64_t n = 0, firstUnit = 0;
};

/// Everything static about one variant.
struct Plan {
  // The problem.
  Type element;
  int64_t k = 0;
  SmallVector<Group> groups;
  int64_t width = 1;   ///< Linears per group
  int64_t units = 0;   ///< of all groups
  bool ragged = false; ///< some unit has fewer than 8 columns
  bool packed = false; ///< reads packed weights
  bool bulk = false;   ///< bulk copies (sm_90), else cp.async

  // The schedule. A stage holds `stageK` elements of the 8 rows of W of a unit;
  // each warp multiplies `warpK` of them, in `chunks` steps of 32.
  int64_t halves = 1; ///< 8-row halves of x: one or two n8
  int64_t rowBlocks = 1;
  int64_t warps = 0, split = 1, stages = 0, chunks = 0, warpK = 0, stageK = 0;
  int64_t stagesPerUnit = 0, unitsPerBlock = 0, columnBlocks = 0;
  bool refill = false; ///< the ring does not hold everything
  int64_t minBlocks = 1;
  int64_t kept = 0; ///< steps whose slice of the left operand stays in registers

  // Shared memory: the ring, the steps of the left operand that registers do not
  // hold, the warps' partial tiles (double-buffered), their partial statistics,
  // the barriers of the stages.
  int64_t pitch = 0, stageBytes = 0, operand = 0, partials = 0, statistics = 0, full = 0;
  int64_t sharedBytes = 0;

  int64_t rows() const { return 8 * halves; }
  int64_t threads() const { return 32 * warps; }
  /// A partial tile has the rows of a column side by side, padded by two so that
  /// neither writing nor reading it has bank conflicts.
  int64_t partialPitch() const { return rows() + 2; }
  int64_t partialBytes() const { return width * warps * tileN * partialPitch() * 4; }
  /// Steps of 32 that a warp takes over all of K.
  int64_t steps() const { return split * chunks; }
  /// Registers of a thread that hold its slice of the left operand.
  int64_t operandRegisters() const { return 4 * halves * kept; }
  /// Bytes between the rows of the left operand in shared memory.
  int64_t operandPitch() const { return (steps() - kept) * 64 + 16; }
  /// Registers that the launch bounds leave to a thread.
  int64_t registerLimit() const;
};

/// Why no decode kernel can serve `op`; empty if one can.
std::string whyUnsupported(OnlineOp op, TargetAttr target);

/// The plan of a schedule, or why there is none.
std::string makePlan(OnlineOp op, TargetAttr target, ScheduleAttr schedule, Plan &plan);

/// The variants for `op`, best first; empty if K is too large.
SmallVector<ScheduleAttr> proposeSchedules(OnlineOp op, TargetAttr target);

/// Parameters of the kernel, as LaunchSpec lists them and as values.
struct Parameters {
  Parameters(OnlineOp op, const Plan &plan);
  V operator[](int64_t i) const { return i < 0 ? V() : values[i]; }

  SmallVector<KernelArg> list;
  SmallVector<V> values;
  /// Places in the list; -1 where absent.
  int64_t x = -1, gain = -1, shift = -1, rows = -1;
  SmallVector<int64_t> weights, columnSums, shiftSums, columns, scalars, outs;

private:
  int64_t add(KernelArg::Kind kind, int64_t index);
};

/// What the threads of a block know about it.
struct BlockValues {
  V tid, warp, lane;
  V quad, inQuad;         ///< lane / 4: row of x; lane % 4: which 8 of 32 k
  V rows, row0;           ///< M, and the first row of this block
  V unit0, units;         ///< first unit of this block and how many
  V laneK;                ///< this lane's first k in a stage
  SmallVector<V> weights; ///< of every Linear that is used, row-major N x K
};

/// One use of a stage: its number in the block's sequence, its slot of the ring
/// and the parity of that use. Tile by tile, the sequence runs over the tile's
/// Linears, the parts of K and, innermost, the tile's units.
struct Stage {
  V number, slot, parity;
};

/// Brings the stages of a block's tiles into the ring, in order.
class DecodeLoader {
public:
  DecodeLoader(KernelBuilder &kb, const Plan &plan, const BlockValues &block)
      : kb(kb), plan(plan), block(block) {}
  virtual ~DecodeLoader();

  /// Fills the ring. All threads call every function.
  virtual void start() = 0;
  /// Until two stages are there, as far as this warp reads them; `second` is
  /// the next one, or `first` again.
  virtual void wait(const Stage &first, const Stage &second) = 0;
  /// After this lane's last read of stages that are to be refilled.
  virtual void finishReading() = 0;
  /// Puts the next stages where `count` stages from `first` on were. If
  /// refillNeedsBarrier(), a barrier stands between finishReading() and this.
  virtual void refill(const Stage &first, V count, int64_t maxCount) = 0;
  virtual bool refillNeedsBarrier() const = 0;
  /// How many parts of K to read before their stages are refilled; divides
  /// stagesPerUnit.
  virtual int64_t refillBatch() const = 0;

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
                                         const BlockValues &block);

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
