//===- Passes.td - Cascade passes ----------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_PASSES_TD
#define FLASHFUSION_CASCADE_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseCascadePass : Pass<"ff-raise-cascade", "::mlir::ModuleOp"> {
  let summary = "Raise functions of linalg on tensors to a cascade of Einsums";
  let description = [{
    The body of every function on tensors becomes one `cascade.graph`. Reshapes
    move to arguments and results, elementwise chains become one Einsum, and a
    rank gets one name wherever it appears. Operations that are no Einsum (slices,
    concatenations, operations with `linalg.index`) stay between them as they are.

    Remarks (category `ff-raise-cascade`): `!Passed` `graph` per function, with
    `einsums` and `others`; `!Missed` `kept` with `reason` per linalg operation
    that is no Einsum.
  }];
  let dependentDialects = ["::mlir::flashfusion::cascade::CascadeDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def LowerCascadePass : Pass<"ff-lower-cascade"> {
  let summary = "Lower cascades of Einsums to linalg and scf on tensors";
  let description = [{
    An Einsum becomes a `linalg.generic`, an iteration an `scf.for` over slices of
    its streams; the graph is inlined.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DeferCascadePass : Pass<"ff-cascade-defer", "::mlir::ModuleOp"> {
  let summary = "Move factors out of sums when they wait for a reduction (fewer passes)";
  let description = [{
    Where a summand has a factor, divisor or offset that does not vary over the
    reduced ranks and that itself waits for a reduction, the sum runs without it:

        A = SN / SD; AV = sum_m A * V     ->  SNV = sum_m SN * V; AV = SNV / SD
        Y = (X - MU) * R * G; Z = sum_k Y * W
          ->  A = sum_k X * G * W; C = sum_k G * W; Z = (A - MU * C) * R

    The first is division deferral (three passes over the scores become two), the
    second the fusion of a norm with its Linear. A variance stays as it is: as mean
    square minus squared mean (`moments`) it cancels where the mean is large.

    Remarks (category `ff-cascade-defer`): `!Passed` `deferred` per sum, with `terms`.
  }];
  let options = [Option<"moments", "moments", "bool", "false",
                        "also expand variances">];
  let dependentDialects = ["::mlir::flashfusion::cascade::CascadeDialect",
                           "::mlir::arith::ArithDialect"];
}

def IterateCascadePass : Pass<"ff-cascade-iterate", "::mlir::ModuleOp"> {
  let summary = "Rewrite softmax to one pass with a running maximum";
  let description = [{
    A maximum, exponentials of the difference from it and sums that are linear in
    these become one `cascade.iterate` over blocks of the rank, with running maximum
    and sums that are corrected when the maximum grows:

        GM = max_m S; SN = exp(S - GM); SD = sum_m SN; SNV = sum_m SN * V
          ->  RM' = max(RM, max_m0 S); SN = exp(S - RM'); P = exp(RM - RM')
              RD' = RD * P + sum_m0 SN; RNV' = RNV * P + sum_m0 SN * V

    A block in which all scores are minus infinity (a mask) adds nothing. Divisions
    must have been deferred (`ff-cascade-defer`).

    Remarks (category `ff-cascade-iterate`): `!Passed` `one-pass` per softmax, with
    `rank`, `steps` and `sums`; `!Missed` `declined` with `reason`.
  }];
  let options = [Option<"block", "block", "int64_t", "256",
                        "Positions per step; the largest divisor of the rank up to this">];
  let dependentDialects = ["::mlir::flashfusion::cascade::CascadeDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // FLASHFUSION_CASCADE_PASSES_TD
