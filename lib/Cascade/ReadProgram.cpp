//===- ReadProgram.cpp - Programs in files as cascades to plan -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/ReadProgram.h"

#include "FlashFusion/Cascade/GroupByKernels.h"
#include "FlashFusion/Cascade/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::flashfusion;

static llvm::Expected<Program> read(cascade::GraphOp graph) {
  llvm::Expected<plan::Cascade> cascade = plan::readCascade(graph);
  if (!cascade)
    return cascade.takeError();
  for (plan::Group &group : cascade->groups)
    for (plan::Einsum &einsum : group.einsums)
      einsum.opaqueOp = nullptr; // the IR ends with the caller
  return Program{std::move(*cascade), cascade::countPasses(graph)};
}

static void loadDialects(MLIRContext &context) {
  // Those of frontends' programs; what they do around a layer is not read.
  context.loadDialect<cascade::CascadeDialect, affine::AffineDialect, arith::ArithDialect,
                      bufferization::BufferizationDialect, cf::ControlFlowDialect,
                      func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                      memref::MemRefDialect, ml_program::MLProgramDialect, scf::SCFDialect,
                      tensor::TensorDialect, vector::VectorDialect>();
}

static cascade::GraphOp findGraph(ModuleOp module) {
  cascade::GraphOp found;
  module.walk([&](cascade::GraphOp graph) {
    found = graph;
    return WalkResult::interrupt();
  });
  return found;
}

llvm::Expected<Program> mlir::flashfusion::readProgram(StringRef file, const plan::Target &target,
                                                       const ReadProgramOptions &options) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return llvm::createStringError("cannot read '" + file + "'");
  PassManager pm(&context, ModuleOp::getOperationName());
  if (!findGraph(*module))
    pm.addPass(createRaiseCascadePass());
  if (options.rewrite) {
    DeferCascadePassOptions defer;
    defer.moments = target.gpu.has_value(); // as the kernels compute variances
    pm.addPass(createDeferCascadePass(defer));
    IterateCascadePassOptions iterate;
    iterate.block = options.block;
    pm.addPass(createIterateCascadePass(iterate));
  }
  if (failed(pm.run(*module)))
    return llvm::createStringError("cannot raise '" + file + "'");
  cascade::GraphOp graph = findGraph(*module);
  if (!graph)
    return llvm::createStringError("'" + file + "' has no function of linalg on tensors");
  if (!graph.getGroupsAttr() && failed(groupByKernels(graph, target)))
    return llvm::createStringError("cannot group '" + file + "'");
  return read(graph);
}

/// On a GPU as its kernels compute it: norms deferred, variances from one pass.
static llvm::Expected<OwningOpRef<ModuleOp>> buildModule(MLIRContext &context,
                                                         const plan::Model &model,
                                                         plan::LayerOptions options,
                                                         const plan::Target &target) {
  OpBuilder b(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  options.inSequence = target.gpu.has_value();
  cascade::GraphOp graph = plan::buildLayerIR(b, model, options);
  if (!target.gpu)
    return std::move(module);
  PassManager pm(&context, ModuleOp::getOperationName());
  DeferCascadePassOptions defer;
  defer.moments = true;
  pm.addPass(createDeferCascadePass(defer));
  if (failed(pm.run(*module)) || failed(groupByKernels(graph, target)))
    return llvm::createStringError("cannot choose kernels of " + model.name);
  return std::move(module);
}

llvm::Expected<Program> mlir::flashfusion::getLayerProgram(const plan::Model &model,
                                                           const plan::LayerOptions &options,
                                                           const plan::Target &target) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  auto module = buildModule(context, model, options, target);
  if (!module)
    return module.takeError();
  return read(findGraph(**module));
}

llvm::Expected<std::string> mlir::flashfusion::printLayer(const plan::Model &model,
                                                          const plan::LayerOptions &options,
                                                          const plan::Target &target) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  auto module = buildModule(context, model, options, target);
  if (!module)
    return module.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  (*module)->print(os);
  os << "\n";
  return text;
}
