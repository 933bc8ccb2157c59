//===- ReadProgram.cpp - Programs in files as cascades to plan -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/ReadProgram.h"

#include "FlashFusion/Cascade/GroupByKernels.h"
#include "FlashFusion/Cascade/Passes.h"
#include "FlashFusion/Cascade/RaiseCascade.h"
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
#include "mlir/Transforms/Passes.h"

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
  // Those of frontends' programs, and what these leave of others; what they do around a layer is
  // not read.
  context.allowUnregisteredDialects();
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

/// Assertions, of which a plan knows nothing, are dropped; they would keep a function from being
/// raised.
static void eraseAsserts(ModuleOp module) {
  module.walk([](cf::AssertOp op) { op.erase(); });
}

/// The first function with linalg.
static func::FuncOp findProgram(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    if (cascade::findObstacle(func).reason != "no-linalg")
      return func;
  return {};
}

/// Gives arguments of `func` the types, or if they are sizes the values, that `shapes` say; what
/// follows from them, folding does.
static LogicalResult setShapes(func::FuncOp func, ArrayRef<std::string> shapes) {
  OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
  for (StringRef text : shapes) {
    auto [name, extents] = text.split(':');
    unsigned number;
    if (!name.consume_front("arg") || name.getAsInteger(10, number) ||
        number >= func.getNumArguments())
      return func.emitError() << "--shape=" << text << ": expected one of arg0 to arg"
                              << func.getNumArguments() - 1 << ", such as arg0:2x128x768";
    BlockArgument arg = func.getArgument(number);
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    SmallVector<int64_t> shape;
    SmallVector<StringRef> fields;
    extents.split(fields, 'x');
    for (StringRef field : fields) {
      int64_t extent;
      if (field.getAsInteger(10, extent) || extent < 1 || extent > int64_t(1) << 40)
        return func.emitError() << "--shape=" << text << ": '" << field
                                << "' is no positive extent";
      shape.push_back(extent);
    }
    if (arg.getType().isIndex() && shape.size() == 1) {
      Value size = arith::ConstantIndexOp::create(b, arg.getLoc(), shape[0]);
      arg.replaceAllUsesWith(size);
      continue;
    }
    if (!type || failed(verifyCompatibleShape(type.getShape(), shape)))
      return emitError(arg.getLoc()) << "--shape=" << text << " does not fit argument " << number
                                     << " of type " << arg.getType();
    auto known = type.clone(shape);
    if (known == type)
      continue;
    arg.setType(known);
    auto cast = tensor::CastOp::create(b, arg.getLoc(), type, arg);
    arg.replaceAllUsesExcept(cast, cast);
  }
  func.setFunctionType(b.getFunctionType(func.getBody().front().getArgumentTypes(),
                                         func.getFunctionType().getResults()));
  return success();
}

/// Where sizes are missing for a plan, which arguments could give them.
static LogicalResult checkShapes(cascade::GraphOp graph) {
  auto func = graph->getParentOfType<func::FuncOp>();
  for (auto [name, size] : graph.collectRanks()) {
    if (size >= 1)
      continue;
    for (auto [i, arg] : llvm::enumerate(func ? func.getArguments() : ArrayRef<BlockArgument>()))
      if (auto type = dyn_cast<RankedTensorType>(arg.getType()); type && !type.hasStaticShape()) {
        std::string example;
        for (int64_t extent : type.getShape())
          example += (example.empty() ? "" : "x") +
                     std::to_string(ShapedType::isDynamic(extent) ? 128 : extent);
        return emitError(arg.getLoc())
               << "the extents of argument " << i << ", " << type << ", are not known; --shape=arg"
               << i << ":" << example << ", for example, gives them";
      }
    return graph.emitError() << "rank " << name << " has no known size";
  }
  return success();
}

llvm::Expected<Program> mlir::flashfusion::readProgram(StringRef file, const plan::Target &target,
                                                       const ReadProgramOptions &options) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return llvm::createStringError("cannot read '" + file + "'");
  PassManager pm(&context, ModuleOp::getOperationName());
  if (!findGraph(*module)) {
    eraseAsserts(*module);
    func::FuncOp func = findProgram(*module);
    if (!func)
      return llvm::createStringError("'" + file + "' has no function of linalg on tensors");
    if (!options.shapes.empty()) {
      if (failed(setShapes(func, options.shapes)))
        return llvm::createStringError("cannot read '" + file + "'");
      pm.addPass(createCanonicalizerPass());
    }
    pm.addPass(createRaiseCascadePass());
  } else if (!options.shapes.empty()) {
    return llvm::createStringError("'" + file + "' is a cascade already, whose sizes are given");
  }
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
  if (!graph) {
    func::FuncOp func = findProgram(*module);
    cascade::Obstacle obstacle = func ? cascade::findObstacle(func) : cascade::Obstacle();
    if (obstacle.op)
      obstacle.op->emitOpError("cannot be part of a cascade: ") << obstacle.reason;
    return llvm::createStringError("cannot raise '" + file + "'");
  }
  if (failed(checkShapes(graph)))
    return llvm::createStringError("cannot plan '" + file + "'");
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
