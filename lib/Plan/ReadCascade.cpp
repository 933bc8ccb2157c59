//===- ReadCascade.cpp - The planner's view of a cascade.graph -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %rm = cascade.iterate "M" ... {                    Einsum RM, op max, ranks {B,H,M,P}
//     %1 = cascade.einsum "RM"[B, H, P]                reads RM{B,H,M,P} carried,
//            = map(%rm[B, H, P], %lm[B, H, P])               LM{B,H,M,P}
//
// What is written in the body of an iteration has the iterative rank, so have the fibers
// of its streams, its running tensors and, as the last element, its results.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "FlashFusion/Plan/Cascade.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir::flashfusion;
using namespace mlir::flashfusion::plan;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;

cascade::EinsumOp plan::Einsum::getOp() const {
  return llvm::cast_or_null<cascade::EinsumOp>(static_cast<Operation *>(opaqueOp));
}

namespace {
struct Reader {
  explicit Reader(cascade::GraphOp graph) : graph(graph) {}

  Expected<plan::Cascade> read();

private:
  /// A tensor behind an operand, through views.
  struct Source {
    Value value;
    RankSet iterative = 0;
    bool carried = false;
    bool moved = false; ///< by a view that is no reshape
  };
  void findSources(Value value, llvm::SmallVectorImpl<Source> &sources);
  RankSet setOf(llvm::ArrayRef<StringRef> names);
  RankSet enclosing(Operation *op);
  bool inMemory(const Source &source, const Group &group);
  bool isReturned(Value value);
  bool isMovedByDefault(Value value, StringRef groupName);
  Error addEinsum(cascade::EinsumOp op);
  Error checkMemory();
  Error parseGroup(cascade::GroupAttr attr);
  Expected<RankSet> parseSet(mlir::ArrayAttr names);
  Error parseTerm(StringRef text, BufferTerm &term);
  StringRef groupOf(Operation *op);

  cascade::GraphOp graph;
  plan::Cascade result;
  unsigned operations = 0;
  llvm::StringMap<unsigned> groupIndex;
  /// Per group the names in memory, if it lists them.
  std::vector<std::optional<llvm::StringSet<>>> memory;
};
} // namespace

static Error fail(const llvm::Twine &message) { return llvm::createStringError(message); }

RankSet Reader::setOf(llvm::ArrayRef<StringRef> names) {
  RankSet set = 0;
  for (StringRef name : names)
    if (name != "_")
      set |= rankBit(*result.findRank(name));
  return set;
}

RankSet Reader::enclosing(Operation *op) {
  RankSet set = 0;
  while ((op = op->getParentOp()) && op != graph.getOperation())
    if (auto iterate = llvm::dyn_cast<cascade::IterateOp>(op))
      set |= setOf(iterate.getRank());
  return set;
}

void Reader::findSources(Value value, llvm::SmallVectorImpl<Source> &sources) {
  if (auto arg = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    auto iterate = llvm::dyn_cast<cascade::IterateOp>(arg.getOwner()->getParentOp());
    if (!iterate || arg.getArgNumber() == 0) {
      sources.push_back({value});
      return;
    }
    RankSet rank = setOf(iterate.getRank());
    unsigned streams = iterate.getStreams().size();
    if (arg.getArgNumber() <= streams) {
      unsigned first = sources.size();
      findSources(iterate.getStreams()[arg.getArgNumber() - 1], sources);
      for (unsigned i = first; i < sources.size(); ++i)
        sources[i].iterative |= rank;
      return;
    }
    sources.push_back({value, rank, true});
    return;
  }
  Operation *op = value.getDefiningOp();
  if (llvm::isa<cascade::EinsumOp, cascade::IterateOp>(op) || op->getNumOperands() == 0) {
    RankSet iterative = enclosing(op);
    if (auto iterate = llvm::dyn_cast<cascade::IterateOp>(op))
      iterative |= setOf(iterate.getRank());
    sources.push_back({value, iterative});
    return;
  }
  unsigned first = sources.size();
  for (Value operand : op->getOperands())
    if (llvm::isa<mlir::RankedTensorType>(operand.getType()))
      findSources(operand, sources);
  if (!llvm::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp, mlir::tensor::CastOp>(
          op))
    for (unsigned i = first; i < sources.size(); ++i)
      sources[i].moved = true;
}

/// Elements of a tensor; 0 if not known.
static double countWords(Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return 0;
  double words = 1;
  for (int64_t size : type.getShape())
    words *= double(size);
  return words;
}

/// Whether a map reads an operand in another order than it writes.
static bool isTransposed(llvm::ArrayRef<StringRef> reads, llvm::ArrayRef<StringRef> writes) {
  const StringRef *after = writes.begin();
  for (StringRef rank : reads) {
    const StringRef *found = llvm::find(writes, rank);
    if (found == writes.end())
      continue;
    if (found < after)
      return true;
    after = found;
  }
  return false;
}

