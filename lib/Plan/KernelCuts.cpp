//===- KernelCuts.cpp - Which Einsums share a kernel -----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shortest path from no operation to all of them over sets closed under predecessors; an edge is
// a kernel. First with bounds from below, then DPipe schedules the kernels of the path found, until
// all of a path are scheduled: none that was passed over is shorter then.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/KernelCuts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <map>
#include <unordered_map>

using namespace llvm;
using namespace mlir::flashfusion::plan;

Group mlir::flashfusion::plan::mergeGroups(const Cascade &cascade, ArrayRef<unsigned> operations) {
  Group merged;
  StringSet<> inside, outside;
  for (auto [index, group] : enumerate(cascade.groups)) {
    bool in = is_contained(operations, index);
    for (const Einsum &einsum : group.einsums) {
      if (in) {
        inside.insert(einsum.result.tensor);
        continue;
      }
      for (const Operand &read : einsum.reads)
        outside.insert(read.tensor);
    }
  }
  for (unsigned index : operations) {
    const Group &group = cascade.groups[index];
    merged.name += (merged.name.empty() ? "" : "+") + group.name;
    merged.rowRanks |= group.rowRanks;
    merged.columnRanks |= group.columnRanks;
    for (Einsum einsum : group.einsums) {
      for (Operand &read : einsum.reads)
        read.offChip &= !inside.contains(read.tensor);
      einsum.result.offChip &= einsum.returned || outside.contains(einsum.result.tensor);
      merged.einsums.push_back(std::move(einsum));
    }
  }
  return merged;
}

/// So many operations are looked at one by one.
static constexpr unsigned maxSingle = 16;

namespace {
/// An operation, or several that no good kernel would divide.
struct Atom {
  SmallVector<unsigned> groups;
  NodeSet preds = 0, neighbours = 0; ///< atoms it reads from; atoms that read what it reads, too
};

class CutSearch {
public:
  CutSearch(const Cascade &cascade, const KernelModel &model, ArrayRef<unsigned> operations,
            uint64_t limit, uint64_t &visitsLeft)
      : cascade(cascade), model(model), limit(limit), visitsLeft(visitsLeft) {
    makeAtoms(operations);
  }

  /// So many atoms are cut at once.
  static constexpr size_t maxAtoms = 64;
  bool fits() const { return atoms.size() <= maxAtoms; }
  void run(KernelCuts &cuts);
  /// The operations of the first atoms, which read nothing of the others, and of the others.
  std::pair<std::vector<unsigned>, std::vector<unsigned>> divide() const;

private:
  struct Facts {
    bool product = false, reduces = false, moves = false;
  };
  /// The cheapest way to a set that is closed under predecessors.
  struct Place {
    double seconds = 0;
    unsigned kernels = 0;
    NodeSet before = 0;
  };
  struct Priced {
    std::optional<Kernel> kernel;
    bool scheduled = false;
    std::string refused; ///< why no kernel serves it, where it has one nonetheless
    bool open = false;   ///< no kernel, but perhaps with more atoms
    double weight() const { return refused.empty() ? kernel->seconds() : 1e12; }
  };

  void makeAtoms(ArrayRef<unsigned> operations);
  const Priced &price(NodeSet atoms);
  void extend(NodeSet done, NodeSet kernel, NodeSet excluded);
  void search();
  SmallVector<unsigned> groupsOf(NodeSet set) const;

  const Cascade &cascade;
  const KernelModel &model;
  uint64_t limit, evaluated = 0, steps = 0;
  uint64_t &visitsLeft; ///< for DPipe, in all kernels
  /// The limit was reached: from then on, kernels are operations in a row.
  bool inRow = false, overflow = false;
  std::vector<Atom> atoms;
  std::unordered_map<NodeSet, Priced> prices;
  /// By the number of atoms, so that a set is left when all ways to it are known.
  std::vector<std::map<NodeSet, Place>> places;
};
} // namespace

