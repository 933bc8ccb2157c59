//===- Models.h - The Transformer layers of the TransFusion paper --*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_MODELS_H
#define FLASHFUSION_PLAN_MODELS_H

#include "FlashFusion/Plan/Cascade.h"

namespace mlir {
class OpBuilder;
}

namespace mlir::flashfusion::plan {

/// The shape of a model's layer and what it is made of.
struct Model {
  llvm::StringRef name;
  int64_t width, heads, headSize, hidden;
  OpKind activation;
  bool encoder, decoder; ///< enc: QKV MHA LN FFN LN; dec: QKV 2(MHA LN) FFN LN
};

/// BERT, TrXL, T5, XLM, Llama3.
llvm::ArrayRef<Model> getModels();
const Model *lookUpModel(llvm::StringRef name);

/// Positions of the ranks of buildLayer, innermost first as in memory loops: D model
/// width, F and E head sizes, N and M the inner and outer part of the key position, P
/// query position, S hidden width, H heads, B batch.
enum LayerRank : RankId { D, F, E, N, M, P, H, B, S, numLayerRanks };

struct LayerOptions {
  int64_t sequence = 1024;
  int64_t batch = 64;
  /// Keys per step of attention.
  int64_t keyBlock = 256;
  /// The published traffic model forgets that V's projection reads its input.
  bool omitValueInput = false;
  /// All of the layer one after another, without groups: every LayerNorm and attention as often as
  /// the model has it, Q, K and V of one input. For targets whose kernels are chosen.
  bool inSequence = false;
};

/// The layer as a function of one `cascade.graph`, inserted at the builder: groups QKV, MHA
/// (one pass), LayerNorm and FFN with the model's repeats. `options.keyBlock` must divide
/// the sequence.
cascade::GraphOp buildLayerIR(OpBuilder &b, const Model &model, const LayerOptions &options);

/// What the planner reads from buildLayerIR.
Cascade buildLayer(const Model &model, const LayerOptions &options);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_MODELS_H