StringRef Reader::groupOf(Operation *op) {
  if (auto einsum = llvm::dyn_cast_or_null<cascade::EinsumOp>(op))
    return einsum.getGroup().value_or(graph.getName());
  return "";
}

/// As it is or through views, by an iteration too.
bool Reader::isReturned(Value value) {
  llvm::SmallVector<Value> views{value};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (user == graph.getBody().front().getTerminator())
        return true;
      if (auto yield = llvm::dyn_cast<cascade::YieldOp>(user)) {
        for (auto [next, last] : llvm::zip(yield.getValues(), user->getParentOp()->getResults()))
          if (next == view)
            views.push_back(last);
      } else if (!llvm::isa<cascade::IterateOp, cascade::EinsumOp>(user)) {
        llvm::append_range(views, user->getResults());
      }
    }
  }
  return false;
}

/// Without a list: arguments, what the graph returns, what one group writes for another.
bool Reader::isMovedByDefault(Value value, StringRef groupName) {
  if (auto arg = llvm::dyn_cast<mlir::BlockArgument>(value))
    return arg.getOwner() == &graph.getBody().front();
  Operation *op = value.getDefiningOp();
  if (auto iterate = llvm::dyn_cast<cascade::IterateOp>(op)) {
    Value last = iterate.getYielded()[llvm::cast<mlir::OpResult>(value).getResultNumber()];
    op = last.getDefiningOp();
  }
  if (op && groupOf(op) != groupName)
    return true;
  llvm::SmallVector<Value> views{value};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (user == graph.getBody().front().getTerminator())
        return true;
      if (llvm::isa<cascade::EinsumOp>(user)) {
        if (groupOf(user) != groupName)
          return true;
      } else if (auto yield = llvm::dyn_cast<cascade::YieldOp>(user)) {
        for (auto [next, last] : llvm::zip(yield.getValues(), user->getParentOp()->getResults()))
          if (next == value)
            views.push_back(last);
      } else if (!llvm::isa<cascade::IterateOp>(user)) {
        llvm::append_range(views, user->getResults());
      }
    }
  return false;
}

bool Reader::inMemory(const Source &source, const Group &group) {
  const auto &listed = memory[groupIndex[group.name]];
  return listed ? listed->contains(cascade::getTensorName(source.value))
                : !source.carried && isMovedByDefault(source.value, group.name);
}

Error Reader::addEinsum(cascade::EinsumOp op) {
  StringRef groupName = groupOf(op);
  auto [it, isNew] = groupIndex.try_emplace(groupName, result.groups.size());
  if (isNew) {
    result.groups.emplace_back().name = groupName.str();
    memory.emplace_back();
  }
  Group &group = result.groups[it->second];
  RankSet around = enclosing(op);
  llvm::SmallVector<cascade::MapStep> steps = cascade::getMapSteps(op);
  unsigned first = group.einsums.size();
  auto nameOf = [&](unsigned i) {
    std::string name = op.getName().str();
    return i + 1 == steps.size() ? name : name + ":" + std::to_string(i + 1);
  };
  auto addReads = [&](Einsum &einsum, Value value, llvm::ArrayRef<StringRef> names) {
    llvm::SmallVector<Source> sources;
    findSources(value, sources);
    for (const Source &source : sources)
      einsum.reads.push_back(
          {cascade::getTensorName(source.value), setOf(names) | source.iterative,
           inMemory(source, group), source.carried,
           source.moved || (!op.getReduction() && isTransposed(names, op.getWriteRanks())),
           countWords(source.value)});
  };
  for (auto [i, step] : llvm::enumerate(steps)) {
    Einsum einsum;
    einsum.name = nameOf(i);
    einsum.op = step.kind;
    einsum.ranks = around;
    einsum.opaqueOp = op.getOperation();
    einsum.operation = operations;
    for (unsigned input : step.inputs) {
      addReads(einsum, op.getInputs()[input], op.getReadRanks(input));
      einsum.ranks |= setOf(op.getReadRanks(input));
    }
    for (unsigned earlier : step.steps) {
      const Einsum &from = group.einsums[first + earlier];
      einsum.reads.push_back({from.name, from.ranks});
      einsum.ranks |= from.ranks;
    }
    RankSet resultRanks = einsum.ranks;
    bool last = i + 1 == steps.size();
    if (last || !step.value) {
      einsum.ranks |= setOf(op.getIterationRanks());
      resultRanks = setOf(op.getWriteRanks()) | around;
    }
    if (last && op.getInit())
      addReads(einsum, op.getInit(), op.getInitRankNames());
    const auto &listed = memory[it->second];
    bool moved = last && (listed ? listed->contains(op.getName())
                                 : isMovedByDefault(op.getResult(), groupName));
    einsum.result = {einsum.name, resultRanks, moved};
    if (last) {
      einsum.result.words = countWords(op.getResult());
      einsum.returned = isReturned(op.getResult());
    }
    group.einsums.push_back(std::move(einsum));
  }
  ++operations;
  return Error::success();
}

