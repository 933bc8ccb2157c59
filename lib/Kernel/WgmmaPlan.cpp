//===- WgmmaPlan.cpp - What the plans of wgmma kernels share ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WgmmaPlan.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::wgmma;

SmallVector<ColumnVector> OutputPlan::vectors() const {
  SmallVector<ColumnVector> all(columns);
  for (const LinearPlan &linear : linears)
    for (const std::optional<ColumnVector> &sum : {linear.columnSum, linear.shiftSum})
      if (sum)
        all.push_back(*sum);
  return all;
}

bool wgmma::needsPacking(OnlineOp op) {
  if (op.getGain() || op.getShift() || op.getNumRowFactors() == 2 || hasQuantisedWeight(op))
    return true;
  for (unsigned l = 0; l < op.getWeights().size(); ++l)
    if (op.getLayout(l) != WeightLayout::NK)
      return true;
  return false;
}

std::string wgmma::whyUnsupported(OnlineOp op, TargetAttr target) {
  if (target.getChip() != "sm_90a")
    return "wgmma exists on sm_90a only";
  Type element = getElementTypeOrSelf(op.getX());
  if (!element.isF16() && !element.isBF16() && !isF8(op.getX()))
    return "x is neither f16, bf16 nor f8E4M3FN";
  if (std::string why = whyNotPacked(op); !why.empty())
    return why;
  int64_t unit = isF8(op.getX()) ? 16 : 8;
  if (op.getK() % unit != 0)
    return "K is not a multiple of " + std::to_string(unit) + ", as tensor maps need";
  SmallVector<bool> used(op.getWeights().size());
  for (auto [i, out] : llvm::enumerate(op.getOuts())) {
    if (op.getLinearsOf(i).size() != op.getLinearsOf(0).size())
      return "outputs take different numbers of Linears";
    for (int64_t l : op.getLinearsOf(i))
      if (std::exchange(used[l], true))
        return "a Linear is taken twice";
    unsigned width = getElementTypeOrSelf(out).getIntOrFloatBitWidth();
    if (width != 16 && width != 32)
      return "an output's elements are neither 16 nor 32 bits wide";
  }
  if (!llvm::all_of(used, [](bool b) { return b; }))
    return "a Linear belongs to no output";
  return "";
}

int64_t wgmma::addArgument(SmallVectorImpl<KernelArg> &args, KernelArg arg) {
  args.push_back(arg);
  return static_cast<int64_t>(args.size()) - 1;
}

int64_t wgmma::planOperands(OnlineOp op, bool packed, int64_t outN, int64_t boxK,
                            SmallVectorImpl<KernelArg> &args, OutputPlan &output) {
  OnlineOperands operands(op);
  using Kind = KernelArg::Kind;
  int64_t offset = 0;
  auto vector = [&](KernelArg arg, Type type, bool isShared = false) {
    ColumnVector v{addArgument(args, arg), type, offset, isShared};
    offset += llvm::alignTo(outN * v.bytes(), 16);
    return v;
  };
  Type f32 = Float32Type::get(op.getContext());
  for (int64_t l : op.getLinearsOf(output.index)) {
    LinearPlan &linear = output.linears.emplace_back();
    linear.weightArg = addArgument(
        args, packed ? KernelArg{Kind::PackedMap, packedIndex(l, PackedPart::Weight), outN, boxK}
                     : KernelArg{Kind::TensorMap, operands.weights[l], outN, boxK});
    if (op.getNumRowFactors() == 2)
      linear.columnSum = vector({Kind::Packed, packedIndex(l, PackedPart::ColumnSum)}, f32);
    if (op.getShift())
      linear.shiftSum = vector({Kind::Packed, packedIndex(l, PackedPart::ShiftSum)}, f32);
  }
  for (unsigned c : op.getColumnsOf(output.index))
    output.columns.push_back(vector({Kind::Buffer, operands.columns[c]},
                                    getElementTypeOrSelf(op.getColumns()[c]),
                                    op.isSharedColumn(c)));
  for (unsigned t : op.getTilesOf(output.index))
    output.tiles.push_back({addArgument(args, {Kind::Buffer, operands.tiles[t]}),
                            getElementTypeOrSelf(op.getTiles()[t])});
  return offset;
}

Ring wgmma::advance(KernelBuilder &kb, Ring ring, int64_t stages) {
  V next = ring.stage + 1;
  V wrap = next.eq(stages);
  return {kb.select(wrap, kb.i32(0), next), kb.select(wrap, ring.parity ^ 1, ring.parity)};
}

Place wgmma::findOutput(KernelBuilder &kb, ArrayRef<OutputPlan> outputs, V tile) {
  Place place{kb.i32(0), kb.i32(0)};
  for (const OutputPlan &output : outputs.drop_front()) {
    V reached = tile.ge(output.firstTile);
    place.output = kb.select(reached, kb.i32(output.index), place.output);
    place.firstTile = kb.select(reached, kb.i32(output.firstTile), place.firstTile);
  }
  return place;
}

void wgmma::forOutput(KernelBuilder &kb, ArrayRef<OutputPlan> outputs, V output,
                      llvm::function_ref<void(const OutputPlan &)> body) {
  if (outputs.size() == 1)
    return body(outputs.front());
  kb.ifThenElse(
      output.eq(outputs.front().index), [&] { body(outputs.front()); },
      [&] { forOutput(kb, outputs.drop_front(), output, body); });
}

SmallVector<V> wgmma::selectWeights(KernelBuilder &kb, ArrayRef<V> args,
                                    ArrayRef<OutputPlan> outputs, V output) {
  SmallVector<V> weights;
  for (const LinearPlan &linear : outputs.front().linears)
    weights.push_back(args[linear.weightArg]);
  for (const OutputPlan &other : outputs.drop_front())
    for (auto [weight, linear] : llvm::zip_equal(weights, other.linears))
      weight = kb.select(output.eq(other.index), args[linear.weightArg], weight);
  return weights;
}

void wgmma::prefetchMaps(KernelBuilder &kb, ArrayRef<V> args, ArrayRef<KernelArg> kinds) {
  for (auto [value, arg] : llvm::zip_equal(args, kinds))
    if (arg.kind == KernelArg::Kind::TensorMap || arg.kind == KernelArg::Kind::PackedMap)
      kb.prefetchMap(value);
}
