//===- KernelCost.cpp - What a kernel costs --------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch, and then the longer of
//   - the arrays: DPipe's makespan, which issuing bounds too; for a Linear also the tile model;
//   - the copies: what the kernel reads and writes, once, from memory, or at the rate of the copy
//     engine where another kernel has left it on the chip.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/CostModel.h"
#include "KernelReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;
using namespace mlir::flashfusion::plan;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Slots to fetch what the Einsum is the first to read from a tile; tensor cores read tiles
/// without lanes.
static double countLoads(const Cascade &cascade, const Einsum &einsum, const Gpu &gpu,
                         StringSet<> &fetched) {
  double elements = 0;
  if (einsum.op != OpKind::Contract)
    for (const Operand &read : einsum.reads)
      if (read.offChip && fetched.insert(read.tensor).second)
        elements += cascade.volume(read.ranks);
  return elements * gpu.loadSlots / (gpu.issueWidth * static_cast<double>(gpu.multiprocessors));
}

PipeProblem mlir::flashfusion::plan::getPipeProblem(const Cascade &cascade, const Group &group,
                                                    const Target &target, ArrayRef<double> times) {
  PipeProblem problem;
  bool issues = any_of(target.arrays, [](const Array &array) { return array.issue > 0; });
  StringSet<> fetched;
  for (auto [i, einsum] : enumerate(group.einsums)) {
    double repeated = times.empty() ? 1 : times[i];
    double loads = target.gpu ? countLoads(cascade, einsum, *target.gpu, fetched) : 0;
    std::vector<double> &latency = problem.latency.emplace_back();
    std::vector<double> issue;
    for (const Array &array : target.arrays) {
      if (array.copies())
        continue;
      double cycles = computeCycles(group, cascade, einsum, array, target.packLimit);
      latency.push_back(cycles < infinity ? repeated * cycles : cycles);
      issue.push_back(cycles < infinity ? repeated * (array.issue * cycles + loads) : cycles);
    }
    if (issues)
      problem.issue.push_back(std::move(issue));
  }
  for (const Dependence &dep : getDependences(group))
    (dep.carried ? problem.carried : problem.edges).push_back({dep.from, dep.to});
  return problem;
}

/// No schedule is shorter: for any weights of the resources that add up to 1, the sum over the
/// nodes of the least weighted latency. Weights that make one node indifferent are tried.
static double boundFromBelow(const PipeProblem &problem) {
  double bound = 0;
  for (const std::vector<double> &issue : problem.issue)
    bound += *llvm::min_element(issue);
  for (const std::vector<double> &pivot : problem.latency) {
    std::vector<double> weights;
    double total = 0, sum = 0;
    for (double latency : pivot)
      total += weights.emplace_back(latency > 0 && latency < infinity ? 1 / latency : 0);
    if (total <= 0)
      continue;
    for (const std::vector<double> &latency : problem.latency) {
      double least = infinity;
      for (auto [weight, cycles] : zip_equal(weights, latency))
        if (cycles < infinity)
          least = std::min(least, weight / total * cycles);
      sum += least < infinity ? least : 0;
    }
    bound = std::max(bound, sum);
  }
  return bound;
}

//===----------------------------------------------------------------------===//
// Tiles of Linears
//===----------------------------------------------------------------------===//

/// Tiles over the columns of all outputs.
int64_t KernelReader::countTiles(const Kernel &kernel, int64_t width) const {
  // Linears of one output are as wide, and outputs stand one after another.
  int64_t tiles = 0, linears = kernel.linearsPerOutput;
  for (const Product &product : products)
    tiles += divideCeil(static_cast<int64_t>(product.columns), width / linears);
  return divideCeil(tiles, linears);
}

/// Cycles of issuing, on one multiprocessor, for the statistics of a step of the prefill kernel.
double KernelReader::sumUpRows() const {
  const Gpu &gpu = *model.target.gpu;
  StringSet<> fetched;
  double cycles = 0;
  for (unsigned i = 0; i < size; ++i) {
    if (after[i] || ((productSet | folded) >> i & 1))
      continue;
    double least = infinity;
    for (const Array &array : model.target.arrays)
      if (!array.copies() && array.supports(group.einsums[i].op))
        least = std::min(least, array.issue * computeCycles(group, model.cascade, group.einsums[i],
                                                            array, model.target.packLimit));
    cycles += least < infinity ? least : 0;
    cycles += countLoads(model.cascade, group.einsums[i], gpu, fetched);
  }
  double elements = products.front().rows * products.front().depth;
  return cycles * static_cast<double>(gpu.multiprocessors * prefillTileRows * prefillTileDepth) /
         elements;
}

