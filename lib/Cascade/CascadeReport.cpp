//===- CascadeReport.cpp - What a cascade needs ----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   remark: passes | tensor=QK, rank=N, passes=2, footprint=256
//   remark: group | name=MHA, einsums=12, contract=.., exp=.., traffic=.., buffer=..
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/PassCount.h"
#include "FlashFusion/Cascade/Passes.h"
#include "FlashFusion/Cascade/PlanGraphs.h"
#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "FlashFusion/Plan/CostModel.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_CASCADEREPORTPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {
struct CascadeReportPass : flashfusion::impl::CascadeReportPassBase<CascadeReportPass> {
  using Base::Base;
  using Arg = remark::detail::Remark::Arg;

  void runOnOperation() override {
    SmallVector<cascade::GraphOp> graphs;
    getOperation().walk([&](cascade::GraphOp graph) { graphs.push_back(graph); });
    for (cascade::GraphOp graph : graphs) {
      auto func = graph->getParentOfType<FunctionOpInterface>();
      auto options = [&](StringRef name) {
        return remark::RemarkOpts::name(name)
            .category("ff-cascade-report")
            .function(func ? func.getName() : StringRef());
      };
      for (const cascade::PassCount &count : cascade::countPasses(graph))
        remark::analysis(graph.getLoc(), options("passes"))
            << Arg("tensor", count.tensor) << Arg("rank", count.rank) << Arg("passes", count.passes)
            << Arg("footprint", count.footprint);
      llvm::Expected<plan::Cascade> read = plan::readCascade(graph);
      if (!read) {
        graph.emitWarning() << "its groups are not reported: " << toString(read.takeError());
        continue;
      }
      plan::Tiling whole;
      for (const plan::Rank &rank : read->ranks) {
        whole.dram.push_back(1);
        whole.buffer.push_back(rank.size);
        whole.pe.push_back(1);
      }
      for (const plan::Group &group : read->groups) {
        std::array<double, plan::numOpKinds> points{};
        double traffic = 0;
        for (const plan::Einsum &einsum : group.einsums) {
          points[unsigned(einsum.op)] += read->volume(einsum.ranks);
          traffic += plan::trafficBytes(*read, einsum, whole, wordBytes);
        }
        auto remark = remark::analysis(graph.getLoc(), options("group"));
        remark << Arg("name", group.name)
               << Arg("einsums", static_cast<unsigned>(group.einsums.size()));
        for (unsigned kind = 0; kind < plan::numOpKinds; ++kind)
          if (points[kind] > 0)
            remark << Arg(plan::stringifyOpKind(plan::OpKind(kind)), toInteger(points[kind]));
        remark << Arg("traffic", toInteger(traffic))
               << Arg("buffer", toInteger(plan::bufferBytes(group, whole, wordBytes)));
      }
    }
  }
};
} // namespace
