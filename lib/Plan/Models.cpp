//===- Models.cpp - The Transformer layers of the TransFusion paper --------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer as IR, which runs as well as it is planned. Einsums stand in the order in
// which the planner visits them, which decides between equally good schedules.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Models.h"

#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::flashfusion;
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

namespace {
using Body = function_ref<Value(OpBuilder &, ValueRange)>;

/// "BHP" stands for those ranks; tensors are found by name.
struct LayerBuilder {
  OpBuilder &b;
  Location loc;
  llvm::StringMap<int64_t> sizes;
  llvm::StringMap<Value> tensors;
  StringAttr group;
  /// Behind the names of what occurs again.
  std::string suffix;

  static SmallVector<StringRef> names(StringRef letters) {
    SmallVector<StringRef> result;
    for (size_t i = 0; i < letters.size(); ++i)
      result.push_back(letters.substr(i, 1));
    return result;
  }
  RankedTensorType type(StringRef letters) {
    SmallVector<int64_t> shape;
    for (StringRef rank : names(letters))
      shape.push_back(sizes.lookup(rank));
    return RankedTensorType::get(shape, b.getF32Type());
  }
  cascade::Access access(std::pair<StringRef, StringRef> read) {
    return {tensors.lookup(read.first), names(read.second)};
  }
  void einsum(StringRef name, StringRef writes, std::optional<cascade::Reduction> reduction,
              ArrayRef<std::pair<StringRef, StringRef>> reads, Body body,
              std::optional<std::pair<StringRef, StringRef>> init = {}) {
    SmallVector<cascade::Access> accesses;
    for (auto read : reads)
      accesses.push_back(access(read));
    std::optional<cascade::Access> start;
    if (init)
      start = access(*init);
    tensors[name] = cascade::createEinsum(b, loc, (name + Twine(suffix)).str(), names(writes),
                                          reduction, accesses, body, group, start);
  }
  Value splat(StringRef letters, double value) {
    RankedTensorType tensor = type(letters);
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(tensor, b.getF32FloatAttr(static_cast<float>(value))));
  }
};

Value constant(OpBuilder &b, double value) {
  return arith::ConstantOp::create(b, b.getUnknownLoc(),
                                   b.getF32FloatAttr(static_cast<float>(value)));
}
template <typename Op>
Value binary(OpBuilder &b, ValueRange v) {
  return Op::create(b, b.getUnknownLoc(), v[0], v[1]);
}
Value first(OpBuilder &, ValueRange v) { return v[0]; }
Value expDifference(OpBuilder &b, ValueRange v) {
  return math::ExpOp::create(b, b.getUnknownLoc(), binary<arith::SubFOp>(b, v));
}
} // namespace

static Value activate(OpBuilder &b, Value x, OpKind kind) {
  Location loc = b.getUnknownLoc();
  if (kind == OpKind::Relu)
    return arith::MaximumFOp::create(b, loc, x, constant(b, 0));
  if (kind == OpKind::Silu) {
    Value e = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
    return arith::DivFOp::create(b, loc, x, arith::AddFOp::create(b, loc, e, constant(b, 1)));
  }
  Value scaled = arith::MulFOp::create(b, loc, x, constant(b, 0.70710678118654752));
  Value erf = math::ErfOp::create(b, loc, scaled);
  Value half = arith::MulFOp::create(b, loc, x, constant(b, 0.5));
  return arith::MulFOp::create(b, loc, half, arith::AddFOp::create(b, loc, erf, constant(b, 1)));
}

static void buildQKV(LayerBuilder &l) {
  const auto sum = cascade::Reduction::Add;
  l.einsum("Q", "BHEP", sum, {{"INPQ", "BDP"}, {"WQ", "DHE"}}, binary<arith::MulFOp>);
  l.einsum("BK", "BHEMN", sum, {{"INPK", "BDMN"}, {"WK", "DHE"}}, binary<arith::MulFOp>);
  l.einsum("BV", "BHFMN", sum, {{"INPV", "BDMN"}, {"WV", "DHF"}}, binary<arith::MulFOp>);
}

