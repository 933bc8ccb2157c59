//===- PrefillProducer.cpp - Loads of the wgmma prefill kernel -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefillKernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

void prefill::emitProducer(Kernel &kernel) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V zero = kb.i32(0);
  // The ring runs on across tiles: the next tile's first stages are loaded
  // while the consumers store this one.
  kernel.forTiles({zero, zero}, [&](Tile tile, ArrayRef<V> ring) {
    V weights = kernel.args[plan.linears[0].weightArg];
    for (auto [l, linear] : llvm::enumerate(plan.linears))
      if (l != 0)
        weights = kb.select(tile.linear.eq(l), kernel.args[linear.weightArg], weights);
    return kb.forLoop(zero, kb.i32(plan.kSteps), kb.i32(1), ring, [&](V k, ArrayRef<V> ring) {
      V stage = kernel.stage(ring[0]), full = kernel.full(ring[0]);
      kb.mbarrierWait(kernel.empty(ring[0]), ring[1] ^ 1);
      // Boxes count in full, also where they reach past the matrix.
      kb.mbarrierExpect(full, kb.i32(plan.stageBytes));
      kb.tensorLoad(stage, kernel.args[plan.xArg], full, k * tileK, tile.row);
      kb.tensorLoad(kb.at(stage, plan.xTileBytes()), weights, full, k * tileK, tile.col);
      Ring next = kernel.advance({ring[0], ring[1]});
      return SmallVector<V>{next.stage, next.parity};
    });
  });
}

void prefill::emitVectorLoader(Kernel &kernel, V thread) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t perThread = llvm::divideCeil(plan.tileN, loaderThreads);
  kernel.forTiles({kb.i32(0)}, [&](Tile tile, ArrayRef<V> carried) {
    V parity = carried[0];
    kernel.forLinear(tile, [&](const LinearPlan &linear) {
      SmallVector<ColumnVector> vectors(linear.columns);
      if (linear.columnSum)
        vectors.push_back(*linear.columnSum);
      if (linear.shiftSum)
        vectors.push_back(*linear.shiftSum);
      // Into registers first, so that the loads overlap the previous epilogue.
      // Columns past N repeat the last one; what they lead to is not stored.
      SmallVector<V> values;
      for (const ColumnVector &vector : vectors)
        for (int64_t i = 0; i < perThread; ++i) {
          V column = kb.min(tile.col + thread + i * loaderThreads, kb.i32(linear.n - 1));
          V source = kb.at(kernel.args[vector.arg], kb.wide(column) * vector.bytes());
          values.push_back(kb.load(source, vector.type, vector.bytes()));
        }
      kb.mbarrierWait(kernel.vectorsEmpty(), parity ^ 1);
      const V *value = values.begin();
      for (const ColumnVector &vector : vectors)
        for (int64_t i = 0; i < perThread; ++i, ++value) {
          V column = thread + i * loaderThreads;
          V target =
              kb.at(kernel.smem, column * vector.bytes() + plan.vectorOffset + vector.offset);
          auto write = [&] { kb.store(*value, target, vector.bytes()); };
          if ((i + 1) * loaderThreads <= plan.tileN)
            write();
          else
            kb.ifThen(column.lt(plan.tileN), write);
        }
    });
    kb.mbarrierArrive(kernel.vectorsFull());
    return SmallVector<V>{parity ^ 1};
  });
}
