//===- Target.cpp - Machines to plan for, as data --------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Target.h"

#include "FlashFusion/Support/JSONDepth.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace mlir::flashfusion::plan;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// A positive whole number that a count of lanes or positions may be.
static bool mapCount(const json::Object &object, StringRef key, int64_t &out, json::Path path) {
  const json::Value *value = object.get(key);
  if (!value)
    return true;
  if (!fromJSON(*value, out, path.field(key)))
    return false;
  if (out >= 1 && out <= (int64_t(1) << 40))
    return true;
  path.field(key).report("expected a count between 1 and 2^40");
  return false;
}

/// The range keeps products and quotients of a plan finite, and is wider than any machine's.
static bool requirePositive(double value, StringRef key, json::Path path) {
  if (value >= 1e-12 && value <= 1e18)
    return true;
  path.field(key).report("expected a positive number");
  return false;
}

/// Misspelt keys must not silently mean the default.
static bool requireKnownKeys(const json::Object &object, ArrayRef<StringRef> known,
                             json::Path path) {
  for (const auto &entry : object)
    if (!is_contained(known, StringRef(entry.first))) {
      path.field(entry.first).report("unknown key");
      return false;
    }
  return true;
}

static bool parseArray(const json::Value &value, Array &array, json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("name", array.name) || !mapper.mapOptional("flat", array.flat))
    return false;
  const json::Object &object = *value.getAsObject();
  if (!requireKnownKeys(
          object, {"name", "rows", "columns", "flat", "ops", "issue_share", "bytes_per_cycle"},
          path) ||
      !mapCount(object, "rows", array.rows, path) ||
      !mapCount(object, "columns", array.columns, path) ||
      !mapper.mapOptional("issue_share", array.issue) ||
      !mapper.mapOptional("bytes_per_cycle", array.bytesPerCycle))
    return false;
  if (array.issue < 0 || !(array.issue <= 1)) {
    path.field("issue_share").report("expected a share between 0 and 1");
    return false;
  }
  array.cost.fill(-1);
  if (object.get("bytes_per_cycle")) {
    if (object.get("ops")) {
      path.field("ops").report("a copy engine computes nothing");
      return false;
    }
    return requirePositive(array.bytesPerCycle, "bytes_per_cycle", path);
  }
  const json::Object *ops = object.getObject("ops");
  if (!ops) {
    path.field("ops").report("expected an object of costs per kind of operation");
    return false;
  }
  for (const auto &[key, cost] : *ops) {
    std::optional<OpKind> kind = symbolizeOpKind(key);
    std::optional<double> cycles = cost.getAsNumber();
    json::Path at = path.field("ops").field(key);
    if (!kind) {
      at.report("unknown kind of operation");
      return false;
    }
    if (!cycles || !(*cycles >= 1e-12 && *cycles <= 1e9)) {
      at.report("expected a positive cost in cycles");
      return false;
    }
    array.cost[unsigned(*kind)] = *cycles;
  }
  return true;
}

namespace {
/// A number of a GPU's description: its key, where it goes, and whether it is a count.
struct GpuField {
  StringRef key;
  int64_t Gpu::*count;
  double Gpu::*number;
  bool optional = false;
};
} // namespace
static const GpuField gpuFields[] = {
    {"multiprocessors", &Gpu::multiprocessors, nullptr},
    {"shared_bytes", &Gpu::sharedBytes, nullptr},
    {"thread_registers", &Gpu::threadRegisters, nullptr},
    {"other_registers", &Gpu::otherRegisters, nullptr},
    {"products_per_cycle", nullptr, &Gpu::productsPerCycle},
    {"copy_bytes_per_cycle", nullptr, &Gpu::copyBytesPerCycle},
    {"copy_latency", nullptr, &Gpu::copyLatency},
    {"narrow_penalty", nullptr, &Gpu::narrowPenalty},
    {"epilogue_cycles", nullptr, &Gpu::epilogueCycles},
    {"epilogue_cycles_per_column", nullptr, &Gpu::epilogueCyclesPerColumn},
    {"launch_cycles", nullptr, &Gpu::launchCycles},
    {"stream_share", nullptr, &Gpu::streamShare},
    {"operand_cycles", nullptr, &Gpu::operandCycles},
    {"issue_width", nullptr, &Gpu::issueWidth, /*optional=*/true},
    {"load_slots", nullptr, &Gpu::loadSlots, /*optional=*/true},
    {"sum_cycles", nullptr, &Gpu::sumCycles, /*optional=*/true},
    {"sum_sharers", nullptr, &Gpu::sumSharers, /*optional=*/true},
    {"row_cycles", nullptr, &Gpu::rowCycles, /*optional=*/true},
    {"fill_cycles", nullptr, &Gpu::fillCycles, /*optional=*/true},
    {"fill_start_cycles", nullptr, &Gpu::fillStartCycles, /*optional=*/true},
    {"fill_share", nullptr, &Gpu::fillShare, /*optional=*/true},
};

