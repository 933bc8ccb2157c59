//===- CascadeOps.td - Cascades of Einsums ------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_OPS_TD
#define FLASHFUSION_CASCADE_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cascade_Dialect : Dialect {
  let name = "cascade";
  let cppNamespace = "::mlir::flashfusion::cascade";
  let summary = "Cascades of Einsums over named ranks";
  let description = [{
    A Transformer layer as TransFusion and FuseMax write it: Einsums over named
    ranks, of which one may be iterative. Values are tensors; the *names* of
    their dimensions stand at every use, so that the same rank is recognised
    wherever it appears. What is computed per point is a region, so that the
    dialect is executable and not only a plan.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Cascade_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::flashfusion::cascade";
  let genSpecializedAttr = 0;
}

def Cascade_OpKind : Cascade_Enum<"OpKind",
    "what one point of an Einsum's iteration space computes; a target prices it", [
    I32EnumAttrCase<"Contract", 0, "contract">, I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Div", 4, "div">, I32EnumAttrCase<"Exp", 5, "exp">,
    I32EnumAttrCase<"Rsqrt", 6, "rsqrt">, I32EnumAttrCase<"Gelu", 7, "gelu">,
    I32EnumAttrCase<"Silu", 8, "silu">, I32EnumAttrCase<"Relu", 9, "relu">]>;

def Cascade_Reduction : Cascade_Enum<"Reduction", "how points of the reduced ranks combine", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">]>;
def Cascade_ReductionAttr : EnumAttr<Cascade_Dialect, Cascade_Reduction, "reduction">;

def Cascade_RankAttr : AttrDef<Cascade_Dialect, "Rank"> {
  let mnemonic = "rank";
  let summary = "a named rank and its size (-1: not known)";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$size);
  let assemblyFormat = "`<` $name `,` $size `>`";
}

def Cascade_GroupAttr : AttrDef<Cascade_Dialect, "Group"> {
  let mnemonic = "group";
  let summary = "Einsums that are fused: scheduled as one, sharing the on-chip buffer";
  let description = [{
    * `rows`, `columns`: the ranks that the rows and columns of an array run over.
    * `pack`: where an Einsum has no column rank, several indices of this rank
      share the array.
    * `repeats`: how often the group occurs in the layer; 0 if it is prepared before.
    * `memory`: the tensors that live in memory and are moved for this group.
      Without it, what the graph takes, what it returns and what another group
      writes.
    * `buffer`: words of buffer in closed form, a sum of products of tile sizes
      such as "2*B*P", where P' is the tile of an array. Without it, two tiles
      of every operand.
  }];
  let parameters = (ins
    StringRefParameter<>:$name,
    DefaultValuedParameter<"int64_t", "1">:$repeats,
    OptionalParameter<"::mlir::ArrayAttr">:$rows,
    OptionalParameter<"::mlir::ArrayAttr">:$columns,
    OptionalParameter<"::mlir::StringAttr">:$pack,
    OptionalParameter<"::mlir::ArrayAttr">:$memory,
    OptionalParameter<"::mlir::ArrayAttr">:$buffer);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Cascade_RankArrayAttr : TypedArrayAttrBase<
    Attr<CPred<"::llvm::isa<::mlir::flashfusion::cascade::RankAttr>($_self)">, "rank">,
    "array of ranks">;
def Cascade_GroupArrayAttr : TypedArrayAttrBase<
    Attr<CPred<"::llvm::isa<::mlir::flashfusion::cascade::GroupAttr>($_self)">, "group">,
    "array of groups">;
def Cascade_SubscriptsAttr : TypedArrayAttrBase<StrArrayAttr, "array of arrays of rank names">;

class Cascade_Op<string mnemonic, list<Trait> traits = []>
    : Op<Cascade_Dialect, mnemonic, traits>;

def Cascade_GraphOp : Cascade_Op<"graph",
    [IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a cascade of Einsums";
  let description = [{
    Its body holds Einsums, iterations, and other operations without side
    effects on tensors (views, constants, what raising did not understand).
    A rank has one size in the whole graph. `ranks` lists them in the order of
    loops over memory, innermost first (without it: as they appear). `arg_names`
    names the arguments, `groups` what is fused.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       OptionalAttr<StrArrayAttr>:$arg_names,
                       OptionalAttr<Cascade_RankArrayAttr>:$ranks,
                       OptionalAttr<Cascade_GroupArrayAttr>:$groups);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `(` $inputs `)` attr-dict `:` functional-type($inputs, $results) $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Every rank with its size, as `ranks` has them, then as they appear.
    ::llvm::SmallVector<std::pair<::llvm::StringRef, int64_t>> collectRanks();
  }];
}

