//===- DecodePlan.cpp - What the decode kernel can serve, and how ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

#include "FlashFusion/Kernel/KernelEmitter.h"
#include "FlashFusion/Plan/DecodeModel.h"
#include "FlashFusion/Plan/TileModel.h"
#include "FlashFusion/Target/GPUTarget.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;
using llvm::alignTo;
using llvm::divideCeil;
using llvm::formatv;
using plan::decodeChunkLimitInMemory;
using plan::getDecodeChunkLimit;
using plan::getDecodeWarps;

/// Registers of a multiprocessor.
static constexpr int64_t registerFile = 65536;

int64_t Plan::registerLimit() const {
  // Each of the four parts of a multiprocessor runs every fourth warp and gives
  // a thread registers in multiples of 8; 255 is the most.
  int64_t warpsPerPart = divideCeil(threads() / 32 * minBlocks, 4);
  return std::min<int64_t>(registerFile / 4 / (32 * warpsPerPart) / 8 * 8, 255);
}

//===----------------------------------------------------------------------===//
// What is supported
//===----------------------------------------------------------------------===//

/// The variant for a range of rows; null if K is too large.
static ScheduleAttr propose(OnlineOp op, TargetAttr target, int64_t minRows, int64_t maxRows,
                            bool packed);

static bool is16Bit(Type type) { return type.isF16() || type.isBF16(); }

/// Linears that share an output stand in one unit. False if the groups differ
/// in size.
static bool makeGroups(OnlineOp op, SmallVectorImpl<Group> &groups) {
  llvm::EquivalenceClasses<int64_t> classes;
  for (unsigned out = 0; out < op.getOuts().size(); ++out)
    for (int64_t l : op.getLinearsOf(out))
      classes.unionSets(op.getLinearsOf(out)[0], l);
  DenseMap<int64_t, unsigned> groupOf;
  for (unsigned out = 0; out < op.getOuts().size(); ++out) {
    int64_t leader = classes.getLeaderValue(op.getLinearsOf(out)[0]);
    auto [it, isNew] = groupOf.try_emplace(leader, groups.size());
    if (isNew) {
      Group &group = groups.emplace_back();
      group.n = op.getN(op.getLinearsOf(out)[0]);
    }
    Group &group = groups[it->second];
    group.outs.push_back(out);
    for (int64_t l : op.getLinearsOf(out))
      if (!llvm::is_contained(group.linears, l))
        group.linears.push_back(l);
  }
  int64_t unit = 0;
  for (Group &group : groups) {
    group.firstUnit = unit;
    unit += divideCeil(group.n, unitN);
  }
  return llvm::all_equal(llvm::map_range(groups, [](Group &g) { return g.linears.size(); }));
}

static bool hasTransposedWeight(OnlineOp op) {
  for (unsigned l = 0; l < op.getWeights().size(); ++l)
    if (op.getLayout(l) != WeightLayout::NK)
      return true;
  return false;
}

/// PTX 8.1 brought them to sm_89.
static bool hasF8Conversions(TargetAttr target) {
  StringRef version = target.getFeatures();
  int64_t number = 0;
  return getComputeCapability(target) >= 89 && version.consume_front("+ptx") &&
         !version.consumeInteger(10, number) && number >= 81;
}

static bool isQuantised(OnlineOp op) {
  return isa<Float8E4M3FNType>(getElementTypeOrSelf(op.getWeights()[0]));
}

std::string decode::whyUnsupported(OnlineOp op, TargetAttr target) {
  int64_t cc = getComputeCapability(target);
  if (cc < 80)
    return formatv("{0} has no asynchronous copies (sm_80 is the first)", target.getChip());
  Type element = getElementTypeOrSelf(op.getX());
  if (!is16Bit(element))
    return "x is neither f16 nor bf16";
  bool quantised = isQuantised(op);
  for (Value weight : op.getWeights())
    if (Type type = getElementTypeOrSelf(weight);
        quantised ? !isa<Float8E4M3FNType>(type) : type != element)
      return "a weight is not of the type of x, or not all are f8E4M3FN";
  if (quantised && !hasF8Conversions(target))
    return formatv("{0} has no conversions of f8E4M3FN (sm_89 with PTX 8.1 is the first)",
                   target.getChip());
  if (quantised && hasTransposedWeight(op))
    return "a weight of 8 bits is K x N, and is not packed";
  auto isStored = [](Value v) {
    auto type = dyn_cast<ShapedType>(v.getType());
    return !type || is16Bit(type.getElementType()) || type.getElementType().isF32();
  };
  for (Value v : op->getOperands())
    if (!isStored(v) && !llvm::is_contained(op.getWeights(), v))
      return "an operand is neither f16, bf16 nor f32";
  // Rows of W are copied in pieces of 16 bytes.
  int64_t piece = quantised ? 16 : 8;
  if (op.getK() % piece != 0 || op.getK() == 0)
    return formatv("K is not a multiple of {0}", piece);
  if (op.getM() != ShapedType::kDynamic && op.getM() > invariantRows)
    return "M is more than 64";
  for (unsigned l = 0; l < op.getWeights().size(); ++l)
    if (op.getN(l) == 0)
      return "a Linear has no columns";
  SmallVector<Group> groups;
  if (!makeGroups(op, groups))
    return "some outputs take more Linears than others";
  if (groups.empty())
    return "there are no outputs";
  if (groups[0].linears.size() > 4)
    return "an output takes more than four Linears";
  if (!propose(op, target, 1, 8, hasTransposedWeight(op)))
    return "K is too large: eight rows do not fit in a block's memory";
  return "";
}

