//===- Cascade.cpp - Cascades of Einsums as the planner sees them ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Cascade.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace mlir::flashfusion::plan;

std::optional<RankId> Cascade::findRank(StringRef rankName) const {
  for (RankId i = 0; i < ranks.size(); ++i)
    if (ranks[i].name == rankName)
      return i;
  return std::nullopt;
}

const Group *Cascade::findGroup(StringRef groupName) const {
  for (const Group &group : groups)
    if (group.name == groupName)
      return &group;
  return nullptr;
}

double Cascade::volume(RankSet set) const {
  double product = 1;
  for (RankId i = 0; i < ranks.size(); ++i)
    if (contains(set, i))
      product *= double(ranks[i].size);
  return product;
}

std::vector<Dependence> mlir::flashfusion::plan::getDependences(const Group &group) {
  StringMap<unsigned> producer;
  for (unsigned i = 0; i < group.einsums.size(); ++i)
    producer[group.einsums[i].result.tensor] = i;
  std::vector<Dependence> dependences;
  for (unsigned i = 0; i < group.einsums.size(); ++i)
    for (const Operand &operand : group.einsums[i].reads)
      if (auto it = producer.find(operand.tensor); it != producer.end())
        dependences.push_back({it->second, i, operand.carried});
  return dependences;
}

std::string mlir::flashfusion::plan::verify(const Cascade &cascade) {
  if (cascade.ranks.size() > 64)
    return "more than 64 ranks";
  bool iterative = false;
  for (const Rank &rank : cascade.ranks) {
    if (rank.size < 1)
      return "rank " + rank.name + " has no positive size";
    iterative |= rank.iterative;
  }
  for (const Group &group : cascade.groups) {
    std::string where = "group " + group.name + ": ";
    if (group.einsums.empty() || group.einsums.size() > 64)
      return where + "between 1 and 64 Einsums are planned together";
    StringMap<unsigned> producer;
    for (unsigned i = 0; i < group.einsums.size(); ++i) {
      const Einsum &einsum = group.einsums[i];
      if (cascade.ranks.size() < 64 && einsum.ranks >> cascade.ranks.size())
        return where + einsum.name + " uses an unknown rank";
      if (einsum.result.ranks & ~einsum.ranks)
        return where + einsum.name + " writes a rank it does not iterate over";
      if (!producer.try_emplace(einsum.result.tensor, i).second)
        return where + einsum.result.tensor + " is written twice";
    }
    for (const Dependence &dep : getDependences(group)) {
      if (!dep.carried && dep.from >= dep.to)
        return where + group.einsums[dep.to].name + " comes before what it reads";
      if (dep.carried && !iterative)
        return where + group.einsums[dep.to].name + " reads an earlier step of no iterative rank";
    }
  }
  return "";
}
