//===- PrefillWgmma.cpp - Many rows on sm_90a: TMA and wgmma ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A persistent kernel for many rows. One thread feeds a ring of stages with x
// and W tiles, two warpgroups multiply 64 rows each and sum up the rows that they
// find in shared memory, and apply norm and finalizer to their accumulators. The blocks of a
// cluster have tiles of the same rows and share the sums:
//
//   warpgroup 0, thread 0        for tile, for k: wait(empty), TMA x and W -> full
//   warpgroup 0, warps 1 to 3    for tile: columns (bias, ...) of the tile -> shared
//   warpgroups 1 and 2           for tile, for k: wait(full), wgmma, statistics of
//                                a row block met anew, release stage k - 1; exchange them;
//                                z = scale * (acc - center * C) + B, finalizer, store
//
// Few rows have too few tiles for all blocks. Then a cluster's blocks have one tile, each a part of
// K, send each other sums of products as well, and finalize their share of the columns.
//
// The column tiles of all outputs are one space of tiles, so that any number of
// Linears that share a norm take one launch and one set of statistics. An output
// of several Linears (SwiGLU) has their weight rows side by side in a tile, and so
// finds matching columns of both in one thread's accumulators.
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "PrefillKernel.h"
#include "Wgmma.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

static void emitBody(Kernel &kernel) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  kb.ifThen(kernel.tid.eq(0), [&] {
    for (int64_t s = 0; s < plan.stages; ++s) {
      kb.mbarrierInit(kernel.full(kb.i32(s)), 1);
      kb.mbarrierInit(kernel.empty(kb.i32(s)), 4 * consumers);
    }
    kb.mbarrierInit(kernel.vectorsFull(), loaderThreads);
    kb.mbarrierInit(kernel.vectorsEmpty(), 4 * consumers);
    if (plan.exchangesSums())
      for (int64_t odd = 0; odd < 2; ++odd)
        for (int64_t warp = 0; warp < 4 * consumers; ++warp)
          kb.mbarrierInit(kernel.rowSumsFull(kb.i32(warp), kb.i32(odd)), 1);
    if (plan.parts > 1)
      for (int64_t warp = 0; warp < 4 * consumers; ++warp)
        kb.mbarrierInit(kernel.partialsFull(kb.i32(warp)), 1);
    kb.mbarrierInitFence();
    wgmma::prefetchMaps(kb, kernel.args, plan.args);
  });
  kb.syncThreads();
  if (plan.cluster() > 1)
    cluster::arrive(kb);
  // Up to here nothing depends on the kernel before; past it, everything may.
  kb.launchDependents();
  kb.waitForPredecessor();
  kb.ifThenElse(
      kernel.tid.lt(128),
      [&] {
        wgmma::decreaseRegisters(kb, 40);
        kb.ifThen(kernel.tid.eq(0), [&] { emitProducer(kernel); });
        if (plan.hasVectors())
          kb.ifThen(kernel.tid.ge(128 - loaderThreads),
                    [&] { emitVectorLoader(kernel, kernel.tid - (128 - loaderThreads)); });
        if (plan.cluster() > 1)
          cluster::wait(kb);
        if (plan.parts > 1) { // for Epilogue's
          cluster::arrive(kb);
          cluster::wait(kb);
        }
      },
      [&] {
        wgmma::increaseRegisters(kb, 232);
        emitConsumer(kernel, kernel.tid.shr(7) - 1);
      });
}

namespace {

class PrefillWgmma : public KernelEmitter {
public:
  KernelFamily family() const override { return KernelFamily::Prefill; }
  MmaKind mma() const override { return MmaKind::Wgmma; }

  std::string unsupported(OnlineOp op, TargetAttr target, bool tf32) const override {
    if (std::string why = wgmma::whyUnsupported(op, target); !why.empty())
      return why;
    // Both would be some 2^-10 off in |center| sum |W|, and their difference as much.
    if (isF8(op.getX()) && op.getNumRowFactors() == 2)
      return "sums of 8-bit products have too few bits for a center to cancel";
    for (unsigned i = 0; i < op.getOuts().size(); ++i)
      if (static_cast<int64_t>(op.getColumnsOf(i).size()) > maxColumns)
        return "an output takes too many columns";
    int64_t narrowest = chunkCols * linearsPerOutput(op);
    if (!fitsTile(op, narrowest))
      return "an output takes more than four Linears";
    Cut smallest{narrowest};
    smallest.packed = wgmma::needsPacking(op);
    if (makePlan(op, smallest, target.getSmem()).sharedBytes > target.getSmem())
      return "shared memory is too small";
    return "";
  }

