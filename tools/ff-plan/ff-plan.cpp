//===- ff-plan.cpp - Plans Transformer layers -------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ff-plan --model=BERT --seq=64K --target=cloud --compat      table
//           --svg=plan.svg --json=plan.json                     Gantt chart, everything
//   ff-plan --survey --target=cloud --compat                    every model and length
//   ff-plan --compat --tiles-from=tiles.csv                     the plan of given tiles
//   ff-plan layer.mlir --target=h200                            a program in linalg
//           --shape=arg0:8x128x768                              whose types leave extents open
//   ff-plan --model=BERT --print-cascade                        the layer as IR
//   ff-plan --kernel=4096,6144,4096 --target=h200               tiles of the prefill kernel
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/ReadProgram.h"
#include "FlashFusion/Plan/KernelTiles.h"
#include "FlashFusion/Plan/Report.h"
#include "FlashFusion/Plan/TileTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace mlir::flashfusion::plan;
using mlir::flashfusion::Program;

static cl::OptionCategory category("ff-plan options");

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<a layer in MLIR>"),
                                      cl::cat(category));
static cl::list<std::string> shapes("shape",
                                    cl::desc("Shape of an argument of the program, where its type "
                                             "leaves it open"),
                                    cl::value_desc("argN:AxBxC"), cl::cat(category));
static cl::opt<bool> asWritten("as-written",
                               cl::desc("Plan a program without deferring factors and without "
                                        "one-pass softmax"),
                               cl::cat(category));
static cl::opt<bool> passReport("passes",
                                cl::desc("Also the passes over every tensor and rank that is "
                                         "reduced, where they are more than one"),
                                cl::cat(category));
static cl::opt<bool> printCascade("print-cascade",
                                  cl::desc("Print the model's layer as IR and stop"),
                                  cl::cat(category));
static cl::opt<std::string>
    dims("dims", cl::desc("Other sizes for the model: width,heads,head size,hidden"),
         cl::value_desc("D,H,E,S"), cl::cat(category));
static cl::opt<std::string>
    kernelShape("kernel",
                cl::desc("Rank the tiles for RMSNorm and a Linear on a GPU: of the mma.sync "
                         "decode kernel up to 16 rows, of the wgmma one up to 128, else of the "
                         "prefill kernel"),
                cl::value_desc("M,N,K"), cl::cat(category));
static cl::opt<std::string> modelName("model", cl::desc("BERT, TrXL, T5, XLM or Llama3"),
                                      cl::cat(category));
static cl::opt<std::string> sequenceText("seq", cl::desc("Positions: 1024, 64K, 1M"),
                                         cl::init("1K"), cl::cat(category));
static cl::opt<std::string> batchText("batch", cl::desc("Sequences in a batch"), cl::init("64"),
                                      cl::cat(category));
static cl::opt<std::string> targetName("target",
                                       cl::desc("cloud, edge, fusemax, h200, or a target's JSON "
                                                "file"),
                                       cl::init("cloud"), cl::cat(category));
static cl::opt<bool> compat("compat",
                            cl::desc("cloud and edge exactly as published; by default every "
                                     "array may do max and divide and all traffic counts"),
                            cl::cat(category));
static cl::opt<std::string> tilesFrom("tiles-from",
                                      cl::desc("Plan the rows of a CSV: arch, model, seq, tile_*"),
                                      cl::value_desc("file"), cl::cat(category));
static cl::opt<SearchKind> searchKind(
    "search", cl::desc("How tiles are searched"), cl::init(SearchKind::Auto),
    cl::values(clEnumValN(SearchKind::Auto, "auto", "all if the budget allows, else tree"),
               clEnumValN(SearchKind::Exhaustive, "exhaustive", "all that fit"),
               clEnumValN(SearchKind::Tree, "tree", "Monte Carlo tree search"),
               clEnumValN(SearchKind::Random, "random", "random tiles that fit")),
    cl::cat(category));