//===----------------------------------------------------------------------===//
// Schedule to plan
//===----------------------------------------------------------------------===//

/// How gain and shift arrive: ahead of their use in registers, as far as these can hold
/// them. Where that is not far, each load would be waited for beside the stream of
/// weights, and shared memory is the better place if it has room.
static void setVectors(Plan &plan) {
  plan.ahead = plan.steps();
  if (!plan.rounds)
    return;
  int64_t perStep = 8 * (plan.gainBytes + plan.shiftBytes) / (4 * plan.k);
  int64_t room = plan.registerLimit() - plan.operandRegisters() - 56;
  plan.ahead = std::clamp<int64_t>(room / perStep, 1, plan.steps());
  plan.staged = plan.bulk && plan.ahead < plan.steps();
}

/// Registers that a thread needs beside its slice of the left operand, found by trial: fewer,
/// and ptxas spills.
static int64_t otherRegisters(const Plan &plan) {
  bool one = plan.halves == 1;
  if (!plan.rounds)
    return plan.deferred ? 32 : one ? 56 : 72;
  int64_t wide = 0; // vectors in f32
  for (int64_t bytes : {plan.gainBytes, plan.shiftBytes})
    wide += bytes == 4 * plan.k;
  return 16 * wide + (plan.deferred ? (one ? 64 : 56) : one ? 80 : 120);
}

/// Everything that follows from K, the warps and the split.
static void setGeometry(Plan &plan) {
  plan.warpK = plan.chunks * 32;
  plan.stageK = plan.warpK * plan.warps;
  // A quarter of a warp reads 64 bytes of each of two rows (of 8 bits, half a warp 32 bytes
  // of each of four): in different banks.
  plan.pitch = alignTo(plan.stageK * plan.weightBytes, 128) + 32 * plan.weightBytes;
  plan.stageBytes = unitN * plan.pitch;
  plan.stagesPerUnit = plan.width * plan.split;

  // Two blocks share a multiprocessor where K is small and registers allow it:
  // under dependent launch, the next kernel's block starts, and loads its weights,
  // beside the running one.
  plan.kept = plan.steps();
  int64_t others = otherRegisters(plan);
  auto fits = [&] { return plan.operandRegisters() + others <= plan.registerLimit(); };
  bool small = plan.k < 4096 && (plan.halves == 1 || plan.k <= 1024);
  plan.minBlocks = plan.bulk && small ? 2 : 1;
  if (!fits())
    plan.minBlocks = 1;
  if (!fits()) {
    bool lean = plan.deferred && !plan.rounds;
    int64_t room = plan.registerLimit() - (!lean ? others : plan.halves == 1 ? 48 : 56);
    plan.kept = std::clamp<int64_t>(room / (4 * plan.halves), 0, plan.steps());
  }
  setVectors(plan);
}

/// Lays out shared memory behind the ring.
static void setMemory(Plan &plan) {
  int64_t at = plan.stages * plan.stageBytes;
  plan.operand = at, at += plan.warps * (plan.steps() - plan.kept) * plan.halves * 512;
  plan.vectors = at, at += plan.staged ? plan.gainBytes + plan.shiftBytes : 0;
  plan.partials = at, at += 2 * plan.partialBytes();
  plan.statistics = at, at += 2 * plan.warps * plan.rows() * 4;
  plan.full = at, at += plan.bulk ? plan.stages * 8 : 0;
  plan.empty = at, at += plan.bulk ? plan.stages * 8 : 0;
  plan.vectorsFull = at, at += plan.staged ? 8 : 0;
  plan.sharedBytes = at;
}

