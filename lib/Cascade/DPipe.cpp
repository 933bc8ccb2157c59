//===- DPipe.cpp - DPipe's schedule on the IR ------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cascade.einsum "QK"[..] = add(..) attributes {cascade.dpipe =
//     [{step = "contract", resource = "TC", stage = 1, start = 0.0, end = 4096.0}]}
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/Passes.h"
#include "FlashFusion/Cascade/PlanGraphs.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_DPIPEPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {
struct DPipePass : flashfusion::impl::DPipePassBase<DPipePass> {
  using Base::Base;
  using Arg = remark::detail::Remark::Arg;

  void runOnOperation() override {
    if (failed(planGraphs(getOperation(), target, compat,
                          [&](cascade::GraphOp graph, const plan::Planner &planner) {
                            annotate(graph, planner);
                          })))
      signalPassFailure();
  }

  void annotate(cascade::GraphOp graph, const plan::Planner &planner) {
    Builder b(graph.getContext());
    SmallVector<Attribute> groups;
    llvm::MapVector<Operation *, SmallVector<Attribute>> steps;
    for (auto [group, schedule] :
         llvm::zip_equal(planner.getCascade().groups, planner.getSchedules())) {
      const plan::PipeSchedule &best = schedule.pipe.best;
      std::string first;
      for (unsigned i = 0; i < group.einsums.size(); ++i) {
        bool ahead = best.firstStage >> i & 1;
        if (ahead)
          first += (first.empty() ? "" : " ") + group.einsums[i].name;
        int64_t stage = ahead ? 1 : best.firstStage ? 2 : 0;
        const plan::Array &array = planner.getTarget().arrays[best.resource[i]];
        steps[group.einsums[i].getOp()].push_back(b.getDictionaryAttr(
            {b.getNamedAttr("step", b.getStringAttr(stringifyOpKind(group.einsums[i].op))),
             b.getNamedAttr("resource", b.getStringAttr(array.name)),
             b.getNamedAttr("stage", b.getI64IntegerAttr(stage)),
             b.getNamedAttr("start", b.getF64FloatAttr(best.start[i])),
             b.getNamedAttr("end", b.getF64FloatAttr(best.end[i]))}));
      }
      groups.push_back(b.getDictionaryAttr(
          {b.getNamedAttr("name", b.getStringAttr(group.name)),
           b.getNamedAttr("cycles", b.getF64FloatAttr(best.makespan)),
           b.getNamedAttr("unsplit", b.getF64FloatAttr(schedule.pipe.unsplit))}));
      remark::passed(graph.getLoc(), getGraphRemark(graph, "ff-dpipe", "scheduled"))
          << Arg("name", group.name) << Arg("cycles", toInteger(best.makespan))
          << Arg("unsplit", toInteger(schedule.pipe.unsplit)) << Arg("first_stage", first)
          << Arg("exact", schedule.pipe.exact);
    }
    for (auto &[op, list] : steps)
      op->setAttr("cascade.dpipe", b.getArrayAttr(list));
    graph->setAttr(
        "cascade.plan",
        b.getDictionaryAttr({b.getNamedAttr("target", b.getStringAttr(planner.getTarget().name)),
                             b.getNamedAttr("groups", b.getArrayAttr(groups))}));
  }
};
} // namespace
