//===- LowerToNVGPU.cpp - ff.online to kernels and their launches ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func @f(%x: memref<?x64xbf16>, ...) {
//     ff.online(%x) ... {schedule = [#ff.schedule<...>, ...]}
//   }
// becomes
//   gpu.module @ff_kernels { llvm.func @f_online_0_decode_0(...) {gpu.kernel}, ... }
//   func private @f_online_0(<operands>, <packed buffers>) {ff.plan = {...}}
//     // the first variant that serves M rows at these alignments: gpu.launch_func
//   func private @f_online_0_pack(<gain, shift, weights>, <packed buffers>)
//   func @f(...) { call @f_online_0_pack(...); call @f_online_0(...) }
//
// The pack call stands in front of every launch, which is always right; hosts
// that keep weights hoist it (a bundle's runtime does).
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/Passes.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/KernelBuilder.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "FlashFusion/Lower/HostLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_LOWERTONVGPUPASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

/// The name as PTX allows it: letters, digits, `_` and `$`, no digit first.
static std::string legalName(StringRef name) {
  std::string legal;
  for (char c : name)
    legal += llvm::isAlnum(c) || c == '_' || c == '$' ? c : '_';
  return llvm::isDigit(name.front()) ? "_" + legal : legal;
}

/// Every kernel loads and stores these elements; a schedule written by hand may ask for others.
static LogicalResult checkOperands(OnlineOp op) {
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    bool scalar = !isa<ShapedType>(operand.getType());
    if (!element.isF32() && !element.isF16() && !element.isBF16() &&
        !isa<Float8E4M3FNType>(element) && !(scalar && element.isF64()))
      return op.emitOpError() << "has an operand of type " << operand.getType()
                              << "; kernels take f32, f16, bf16 and f8E4M3FN";
  }
  return success();
}

namespace {

struct LowerToNVGPUPass : flashfusion::impl::LowerToNVGPUPassBase<LowerToNVGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<OnlineOp> ops;
    module.walk([&](OnlineOp op) { ops.push_back(op); });
    if (ops.empty())
      return;
    auto target = module->getAttrOfType<TargetAttr>("ff.target");
    if (!target) {
      emitError(module.getLoc(),
                "the module has no `ff.target`; run ff-schedule before ff-lower-to-nvgpu");
      return signalPassFailure();
    }
    OpBuilder b(&getContext());
    b.setInsertionPointToEnd(module.getBody());
    SymbolTable symbols(module);
    auto kernels = gpu::GPUModuleOp::create(b, module.getLoc(), "ff_kernels");
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), b.getUnitAttr());
    symbols.insert(kernels); // under another name where this one is taken
    for (OnlineOp op : ops)
      if (failed(lower(op, target, kernels, symbols)))
        return signalPassFailure();
  }

  /// Kernels of all variants and of the pack step.
  FailureOr<LaunchPlan> emitKernels(OnlineOp op, TargetAttr target, gpu::GPUModuleOp kernels,
                                    StringRef name) {
    LaunchPlan plan;
    for (unsigned group = 0; group < 9; ++group)
      plan.segments.push_back(op.getODSOperandIndexAndLength(group).second);
    ArrayAttr schedule = op.getScheduleAttr();
    if (!schedule || schedule.empty())
      return op.emitOpError("has no schedule; run ff-schedule before ff-lower-to-nvgpu");
    bool packed = false;
    for (auto [i, variant] : llvm::enumerate(schedule.getAsRange<ScheduleAttr>())) {
      const KernelEmitter *emitter = getKernelEmitter(variant.getFamily(), variant.getMma());
      if (!emitter)
        return op.emitOpError() << "has a schedule that no kernel serves: " << variant;
      std::string reason = emitter->whyNot(op, target, variant.getTf32());
      if (!reason.empty())
        return op.emitOpError() << "cannot be served by " << variant << ": " << reason;
      std::string kernel =
          (name + "_" + stringifyKernelFamily(variant.getFamily()) + "_" + Twine(i)).str();
      if (failed(checkOperands(op)))
        return failure();
      FailureOr<LaunchSpec> spec = emitter->emit(op, variant, target, kernels, kernel);
      if (failed(spec))
        return failure();
      packed |= spec->packed;
      plan.variants.push_back(std::move(*spec));
    }
    if (!packed)
      return plan;
    plan.packed = packedBuffers(op);
    for (unsigned l = 0; l < op.getWeights().size(); ++l) {
      FailureOr<LaunchSpec> spec =
          emitPack(op, l, target, kernels, (name + "_pack_" + Twine(l)).str());
      if (failed(spec))
        return failure();
      plan.pack.push_back(std::move(*spec));
    }
    return plan;
  }

  LogicalResult lower(OnlineOp op, TargetAttr target, gpu::GPUModuleOp kernels,
                      SymbolTable &symbols) {
    if (!isa<MemRefType>(op.getX().getType()))
      return op.emitOpError("must be bufferized before ff-lower-to-nvgpu");
    auto parent = op->getParentOfType<func::FuncOp>();
    if (!parent || parent->getParentOp() != getOperation())
      return op.emitOpError("must stand in a function of the module");
    std::string name;
    for (unsigned i = 0; name.empty() || symbols.lookup(name); ++i)
      name = (legalName(parent.getSymName()) + "_online_" + Twine(i)).str();

    FailureOr<LaunchPlan> plan = emitKernels(op, target, kernels, name);
    if (failed(plan))
      return failure();

    OpBuilder b(op);
    SmallVector<Value> operands = contiguousOperands(b, op);
    SmallVector<Value> packed;
    for (const PackedBuffer &buffer : plan->packed)
      packed.push_back(memref::AllocOp::create(
          b, op.getLoc(), MemRefType::get({buffer.rows, buffer.cols}, buffer.element)));

    func::FuncOp pack;
    if (!plan->pack.empty()) {
      pack = buildPackFunction(op, *plan, kernels, name + "_pack");
      symbols.insert(pack);
      SmallVector<Value> args = packOperands(op, operands);
      llvm::append_range(args, packed);
      func::CallOp::create(b, op.getLoc(), pack, args);
    }
    func::FuncOp launch = buildLaunchFunction(op, *plan, kernels, name);
    symbols.insert(launch);
    if (pack)
      launch->setAttr("ff.pack", FlatSymbolRefAttr::get(pack.getSymNameAttr()));
    SmallVector<Value> args(operands);
    llvm::append_range(args, packed);
    func::CallOp::create(b, op.getLoc(), launch, args);
    copyBack(b, op, operands);
    for (Value buffer : packed)
      memref::DeallocOp::create(b, op.getLoc(), buffer);
    op.erase();
    return success();
  }
};

} // namespace
