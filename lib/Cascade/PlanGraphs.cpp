//===- PlanGraphs.cpp - Planning every graph of a module -------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/PlanGraphs.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::flashfusion;

LogicalResult
mlir::flashfusion::planGraphs(Operation *module, StringRef target, bool compat,
                              function_ref<void(cascade::GraphOp, const plan::Planner &)> use) {
  llvm::Expected<plan::Target> machine = plan::loadTarget(target, compat);
  if (!machine)
    return module->emitError() << toString(machine.takeError());
  SmallVector<cascade::GraphOp> graphs;
  module->walk([&](cascade::GraphOp graph) { graphs.push_back(graph); });
  for (cascade::GraphOp graph : graphs) {
    llvm::Expected<plan::Cascade> read = plan::readCascade(graph);
    if (!read)
      return graph.emitOpError() << "cannot be planned: " << toString(read.takeError());
    plan::Planner planner(*read, *machine);
    if (!planner.error().empty())
      return graph.emitOpError() << "cannot be planned: " << planner.error();
    use(graph, planner);
  }
  return success();
}

remark::RemarkOpts mlir::flashfusion::getGraphRemark(cascade::GraphOp graph, StringRef category,
                                                     StringRef name) {
  auto func = graph->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name).category(category).function(func ? func.getName()
                                                                         : StringRef());
}
