//===- Models.cpp - The Transformer layers of the TransFusion paper --------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Einsums in the order in which the planner visits them, which decides between
// equally good schedules.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Models.h"

using namespace llvm;
using namespace mlir::flashfusion::plan;

static const Model models[] = {
    {"BERT", 768, 12, 64, 3072, OpKind::Gelu, true, false},
    {"TrXL", 1024, 16, 64, 4096, OpKind::Relu, false, true},
    {"T5", 512, 8, 64, 2048, OpKind::Relu, true, true},
    {"XLM", 2048, 16, 128, 8192, OpKind::Gelu, true, true},
    {"Llama3", 4096, 32, 128, 16384, OpKind::Silu, false, true},
};

ArrayRef<Model> mlir::flashfusion::plan::getModels() { return models; }

const Model *mlir::flashfusion::plan::lookUpModel(StringRef name) {
  for (const Model &model : models)
    if (model.name.equals_insensitive(name))
      return &model;
  return nullptr;
}

/// "BHP" -> the set of those ranks.
static RankSet parseRanks(StringRef letters) {
  static const StringRef names = "DFENMPHBS";
  RankSet set = 0;
  for (char letter : letters)
    set |= rankBit(names.find(letter));
  return set;
}

static Operand onChip(StringRef tensor, StringRef ranks) {
  return {tensor.str(), parseRanks(ranks), /*offChip=*/false, /*carried=*/false};
}
static Operand offChip(StringRef tensor, StringRef ranks) {
  return {tensor.str(), parseRanks(ranks), /*offChip=*/true, /*carried=*/false};
}
static Operand carried(StringRef tensor, StringRef ranks) {
  return {tensor.str(), parseRanks(ranks), /*offChip=*/false, /*carried=*/true};
}
/// An Einsum named after its result.
static Einsum einsum(Operand result, OpKind op, StringRef ranks, std::vector<Operand> reads) {
  std::string name = result.tensor;
  return {std::move(name), op, parseRanks(ranks), std::move(reads), std::move(result)};
}

/// "BDP" -> the product of those ranks' tiles in the buffer; primed letters are tiles of
/// an array: "NP" with level Pe.
static BufferTerm term(double coefficient, StringRef inBuffer, StringRef onArray = "") {
  BufferTerm result;
  result.coefficient = coefficient;
  static const StringRef names = "DFENMPHBS";
  for (char letter : inBuffer)
    result.factors.push_back({names.find(letter), Level::Buffer});
  for (char letter : onArray)
    result.factors.push_back({names.find(letter), Level::Pe});
  return result;
}

static Group buildQKV(bool omitValueInput) {
  Group group;
  group.name = "QKV";
  group.rowRanks = parseRanks("PN");
  group.columnRanks = parseRanks("HEF");
  Operand valueInput = omitValueInput ? onChip("INPV", "BDMN") : offChip("INPV", "BDMN");
  group.einsums = {
      einsum(onChip("Q", "BHEP"), OpKind::Contract, "BEHPD",
             {offChip("INPQ", "BDP"), offChip("WQ", "DHE")}),
      einsum(offChip("BK", "BHEMN"), OpKind::Contract, "BEHMND",
             {offChip("INPK", "BDMN"), offChip("WK", "DHE")}),
      einsum(offChip("BV", "BHFMN"), OpKind::Contract, "BFHMND",
             {valueInput, offChip("WV", "DHF")}),
  };
  group.buffer = {term(4, "BDP"), term(3, "BDMN"), term(3, "DHE"), term(2, "BHP")};
  return group;
}

