//===- TuningTable.cpp - Measured schedules --------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Schedule/TuningTable.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::flashfusion;

static std::string entryName(StringRef chip, StringRef key) { return (chip + " " + key).str(); }

FailureOr<TuningTable> TuningTable::read(StringRef path, Location loc) {
  auto fail = [&](const llvm::Twine &what) {
    return LogicalResult(emitError(loc) << "tuning table '" << path << "': " << what);
  };
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return fail(file.getError().message());
  auto root = llvm::json::parse((*file)->getBuffer());
  if (!root)
    return fail(llvm::toString(root.takeError()));
  const llvm::json::Object *table = root->getAsObject();
  if (!table || table->getString("format") != StringRef("flashfusion-tuning"))
    return fail("is none");
  if (table->getInteger("version") != 1)
    return fail("is not of version 1");
  const llvm::json::Array *lines = table->getArray("entries");
  if (!lines)
    return fail("has no entries");
  TuningTable result;
  for (auto [i, line] : llvm::enumerate(*lines)) {
    const llvm::json::Object *entry = line.getAsObject();
    auto chip = entry ? entry->getString("chip") : std::nullopt;
    auto key = entry ? entry->getString("op") : std::nullopt;
    const llvm::json::Array *schedule = entry ? entry->getArray("schedule") : nullptr;
    if (!chip || !key || !schedule)
      return fail("entry " + llvm::Twine(i) + " needs chip, op and schedule");
    SmallVector<ScheduleAttr> &variants = result.entries[entryName(*chip, *key)];
    variants.clear();
    for (const llvm::json::Value &text : *schedule) {
      auto spelled = text.getAsString();
      Attribute parsed = spelled ? parseAttribute(*spelled, loc.getContext()) : Attribute();
      auto variant = dyn_cast_or_null<ScheduleAttr>(parsed);
      if (!variant)
        return fail("entry " + llvm::Twine(i) + " holds what is no #ff.schedule");
      variants.push_back(variant);
    }
  }
  return result;
}

ArrayRef<ScheduleAttr> TuningTable::lookUp(StringRef chip, StringRef key) const {
  auto it = entries.find(entryName(chip, key));
  return it == entries.end() ? ArrayRef<ScheduleAttr>() : ArrayRef<ScheduleAttr>(it->second);
}

std::string flashfusion::tuningKey(OnlineOp op, bool tf32) {
  std::string key;
  llvm::raw_string_ostream os(key);
  llvm::interleave(
      op.getStatistics(), os,
      [&](Attribute statistic) {
        os << stringifyStatistic(cast<StatisticAttr>(statistic).getValue());
      },
      "+");
  os << (op.getStatistics().empty() ? "none " : " ");
  os << getElementTypeOrSelf(op.getX().getType()) << " K=" << op.getK() << " N=";
  for (unsigned i = 0, e = op.getWeights().size(); i < e; ++i) {
    os << (i ? "+" : "") << op.getN(i) << stringifyWeightLayout(op.getLayout(i));
    if (Type type = getElementTypeOrSelf(op.getWeights()[i]); isa<Float8E4M3FNType>(type))
      os << ":" << type;
  }
  os << (op.getGain() ? " gain" : "") << (op.getShift() ? " shift" : "");
  os << (op.getXScale() ? " x_scale" : "");
  os << " outs=" << op.getOuts().size();
  if (!op.getTiles().empty())
    os << " tiles=" << op.getTiles().size();
  os << (tf32 ? " tf32" : "");
  return key;
}
