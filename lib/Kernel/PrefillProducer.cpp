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
    SmallVector<V> weights = kernel.selectWeights(tile);
    return kb.forLoop(zero, kb.i32(plan.kSteps), kb.i32(1), ring, [&](V k, ArrayRef<V> ring) {
      V stage = kernel.stage(ring[0]), full = kernel.full(ring[0]);
      kb.mbarrierWait(kernel.empty(ring[0]), ring[1] ^ 1);
      // Boxes count in full, also where they reach past the matrix.
      kb.mbarrierExpect(full, kb.i32(plan.stageBytes));
      V column = (kernel.firstStep + k) * plan.tileK();
      kb.tensorLoad(stage, kernel.args[plan.xArg], full, column, tile.row);
      // The weight rows of an output's Linears lie one after the other.
      for (int64_t l = 0; l < plan.linears; ++l)
        kb.tensorLoad(kb.at(stage, plan.xTileBytes() + l * plan.outN() * rowBytes), weights[l],
                      full, column, tile.col);
      Ring next = wgmma::advance(kb, {ring[0], ring[1]}, plan.stages);
      return SmallVector<V>{next.stage, next.parity};
    });
  });
}

void prefill::emitVectorLoader(Kernel &kernel, V thread) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  int64_t perThread = llvm::divideCeil(plan.outN(), loaderThreads);
  kernel.forTiles({kb.i32(0)}, [&](Tile tile, ArrayRef<V> carried) {
    V parity = carried[0];
    kernel.forOutput(tile, [&](const OutputPlan &output) {
      SmallVector<ColumnVector> vectors = output.vectors();
      // Columns past N repeat the last one; what they lead to is not stored.
      auto read = [&](const ColumnVector &vector) {
        SmallVector<V> values;
        for (int64_t i = 0; i < perThread; ++i) {
          V column = kb.min(tile.col + thread + i * loaderThreads, kb.i32(output.n - 1));
          V source =
              kb.at(kernel.args[vector.arg], kb.wide(vector.place(kb, column)) * vector.bytes());
          values.push_back(kb.load(source, vector.type, vector.bytes()));
        }
        return values;
      };
      auto write = [&](const ColumnVector &vector, ArrayRef<V> values) {
        for (int64_t i = 0; i < perThread; ++i) {
          V column = thread + i * loaderThreads;
          V target =
              kb.at(kernel.smem, column * vector.bytes() + plan.vectorOffset + vector.offset);
          auto store = [&] { kb.store(values[i], target, vector.bytes()); };
          if ((i + 1) * loaderThreads <= plan.outN())
            store();
          else
            kb.ifThen(column.lt(plan.outN()), store);
        }
      };
      // Read while the previous epilogue runs: as many as registers can hold.
      constexpr size_t ahead = 4;
      SmallVector<SmallVector<V>> early;
      for (const ColumnVector &vector : ArrayRef(vectors).take_front(ahead))
        early.push_back(read(vector));
      kb.mbarrierWait(kernel.vectorsEmpty(), parity ^ 1);
      for (auto [vector, values] : llvm::zip(vectors, early))
        write(vector, values);
      for (const ColumnVector &vector : ArrayRef(vectors).drop_front(early.size()))
        write(vector, read(vector));
    });
    kb.mbarrierArrive(kernel.vectorsFull());
    return SmallVector<V>{parity ^ 1};
  });
}
