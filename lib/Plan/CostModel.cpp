//===- CostModel.cpp - Compute load, traffic and buffer need ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/CostModel.h"

#include <algorithm>
#include <limits>

using namespace llvm;
using namespace mlir::flashfusion::plan;

double mlir::flashfusion::plan::usableLanes(const Group &group, const Cascade &cascade,
                                            const Einsum &einsum, const Array &array,
                                            int64_t packLimit) {
  if (array.flat)
    return array.lanes();
  int64_t rows = einsum.ranks & group.rowRanks ? array.rows : 1;
  int64_t columns = array.columns;
  if (!(einsum.ranks & group.columnRanks)) {
    int64_t packed = 1;
    if (group.packRank && contains(einsum.ranks, *group.packRank))
      packed = std::min(packLimit, cascade.ranks[*group.packRank].size);
    columns = std::min(columns, packed);
  }
  return double(rows) * double(columns);
}

double mlir::flashfusion::plan::computeCycles(const Group &group, const Cascade &cascade,
                                              const Einsum &einsum, const Array &array,
                                              int64_t packLimit) {
  if (!array.supports(einsum.op))
    return std::numeric_limits<double>::infinity();
  return cascade.volume(einsum.ranks) * array.cost[unsigned(einsum.op)] /
         usableLanes(group, cascade, einsum, array, packLimit);
}

/// How often a tensor is moved.
static double countMoves(const Cascade &cascade, const Einsum &einsum, const Operand &operand,
                         const Tiling &tiling) {
  double moves = 1;
  bool insideOwnLoop = true;
  for (RankId rank = 0; rank < cascade.ranks.size(); ++rank) {
    if (!contains(einsum.ranks, rank) || tiling.dram[rank] <= 1)
      continue;
    if (contains(operand.ranks, rank))
      insideOwnLoop = false;
    else if (!insideOwnLoop)
      moves *= double(tiling.dram[rank]);
  }
  return moves;
}

double mlir::flashfusion::plan::movedBytes(const Cascade &cascade, const Einsum &einsum,
                                           const Operand &operand, const Tiling &tiling,
                                           double wordBytes) {
  double moves = countMoves(cascade, einsum, operand, tiling);
  // Partial sums that are written more than once are read back in between.
  if (&operand == &einsum.result)
    moves = 2 * moves - 1;
  return cascade.volume(operand.ranks) * moves * wordBytes;
}

double mlir::flashfusion::plan::trafficBytes(const Cascade &cascade, const Einsum &einsum,
                                             const Tiling &tiling, double wordBytes) {
  double bytes = 0;
  for (const Operand &operand : einsum.reads)
    if (operand.offChip)
      bytes += movedBytes(cascade, einsum, operand, tiling, wordBytes);
  if (einsum.result.offChip)
    bytes += movedBytes(cascade, einsum, einsum.result, tiling, wordBytes);
  return bytes;
}

static double tileWords(RankSet ranks, const Tiling &tiling) {
  double product = 1;
  for (RankId rank = 0; rank < tiling.pe.size(); ++rank)
    if (contains(ranks, rank))
      product *= double(tiling.inBuffer(rank));
  return product;
}

double mlir::flashfusion::plan::bufferBytes(const Group &group, const Tiling &tiling,
                                            double wordBytes, bool inMemory) {
  double largest = 0, all = 0;
  for (const Einsum &einsum : group.einsums) {
    double words = 0;
    if (!inMemory || einsum.result.offChip)
      words += tileWords(einsum.result.ranks, tiling);
    for (const Operand &operand : einsum.reads)
      if (inMemory ? operand.offChip : !operand.carried)
        words += tileWords(operand.ranks, tiling);
    largest = std::max(largest, words);
    all += 2 * words;
  }
  double closed = group.buffer.empty() ? all : 0;
  for (const BufferTerm &term : group.buffer) {
    double product = term.coefficient;
    for (auto [rank, level] : term.factors)
      product *= double(level == Level::Pe ? tiling.pe[rank] : tiling.inBuffer(rank));
    closed += product;
  }
  return std::max(largest, closed) * wordBytes;
}

std::string mlir::flashfusion::plan::verify(const Cascade &cascade, const Tiling &tiling) {
  size_t count = cascade.ranks.size();
  if (tiling.dram.size() != count || tiling.buffer.size() != count || tiling.pe.size() != count)
    return "a tiling needs three factors for each rank";
  for (RankId rank = 0; rank < count; ++rank) {
    int64_t dram = tiling.dram[rank], buffer = tiling.buffer[rank], pe = tiling.pe[rank];
    int64_t size = cascade.ranks[rank].size;
    const std::string &name = cascade.ranks[rank].name;
    if (dram < 1 || buffer < 1 || pe < 1)
      return "tile factors of rank " + name + " must be positive";
    // Compared by division: products of factors from outside may overflow.
    if (size % dram || (size / dram) % buffer || size / dram / buffer != pe)
      return "tile factors of rank " + name + " (" + std::to_string(dram) + " x " +
             std::to_string(buffer) + " x " + std::to_string(pe) + ") do not make up its size " +
             std::to_string(size);
  }
  return "";
}
