//===- Passes.td - Raise passes ------------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RAISE_PASSES_TD
#define FLASHFUSION_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaisePass : Pass<"ff-raise", "::mlir::ModuleOp"> {
  let summary = "Find normalizations that feed Linears, raise them to ff.norm_linear";
  let description = [{
    Recognises a normalization followed by one or several Linears by what it
    computes, not by how it is spelled, and replaces the contractions by one
    `ff.norm_linear`. What does not fit is left alone.

    Remarks (category `ff-raise`): `!Passed` `norm_linear` per norm raised, with
    `kind`, `linears` and `escapes`; `!Missed` `declined` with `reason` per
    contraction whose operand's backward slice holds row statistics.

    With `others`, what is no norm with a name, but has other constant factors
    (2 / std, a sample variance, a variance without its center, sqrt(K) x / |x|)
    becomes an `ff.online`, with the same remark and kind `other`.

    With `plain-linears`, a contraction that is left, of an activation with an
    argument or a constant, becomes an `ff.online` whose scale is 1, with a
    remark `!Passed` `plain_linear`.
  }];
  let options = [
    Option<"rounding", "rounding", "std::string", "\"relaxed\"",
           "relaxed: activation casts between norm and contraction may be skipped; "
           "strict: honour every activation cast (most 16-bit chains are then declined)">,
    Option<"others", "others", "bool", "false",
           "raise norms without a name (kind `other`), too: to ff.online">,
    Option<"plainLinears", "plain-linears", "bool", "false",
           "raise Linears without a norm, too: to ff.online without row factors">];
  let dependentDialects = ["::mlir::flashfusion::FFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect"];
}

def MarkUnroundedPass : Pass<"ff-mark-unrounded", "::mlir::ModuleOp"> {
  let summary = "Mark roundings of dequantised weights that ff-raise does without";
  let description = [{
    A weight q(n, k) s(n), q of 8 bits, becomes the Linear of weight q with scale s
    (`ff-raise` with `rounding=relaxed`): the product is rounded nowhere. Every
    `arith.truncf` that the program rounds such a product with gets the attribute
    `ff.unrounded`, for the reference of the accuracy contract
    (`ff-promote-to-f64`). Nothing else changes.
  }];
}

#endif // FLASHFUSION_RAISE_PASSES_TD
