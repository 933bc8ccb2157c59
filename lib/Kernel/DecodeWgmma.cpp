//===- DecodeWgmma.cpp - Up to 128 rows on sm_90a: TMA and wgmma -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// More rows than mma.sync can take beside the stream of weights, too few to fill the
// 128-row tiles of prefill. Every block has a tile of all rows and as many
// columns (any multiple of 8) as give all multiprocessors an equal share; W
// arrives through one ring of stages, x through another, and wgmma multiplies:
//
//   warp P       for tile, for k: wait(W empty), TMA W -> W full      (before the wait
//                                                  for the kernel before, so early)
//   warp P + 1   wait for the kernel before; for tile, for k: wait(x empty), TMA x -> x full
//   warpgroups   for tile, for k: wait(full), 64 rows: wgmma, release step k - 1;
//     that       z = scale * (acc - center * C) + B, finalizer, store
//     multiply
//   warpgroups   columns (bias, ...) of the tile -> shared; for k: wait(x full), sum up
//     that sum   rows, release; row factors -> shared
//
// Filling shared memory is a limit of its own: every block takes all of x. With a split of K the
// blocks of a cluster have one tile, each a part of K and hence of x. Each finalizes its share
// of the columns, with sums that the other sends to its shared memory.
//
//===----------------------------------------------------------------------===//
#include "DecodeWgmma.h"
#include "Cluster.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;

/// One thread makes the barriers.
static void initBarriers(Kernel &kernel) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t warps = 4 * plan.groups();
  // Warps release a stage of x: those that multiply, and those that sum up its rows.
  int64_t xReaders = warps + (plan.hasStatistics() ? plan.summingThreads() / 32 : 0);
  for (int64_t s = 0; s < plan.xStages; ++s) {
    kb.mbarrierInit(kernel.xFull(kb.i32(s)), 1);
    kb.mbarrierInit(kernel.xEmpty(kb.i32(s)), xReaders);
  }
  for (int64_t s = 0; s < plan.wStages; ++s) {
    kb.mbarrierInit(kernel.wFull(kb.i32(s)), 1);
    kb.mbarrierInit(kernel.wEmpty(kb.i32(s)), warps);
  }
  kb.mbarrierInit(kernel.vectorsFull(), plan.summingThreads());
  kb.mbarrierInit(kernel.vectorsEmpty(), warps);
  kb.mbarrierInit(kernel.factorsFull(), plan.summingThreads());
  kb.mbarrierInitFence();
  wgmma::prefetchMaps(kb, kernel.args, plan.args);
}

static void emitBody(Kernel &kernel) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  bool split = plan.split > 1;
  int64_t summing = plan.multiplyingThreads(), weightLoader = summing + plan.summingThreads(),
          rowLoader = weightLoader + 32;
  V tid = kernel.tid;
  kb.ifThen(tid.eq(weightLoader), [&] { initBarriers(kernel); });
  kb.launchDependents();
  kb.syncThreads();
  if (split)
    cluster::arrive(kb);
  kb.ifThenElse(
      tid.lt(summing),
      [&] {
        kb.waitForPredecessor();
        emitConsumer(kernel, plan.groups() == 1 ? kb.i32(0) : tid.shr(7));
      },
      [&] {
        kb.ifThenElse(
            tid.lt(weightLoader),
            [&] {
              kb.waitForPredecessor();
              if (plan.hasVectors() || plan.factors() || split)
                emitStatistics(kernel, tid - summing);
            },
            [&] {
              kb.ifThenElse(
                  tid.lt(rowLoader),
                  // W is what no kernel before writes; whatever else is touched may be.
                  [&] { kb.ifThen(tid.eq(weightLoader), [&] { emitWeightLoader(kernel); }); },
                  [&] {
                    kb.waitForPredecessor();
                    kb.ifThen(tid.eq(rowLoader), [&] { emitRowLoader(kernel); });
                  });
              if (split)
                passCluster(kernel);
            });
      });
}

namespace {

class DecodeWgmmaEmitter : public KernelEmitter {
public:
  KernelFamily family() const override { return KernelFamily::Decode; }
  MmaKind mma() const override { return MmaKind::Wgmma; }

