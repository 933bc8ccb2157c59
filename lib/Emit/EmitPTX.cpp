//===- EmitPTX.cpp - From kernels to PTX ------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   module attributes {ff.target = #ff.target<chip = "sm_90a", ...>} {
//     gpu.module @ff_kernels { llvm.func @k(...) attributes {nvvm.kernel} {...} }
// becomes
//   module ... { gpu.binary @ff_kernels [#gpu.object<#nvvm.target<...>, "PTX">] }
//
// PTX is LLVM's last word: nothing here needs the CUDA toolkit.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Emit/Passes.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Emit/DeviceMath.h"
#include "FlashFusion/Target/GPUTarget.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_EMITPTXPASS
#include "FlashFusion/Emit/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

static constexpr StringLiteral triple = "nvptx64-nvidia-cuda";

/// Everything in a gpu.module to the LLVM and NVVM dialects.
static void buildKernelPipeline(OpPassManager &pm) {
  pm.addPass(createConvertNVGPUToNVVMPass());
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  // Before convert-gpu-to-nvvm, whose vector patterns leave casts behind.
  pm.addPass(createConvertVectorToLLVMPass());
  ConvertGpuOpsToNVVMOpsOptions options;
  options.useBarePtrCallConv = true;
  pm.addPass(createConvertGpuOpsToNVVMOps(options));
  pm.addPass(createConvertNVVMToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Whether `kernels` are for GPUs of others alone.
static bool isForeign(gpu::GPUModuleOp kernels) {
  ArrayAttr attached = kernels.getTargetsAttr();
  return attached && !attached.empty() &&
         llvm::none_of(attached, llvm::IsaPred<NVVM::NVVMTargetAttr>);
}

/// The target of `kernels`: what is attached, or the module's `ff.target`.
static FailureOr<NVVM::NVVMTargetAttr> findTarget(ModuleOp module, gpu::GPUModuleOp kernels) {
  ArrayAttr attached = kernels.getTargetsAttr();
  if (attached && attached.size() == 1)
    if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(attached[0]))
      return target;
  if (auto target = module->getAttrOfType<TargetAttr>("ff.target"))
    return NVVM::NVVMTargetAttr::get(module.getContext(), /*optLevel=*/3, triple, target.getChip(),
                                     target.getFeatures());
  return emitError(kernels.getLoc(),
                   "needs a GPU to compile for: give the module an ff.target (ff-schedule "
                   "does), or this gpu.module one #nvvm.target");
}

/// LLVM only warns about a processor that it does not know.
static LogicalResult checkTarget(gpu::GPUModuleOp kernels, NVVM::NVVMTargetAttr attr) {
  NVVM::SerializeGPUModuleBase::init();
  std::string error;
  llvm::Triple parsed(attr.getTriple());
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return emitError(kernels.getLoc(), "this LLVM cannot emit PTX: ") << error;
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(parsed, "", ""));
  if (!info || !info->isCPUStringValid(attr.getChip()))
    return emitError(kernels.getLoc(), "LLVM knows no GPU named '") << attr.getChip() << "'";
  StringRef number = attr.getChip();
  unsigned capability = 0;
  if (!number.consume_front("sm_") || number.consumeInteger(10, capability) || capability < 80)
    return emitError(kernels.getLoc(), "kernels need sm_80 or newer, not '")
           << attr.getChip() << "'";
  SmallVector<StringRef> features;
  attr.getFeatures().split(features, ',', -1, /*KeepEmpty=*/false);
  for (StringRef feature : features)
    if (feature.size() < 2 ||
        llvm::none_of(info->getAllProcessorFeatures(),
                      [&](const auto &known) { return feature.drop_front() == known.Key; }))
      return emitError(kernels.getLoc(), "LLVM knows no feature '") << feature << "' of a GPU";
  // LLVM ends the process if the version of PTX is too old for the chip, and does not say
  // beforehand what it would take.
  const GPUTarget *known = lookUpGPUTarget(attr.getChip());
  for (StringRef feature : features) {
    unsigned version = 0, least = 0;
    if (!feature.consume_front("+ptx") || feature.getAsInteger(10, version))
      continue;
    if (!known)
      return emitError(kernels.getLoc(), "leave the version of PTX for '")
             << attr.getChip() << "' to LLVM: it is none of " << listGPUTargets();
    known->features.drop_front(strlen("+ptx")).getAsInteger(10, least);
    if (version < least)
      return emitError(kernels.getLoc(), "kernels for '")
             << attr.getChip() << "' need '" << known->features << "' or newer, not '+ptx"
             << feature << "'";
  }
  return success();
}

