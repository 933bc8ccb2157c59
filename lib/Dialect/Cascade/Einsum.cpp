//===- Einsum.cpp - cascade.einsum -----------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/Cascade/Cascade.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::flashfusion::cascade;

static EinsumOp::Names toNames(ArrayAttr names) {
  EinsumOp::Names result;
  if (names)
    for (auto name : names.getAsRange<StringAttr>())
      result.push_back(name.getValue());
  return result;
}

EinsumOp::Names EinsumOp::getReadRanks(unsigned input) {
  return toNames(cast<ArrayAttr>(getReads()[input]));
}
EinsumOp::Names EinsumOp::getInitRankNames() { return toNames(getInitRanksAttr()); }
EinsumOp::Names EinsumOp::getWriteRanks() { return toNames(getWrites()); }

EinsumOp::Names EinsumOp::getReducedRanks() {
  Names writes = getWriteRanks(), reduced;
  for (unsigned i = 0; i < getInputs().size(); ++i)
    for (StringRef rank : getReadRanks(i))
      if (rank != "_" && !llvm::is_contained(writes, rank) && !llvm::is_contained(reduced, rank))
        reduced.push_back(rank);
  return reduced;
}

EinsumOp::Names EinsumOp::getIterationRanks() {
  Names ranks = getWriteRanks();
  llvm::append_range(ranks, getReducedRanks());
  return ranks;
}

int64_t EinsumOp::getRankSize(StringRef rank) {
  int64_t size = ShapedType::kDynamic;
  auto look = [&](Type type, const Names &names) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    for (auto [i, name] : llvm::enumerate(names))
      if (shaped && name == rank && size == ShapedType::kDynamic)
        size = shaped.getDimSize(i);
  };
  look(getType(), getWriteRanks());
  for (auto [i, input] : llvm::enumerate(getInputs()))
    look(input.getType(), getReadRanks(i));
  return size;
}

Value EinsumOp::getYielded() { return getBody().front().getTerminator()->getOperand(0); }

EinsumOp mlir::flashfusion::cascade::createEinsum(OpBuilder &b, Location loc, StringRef name,
                                                  ArrayRef<StringRef> writes,
                                                  std::optional<Reduction> reduction,
                                                  ArrayRef<Access> reads,
                                                  function_ref<Value(OpBuilder &, ValueRange)> body,
                                                  StringAttr group, std::optional<Access> init) {
  SmallVector<Value> inputs;
  SmallVector<Attribute> subscripts;
  llvm::StringMap<int64_t> sizes;
  auto scan = [&](const Access &access) {
    if (auto type = dyn_cast<RankedTensorType>(access.value.getType()))
      for (auto [rank, size] : llvm::zip_equal(access.ranks, type.getShape()))
        sizes.try_emplace(rank, size);
  };
  for (const Access &read : reads) {
    inputs.push_back(read.value);
    subscripts.push_back(b.getStrArrayAttr(read.ranks));
    scan(read);
  }
  if (init)
    scan(*init);
  // The body first: its value decides the element type.
  Region region;
  auto *block = new Block;
  region.push_back(block);
  for (Value input : inputs)
    block->addArgument(getElementTypeOrSelf(input.getType()), loc);
  Type element;
  {
    OpBuilder inner(b.getContext());
    inner.setInsertionPointToEnd(block);
    Value value = body(inner, block->getArguments());
    element = value.getType();
    YieldOp::create(inner, loc, value);
  }
  SmallVector<int64_t> shape;
  for (StringRef rank : writes)
    shape.push_back(sizes.lookup(rank));
  auto einsum = EinsumOp::create(
      b, loc, RankedTensorType::get(shape, element), b.getStringAttr(name), inputs,
      init ? init->value : Value(), b.getArrayAttr(subscripts),
      init ? b.getStrArrayAttr(init->ranks) : ArrayAttr(), b.getStrArrayAttr(writes),
      reduction ? ReductionAttr::get(b.getContext(), *reduction) : ReductionAttr(), group);
  einsum.getBody().takeBody(region);
  return einsum;
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

static ParseResult parseSubscript(OpAsmParser &parser, ArrayAttr &names) {
  SmallVector<Attribute> list;
  auto parseName = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    list.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseName))
    return failure();
  names = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printSubscript(OpAsmPrinter &p, ArrayAttr names) {
  p << "[";
  llvm::interleaveComma(names.getAsRange<StringAttr>(), p,
                        [&](StringAttr name) { p.printKeywordOrString(name); });
  p << "]";
}

