//===- Passes.td - Verify passes -----------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_VERIFY_PASSES_TD
#define FLASHFUSION_VERIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandOnlinePass : Pass<"ff-expand-online"> {
  let summary = "Write ff.online out as its documentation defines it, in f32";
  let description = [{
    The program that a user would have written for an `ff.online` on tensors:
    two-pass statistics, the normalised row h, the contraction of h, the
    finalizer. It is the yardstick for programs that hold `ff` operations from
    the start; it shares nothing with `ff-lower-to-loops` but the op.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def PromoteAccumulatorsPass : Pass<"ff-promote-accumulators"> {
  let summary = "Sum 16-bit contractions and reductions in f32, rounding once";
  let description = [{
    Every linalg operation on tensors that reduces into f16 or bf16 computes in
    f32 instead, from its initial values on, and its result is rounded once.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def PromoteToF64Pass : Pass<"ff-promote-to-f64", "::mlir::ModuleOp"> {
  let summary = "The program in f64 arithmetic: the reference of the accuracy contract";
  let description = [{
    Every float that public functions compute becomes f64. Arguments keep their
    types and are extended where the function starts; results become f64.

    Casts are erased with three exceptions, which round to the type they name: a
    cast of what depends on weights and constants alone (unless it is marked
    `ff.unrounded`, see ff-mark-unrounded); one to fewer than 16 bits or not to
    nearest even (a quantisation); and a tensor that is a result of the function
    and used further, whose further uses see it rounded to the type in which it is
    returned (the returned f64 values are not rounded).
    A normalised tensor is none of these: between a norm and its Linears relaxed
    rounding may skip a cast, whether or not the rounded tensor is also returned.

    With `keep-roundings` all casts round, those of results included: what
    rounding=strict computes.

    Preconditions: tensors and scalars only, calls inlined. A float type that has
    no place in f64 arithmetic (a bitcast, memrefs, calls with float arguments)
    is an error at its operation.
  }];
  let options = [Option<"keepRoundings", "keep-roundings", "bool", "false",
                        "casts of activations round, too">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def AppendBoundsPass : Pass<"ff-append-bounds", "::mlir::ModuleOp"> {
  let summary = "Append to an f64 program what the error bounds of its results need";
  let description = [{
    For every result of a public function that is a contraction followed by
    casts, sums and changes of layout, two results of the same shape are
    appended: sum_k (a_ik b_kj)^2, the square of the noise of the contraction,
    and the position row * N + column of the element in the matrix that the
    contraction makes. Function attribute `ff.results` describes every original
    result: `k`, the longest sum behind it, `links`, the number of contractions
    in a row behind it (at least 1), `columns` (N) and `bounds` (the index of the
    first appended result), the last two where the result has them.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // FLASHFUSION_VERIFY_PASSES_TD