static cl::opt<uint64_t> budget("budget", cl::desc("Tiles to evaluate"), cl::init(2000),
                                cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed of the search"), cl::init(1),
                              cl::cat(category));
static cl::opt<std::string> svgFile("svg", cl::desc("Write a Gantt chart (default: to stdout)"),
                                    cl::value_desc("file"), cl::ValueOptional, cl::cat(category));
static cl::opt<std::string> jsonFile("json", cl::desc("Write the plan (default: to stdout)"),
                                     cl::value_desc("file"), cl::ValueOptional, cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("Where the table goes"), cl::init("-"),
                                       cl::value_desc("file"), cl::cat(category));
static cl::opt<bool> baselines("baselines",
                               cl::desc("Also Unfused, FLAT, FuseMax and FuseMax+LayerFuse"),
                               cl::cat(category));
static cl::opt<bool> survey("survey",
                            cl::desc("Every model at 1K to 1M positions against the baselines"),
                            cl::cat(category));
static cl::opt<bool> printTarget("print-target", cl::desc("Print the target as JSON and stop"),
                                 cl::cat(category));

static int fail(const Twine &message) {
  WithColor::error(errs(), "ff-plan") << message << "\n";
  return 1;
}

/// Writes to a file or, for "" and "-", to standard output; whole or not at all.
static int writeFile(StringRef path, function_ref<void(raw_ostream &)> write) {
  std::error_code code;
  ToolOutputFile file(path.empty() ? "-" : path, code, sys::fs::OF_Text);
  if (code)
    return fail("cannot write '" + path + "': " + code.message());
  write(file.os());
  file.keep();
  return 0;
}

namespace {
/// What the tool is asked for.
enum Mode : unsigned {
  TargetMode = 1,
  TilesMode = 2,
  KernelMode = 4,
  SurveyMode = 8,
  FileMode = 16,
  IRMode = 32,
  ModelMode = 64
};
} // namespace

/// Options that would be ignored are errors: which go with what.
static int checkOptions(Mode mode) {
  constexpr unsigned searches = KernelMode | SurveyMode | FileMode | ModelMode;
  const std::pair<const cl::Option *, unsigned> uses[] = {
      {&printTarget, TargetMode},
      {&tilesFrom, TilesMode},
      {&kernelShape, KernelMode},
      {&survey, SurveyMode},
      {&inputFile, FileMode},
      {&printCascade, IRMode},
      {&modelName, IRMode | ModelMode},
      {&dims, IRMode | ModelMode},
      {&sequenceText, IRMode | ModelMode},
      {&batchText, IRMode | ModelMode},
      {&targetName, ~unsigned(TilesMode)},
      {&compat, ~unsigned(KernelMode)},
      {std::addressof<const cl::Option>(shapes), FileMode},
      {&asWritten, FileMode},
      {&passReport, FileMode | ModelMode},
      {&svgFile, FileMode | ModelMode},
      {&jsonFile, FileMode | ModelMode},
      {&baselines, TilesMode | ModelMode},
      {&searchKind, searches},
      {&budget, searches},
      {&seed, searches}};
  const std::pair<const char *, unsigned> modes[] = {
      {"--print-target", TargetMode}, {"--tiles-from", TilesMode}, {"--kernel", KernelMode},
      {"--survey", SurveyMode},       {"a file", FileMode},        {"--print-cascade", IRMode},
      {"--model", ModelMode}};
  const auto *name = find_if(modes, [&](auto &known) { return known.second == unsigned(mode); });
  for (auto [option, allowed] : uses)
    if (option->getNumOccurrences() && !(allowed & mode))
      return fail((option == &inputFile ? Twine("a file") : "--" + Twine(option->ArgStr)) +
                  " does not go with " + name->first);
  auto toStdout = [](const cl::opt<std::string> &file) {
    return file.getNumOccurrences() && (file.empty() || file == "-");
  };
  if (toStdout(jsonFile) && toStdout(svgFile))
    return fail("--json and --svg cannot both go to standard output");
  return 0;
}

