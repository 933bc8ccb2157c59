//===- InitFlashFusion.cpp - Registration ----------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/InitFlashFusion.h"

#include "FlashFusion/Cascade/Passes.h"
#include "FlashFusion/Decompose/Passes.h"
#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "FlashFusion/Dialect/IR/BufferizableOpInterfaceImpl.h"
#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Emit/Passes.h"
#include "FlashFusion/Lower/Passes.h"
#include "FlashFusion/Pipelines/ToCPU.h"
#include "FlashFusion/Pipelines/ToPTX.h"
#include "FlashFusion/Raise/Passes.h"
#include "FlashFusion/Schedule/Passes.h"
#include "FlashFusion/Verify/Passes.h"

using namespace mlir;

void flashfusion::registerDialects(DialectRegistry &registry) {
  registry.insert<FFDialect, cascade::CascadeDialect>();
  registerBufferizableOpInterfaceModels(registry);
}

void flashfusion::registerPassesAndPipelines() {
  registerFlashFusionCascadePasses();
  registerFlashFusionRaisePasses();
  registerFlashFusionDecomposePasses();
  registerFlashFusionSchedulePasses();
  registerFlashFusionLowerPasses();
  registerFlashFusionEmitPasses();
  registerFlashFusionVerifyPasses();
  registerToCPUPipeline();
  registerToPTXPipeline();
}
