//===- PrefillMma.cpp - Prefill with cp.async and mma.sync -----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernel can serve, which tiles it proposes, and its launch. The
// kernel runs on every chip from sm_80 on:
//
//   #ff.schedule<family = prefill, mma = mma_sync, tile_m = 128, tile_n = 256,
//                tile_k = 64, stages = 3, warps = 8, align = 16>
//
//===----------------------------------------------------------------------===//
#include "PrefillMma.h"

#include "FlashFusion/Target/GPUTarget.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Accumulators of a thread: 128 of its 255 registers.
static constexpr int64_t maxAccumulators = 128;

/// Linears that an output takes.
static int64_t linearsPerOutput(OnlineOp op) { return op.getLinearsOf(0).size(); }

static int64_t bytesOf(Type type) { return type.getIntOrFloatBitWidth() / 8; }

FailureOr<MmaTile> MmaTile::get(int64_t m, int64_t n, int64_t stages, int64_t warps,
                                int64_t linears) {
  if (m <= 0 || n <= 0 || m > 256 || n > 256 || m % 16 != 0 || n % 16 != 0 || warps <= 0 ||
      warps > 32 || !llvm::isPowerOf2_64(warps) || stages < 2 || stages > 16)
    return failure();
  // The fewest bytes of fragments: the smallest sum of a warp's rows and columns.
  FailureOr<MmaTile> best = failure();
  for (int64_t warpsM = 1; warpsM <= warps; warpsM *= 2) {
    MmaTile tile;
    tile.m = m, tile.n = n, tile.stages = stages;
    tile.warpsM = warpsM, tile.warpsN = warps / warpsM, tile.linears = linears;
    // A warp has the same columns of every Linear, in pairs of blocks.
    if (m % (16 * tile.warpsM) != 0 || n % (16 * linears * tile.warpsN) != 0 ||
        4 * tile.blocksM() * tile.blocksN() > maxAccumulators)
      continue;
    if (failed(best) || tile.warpRows() + tile.warpCols() < best->warpRows() + best->warpCols())
      best = tile;
  }
  if (failed(best))
    return failure();
  // Row sums and 16-byte copies go evenly to the threads.
  int64_t threads = best->threads();
  if (threads % m != 0 || mmaRowChunks % best->threadsPerRow() != 0 ||
      m * mmaRowChunks % threads != 0 || best->outN() * mmaRowChunks % threads != 0)
    return failure();
  return best;
}

/// Whether every Linear's weight can be read as it is, and as fast as packed.
static bool canReadWeights(OnlineOp op) {
  if (op.getGain() || op.getShift() || op.getNumRowFactors() > 1 || hasQuantisedWeight(op))
    return false;
  if (op.getK() * bytesOf(getElementTypeOrSelf(op.getX())) % mmaChunkBytes != 0)
    return false;
  for (unsigned l = 0, e = op.getWeights().size(); l < e; ++l)
    if (op.getLayout(l) != WeightLayout::NK)
      return false;
  return true;
}

namespace {

/// A tile to choose from, and how deep its ring may be.
struct Candidate {
  int64_t m, n, warps, maxStages;
};

class PrefillMmaEmitter : public KernelEmitter {
public:
  KernelFamily family() const override { return KernelFamily::Prefill; }
  MmaKind mma() const override { return MmaKind::MmaSync; }
  std::string unsupported(OnlineOp op, TargetAttr target, bool tf32) const override;
  SmallVector<ScheduleAttr> propose(OnlineOp op, TargetAttr target, bool tf32) const override;
  FailureOr<LaunchSpec> emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                             gpu::GPUModuleOp module, StringRef name) const override;
};

} // namespace