/// One pass over the keys: running maximum RM, denominator RD and numerator RNV.
static void buildAttention(LayerBuilder &l) {
  const auto sum = cascade::Reduction::Add;
  OpBuilder &b = l.b;
  SmallVector<Value> inits{l.splat("BHP", -std::numeric_limits<double>::infinity()),
                           l.splat("BHP", 0), l.splat("BHFP", 0)};
  SmallVector<Value> streams{l.tensors["BK"], l.tensors["BV"]};
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto iterate =
      cascade::IterateOp::create(b, l.loc, types, b.getStringAttr("M"), l.sizes.lookup("M"),
                                 streams, inits, b.getDenseI64ArrayAttr({3, 3}));
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> argTypes{b.getIndexType(), l.type("BHEN"), l.type("BHFN")};
  llvm::append_range(argTypes, types);
  Block *body = b.createBlock(&iterate.getBody(), {}, argTypes,
                              SmallVector<Location>(argTypes.size(), l.loc));
  auto args = body->getArguments();
  Value running[] = {args[3], args[4], args[5]};
  llvm::StringMap<Value> outside = l.tensors;
  l.tensors["BK"] = args[1];
  l.tensors["BV"] = args[2];
  l.tensors["RM_"] = running[0];
  l.tensors["RD_"] = running[1];
  l.tensors["RNV_"] = running[2];
  l.einsum("QK", "BHNP", sum, {{"Q", "BHEP"}, {"BK", "BHEN"}}, binary<arith::MulFOp>);
  l.einsum("LM", "BHP", cascade::Reduction::Max, {{"QK", "BHNP"}}, first);
  l.einsum("RM", "BHP", {}, {{"RM_", "BHP"}, {"LM", "BHP"}}, binary<arith::MaximumFOp>);
  l.einsum("SLN", "BHNP", {}, {{"QK", "BHNP"}, {"RM", "BHP"}}, expDifference);
  l.einsum("SLD", "BHP", sum, {{"SLN", "BHNP"}}, first);
  l.einsum("SLNV", "BHFP", sum, {{"SLN", "BHNP"}, {"BV", "BHFN"}}, binary<arith::MulFOp>);
  l.einsum("PRM", "BHP", {}, {{"RM_", "BHP"}, {"RM", "BHP"}}, expDifference);
  l.einsum("SPD", "BHP", {}, {{"RD_", "BHP"}, {"PRM", "BHP"}}, binary<arith::MulFOp>);
  l.einsum("RD", "BHP", {}, {{"SLD", "BHP"}, {"SPD", "BHP"}}, binary<arith::AddFOp>);
  l.einsum("SPNV", "BHFP", {}, {{"RNV_", "BHFP"}, {"PRM", "BHP"}}, binary<arith::MulFOp>);
  l.einsum("RNV", "BHFP", {}, {{"SLNV", "BHFP"}, {"SPNV", "BHFP"}}, binary<arith::AddFOp>);
  cascade::YieldOp::create(b, l.loc,
                           ValueRange{l.tensors["RM"], l.tensors["RD"], l.tensors["RNV"]});
  l.tensors = outside;
  l.tensors["RD"] = iterate.getResult(1);
  l.tensors["RNV"] = iterate.getResult(2);
  b.setInsertionPointAfter(iterate);
  l.einsum("AV", "BHFP", {}, {{"RNV", "BHFP"}, {"RD", "BHP"}}, binary<arith::DivFOp>);
}

static void buildLayerNorm(LayerBuilder &l) {
  const auto sum = cascade::Reduction::Add;
  double count = double(l.sizes.lookup("H") * l.sizes.lookup("F"));
  auto mean = [&](OpBuilder &b, ValueRange v) -> Value {
    return arith::MulFOp::create(b, b.getUnknownLoc(), v[0], constant(b, 1 / count));
  };
  auto square = [&](OpBuilder &b, ValueRange v) -> Value {
    return arith::MulFOp::create(b, b.getUnknownLoc(), v[0], v[0]);
  };
  auto rsqrt = [&](OpBuilder &b, ValueRange v) -> Value {
    return math::RsqrtOp::create(b, b.getUnknownLoc(), v[0]);
  };
  l.einsum("IAV", "BHFP", {}, {{"INP", "BHFP"}, {"AV", "BHFP"}}, binary<arith::AddFOp>);
  l.einsum("SAV", "BP", sum, {{"IAV", "BHFP"}}, first);
  l.einsum("MAV", "BP", {}, {{"SAV", "BP"}}, mean);
  l.einsum("DAV", "BHFP", {}, {{"IAV", "BHFP"}, {"MAV", "BP"}}, binary<arith::SubFOp>);
  l.einsum("QAV", "BHFP", {}, {{"DAV", "BHFP"}}, square);
  l.einsum("SQAV", "BP", sum, {{"QAV", "BHFP"}}, first);
  l.einsum("MQAV", "BP", {}, {{"SQAV", "BP"}}, mean);
  l.einsum("SR", "BP", {}, {{"MQAV", "BP"}}, rsqrt);
  l.einsum("NR", "BHFP", {}, {{"DAV", "BHFP"}, {"SR", "BP"}}, binary<arith::MulFOp>);
}

