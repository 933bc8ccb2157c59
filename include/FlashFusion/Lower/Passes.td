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
    upstream tiling, vectorization and bufferization take from there: the sums
    of every row in f64, one contraction per Linear in f32, and an elementwise
    finalizer. `center` is subtracted before the contraction, `scale` multiplies
    after it.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def VectorizeForCPUPass : Pass<"ff-vectorize-for-cpu"> {
  let summary = "Turn contractions on tensors into register-blocked vector loops";
  let description = [{
    Rewrites every linalg contraction of floats whose reduced and innermost
    output extents are static: loops over panels of columns, one packed panel of
    the right operand (in the accumulator's type, whatever its order and type
    were) at a time, and inside of it blocks of 4 rows held in vector registers.
    Sums over K are made of blocks of 16, which makes them more accurate than a
    sum in order. Other operations are left to upstream's loops.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect", "::mlir::vector::VectorDialect"];
}

def ExpandDynamicReshapesPass : Pass<"ff-expand-dynamic-reshapes"> {
  let summary = "Turn memref reshapes into several dynamic extents into casts";
  let description = [{
    Rewrites a `memref.expand_shape` that makes more than one dynamic extent of
    one as a `memref.reinterpret_cast` with the strides written out. Upstream's
    expand-strided-metadata takes at most one dynamic extent per group.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::affine::AffineDialect"];
}

def ExpandF8Pass : Pass<"ff-expand-f8"> {
  let summary = "Widen floats of 8 bits (f8E4M3FN) by integer operations";
  let description = [{
    Rewrites `arith.extf` from f8E4M3FN, of scalars and of vectors: the bits go to
    where an f32 has them, a product with a power of two corrects the exponent, and
    NaN stays NaN. Exact. Hosts have no such type, nor has LLVM. A cast to f8E4M3FN
    is an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LowerPacksPass : Pass<"ff-lower-packs"> {
  let summary = "Lower linalg.pack and linalg.unpack to pads, reshapes and transposes";
  let description = [{
    Applies upstream's lowerings of `linalg.pack` and `linalg.unpack` on tensors,
    which do not bufferize themselves. An operation with dynamic tiles is an
    error.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect"];
}

def PrepareHostFunctionsPass : Pass<"ff-prepare-host-functions", "::mlir::ModuleOp"> {
  let summary = "Mark public functions for callers from the host";
  let description = [{
    Public functions get a C interface (`llvm.emit_c_interface`), and tensor
    arguments are marked not writable: bufferization then copies what the
    function would overwrite. A module within the module is an error, and so is
    a function in an operation without a symbol table.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::LLVM::LLVMDialect"];
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
                           "::mlir::nvgpu::NVGPUDialect", "::mlir::func::FuncDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // FLASHFUSION_LOWER_PASSES_TD