static Mode modeOf() {
  if (printTarget)
    return TargetMode;
  if (tilesFrom.getNumOccurrences())
    return TilesMode;
  if (kernelShape.getNumOccurrences())
    return KernelMode;
  if (survey)
    return SurveyMode;
  if (inputFile.getNumOccurrences())
    return FileMode;
  return printCascade ? IRMode : ModelMode;
}

static int planTable() {
  auto file = MemoryBuffer::getFileOrSTDIN(tilesFrom, /*IsText=*/true);
  if (!file)
    return fail("cannot read '" + tilesFrom + "': " + file.getError().message());
  std::string text;
  raw_string_ostream os(text);
  if (Error error = planTileTable((*file)->getBuffer(), compat, baselines, os))
    return fail("'" + tilesFrom + "': " + toString(std::move(error)));
  return writeFile(outputFile, [&](raw_ostream &out) { out << text; });
}

/// What a plan is printed with.
struct Presentation {
  std::string title;
  std::optional<Baselines> compared;
  json::Object extra;
};

static void printPasses(raw_ostream &os, const Program &program) {
  os << "passes, where more than one:";
  unsigned once = 0;
  for (const mlir::flashfusion::cascade::PassCount &count : program.passes) {
    if (count.passes < 2) {
      ++once;
      continue;
    }
    os << formatv("\n  {0} over {1}: {2}, {3} of its elements alive", count.tensor, count.rank,
                  count.passes, count.footprint);
  }
  os << formatv("\n  {0} more in one\n", once);
}

static int planProgram(const Program &program, const Target &target, const TileSpace &space,
                       const TileOptions &tileOptions, Presentation presentation) {
  Planner planner(program.cascade, target);
  if (!planner.error().empty())
    return fail(planner.error());
  auto planned = planWithTileSeek(planner, space, tileOptions);
  const Plan &plan = planned.first;
  const TileResult &search = planned.second;
  if (search.choices.empty())
    return fail("no tile of the layer fits the target's buffer");

  bool toStdout = false;
  for (const auto *file : {&jsonFile, &svgFile})
    toStdout |= file->getNumOccurrences() && (file->empty() || *file == "-");
  if (jsonFile.getNumOccurrences()) {
    json::Object object = planToJSON(planner, plan);
    for (auto &[key, value] : presentation.extra)
      object[key] = value;
    object["compat"] = bool(compat);
    if (presentation.compared)
      object["baselines"] = toJSON(*presentation.compared);
    json::Array passes;
    for (const mlir::flashfusion::cascade::PassCount &count : program.passes)
      passes.push_back(json::Object{{"tensor", count.tensor},
                                    {"rank", count.rank},
                                    {"passes", count.passes},
                                    {"footprint", count.footprint}});
    object["passes"] = std::move(passes);
    object["search"] = json::Object{
        {"evaluated", search.evaluated}, {"complete", search.complete}, {"seed", uint64_t(seed)}};
    if (writeFile(jsonFile, [&](raw_ostream &os) {
          os << formatv("{0:2}\n", json::Value(std::move(object)));
        }))
      return 1;
  }
  if (svgFile.getNumOccurrences() &&
      writeFile(svgFile, [&](raw_ostream &os) { printGantt(os, planner, plan); }))
    return 1;
  if (toStdout)
    return 0;
  return writeFile(outputFile, [&](raw_ostream &os) {
    os << presentation.title << ", on " << target.name << (compat ? " (compat)" : "") << "\n";
    mlir::flashfusion::plan::printTable(os, planner, plan);
    if (presentation.compared)
      printBaselines(os, *presentation.compared, plan.seconds);
    if (passReport)
      printPasses(os, program);
    os << "search: " << search.evaluated << " tiles evaluated"
       << (search.complete ? ", all that fit" : "") << "\n";
  });
}