/// One pass over the keys: running maximum RM, denominator RD and numerator RNV.
static Group buildAttention(int64_t heads) {
  Group group;
  group.name = "MHA";
  group.rowRanks = parseRanks("P");
  group.columnRanks = parseRanks("N");
  group.packRank = RankId(H);
  group.einsums = {
      einsum(onChip("QK", "BHMNP"), OpKind::Contract, "BHMNPE",
             {onChip("Q", "BHEP"), offChip("BK", "BHEMN")}),
      einsum(onChip("LM", "BHMP"), OpKind::Max, "BHMPN", {onChip("QK", "BHMNP")}),
      einsum(onChip("RM", "BHMP"), OpKind::Max, "BHMP",
             {carried("RM", "BHMP"), onChip("LM", "BHMP")}),
      einsum(onChip("SLN", "BHMNP"), OpKind::Exp, "BHMNP",
             {onChip("QK", "BHMNP"), onChip("RM", "BHMP")}),
      einsum(onChip("SLD", "BHMP"), OpKind::Add, "BHMPN", {onChip("SLN", "BHMNP")}),
      einsum(onChip("SLNV", "BHFMP"), OpKind::Contract, "BFHMPN",
             {onChip("SLN", "BHMNP"), offChip("BV", "BHFMN")}),
      einsum(onChip("PRM", "BHMP"), OpKind::Exp, "BHMP",
             {carried("RM", "BHMP"), onChip("RM", "BHMP")}),
      einsum(onChip("SPD", "BHMP"), OpKind::Mul, "BHMP",
             {carried("RD", "BHMP"), onChip("PRM", "BHMP")}),
      einsum(onChip("RD", "BHMP"), OpKind::Add, "BHMP",
             {onChip("SLD", "BHMP"), onChip("SPD", "BHMP")}),
      einsum(onChip("SPNV", "BHFMP"), OpKind::Mul, "BFHMP",
             {carried("RNV", "BHFMP"), onChip("PRM", "BHMP")}),
      einsum(onChip("RNV", "BHFMP"), OpKind::Add, "BFHMP",
             {onChip("SLNV", "BHFMP"), onChip("SPNV", "BHFMP")}),
      einsum(onChip("AV", "BHFP"), OpKind::Div, "BFHP",
             {onChip("RNV", "BHFMP"), onChip("RD", "BHMP")}),
  };
  double staged = double(std::min<int64_t>(heads, 4));
  group.buffer = {term(1, "BHEP"), term(2, "BHEMN"),           term(2, "BHP"),
                  term(2, "BHFP"), term(2 * staged, "", "NP"), term(16 * staged, "", "P")};
  return group;
}

static Group buildLayerNorm() {
  Group group;
  group.name = "LayerNorm";
  group.rowRanks = parseRanks("P");
  group.columnRanks = parseRanks("HF");
  auto full = [](StringRef tensor) { return onChip(tensor, "BHFP"); };
  auto row = [](StringRef tensor) { return onChip(tensor, "BP"); };
  group.einsums = {
      einsum(full("IAV"), OpKind::Add, "BFHP", {full("INP"), full("AV")}),
      einsum(row("SAV"), OpKind::Add, "BPFH", {full("IAV")}),
      einsum(row("MAV"), OpKind::Mul, "BP", {row("SAV")}),
      einsum(full("DAV"), OpKind::Add, "BFHP", {full("IAV"), row("MAV")}),
      einsum(full("QAV"), OpKind::Mul, "BFHP", {full("DAV")}),
      einsum(row("SQAV"), OpKind::Add, "BPFH", {full("QAV")}),
      einsum(row("MQAV"), OpKind::Mul, "BP", {row("SQAV")}),
      einsum(row("SR"), OpKind::Rsqrt, "BP", {row("MQAV")}),
      einsum(full("NR"), OpKind::Mul, "BFHP", {full("DAV"), row("SR")}),
  };
  group.buffer = {term(3, "BHFP"), term(8, "B", "P")};
  return group;
}

static Group buildFeedForward(OpKind activation) {
  Group group;
  group.name = "FFN";
  group.rowRanks = parseRanks("P");
  group.columnRanks = parseRanks("S");
  group.einsums = {
      einsum(onChip("FFN", "BSP"), OpKind::Contract, "BSPFH",
             {onChip("NR", "BHFP"), offChip("WF", "HFS"), offChip("BF", "S")}),
      einsum(onChip("AR", "BSP"), activation, "BSP", {onChip("FFN", "BSP")}),
      einsum(onChip("FFNT", "BHFP"), OpKind::Contract, "BFHPS",
             {onChip("AR", "BSP"), offChip("WFT", "SHF"), offChip("BFT", "HF")}),
  };
  group.buffer = {term(2, "HFBP"), term(1, "HFS"), term(1, "SP"), term(2, "S"), term(2, "S", "P")};
  return group;
}

Cascade mlir::flashfusion::plan::buildLayer(const Model &model, const LayerOptions &options) {
  Cascade layer;
  layer.name = model.name.str();
  layer.ranks.resize(numLayerRanks);
  auto set = [&](LayerRank rank, StringRef name, int64_t size) {
    layer.ranks[rank] = {name.str(), size, /*iterative=*/rank == M};
  };
  set(D, "D", model.width);
  set(F, "F", model.headSize);
  set(E, "E", model.headSize);
  set(N, "N", options.keyBlock);
  set(M, "M", options.sequence / options.keyBlock);
  set(P, "P", options.sequence);
  set(H, "H", model.heads);
  set(B, "B", options.batch);
  set(S, "S", model.hidden);
  layer.groups = {buildQKV(options.omitValueInput), buildAttention(model.heads), buildLayerNorm(),
                  buildFeedForward(model.activation)};
  const unsigned repeats[2][4] = {{1, 1, 2, 1}, {1, 2, 3, 1}};
  for (unsigned i = 0; i < 4; ++i)
    layer.groups[i].repeats = model.encoder * repeats[0][i] + model.decoder * repeats[1][i];
  return layer;
}
