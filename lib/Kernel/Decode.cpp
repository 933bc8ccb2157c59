//===- Decode.cpp - Few rows: weights streamed once, mma.sync --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block with units u0 .. u1 of 8 columns, warps that split K:
//
//   the loader starts to fill the ring with rows of W
//   the left operand: this lane's slice; its partial statistics  (DecodeOperand)
//   for unit
//     for part of K
//       wait for the stage; mma.sync over this warp's slice of the part; release it
//     partial tile to shared memory; barrier                     (DecodeConsumer)
//     a thread per output: sum of the partials, finalizer, store (DecodeOutputs)
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;

Parameters::Parameters(OnlineOp op, const Plan &plan) {
  OnlineOperands at(op);
  auto buffer = [&](int64_t operand) {
    return operand < 0 ? -1 : add(KernelArg::Kind::Buffer, operand);
  };
  x = buffer(at.x);
  weights.assign(at.weights.size(), -1);
  shiftSums.assign(at.weights.size(), -1);
  columnSums.assign(at.weights.size(), -1);
  if (!plan.packed)
    gain = buffer(at.gain), shift = buffer(at.shift);
  for (const Group &group : plan.groups)
    for (unsigned l : group.linears) {
      if (!plan.packed) {
        weights[l] = buffer(at.weights[l]);
        continue;
      }
      weights[l] = add(KernelArg::Kind::Packed, packedIndex(l, PackedPart::Weight));
      if (at.shift >= 0)
        shiftSums[l] = add(KernelArg::Kind::Packed, packedIndex(l, PackedPart::ShiftSum));
      if (op.getNumRowFactors() == 2)
        columnSums[l] = add(KernelArg::Kind::Packed, packedIndex(l, PackedPart::ColumnSum));
    }
  for (int64_t column : at.columns)
    columns.push_back(buffer(column));
  for (int64_t tile : at.tiles)
    tiles.push_back(buffer(tile));
  for (int64_t scalar : at.scalars)
    scalars.push_back(add(KernelArg::Kind::Scalar, scalar));
  for (int64_t out : at.outs)
    outs.push_back(buffer(out));
  rows = add(KernelArg::Kind::Rows, 0);
}

int64_t Parameters::add(KernelArg::Kind kind, int64_t index) {
  list.push_back({kind, index});
  return list.size() - 1;
}

V decode::asBits(KernelBuilder &kb, V value) {
  Type integer = kb.b.getIntegerType(value.getType().getIntOrFloatBitWidth());
  V raw = kb.bitcast(value, integer);
  return integer.isInteger(32)
             ? raw
             : kb.wrap(arith::ExtUIOp::create(kb.b, kb.loc, kb.b.getI32Type(), raw));
}

V decode::fromBits(KernelBuilder &kb, V raw, Type type) {
  Type integer = kb.b.getIntegerType(type.getIntOrFloatBitWidth());
  if (!integer.isInteger(32))
    raw = kb.wrap(arith::TruncIOp::create(kb.b, kb.loc, integer, Value(raw)));
  return kb.bitcast(raw, type);
}

namespace {

/// Splits the block's number and the thread's into what they stand for.
BlockValues makeBlock(KernelBuilder &kb, const Plan &plan, const Parameters &params) {
  BlockValues block;
  block.tid = kb.tid();
  block.warp = block.tid / 32;
  block.lane = block.tid % 32;
  block.quad = block.lane / 4;
  block.inQuad = block.lane % 4;
  block.rows = params[params.rows];
  V column = kb.cta();
  block.row0 = kb.i32(0);
  if (plan.rowBlocks > 1) {
    // Blocks of the same weights are neighbours, for the L2 cache's sake.
    V rowBlocks = (block.rows + (plan.rows() - 1)) / plan.rows();
    block.row0 = column % rowBlocks * plan.rows();
    column = column / rowBlocks;
  }
  block.unit0 = column * plan.unitsPerBlock;
  block.units = kb.min(kb.i32(plan.units) - block.unit0, kb.i32(plan.unitsPerBlock));
  block.laneK = block.warp * plan.warpK + block.inQuad * 8;
  for (int64_t i : params.weights)
    block.weights.push_back(params[i]);
  return block;
}

class DecodeEmitter : public KernelEmitter {
public:
  KernelFamily family() const override { return KernelFamily::Decode; }
  MmaKind mma() const override { return MmaKind::MmaSync; }

  std::string unsupported(OnlineOp op, TargetAttr target, bool) const override {
    return whyUnsupported(op, target);
  }

  SmallVector<ScheduleAttr> propose(OnlineOp op, TargetAttr target, bool) const override {
    return proposeSchedules(op, target);
  }

  SmallVector<ScheduleAttr> proposeInvariant(OnlineOp op, TargetAttr target, bool,
                                             bool packed) const override {
    return decode::proposeInvariant(op, target, packed);
  }

  std::optional<double> predict(OnlineOp op, TargetAttr target, ScheduleAttr schedule,
                                int64_t rows) const override {
    return decode::predict(op, target, schedule, rows);
  }

  FailureOr<LaunchSpec> emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                             gpu::GPUModuleOp module, StringRef name) const override {
    Plan plan;
    std::string reason = makePlan(op, target, schedule, plan);
    if (!reason.empty())
      return op.emitOpError() << "cannot follow " << schedule << ": " << reason;

    OpBuilder b(op.getContext());
    KernelBuilder kb(b, op.getLoc());
    Parameters params(op, plan);
    params.values = kb.begin(module, name, op, params.list, plan.threads(), plan.minBlocks);
    if (plan.bulk)
      kb.launchDependents();
    BlockValues block = makeBlock(kb, plan, params);
    std::unique_ptr<DecodeLoader> loader = makeLoader(kb, plan, params, block);
    loader->run([&] { consume(kb, op, plan, params, block, *loader); });
    kb.end();

    LaunchSpec spec;
    spec.kernel = name.str();
    if (plan.rowBlocks == 1)
      spec.grid.fixed = plan.columnBlocks;
    else
      spec.grid.tileM = plan.rows(), spec.grid.tilesN = plan.columnBlocks;
    spec.block = plan.threads();
    spec.sharedBytes = plan.sharedBytes;
    spec.args = params.list;
    spec.minRows = schedule.getMinRows();
    spec.maxRows = schedule.getMaxRows();
    spec.align = schedule.getAlign();
    spec.packed = plan.packed;
    spec.dependentLaunch = plan.bulk;
    return spec;
  }
};

} // namespace

const KernelEmitter &flashfusion::decodeEmitter() {
  static const DecodeEmitter emitter;
  return emitter;
}