/// Cuts of K of the decode kernel, likewise.
static int planDecode(const KernelShape &shape, const Target &target,
                      const TileOptions &tileOptions) {
  std::optional<DecodeTile> chosen = seekDecodeTile(shape, target, tileOptions);
  if (!chosen)
    return fail("no stage of the decode kernel for " + Twine(maxDecodeRows) +
                " rows fits the target's shared memory beside K = " + Twine(shape.depth) +
                " of x; the kernels for more rows may");
  return writeFile(outputFile, [&](raw_ostream &os) {
    os << "tile_k,split,stages,warps,blocks,predicted_us,chosen\n";
    for (const DecodeTile &tile : rankDecodeTiles(shape, target)) {
      const DecodeCut &cut = tile.cut;
      os << cut.tileDepth() << "," << cut.split << "," << cut.stages << "," << cut.warps << ","
         << countDecodeBlocks(shape, target) << "," << formatv("{0:f3}", tile.seconds * 1e6) << ","
         << (cut.chunks == chosen->cut.chunks && cut.stages == chosen->cut.stages) << "\n";
    }
  });
}

/// What ff-schedule compares for 17 to 128 rows, likewise.
static int planWideDecode(const KernelShape &shape, const Target &target) {
  std::vector<WideDecodeTile> tiles = rankWideDecodeTiles(shape, target);
  if (tiles.empty())
    return fail("no stage of the decode kernel fits the target's shared memory");
  return writeFile(outputFile, [&](raw_ostream &os) {
    os << "tile_m,tile_n,tile_k,split,stages,predicted_us,chosen\n";
    for (auto [i, tile] : enumerate(tiles))
      os << tile.rows << "," << tile.columns << "," << tile.depth << "," << tile.split << ","
         << tile.stages << "," << formatv("{0:f3}", tile.seconds * 1e6) << "," << (i == 0) << "\n";
  });
}