static void buildFeedForward(LayerBuilder &l, OpKind activation) {
  const auto sum = cascade::Reduction::Add;
  l.einsum("FFN", "BSP", sum, {{"NR", "BHFP"}, {"WF", "HFS"}}, binary<arith::MulFOp>,
           std::make_pair(StringRef("BF"), StringRef("S")));
  l.einsum("AR", "BSP", {}, {{"FFN", "BSP"}},
           [&](OpBuilder &b, ValueRange v) { return activate(b, v[0], activation); });
  l.einsum("FFNT", "BHFP", sum, {{"AR", "BSP"}, {"WFT", "SHF"}}, binary<arith::MulFOp>,
           std::make_pair(StringRef("BFT"), StringRef("HF")));
}

/// The groups with what Table 1 and Table 2 of the paper say of them.
static SmallVector<Attribute> getGroups(Builder &b, const Model &model,
                                        const LayerOptions &options) {
  auto strings = [&](std::initializer_list<StringRef> list) {
    return b.getStrArrayAttr(ArrayRef<StringRef>(list));
  };
  const int64_t repeats[2][4] = {{1, 1, 2, 1}, {1, 2, 3, 1}};
  auto group = [&](unsigned i, StringRef name, ArrayAttr rows, ArrayAttr columns, StringAttr pack,
                   ArrayAttr memory, ArrayAttr buffer) -> Attribute {
    return cascade::GroupAttr::get(b.getContext(), name,
                                   model.encoder * repeats[0][i] + model.decoder * repeats[1][i],
                                   rows, columns, pack, memory, buffer);
  };
  // Heads that share an array stage their blocks of scores at the same time.
  std::string staged = std::to_string(std::min<int64_t>(model.heads, 4));
  std::string scores = "2*" + staged + "*N'*P'", running = "16*" + staged + "*P'";
  ArrayAttr projected = options.omitValueInput
                            ? strings({"INPQ", "WQ", "INPK", "WK", "WV", "BK", "BV"})
                            : strings({"INPQ", "WQ", "INPK", "WK", "INPV", "WV", "BK", "BV"});
  return {group(0, "QKV", strings({"P", "N"}), strings({"H", "E", "F"}), {}, projected,
                strings({"4*B*D*P", "3*B*D*M*N", "3*D*H*E", "2*B*H*P"})),
          group(1, "MHA", strings({"P"}), strings({"N"}), b.getStringAttr("H"),
                strings({"BK", "BV"}),
                strings({"B*H*E*P", "2*B*H*E*M*N", "2*B*H*P", "2*B*H*F*P", scores, running})),
          group(2, "LayerNorm", strings({"P"}), strings({"H", "F"}), {}, strings({}),
                strings({"3*B*H*F*P", "8*B*P'"})),
          group(3, "FFN", strings({"P"}), strings({"S"}), {}, strings({"WF", "BF", "WFT", "BFT"}),
                strings({"2*H*F*B*P", "H*F*S", "S*P", "2*S", "2*S*P'"}))};
}

using Argument = std::pair<std::string, StringRef>;

/// Parameters of an encoder or decoder, and its input.
static void addArguments(SmallVectorImpl<Argument> &args, StringRef suffix) {
  for (auto [name, letters] :
       {std::make_pair("INPQ", "BDP"), std::make_pair("WQ", "DHE"), std::make_pair("WK", "DHE"),
        std::make_pair("WV", "DHF"), std::make_pair("INP", "BHFP"), std::make_pair("WF", "HFS"),
        std::make_pair("BF", "S"), std::make_pair("WFT", "SHF"), std::make_pair("BFT", "HF")})
    args.push_back({(name + suffix).str(), letters});
}

/// Every part as often as the model has it. What an attention after the first asks with, and what
/// a LayerNorm adds, is what came before.
static Value buildInSequence(LayerBuilder &l, const Model &model, bool decoder, StringRef suffix) {
  unsigned count = 0;
  auto next = [&] {
    l.suffix = (suffix + (count ? "_" + Twine(count + 1) : Twine(""))).str();
    ++count;
  };
  for (StringRef name : {"INPQ", "WQ", "WK", "WV", "INP", "WF", "BF", "WFT", "BFT"})
    l.tensors[name] = l.tensors.lookup((name + suffix).str());
  next();
  // Keys and values come from the same positions, in blocks.
  SmallVector<ReassociationIndices> blocks{{0}, {1}, {2, 3}};
  l.tensors["INPK"] = l.tensors["INPV"] =
      tensor::ExpandShapeOp::create(l.b, l.loc, l.type("BDMN"), l.tensors["INPQ"], blocks);
  buildQKV(l);
  for (unsigned i = 0; i < (decoder ? 2 : 1); ++i) {
    buildAttention(l);
    buildLayerNorm(l);
    l.tensors["INP"] = l.tensors["Q"] = l.tensors["NR"];
    next();
  }
  buildFeedForward(l, model.activation);
  l.tensors["AV"] = l.tensors["FFNT"];
  buildLayerNorm(l);
  return l.tensors["NR"];
}

