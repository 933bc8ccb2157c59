//===- ToCPU.cpp - Pipeline ff-to-cpu --------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Pipelines/ToCPU.h"

#include "FlashFusion/Decompose/Passes.h"
#include "FlashFusion/Lower/Passes.h"
#include "FlashFusion/Raise/Passes.h"
#include "FlashFusion/Verify/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Types that the host may lack become ones that every host has: f8 and bf16 by integer operations
/// (run-time helpers of bf16 are missing from older libgcc), f16 mathematics through f32.
static void addFloatExpansion(OpPassManager &pm) {
  pm.addPass(createExpandF8Pass());
  math::MathExpandOpsPassOptions expand;
  expand.opMnemonics = {"fpowi", "clampf"};
  pm.addPass(math::createMathExpandOpsPass(expand));
  math::MathExtendToSupportedTypesOptions extend;
  pm.addPass(math::createMathExtendToSupportedTypes(extend));
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  arith::ArithExpandOpsPassOptions bf16;
  bf16.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(bf16));
}

void flashfusion::buildBufferizeForCPUPipeline(OpPassManager &pm, bool vectorize) {
  pm.addPass(createPrepareHostFunctionsPass());
  pm.addPass(createLowerPacksPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (vectorize) {
    pm.addNestedPass<func::FuncOp>(createVectorizeForCPUPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  pm.addPass(bufferization::createEmptyTensorEliminationPass());

  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true; // a tensor carried by a loop
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
}

void flashfusion::buildBuffersToLLVMPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());

  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  addFloatExpansion(pm);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createExpandDynamicReshapesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void flashfusion::buildToCPUPipeline(OpPassManager &pm, const ToCPUOptions &options) {
  if (options.fuse) {
    RaisePassOptions raise;
    raise.rounding = options.rounding;
    raise.plainLinears = options.plainLinears;
    raise.others = options.others;
    pm.addPass(createRaisePass(raise));
  }
  pm.addPass(createDecomposePass());
  if (options.fuse && options.fuseEpilogue) {
    FuseEpiloguePassOptions epilogue;
    epilogue.rounding = options.rounding;
    pm.addPass(createFuseEpiloguePass(epilogue));
  }
  pm.addPass(createLowerToLoopsPass());
  if (options.wideAccumulators)
    pm.addPass(createPromoteAccumulatorsPass());
  buildBufferizeForCPUPipeline(pm, options.vectorize);
  buildBuffersToLLVMPipeline(pm);
}

void flashfusion::registerToCPUPipeline() {
  PassPipelineRegistration<ToCPUOptions>(
      "ff-to-cpu", "Fuse norms and Linears, and lower the program to LLVM for the host",
      buildToCPUPipeline);
}
