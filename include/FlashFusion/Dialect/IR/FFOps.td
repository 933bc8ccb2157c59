//===- FFOps.td - Operations of the ff dialect --------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_OPS_TD
#define FLASHFUSION_OPS_TD

include "FlashFusion/Dialect/IR/FFAttrs.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class FF_Op<string mnemonic, list<Trait> traits = []> : Op<FF_Dialect, mnemonic, traits>;

def FF_NormLinearOp : FF_Op<"norm_linear", [AttrSizedOperandSegments, Pure]> {
  let summary = "a normalization and the Linear layers that read it";
  let description = [{
    For a row x of length K of the operand `x` (M x K), every Linear l with
    weight W (N x K, or K x N with layout `kn`) and optional bias c:

        h(k) = (x(k) - center) * scale * (gain(k) + gain_offset) + shift(k)
        y_l(n) = s_l(n) * sum_k h(k) * W_l(n, k) + c_l(n)

    | kind       | center  | scale                                       |
    |------------|---------|---------------------------------------------|
    | rms_norm   | 0       | 1 / sqrt(mean(x^2) + eps)                   |
    | layer_norm | mean(x) | 1 / sqrt(mean((x - mean(x))^2) + eps)       |
    | l2_norm    | 0       | 1 / max(sqrt(sum(x^2)), eps)                |

    Without `gain` the factor is 1 (and `gain_offset` must be 0); without
    `shift` the summand is 0. Statistics and sums are kept in f32 at least,
    whatever the element types; the result is rounded once. `eps` is a constant
    or an operand, never both. `biases[i]` belongs to Linear `bias_of[i]`.

    Weights may be quantised to f8E4M3FN. What they are multiplied by is constant
    over k and stands behind the sum: `scales[i]`, of length N (per channel) or 1
    (per tensor), belongs to Linear `scale_of[i]`; without one, s_l is 1.

    So may x, beside such weights. The row that is normalised is then
    x(k) x_scale, with `x_scale` of length M (per token) or 1 (per tensor); without
    it, x itself.

    Example:
    ```mlir
    %q, %k = ff.norm_linear rms_norm(%x) gain(%g) weights(%wq, %wk)
        {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<nk>]}
        : (tensor<?x64xbf16>, tensor<64xf32>, tensor<32x64xbf16>, tensor<16x64xbf16>)
        -> (tensor<?x32xbf16>, tensor<?x16xbf16>)
    ```
  }];
  let arguments = (ins
    FF_NormKindAttr:$kind,
    2DTensorOf<[F16, BF16, F32, F8E4M3FN]>:$x,
    Optional<1DTensorOf<[F16, BF16, F32]>>:$x_scale,
    Optional<1DTensorOf<[F16, BF16, F32]>>:$gain,
    Optional<1DTensorOf<[F16, BF16, F32]>>:$shift,
    Variadic<2DTensorOf<[F16, BF16, F32, F8E4M3FN]>>:$weights,
    Variadic<1DTensorOf<[F16, BF16, F32]>>:$scales,
    Variadic<1DTensorOf<[F16, BF16, F32]>>:$biases,
    Optional<AnyFloat>:$eps_value,
    OptionalAttr<F64Attr>:$eps,
    DefaultValuedAttr<F64Attr, "0.0">:$gain_offset,
    FF_WeightLayoutArrayAttr:$layouts,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$scale_of,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$bias_of);
  let results = (outs Variadic<2DTensorOf<[F16, BF16, F32]>>:$results);
  let assemblyFormat = [{
    custom<NormKind>($kind) `(` $x `)` (`x_scale` `(` $x_scale^ `)`)?
    (`gain` `(` $gain^ `)`)? (`shift` `(` $shift^ `)`)?
    `weights` `(` $weights `)` (`scales` `(` $scales^ `)`)? (`biases` `(` $biases^ `)`)?
    (`eps` `(` $eps_value^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def FF_Operand : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

def FF_OnlineOp : FF_Op<"online", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, IsolatedFromAbove,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "row statistics and contractions as parallel sums over K, and a finalizer";
  let description = [{
    The online form of a normalization followed by Linears. The left operand of
    every contraction is an affine function of its row,

        h(m, k) = scale(m) * (x(m, k) - center(m)) * v(k) + s(k),
        v(k) = gain(k) + gain_offset,

    with `scale` and `center` functions of the row's `statistics` (and of its
    element of `x_scale`). They commute
    past the contraction, so that everything that runs over K is a sum that
    needs no other sum:

        A_l(m, n) = sum_k x(m, k) v(k) W_l(n, k)     the contractions
        statistics(m)                                sums of x, x^2
        C_l(n) = sum_k v(k) W_l(n, k)                of weights only: once per
        B_l(n) = sum_k s(k) W_l(n, k)                set of weights
        z_l(m, n) = scale(m) * (A_l(m, n) - center(m) * C_l(n)) + B_l(n)

    A lowering may equally form h on the fly where the whole row is at hand
    (z_l = sum_k h W_l); both orders are the same function.

    * Region `row` computes the row's factors: one f32 argument per statistic,
      then the row's element of `x_scale`, then the `scalars`; it yields (scale), or
      (scale, center), or nothing (a Linear without a norm: scale 1, center 0).
    * One region of `finalizers` per element of `outs`: arguments are z_l (f32)
      of every Linear that `linears_of` lists for the output, then the elements
      at n of the columns that `column_of` assigns to the output, in order, then
      the elements at (m, n) of the tiles that `tile_of` assigns to it, in order;
      it yields the output's element.

    Without `gain`, v is 1; without `shift`, s is 0. Weights are N x K, or K x N
    with layout `kn`; columns are vectors of length N, or of length 1 where every n
    has the same element; tiles (a residual) are M x N; x is M x K and an output
    M x N. Weights may be f8E4M3FN: what scales them is a column, and the
    finalizer multiplies by it. Then x may be f8E4M3FN, too: statistics are those of
    x as it is stored, and what scales it, `x_scale`, a vector of length M, or of
    length 1 for all rows, is an argument of the row region. `schedule` lists the kernel variants in order of preference.

    On tensors the op is in destination-passing style, on memrefs it writes to
    `outs`. The contents of `outs` are never read.
  }];
  let arguments = (ins
    FF_Operand:$x,
    Optional<FF_Operand>:$gain,
    Optional<FF_Operand>:$shift,
    Variadic<FF_Operand>:$weights,
    Variadic<FF_Operand>:$columns,
    Variadic<FF_Operand>:$tiles,
    Optional<FF_Operand>:$x_scale,
    Variadic<AnyFloat>:$scalars,
    Variadic<FF_Operand>:$outs,
    FF_StatisticArrayAttr:$statistics,
    FF_WeightLayoutArrayAttr:$layouts,
    DefaultValuedAttr<F64Attr, "0.0">:$gain_offset,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$column_of,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$tile_of,
    ArrayAttr:$linears_of,
    OptionalAttr<ArrayAttr>:$schedule);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$row, VariadicRegion<SizedRegion<1>>:$finalizers);
  let assemblyFormat = [{
    `(` $x `)` (`gain` `(` $gain^ `)`)? (`shift` `(` $shift^ `)`)?
    `weights` `(` $weights `)` (`columns` `(` $columns^ `)`)? (`tiles` `(` $tiles^ `)`)?
    (`x_scale` `(` $x_scale^ `)`)? (`scalars` `(` $scalars^ `)`)?
    `outs` `(` $outs `)` attr-dict `:` functional-type(operands, results)
    custom<Regions>($row, $finalizers)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }

    /// Extents: K and N are always static; M may be ShapedType::kDynamic.
    int64_t getM();
    int64_t getK();
    /// N of Linear `linear`.
    int64_t getN(unsigned linear);
    /// The Linears whose z values the finalizer of output `out` takes.
    ::llvm::ArrayRef<int64_t> getLinearsOf(unsigned out);
    /// The columns (indices into getColumns()) that belong to output `out`.
    ::llvm::SmallVector<unsigned> getColumnsOf(unsigned out);
    /// The tiles (indices into getTiles()) that belong to output `out`.
    ::llvm::SmallVector<unsigned> getTilesOf(unsigned out);
    ::mlir::flashfusion::WeightLayout getLayout(unsigned linear);
    /// Whether column `column` has one element for more than one n.
    bool isSharedColumn(unsigned column);
    /// Whether x_scale has one element for all rows.
    bool isSharedXScale();
    /// Number of values that the row region yields: 0, 1 (scale) or 2 (scale, center).
    unsigned getNumRowFactors();
  }];
}

def FF_YieldOp : FF_Op<"yield", [Pure, Terminator, ReturnLike,
                                 ParentOneOf<["::mlir::flashfusion::OnlineOp"]>]> {
  let summary = "ends a region of ff.online";
  let arguments = (ins Variadic<AnyFloat>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // FLASHFUSION_OPS_TD
