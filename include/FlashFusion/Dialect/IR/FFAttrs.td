//===- FFAttrs.td - Attributes of the ff dialect ------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_ATTRS_TD
#define FLASHFUSION_ATTRS_TD

include "FlashFusion/Dialect/IR/FFDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class FF_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::flashfusion";
  let genSpecializedAttr = 0;
}

def FF_NormKind : FF_Enum<"NormKind", "which normalization", [
    I32EnumAttrCase<"RMSNorm", 0, "rms_norm">,
    I32EnumAttrCase<"LayerNorm", 1, "layer_norm">,
    I32EnumAttrCase<"L2Norm", 2, "l2_norm">]>;
def FF_NormKindAttr : EnumAttr<FF_Dialect, FF_NormKind, "norm"> {
  let description = [{
    Within `ff.norm_linear` the bare word; elsewhere, as in the generic form of the operation, `#ff<norm rms_norm>`.
  }];
  let assemblyFormat = "$value";
}

def FF_WeightLayout : FF_Enum<"WeightLayout",
    "order of a weight's dimensions: nk is [N, K] (torch Linear), kn is [K, N]", [
    I32EnumAttrCase<"NK", 0, "nk">, I32EnumAttrCase<"KN", 1, "kn">]>;
def FF_WeightLayoutAttr : EnumAttr<FF_Dialect, FF_WeightLayout, "layout"> {
  let assemblyFormat = "`<` $value `>`";
}
def FF_WeightLayoutArrayAttr
    : TypedArrayAttrBase<FF_WeightLayoutAttr, "array of weight layouts">;

def FF_Statistic : FF_Enum<"Statistic",
    "a statistic of a row of x: mean is sum(x)/K, mean_square is sum(x^2)/K, "
    "variance is sum((x - mean)^2)/K, sum_square is sum(x^2)", [
    I32EnumAttrCase<"Mean", 0, "mean">,
    I32EnumAttrCase<"MeanSquare", 1, "mean_square">,
    I32EnumAttrCase<"Variance", 2, "variance">,
    I32EnumAttrCase<"SumSquare", 3, "sum_square">]>;
def FF_StatisticAttr : EnumAttr<FF_Dialect, FF_Statistic, "statistic"> {
  let assemblyFormat = "`<` $value `>`";
}
def FF_StatisticArrayAttr
    : TypedArrayAttrBase<FF_StatisticAttr, "array of row statistics">;

def FF_KernelFamily : FF_Enum<"KernelFamily", "how a kernel is organised", [
    I32EnumAttrCase<"Decode", 0, "decode">,
    I32EnumAttrCase<"Prefill", 1, "prefill">,
    I32EnumAttrCase<"Simt", 2, "simt">]>;

def FF_MmaKind : FF_Enum<"MmaKind", "which instruction multiplies", [
    I32EnumAttrCase<"Fma", 0, "fma">,
    I32EnumAttrCase<"MmaSync", 1, "mma_sync">,
    I32EnumAttrCase<"Wgmma", 2, "wgmma">]>;

def FF_TargetAttr : AttrDef<FF_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "the GPU that a program is compiled for";
  let description = [{
    `chip` is an LLVM processor name (`sm_90a`), `features` the PTX version
    (`+ptx83`). The other numbers are what the schedule may use: streaming
    multiprocessors, and bytes of shared memory of one block.
  }];
  let parameters = (ins StringRefParameter<>:$chip, StringRefParameter<>:$features,
                        "int64_t":$sms, "int64_t":$smem);
  let assemblyFormat = "`<` struct(params) `>`";
}

def FF_ScheduleAttr : AttrDef<FF_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "one kernel variant: family, rows it serves, tile, depth";
  let description = [{
    * `family`, `mma`: which kernel, with which multiply instruction.
    * `min_rows`, `max_rows`: the variant serves min_rows <= M <= max_rows;
      max_rows = 0 means no upper bound.
    * `tile_m`, `tile_n`, `tile_k`: the output tile of a block and the K of a
      pipeline stage, in elements.
    * `stages`: depth of the shared-memory ring. `warps`: warps that multiply.
    * `split`: parts that a warp's K is cut into (decode: stages per tile; decode with
      wgmma: blocks of a cluster, which add up their parts; prefill with wgmma: blocks of a
      cluster, which have tiles of the same rows and sum up a part of each row's K).
    * `parts`: parts of K, one for each block of a cluster (prefill with wgmma). The blocks
      have one tile and add up their sums; without a ring across tiles, so for few tiles.
    * `packed`: weights come from the pack step ([N, K], gain folded in).
    * `align`: x, gain, shift, weights, tiles and results must be aligned to this
      many bytes, else a later variant serves the launch. Columns need no alignment.
    * `tf32`: f32 operands through tf32 tensor cores.
  }];
  let parameters = (ins
    EnumParameter<FF_KernelFamily>:$family, EnumParameter<FF_MmaKind>:$mma,
    DefaultValuedParameter<"int64_t", "1">:$min_rows,
    DefaultValuedParameter<"int64_t", "0">:$max_rows,
    DefaultValuedParameter<"int64_t", "0">:$tile_m,
    DefaultValuedParameter<"int64_t", "0">:$tile_n,
    DefaultValuedParameter<"int64_t", "0">:$tile_k,
    DefaultValuedParameter<"int64_t", "1">:$stages,
    DefaultValuedParameter<"int64_t", "4">:$warps,
    DefaultValuedParameter<"int64_t", "1">:$split,
    DefaultValuedParameter<"int64_t", "1">:$parts,
    DefaultValuedParameter<"bool", "false">:$packed,
    DefaultValuedParameter<"int64_t", "1">:$align,
    DefaultValuedParameter<"bool", "false">:$tf32);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // FLASHFUSION_ATTRS_TD