static bool parseGpu(const json::Value &value, Gpu &gpu, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object) {
    path.report("expected an object");
    return false;
  }
  SmallVector<StringRef> known;
  for (const GpuField &field : gpuFields) {
    known.push_back(field.key);
    if (field.count) {
      if (!object->get(field.key)) {
        path.field(field.key).report("missing value");
        return false;
      }
      if (!mapCount(*object, field.key, gpu.*field.count, path))
        return false;
      continue;
    }
    if (field.optional && !object->get(field.key))
      continue;
    std::optional<double> number = object->getNumber(field.key);
    if (!number || !requirePositive(*number, field.key, path)) {
      if (!number)
        path.field(field.key).report("expected a positive number");
      return false;
    }
    gpu.*field.number = *number;
  }
  return requireKnownKeys(*object, known, path);
}

static bool parseTarget(const json::Value &value, Target &target, json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("name", target.name) || !mapper.map("clock_hz", target.clock) ||
      !mapper.map("bytes_per_second", target.bandwidth) ||
      !mapper.map("buffer_bytes", target.bufferBytes) ||
      !mapper.mapOptional("word_bytes", target.wordBytes) ||
      !mapper.mapOptional("omit_value_input", target.omitValueInput))
    return false;
  const json::Object &object = *value.getAsObject();
  if (!requireKnownKeys(object,
                        {"name", "clock_hz", "bytes_per_second", "buffer_bytes", "word_bytes",
                         "tile", "pack_limit", "omit_value_input", "arrays", "gpu"},
                        path) ||
      !mapCount(object, "tile", target.tile, path) ||
      !mapCount(object, "pack_limit", target.packLimit, path) ||
      !requirePositive(target.clock, "clock_hz", path) ||
      !requirePositive(target.bandwidth, "bytes_per_second", path) ||
      !requirePositive(target.bufferBytes, "buffer_bytes", path) ||
      !requirePositive(target.wordBytes, "word_bytes", path))
    return false;
  if (const json::Value *gpu = object.get("gpu"))
    if (!parseGpu(*gpu, target.gpu.emplace(), path.field("gpu")))
      return false;
  const json::Array *arrays = object.getArray("arrays");
  if (!arrays || arrays->empty() || arrays->size() > 16) {
    path.field("arrays").report("expected 1 to 16 arrays");
    return false;
  }
  for (auto [index, array] : enumerate(*arrays))
    if (!parseArray(array, target.arrays.emplace_back(), path.field("arrays").index(index)))
      return false;
  if (all_of(target.arrays, [](const Array &array) { return array.copies(); })) {
    path.field("arrays").report("expected an array that computes");
    return false;
  }
  if (count_if(target.arrays, [](const Array &array) { return array.copies(); }) > 1) {
    path.field("arrays").report("expected at most one copy engine");
    return false;
  }
  // Behind those that compute, which schedules number from 0.
  llvm::stable_sort(target.arrays,
                    [](const Array &a, const Array &b) { return !a.copies() && b.copies(); });
  return true;
}

Expected<Target> mlir::flashfusion::plan::parseTarget(StringRef text) {
  if (getJSONDepth(text) > maxJSONDepth)
    return createStringError("the text nests too deeply");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  json::Path::Root root("target");
  Target target;
  if (!::parseTarget(*value, target, root))
    return root.getError();
  return target;
}