  SmallVector<ScheduleAttr> propose(OnlineOp op, TargetAttr target, bool tf32) const override {
    SmallVector<ScheduleAttr> variants;
    // Below 17 rows the tensor cores would mostly multiply padding; where x has 8 bits there is no
    // other kernel for those.
    int64_t fewest = isF8(op.getX()) ? 1 : 17;
    for (TileRange range : chooseTiles(op, target)) {
      Cut cut = makeCut(op, target, range.tileN, range.parts);
      variants.push_back(
          ScheduleAttr::get(op.getContext(), KernelFamily::Prefill, MmaKind::Wgmma,
                            /*min_rows=*/range.first == 1 ? fewest : (range.first - 1) * tileM + 1,
                            /*max_rows=*/range.last * tileM, tileM, cut.tileN, stageK(op),
                            cut.stages, /*warps=*/4 * consumers, cut.split, cut.parts, cut.packed,
                            /*align=*/16, /*tf32=*/false));
    }
    return variants;
  }

  FailureOr<LaunchSpec> emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                             gpu::GPUModuleOp module, StringRef name) const override {
    if (std::string why = unsupported(op, target, schedule.getTf32()); !why.empty())
      return op.emitOpError("cannot be served by the wgmma prefill kernel: ") << why;
    if (schedule.getTileM() != tileM || schedule.getTileK() != stageK(op) ||
        schedule.getTileN() <= 0 || !fitsTile(op, schedule.getTileN()))
      return op.emitOpError("schedule: the wgmma prefill kernel takes tile_m = ")
             << tileM << ", tile_k = " << stageK(op) << " and tile_n = a multiple of "
             << columnUnit * linearsPerOutput(op) << ", at least "
             << chunkCols * linearsPerOutput(op) << ", at most 256";
    if (schedule.getStages() < 2 || schedule.getStages() > 32)
      return op.emitOpError("schedule: the wgmma prefill kernel takes 2 to 32 stages");
    if (schedule.getWarps() != 4 * consumers)
      return op.emitOpError("schedule: the wgmma prefill kernel takes warps = ") << 4 * consumers;
    int64_t split = schedule.getSplit(), most = op.getStatistics().empty() ? 1 : maxSplit;
    if (split < 1 || split > most || !llvm::has_single_bit<uint64_t>(split) ||
        split > target.getSms())
      return op.emitOpError("schedule: the wgmma prefill kernel takes split = 1, with row "
                            "statistics also 2 or 4, at most the multiprocessors");
    int64_t parts = schedule.getParts();
    if (parts > 1 && isF8(op.getX()))
      return op.emitOpError("schedule: the wgmma prefill kernel has no parts of K for an x of 8 "
                            "bits");
    if (parts > 1 && (split > 1 || schedule.getTileN() % (8 * linearsPerOutput(op) * parts) != 0 ||
                      (parts - 1) * stageK(op) >= op.getK() || parts > target.getSms()))
      return op.emitOpError("schedule: parts of K want split = 1, tile_n a multiple of 8 columns "
                            "for each of them and Linear, and at least 64 of K each");
    if (schedule.getAlign() < 16 || !llvm::has_single_bit<uint64_t>(schedule.getAlign()))
      return op.emitOpError("schedule: tensor maps need an align of at least 16");
    if (schedule.getTf32())
      return op.emitOpError("schedule: the wgmma prefill kernel has no tf32");
    if (wgmma::needsPacking(op) && !schedule.getPacked())
      return op.emitOpError("schedule: the wgmma prefill kernel needs these weights packed");
    Plan plan = makePlan(
        op, {schedule.getTileN(), split, parts, schedule.getStages(), schedule.getPacked()},
        target.getSmem());
    if (plan.sharedBytes > target.getSmem())
      return op.emitOpError("schedule: needs ")
             << plan.sharedBytes << " bytes of shared memory, a block has " << target.getSmem();

    OpBuilder builder(op.getContext());
    KernelBuilder kb(builder, op.getLoc());
    SmallVector<V> args =
        kb.begin(module, name, op, plan.args, threads, /*minBlocks=*/1, plan.cluster());
    Kernel kernel(kb, plan, args);
    emitBody(kernel);
    kb.end();

    LaunchSpec spec;
    spec.kernel = name.str();
    int64_t maxTiles = llvm::divideCeil(schedule.getMaxRows(), tileM) * plan.tilesN;
    if (parts > 1) // a cluster for every tile
      spec.grid = {/*fixed=*/0, tileM, plan.tilesN * parts, /*cap=*/0};
    else
      spec.grid = {/*fixed=*/0, tileM, plan.tilesN, gridCap(target, split, maxTiles)};
    spec.block = threads;
    spec.cluster = plan.cluster();
    spec.sharedBytes = plan.sharedBytes;
    spec.args = plan.args;
    spec.minRows = schedule.getMinRows();
    spec.maxRows = schedule.getMaxRows();
    spec.align = schedule.getAlign();
    spec.packed = schedule.getPacked();
    spec.dependentLaunch = true;
    return spec;
  }
};

} // namespace

const KernelEmitter &flashfusion::prefillWgmmaEmitter() {
  static const PrefillWgmma emitter;
  return emitter;
}
