//===- DecodeWgmmaEpilogue.cpp - Factors, finalizer, stores ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "DecodeWgmma.h"
#include "Wgmma.h"
#include "WgmmaPartials.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decodewgmma;

static wgmma::Partials partialsOf(Kernel &kernel, V accumulators) {
  const Plan &plan = kernel.plan;
  return {kernel.kb,
          kernel.smem,
          kernel.tid,
          kernel.rank,
          accumulators,
          plan.split,
          plan.multiplyingThreads(),
          plan.linears,
          plan.outN(),
          plan.partialOffset};
}

void decodewgmma::sendPartials(Kernel &kernel, V accumulators) {
  partialsOf(kernel, accumulators).store();
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
    wgmma::store(elements, partialsOf(kernel, accumulators));
  });
}