/// Groups as the paper has them, each once.
static Value buildByGroups(LayerBuilder &l, const Model &model) {
  l.group = l.b.getStringAttr("QKV");
  buildQKV(l);
  l.group = l.b.getStringAttr("MHA");
  buildAttention(l);
  l.group = l.b.getStringAttr("LayerNorm");
  buildLayerNorm(l);
  l.group = l.b.getStringAttr("FFN");
  buildFeedForward(l, model.activation);
  return l.tensors["FFNT"];
}

cascade::GraphOp mlir::flashfusion::plan::buildLayerIR(OpBuilder &b, const Model &model,
                                                       const LayerOptions &options) {
  b.getContext()
      ->loadDialect<cascade::CascadeDialect, func::FuncDialect, arith::ArithDialect,
                    math::MathDialect, tensor::TensorDialect>();
  Location loc = b.getUnknownLoc();
  LayerBuilder l{b, loc, {}, {}, {}, {}};
  SmallVector<Attribute> ranks;
  auto rank = [&](StringRef name, int64_t size) {
    l.sizes[name] = size;
    ranks.push_back(cascade::RankAttr::get(b.getContext(), name, size));
  };
  // In the order of LayerRank.
  rank("D", model.width);
  rank("F", model.headSize);
  rank("E", model.headSize);
  rank("N", options.keyBlock);
  rank("M", options.sequence / options.keyBlock);
  rank("P", options.sequence);
  rank("H", model.heads);
  rank("B", options.batch);
  rank("S", model.hidden);
  SmallVector<Argument> args = {{"INPQ", "BDP"}, {"INPK", "BDMN"}, {"INPV", "BDMN"}, {"WQ", "DHE"},
                                {"WK", "DHE"},   {"WV", "DHF"},    {"INP", "BHFP"},  {"WF", "HFS"},
                                {"BF", "S"},     {"WFT", "SHF"},   {"BFT", "HF"}};
  // The suffixes of what is built in sequence.
  SmallVector<std::pair<bool, StringRef>> parts;
  if (options.inSequence) {
    args.clear();
    if (model.encoder)
      parts.push_back({false, ""});
    if (model.decoder)
      parts.push_back({true, model.encoder ? ".d" : ""});
    for (auto [decoder, suffix] : parts)
      addArguments(args, suffix);
  }
  SmallVector<Type> types;
  SmallVector<StringRef> argNames;
  for (const auto &[name, letters] : args) {
    types.push_back(l.type(letters));
    argNames.push_back(name);
  }
  SmallVector<Type> resultTypes(std::max<size_t>(parts.size(), 1), l.type("BHFP"));
  auto func =
      func::FuncOp::create(b, loc, model.name.lower(), b.getFunctionType(types, resultTypes));
  OpBuilder::InsertionGuard guard(b);
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  ArrayAttr groups =
      options.inSequence ? ArrayAttr() : b.getArrayAttr(getGroups(b, model, options));
  auto graph = cascade::GraphOp::create(b, loc, resultTypes, b.getStringAttr(model.name),
                                        entry->getArguments(), b.getStrArrayAttr(argNames),
                                        b.getArrayAttr(ranks), groups);
  func::ReturnOp::create(b, loc, graph.getResults());
  Block *body =
      b.createBlock(&graph.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
  for (auto [name, arg] : llvm::zip_equal(argNames, body->getArguments()))
    l.tensors[name] = arg;
  SmallVector<Value> results;
  for (auto [decoder, suffix] : parts)
    results.push_back(buildInSequence(l, model, decoder, suffix));
  if (!options.inSequence)
    results.push_back(buildByGroups(l, model));
  cascade::YieldOp::create(b, l.loc, results);
  return graph;
}

plan::Cascade mlir::flashfusion::plan::buildLayer(const Model &model, const LayerOptions &options) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OpBuilder b(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  Cascade layer = llvm::cantFail(readCascade(buildLayerIR(b, model, options)));
  for (Group &group : layer.groups)
    for (Einsum &einsum : group.einsums)
      einsum.opaqueOp = nullptr; // the IR ends here
  return layer;
}
