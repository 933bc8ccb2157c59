//===- Baselines.cpp - What TransFusion is compared with -------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Baselines.h"

#include "FlashFusion/Plan/Planner.h"
#include <algorithm>
#include <limits>

using namespace llvm;
using namespace mlir::flashfusion::plan;

bool mlir::flashfusion::plan::hasBaselines(const Target &target) {
  return target.arrays.size() == 2 && !target.arrays[0].flat && !target.arrays[1].flat &&
         target.arrays[0].rows == target.arrays[0].columns;
}

namespace {
/// A layer on a machine; all times in seconds.
class Evaluation {
public:
  Evaluation(const Model &model, const LayerOptions &options, const Target &target)
      : model(model), target(target), layer(buildLayer(model, options)),
        side(double(target.arrays[0].rows)), lanes(target.arrays[1].lanes()),
        headColumns(std::min(double(model.headSize), side)) {
    // Nothing is kept in the buffer but the arrays' tiles: every loop is over memory.
    tiling.buffer.assign(numLayerRanks, 1);
    tiling.pe.assign(numLayerRanks, 1);
    for (RankId rank = 0; rank < numLayerRanks; ++rank)
      tiling.dram.push_back(layer.ranks[rank].size);
    tiling.dram[N] = 1;
    tiling.dram[P] /= target.tile;
    tiling.dram[S] /= target.tile;
  }

  Baselines run();

private:
  double size(RankSet ranks) const { return layer.volume(ranks); }
  static RankSet set(std::initializer_list<LayerRank> ranks) {
    RankSet result = 0;
    for (LayerRank rank : ranks)
      result |= rankBit(rank);
    return result;
  }
  double cycles(double work, double onLanes) const { return work / onLanes / target.clock; }
  double memory(double words) const { return words * target.wordBytes / target.bandwidth; }

  /// Traffic of a contraction under the loops over memory.
  double contractionMemory(RankSet ranks, std::initializer_list<RankSet> reads, RankSet result,
                           const Tiling &loops) const {
    Einsum einsum;
    einsum.ranks = ranks;
    for (RankSet read : reads)
      einsum.reads.push_back({"", read, /*offChip=*/true, /*carried=*/false});
    einsum.result = {"", result, /*offChip=*/result != 0, /*carried=*/false};
    return trafficBytes(layer, einsum, loops, target.wordBytes) / target.bandwidth;
  }

  double projections() const;
  double layerNorm() const;
  double feedForward() const;
  double unfusedAttention() const;
  double flatAttention() const;
  /// Seconds to move the keys, the values and the result, where they come from memory.
  double fuseMaxAttention(double keyMemory, double valueMemory, double resultMemory) const;
  double fuseMaxArraySeconds() const;
  double layerFuse() const;

  /// On whichever array is faster at it.
  double activation() const {
    double fastest = std::numeric_limits<double>::infinity();
    for (const Array &array : target.arrays)
      if (array.supports(model.activation))
        fastest = std::min(fastest, array.cost[unsigned(model.activation)] / array.lanes());
    return cycles(size(set({B, S, P})) * fastest, 1);
  }
  /// Softmax in three passes on one lane per row.
  double softmaxOp(double cost) const { return cycles(cost * size(set({B, H, M, N, P})), side); }

  const Model &model;
  const Target &target;
  Cascade layer;
  double side;        ///< rows and columns of the 2-D array
  double lanes;       ///< of the 1-D array
  double headColumns; ///< columns that one head's E or F fills; heads are not packed
  Tiling tiling;
};
} // namespace

/// Q, BK and BV; an array's tile is rows of positions by columns of one head.
double Evaluation::projections() const {
  Tiling loops = tiling;
  loops.dram[E] = loops.dram[F] = model.headSize / int64_t(headColumns);
  const RankSet head = set({H, E});
  double compute = cycles(size(set({B, P, D})) * size(head), side * headColumns);
  const RankSet perQuery = set({B, P}), perKey = set({B, M, N}), width = rankBit(D);
  double q = contractionMemory(perQuery | head | width, {perQuery | width, head | width},
                               perQuery | head, loops);
  double k = contractionMemory(perKey | head | width, {perKey | width, head | width}, perKey | head,
                               loops);
  double v = target.omitValueInput
                 ? contractionMemory(perKey | head | width, {head | width}, perKey | head, loops)
                 : k;
  return std::max(compute, q) + std::max(compute, k) + std::max(compute, v);
}