json::Value mlir::flashfusion::plan::toJSON(const Target &target) {
  json::Array arrays;
  for (const Array &array : target.arrays) {
    json::Object ops;
    for (unsigned kind = 0; kind < numOpKinds; ++kind)
      if (array.supports(OpKind(kind)))
        ops[stringifyOpKind(OpKind(kind))] = array.cost[kind];
    json::Object entry{{"name", array.name}};
    if (array.issue > 0)
      entry["issue_share"] = array.issue;
    if (array.copies()) {
      entry["bytes_per_cycle"] = array.bytesPerCycle;
    } else {
      entry["rows"] = array.rows;
      entry["columns"] = array.columns;
      entry["flat"] = array.flat;
      entry["ops"] = std::move(ops);
    }
    arrays.push_back(std::move(entry));
  }
  json::Object result{{"name", target.name},
                      {"clock_hz", target.clock},
                      {"bytes_per_second", target.bandwidth},
                      {"buffer_bytes", target.bufferBytes},
                      {"word_bytes", target.wordBytes},
                      {"tile", target.tile},
                      {"pack_limit", target.packLimit},
                      {"omit_value_input", target.omitValueInput},
                      {"arrays", std::move(arrays)}};
  if (target.gpu) {
    json::Object gpu;
    for (const GpuField &field : gpuFields)
      if (field.count)
        gpu[field.key] = *target.gpu.*field.count;
      else if (!field.optional || *target.gpu.*field.number > 0)
        gpu[field.key] = *target.gpu.*field.number;
    result["gpu"] = std::move(gpu);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Built-in targets
//===----------------------------------------------------------------------===//

/// TransFusion's machines: an R x R array and 256 lanes beside it. The published costs
/// deny max and divide, and with them every activation, to the R x R array.
static Target getPublished(StringRef name, int64_t side, double mebibytes, double gibibytes,
                           bool compat) {
  Target target;
  target.name = name.str();
  target.clock = 940e6;
  target.bandwidth = gibibytes * double(1 << 30);
  target.bufferBytes = mebibytes * double(1 << 20);
  target.tile = side;
  target.packLimit = 4;
  target.omitValueInput = compat;
  //           contract add mul max div exp rsqrt gelu silu relu
  Array vector{"1D", side, 256 / side, /*flat=*/false, {1, 1, 1, 1, 1, 7, 6, 9, 9, 1}};
  Array matrix{"2D", side, side, /*flat=*/false, vector.cost};
  if (compat)
    for (OpKind denied : {OpKind::Max, OpKind::Div, OpKind::Gelu, OpKind::Silu, OpKind::Relu})
      matrix.cost[unsigned(denied)] = -1;
  target.arrays = {matrix, vector};
  return target;
}

/// FuseMax's machine, priced as published: its R x R array takes the maximum, too.
static Target getFuseMax() {
  Target target = getPublished("fusemax", 256, 16, 400, /*compat=*/true);
  Array &matrix = target.arrays.front();
  matrix.cost[unsigned(OpKind::Max)] = 1;
  return target;
}

/// One H200: dense 16-bit tensor cores, f32 lanes, special functions. A division is the
/// product with a reciprocal that a row shares. The buffer is the L2 cache, since all
/// multiprocessors share a group's tiles. Warps that multiply wait for their products half of
/// the time, lanes take a slot per operation, special functions one for eight cycles of a lane.
static Target getH200() {
  Target target;
  target.name = "h200";
  target.clock = 1.83e9;
  target.bandwidth = 4.8e12;
  target.bufferBytes = 50.0 * (1 << 20);
  target.tile = 128;
  target.packLimit = 1;
  const double none = -1;
  //                           contract add  mul   max   div   exp  rsqrt gelu  silu  relu
  target.arrays = {
      {"TC", 132, 2048, true, {{1, none, none, none, none, none, none, none, none, none}}, 0.5},
      {"FP32", 132, 128, true, {{1, 1, 1, 1, 1, none, none, none, none, 1}}, 1},
      {"MUFU", 132, 16, true, {{none, none, none, none, none, 1, 1, 1, 2, none}}, 0.125},
  };
  target.gpu = getH200Gpu();
  // The copy engines of all multiprocessors, from L2; one thread of each issues for all.
  Array &copies = target.arrays.emplace_back();
  copies.name = "copy";
  copies.cost.fill(none);
  copies.bytesPerCycle = 132 * target.gpu->copyBytesPerCycle;
  return target;
}

std::optional<Target> mlir::flashfusion::plan::lookUpTarget(StringRef name, bool compat) {
  return StringSwitch<std::optional<Target>>(name)
      .Case("cloud", getPublished("cloud", 256, 16, 400, compat))
      .Case("edge", getPublished("edge", 16, 5, 30, compat))
      .Case("fusemax", getFuseMax())
      .Case("h200", getH200())
      .Default(std::nullopt);
}

Expected<Target> mlir::flashfusion::plan::loadTarget(StringRef nameOrFile, bool compat) {
  if (std::optional<Target> builtIn = lookUpTarget(nameOrFile, compat))
    return *builtIn;
  auto file = MemoryBuffer::getFile(nameOrFile, /*IsText=*/true);
  if (!file)
    return createStringError("target '" + nameOrFile + "' is none of " + listTargets() +
                             " and no file: " + file.getError().message());
  Expected<Target> target = parseTarget((*file)->getBuffer());
  if (!target)
    return createStringError("target '" + nameOrFile + "': " + toString(target.takeError()));
  return target;
}

const Array *Target::findCopyEngine() const {
  auto found = find_if(arrays, [](const Array &array) { return array.copies(); });
  return found == arrays.end() ? nullptr : &*found;
}

std::string mlir::flashfusion::plan::listTargets() { return "cloud, edge, fusemax, h200"; }
