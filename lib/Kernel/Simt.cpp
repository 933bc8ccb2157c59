//===- Simt.cpp - The kernel that serves everything ------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact f32 FMA on any mix of element types, layouts, extents and alignments:
//
//   for every tile of the block: rows m0 .. m0 + tileM - 1, output, n0
//     with new rows: (pivot, offset, scale) of each -> shared memory   SimtRows.cpp
//     for every Linear of the output:
//       sums over K of h W, h formed from x as it is loaded            SimtSums.cpp
//     for every element: sums of the teams -> z, finalizer, store
//
// Outputs whose Linears agree in layout and element type share the code; which
// weight, which N is then a matter of selects.
//
//===----------------------------------------------------------------------===//
#include "Simt.h"

#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::simt;

int64_t simt::Shape::rows() const {
  int64_t lanes = warps / split / (tileN / 32) * 4; // along the tile's rows
  return lanes != 0 && tileM % lanes == 0 ? tileM / lanes : 0;
}

int64_t simt::Shape::residentBlocks() const {
  // Registers: two sums and more per output, and per element that is loaded its
  // value and its address. Above this, half a multiprocessor's would spill.
  int64_t loads = (tileM + tileN) * tileK / team();
  return warps <= 8 && 3 * loads + 2 * cols * rows() <= 60 ? 2 : 1;
}

std::string simt::Shape::invalid() const {
  if (warps < 1 || warps > 32 || split < 1 || warps % split != 0)
    return "expects 1 to 32 warps, a multiple of split";
  if (stages != 1 && stages != 2)
    return "expects 1 or 2 stages";
  if (tileM < 4 || tileM > 256 || tileN < 32 || tileN > 256 || tileN % 32 != 0)
    return "expects 4 <= tile_m <= 256 and tile_n a multiple of 32 up to 256";
  if ((warps / split) % (tileN / 32) != 0)
    return "expects the warps of a team to be a multiple of tile_n / 32";
  if (!llvm::is_contained({1, 2, 4, 8}, rows()))
    return "expects register blocks of 1, 2, 4 or 8 rows: tile_m * tile_n * split = "
           "128 * rows * warps";
  if (tileM * tileK % team() != 0 || tileN * tileK % team() != 0)
    return "expects tile_m * 16 and tile_n * 16 to be multiples of a team's threads";
  return "";
}

namespace {

class Simt : public KernelEmitter {
public:
  KernelFamily family() const override { return KernelFamily::Simt; }
  MmaKind mma() const override { return MmaKind::Fma; }
  std::string unsupported(OnlineOp op, TargetAttr target, bool tf32) const override;
  SmallVector<ScheduleAttr> propose(OnlineOp op, TargetAttr target, bool tf32) const override;
  FailureOr<LaunchSpec> emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                             gpu::GPUModuleOp module, StringRef name) const override;
};

/// Where an output's column tiles start among those of all outputs.
struct ColumnTiles {
  SmallVector<int64_t> starts;
  int64_t total = 0;
  ColumnTiles(OnlineOp op, int64_t tileN) {
    for (unsigned o = 0; o < op.getOuts().size(); ++o) {
      starts.push_back(total);
      total += llvm::divideCeil(op.getN(op.getLinearsOf(o)[0]), tileN);
    }
  }
};

/// Emits the body of the kernel.
class Body {
public:
  Body(KernelBuilder &kb, OnlineOp op, const Shape &shape, const ColumnTiles &tiles,
       const Params &params)
      : kb(kb), op(op), shape(shape), tiles(tiles), params(params), operands(op) {}

  void emit();

private:
  using Signature = SmallVector<std::pair<WeightLayout, Type>>;
  Signature signature(unsigned out);
  void tile(V index);
  void group(ArrayRef<unsigned> outs);
  void finalize(unsigned out);

  KernelBuilder &kb;
  OnlineOp op;
  const Shape &shape;
  const ColumnTiles &tiles;
  const Params &params;
  OnlineOperands operands;
  V m0, n0, out; ///< of the current tile
};

} // namespace

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

void Body::emit() {
  V perRow = kb.i32(tiles.total);
  V total = (params.rows + (shape.tileM - 1)) / shape.tileM * perRow;
  V share = (total + kb.numCtas() - 1) / kb.numCtas(), first = kb.cta() * share;
  kb.forLoop(first, kb.min(first + share, total), kb.i32(1), {kb.i32(-1)},
             [&](V index, ArrayRef<V> carried) -> SmallVector<V> {
               V rowTile = index / perRow;
               m0 = rowTile * shape.tileM;
               if (RowForm(op).scaled)
                 kb.ifThen(rowTile.ne(carried[0]), [&] {
                   writeFactors(kb, op, shape, params, m0);
                   kb.syncThreads();
                 });
               tile(index % perRow);
               // What follows overwrites the sums that this tile's finalizers read.
               kb.syncThreads();
               return {rowTile};
             });
}