/// Six steps over (h,f) and three over rows; the input is read and the result written.
double Evaluation::layerNorm() const {
  double full = size(set({B, H, F, P})), step = cycles(full, lanes);
  return 4 * step + 2 * std::max(step, memory(full)) + cycles(8 * size(set({B, P})), side);
}

double Evaluation::feedForward() const {
  const RankSet model = set({H, F}), rows = set({B, P}), hidden = rankBit(S);
  const RankSet all = model | rows | hidden;
  double compute = cycles(size(all), side * side);
  double first = contractionMemory(all, {rows | model, model | hidden, hidden}, 0, tiling);
  double second = contractionMemory(all, {model | hidden, model}, rows | model, tiling);
  return std::max(compute, first) + activation() + std::max(compute, second);
}

double Evaluation::unfusedAttention() const {
  const RankSet query = set({B, H, E, P}), key = set({B, H, E, M, N}), value = set({B, H, F, M, N});
  const RankSet logits = set({B, H, M, N, P}), result = set({B, H, F, P});
  double logitWords = size(logits);
  double scores = std::max(cycles(size(query | key), side * side),
                           contractionMemory(query | key, {query, key}, logits, tiling));
  double weighted = std::max(cycles(size(logits | result), side * headColumns),
                             contractionMemory(logits | result, {logits, value}, result, tiling));
  // Maximum (reads the scores), exponential and sum, division (writes the weights).
  double softmax = std::max(softmaxOp(1), memory(logitWords)) + softmaxOp(7) + softmaxOp(1) +
                   std::max(softmaxOp(1), memory(logitWords));
  return scores + softmax + weighted;
}

double Evaluation::flatAttention() const {
  double work = size(set({B, H, M, N, P, E}));
  return cycles(work, side * side) + softmaxOp(10) + cycles(work, side * headColumns);
}

/// The published sum of maxima; every 1-D step runs on one lane per row.
double Evaluation::fuseMaxAttention(double keyMemory, double valueMemory,
                                    double resultMemory) const {
  double work = size(set({B, H, M, N, P})), steps = size(set({B, H, M, P}));
  double array = side * side, row = side, headSize = double(model.headSize);
  double product = cycles(work * headSize, array);
  double qk = std::max(product, keyMemory), slnv = std::max(product, valueMemory);
  double lm = cycles(work, row), rm = cycles(steps, row);
  double sln = cycles(7 * work, array), sld = cycles(work, array);
  double prm = cycles(7 * steps, row), spd = rm, rd = rm;
  double spnv = cycles(steps * headSize, row), rnv = spnv;
  double av = std::max(cycles(size(set({B, H, F, P})), row), resultMemory);
  double front = std::max(qk, rd + rnv + av) + lm;
  if (target.arrays[0].supports(OpKind::Max)) // FuseMax's own 2-D array can
    front = std::max(std::max(product + cycles(work, array), keyMemory), rd + rnv + av);
  return front + rm + std::max(sln + sld, prm + spd) + std::max(slnv, spnv);
}

/// What FuseMax gives to the 2-D array: both products, exponentials, their sum, and the maximum
/// where it can.
double Evaluation::fuseMaxArraySeconds() const {
  double perLogit = 2 * double(model.headSize) + 7 + 1;
  if (target.arrays[0].supports(OpKind::Max))
    perLogit += 1;
  return cycles(perLogit * size(set({B, H, M, N, P})), side * side);
}