/// Problem and target to the plan, without a schedule.
static void setProblem(OnlineOp op, TargetAttr target, bool packed, Plan &plan) {
  plan.element = getElementTypeOrSelf(op.getX());
  plan.weightBytes = isQuantised(op) ? 1 : 2;
  plan.product = isQuantised(op) ? Type(Float16Type::get(op.getContext())) : plan.element;
  plan.k = op.getK();
  plan.packed = packed;
  plan.bulk = hasBulkCopies(target);
  auto bytes = [&](Value v) {
    return v ? plan.k * getElementTypeOrSelf(v).getIntOrFloatBitWidth() / 8 : 0;
  };
  plan.gainBytes = plan.packed ? 0 : bytes(op.getGain());
  plan.shiftBytes = plan.packed ? 0 : bytes(op.getShift());
  plan.rounds = plan.gainBytes + plan.shiftBytes > 0;
  // An f16 of x v alone might overflow where h does not.
  plan.deferred = plan.packed || (op.getNumRowFactors() < 2 && !op.getShift() &&
                                  (!op.getGain() || plan.element.isBF16()));
  makeGroups(op, plan.groups);
  plan.width = plan.groups.empty() ? 1 : plan.groups[0].linears.size();
  for (const Group &group : plan.groups) {
    plan.units = group.firstUnit + divideCeil(group.n, unitN);
    plan.ragged |= group.n % unitN != 0;
  }
}

/// Cuts the units into blocks, as evenly as possible.
static void setGrid(TargetAttr target, Plan &plan) {
  int64_t columns = std::max<int64_t>(1, target.getSms() / plan.rowBlocks);
  plan.unitsPerBlock = divideCeil(plan.units, columns);
  plan.columnBlocks = divideCeil(plan.units, plan.unitsPerBlock);
  plan.refill = plan.unitsPerBlock * plan.stagesPerUnit > plan.stages;
}

std::string decode::makePlan(OnlineOp op, TargetAttr target, ScheduleAttr schedule, Plan &plan) {
  std::string reason = whyUnsupported(op, target);
  if (!reason.empty())
    return reason;
  if (!schedule.getPacked() && hasTransposedWeight(op))
    return "a weight is K x N, which needs packed = true";
  if (schedule.getPacked() && isQuantised(op))
    return "weights of 8 bits are not packed";
  setProblem(op, target, schedule.getPacked(), plan);
  if (schedule.getTileN() != unitN)
    return "tile_n must be 8";
  if (schedule.getTileM() != 8 && schedule.getTileM() != 16)
    return "tile_m must be 8 or 16";
  if (schedule.getMinRows() < 1 || schedule.getMaxRows() < schedule.getMinRows() ||
      schedule.getMaxRows() > 64)
    return "it must serve 1 <= min_rows <= max_rows <= 64 rows";
  if (schedule.getAlign() % 16 != 0)
    return "align must be a multiple of 16";
  if (schedule.getTf32())
    return "tf32 is for f32 operands";
  plan.halves = schedule.getTileM() / 8;
  plan.rowBlocks = divideCeil(schedule.getMaxRows(), schedule.getTileM());
  plan.warps = schedule.getWarps();
  if (plan.warps < 1 || plan.threads() > 1024)
    return "a block has at most 1024 threads";
  if (plan.multiplying() < plan.rows() * unitN)
    return "warps must give a thread to each of the tile's outputs";
  plan.split = schedule.getSplit();
  if (schedule.getTileK() <= 0 || schedule.getTileK() % (32 * plan.warps) != 0 ||
      schedule.getTileK() > plan.k + 32 * plan.warps)
    return "tile_k must be a multiple of 32 * warps, and at most K rounded up to one";
  plan.chunks = schedule.getTileK() / (32 * plan.warps);
  if (plan.split != static_cast<int64_t>(divideCeil(plan.k, schedule.getTileK())))
    return "split must be K / tile_k, rounded up";
  plan.stages = schedule.getStages();
  if (plan.stages < 2 || plan.stages > 64)
    return "stages must be between 2 and 64";
  setGeometry(plan);
  setMemory(plan);
  if (plan.sharedBytes > target.getSmem() && std::exchange(plan.staged, false))
    setMemory(plan);
  if (plan.sharedBytes > target.getSmem())
    return formatv("it needs {0} bytes of shared memory, of {1}", plan.sharedBytes,
                   target.getSmem());
  setGrid(target, plan);
  return "";
}

