//===- WgmmaPartials.cpp - K in parts over a cluster -----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WgmmaPartials.h"
#include "Cluster.h"
#include "Wgmma.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::wgmma;

SmallVector<V> Partials::own(int64_t linear, int64_t j) const {
  SmallVector<V> four;
  for (int64_t i = 0; i < 4; ++i)
    four.push_back(element(kb, accumulators, 4 * (linear * tileLinear / 8 + j) + i));
  return four;
}

/// Where this thread's sums are that have to do with block number `other` of the others: by block,
/// warp and slot.
V Partials::placeIn(V base, V other, int64_t slot) const {
  V at = other * (threads / 32 * warpBytes()) + thread.shr(5) * warpBytes() + (thread % 32).shl(4);
  return kb.at(base, at + slot * 512);
}

/// For every other block `to`: the number that this block has among its others, and it among this
/// one's.
void Partials::forOthers(llvm::function_ref<void(int64_t, V, V)> body) const {
  for (int64_t to = 0; to < parts; ++to)
    kb.ifThen(rank.ne(to), [&] {
      V before = rank.lt(to);
      body(to, kb.select(before, rank, rank - 1), kb.select(before, kb.i32(to - 1), kb.i32(to)));
    });
}

void Partials::store() const {
  V base = kb.at(smem, offset);
  forOthers([&](int64_t to, V mine, V) {
    for (int64_t l = 0; l < linears; ++l)
      for (int64_t j = 0; j < eights(); ++j)
        kb.store(kb.pack(own(l, to * eights() + j)),
                 cluster::peer(kb, placeIn(base, mine, l * eights() + j), kb.i32(to)), 16);
  });
}

void Partials::copy(V staging, V full) const {
  forOthers([&](int64_t to, V, V theirs) {
    for (int64_t l = 0; l < linears; ++l)
      for (int64_t j = 0; j < eights(); ++j)
        kb.store(kb.pack(own(l, to * eights() + j)), placeIn(staging, theirs, l * eights() + j),
                 16);
  });
  kb.fenceAsync();
  kb.syncWarp();
  V base = kb.at(smem, offset);
  kb.ifThen((thread % 32).eq(0), [&] {
    forOthers([&](int64_t to, V mine, V theirs) {
      V rank = kb.i32(to);
      cluster::copy(kb, cluster::peer(kb, placeIn(base, mine, 0), rank),
                    placeIn(staging, theirs, 0), cluster::peer(kb, full, rank), warpBytes());
    });
  });
}

SmallVector<V> Partials::total(int64_t part, int64_t linear, int64_t j) const {
  SmallVector<V> mine = own(linear, j), sums;
  for (int64_t from = 0; from < parts; ++from) {
    SmallVector<V> four(mine);
    if (from != part) {
      V place = placeIn(kb.at(smem, offset), kb.i32(from < part ? from : from - 1),
                        linear * eights() + j - part * eights());
      V sent = kb.load(place, VectorType::get({4}, kb.b.getF32Type()), 16);
      for (int64_t i = 0; i < 4; ++i)
        four[i] = kb.extract(sent, i);
    }
    for (int64_t i = 0; i < 4; ++i)
      if (from == 0)
        sums.push_back(four[i]);
      else
        sums[i] = sums[i] + four[i];
  }
  return sums;
}

static void storePart(const OutputElements &elements, const Partials &partials, int64_t part) {
  OutputElements::Rows rows = elements.locateRows();
  // Tiles are loaded ahead of the stores, which the compiler must not move them across.
  constexpr int64_t ahead = 4;
  SmallVector<std::array<OutputElements::TilePairs, 2>> tiles;
  int64_t begin = part * partials.eights(), end = begin + partials.eights();
  for (int64_t j = begin; j < end; ++j) {
    if ((j - begin) % ahead == 0) {
      tiles.clear();
      for (int64_t i = j; i < std::min(j + ahead, end); ++i)
        tiles.push_back(elements.loadTiles(i));
    }
    auto ofLinear = [&](int64_t l) { return partials.total(part, l, j); };
    elements.store(j, elements.finalize(j, ofLinear, tiles[(j - begin) % ahead]), rows);
  }
}

/// By halves: comparisons for equality would become a jump table.
static void storeParts(const OutputElements &elements, const Partials &partials, int64_t first,
                       int64_t last) {
  if (first == last)
    return storePart(elements, partials, first);
  int64_t middle = (first + last + 1) / 2;
  partials.kb.ifThenElse(
      partials.rank.lt(middle), [&] { storeParts(elements, partials, first, middle - 1); },
      [&] { storeParts(elements, partials, middle, last); });
}

void wgmma::store(const OutputElements &elements, const Partials &partials) {
  storeParts(elements, partials, 0, partials.parts - 1);
}
