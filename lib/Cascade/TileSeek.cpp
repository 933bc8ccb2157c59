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
#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "FlashFusion/Plan/Planner.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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
    llvm::Expected<plan::Target> machine = plan::loadTarget(target, compat);
    if (!machine) {
      getOperation().emitError() << toString(machine.takeError());
      return signalPassFailure();
    }
    if (budget < 1) {
      getOperation().emitError("ff-tileseek: budget must be positive");
      return signalPassFailure();
    }
    SmallVector<cascade::GraphOp> graphs;
    getOperation().walk([&](cascade::GraphOp graph) { graphs.push_back(graph); });
    for (cascade::GraphOp graph : graphs) {
      llvm::Expected<plan::Cascade> read = plan::readCascade(graph);
      if (!read) {
        graph.emitOpError() << "cannot be planned: " << toString(read.takeError());
        return signalPassFailure();
      }
      plan::Planner planner(*read, *machine);
      if (!planner.error().empty()) {
        graph.emitOpError() << "cannot be planned: " << planner.error();
        return signalPassFailure();
      }
      search(graph, planner);
    }
  }

  void search(cascade::GraphOp graph, const plan::Planner &planner) {
    const plan::Cascade &read = planner.getCascade();
    plan::TileOptions options;
    options.budget = budget;
    options.seed = seed;
    auto [plan, result] = plan::planWithTileSeek(
        planner, plan::getTileSpace(read, planner.getTarget().tile), options);
    auto func = graph->getParentOfType<FunctionOpInterface>();
    auto remarkOptions = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category("ff-tileseek")
          .function(func ? func.getName() : StringRef());
    };
    if (result.choices.empty()) {
      remark::missed(graph.getLoc(), remarkOptions("declined")) << Arg("reason", "nothing-fits");
      return;
    }
    Builder b(graph.getContext());
    SmallVector<NamedAttribute> tiles;
    for (auto [rank, dram, buffer, pe] :
         llvm::zip_equal(read.ranks, plan.tiling.dram, plan.tiling.buffer, plan.tiling.pe))
      tiles.push_back(b.getNamedAttr(rank.name, b.getDenseI64ArrayAttr({dram, buffer, pe})));
    graph->setAttr("cascade.tiles", b.getDictionaryAttr(tiles));
    remark::passed(graph.getLoc(), remarkOptions("tiles"))
        << Arg("seconds", plan.seconds) << Arg("evaluated", static_cast<int64_t>(result.evaluated))
        << Arg("complete", result.complete);
  }
};
} // namespace
