//===- KernelModel.cpp - What can be one kernel ----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/KernelModel.h"

#include "KernelReader.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace mlir::flashfusion::plan;

StringRef mlir::flashfusion::plan::stringifyKernelKind(KernelKind kind) {
  switch (kind) {
  case KernelKind::Prepare:
    return "prepare";
  case KernelKind::Rows:
    return "rows";
  case KernelKind::Linear:
    return "linear";
  case KernelKind::Attention:
    return "attention";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Weights and activations
//===----------------------------------------------------------------------===//

/// What a sum starts from (a bias) has no rank that is summed over.
static bool isFactor(const Einsum &einsum, const Operand &read) {
  return read.ranks & einsum.ranks & ~einsum.result.ranks;
}

static bool isProduct(const Einsum &einsum) {
  return einsum.op == OpKind::Contract && einsum.result.ranks != einsum.ranks;
}

KernelModel::KernelModel(const Cascade &cascade, const Target &target)
    : cascade(cascade), target(target) {
  for (RankId rank = 0; rank < cascade.ranks.size(); ++rank)
    if (cascade.ranks[rank].iterative)
      iterativeRanks |= rankBit(rank);
  for (const Group &group : this->cascade.groups)
    for (const Einsum &einsum : group.einsums)
      writer[einsum.result.tensor] = &einsum;
  // Not what a step of the product's own operation makes, which may be of either operand.
  StringSet<> maps;
  for (const Group &group : this->cascade.groups)
    for (const Einsum &einsum : group.einsums)
      if (einsum.result.ranks == einsum.ranks && all_of(einsum.reads, [&](const Operand &read) {
            return isWeights(read.tensor) || maps.contains(read.tensor);
          })) {
        maps.insert(einsum.result.tensor);
        if (einsum.result.words > 0)
          given.insert(einsum.result.tensor);
      }
  // Rows are what a Linear's other operands have: their leaves are activations.
  SmallVector<const Operand *> open;
  for (const Group &group : this->cascade.groups)
    for (const Einsum &einsum : group.einsums)
      if (isProduct(einsum))
        if (std::optional<Product> product = KernelReader::readProduct(*this, einsum);
            product && product->weights) {
          rowRanks |= einsum.result.ranks & ~einsum.reads[product->right].ranks;
          for (auto [i, read] : enumerate(einsum.reads))
            if (i != product->right && isFactor(einsum, read))
              open.push_back(&read);
        }
  StringSet<> seen;
  while (!open.empty()) {
    const Operand *operand = open.pop_back_val();
    if ((rowRanks && !(operand->ranks & rowRanks)) || !seen.insert(operand->tensor).second)
      continue;
    const Einsum *from = writer.lookup(operand->tensor);
    if (!from)
      activations.insert(operand->tensor);
    else if (!isProduct(*from))
      for (const Operand &read : from->reads)
        open.push_back(&read);
  }
}

bool KernelModel::isPrepared(const Group &group) const {
  if (activations.empty())
    return false; // no Linear tells weights from activations
  StringSet<> seen;
  SmallVector<const Einsum *> open;
  for (const Einsum &einsum : group.einsums)
    open.push_back(&einsum);
  while (!open.empty()) {
    const Einsum *einsum = open.pop_back_val();
    if (!seen.insert(einsum->result.tensor).second)
      continue;
    if (einsum->returned || (einsum->ranks & iterativeRanks))
      return false;
    for (const Operand &read : einsum->reads) {
      if (activations.contains(read.tensor))
        return false;
      if (const Einsum *from = writer.lookup(read.tensor))
        open.push_back(from);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One group
//===----------------------------------------------------------------------===//

std::optional<Product> KernelReader::readProduct(const KernelModel &model, const Einsum &einsum) {
  Product product;
  // Weights come last in x W; among several given operands the last with ranks of its own.
  std::optional<unsigned> given, any;
  auto ranksWithout = [&](unsigned i) {
    RankSet others = 0;
    for (unsigned j = 0; j < einsum.reads.size(); ++j)
      if (j != i && isFactor(einsum, einsum.reads[j]))
        others |= einsum.reads[j].ranks;
    return others;
  };
  unsigned factors = 0;
  for (unsigned i = 0; i < einsum.reads.size(); ++i) {
    if (!isFactor(einsum, einsum.reads[i]))
      continue;
    ++factors;
    if (!(einsum.reads[i].ranks & einsum.result.ranks & ~ranksWithout(i)))
      continue;
    any = i;
    if (model.isWeights(einsum.reads[i].tensor))
      given = i;
  }
  if (!any || factors < 2)
    return std::nullopt;
  product.weights = given.has_value();
  product.right = given.value_or(*any);
  RankSet others = ranksWithout(product.right);
  RankSet columns = einsum.reads[product.right].ranks & einsum.result.ranks & ~others;
  // A matrix for every sequence (a cache of keys) is no Linear's.
  product.weights &= !(einsum.reads[product.right].ranks & einsum.result.ranks & others);
  product.rows = model.cascade.volume(einsum.result.ranks & ~columns);
  product.columns = model.cascade.volume(columns);
  product.depth = model.cascade.volume(einsum.ranks & ~einsum.result.ranks);
  return product;
}

KernelReader::KernelReader(const KernelModel &model, const Group &group)
    : model(model), group(group), size(group.einsums.size()), preds(size), after(size) {
  StringMap<unsigned> position;
  for (unsigned i = 0; i < size; ++i)
    position[group.einsums[i].result.tensor] = i;
  for (unsigned i = 0; i < size; ++i) {
    const Einsum &einsum = group.einsums[i];
    for (const Operand &read : einsum.reads) {
      auto it = position.find(read.tensor);
      if (it == position.end())
        continue;
      unsigned from = it->second;
      if (!read.carried && from < i) {
        preds[i] |= preds[from] | NodeSet(1) << from;
        if (read.moved)
          movedInside |= NodeSet(1) << i;
      }
    }
    if (isProduct(einsum))
      if (std::optional<Product> product = readProduct(model, einsum)) {
        product->einsum = i;
        findLeft(*product, i, position);
        products.push_back(*product);
        productSet |= NodeSet(1) << i;
      }
  }
  std::vector<NodeSet> readers(size);
  for (unsigned i = 0; i < size; ++i) {
    after[i] = preds[i] & productSet;
    for (unsigned j = 0; j < i; ++j)
      if (preds[i] >> j & 1)
        readers[j] |= NodeSet(1) << i;
  }
  // Also what only finalizers read, such as a row's factor times a column's sum.
  for (unsigned i = size; i-- > 0;)
    if (after[i] || (readers[i] && !(readers[i] & ~behind) && !isReduction(i) &&
                     !(productSet >> i & 1) && !group.einsums[i].result.offChip))
      behind |= NodeSet(1) << i;
}

bool KernelReader::sameOperation(unsigned a, unsigned b) const {
  return group.einsums[a].operation == group.einsums[b].operation;
}

/// Through steps of the product's own operation (a gain).
void KernelReader::findLeft(Product &product, unsigned einsum,
                            const StringMap<unsigned> &position) {
  for (auto [i, read] : enumerate(group.einsums[einsum].reads)) {
    if (einsum == product.einsum && (i == product.right || !isFactor(group.einsums[einsum], read)))
      continue;
    auto it = position.find(read.tensor);
    if (it != position.end() && it->second < einsum && sameOperation(it->second, product.einsum)) {
      folded |= NodeSet(1) << it->second;
      findLeft(product, it->second, position);
    } else if (!model.rowRanks || (read.ranks & model.rowRanks) || !model.isWeights(read.tensor)) {
      product.left.push_back(read.tensor);
    }
  }
  llvm::sort(product.left);
}

bool KernelReader::isReduction(unsigned i) const {
  const Einsum &einsum = group.einsums[i];
  return einsum.result.ranks != einsum.ranks && !(productSet >> i & 1);
}

double KernelReader::reducedVolume(unsigned i) const {
  const Einsum &einsum = group.einsums[i];
  return model.cascade.volume(einsum.ranks & ~einsum.result.ranks);
}

Refusal KernelReader::checkRows() const {
  double fiber = 0;
  for (unsigned i = 0; i < size; ++i) {
    if (!isReduction(i))
      continue;
    if (fiber && fiber != reducedVolume(i))
      return {"reductions of different lengths"};
    fiber = reducedVolume(i);
  }
  if (model.target.gpu && fiber * 4 > double(model.target.gpu->sharedBytes))
    return {"a row does not fit in shared memory", /*open=*/true};
  return {};
}

Refusal KernelReader::checkLinear(Kernel &kernel) {
  const Product &first = products.front();
  for (const Product &product : products) {
    if (!product.weights)
      return {"products with and without weights"};
    if (product.left != first.left || product.depth != first.depth || product.rows != first.rows)
      return {"Linears of different tensors"};
    if (model.target.gpu && std::max({product.rows, product.columns, product.depth}) > 0x1p31)
      return {"a Linear with more rows, columns or steps than a kernel counts"};
    if (after[product.einsum])
      return {"a Linear that waits for another one"};
    for (unsigned i = 0; i < product.einsum; ++i)
      if ((preds[product.einsum] >> i & 1) && !sameOperation(i, product.einsum))
        return {"a Linear of what the kernel computes"};
  }
  NodeSet needed = 0; // by statistics
  for (unsigned i = size; i-- > 0;) {
    const Einsum &einsum = group.einsums[i];
    if ((productSet | folded) >> i & 1)
      continue;
    if (behind >> i & 1) {
      if (isReduction(i))
        return {"a reduction over columns, which are in several blocks"};
      if (movedInside >> i & 1)
        return {"a result that is read at other positions"};
      continue;
    }
    if (einsum.result.offChip)
      return {"statistics that others read", /*open=*/true};
    if (isReduction(i)) {
      if (reducedVolume(i) != first.depth)
        return {"a reduction that is no statistic of the Linears' rows"};
      kernel.statistics = true;
      needed |= preds[i];
    } else if (model.cascade.volume(einsum.result.ranks) > first.rows && !(needed >> i & 1)) {
      return {"a map in front of the Linears", /*open=*/true};
    }
  }
  // Statistics of the very tensor that is multiplied.
  if (kernel.statistics)
    for (unsigned i = 0; i < size; ++i)
      if (!((behind | productSet | folded) >> i & 1))
        for (const Operand &read : group.einsums[i].reads)
          if (model.writer.contains(read.tensor) || model.activations.contains(read.tensor))
            if (!is_contained(first.left, read.tensor) && read.offChip)
              return {"statistics of another tensor"};
  // Factors of rows that another kernel computes stand for the norm in front of the Linears.
  for (unsigned i = 0; i < size; ++i)
    for (const Operand &read : group.einsums[i].reads)
      if (isRowFactor(i, read) && !comesFrom(read.tensor, first.left))
        return {"a factor of rows from another kernel"};
  return checkOutputs(kernel);
}

/// A vector over the rows that another kernel writes and a finalizer reads.
bool KernelReader::isRowFactor(unsigned i, const Operand &read) const {
  return read.offChip && model.writer.contains(read.tensor) && (behind >> i & 1) &&
         read.words > 0 && read.words <= products.front().rows && (read.ranks & model.rowRanks);
}

bool KernelReader::comesFrom(StringRef tensor, ArrayRef<std::string> sources) const {
  SmallVector<StringRef> open{tensor};
  StringSet<> seen;
  while (!open.empty()) {
    StringRef next = open.pop_back_val();
    if (is_contained(sources, next))
      return true;
    if (!seen.insert(next).second)
      continue;
    if (const Einsum *from = model.writer.lookup(next); from && !isProduct(*from))
      for (const Operand &read : from->reads)
        open.push_back(read.tensor);
  }
  return false;
}

/// Linears that one output takes share a tile; every output takes as many.
Refusal KernelReader::checkOutputs(Kernel &kernel) const {
  NodeSet left = productSet;
  std::optional<int> linears;
  while (left) {
    NodeSet cls = left & -left;
    for (bool grown = true; grown;) {
      grown = false;
      for (unsigned i = 0; i < size; ++i)
        if ((after[i] & cls) && (after[i] & ~cls)) {
          cls |= after[i];
          grown = true;
        }
    }
    int count = popcount(cls);
    if (linears && *linears != count)
      return {"outputs that take different numbers of Linears", /*open=*/true};
    linears = count;
    left &= ~cls;
  }
  kernel.linearsPerOutput = linears.value_or(1);
  return {};
}

Refusal KernelReader::checkAttention() const {
  if (products.size() > 2)
    return {"more than two products"};
  NodeSet start = NodeSet(1) << products.front().einsum;
  if (products.size() == 2 && !(after[products[1].einsum] & start))
    return {"products that do not follow one another"};
  for (const Product &product : products)
    if (product.weights)
      return {"products with and without weights"};
  double keys = products.front().columns, block = 0, fiber = 0;
  for (unsigned i = 0; i < size; ++i) {
    const Einsum &einsum = group.einsums[i];
    bool inside = einsum.ranks & model.iterativeRanks;
    if (!inside && !(productSet >> i & 1) && !after[i])
      return {"a map in front of attention"};
    if (movedInside >> i & 1)
      return {"a result that is read at other positions"};
    if (!isReduction(i) && (i == products.front().einsum || !(productSet >> i & 1)))
      continue;
    if (inside)
      block = std::max(block, reducedVolume(i));
    else if (reducedVolume(i) == keys)
      fiber = keys;
    else
      return {"a reduction over something else than keys"};
  }
  if (!model.target.gpu)
    return {};
  // Blocks of 128 rows, of 64 where they hold all scores of a row; keys and values of two blocks.
  const Gpu &gpu = *model.target.gpu;
  double head = products.front().depth, width = products.back().columns;
  if (products.size() == 1)
    width = 0;
  double bytes = block ? 2 * (128 * head + 2 * block * (head + width))
                       : (fiber ? 64 * fiber * 4 + 2 * 64 * (2 * head + 2 * width) : 0);
  if (bytes > double(gpu.sharedBytes))
    return {"what is read again does not fit in shared memory"};
  double accumulators = block ? (block + width) / 2 : 0;
  if (accumulators + double(gpu.otherRegisters) > double(gpu.threadRegisters))
    return {"scores and results of a block do not fit in registers"};
  return {};
}

Refusal KernelReader::classify(Kernel &kernel) {
  kernel.products = products;
  if (products.empty()) {
    kernel.kind = KernelKind::Rows;
    return checkRows();
  }
  if (any_of(products, [](const Product &product) { return product.weights; })) {
    kernel.kind = KernelKind::Linear;
    return checkLinear(kernel);
  }
  kernel.kind = KernelKind::Attention;
  return checkAttention();
}

std::optional<Kernel> KernelModel::describe(const Group &group, Refusal &refusal,
                                            uint64_t visits) const {
  Kernel kernel;
  if (group.einsums.size() > 64) {
    refusal = {"more than 64 steps"};
    return std::nullopt;
  }
  if (isPrepared(group)) {
    kernel.kind = KernelKind::Prepare;
    return kernel;
  }
  KernelReader reader(*this, group);
  refusal = reader.classify(kernel);
  if (refusal.reason.empty())
    refusal = {reader.price(kernel, visits)};
  if (!refusal.reason.empty())
    return std::nullopt;
  return kernel;
}
