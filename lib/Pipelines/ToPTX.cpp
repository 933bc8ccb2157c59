//===- ToPTX.cpp - The pipeline from linalg to PTX --------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Pipelines/ToPTX.h"

#include "FlashFusion/Decompose/Passes.h"
#include "FlashFusion/Emit/Passes.h"
#include "FlashFusion/Lower/Passes.h"
#include "FlashFusion/Raise/Passes.h"
#include "FlashFusion/Schedule/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::flashfusion;

void flashfusion::buildFusePipeline(OpPassManager &pm, const ToPTXOptions &options,
                                    StringRef rounding) {
  RaisePassOptions raise;
  raise.rounding = rounding.str();
  raise.plainLinears = options.plainLinears;
  raise.others = options.others;
  pm.addPass(createRaisePass(raise));
  pm.addPass(createDecomposePass());
  if (options.fuseEpilogue) {
    FuseEpiloguePassOptions epilogue;
    epilogue.rounding = rounding.str();
    epilogue.chip = options.chip;
    epilogue.family = options.family;
    epilogue.tf32 = options.tf32;
    pm.addPass(createFuseEpiloguePass(epilogue));
  }
  SchedulePassOptions schedule;
  schedule.chip = options.chip;
  schedule.family = options.family;
  schedule.tf32 = options.tf32;
  schedule.tuning = options.tuning;
  schedule.batchInvariant = options.batchInvariant;
  pm.addPass(createSchedulePass(schedule));
}

void flashfusion::buildBufferizePipeline(OpPassManager &pm) {
  pm.addPass(createPrepareHostFunctionsPass());
  // Out-parameters of a callee would need to be allocated by its caller, which
  // cannot know their extents.
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true; // a tensor carried by a loop
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalizerPass());
  bufferization::BufferResultsToOutParamsPassOptions outs;
  outs.addResultAttribute = true;
  outs.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(outs));
  // In place of that pass's own hoisting, which crashes on a buffer that is
  // returned twice.
  pm.addNestedPass<func::FuncOp>(createWriteResultsInPlacePass());
  // Frontends assert that sizes are not negative: folded away here.
  pm.addPass(arith::createIntRangeOptimizationsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void flashfusion::buildToPTXPipeline(OpPassManager &pm, const ToPTXOptions &options) {
  buildFusePipeline(pm, options);
  buildBufferizePipeline(pm);
  pm.addPass(createLowerToNVGPUPass());
  pm.addPass(createEmitPTXPass());
}

void flashfusion::registerToPTXPipeline() {
  PassPipelineRegistration<ToPTXOptions>(
      "ff-to-ptx",
      "Fuse norms with the Linears that read them, and emit their kernels as PTX in a gpu.binary "
      "for the chip; the host side stays bufferized, with gpu.launch_func and out-parameters",
      buildToPTXPipeline);
}