std::string PrefillMmaEmitter::unsupported(OnlineOp op, TargetAttr target, bool tf32) const {
  if (getComputeCapability(target) < 80)
    return "cp.async and mma.sync need sm_80";
  Type element = getElementTypeOrSelf(op.getX());
  if (isF8(op.getX()))
    return "x has 8 bits";
  if (element.isF32() && !tf32)
    return "f32 on tensor cores needs tf32, which was not asked for";
  if (std::string why = whyNotPacked(op); !why.empty())
    return why;
  int64_t linears = linearsPerOutput(op);
  if (linears != 1 && linears != 2 && linears != 4)
    return "an output takes neither 1, 2 nor 4 Linears";
  for (unsigned o = 0, e = op.getOuts().size(); o < e; ++o)
    if (static_cast<int64_t>(op.getLinearsOf(o).size()) != linears)
      return "outputs take different numbers of Linears";
  return "";
}

//===----------------------------------------------------------------------===//
// Proposals
//===----------------------------------------------------------------------===//

static int64_t stagesFor(const Candidate &c, int64_t smem) {
  int64_t ring = smem - c.warps * 32 * 8;
  return std::min(c.maxStages, ring / ((c.m + c.n) * mmaRowBytes));
}

/// Cycles that a multiprocessor needs for all tiles that fall to it: the
/// busiest of tensor cores, shared memory and its share of the L2 cache, per
/// 128 bytes of K. A guide to the order of tiles, no more.
static double estimate(OnlineOp op, TargetAttr target, const MmaTile &tile, int64_t rows) {
  int64_t columns = 0;
  for (unsigned o = 0, e = op.getOuts().size(); o < e; ++o)
    columns += llvm::divideCeil(op.getN(op.getLinearsOf(o)[0]), tile.outN());
  int64_t tiles = llvm::divideCeil(rows, tile.m) * columns;
  double products = 64.0 * tile.m * tile.n / 1024;
  double fragments = tile.warps() * (tile.warpRows() + tile.warpCols()) + 2 * tile.m + tile.n;
  double fetched = (tile.m + tile.n) * mmaRowBytes / 48.0;
  double latency = 1000.0 / (tile.stages - 1);
  double step = std::max({products, fragments, fetched, latency});
  int64_t k = llvm::divideCeil(op.getK() * bytesOf(getElementTypeOrSelf(op.getX())), mmaRowBytes);
  double overhead = 1500 + tile.m * tile.n / 16.0;
  return static_cast<double>(llvm::divideCeil(tiles, target.getSms())) * (k * step + overhead);
}