Body::Signature Body::signature(unsigned o) {
  return llvm::map_to_vector(op.getLinearsOf(o), [&](int64_t l) {
    return std::pair(op.getLayout(l), getElementTypeOrSelf(op.getWeights()[l]));
  });
}

void Body::tile(V index) {
  out = kb.i32(0);
  V start = kb.i32(0);
  for (unsigned o = 1; o < tiles.starts.size(); ++o) {
    V here = index.ge(tiles.starts[o]);
    out = kb.select(here, kb.i32(o), out);
    start = kb.select(here, kb.i32(tiles.starts[o]), start);
  }
  n0 = (index - start) * shape.tileN;

  SmallVector<SmallVector<unsigned>> groups;
  for (unsigned o = 0; o < op.getOuts().size(); ++o) {
    auto it = llvm::find_if(groups, [&](auto &g) { return signature(g[0]) == signature(o); });
    if (it == groups.end())
      groups.push_back({o});
    else
      it->push_back(o);
  }
  if (groups.size() == 1)
    return group(groups[0]);
  for (ArrayRef<unsigned> outs : groups) {
    V here = out.eq(outs[0]);
    for (unsigned o : outs.drop_front())
      here = here | out.eq(o);
    kb.ifThen(here, [&] { group(outs); });
  }
}

void Body::group(ArrayRef<unsigned> outs) {
  Signature kinds = signature(outs[0]);
  for (auto [slot, kind] : llvm::enumerate(kinds)) {
    Linear linear{V(), V(), kind.second, kind.first};
    for (unsigned o : outs) {
      int64_t l = op.getLinearsOf(o)[slot];
      V weight = params.operands[operands.weights[l]], n = kb.i32(op.getN(l));
      linear.weight = linear.weight ? kb.select(out.eq(o), weight, linear.weight) : weight;
      linear.n = linear.n ? kb.select(out.eq(o), n, linear.n) : n;
    }
    writeSums(kb, op, shape, params, linear, m0, n0, slot);
  }
  kb.syncThreads();
  for (unsigned o : outs) {
    if (outs.size() == 1)
      finalize(o);
    else
      kb.ifThen(out.eq(o), [&] { finalize(o); });
  }
}

void Body::finalize(unsigned o) {
  int64_t n = op.getN(op.getLinearsOf(o)[0]);
  Type element = getElementTypeOrSelf(op.getOuts()[o]);
  int64_t bytes = bytesOf(element);
  V base = params.operands[operands.outs[o]];
  kb.forLoop(kb.tid(), kb.i32(shape.tileM * shape.tileN), kb.i32(shape.threads()), [&](V e) {
    V m = m0 + e / shape.tileN, col = n0 + e % shape.tileN;
    kb.ifThen(m.lt(params.rows) & col.lt(n), [&] {
      SmallVector<V> z, columns, tileElements;
      for (size_t slot = 0; slot < op.getLinearsOf(o).size(); ++slot) {
        V sum;
        for (int64_t team = 0; team < shape.split; ++team) {
          int64_t at = shape.sumsStart() + (slot * shape.split + team) * shape.sumsBytes();
          V part = kb.load(kb.at(kb.smem(), e * 4 + at), kb.b.getF32Type(), 4);
          sum = sum ? sum + part : part;
        }
        z.push_back(sum);
      }
      for (unsigned c : op.getColumnsOf(o))
        columns.push_back(loadElement(kb, params.operands[operands.columns[c]],
                                      op.isSharedColumn(c) ? kb.i32(0) : col,
                                      getElementTypeOrSelf(op.getColumns()[c])));
      V place = kb.wide(m) * n + kb.wide(col);
      for (unsigned t : op.getTilesOf(o))
        tileElements.push_back(loadElement(kb, params.operands[operands.tiles[t]], place,
                                           getElementTypeOrSelf(op.getTiles()[t])));
      V value = inlineFinalizer(kb, op, o, z, columns, tileElements);
      kb.store(value, kb.at(base, place * bytes), bytes);
    });
  });
}

//===----------------------------------------------------------------------===//
// The emitter
//===----------------------------------------------------------------------===//

static int64_t slotsOf(OnlineOp op) {
  int64_t slots = 1;
  for (unsigned o = 0; o < op.getOuts().size(); ++o)
    slots = std::max<int64_t>(slots, op.getLinearsOf(o).size());
  return slots;
}

static Shape shapeOf(OnlineOp op, ScheduleAttr s) {
  return {s.getTileM(), s.getTileN(), s.getStages(), s.getSplit(), s.getWarps(), slotsOf(op)};
}

