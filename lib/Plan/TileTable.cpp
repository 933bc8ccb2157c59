//===- TileTable.cpp - Plans from a table of tiles ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/TileTable.h"

#include "FlashFusion/Plan/Models.h"
#include "FlashFusion/Plan/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace mlir::flashfusion::plan;

static constexpr int64_t maxLength = int64_t(1) << 40;

std::optional<int64_t> mlir::flashfusion::plan::parseLength(StringRef text) {
  int64_t unit = 1;
  if (text.consume_back("K"))
    unit = 1024;
  else if (text.consume_back("M"))
    unit = 1024 * 1024;
  int64_t value = 0;
  if (text.empty() || !llvm::all_of(text, isDigit) || text.getAsInteger(10, value) || value < 1 ||
      value > maxLength / unit)
    return std::nullopt;
  return value * unit;
}

static Error errorAt(unsigned line, const Twine &message) {
  return createStringError("line " + Twine(line) + ": " + message);
}

static std::string printExactly(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.17g", value);
  return text;
}

namespace {
/// The header, and one row at a time.
struct Table {
  std::vector<std::string> header;
  StringMap<unsigned> column;
  std::vector<std::string> row;

  unsigned require(StringRef name) {
    auto [it, inserted] = column.try_emplace(name, header.size());
    if (inserted)
      header.push_back(name.str());
    return it->second;
  }
  StringRef get(StringRef name) const { return row[column.lookup(name)]; }
  void set(StringRef name, std::string value) { row[column.lookup(name)] = std::move(value); }
};
} // namespace

static const StringRef rankNames[] = {"D", "F", "E", "N", "M", "P", "H", "B", "S"};
static const StringRef groupNames[] = {"QKV", "MHA", "LayerNorm", "FFN"};
static const StringRef baselineNames[] = {"unfused_s", "flat_s", "fusemax_s",
                                          "fusemax_layerfuse_s"};
static const StringRef levels[] = {"DRAM", "L3", "PE"};

static Error readTiling(const Table &table, unsigned line, Tiling &tiling) {
  std::vector<int64_t> *factors[] = {&tiling.dram, &tiling.buffer, &tiling.pe};
  for (unsigned level = 0; level < 3; ++level)
    for (StringRef rank : rankNames) {
      std::string name = ("tile_" + levels[level] + "_" + rank).str();
      int64_t value = 0;
      if (table.get(name).getAsInteger(10, value) || value < 1 || value > maxLength)
        return errorAt(line, name + " is '" + table.get(name) + "', not a positive number");
      factors[level]->push_back(value);
    }
  return Error::success();
}

static Error planRow(Table &table, unsigned line, bool compat, bool baselines) {
  std::optional<Target> target = lookUpTarget(table.get("arch"), compat);
  if (!target)
    return errorAt(line, "unknown arch '" + table.get("arch") + "' (" + listTargets() + ")");
  const Model *model = lookUpModel(table.get("model"));
  if (!model)
    return errorAt(line, "unknown model '" + table.get("model") + "'");
  std::optional<int64_t> sequence = parseLength(table.get("seq"));
  if (!sequence || *sequence % target->tile)
    return errorAt(line,
                   "seq is '" + table.get("seq") + "', not a multiple of " + Twine(target->tile));
  Tiling tiling;
  if (Error error = readTiling(table, line, tiling))
    return error;

  LayerOptions options;
  options.sequence = *sequence;
  options.keyBlock = target->tile;
  options.omitValueInput = target->omitValueInput;
  Cascade layer = buildLayer(*model, options);
  if (std::string message = verify(layer, tiling); !message.empty())
    return errorAt(line, message);
  for (auto [rank, pe] : zip_equal(layer.ranks, tiling.pe))
    if (pe > target->tile)
      return errorAt(line, "tile_PE_" + rank.name + " is " + Twine(pe) + ", more than the " +
                               Twine(target->tile) + " rows of " + target->name + "'s arrays");
  Planner planner(layer, *target);
  if (!planner.error().empty())
    return errorAt(line, planner.error());
  if (!planner.fits(tiling))
    return errorAt(line, "the tile does not fit the buffer of " + target->name);
  Plan plan = planner.evaluate(tiling);
  for (auto [group, part] : zip_equal(layer.groups, plan.groups)) {
    table.set(group.name + "_s", printExactly(part.seconds));
    table.set(group.name + "_on_1d", listPlacement(group, part.schedule, 1));
  }
  table.set("total_s", printExactly(plan.seconds));
  if (baselines) {
    if (!hasBaselines(*target))
      return errorAt(line, "there are no baselines for " + target->name);
    Baselines computed = computeBaselines(*model, options, *target);
    const double seconds[] = {computed.unfused, computed.flat, computed.fuseMax,
                              computed.layerFuse};
    for (auto [name, value] : zip_equal(baselineNames, seconds))
      table.set(name, printExactly(value));
  }
  return Error::success();
}

Error mlir::flashfusion::plan::planTileTable(StringRef csv, bool compat, bool baselines,
                                             raw_ostream &os) {
  Table table;
  unsigned line = 0, inputColumns = 0;
  SmallVector<StringRef> fields;
  std::string out;
  raw_string_ostream buffered(out);
  csv.consume_front("\xEF\xBB\xBF"); // a byte order mark, as spreadsheets write it
  while (!csv.empty()) {
    auto [text, rest] = csv.split('\n');
    csv = rest;
    ++line;
    text = text.rtrim('\r');
    if (text.trim().empty())
      continue;
    if (text.contains('"'))
      return errorAt(line, "quoted fields are not supported");
    fields.clear();
    text.split(fields, ',');
    if (table.header.empty()) {
      for (StringRef field : fields) {
        if (table.column.contains(field.trim()))
          return errorAt(line, "column " + field + " appears twice");
        table.require(field.trim());
      }
      inputColumns = table.header.size();
      std::vector<std::string> needed = {"arch", "model", "seq"};
      for (StringRef level : levels)
        for (StringRef rank : rankNames)
          needed.push_back(("tile_" + level + "_" + rank).str());
      for (const std::string &name : needed)
        if (!table.column.contains(name))
          return errorAt(line, "column " + name + " is missing");
      for (StringRef group : groupNames) {
        table.require((group + "_s").str());
        table.require((group + "_on_1d").str());
      }
      table.require("total_s");
      if (baselines)
        for (StringRef name : baselineNames)
          table.require(name);
      buffered << join(table.header, ",") << "\n";
      continue;
    }
    if (fields.size() != inputColumns)
      return errorAt(line,
                     Twine(fields.size()) + " fields, but the header has " + Twine(inputColumns));
    table.row.assign(table.header.size(), "");
    for (unsigned i = 0; i < inputColumns; ++i)
      table.row[i] = fields[i].trim().str();
    if (Error error = planRow(table, line, compat, baselines))
      return error;
    buffered << join(table.row, ",") << "\n";
  }
  if (table.header.empty())
    return createStringError("no header line");
  os << out; // all rows or none
  return Error::success();
}