//===----------------------------------------------------------------------===//
// Proposals
//===----------------------------------------------------------------------===//

/// Chunks per stage, at most `most` if that leaves a choice, and split for the
/// plan's warps. Among the splits that keep to it, least padding of K wins, then the
/// smallest: short segments of rows are slow to issue.
static void chooseSplit(Plan &plan, int64_t most) {
  int64_t steps = divideCeil(plan.k, 32), best = 0;
  int64_t least = divideCeil(divideCeil(steps, plan.warps), most);
  for (int64_t split = least; split <= 2 * least; ++split) {
    int64_t chunks = divideCeil(steps, split * plan.warps), padded = chunks * split * plan.warps;
    // The last part must not be empty.
    if (chunks * plan.warps * (split - 1) >= steps || (best && padded >= best))
      continue;
    best = padded, plan.split = split, plan.chunks = chunks;
  }
}

/// Depth of the ring: what is left of the block's shared memory, or of its half
/// of the multiprocessor's (1 KB of which a block needs for itself).
static void chooseStages(TargetAttr target, Plan &plan) {
  plan.stages = 0;
  setMemory(plan);
  int64_t perStage = plan.stageBytes + (plan.bulk ? 16 : 0);
  int64_t room = (target.getSmem() + 1024) / plan.minBlocks - 1024 - plan.sharedBytes;
  plan.stages = std::min<int64_t>(12, room / perStage);
}

/// Stages that a ring needs at least.
static constexpr int64_t fewest = 4;

/// Cuts K for the plan's rows as deep in the ring as fits. False if that is too little.
static bool choose(TargetAttr target, Plan &plan) {
  auto cut = [&](int64_t most) {
    chooseSplit(plan, most);
    setGeometry(plan);
  };
  plan.warps = getDecodeWarps(plan.k);
  // Rows of 8 bits are cut into segments of as many bytes; but where these would be 4 KB, a
  // plain launch waits for its first stage (K = 4096: 36.6 us, of 2 KB 33.6).
  int64_t perChunk = 2 / plan.weightBytes;
  cut(getDecodeChunkLimit(plan.warps) * (plan.warps > 8 ? 1 : perChunk));
  chooseStages(target, plan);
  if (plan.kept == plan.steps() && plan.warps == 8 && plan.weightBytes == 2) {
    // Where the ring is refilled, one thread does not issue short segments fast enough.
    setGrid(target, plan);
    if (plan.refill)
      cut(2 * getDecodeChunkLimit(plan.warps));
  }
  if (plan.kept < plan.steps())
    cut(decodeChunkLimitInMemory * perChunk);
  chooseStages(target, plan);
  if (plan.stages < fewest && std::exchange(plan.staged, false))
    chooseStages(target, plan);
  if (plan.stages < fewest) {
    cut(1);
    plan.staged = false;
    chooseStages(target, plan);
  }
  return plan.stages >= fewest;
}

/// Whether sixteen rows leave the ring so little that segments of rows of 8 bits are 512 bytes,
/// half of what one thread issues in time: 55 us for 8192 x 8192, where bf16 takes 33. Blocks of
/// eight rows take 2 KB.
static bool hasShortSegments(const Plan &plan) {
  return plan.halves > 1 && plan.weightBytes == 1 && plan.split > 1 && plan.chunks == 1;
}

static ScheduleAttr toSchedule(OnlineOp op, const Plan &plan, int64_t minRows, int64_t maxRows) {
  return ScheduleAttr::get(op.getContext(), KernelFamily::Decode, MmaKind::MmaSync, minRows,
                           maxRows, 8 * plan.halves, unitN, plan.stageK, plan.stages, plan.warps,
                           plan.split, /*parts=*/1, plan.packed, /*align=*/16, /*tf32=*/false);
}

/// Above so many long rows, room for them in L1 is worth more than a deep ring.
static constexpr int64_t fewRows = 4;

static ScheduleAttr propose(OnlineOp op, TargetAttr target, int64_t minRows, int64_t maxRows,
                            bool packed) {
  // Sixteen rows in one block where they fit; else two blocks of eight rows side
  // by side, which read the same weights at about one time.
  for (int64_t halves = maxRows / 8; halves >= 1; --halves) {
    Plan plan;
    setProblem(op, target, packed, plan);
    plan.halves = halves;
    if (!choose(target, plan) || hasShortSegments(plan))
      continue;
    // What shared memory leaves is L1, through which x is read (4096 x 4096, M = 8: 10.3 us
    // plain and 9.1 dependent with four stages, 11.0 and 9.6 with six; M = 1: 10.0 and 8.7
    // against 10.1 and 8.4).
    if (minRows > fewRows && maxRows <= 8 * halves && plan.warps > 8 && plan.weightBytes == 2)
      plan.stages = fewest;
    return toSchedule(op, plan, minRows, maxRows);
  }
  return {};
}

