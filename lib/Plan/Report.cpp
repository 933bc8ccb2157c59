//===- Report.cpp - Plans for people and for programs -----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlir::flashfusion::plan;

static bool inFirstStage(const PipeSchedule &schedule, unsigned einsum) {
  return schedule.firstStage >> einsum & 1;
}

std::string mlir::flashfusion::plan::listPlacement(const Group &group, const PipeSchedule &schedule,
                                                   unsigned array) {
  std::vector<StringRef> names;
  for (unsigned i = 0; i < group.einsums.size(); ++i)
    if (schedule.resource[i] == array)
      names.push_back(group.einsums[i].name);
  llvm::sort(names);
  return join(names, " ");
}

static std::string listFirstStage(const Group &group, const PipeSchedule &schedule) {
  std::vector<StringRef> names;
  for (unsigned i = 0; i < group.einsums.size(); ++i)
    if (inFirstStage(schedule, i))
      names.push_back(group.einsums[i].name);
  return names.empty() ? "-" : join(names, " ");
}

/// The part of the group's time in which an array is busy.
static double utilisation(const Target &target, const GroupPlan &part, unsigned array) {
  const PipeSchedule &schedule = part.schedule;
  double busy = 0;
  for (unsigned i = 0; i < schedule.resource.size(); ++i)
    if (target.arrays[array].copies())
      busy += part.copySeconds[i];
    else if (schedule.resource[i] == array)
      busy += schedule.end[i] - schedule.start[i];
  return part.seconds > 0 ? busy / part.seconds : 0;
}

/// "linear, 3 Linears, statistics, 192 columns x 4 stages".
static std::string describeKernel(const Kernel &kernel) {
  std::string text = stringifyKernelKind(kernel.kind).str();
  if (kernel.kind == KernelKind::Linear)
    text +=
        formatv(", {0} Linear{1}", kernel.products.size(), kernel.products.size() == 1 ? "" : "s");
  if (kernel.linearsPerOutput > 1)
    text += formatv(", {0} to an output", kernel.linearsPerOutput);
  if (kernel.statistics)
    text += ", statistics";
  if (kernel.tile)
    text += formatv(", {0} columns x {1} stages", kernel.tile->columns, kernel.tile->stages);
  if (kernel.decodeColumns)
    text += formatv(", decode with {0} columns a block", *kernel.decodeColumns);
  if (kernel.cut)
    text += formatv(", K in {0} parts x {1} stages", kernel.cut->cut.split, kernel.cut->cut.stages);
  return text;
}

static json::Object kernelToJSON(const Kernel &kernel) {
  json::Object object{{"kind", stringifyKernelKind(kernel.kind)},
                      {"launch_s", kernel.launchSeconds}};
  if (kernel.kind == KernelKind::Linear) {
    object["linears"] = int64_t(kernel.products.size());
    object["linears_per_output"] = kernel.linearsPerOutput;
    object["statistics"] = kernel.statistics;
  }
  if (kernel.tile)
    object["tile"] =
        json::Object{{"columns", kernel.tile->columns}, {"stages", kernel.tile->stages}};
  if (kernel.decodeColumns)
    object["decode_columns"] = *kernel.decodeColumns;
  if (kernel.cut)
    object["cut"] = json::Object{{"tile_k", kernel.cut->cut.tileDepth()},
                                 {"split", kernel.cut->cut.split},
                                 {"stages", kernel.cut->cut.stages}};
  return object;
}

static double totalTraffic(const GroupPlan &part) {
  double bytes = 0;
  for (double b : part.trafficBytes)
    bytes += b;
  return bytes;
}

/// The gain of cutting the group in two stages, before traffic.
static double cutGain(const GroupSchedule &schedule) {
  return schedule.pipe.unsplit / schedule.pipe.best.makespan;
}

void mlir::flashfusion::plan::printTable(raw_ostream &os, const Planner &planner,
                                         const Plan &plan) {
  const Cascade &cascade = planner.getCascade();
  const Target &target = planner.getTarget();
  os << format("%-10s %2s %12s %9s %8s %6s", "group", "x", "seconds", "DRAM MB", "buf MiB", "cut");
  for (const Array &array : target.arrays)
    os << format(" %5s", array.name.c_str());
  os << "  first stage | not on " << target.arrays[0].name << "\n";
  for (auto [group, part, schedule] :
       zip_equal(cascade.groups, plan.groups, planner.getSchedules())) {
    os << format("%-10s %2u %12.6g %9.4g %8.3f %5.2fx", group.name.c_str(), group.repeats,
                 part.seconds, totalTraffic(part) / 1e6, part.bufferBytes / (1 << 20),
                 cutGain(schedule));
    for (unsigned a = 0; a < target.arrays.size(); ++a)
      os << format(" %4.0f%%", 100 * utilisation(target, part, a));
    os << "  " << listFirstStage(group, part.schedule) << " |";
    for (unsigned a = 1; a < target.arrays.size(); ++a) {
      std::string names = listPlacement(group, part.schedule, a);
      if (!names.empty())
        os << " " << target.arrays[a].name << ": " << names << ";";
    }
    os << "\n";
  }
  if (target.gpu) {
    os << "kernels, in the order they run:\n";
    for (auto [group, part, schedule] :
         zip_equal(cascade.groups, plan.groups, planner.getSchedules()))
      os << format("  %-12s %9.3f us: ", group.name.c_str(), part.seconds * 1e6)
         << (schedule.kernel ? describeKernel(*schedule.kernel)
                             : std::string("as the layer groups it; none serves it"))
         << format(", launch %.3f us\n", part.launchSeconds * 1e6);
  }
  if (!cascade.exactGroups)
    os << "not all ways to cut kernels were looked at (exact=false)\n";
  if (!all_of(planner.getSchedules(), [](const GroupSchedule &s) { return s.pipe.exact; }))
    os << "not all schedules were searched to the end\n";
  os << format("%-13s %12.6g\n", "total", plan.seconds) << "tiles (DRAM x buffer x PE):";
  for (RankId rank = 0; rank < cascade.ranks.size(); ++rank)
    os << " " << cascade.ranks[rank].name << "=" << plan.tiling.dram[rank] << "x"
       << plan.tiling.buffer[rank] << "x" << plan.tiling.pe[rank];
  os << "\n";
}