ParseResult EinsumOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  StringAttr name;
  ArrayAttr writes, subscript;
  std::string reduction;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Attribute> reads;
  if (parser.parseAttribute(name) || parseSubscript(parser, writes) || parser.parseEqual())
    return failure();
  SMLoc at = parser.getCurrentLocation();
  auto parseRead = [&]() -> ParseResult {
    if (parser.parseOperand(operands.emplace_back()) || parseSubscript(parser, subscript))
      return failure();
    reads.push_back(subscript);
    return success();
  };
  if (parser.parseKeywordOrString(&reduction) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseRead))
    return failure();
  if (reduction != "map") {
    std::optional<Reduction> kind = symbolizeReduction(reduction);
    if (!kind)
      return parser.emitError(at, "expected map, add or max");
    result.addAttribute(getReductionAttrName(result.name),
                        ReductionAttr::get(b.getContext(), *kind));
  }
  int32_t inputs = operands.size();
  if (succeeded(parser.parseOptionalKeyword("init"))) {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parseSubscript(parser, subscript) || parser.parseRParen())
      return failure();
    result.addAttribute(getInitRanksAttrName(result.name), subscript);
  }
  if (succeeded(parser.parseOptionalKeyword("group"))) {
    // No attribute: a string attribute would take the colon of the types for its own.
    std::string group;
    if (parser.parseString(&group))
      return failure();
    result.addAttribute(getGroupAttrName(result.name), b.getStringAttr(group));
  }
  result.addAttribute(getNameAttrName(result.name), name);
  result.addAttribute(getWritesAttrName(result.name), writes);
  result.addAttribute(getReadsAttrName(result.name), b.getArrayAttr(reads));
  result.addAttribute(
      getOperandSegmentSizesAttrName(result.name),
      b.getDenseI32ArrayAttr({inputs, static_cast<int32_t>(operands.size()) - inputs}));
  FunctionType type;
  SMLoc typeAt;
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&typeAt) || parser.parseType(type) ||
      parser.resolveOperands(operands, type.getInputs(), typeAt, result.operands) ||
      parser.addTypesToList(type.getResults(), result.types) ||
      parser.parseRegion(*result.addRegion()))
    return failure();
  return success();
}

void EinsumOp::print(OpAsmPrinter &p) {
  p << " ";
  p.printAttribute(getNameAttr());
  printSubscript(p, getWrites());
  p << " = " << (getReduction() ? stringifyReduction(*getReduction()) : "map") << "(";
  llvm::interleaveComma(llvm::enumerate(getInputs()), p, [&](auto input) {
    p << input.value();
    printSubscript(p, cast<ArrayAttr>(getReads()[input.index()]));
  });
  p << ")";
  if (getInit()) {
    p << " init(" << getInit();
    printSubscript(p, getInitRanksAttr());
    p << ")";
  }
  if (getGroupAttr()) {
    p << " group ";
    p.printString(*getGroup());
  }
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {getNameAttrName(), getReadsAttrName(), getWritesAttrName(),
                                      getInitRanksAttrName(), getReductionAttrName(),
                                      getGroupAttrName(), getOperandSegmentSizesAttrName()});
  p << " : ";
  p.printFunctionalType(*this);
  p << " ";
  p.printRegion(getBody());
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// One operand or the result: names fit its dimensions and agree in size with the others.
static LogicalResult verifySubscript(EinsumOp op, const Twine &what, Type type,
                                     const EinsumOp::Names &names, bool allowUnit,
                                     llvm::StringMap<int64_t> &sizes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t rank = tensor ? tensor.getRank() : 0;
  if (rank != static_cast<int64_t>(names.size()))
    return op.emitOpError() << what << " has " << rank << " dimensions but " << names.size()
                            << " ranks";
  llvm::SmallSet<StringRef, 8> seen;
  for (auto [i, name] : llvm::enumerate(names)) {
    int64_t size = tensor.getDimSize(i);
    if (name.empty())
      return op.emitOpError() << what << " has a rank without a name";
    if (name == "_") {
      if (!allowUnit || size != 1)
        return op.emitOpError() << what << " has '_' for a dimension of size other than 1, or in "
                                << "the result";
      continue;
    }
    if (!seen.insert(name).second)
      return op.emitOpError() << what << " has rank " << name << " twice";
    auto [it, isNew] = sizes.try_emplace(name, size);
    if (ShapedType::isDynamic(it->second))
      it->second = size;
    else if (!ShapedType::isDynamic(size) && it->second != size)
      return op.emitOpError() << "rank " << name << " has size " << it->second << " and " << size;
  }
  return success();
}