/// FuseMax with layers fused: activations stay on chip, weights, keys and values are moved,
/// with the tiles that TileSeek finds best.
double Evaluation::layerFuse() const {
  TileSpace space = getLayerTileSpace(layer, target.tile);
  const Group &qkv = layer.groups[0], &attention = layer.groups[1], &ffn = layer.groups[3];
  auto traffic = [&](const Einsum &einsum, const Tiling &tiles) {
    return trafficBytes(layer, einsum, tiles, target.wordBytes) / target.bandwidth;
  };
  auto contractions = [&](const Group &group, const Tiling &tiles) {
    double seconds = 0;
    for (const Einsum &einsum : group.einsums)
      if (einsum.op == OpKind::Contract)
        seconds += std::max(cycles(size(einsum.ranks), side * side), traffic(einsum, tiles));
    return group.repeats * seconds;
  };
  TileProblem problem;
  for (const auto &factors : space.bufferFactors)
    problem.numChoices.push_back(factors.size());
  problem.fits = [&](ArrayRef<unsigned> choices) {
    Tiling tiles = space.select(choices);
    return all_of(layer.groups, [&](const Group &group) {
      return bufferBytes(group, tiles, target.wordBytes) <= target.bufferBytes;
    });
  };
  problem.cost = [&](ArrayRef<unsigned> choices) {
    Tiling tiles = space.select(choices);
    double keys = 0, values = 0;
    for (const Einsum &einsum : attention.einsums) {
      if (einsum.name == "QK")
        keys = traffic(einsum, tiles);
      if (einsum.name == "SLNV")
        values = traffic(einsum, tiles);
    }
    return contractions(qkv, tiles) + contractions(ffn, tiles) +
           attention.repeats * fuseMaxAttention(keys, values, /*resultMemory=*/0);
  };
  double norm = 6 * cycles(size(set({B, H, F, P})), lanes) + cycles(8 * size(set({B, P})), side);
  return runTileSeek(problem, TileOptions()).cost + ffn.repeats * activation() +
         layer.groups[2].repeats * norm;
}

Baselines Evaluation::run() {
  Baselines result;
  double rest = layer.groups[0].repeats * projections() + layer.groups[2].repeats * layerNorm() +
                layer.groups[3].repeats * feedForward();
  double attentions = layer.groups[1].repeats;
  result.fuseMaxAttention = fuseMaxAttention(0, 0, 0);
  result.fuseMaxUtilisation = fuseMaxArraySeconds() / result.fuseMaxAttention;
  result.unfused = rest + attentions * unfusedAttention();
  result.flat = rest + attentions * flatAttention();
  result.fuseMax = rest + attentions * fuseMaxAttention(0, 0, memory(size(set({B, H, F, P}))));
  result.layerFuse = layerFuse();
  return result;
}

Baselines mlir::flashfusion::plan::computeBaselines(const Model &model, const LayerOptions &options,
                                                    const Target &target) {
  return Evaluation(model, options, target).run();
}

FuseMaxAttention mlir::flashfusion::plan::computeFuseMaxAttention(const Model &model,
                                                                  int64_t sequence, int64_t batch) {
  const double clock = 940e6;
  double blocks = double(sequence) / 256, e = double(model.headSize), f = e;
  double x = double(batch) * double(model.heads) * blocks * blocks / clock;
  double qk = e * x, slnv = f * x, spnv = f * x, rnv = f * x;
  double lm = x, sld = x, rm = x, spd = x, rd = x, sln = 7 * x, prm = 7 * x, av = f * x / blocks;
  double numerator = std::max(sln + sld, prm + spd);

  FuseMaxAttention result;
  result.binding = std::max(qk + lm, rd + rnv + av) + rm + numerator + std::max(slnv, spnv);
  result.architecture =
      std::max(qk + lm, rd + av) + 256 * lm + rm + numerator + std::max(slnv, spnv + rnv);
  // Exponentials are priced at 2 operations instead of 7 where only the cascade changes.
  result.cascade = std::max(qk + slnv, 256 * (lm + sln * 2 / 7 + sld) + rm + prm * 2 / 7 + spd +
                                           spnv + rd + rnv + av);
  double logits = double(batch) * double(model.heads) * double(sequence) * double(sequence);
  result.flat = std::max(4 * logits / 256, logits * (e + f) / 65536) / clock;
  result.utilisation2D = (qk + lm + sln + sld + slnv) / result.binding;
  return result;
}
