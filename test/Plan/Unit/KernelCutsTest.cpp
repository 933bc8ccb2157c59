//===- KernelCutsTest.cpp - Kernel boundaries against all partitions --------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/KernelCuts.h"
#include "Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <map>
#include <random>

using namespace llvm;
using namespace mlir::flashfusion::plan;

namespace {
/// One operation after another, each a group of its own: "z = contract MNK (x:MK w:KN)".
struct Builder {
  Cascade cascade;

  RankId rank(char name, int64_t size) {
    cascade.ranks.push_back({std::string(1, name), size});
    return cascade.ranks.size() - 1;
  }
  RankSet set(StringRef letters) {
    RankSet ranks = 0;
    for (char letter : letters)
      ranks |= rankBit(*cascade.findRank(StringRef(&letter, 1)));
    return ranks;
  }
  Operand operand(StringRef tensor, StringRef letters) {
    Operand result{tensor.str(), set(letters), /*offChip=*/true};
    result.words = cascade.volume(result.ranks);
    return result;
  }
  void add(StringRef name, OpKind op, StringRef writes, StringRef ranks,
           std::initializer_list<std::pair<StringRef, StringRef>> reads, bool returned = false) {
    Einsum einsum;
    einsum.name = name.str();
    einsum.op = op;
    einsum.ranks = set(ranks);
    for (auto [tensor, letters] : reads)
      einsum.reads.push_back(operand(tensor, letters));
    einsum.result = operand(name, writes);
    einsum.returned = returned;
    einsum.operation = cascade.groups.size();
    Group group;
    group.name = name.str();
    group.einsums.push_back(std::move(einsum));
    cascade.groups.push_back(std::move(group));
  }
};
} // namespace

/// A norm with its two gated Linears behind a residual sum that is returned, too.
static Cascade buildBlock(int64_t rows, int64_t depth, int64_t columns) {
  Builder b;
  b.rank('M', rows);
  b.rank('K', depth);
  b.rank('N', columns);
  b.add("h", OpKind::Add, "MK", "MK", {{"x", "MK"}, {"residual", "MK"}}, /*returned=*/true);
  b.add("q", OpKind::Mul, "MK", "MK", {{"h", "MK"}});
  b.add("s", OpKind::Add, "M", "MK", {{"q", "MK"}});
  b.add("r", OpKind::Rsqrt, "M", "M", {{"s", "M"}});
  b.add("gate", OpKind::Contract, "MN", "MNK", {{"h", "MK"}, {"wg", "KN"}});
  b.add("up", OpKind::Contract, "MN", "MNK", {{"h", "MK"}, {"wu", "KN"}});
  b.add("g", OpKind::Silu, "MN", "MN", {{"gate", "MN"}, {"r", "M"}});
  b.add("y", OpKind::Mul, "MN", "MN", {{"g", "MN"}, {"up", "MN"}, {"r", "M"}}, true);
  return b.cascade;
}