LogicalResult EinsumOp::verifyRegions() {
  if (getName().empty())
    return emitOpError("needs a name");
  if (getReads().size() != getInputs().size())
    return emitOpError() << "has " << getInputs().size() << " operands but " << getReads().size()
                         << " subscripts";
  llvm::StringMap<int64_t> sizes;
  Names writes = getWriteRanks();
  if (failed(verifySubscript(*this, "the result", getType(), writes, false, sizes)))
    return failure();
  for (auto [i, input] : llvm::enumerate(getInputs()))
    if (failed(verifySubscript(*this, "operand " + Twine(i), input.getType(), getReadRanks(i), true,
                               sizes)))
      return failure();
  if (bool(getInit()) != bool(getInitRanksAttr()))
    return emitOpError("needs ranks of its init, and only of one that it has");
  if (getInit()) {
    if (failed(
            verifySubscript(*this, "init", getInit().getType(), getInitRankNames(), true, sizes)))
      return failure();
    for (StringRef rank : getInitRankNames())
      if (rank != "_" && !llvm::is_contained(writes, rank))
        return emitOpError() << "init has rank " << rank << ", which the result lacks";
    if (!getReduction())
      return emitOpError("has an init but reduces nothing");
    if (getElementTypeOrSelf(getInit().getType()) != getType().getElementType())
      return emitOpError("init and result differ in element type");
  }
  if (getReduction() && getReducedRanks().empty())
    return emitOpError("has a reduction but the result has every rank");
  if (!getReduction() && !getReducedRanks().empty())
    return emitOpError() << "says map but the result lacks rank " << getReducedRanks()[0];
  if (getReduction() && !isa<FloatType>(getType().getElementType()))
    return emitOpError("reduces what is not of a float type");

  for (StringRef rank : writes) {
    bool read = llvm::is_contained(getInitRankNames(), rank);
    for (unsigned i = 0; i < getInputs().size(); ++i)
      read |= llvm::is_contained(getReadRanks(i), rank);
    if (!read && ShapedType::isDynamic(sizes.lookup(rank)))
      return emitOpError() << "has rank " << rank
                           << " in its result, of a size that no operand says";
  }

  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError() << "expects an argument of its body for each operand";
  for (auto [arg, input] : llvm::zip_equal(block.getArguments(), getInputs()))
    if (arg.getType() != getElementTypeOrSelf(input.getType()))
      return emitOpError() << "argument " << arg.getArgNumber() << " of its body is no element of "
                           << "its operand";
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != 1 ||
      yield.getValues()[0].getType() != getType().getElementType())
    return emitOpError("expects its body to yield one element of the result");
  for (Operation &op : block.without_terminator())
    if (!isMemoryEffectFree(&op) || op.getNumRegions() || op.getNumResults() != 1 ||
        isa<ShapedType>(op.getResult(0).getType()))
      return emitOpError() << "has an operation in its body that is not a pure one on scalars: "
                           << op.getName();
  return success();
}