/// In more than a few operations, a map or reduction whose only reader is another one goes with it,
/// and a Linear's result with the map that alone reads it: a boundary between them costs a launch
/// and traffic and hardly ever saves anything.
void CutSearch::makeAtoms(ArrayRef<unsigned> operations) {
  StringMap<unsigned> writer; // tensor -> position in operations
  std::vector<SmallVector<unsigned>> readers(operations.size());
  std::vector<Facts> facts(operations.size());
  std::vector<SmallVector<unsigned>> reads(operations.size());
  std::vector<bool> returned(operations.size());
  // The last one before that writes a name, should several.
  for (auto [i, index] : enumerate(operations)) {
    for (const Einsum &einsum : cascade.groups[index].einsums) {
      bool reduces = einsum.result.ranks != einsum.ranks;
      facts[i].product |= reduces && einsum.op == OpKind::Contract;
      facts[i].reduces |= reduces && einsum.op != OpKind::Contract;
      returned[i] = returned[i] || einsum.returned;
      for (const Operand &read : einsum.reads) {
        facts[i].moves |= read.moved;
        auto it = writer.find(read.tensor);
        if (it == writer.end() || it->second == i)
          continue;
        if (!is_contained(reads[i], it->second)) {
          reads[i].push_back(it->second);
          readers[it->second].push_back(i);
        }
      }
    }
    for (const Einsum &einsum : cascade.groups[index].einsums)
      writer[einsum.result.tensor] = i;
  }
  // Readers come later: from the last, so that chains end up in one.
  std::vector<unsigned> atomOf(operations.size());
  for (unsigned i = 0; i < operations.size(); ++i)
    atomOf[i] = i;
  for (unsigned i = operations.size(); i-- > 0;) {
    SmallVector<unsigned> into;
    for (unsigned reader : readers[i])
      if (!is_contained(into, atomOf[reader]))
        into.push_back(atomOf[reader]);
    if (into.size() != 1 || returned[i] || operations.size() <= maxSingle)
      continue;
    Facts reader = facts[into.front()];
    bool readsProduct = any_of(reads[i], [&](unsigned p) { return facts[atomOf[p]].product; });
    bool readerReadsProduct = false;
    for (unsigned j = 0; j < operations.size(); ++j)
      if (atomOf[j] == into.front())
        for (unsigned p : reads[j])
          readerReadsProduct |= p != i && facts[p].product && atomOf[p] != into.front();
    bool together = facts[i].product ? !reader.product && !reader.reduces && !reader.moves &&
                                           !facts[i].reduces && !readerReadsProduct
                                     : !reader.product && !readsProduct;
    if (!together)
      continue;
    facts[into.front()] = {facts[i].product || reader.product, facts[i].reduces || reader.reduces,
                           facts[i].moves || reader.moves};
    atomOf[i] = into.front();
  }
  // Atoms in the order of their last operation: what they read comes before.
  std::vector<int> position(operations.size(), -1);
  for (unsigned i = 0; i < operations.size(); ++i)
    if (atomOf[i] == i) {
      position[i] = int(atoms.size());
      atoms.emplace_back();
    }
  for (unsigned i = 0; i < operations.size(); ++i)
    atoms[position[atomOf[i]]].groups.push_back(operations[i]);
  if (!fits())
    return;
  StringMap<NodeSet> sharing;
  for (unsigned i = 0; i < operations.size(); ++i) {
    unsigned atom = position[atomOf[i]];
    for (unsigned p : reads[i])
      if (unsigned from = position[atomOf[p]]; from != atom)
        atoms[atom].preds |= NodeSet(1) << from;
    for (const Einsum &einsum : cascade.groups[operations[i]].einsums)
      for (const Operand &read : einsum.reads)
        sharing[read.tensor] |= NodeSet(1) << atom;
  }
  for (Atom &atom : atoms)
    atom.neighbours |= atom.preds;
  for (const auto &entry : sharing)
    for (auto [i, atom] : enumerate(atoms))
      if (entry.second >> i & 1)
        atom.neighbours |= entry.second;
}

std::pair<std::vector<unsigned>, std::vector<unsigned>> CutSearch::divide() const {
  std::pair<std::vector<unsigned>, std::vector<unsigned>> parts;
  for (auto [i, atom] : enumerate(atoms))
    append_range(i < maxAtoms ? parts.first : parts.second, atom.groups);
  llvm::sort(parts.first);
  llvm::sort(parts.second);
  return parts;
}

SmallVector<unsigned> CutSearch::groupsOf(NodeSet set) const {
  SmallVector<unsigned> groups;
  for (auto [i, atom] : enumerate(atoms))
    if (set >> i & 1)
      append_range(groups, atom.groups);
  llvm::sort(groups);
  return groups;
}

const CutSearch::Priced &CutSearch::price(NodeSet set) {
  auto [it, isNew] = prices.try_emplace(set);
  if (isNew) {
    ++evaluated;
    Refusal refusal;
    Priced &priced = it->second;
    priced.kernel = model.describe(mergeGroups(cascade, groupsOf(set)), refusal, /*visits=*/0);
    priced.open = refusal.open;
    if (!priced.kernel && popcount(set) == 1) {
      // Something must run it.
      priced.refused =
          cascade.groups[groupsOf(set).back()].einsums.back().name + ": " + refusal.reason;
      priced.kernel.emplace();
      priced.scheduled = true;
    }
  }
  return it->second;
}