json::Object mlir::flashfusion::plan::planToJSON(const Planner &planner, const Plan &plan) {
  const Cascade &cascade = planner.getCascade();
  const Target &target = planner.getTarget();
  json::Array groups;
  for (auto [group, part, schedule] :
       zip_equal(cascade.groups, plan.groups, planner.getSchedules())) {
    json::Array einsums;
    for (unsigned i = 0; i < group.einsums.size(); ++i)
      einsums.push_back(json::Object{{"name", group.einsums[i].name},
                                     {"op", stringifyOpKind(group.einsums[i].op)},
                                     {"array", target.arrays[part.schedule.resource[i]].name},
                                     {"stage", inFirstStage(part.schedule, i) ? 1
                                               : part.schedule.firstStage     ? 2
                                                                              : 0},
                                     {"start_s", part.schedule.start[i]},
                                     {"end_s", part.schedule.end[i]},
                                     {"compute_s", part.computeSeconds[i]},
                                     {"traffic_bytes", part.trafficBytes[i]}});
    json::Object use;
    for (unsigned a = 0; a < target.arrays.size(); ++a)
      use[target.arrays[a].name] = utilisation(target, part, a);
    json::Object entry{{"name", group.name},
                       {"repeats", group.repeats},
                       {"seconds", part.seconds},
                       {"buffer_bytes", part.bufferBytes},
                       {"traffic_bytes", totalTraffic(part)},
                       {"bipartitions", schedule.pipe.bipartitions},
                       {"cut_gain", cutGain(schedule)},
                       {"exact", schedule.pipe.exact},
                       {"utilisation", std::move(use)},
                       {"einsums", std::move(einsums)}};
    if (schedule.kernel)
      entry["kernel"] = kernelToJSON(*schedule.kernel);
    groups.push_back(std::move(entry));
  }
  json::Object tiles;
  for (RankId rank = 0; rank < cascade.ranks.size(); ++rank)
    tiles[cascade.ranks[rank].name] = json::Object{{"dram", plan.tiling.dram[rank]},
                                                   {"buffer", plan.tiling.buffer[rank]},
                                                   {"pe", plan.tiling.pe[rank]}};
  return json::Object{{"model", cascade.name},       {"target", toJSON(target)},
                      {"total_s", plan.seconds},     {"exact_groups", cascade.exactGroups},
                      {"groups", std::move(groups)}, {"tiles", std::move(tiles)}};
}

static std::string escape(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

void mlir::flashfusion::plan::printGantt(raw_ostream &os, const Planner &planner,
                                         const Plan &plan) {
  const Cascade &cascade = planner.getCascade();
  const Target &target = planner.getTarget();
  constexpr double width = 960, left = 70, laneHeight = 26;
  double panel = 34 + laneHeight * double(target.arrays.size());
  double height = 30 + panel * double(cascade.groups.size());
  os << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                "font-family=\"sans-serif\" font-size=\"11\">\n",
                width + left + 20, height)
     << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
     << formatv("<text x=\"8\" y=\"18\" font-size=\"13\">{0} on {1}: {2} s</text>\n",
                escape(cascade.name), escape(target.name), plan.seconds);
  double top = 30;
  for (auto [group, part] : zip_equal(cascade.groups, plan.groups)) {
    os << formatv("<text x=\"8\" y=\"{0}\">{1}: {2} s, {3} in the layer</text>\n", top + 14,
                  escape(group.name), part.seconds, group.repeats);
    for (unsigned a = 0; a < target.arrays.size(); ++a) {
      double y = top + 20 + laneHeight * a;
      os << formatv("<text x=\"8\" y=\"{0}\">{1}</text>\n", y + 16, escape(target.arrays[a].name))
         << formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" fill=\"#f0f0f0\"/>\n",
                    left, y, width, laneHeight - 3);
      double copied = part.launchSeconds;
      for (unsigned i = 0; i < group.einsums.size(); ++i) {
        double start = part.launchSeconds + part.schedule.start[i];
        double end = part.launchSeconds + part.schedule.end[i];
        if (target.arrays[a].copies()) {
          // What the Einsums move, one after another, a step ahead of them.
          start = copied;
          end = copied += part.copySeconds[i];
        } else if (part.schedule.resource[i] != a) {
          continue;
        }
        if (end <= start || part.seconds <= 0)
          continue;
        double x = left + width * start / part.seconds;
        double w = width * (end - start) / part.seconds;
        std::string name = escape(group.einsums[i].name);
        os << formatv("<g><title>{0} {1}..{2} s</title><rect x=\"{3}\" y=\"{4}\" width=\"{5}\" "
                      "height=\"{6}\" fill=\"{7}\" stroke=\"#333\" stroke-width=\"0.5\"/>",
                      name, start, end, x, y, w, laneHeight - 3,
                      target.arrays[a].copies() || inFirstStage(part.schedule, i) ? "#f4b183"
                                                                                  : "#9dc3e6");
        if (w > 8.0 * double(name.size()))
          os << formatv("<text x=\"{0}\" y=\"{1}\">{2}</text>", x + 3, y + 16, name);
        os << "</g>\n";
      }
    }
    top += panel;
  }
  os << "</svg>\n";
}
