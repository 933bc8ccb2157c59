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
    `row` region, and scales of weights, biases and result casts as finalizers.
  }];
  let dependentDialects = ["::mlir::flashfusion::FFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def FuseEpiloguePass : Pass<"ff-fuse-epilogue", "::mlir::ModuleOp"> {
  let summary = "Move elementwise operations behind ff.online into its finalizers";
  let description = [{
    Gathers what reads results of an unscheduled `ff.online` on tensors element
    by element, through reshapes: casts, biases and other vectors of length N
    (columns), residuals and other M x N tensors (tiles), activations (exp, tanh,
    erf, maximum, select, ...), and products of two results (a gated pair of
    Linears becomes one output of both). An operation is gathered if every value
    on the way to it has no other use; a result of the `ff.online` that is used
    elsewhere stays an output of its own. What varies with the row alone, or is
    read at other positions, is left alone.

    Arithmetic of 16-bit floats is done in f32 and rounded. With
    `rounding=relaxed` an activation that is rounded and widened again inside of
    a finalizer is not rounded.

    With a `chip`, every kernel that would be launched for the `ff.online` (with
    aligned pointers) must serve it afterwards, too, or the operation stays where
    it is.

    Remarks (category `ff-fuse-epilogue`): `!Passed` `epilogue` per output that
    gathered something, with the numbers of `operations`, `linears` and `tiles`;
    `!Missed` `declined` with `reason` per operation that reads a result and
    stays: `used-elsewhere`, `other-positions`, `unsupported-operation`,
    `unsupported-type`, `scalar-operand`, `operand-order`, `no-kernel`.

    Example:
    ```mlir
    %y = ff.online(%x) weights(%w) outs(%o) ... finalize { ^bb0(%z: f32): ff.yield %z : f32 }
    %r = linalg.add ins(%y, %residual : ...) outs(%o : ...)
    ```
    becomes
    ```mlir
    %r = ff.online(%x) weights(%w) tiles(%residual) outs(%o) ... finalize {
    ^bb0(%z: f32, %t: f32):
      %s = arith.addf %z, %t : f32
      ff.yield %s : f32
    }
    ```
  }];
  let options = [
    Option<"rounding", "rounding", "std::string", "\"relaxed\"",
           "relaxed: what is rounded and widened again in a finalizer need not be rounded; "
           "strict: it is">,
    Option<"chip", "chip", "std::string", "\"\"",
           "gather only what the kernels for this GPU can serve; empty: everything">,
    Option<"family", "family", "std::string", "\"\"",
           "ask this kernel family only (decode, prefill, simt)">,
    Option<"tf32", "tf32", "bool", "false", "ask the kernels of f32 operands in tf32">];
  let dependentDialects = ["::mlir::flashfusion::FFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif // FLASHFUSION_DECOMPOSE_PASSES_TD
