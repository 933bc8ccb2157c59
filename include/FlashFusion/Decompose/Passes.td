//===- Passes.td - Decompose passes ------------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DECOMPOSE_PASSES_TD
#define FLASHFUSION_DECOMPOSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposePass : Pass<"ff-decompose"> {
  let summary = "Rewrite ff.norm_linear as ff.online: parallel sums and a finalizer";
  let description = [{
    Chooses the row statistics of the norm, writes `scale` and `center` as the
    `row` region, and biases and result casts as finalizers.
  }];
  let dependentDialects = ["::mlir::flashfusion::FFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif // FLASHFUSION_DECOMPOSE_PASSES_TD