/// TileSeek's choice; false if nothing fits.
bool KernelReader::chooseTile(Kernel &kernel, double &cycles) const {
  const Target &target = model.target;
  const Gpu &gpu = *target.gpu;
  KernelShape shape{static_cast<int64_t>(products.front().rows), 0,
                    static_cast<int64_t>(products.front().depth)};
  for (const Product &product : products)
    shape.columns += static_cast<int64_t>(product.columns);
  int64_t before = 1; // how often a row is summed up
  if (shape.rows <= maxDecodeRows)
    kernel.cut = seekDecodeTile(shape, target, {});
  if (kernel.cut) {
    cycles = kernel.cut->seconds * target.clock - gpu.launchCycles;
    before = countDecodeBlocks(shape, target);
  } else if (shape.rows <= maxWideDecodeRows) {
    kernel.decodeColumns = getWideDecodeColumns(gpu, shape.columns);
    cycles = predictWideDecodeCycles(gpu, target.bandwidth / target.clock, shape.rows,
                                     shape.columns, shape.depth);
    before = 0; // its own warps sum up rows while x is fetched
  } else {
    double products = 0;
    for (const Array &array : target.arrays)
      if (array.supports(OpKind::Contract)) {
        products = array.issue;
        break;
      }
    double sums = sumUpRows() / std::max(gpu.sumSharers, 1.0);
    double least = kernel.statistics ? gpu.sumCycles : 0;
    auto predict = [&](int64_t width, int64_t stages) {
      int64_t tiles = divideCeil(shape.rows, prefillTileRows) * countTiles(kernel, width);
      double step =
          static_cast<double>(prefillTileRows * width * prefillTileDepth) / gpu.productsPerCycle;
      return predictPrefillCycles(gpu, tiles, shape.depth, width, stages,
                                  std::max(least, sums + products * step));
    };
    auto fits = [&](int64_t width, int64_t stages) {
      return width % kernel.linearsPerOutput == 0 && width / kernel.linearsPerOutput >= 64 &&
             isPrefillWidth(width, kernel.linearsPerOutput, kernel.statistics) &&
             fitsPrefillBlock(gpu, width, stages);
    };
    kernel.tile = seekKernelTile(fits, predict, {});
    if (!kernel.tile)
      return false;
    cycles = kernel.tile->cycles;
    kernel.tile->seconds = cycles / target.clock;
    before = divideCeil(countTiles(kernel, kernel.tile->columns),
                        std::max<int64_t>(static_cast<int64_t>(gpu.sumSharers), 1));
  }
  for (unsigned i = 0; i < size; ++i) {
    if (folded >> i & 1)
      kernel.times[i] = 0; // a gain is folded into the weights once
    else if (!after[i] && !(productSet >> i & 1))
      kernel.times[i] = static_cast<double>(before);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

void KernelReader::countBytes(Kernel &kernel) const {
  const Target &target = model.target;
  StringSet<> seen;
  auto count = [&](const Operand &operand, bool intermediate) {
    if (!operand.offChip || !seen.insert(operand.tensor).second)
      return;
    double words = operand.words ? operand.words : model.cascade.volume(operand.ranks);
    double bytes = words * target.wordBytes;
    (intermediate && bytes <= target.bufferBytes ? kernel.cacheBytes : kernel.memoryBytes) += bytes;
  };
  bool factors = false; // of rows, which another kernel has computed
  for (unsigned i = 0; i < size; ++i) {
    const Einsum &einsum = group.einsums[i];
    for (const Operand &read : einsum.reads) {
      bool written = model.writer.contains(read.tensor);
      count(read, written);
      factors |= kernel.kind == KernelKind::Linear && isRowFactor(i, read);
    }
    count(einsum.result, !einsum.returned);
  }
  // No kernel of ours takes them: the other one stores the normalised rows, which are read here in
  // place of the rows.
  if (factors && target.gpu) {
    double bytes = products.front().rows * products.front().depth * target.wordBytes;
    (bytes <= target.bufferBytes ? kernel.cacheBytes : kernel.memoryBytes) += bytes;
  }
}

/// With what a row takes before anything else of it can be done.
double KernelReader::getLaunchCycles(const Kernel &kernel) const {
  double fiber = 0;
  if (kernel.kind == KernelKind::Rows)
    for (unsigned i = 0; i < size; ++i)
      if (isReduction(i))
        fiber = std::max(fiber, reducedVolume(i));
  return model.target.gpu->launchCycles + model.target.gpu->rowCycles * fiber;
}

std::string KernelReader::price(Kernel &kernel, uint64_t visits) {
  const Target &target = model.target;
  kernel.times.assign(size, 1);
  double cycles = 0;
  if (target.gpu && kernel.kind == KernelKind::Linear && !chooseTile(kernel, cycles))
    return "no tile fits in shared memory and registers";
  PipeProblem problem = getPipeProblem(model.cascade, group, target, kernel.times);
  if (visits) {
    kernel.pipe = runDPipe(problem, visits);
    cycles = std::max(cycles, kernel.pipe.best.makespan);
  } else {
    cycles = std::max(cycles, boundFromBelow(problem));
  }
  kernel.computeSeconds = cycles / target.clock;
  countBytes(kernel);
  double rate = target.bandwidth, cacheRate = target.bandwidth;
  if (const Array *engine = target.findCopyEngine()) {
    cacheRate = engine->bytesPerCycle * target.clock;
    rate = std::min(rate, cacheRate);
  }
  if (target.gpu && kernel.kind == KernelKind::Rows)
    rate = cacheRate = target.bandwidth * target.gpu->streamShare;
  kernel.copySeconds = kernel.memoryBytes / rate + kernel.cacheBytes / cacheRate;
  if (target.gpu)
    kernel.launchSeconds = getLaunchCycles(kernel) / target.clock;
  return "";
}
