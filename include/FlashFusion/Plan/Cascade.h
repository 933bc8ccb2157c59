//===- Cascade.h - Cascades of Einsums as the planner sees them ----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a plan needs to know of a `cascade.graph`: Einsums as elementary steps, by the
// ranks they touch, in groups that are fused and scheduled together. `readCascade` makes
// it from the IR, for the paper's layers and for programs raised from linalg alike:
//
//   BQK[h,m,n,p] = Q[h,e,p] * BK[h,e,m,n]      op contract, ranks {B,H,M,N,P,E}
//   RM[h,m+1,p]  = max(RM[h,m,p], LM[h,m,p])   op max, reads RM as a carried operand
//
// Dependencies are not listed: an Einsum depends on whoever writes the tensors it
// reads, within a step of the iterative rank, or across steps where the operand is
// `carried`.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_CASCADE_H
#define FLASHFUSION_PLAN_CASCADE_H

#include "FlashFusion/Dialect/Cascade/OpKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace mlir::flashfusion::cascade {
class EinsumOp;
class GraphOp;
} // namespace mlir::flashfusion::cascade

namespace mlir::flashfusion::plan {

using cascade::OpKind;
using cascade::stringifyOpKind;
using cascade::symbolizeOpKind;
constexpr unsigned numOpKinds = cascade::getMaxEnumValForOpKind() + 1;

/// A rank by its position in Cascade::ranks, and a set of them.
using RankId = unsigned;
using RankSet = uint64_t;
constexpr RankSet rankBit(RankId rank) { return RankSet(1) << rank; }
inline bool contains(RankSet set, RankId rank) { return set & rankBit(rank); }

struct Rank {
  std::string name;
  int64_t size = 1;
  /// Steps of this rank follow one another: carried operands come from the step before.
  bool iterative = false;
};

/// A tensor as an Einsum touches it.
struct Operand {
  std::string tensor;
  RankSet ranks = 0;
  /// The tensor lives in memory and is moved for this Einsum.
  bool offChip = false;
  /// Read: the value of the previous step of the iterative rank.
  bool carried = false;
  /// Read at other positions than it was written at: transposed, or through a slice or the like.
  bool moved = false;
  /// Elements of the tensor itself; 0 if it is no tensor of the IR or of unknown size.
  double words = 0;
};

struct Einsum {
  std::string name;
  OpKind op = OpKind::Contract;
  /// The iteration space: ranks of the result and of the reduction.
  RankSet ranks = 0;
  std::vector<Operand> reads;
  Operand result;
  /// The graph returns the result.
  bool returned = false;
  /// Steps of one operation of the IR have one number.
  unsigned operation = 0;
  /// The operation itself, while the IR lives that it was read from.
  cascade::EinsumOp getOp() const;
  void *opaqueOp = nullptr;
};

/// The levels of a tiling, outermost first: loops over memory, loops over the
/// on-chip buffer, the tile an array works on.
enum class Level : uint8_t { Dram, Buffer, Pe };

/// coefficient * product of tile sizes, in words; a buffer need is a sum of them.
struct BufferTerm {
  double coefficient = 1;
  std::vector<std::pair<RankId, Level>> factors;
};

/// Einsums that are fused: scheduled as one, sharing the on-chip buffer.
struct Group {
  std::string name;
  /// Producers before consumers (carried operands apart).
  std::vector<Einsum> einsums;
  /// What the rows and the columns of an array run over.
  RankSet rowRanks = 0, columnRanks = 0;
  /// Where an Einsum has no column rank, several indices of this rank share the array.
  std::optional<RankId> packRank;
  /// Words of buffer in closed form; without it, two tiles of every operand.
  std::vector<BufferTerm> buffer;
  /// How often the group occurs in the layer.
  unsigned repeats = 1;
};

constexpr llvm::StringLiteral inexactGroupsAttr = "cascade.inexact_groups";

struct Cascade {
  std::string name;
  /// In the order of the loops over memory, innermost first.
  std::vector<Rank> ranks;
  std::vector<Group> groups;
  /// False if the groups are kernels of a search that was left before its end: the graph has
  /// `inexactGroupsAttr`.
  bool exactGroups = true;

  std::optional<RankId> findRank(llvm::StringRef rankName) const;
  const Group *findGroup(llvm::StringRef groupName) const;
  /// The number of points in the product of the ranks.
  double volume(RankSet set) const;
};

/// An edge of a group's dependence graph, by positions in Group::einsums.
struct Dependence {
  unsigned from, to;
  bool carried; ///< `to` reads what `from` wrote a step earlier
};
std::vector<Dependence> getDependences(const Group &group);

/// The planner's view of a graph: Einsums without a group form one of their own, named
/// after the graph. An error if a size is not known or more than the planner can take.
llvm::Expected<Cascade> readCascade(cascade::GraphOp graph);

/// Empty if the cascade is well formed, else what is wrong with it.
std::string verify(const Cascade &cascade);

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_CASCADE_H
