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
    that is no Einsum, and `declined` with `reason` for a function that is left alone:
    `effects` (an operation that does more than compute, such as an assertion),
    `control-flow`, `extents` (a reshape contradicts itself).
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
    square minus squared mean (`moments`) it cancels where the mean is large. What a
    condition clears is cleared behind the sum (rows of softmax with no key to see).
    Maps that only scale by constants (Q and K of PyTorch's attention) go, too: the sum
    is scaled.

    A factor leaves past roundings to 16 bits or more, unless `rounding=strict`; the
    sums are f32 at least. Quantisations, and roundings that no such factor is in,
    stay where they are.

    Remarks (category `ff-cascade-defer`): `!Passed` `deferred` per sum, with `einsum`,
    `terms` and `rounding` (`skipped` or `none`); `!Missed` `declined` with `einsum` and
    `reason`, `rounding`: `rounding=strict` keeps one.
  }];
  let options = [Option<"moments", "moments", "bool", "false",
                        "also expand variances">,
                 Option<"rounding", "rounding", "std::string", "\"relaxed\"",
                        "relaxed: factors leave sums past roundings to 16 bits or more; "
                        "strict: every rounding stays">];
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
    must have been deferred (`ff-cascade-defer`). Weights that are rounded are so
    relative to the running maximum, which `rounding=strict` declines.

    Remarks (category `ff-cascade-iterate`): `!Passed` `one-pass` per softmax, with
    `rank`, `steps` and `sums`; `!Missed` `declined` with `reason`.
  }];
  let options = [Option<"block", "block", "int64_t", "256",
                        "Positions per step; the largest divisor of the rank up to this">,
                 Option<"rounding", "rounding", "std::string", "\"relaxed\"",
                        "relaxed: weights may be rounded relative to the running maximum; "
                        "strict: such a softmax stays">];
  let dependentDialects = ["::mlir::flashfusion::cascade::CascadeDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CascadeReportPass : Pass<"ff-cascade-report", "::mlir::ModuleOp"> {
  let summary = "Report passes, live footprints, compute load, traffic and buffer need of cascades";
  let description = [{
    Analysis remarks (category `ff-cascade-report`): `passes` per tensor and rank that is
    reduced, with `tensor`, `rank`, `passes` and `footprint` (elements of a fiber alive at a
    time); `group` per group, with `name`, `einsums`, points per kind of operation (`contract`,
    `add`, ...), `traffic` (bytes, everything in memory moved once) and `buffer` (bytes with all
    of the group on chip). The IR is not changed.
  }];
  let options = [Option<"wordBytes", "word-bytes", "double", "2", "Bytes of an element">];
}

class CascadePlanPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  list<Option> planOptions = [
    Option<"target", "target", "std::string", "\"h200\"", "cloud, edge, fusemax, h200, or a JSON file">,
    Option<"compat", "compat", "bool", "false", "cloud and edge exactly as published">];
}

def GroupCascadePass : CascadePlanPass<"ff-cascade-group"> {
  let summary = "Choose which Einsums of cascades share a kernel";
  let description = [{
    Every graph without groups gets the groups that run fastest as kernels, one after another: a
    boundary costs a launch and the traffic of what crosses it, a kernel the longer of its
    arithmetic (scheduled by DPipe, with statistics once per tile of columns that TileSeek
    chose) and its traffic. What can be one kernel:

      * `linear`: Linears of one tensor in memory, statistics of its rows, and what follows
        element by element; every output takes as many Linears. This is what the decode and
        prefill kernels serve.
      * `attention`: one or two products of activations and what follows. What is read again
        (all scores of a row, or a block of `ff-cascade-iterate`) fits in shared memory.
      * `rows`: maps and statistics of rows of one length.
      * `prepare`: what depends on weights alone.

    On a target without `gpu` a boundary costs traffic alone. Rows and columns of an array run
    over the ranks of the left and of the right operand of the group's first product.

    Remarks (category `ff-cascade-group`): `!Passed` `kernel` per group, with `name`, `kind`,
    `linears`, `statistics` and `microseconds`, and `cut` per graph, with `kernels`,
    `microseconds` and `exact` (whether all ways to cut it were looked at); `!Missed` `declined` with `reason`: `no-kernel`
    with the `operation` that fits none, or what cannot be planned.
  }];
  let options = planOptions;
}

def DPipePass : CascadePlanPass<"ff-dpipe"> {
  let summary = "Pipeline the groups of cascades with DPipe";
  let description = [{
    Every Einsum gets `cascade.dpipe`: the resource, the stage (1 works a step ahead of 2; 0:
    not cut), start and end in cycles of each of its steps. The graph gets `cascade.plan`: target,
    and per group the cycles with and without the cut.

    Remarks (category `ff-dpipe`): `!Passed` `scheduled` per group, with `name`, `cycles`,
    `unsplit`, `first_stage` and `exact` (whether the search came to its end).
  }];
  let options = planOptions;
}

def TileSeekPass : CascadePlanPass<"ff-tileseek"> {
  let summary = "Choose tiles of cascades with TileSeek";
  let description = [{
    The graph gets `cascade.tiles`: per rank the factors of loops over memory, over the buffer,
    and of the array, whose product is the rank's size.

    Remarks (category `ff-tileseek`): `!Passed` `tiles` per graph, with `seconds`, `evaluated` and
    `complete`; `!Missed` `declined` with `reason`.
  }];
  let options = planOptions # [
    Option<"budget", "budget", "uint64_t", "2000", "Tiles to evaluate">,
    Option<"seed", "seed", "uint64_t", "1", "Seed of the search">];
}

#endif // FLASHFUSION_CASCADE_PASSES_TD
