//===- LaunchCalls.cpp - Host code that hands its launches over ------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func private @f_online_0(%x: memref<?x64xbf16>, %w: memref<32x64xbf16>, %eps: f32,
//                            %out: memref<?x32xbf16>) attributes {ff.plan = {...}}
//     // gpu.launch_func
// becomes
//   func private @f_online_0(..)
//     %words = memref.alloca() : memref<9xi64>
//     // address and extents of %x, of %w, %eps as the bits of an f64, %out
//     call @__ff_run_launch(%handle, %function, <address of %words>)
//
//===----------------------------------------------------------------------===//
#include "LaunchCalls.h"

#include "FlashFusion/Emit/Artifacts.h"
#include "FlashFusion/Kernel/LaunchSpec.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace ffrun;
using namespace mlir;
using namespace mlir::flashfusion;

static constexpr StringLiteral planName = "ff.plan", packName = "ff.pack";

static std::string typeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(type);
  return name;
}

static runtime::Launch toLaunch(const LaunchSpec &spec) {
  using Kind = runtime::KernelParameter::Kind;
  runtime::Launch launch;
  launch.kernel = spec.kernel;
  launch.fixed = spec.grid.fixed;
  launch.tileM = spec.grid.tileM;
  launch.tilesN = spec.grid.tilesN;
  launch.cap = spec.grid.cap;
  launch.block = spec.block;
  launch.cluster = spec.cluster;
  launch.sharedBytes = spec.sharedBytes;
  launch.minRows = spec.minRows;
  launch.maxRows = spec.maxRows;
  launch.align = spec.align;
  launch.packed = spec.packed;
  launch.dependentLaunch = spec.dependentLaunch;
  for (const KernelArg &arg : spec.args) {
    auto kind = Kind::Rows;
    switch (arg.kind) {
    case KernelArg::Kind::Buffer:
      kind = Kind::Buffer;
      break;
    case KernelArg::Kind::TensorMap:
      kind = Kind::TensorMap;
      break;
    case KernelArg::Kind::Packed:
      kind = Kind::Packed;
      break;
    case KernelArg::Kind::PackedMap:
      kind = Kind::PackedMap;
      break;
    case KernelArg::Kind::Scalar:
      kind = Kind::Scalar;
      break;
    case KernelArg::Kind::Rows:
      kind = Kind::Rows;
      break;
    }
    launch.parameters.push_back({kind, arg.index, arg.boxRows, arg.boxCols});
  }
  return launch;
}

/// The launch function as a function of a bundle.
static FailureOr<runtime::Function> toFunction(func::FuncOp func) {
  using Source = runtime::Operand::Source;
  static constexpr StringLiteral roles[] = {"x",    "gain",    "shift",  "weight", "column",
                                            "tile", "x_scale", "scalar", "out"};
  FailureOr<LaunchPlan> plan = LaunchPlan::fromAttr(func->getAttrOfType<DictionaryAttr>(planName));
  int64_t operands = 0;
  if (succeeded(plan))
    for (int32_t count : plan->segments)
      operands += count;
  if (failed(plan) || plan->segments.size() != std::size(roles) ||
      operands + plan->packed.size() != func.getNumArguments())
    return func.emitError("has a malformed ff.plan");

  runtime::Function function;
  function.name = func.getSymName().str();
  runtime::Step step;
  step.name = function.name;
  unsigned next = 0;
  for (auto [role, count] : llvm::zip_equal(roles, plan->segments))
    for (int32_t i = 0; i < count; ++i) {
      Type type = func.getArgumentTypes()[next++];
      bool isOut = role == "out";
      auto &list = isOut ? function.results : function.arguments;
      runtime::Buffer buffer;
      buffer.name = (role + Twine(i)).str();
      buffer.type = typeName(type);
      buffer.scalar = !isa<MemRefType>(type);
      if (auto memref = dyn_cast<MemRefType>(type))
        for (int64_t extent : memref.getShape())
          buffer.shape.push_back(ShapedType::isDynamic(extent) ? runtime::dynamic : extent);
      buffer.writtenBy = isOut ? 0 : -1;
      runtime::Operand operand;
      operand.role = role.str();
      operand.source = isOut ? Source::Result : Source::Argument;
      operand.index = list.size();
      operand.type = buffer.type;
      operand.scalar = buffer.scalar;
      operand.shape = buffer.shape;
      list.push_back(std::move(buffer));
      step.operands.push_back(std::move(operand));
    }
  if (step.operands.empty() || step.operands[0].shape.size() != 2 || step.operands[0].shape[1] <= 0)
    return func.emitError("launches kernels for rows of unknown or no length");
  for (const LaunchSpec &spec : plan->variants)
    step.variants.push_back(toLaunch(spec));
  for (const LaunchSpec &spec : plan->pack)
    step.pack.push_back(toLaunch(spec));
  for (const PackedBuffer &packed : plan->packed) {
    runtime::Buffer &buffer = step.packed.emplace_back();
    buffer.type = typeName(packed.element);
    buffer.shape = {packed.rows, packed.cols};
  }
  function.steps.push_back(std::move(step));
  return function;
}