/// Tiles of the prefill kernel as CSV, the predicted best first; TileSeek's choice is marked.
static int planKernel(const Target &target, const TileOptions &tileOptions) {
  if (!target.gpu)
    return fail("target " + target.name + " has no gpu to plan a kernel for");
  SmallVector<StringRef> fields;
  StringRef(kernelShape).split(fields, ',');
  KernelShape shape;
  int64_t *sizes[] = {&shape.rows, &shape.columns, &shape.depth};
  for (auto [i, size] : enumerate(sizes)) {
    std::optional<int64_t> value = i < fields.size() ? parseLength(fields[i]) : std::nullopt;
    if (!value || fields.size() != 3)
      return fail("--kernel=" + kernelShape + " is not M,N,K, such as 4096,6144,4096");
    *size = *value;
  }
  if (shape.rows <= maxDecodeRows)
    return planDecode(shape, target, tileOptions);
  if (shape.rows <= maxWideDecodeRows)
    return planWideDecode(shape, target);
  std::optional<KernelTile> chosen = seekKernelTile(shape, target, tileOptions);
  if (!chosen)
    return fail("no tile fits the target's shared memory and registers");
  return writeFile(outputFile, [&](raw_ostream &os) {
    os << "tile_n,stages,parts,predicted_us,chosen\n";
    for (const KernelTile &tile : rankKernelTiles(shape, target))
      os << tile.columns << "," << tile.stages << "," << tile.parts << ","
         << formatv("{0:f3}", tile.seconds * 1e6) << ","
         << (tile.columns == chosen->columns && tile.stages == chosen->stages &&
             tile.parts == chosen->parts)
         << "\n";
  });
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Plans Transformer layers with DPipe and TileSeek\n");
  Mode mode = modeOf();
  if (checkOptions(mode))
    return 1;
  if (mode == TilesMode)
    return planTable();

  Expected<Target> target = loadTarget(targetName, compat);
  if (!target)
    return fail(toString(target.takeError()));
  if (compat && target->gpu)
    return fail("--compat is for the targets that were published, cloud and edge");
  if (printTarget)
    return writeFile(outputFile,
                     [&](raw_ostream &os) { os << formatv("{0:2}\n", toJSON(*target)); });
  if (budget < 1)
    return fail("--budget must be positive");
  TileOptions tileOptions;
  tileOptions.kind = searchKind;
  tileOptions.budget = budget;
  tileOptions.seed = seed;
  if (mode == KernelMode)
    return planKernel(*target, tileOptions);
  if ((survey || baselines) && !hasBaselines(*target))
    return fail("there are no baselines for a target without a square array and 1-D lanes");
  if (survey) {
    if (1024 % target->tile)
      return fail("the target's tile of " + Twine(target->tile) + " must divide 1024");
    return writeFile(outputFile, [&](raw_ostream &os) { printSurvey(os, *target, tileOptions); });
  }
  if (mode == FileMode) {
    mlir::flashfusion::ReadProgramOptions options;
    options.rewrite = !asWritten;
    options.block = target->tile;
    options.shapes.assign(shapes.begin(), shapes.end());
    Expected<Program> program = mlir::flashfusion::readProgram(inputFile, *target, options);
    if (!program)
      return fail(toString(program.takeError()));
    return planProgram(*program, *target, getTileSpace(program->cascade, target->tile), tileOptions,
                       {program->cascade.name, std::nullopt, {}});
  }
  if (modelName.empty())
    return fail("say what to plan: --model=BERT, a file, or --tiles-from=FILE");
  const Model *known = lookUpModel(modelName);
  if (!known) {
    std::string names;
    for (const Model &m : getModels())
      names += (names.empty() ? "" : ", ") + m.name.str();
    return fail("unknown model '" + modelName + "' (" + names + ")");
  }
  Model model = *known;
  if (!dims.empty()) {
    SmallVector<StringRef> sizes;
    StringRef(dims).split(sizes, ',');
    int64_t *fields[] = {&model.width, &model.heads, &model.headSize, &model.hidden};
    for (auto [i, field] : enumerate(fields)) {
      std::optional<int64_t> size = i < sizes.size() ? parseLength(sizes[i]) : std::nullopt;
      if (!size || sizes.size() != 4)
        return fail("--dims=" + dims + " is not four sizes, such as 768,12,64,3072");
      *field = *size;
    }
  }
  LayerOptions options;
  std::optional<int64_t> sequence = parseLength(sequenceText), batch = parseLength(batchText);
  if (!sequence)
    return fail("--seq=" + sequenceText + " is not a length such as 1024, 64K or 1M");
  if (!batch)
    return fail("--batch=" + batchText + " is not a positive number");
  if (*sequence % target->tile || model.hidden % target->tile)
    return fail("the target's tile of " + Twine(target->tile) +
                " must divide the sequence and the model's hidden size");
  options.sequence = *sequence;
  options.batch = *batch;
  options.keyBlock = target->tile;
  options.omitValueInput = target->omitValueInput;
  if (printCascade) {
    Expected<std::string> text = mlir::flashfusion::printLayer(model, options, *target);
    if (!text)
      return fail(toString(text.takeError()));
    return writeFile(outputFile, [&](raw_ostream &os) { os << *text; });
  }
  Expected<Program> program = mlir::flashfusion::getLayerProgram(model, options, *target);
  if (!program)
    return fail(toString(program.takeError()));
  std::optional<Baselines> compared;
  if (baselines)
    compared = computeBaselines(model, options, *target);
  std::string title =
      (model.name + ", " + Twine(*sequence) + " positions, batch " + Twine(*batch)).str();
  json::Object extra{{"seq", *sequence}, {"batch", *batch}};
  // Groups that are kernels have no inner tiles of the paper's.
  TileSpace space = target->gpu ? getTileSpace(program->cascade, target->tile)
                                : getLayerTileSpace(program->cascade, target->tile);
  return planProgram(*program, *target, space, tileOptions, {title, compared, std::move(extra)});
}