def Cascade_EinsumOp : Cascade_Op<"einsum", [AttrSizedOperandSegments, Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "map over a product of ranks, then reduce those that the result lacks";
  let description = [{
    ```mlir
    %QK = cascade.einsum "QK"[B, H, N, P] = add(%Q[B, H, E, P], %BK[B, H, E, N])
        : (tensor<..>, tensor<..>) -> tensor<..> {
      ^bb0(%q: f32, %k: f32):
        %0 = arith.mulf %q, %k : f32
        cascade.yield %0 : f32
    }
    ```
    For every point of the product of all ranks the region maps the operands'
    elements to one value; values that differ only in ranks which the result
    lacks are combined by the reduction (`map`: there are none). A sum or maximum
    starts from its neutral element, or from `init(%b[S])`. A dimension named `_`
    has size 1. The name is that of the tensor in reports and plans.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       Optional<AnyRankedTensor>:$init,
                       Cascade_SubscriptsAttr:$reads, OptionalAttr<StrArrayAttr>:$init_ranks,
                       StrArrayAttr:$writes, OptionalAttr<Cascade_ReductionAttr>:$reduction,
                       OptionalAttr<StrAttr>:$group);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    using Names = ::llvm::SmallVector<::llvm::StringRef>;
    Names getReadRanks(unsigned input);
    Names getInitRankNames();
    Names getWriteRanks();
    /// Ranks that are reduced, in order of appearance.
    Names getReducedRanks();
    /// The iteration space: ranks of the result, then those reduced.
    Names getIterationRanks();
    /// The size of a rank of the iteration space, kDynamic if unknown.
    int64_t getRankSize(::llvm::StringRef rank);
    ::mlir::Value getYielded();
  }];
}

def Cascade_IterateOp : Cascade_Op<"iterate",
    [AttrSizedOperandSegments, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "steps of an iterative rank, with running tensors";
  let description = [{
    Runs the body for steps 0, 1, .. of the rank and stops after `steps` of
    them. Arguments of the body: the step (index), the fiber at this step of
    every stream (tensor `streams[i]` without dimension `stream_dims[i]`), the
    running tensors, which start as `inits` and of which the body yields the
    next. Results are the last ones.

    ```mlir
    %RM = cascade.iterate "M" to 4 streams(%QK) init(%minus_inf) {stream_dims = array<i64: 1>}
        : (tensor<2x4x8xf32>, tensor<2xf32>) -> tensor<2xf32> {
      ^bb0(%m: index, %qk: tensor<2x8xf32>, %rm: tensor<2xf32>):
        ...
        cascade.yield %next : tensor<2xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$rank, I64Attr:$steps, Variadic<AnyRankedTensor>:$streams,
                       Variadic<AnyRankedTensor>:$inits,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$stream_dims);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $rank `to` $steps `streams` `(` $streams `)` `init` `(` $inits `)` attr-dict
    `:` functional-type(operands, results) $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block::BlockArgListType getStreamArgs() {
      return getBody().front().getArguments().slice(1, getStreams().size());
    }
    ::mlir::Block::BlockArgListType getStateArgs() {
      return getBody().front().getArguments().drop_front(1 + getStreams().size());
    }
    ::mlir::OperandRange getYielded() {
      return getBody().front().getTerminator()->getOperands();
    }
  }];
}

def Cascade_YieldOp : Cascade_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["GraphOp", "EinsumOp", "IterateOp"]>]> {
  let summary = "ends a region of the dialect";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // FLASHFUSION_CASCADE_OPS_TD
