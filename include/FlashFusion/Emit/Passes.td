//===- Passes.td - Emit passes ------------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_EMIT_PASSES_TD
#define FLASHFUSION_EMIT_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitPTXPass : Pass<"ff-emit-ptx", "::mlir::ModuleOp"> {
  let summary = "Lower the kernels of every gpu.module to PTX in a gpu.binary";
  let description = [{
    Lowers scf, arith, math, vector, nvgpu and nvvm operations inside every
    `gpu.module` to LLVM, and serializes it to PTX for the module's `ff.target`.
    The launch descriptions (`ff.launch`) move to the `gpu.binary`.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // FLASHFUSION_EMIT_PASSES_TD