/// Reports instructions of sm_90 that upstream does not check (`verifyTarget`): LLVM would abort.
static LogicalResult checkInstructions(gpu::GPUModuleOp kernels, StringRef chip) {
  unsigned capability = 0;
  chip.consume_front("sm_");
  chip.consumeInteger(10, capability);
  if (capability >= 90)
    return success();
  WalkResult result = kernels.walk([&](Operation *op) {
    auto prefetch = dyn_cast<NVVM::PrefetchOp>(op);
    if (!(prefetch && prefetch.getTensormap()) &&
        !isa<NVVM::ClusterArriveOp, NVVM::CpAsyncBulkCommitGroupOp,
             NVVM::CpAsyncBulkGlobalToSharedClusterOp, NVVM::CpAsyncBulkPrefetchOp,
             NVVM::CpAsyncBulkSharedCTAToGlobalOp, NVVM::CpAsyncBulkSharedCTAToSharedClusterOp,
             NVVM::CpAsyncBulkTensorPrefetchOp, NVVM::CpAsyncBulkTensorReduceOp,
             NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp, NVVM::ElectSyncOp,
             NVVM::FenceMbarrierInitOp, NVVM::FenceScClusterOp, NVVM::GriddepcontrolOp,
             NVVM::MBarrierArriveDropExpectTxOp, NVVM::MBarrierCompleteTxOp,
             NVVM::MBarrierExpectTxOp, NVVM::MBarrierTryWaitOp, NVVM::SetMaxRegisterOp,
             NVVM::StMatrixOp, NVVM::ClusterIdYOp, NVVM::ClusterIdZOp, NVVM::ClusterDimXOp,
             NVVM::ClusterDimYOp, NVVM::ClusterDimZOp, NVVM::ClusterDimBlocksZOp, NVVM::ClusterDim>(
            op))
      return WalkResult::advance();
    op->emitOpError("needs sm_90 or newer");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Reports what would not be an instruction in PTX.
static LogicalResult checkLowered(gpu::GPUModuleOp kernels) {
  WalkResult result = kernels.walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    if (op != kernels && !isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(dialect)) {
      op->emitError() << "'" << op->getName() << "' cannot be lowered to PTX";
      return WalkResult::interrupt();
    }
    // No library is linked: what is only declared stays undefined.
    if (auto call = dyn_cast<LLVM::CallOp>(op); call && call.getCallee()) {
      auto callee = kernels.lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee());
      if (!callee || (callee.isExternal() && *call.getCallee() != "vprintf")) {
        op->emitError() << "calls '" << *call.getCallee() << "', which is not defined in @"
                        << kernels.getName() << "; no device library is linked";
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
/// Upstream's serializer of NVVM modules looks for a CUDA installation, and
/// complains about a broken one; this one has no use for it.
struct PTXSerializer : LLVM::ModuleToObject {
  using ModuleToObject::ModuleToObject;
  FailureOr<SmallVector<char, 0>> moduleToObject(llvm::Module &llvmModule) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return getOperation().emitError("this LLVM cannot emit PTX");
    FailureOr<SmallString<0>> isa =
        translateModuleToISA(llvmModule, **machine, [&] { return getOperation().emitError(); });
    if (failed(isa))
      return failure();
    return SmallVector<char, 0>(isa->begin(), isa->end());
  }
};

struct EmitPTXPass : flashfusion::impl::EmitPTXPassBase<EmitPTXPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager pm(gpu::GPUModuleOp::getOperationName());
    buildKernelPipeline(pm);
    pm.getDependentDialects(registry);
    arith::registerConvertArithToLLVMInterface(registry);
    cf::registerConvertControlFlowToLLVMInterface(registry);
    registerConvertFuncToLLVMInterface(registry);
    index::registerConvertIndexToLLVMInterface(registry);
    registerConvertMemRefToLLVMInterface(registry);
    registerConvertNVVMToLLVMInterface(registry);
    vector::registerConvertVectorToLLVMInterface(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpPassManager pm(gpu::GPUModuleOp::getOperationName());
    buildKernelPipeline(pm);
    for (auto kernels : llvm::to_vector(module.getOps<gpu::GPUModuleOp>())) {
      if (isForeign(kernels))
        continue;
      FailureOr<NVVM::NVVMTargetAttr> target = findTarget(module, kernels);
      if (failed(target) || failed(checkTarget(kernels, *target)) ||
          failed(lowerDeviceMath(kernels)) || failed(runPipeline(pm, kernels)) ||
          failed(checkLowered(kernels)) || failed(checkInstructions(kernels, target->getChip())) ||
          // LLVM aborts on an instruction that the chip does not have.
          failed(cast<gpu::TargetAttrVerifyInterface>(*target).verifyTarget(kernels)))
        return signalPassFailure();
      PTXSerializer serializer(*kernels, target->getTriple(), target->getChip(),
                               target->getFeatures(), /*optLevel=*/3);
      std::optional<SmallVector<char, 0>> ptx = serializer.run();
      if (!ptx)
        return signalPassFailure();
      OpBuilder b(kernels);
      auto object = gpu::ObjectAttr::get(*target, gpu::CompilationTarget::Assembly,
                                         b.getStringAttr(StringRef(ptx->data(), ptx->size())));
      gpu::BinaryOp::create(b, kernels.getLoc(), kernels.getName(), nullptr,
                            ArrayRef<Attribute>(object));
      kernels.erase();
    }
  }
};
} // namespace