Expected<RankSet> Reader::parseSet(mlir::ArrayAttr names) {
  RankSet set = 0;
  if (names)
    for (auto name : names.getAsRange<mlir::StringAttr>()) {
      std::optional<RankId> rank = result.findRank(name.getValue());
      if (!rank)
        return fail("there is no rank " + name.getValue());
      set |= rankBit(*rank);
    }
  return set;
}

/// "2*B*P'" with P' the tile of an array.
Error Reader::parseTerm(StringRef text, BufferTerm &term) {
  llvm::SmallVector<StringRef> factors;
  text.split(factors, '*');
  for (StringRef factor : factors) {
    factor = factor.trim();
    double value;
    if (!factor.getAsDouble(value)) {
      term.coefficient *= value;
      continue;
    }
    Level level = factor.consume_back("'") ? Level::Pe : Level::Buffer;
    std::optional<RankId> rank = result.findRank(factor);
    if (!rank)
      return fail("'" + text + "': '" + factor + "' is neither a number nor a rank");
    term.factors.push_back({*rank, level});
  }
  return Error::success();
}

Error Reader::parseGroup(cascade::GroupAttr attr) {
  groupIndex[attr.getName()] = result.groups.size();
  Group &group = result.groups.emplace_back();
  group.name = attr.getName().str();
  group.repeats = attr.getRepeats();
  Expected<RankSet> rows = parseSet(attr.getRows());
  if (!rows)
    return rows.takeError();
  Expected<RankSet> columns = parseSet(attr.getColumns());
  if (!columns)
    return columns.takeError();
  group.rowRanks = *rows;
  group.columnRanks = *columns;
  if (attr.getPack()) {
    group.packRank = result.findRank(attr.getPack().getValue());
    if (!group.packRank)
      return fail("there is no rank " + attr.getPack().getValue());
  }
  if (attr.getBuffer())
    for (auto text : attr.getBuffer().getAsRange<mlir::StringAttr>())
      if (Error error = parseTerm(text.getValue(), group.buffer.emplace_back()))
        return error;
  auto &listed = memory.emplace_back();
  if (attr.getMemory()) {
    listed.emplace();
    for (auto name : attr.getMemory().getAsRange<mlir::StringAttr>())
      listed->insert(name.getValue());
  }
  return Error::success();
}

/// Misspelt tensors must not silently stay on chip.
Error Reader::checkMemory() {
  llvm::StringSet<> tensors;
  for (const Group &group : result.groups)
    for (const Einsum &einsum : group.einsums) {
      tensors.insert(einsum.result.tensor);
      for (const Operand &read : einsum.reads)
        tensors.insert(read.tensor);
    }
  if (graph.getGroupsAttr())
    for (auto group : graph.getGroupsAttr().getAsRange<cascade::GroupAttr>())
      if (group.getMemory())
        for (auto name : group.getMemory().getAsRange<mlir::StringAttr>())
          if (!tensors.contains(name.getValue()))
            return fail("group " + group.getName() + " has " + name.getValue() +
                        " in memory, which no Einsum reads or writes");
  return Error::success();
}

Expected<plan::Cascade> Reader::read() {
  result.name = graph.getName().str();
  result.exactGroups = !graph->hasAttr(inexactGroupsAttr);
  llvm::StringSet<> iterative;
  graph.getBody().walk([&](cascade::IterateOp op) { iterative.insert(op.getRank()); });
  for (auto [name, size] : graph.collectRanks()) {
    if (size < 1)
      return fail("rank " + name + " has no known size");
    result.ranks.push_back({name.str(), size, iterative.contains(name)});
  }
  if (result.ranks.size() > 64)
    return fail("more than 64 ranks");
  if (graph.getGroupsAttr())
    for (auto group : graph.getGroupsAttr().getAsRange<cascade::GroupAttr>())
      if (Error error = parseGroup(group))
        return Error(std::move(error));
  Error error = Error::success();
  graph.getBody().walk<mlir::WalkOrder::PreOrder>([&](cascade::EinsumOp op) {
    error = addEinsum(op);
    return error ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (error)
    return Error(std::move(error));
  if (Error unknown = checkMemory())
    return Error(std::move(unknown));
  llvm::erase_if(result.groups, [](const Group &group) { return group.einsums.empty(); });
  if (std::string message = verify(result); !message.empty())
    return fail(message);
  return std::move(result);
}

Expected<plan::Cascade> plan::readCascade(cascade::GraphOp graph) { return Reader(graph).read(); }