SmallVector<ScheduleAttr> decode::proposeSchedules(OnlineOp op, TargetAttr target) {
  SmallVector<ScheduleAttr> variants;
  int64_t m = op.getM();
  // A gain that is folded into packed weights costs nothing here; who keeps no packed copies
  // is served behind.
  bool transposed = hasTransposedWeight(op), rounds = op.getGain() || op.getShift();
  for (bool packed : {true, false}) {
    if (packed ? (!transposed && !rounds) || isQuantised(op) : transposed)
      continue;
    ScheduleAttr few = propose(op, target, 1, 8, packed),
                 more = propose(op, target, fewRows + 1, 8, packed),
                 most = propose(op, target, 9, 16, packed);
    if (few && few.getStages() == more.getStages())
      more = {};
    else if (few)
      few = withRows(few, 1, fewRows);
    for (ScheduleAttr schedule : {few, more, most})
      if (schedule &&
          (ShapedType::isDynamic(m) || (schedule.getMinRows() <= m && m <= schedule.getMaxRows())))
        variants.push_back(schedule);
  }
  return variants;
}

SmallVector<ScheduleAttr> decode::proposeInvariant(OnlineOp op, TargetAttr target, bool packed) {
  bool transposed = hasTransposedWeight(op), rounds = op.getGain() || op.getShift();
  if (packed ? isQuantised(op) || (!transposed && !rounds) : transposed)
    return {};
  // The order of a row's sums depends on the warps and on how these cut K, not on how many rows
  // a block has. What is right for sixteen rows is taken for eight.
  Plan sixteen, eight;
  setProblem(op, target, packed, sixteen);
  setProblem(op, target, packed, eight);
  sixteen.halves = 2;
  if (!choose(target, sixteen))
    return {};
  if (hasShortSegments(sixteen) && choose(target, eight))
    return {toSchedule(op, eight, 1, invariantRows)};
  eight.warps = sixteen.warps, eight.split = sixteen.split, eight.chunks = sixteen.chunks;
  setGeometry(eight);
  chooseStages(target, eight);
  SmallVector<ScheduleAttr> variants{toSchedule(op, sixteen, 1, invariantRows)};
  if (eight.stages >= 2)
    variants.insert(variants.begin(), toSchedule(op, eight, 1, 8));
  return variants;
}

std::optional<double> decode::predict(OnlineOp op, TargetAttr target, ScheduleAttr schedule,
                                      int64_t rows) {
  Plan plan;
  // The model was fitted to weights of 16 bits.
  if (!makePlan(op, target, schedule, plan).empty() || plan.weightBytes != 2)
    return std::nullopt;
  int64_t rowBlocks = divideCeil(rows, plan.rows());
  plan::MmaDecode launch;
  // Blocks of other rows read the same weights at about the same time.
  launch.blocks = plan.columnBlocks;
  launch.tiles = plan.unitsPerBlock * plan.width;
  launch.split = plan.split;
  launch.depth = plan.stages;
  launch.operands = plan.halves * plan.steps();
  launch.stageBytes = unitN * plan.k * plan.weightBytes / plan.split;
  launch.xBytes = plan.columnBlocks * rowBlocks * std::min(rows, plan.rows()) * plan.k * 2;
  launch.roomInL1 = rowBlocks == 1 && plan.warps > 8 && plan.stages * plan.stageBytes <= 160 << 10;
  // The model is one of plain launches; of what dependent launch gains beside wgmma, half counts.
  // Where two blocks fit a multiprocessor and the ring holds all weights it is 1 to 2 us against
  // half of one; where the ring of eight warps is refilled more than once, 0.7 against 2 (16384 x
  // 2048, M = 1: 18.0 plain and 17.2 dependent, wgmma 17.4 and 15.3).
  double gained = 0;
  if (plan.minBlocks > 1 && !plan.refill)
    gained = 0.5;
  else if (plan.warps == 8 && plan.unitsPerBlock * plan.stagesPerUnit > 2 * plan.stages)
    gained = -0.6;
  return plan::predictDecode(launch) - gained;
}