/// Grows a kernel behind `done`, each time by an operation that reads what the kernel writes or
/// reads, without `excluded`: every such kernel once.
void CutSearch::extend(NodeSet done, NodeSet kernel, NodeSet excluded) {
  if (kernel) {
    const Priced &priced = price(kernel);
    if (!priced.kernel && !priced.open)
      return;
    if (priced.kernel) {
      const Place &from = places[popcount(done)].at(done);
      NodeSet next = done | kernel;
      double seconds = from.seconds + priced.weight();
      Place place{seconds, from.kernels + 1, done};
      auto [it, isNew] = places[popcount(next)].try_emplace(next, place);
      if (!isNew && std::make_pair(seconds, place.kernels) <
                        std::make_pair(it->second.seconds, it->second.kernels))
        it->second = place;
    }
  }
  for (unsigned i = 0; i < atoms.size(); ++i) {
    NodeSet bit = NodeSet(1) << i;
    if (((done | kernel | excluded) & bit) || (atoms[i].preds & ~(done | kernel)) ||
        (kernel && !(atoms[i].neighbours & kernel)) ||
        (inRow && i != static_cast<unsigned>(popcount(done | kernel))))
      continue;
    overflow |= !inRow && (evaluated >= limit || ++steps >= 20 * limit);
    if (overflow)
      return;
    extend(done, kernel | bit, excluded);
    excluded |= bit;
  }
}

void CutSearch::search() {
  do {
    inRow |= overflow;
    overflow = false;
    places.assign(atoms.size() + 1, {});
    places[0][0] = {};
    for (unsigned count = 0; count < atoms.size() && !overflow; ++count)
      for (const auto &[done, place] : places[count])
        extend(done, 0, 0);
  } while (overflow);
}

void CutSearch::run(KernelCuts &cuts) {
  NodeSet all = atoms.size() == 64 ? ~NodeSet(0) : (NodeSet(1) << atoms.size()) - 1;
  std::vector<NodeSet> path;
  for (bool changed = true; changed;) {
    search();
    path.clear();
    changed = false;
    for (NodeSet at = all; at;) {
      NodeSet before = places[popcount(at)].at(at).before;
      path.push_back(at & ~before);
      at = before;
    }
    for (NodeSet set : path) {
      Priced &priced = prices.at(set);
      if (priced.scheduled)
        continue;
      double bound = priced.kernel->seconds();
      Refusal refusal;
      priced.kernel = model.describe(mergeGroups(cascade, groupsOf(set)), refusal,
                                     std::max<uint64_t>(visitsLeft / 4, 1000));
      visitsLeft -= std::min(visitsLeft, priced.kernel->pipe.visited);
      priced.scheduled = true;
      changed |= priced.kernel->seconds() > bound;
    }
  }
  for (NodeSet set : reverse(path)) {
    SmallVector<unsigned> groups = groupsOf(set);
    cuts.operations.emplace_back(groups.begin(), groups.end());
    cuts.kernels.push_back(*prices.at(set).kernel);
    if (cuts.unserved.empty())
      cuts.unserved = prices.at(set).refused;
    cuts.seconds += cuts.kernels.back().seconds();
  }
  cuts.evaluated += evaluated;
  cuts.exact &= !inRow;
}

KernelCuts mlir::flashfusion::plan::chooseKernels(const Cascade &cascade, const Target &target,
                                                  uint64_t limit) {
  KernelCuts cuts;
  KernelModel model(cascade, target);
  std::vector<unsigned> prepared, rest;
  for (auto [i, group] : enumerate(cascade.groups))
    (model.isPrepared(group) ? prepared : rest).push_back(i);
  if (!prepared.empty()) {
    cuts.operations.push_back(prepared);
    cuts.kernels.emplace_back().kind = KernelKind::Prepare;
  }
  uint64_t visitsLeft = maxVisits;
  // Long programs part by part.
  while (!rest.empty()) {
    auto search = std::make_unique<CutSearch>(cascade, model, rest, limit, visitsLeft);
    std::vector<unsigned> later;
    if (!search->fits()) {
      std::tie(rest, later) = search->divide();
      search = std::make_unique<CutSearch>(cascade, model, rest, limit, visitsLeft);
      cuts.exact = false;
    }
    search->run(cuts);
    rest = std::move(later);
  }
  return cuts;
}
