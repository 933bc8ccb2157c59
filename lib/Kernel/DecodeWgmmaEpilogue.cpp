//===- DecodeWgmmaEpilogue.cpp - Factors, finalizer, stores ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "DecodeWgmma.h"
#include "Wgmma.h"
#include "WgmmaEpilogue.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;

namespace {

struct Epilogue {
  Kernel &kernel;
  const wgmma::OutputElements &elements;
  V accumulators;
  int64_t part; ///< rank of this block in its cluster

  /// Groups of 8 columns that this block finalizes.
  int64_t eights() const { return kernel.plan.outN() / 8 / kernel.plan.split; }
  SmallVector<V> products(int64_t linear, int64_t j);
  void store();
};

} // namespace

/// Where block `from` of a cluster leaves this thread's part of slot `slot` for another one
/// that counts `from` without itself.
static V partialAt(Kernel &kernel, V from, int64_t slot) {
  const Plan &plan = kernel.plan;
  int64_t bytes = plan.multiplyingThreads() * 16;
  V offset = from * (plan.slots() * bytes) + kernel.tid.shl(4);
  return kernel.kb.at(kernel.smem, offset + (plan.partialOffset + slot * bytes));
}

void decodewgmma::sendPartials(Kernel &kernel, V accumulators) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t eights = plan.outN() / 8 / plan.split;
  for (int64_t to = 0; to < plan.split; ++to)
    kb.ifThen(kernel.rank.ne(to), [&] {
      V from = kb.select(kernel.rank.lt(to), kernel.rank, kernel.rank - 1);
      for (int64_t l = 0; l < plan.linears; ++l)
        for (int64_t j = 0; j < eights; ++j) {
          int64_t eight = l * plan.outN() / 8 + to * eights + j;
          SmallVector<V> four;
          for (int64_t i = 0; i < 4; ++i)
            four.push_back(wgmma::element(kb, accumulators, 4 * eight + i));
          V place = partialAt(kernel, from, l * eights + j);
          kb.store(kb.pack(four), cluster::peer(kb, place, kb.i32(to)), 16);
        }
    });
}

/// Two neighbours in the first row, two in the second: sums over all of K, the parts of
/// the cluster's blocks added up in the order of their ranks.
SmallVector<V> Epilogue::products(int64_t linear, int64_t j) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t eight = linear * plan.outN() / 8 + j;
  SmallVector<V> mine, sums;
  for (int64_t i = 0; i < 4; ++i)
    mine.push_back(wgmma::element(kb, accumulators, 4 * eight + i));
  if (plan.split == 1)
    return mine;
  for (int64_t from = 0; from < plan.split; ++from) {
    SmallVector<V> four(mine);
    if (from != part) {
      V other = kb.i32(from < part ? from : from - 1);
      V loaded = kb.load(partialAt(kernel, other, linear * eights() + j - part * eights()),
                         VectorType::get({4}, kb.b.getF32Type()), 16);
      for (int64_t i = 0; i < 4; ++i)
        four[i] = kb.extract(loaded, i);
    }
    for (int64_t i = 0; i < 4; ++i)
      if (from == 0)
        sums.push_back(four[i]);
      else
        sums[i] = sums[i] + four[i];
  }
  return sums;
}

void Epilogue::store() {
  wgmma::OutputElements::Rows rows = elements.locateRows();
  // Tiles are loaded ahead of the stores, which the compiler must not move them across.
  constexpr int64_t ahead = 4;
  SmallVector<std::array<wgmma::OutputElements::TilePairs, 2>> tiles;
  int64_t begin = part * eights(), end = begin + eights();
  for (int64_t j = begin; j < end; ++j) {
    if ((j - begin) % ahead == 0) {
      tiles.clear();
      for (int64_t i = j; i < std::min(j + ahead, end); ++i)
        tiles.push_back(elements.loadTiles(i));
    }
    auto ofLinear = [&](int64_t l) { return products(l, j); };
    elements.store(j, elements.finalize(j, ofLinear, tiles[(j - begin) % ahead]), rows);
  }
}

void decodewgmma::emitEpilogue(Kernel &kernel, V group, Tile tile, V accumulators) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V warp = kernel.tid.shr(5) & 3;
  V firstRow = group.shl(6) + warp.shl(4) + kernel.lane.shr(2);
  V firstCol = (kernel.lane & 3).shl(1);
  SmallVector<V> factors[2];
  for (int64_t f = 0; f < plan.factors(); ++f)
    for (int64_t h = 0; h < 2; ++h) {
      V place = firstRow.shl(2) + (plan.factorOffset + f * plan.factorBytes() + 32 * h);
      factors[f].push_back(kb.load(kb.at(kernel.smem, place), kb.b.getF32Type(), 4));
    }
  kernel.forOutput(tile, [&](const OutputPlan &output) {
    wgmma::OutputElements elements{kb,          plan.op,           output,     kernel.args,
                                   kernel.rows, firstRow,          firstCol,   tile.col,
                                   kernel.smem, plan.vectorOffset, factors[0], factors[1]};
    for (int64_t part = 0; part < plan.split; ++part) {
      Epilogue epilogue{kernel, elements, accumulators, part};
      if (plan.split == 1)
        epilogue.store();
      else
        kb.ifThen(kernel.rank.eq(part), [&] { epilogue.store(); });
    }
  });
}
