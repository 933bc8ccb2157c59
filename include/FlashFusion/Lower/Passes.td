//===- Passes.td - Lower passes ------------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LOWER_PASSES_TD
#define FLASHFUSION_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToLoopsPass : Pass<"ff-lower-to-loops"> {
  let summary = "Decompose ff.online into linalg sums and a finalizer, for the CPU";
  let description = [{
    Rewrites every `ff.online` on tensors as linalg operations on tensors, which
    upstream tiling, vectorization and bufferization take from there.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def LowerToNVGPUPass : Pass<"ff-lower-to-nvgpu", "::mlir::ModuleOp"> {
  let summary = "Emit the scheduled GPU kernels of every ff.online, and their launches";
  let description = [{
    For every scheduled `ff.online` on memrefs: one kernel per variant in a
    `gpu.module`, and in its place on the host a choice of variant by the number
    of rows and `gpu.launch_func`. Kernels are `llvm.func` with tensor maps as
    by-value grid constants. Attribute `ff.launch` on a kernel says how to
    launch it (see LaunchSpec.h).
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect",
                           "::mlir::nvgpu::NVGPUDialect", "::mlir::func::FuncDialect"];
}

#endif // FLASHFUSION_LOWER_PASSES_TD