  std::string unsupported(OnlineOp op, TargetAttr target, bool) const override {
    return whyUnsupported(op, target);
  }

  SmallVector<ScheduleAttr> propose(OnlineOp op, TargetAttr target, bool) const override {
    return proposeSchedules(op, target);
  }

  SmallVector<ScheduleAttr> proposeInvariant(OnlineOp op, TargetAttr target, bool,
                                             bool packed) const override {
    return decodewgmma::proposeInvariant(op, target, packed);
  }

  std::optional<double> predict(OnlineOp op, TargetAttr target, ScheduleAttr schedule,
                                int64_t rows) const override {
    return decodewgmma::predict(op, target, schedule, rows);
  }

  FailureOr<LaunchSpec> emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                             gpu::GPUModuleOp module, StringRef name) const override {
    if (std::string why = whyNot(op, schedule, target); !why.empty())
      return op.emitOpError() << "cannot follow " << schedule << ": " << why;
    Plan plan = makePlan(op, target, schedule);
    if (!fits(plan, target))
      return op.emitOpError() << "cannot follow " << schedule << ": the " << target.getSmem()
                              << " bytes of shared memory leave no room for two stages of x";

    OpBuilder builder(op.getContext());
    KernelBuilder kb(builder, op.getLoc());
    SmallVector<V> args =
        kb.begin(module, name, op, plan.args, plan.threads(), /*minBlocks=*/1, plan.split);
    Kernel kernel(kb, plan, args);
    emitBody(kernel);
    kb.end();

    LaunchSpec spec;
    spec.kernel = name.str();
    spec.grid.fixed = plan.blocks;
    spec.block = plan.threads();
    spec.cluster = plan.split;
    spec.sharedBytes = plan.sharedBytes;
    spec.args = plan.args;
    spec.minRows = schedule.getMinRows();
    spec.maxRows = schedule.getMaxRows();
    spec.align = schedule.getAlign();
    spec.packed = schedule.getPacked();
    spec.dependentLaunch = true;
    return spec;
  }

private:
  /// What is wrong with a schedule apart from its size in shared memory.
  static std::string whyNot(OnlineOp op, ScheduleAttr schedule, TargetAttr target) {
    if (std::string why = whyUnsupported(op, target); !why.empty())
      return why;
    int64_t tileM = schedule.getTileM(), split = schedule.getSplit();
    if (tileM <= 0 || tileM % 16 != 0 || tileM > 128)
      return "tile_m must be a multiple of 16, at most 128";
    if (schedule.getMinRows() < 1 || schedule.getMaxRows() < schedule.getMinRows() ||
        schedule.getMaxRows() > tileM)
      return "it must serve 1 <= min_rows <= max_rows <= tile_m rows";
    // More accumulators than this do not fit beside all the block's threads.
    int64_t linears = op.getLinearsOf(0).size(), widest = tileM <= 64 ? 256 : 128;
    if (split != 1 && split != 2)
      return "split must be 1 or 2";
    if (schedule.getTileN() <= 0 || schedule.getTileN() % (8 * linears * split) != 0 ||
        schedule.getTileN() > widest)
      return "tile_n must be a multiple of 8 for each Linear of an output and part of K, at most " +
             std::to_string(widest);
    if (schedule.getTileK() <= 0 || schedule.getTileK() % boxK != 0 || schedule.getTileK() > 512)
      return "tile_k must be a multiple of 64, at most 512";
    if (schedule.getWarps() != (tileM <= 64 ? 4 : 8))
      return "warps must be 4 for up to 64 rows, else 8";
    if (schedule.getAlign() < 16 || schedule.getAlign() % 16 != 0)
      return "tensor maps need an align that is a multiple of 16";
    if (schedule.getTf32())
      return "tf32 is for f32 operands";
    if (wgmma::needsPacking(op) && !schedule.getPacked())
      return "these weights must be packed";
    return "";
  }
};

} // namespace

const KernelEmitter &flashfusion::decodeWgmmaEmitter() {
  static const DecodeWgmmaEmitter emitter;
  return emitter;
}