SmallVector<ScheduleAttr> PrefillMmaEmitter::propose(OnlineOp op, TargetAttr target,
                                                     bool tf32) const {
  // Few rows of several Linears: enough columns of each for every warp.
  int64_t linears = linearsPerOutput(op);
  const Candidate candidates[] = {{16, 64 * linears, 4, 8},
                                  {64, 64, 4, 5},
                                  {64, 128, 4, 4},
                                  {128, 128, 8, 4},
                                  {128, 256, 8, 4}};
  Type element = getElementTypeOrSelf(op.getX());
  int64_t bytes = bytesOf(element), k = op.getK();
  bool packed = !canReadWeights(op);
  // Elements that travel through registers leave none for the larger tiles, and sums that are
  // promoted none for the largest.
  bool oddRows = llvm::MinAlign(k * bytes, mmaChunkBytes) < 4;
  ArrayRef<Candidate> usable =
      ArrayRef<Candidate>(candidates).take_front(oddRows ? 3 : mustPromote(op) ? 4 : 5);
  auto variant = [&](const Candidate &c, int64_t minRows, int64_t maxRows, int64_t alignment) {
    return ScheduleAttr::get(op.getContext(), KernelFamily::Prefill, MmaKind::MmaSync, minRows,
                             maxRows, c.m, c.n, mmaRowBytes / bytes, stagesFor(c, target.getSmem()),
                             c.warps, /*split=*/1, /*parts=*/1, packed, alignment, element.isF32());
  };

  // Larger tiles for more rows: of every range of rows the tile that is
  // quickest at its end, none smaller than that of the range before.
  SmallVector<ScheduleAttr> result;
  int64_t from = 1;
  size_t least = 0;
  for (int64_t rows : {16, 64, 128, 256, 512, 1024, 2048, 4096, 0}) {
    size_t best = least;
    double bestTime = 0;
    for (size_t i = least; i < usable.size(); ++i) {
      const Candidate &c = usable[i];
      FailureOr<MmaTile> tile =
          MmaTile::get(c.m, c.n, stagesFor(c, target.getSmem()), c.warps, linears);
      if (failed(tile) || tile->stages < 3) // too few to hide a copy
        continue;
      double time = estimate(op, target, *tile, rows ? rows : 65536);
      if (bestTime == 0 || time < bestTime)
        best = i, bestTime = time;
    }
    if (!result.empty() && best == least)
      result.pop_back();
    else if (!result.empty())
      from = result.back().getMaxRows() + 1;
    result.push_back(variant(usable[best], from, rows, mmaChunkBytes));
    least = best;
  }
  result.push_back(variant(candidates[1], 1, 0, 1)); // pointers of any alignment
  return result;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

FailureOr<LaunchSpec> PrefillMmaEmitter::emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                                              gpu::GPUModuleOp module, StringRef name) const {
  std::string why = unsupported(op, target, schedule.getTf32());
  if (!why.empty())
    return op.emitOpError("has a schedule for prefill with mma.sync, but: ") << why;
  Type element = getElementTypeOrSelf(op.getX());
  int64_t bytes = bytesOf(element), align = schedule.getAlign();
  FailureOr<MmaTile> tile =
      MmaTile::get(schedule.getTileM(), schedule.getTileN(), schedule.getStages(),
                   schedule.getWarps(), linearsPerOutput(op));
  if (failed(tile))
    return op.emitOpError("has a schedule whose tile of ")
           << schedule.getTileM() << " x " << schedule.getTileN() << " does not divide among "
           << schedule.getWarps() << " warps of mma.sync and the Linears of an output, or whose "
           << schedule.getStages() << " stages are not 2 to 16";
  if (schedule.getTileK() * bytes != mmaRowBytes)
    return op.emitOpError("has a schedule with tile_k = ")
           << schedule.getTileK() << ", but a stage of this kernel holds " << mmaRowBytes / bytes
           << " elements of K";
  if (tile->sharedBytes() > target.getSmem())
    return op.emitOpError("has a schedule that needs ")
           << tile->sharedBytes() << " bytes of shared memory; " << target.getChip() << " has "
           << target.getSmem();
  if (align <= 0 || !llvm::isPowerOf2_64(align))
    return op.emitOpError("has a schedule with align = ") << align << ", which is no power of two";
  align = std::max(align, bytes); // elements are aligned in any case
  if (!schedule.getPacked() && !canReadWeights(op))
    return op.emitOpError("has a schedule that reads the weights as they are, but they must be "
                          "packed: layout, gain, shift, center, 8 bits or K demand it");

  OpBuilder builder(op.getContext());
  KernelBuilder kb(builder, op.getLoc());
  MmaKernel kernel(kb, op, *tile, schedule.getPacked(), align);
  LaunchSpec spec;
  spec.kernel = name.str();
  spec.grid.tileM = tile->m;
  spec.grid.tilesN = kernel.columnTiles();
  spec.block = tile->threads();
  spec.sharedBytes = tile->sharedBytes();
  spec.args = kernel.arguments();
  spec.minRows = schedule.getMinRows();
  spec.maxRows = schedule.getMaxRows();
  spec.align = schedule.getAlign();
  spec.packed = schedule.getPacked();

  // As many blocks as shared memory lets a multiprocessor hold, while a thread
  // keeps registers for its accumulators and as much again for the rest.
  int64_t blocks = std::max<int64_t>(1, target.getSmem() / (tile->sharedBytes() + 1024));
  int64_t accumulators = (mustPromote(op) ? 8 : 4) * tile->blocksM() * tile->blocksN();
  int64_t registers = accumulators > 64 ? 255 : accumulators > 32 ? 128 : 96;
  blocks = std::min(blocks, 65536 / (registers * tile->threads()));
  SmallVector<V> values =
      kb.begin(module, name, op, spec.args, spec.block, std::max<int64_t>(1, blocks));
  kernel.build(kernel.sort(values));
  kb.end();
  return spec;
}

const KernelEmitter &flashfusion::prefillMmaEmitter() {
  static const PrefillMmaEmitter emitter;
  return emitter;
}
