//===- TileSeek.cpp - TileSeek's tiles on the IR ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cascade.graph "layer"(..) {cascade.tiles = {P = array<i64: 4, 2, 128>, ..}}
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/Passes.h"
#include "FlashFusion/Cascade/PlanGraphs.h"
#include "mlir/IR/Builders.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_TILESEEKPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {
struct TileSeekPass : flashfusion::impl::TileSeekPassBase<TileSeekPass> {
  using Base::Base;
  using Arg = remark::detail::Remark::Arg;

  void runOnOperation() override {
    if (budget < 1) {
      getOperation().emitError("ff-tileseek: budget must be positive");
      return signalPassFailure();
    }
    if (failed(planGraphs(
            getOperation(), target, compat,
            [&](cascade::GraphOp graph, const plan::Planner &planner) { search(graph, planner); })))
      signalPassFailure();
  }

  void search(cascade::GraphOp graph, const plan::Planner &planner) {
    const plan::Cascade &read = planner.getCascade();
    plan::TileOptions options;
    options.budget = budget;
    options.seed = seed;
    auto [plan, result] = plan::planWithTileSeek(
        planner, plan::getTileSpace(read, planner.getTarget().tile), options);
    if (result.choices.empty()) {
      graph.emitOpError() << "has no tile that fits the buffer of target "
                          << planner.getTarget().name;
      return signalPassFailure();
    }
    Builder b(graph.getContext());
    SmallVector<NamedAttribute> tiles;
    for (auto [rank, dram, buffer, pe] :
         llvm::zip_equal(read.ranks, plan.tiling.dram, plan.tiling.buffer, plan.tiling.pe))
      tiles.push_back(b.getNamedAttr(rank.name, b.getDenseI64ArrayAttr({dram, buffer, pe})));
    graph->setAttr("cascade.tiles", b.getDictionaryAttr(tiles));
    remark::passed(graph.getLoc(), getGraphRemark(graph, "ff-tileseek", "tiles"))
        << Arg("seconds", plan.seconds) << Arg("evaluated", static_cast<int64_t>(result.evaluated))
        << Arg("complete", result.complete);
  }
};
} // namespace