/// Every sequence of kernels that can be put together operation by operation, each reading what one
/// before writes or reads; without excluding, merging or bounding anything.
static double searchAll(const Cascade &cascade, const Target &target) {
  KernelModel model(cascade, target);
  unsigned size = cascade.groups.size();
  std::vector<NodeSet> preds(size), related(size);
  std::map<std::string, NodeSet> touched;
  for (unsigned i = 0; i < size; ++i)
    for (const Operand &read : cascade.groups[i].einsums.front().reads)
      touched[read.tensor] |= NodeSet(1) << i;
  std::map<std::string, unsigned> writer;
  for (unsigned i = 0; i < size; ++i) {
    for (const Operand &read : cascade.groups[i].einsums.front().reads)
      if (auto it = writer.find(read.tensor); it != writer.end())
        preds[i] |= NodeSet(1) << it->second;
    for (const Operand &read : cascade.groups[i].einsums.front().reads)
      related[i] |= touched[read.tensor];
    related[i] |= preds[i];
    writer[cascade.groups[i].name] = i;
  }
  NodeSet all = (NodeSet(1) << size) - 1;
  // Behind `done`: the last operation put there has no reader in the set.
  auto hangsTogether = [&](NodeSet kernel) -> bool {
    std::vector<bool> can(all + 1);
    for (NodeSet set = 1; set <= kernel; ++set) {
      if (set & ~kernel)
        continue;
      can[set] = isPowerOf2_64(set);
      for (unsigned i = 0; i < size && !can[set]; ++i) {
        NodeSet rest = set & ~(NodeSet(1) << i);
        bool isRead = false;
        for (unsigned j = 0; j < size; ++j)
          isRead |= (rest >> j & 1) && (preds[j] >> i & 1);
        can[set] = (set >> i & 1) && !isRead && can[rest] && (related[i] & rest);
      }
    }
    return can[kernel];
  };
  std::vector<double> best(all + 1, 1e30);
  best[0] = 0;
  std::map<NodeSet, std::optional<double>> prices;
  for (NodeSet done = 0; done < all; ++done) {
    if (best[done] > 1e29)
      continue;
    for (NodeSet kernel = 1; kernel <= all; ++kernel) {
      bool closed = !(kernel & done);
      for (unsigned i = 0; i < size; ++i)
        closed &= !(kernel >> i & 1) || !(preds[i] & ~(done | kernel));
      if (!closed)
        continue;
      auto [it, isNew] = prices.try_emplace(kernel);
      if (isNew) {
        SmallVector<unsigned> members;
        for (unsigned i = 0; i < size; ++i)
          if (kernel >> i & 1)
            members.push_back(i);
        Refusal refusal;
        if (!hangsTogether(kernel))
          continue;
        if (std::optional<Kernel> found = model.describe(mergeGroups(cascade, members), refusal))
          it->second = found->seconds();
      }
      if (it->second)
        best[done | kernel] = std::min(best[done | kernel], best[done] + *it->second);
    }
  }
  return best[all];
}

void testKernelCuts() {
  std::mt19937_64 random(5);
  Target h200 = *lookUpTarget("h200", /*compat=*/false);
  std::map<std::string, unsigned> shapes;
  const int64_t sizes[] = {1, 16, 64, 256, 1024, 4096};
  for (unsigned round = 0; round < 60; ++round) {
    Target target = h200;
    // From what no machine has to what every machine has.
    auto scale = [&] { return std::ldexp(1.0, int(random() % 9) - 4); };
    target.gpu->launchCycles *= scale();
    target.bandwidth *= scale();
    target.bufferBytes *= scale();
    target.gpu->loadSlots *= scale();
    target.gpu->rowCycles *= scale();
    if (random() % 3 == 0)
      target.gpu->threadRegisters = 127;
    if (random() % 3 == 0)
      target.gpu->sharedBytes /= 4;
    if (random() % 5 == 0)
      target.gpu.reset();
    Cascade cascade =
        buildBlock(sizes[random() % 6], sizes[3 + random() % 3], sizes[3 + random() % 3]);
    KernelCuts cuts = chooseKernels(cascade, target);
    double expected = searchAll(cascade, target);
    CHECK(cuts.exact, "round " << round);
    CHECK(cuts.unserved.empty() == (expected < 1e29), cuts.unserved);
    if (expected > 1e29)
      continue;
    std::string shape;
    for (const auto &members : cuts.operations) {
      shape += shape.empty() ? "" : " |";
      for (unsigned member : members)
        shape += " " + cascade.groups[member].name;
    }
    CHECK(std::abs(cuts.seconds - expected) <= 1e-12 * expected,
          "round " << round << ": " << cuts.seconds << " instead of " << expected << ":" << shape);
    ++shapes[shape];
  }
  CHECK(shapes.size() >= 4, "every machine and shape has the same boundaries");
  outs() << "kernel boundaries of " << shapes.size() << " kinds, all as cheap as any\n";
}
