//===- PTX.cpp - PTX out of a compiled module -------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Emit/Artifacts.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

FailureOr<StringRef> flashfusion::getPTX(ModuleOp module) {
  gpu::BinaryOp found;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    if (found)
      return emitError(binary.getLoc(), "a second gpu.binary; PTX and bundles hold one");
    found = binary;
  }
  if (!found) {
    if (!module.getOps<gpu::GPUModuleOp>().empty())
      return emitError(module.getLoc(),
                       "the module holds kernels but no PTX; run ff-emit-ptx (or ff-to-ptx)");
    // ff-schedule leaves a target on every module that it has seen.
    if (!module->hasAttr("ff.target"))
      return emitError(module.getLoc(),
                       "the module holds no PTX: it was not compiled for a GPU; run ff-to-ptx");
    return emitError(module.getLoc(), "the module holds no kernel: nothing was fused");
  }
  auto object = found.getObjects().size() == 1 ? dyn_cast<gpu::ObjectAttr>(found.getObjects()[0])
                                               : gpu::ObjectAttr();
  if (!object || object.getFormat() != gpu::CompilationTarget::Assembly)
    return emitError(found.getLoc(), "this gpu.binary does not hold PTX alone");
  return object.getObject().getValue();
}
