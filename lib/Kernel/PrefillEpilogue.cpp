//===- PrefillEpilogue.cpp - Finalizer, stores -----------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"
#include "PrefillKernel.h"
#include "Wgmma.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::prefill;

Epilogue::Epilogue(Kernel &kernel, V group, V thread)
    : kernel(kernel), group(group), thread(thread), warp(group.shl(2) + thread.shr(5)),
      lane(thread % 32), leader(thread.eq(0)) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  staging = kb.at(kernel.smem, group * (plan.stagingBuffers * chunkBytes) + plan.stagingOffset);
  // A warp stores 16 rows of 128 bytes; lane i addresses row i % 16 of the left
  // (i < 16) or right 8 columns of 16. The 16-byte pieces are swizzled.
  V row = ((warp & 3).shl(4) + (lane & 15)).shl(7);
  V piece = (lane.shr(4) ^ (lane & 7)).shl(4);
  for (int64_t j = 0; j < chunkCols / 16; ++j)
    matrixOffsets.push_back(row + (piece ^ (32 * j)));
  firstRow = warp.shl(4) + lane.shr(2);
  firstCol = (lane & 3).shl(1);
}

void Epilogue::sync() {
  // One barrier per warpgroup; its number has to be a constant.
  KernelBuilder &kb = kernel.kb;
  kb.ifThenElse(group.eq(0), [&] { kb.barrier(1, 128); }, [&] { kb.barrier(2, 128); });
}

SmallVector<V> Epilogue::finalize(const Elements &elements, int64_t j, V accumulators,
                                  const std::array<Elements::TilePairs, 2> &tiles) {
  auto products = [&](int64_t l) {
    int64_t eight = l * kernel.plan.outN() / 8 + j;
    SmallVector<V> four;
    for (int64_t i = 0; i < 4; ++i)
      four.push_back(wgmma::element(kernel.kb, accumulators, 4 * eight + i));
    return four;
  };
  return elements.finalize(j, products, tiles);
}

void Epilogue::storeNarrowChunk(const OutputPlan &output, Tile tile, int64_t chunk, V buffer) {
  KernelBuilder &kb = kernel.kb;
  int64_t pieces = kernel.plan.chunkWidth(chunk) / 8;
  static_assert(columnUnit == 32 && chunkCols == 64, "a narrow chunk has four pieces a row");
  auto words = VectorType::get({4}, kb.b.getI32Type());
  for (int64_t half = 0; half < 2; ++half) {
    V r = thread / pieces + half * (128 / pieces), piece = thread % pieces;
    V row = tile.row + group.shl(6) + r;
    V col = tile.col + piece.shl(3) + chunk * chunkCols;
    V data = kb.load(kb.at(buffer, r.shl(7) + (piece ^ (r & 7)).shl(4)), words, /*align=*/16);
    V place = kb.at(kernel.args[output.bufferArg], (kb.wide(row) * output.n + kb.wide(col)) * 2);
    kb.ifThen(row.lt(kernel.rows) & col.lt(output.n), [&] { kb.store(data, place, 16); });
  }
}

void Epilogue::storeByTensorMap(const Elements &elements, Tile tile, V accumulators) {
  KernelBuilder &kb = kernel.kb;
  const OutputPlan &output = elements.output;
  const Plan &plan = kernel.plan;
  int64_t chunks = plan.chunks();
  for (int64_t first = 0; first < chunks; first += plan.stagingBuffers) {
    int64_t last = std::min(first + plan.stagingBuffers, chunks);
    auto buffer = [&](int64_t chunk) { return kb.at(staging, (chunk - first) * chunkBytes); };
    // Earlier stores must have read the buffers.
    kb.ifThen(leader, [&] { kb.bulkWait(0, /*read=*/true); });
    sync();
    for (int64_t chunk = first; chunk < last; ++chunk) {
      int64_t start = chunk * chunkCols / 8, width = plan.chunkWidth(chunk);
      // The loads of tiles come first, so that their latencies overlap.
      SmallVector<std::array<Elements::TilePairs, 2>> tiles;
      for (int64_t j = 0; j < width / 8; ++j)
        tiles.push_back(elements.loadTiles(start + j));
      for (int64_t j = 0; j < width / 16; ++j) {
        SmallVector<V> regs;
        for (int64_t side = 2 * j; side < 2 * j + 2; ++side)
          for (V pair : finalize(elements, start + side, accumulators, tiles[side]))
            regs.push_back(kb.bitcast(pair, kb.b.getI32Type()));
        kb.stMatrix(kb.at(buffer(chunk), matrixOffsets[j]), regs);
      }
    }
    // Ordinary writes, about to be read by the copy engine.
    kb.fenceAsync();
    sync();
    bool narrow = plan.chunkWidth(last - 1) < chunkCols;
    kb.ifThen(leader, [&] {
      for (int64_t chunk = first; chunk < last - narrow; ++chunk)
        kb.tensorStore(kernel.args[output.arg], buffer(chunk), tile.col + chunk * chunkCols,
                       tile.row + group.shl(6));
      kb.bulkCommit();
    });
    if (narrow)
      storeNarrowChunk(output, tile, last - 1, buffer(last - 1));
  }
}

wgmma::Partials Epilogue::partials(V accumulators) {
  const Plan &plan = kernel.plan;
  constexpr int64_t threads = 128 * consumers;
  return {kernel.kb,  kernel.smem, group.shl(7) + thread, kernel.rank, accumulators,
          plan.parts, threads,     plan.linears,          plan.outN(), plan.partialOffset};
}

void Epilogue::exchangePartials(V accumulators) {
  KernelBuilder &kb = kernel.kb;
  const Plan &plan = kernel.plan;
  V full = kernel.partialsFull(warp);
  int64_t bytes = wgmma::Partials::bytes(plan.parts, plan.tileN, /*threads=*/32);
  // What arrives before this is counted all the same.
  kb.ifThen(lane.eq(0), [&] { kb.mbarrierExpect(full, kb.i32(bytes)); });
  // What the ring has brought is multiplied, here and in the other warpgroup, and no more comes.
  kb.barrier(3, 128 * consumers);
  partials(accumulators).copy(kernel.smem, full);
  kb.mbarrierWait(full, kb.i32(0));
  // Until all of the cluster have got here, others read this block's shared memory.
  cluster::arrive(kb);
}

void Epilogue::emit(const OutputPlan &output, Tile tile, V accumulators, ArrayRef<V> factors) {
  const Plan &plan = kernel.plan;
  Elements elements{kernel.kb,
                    plan.op,
                    output,
                    kernel.args,
                    kernel.rows,
                    tile.row + firstRow,
                    firstCol,
                    tile.col,
                    kernel.smem,
                    plan.vectorOffset,
                    factors.take_front(2),
                    factors.drop_front(std::min<size_t>(factors.size(), 2))};
  if (output.tensorStore)
    storeByTensorMap(elements, tile, accumulators);
  else
    wgmma::store(elements, partials(accumulators));
}
void Epilogue::finish() {
  KernelBuilder &kb = kernel.kb;
  if (kernel.plan.parts > 1)
    cluster::wait(kb);
  kb.ifThen(leader, [&] { kb.bulkWait(0, /*read=*/false); });
}