namespace {

/// Stores 64-bit words behind one another.
struct WordWriter {
  OpBuilder &b;
  Location loc;
  Value words;
  int64_t count = 0;

  void add(Value i64) {
    memref::StoreOp::create(b, loc, i64, words,
                            ValueRange{arith::ConstantIndexOp::create(b, loc, count++)});
  }
  void addIndex(Value index) { add(arith::IndexCastOp::create(b, loc, b.getI64Type(), index)); }
  void addMemRef(Value memref) {
    addIndex(memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref));
    for (int64_t d = 0, e = cast<MemRefType>(memref.getType()).getRank(); d < e; ++d)
      addIndex(memref::DimOp::create(b, loc, memref, d));
  }
  void addScalar(Value scalar) {
    Type type = scalar.getType();
    if (isa<FloatType>(type)) {
      if (!type.isF64())
        scalar = arith::ExtFOp::create(b, loc, b.getF64Type(), scalar);
      return add(arith::BitcastOp::create(b, loc, b.getI64Type(), scalar));
    }
    if (type.isIndex())
      return addIndex(scalar);
    if (type.getIntOrFloatBitWidth() < 64)
      scalar = arith::ExtSIOp::create(b, loc, b.getI64Type(), scalar);
    add(scalar);
  }
};

} // namespace

/// Gives the launch function its new body.
static void callBack(func::FuncOp func, unsigned operands, int64_t handle, int64_t function) {
  Location loc = func.getLoc();
  Block &body = func.front();
  for (Block &block : llvm::make_early_inc_range(llvm::drop_begin(func.getBody())))
    block.erase();
  while (!body.empty())
    body.back().erase();
  OpBuilder b = OpBuilder::atBlockEnd(&body);
  int64_t size = 1;
  for (Type type : func.getArgumentTypes().take_front(operands))
    size += isa<MemRefType>(type) ? 1 + cast<MemRefType>(type).getRank() : 1;
  Value words = memref::AllocaOp::create(b, loc, MemRefType::get({size}, b.getI64Type()));
  WordWriter writer{b, loc, words};
  for (BlockArgument arg : func.getArguments().take_front(operands))
    if (isa<MemRefType>(arg.getType()))
      writer.addMemRef(arg);
    else
      writer.addScalar(arg);
  Value address = arith::IndexCastOp::create(
      b, loc, b.getI64Type(), memref::ExtractAlignedPointerAsIndexOp::create(b, loc, words));
  Value self = arith::ConstantIntOp::create(b, loc, b.getI64Type(), handle);
  Value index = arith::ConstantIntOp::create(b, loc, b.getI64Type(), function);
  func::CallOp::create(b, loc, launchCallbackName, TypeRange(), ValueRange{self, index, address});
  func::ReturnOp::create(b, loc);
  func->removeAttr(planName);
  func->removeAttr(packName);
}

FailureOr<runtime::Bundle> ffrun::takeLaunches(ModuleOp module, int64_t handle) {
  runtime::Bundle bundle;
  SmallVector<func::FuncOp> launches;
  llvm::DenseSet<StringAttr> packs;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func->hasAttr(planName))
      continue;
    launches.push_back(func);
    if (auto pack = func->getAttrOfType<FlatSymbolRefAttr>(packName))
      packs.insert(pack.getAttr());
  }
  if (launches.empty())
    return bundle;
  FailureOr<StringRef> ptx = getPTX(module);
  if (failed(ptx))
    return failure();
  bundle.ptx = ptx->str();

  module.walk([&](func::CallOp call) {
    if (packs.contains(call.getCalleeAttr().getAttr()))
      call.erase();
  });
  for (StringAttr pack : packs)
    module.lookupSymbol<func::FuncOp>(pack).erase();
  // The passes that come free every buffer themselves.
  module.walk([](memref::DeallocOp dealloc) { dealloc.erase(); });
  for (auto [i, func] : llvm::enumerate(launches)) {
    FailureOr<runtime::Function> function = toFunction(func);
    if (failed(function))
      return failure();
    callBack(func, function->arguments.size() + function->results.size(), handle, i);
    bundle.functions.push_back(std::move(*function));
  }
  for (auto binary : llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>()))
    binary.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  Type i64 = b.getI64Type();
  func::FuncOp::create(b, module.getLoc(), launchCallbackName,
                       b.getFunctionType({i64, i64, i64}, {}))
      .setPrivate();
  return bundle;
}
