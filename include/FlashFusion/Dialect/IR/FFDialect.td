//===- FFDialect.td - The ff dialect ------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DIALECT_TD
#define FLASHFUSION_DIALECT_TD

include "mlir/IR/OpBase.td"

def FF_Dialect : Dialect {
  let name = "ff";
  let cppNamespace = "::mlir::flashfusion";
  let summary = "Normalization followed by Linear layers, fused";
  let description = [{
    A normalization whose result feeds one or several Linear layers, at two
    levels. `ff.norm_linear` says *what* is computed: which norm, of which
    tensor, into which Linears. `ff.online` says *how*: row statistics and
    contractions as independent sums of one pass over K, and a finalizer per
    output element.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif // FLASHFUSION_DIALECT_TD