std::string Simt::unsupported(OnlineOp op, TargetAttr target, bool tf32) const {
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    bool scalar = !isa<ShapedType>(operand.getType());
    // Of 8-bit floats the verifier lets x and weights of f8E4M3FN pass.
    if (!element.isF32() && !element.isF16() && !element.isBF16() &&
        !isa<Float8E4M3FNType>(element) && !(scalar && element.isF64()))
      return "has an element type other than f32, f16, bf16 and f8E4M3FN";
  }
  // The sums of all of them must fit into shared memory, of the smallest tiles.
  SmallVector<ScheduleAttr> variants = propose(op, target, tf32);
  if (variants.empty() || variants.back().getMinRows() != 1 || variants.back().getMaxRows() != 0)
    return "has an output of too many Linears";
  return "";
}

SmallVector<ScheduleAttr> Simt::propose(OnlineOp op, TargetAttr target, bool tf32) const {
  MLIRContext *context = op.getContext();
  SmallVector<ScheduleAttr> variants;
  auto add = [&](int64_t minRows, int64_t maxRows, int64_t tileM, int64_t tileN, int64_t stages,
                 int64_t warps, int64_t split) {
    auto variant =
        ScheduleAttr::get(context, KernelFamily::Simt, MmaKind::Fma, minRows, maxRows, tileM, tileN,
                          tileK, stages, warps, split, /*parts=*/1, /*packed=*/false,
                          /*align=*/1, /*tf32=*/false);
    if (shapeOf(op, variant).bytes() <= target.getSmem())
      variants.push_back(variant);
  };
  int64_t columns = 0;
  for (unsigned o = 0; o < op.getOuts().size(); ++o)
    columns += op.getN(op.getLinearsOf(o)[0]);
  // Rows from which tiles of 128 x 64 give every multiprocessor two blocks.
  int64_t large = llvm::divideCeil(2 * target.getSms() * 64, columns) * 128;
  // Of 16-bit operands this kernel only gets what the others cannot take.
  bool mainKernel = getElementTypeOrSelf(op.getX()).isF32();

  // Few rows: weights are streamed by many teams of one warp.
  if (mainKernel)
    add(1, 4, 4, 32, 1, 12, 12);
  add(mainKernel ? 5 : 1, 16, 16, 32, 1, 8, 8);
  if (mainKernel) {
    add(17, 64, 32, 32, 1, 8, 8);
    add(std::max<int64_t>(large, 65), 0, 128, 64, 2, 8, 1);
  }
  add(1, 0, 64, 64, 2, 8, 1);
  // Otherwise whatever has shared memory for all Linears of an output.
  if (variants.empty() || variants.back().getMinRows() != 1 || variants.back().getMaxRows() != 0)
    add(1, 0, 32, 32, 2, 2, 1);
  return variants;
}

FailureOr<LaunchSpec> Simt::emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                                 gpu::GPUModuleOp module, StringRef name) const {
  Shape shape = shapeOf(op, schedule);
  std::string reason = shape.invalid();
  if (reason.empty() && schedule.getTileK() != tileK)
    reason = "expects tile_k = " + std::to_string(tileK);
  if (reason.empty() && (schedule.getPacked() || schedule.getTf32()))
    reason = "reads weights as they are, in f32";
  if (reason.empty() && shape.bytes() > target.getSmem())
    reason = "needs " + std::to_string(shape.bytes()) + " bytes of shared memory";
  if (!reason.empty())
    return op.emitOpError() << "has a schedule that the simt kernel cannot follow: it " << reason;

  LaunchSpec spec;
  spec.kernel = name.str();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    spec.args.push_back(
        {isa<ShapedType>(operand.getType()) ? KernelArg::Kind::Buffer : KernelArg::Kind::Scalar,
         static_cast<int64_t>(i)});
  spec.args.push_back({KernelArg::Kind::Rows});

  ColumnTiles tiles(op, shape.tileN);
  spec.grid.tileM = shape.tileM;
  spec.grid.tilesN = tiles.total;
  // No more blocks than run at once: one that takes several column tiles reads
  // its rows for the statistics only once.
  spec.grid.cap = shape.residentBlocks() * target.getSms();
  spec.block = shape.threads();
  spec.sharedBytes = shape.bytes();
  spec.minRows = schedule.getMinRows();
  spec.maxRows = schedule.getMaxRows();

  OpBuilder b(op.getContext());
  KernelBuilder kb(b, op.getLoc());
  Params params;
  SmallVector<V> args =
      kb.begin(module, name, op, spec.args, shape.threads(), shape.residentBlocks());
  params.rows = args.pop_back_val();
  params.operands = std::move(args);
  Body(kb, op, shape, tiles, params).emit();
  kb.end();
  return spec;
}

const KernelEmitter &flashfusion::simtEmitter() {
  static const Simt emitter;
  return emitter;
}
