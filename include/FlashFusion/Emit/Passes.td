//===- Passes.td - Emit passes ------------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_EMIT_PASSES_TD
#define FLASHFUSION_EMIT_PASSES_TD

include "mlir/Pass/PassBase.td"

def WriteResultsInPlacePass : Pass<"ff-write-results-in-place", "::mlir::func::FuncOp"> {
  let summary = "Let kernels write reshaped results into the out-parameters themselves";
  let description = [{
    Preconditions: bufferized functions with out-parameters marked
    `bufferize.result` (buffer-results-to-out-params{add-result-attr}).

    Replaces an allocation that ends as a copy, possibly reshaped, into an
    out-parameter by the inverse reshape of the out-parameter:
    ```mlir
    %y = memref.alloc(%m) : memref<?x32xbf16>
    ff.online(%x) weights(%w) outs(%y) ...
    %r = memref.expand_shape %y [[0, 1], [2]] output_shape [%b, 8, 32] : ...
    memref.copy %r, %out : ...
    ```
    becomes
    ```mlir
    %y = memref.collapse_shape %out [[0, 1], [2]] : ... into memref<?x32xbf16>
    ff.online(%x) weights(%w) outs(%y) ...
    ```
    Copies that it cannot avoid stay.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def EmitPTXPass : Pass<"ff-emit-ptx", "::mlir::ModuleOp"> {
  let summary = "Lower the kernels of every gpu.module to PTX in a gpu.binary";
  let description = [{
    Lowers scf, arith, math, vector, memref, nvgpu and gpu operations inside
    every `gpu.module` to LLVM and NVVM, and serializes it to PTX for the
    one `#nvvm.target` that the gpu.module carries, or else for the module's
    `ff.target`. A gpu.module with targets of which none is NVVM's is left alone.
    No CUDA toolkit is needed or looked for: math operations become
    instructions, and one without such a form is an error.

    Example:
    ```mlir
    module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", ...>} {
      gpu.module @ff_kernels {
        llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} { ... }
      }
    }
    ```
    becomes
    ```mlir
    gpu.binary @ff_kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", ...>,
                                        assembly = ".version 8.3 ...">]
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // FLASHFUSION_EMIT_PASSES_TD
