//===- ff-fuzz.cpp - Spoiled programs through every pass --------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input number i of a seed is always the same text; a program that is added to the folder changes
// a few of them. A child process runs inputs until one is its
// end; the parent keeps that one, and another child goes on behind it. docs/testing.md says how
// to use it, and what it found.
//
// A fault is: a signal, more than 20 s of CPU time in a pass or 6 GiB of memory, a report of a
// sanitizer, a pass that fails without an error, invalid IR from a pass that succeeds, IR that does
// not read back, and ff-raise that finds more the second time.
//
// A crash of the parser in libMLIR, with nothing of ours on the stack, is upstream's;
// test/Fuzz/known.txt lists what else is.
//
//===----------------------------------------------------------------------===//
#include "Child.h"
#include "Mutate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <chrono>

using namespace fffuzz;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::opt<std::string> corpusDir(cl::Positional, cl::Required,
                                      cl::desc("<folder of .mlir files>"));
static cl::opt<uint64_t> seed("seed", cl::desc("which inputs"), cl::init(1));
static cl::opt<uint64_t> first("first", cl::desc("first input"), cl::init(0));
static cl::opt<uint64_t> count("count", cl::desc("number of inputs"), cl::init(1000));
static cl::opt<unsigned> seconds("seconds", cl::desc("stop after this time; 0: after all inputs"),
                                 cl::init(0));
static cl::opt<std::string> save("save", cl::desc("folder for inputs that are faults"),
                                 cl::init("ff-fuzz-faults"));
static cl::opt<std::string> knownFile("known", cl::desc("lines: faults of others, as the report "
                                                        "names them; they do not count"));
static cl::opt<bool> printInput("print", cl::desc("print the first input and do nothing else"));

/// Every program of every file; files hold several, separated as for --split-input-file.
static std::vector<Program> readCorpus(StringRef folder) {
  std::vector<Program> corpus;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    StringRef path = it->path();
    if (llvm::sys::path::extension(path) != ".mlir")
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    llvm::SmallVector<StringRef> chunks;
    (*buffer)->getBuffer().split(chunks, "// -----");
    for (StringRef chunk : chunks)
      if (chunk.size() > 40 && chunk.size() < 12000)
        corpus.push_back({chunk.str(), llvm::xxh3_64bits(chunk)});
  }
  return corpus;
}

static std::string inputNumber(const std::vector<Program> &corpus, uint64_t index) {
  Random random(seed * 0x9E3779B97F4A7C15u + index);
  return mutate(corpus, random);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Runs spoiled programs through every pass\n");
  std::vector<Program> corpus = readCorpus(corpusDir);
  if (corpus.empty()) {
    llvm::errs() << "no .mlir files in " << corpusDir << "\n";
    return 2;
  }
  if (printInput) {
    llvm::outs() << inputNumber(corpus, first);
    return 0;
  }
  llvm::SmallVector<std::string> known;
  if (!knownFile.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(knownFile);
    if (!buffer) {
      llvm::errs() << "cannot read " << knownFile << "\n";
      return 2;
    }
    for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n'))
      if (!line.trim().empty() && !line.starts_with("#"))
        known.push_back(line.trim().str());
  }
  llvm::sys::fs::create_directories(save);

  auto start = std::chrono::steady_clock::now();
  auto timeIsUp = [&] {
    return seconds > 0 && std::chrono::steady_clock::now() - start > std::chrono::seconds(seconds);
  };
  Counts counts;
  uint64_t next = first, ours = 0, others = 0;
  while (next < first + count && !timeIsUp()) {
    // A fresh child from time to time: contexts keep every type that they have seen.
    uint64_t last = std::min<uint64_t>(next + 250, first + count);
    std::string log = save + "/child.log";
    std::optional<Fault> fault = runChild(
        next, last, [&](uint64_t index) { return inputNumber(corpus, index); }, log, counts);
    if (!fault) {
      next = last;
      continue;
    }
    next = fault->index + 1;
    StringRef what = fault->what;
    bool isKnown = llvm::any_of(known, [&](const std::string &k) { return what.contains(k); }) ||
                   // Of ours, only our operations' parsers, checks and bufferization run there.
                   ((what.starts_with("parse: ") || what.starts_with("one-shot-bufferize")) &&
                    !what.contains("flashfusion"));
    (isKnown ? others : ours) += 1;
    std::string base = save + (isKnown ? "/known-" : "/fault-") + std::to_string(seed) + "-" +
                       std::to_string(fault->index);
    std::error_code error;
    llvm::raw_fd_ostream(base + ".mlir", error) << inputNumber(corpus, fault->index);
    llvm::sys::fs::rename(log, base + ".log");
    llvm::outs() << (isKnown ? "known: " : "FAULT: ") << "input " << fault->index << ", "
                 << fault->what << "\n";
    llvm::outs().flush();
  }
  llvm::outs() << next - first << " inputs, " << counts.valid << " valid, " << counts.raised
               << " with a norm raised, " << counts.runs << " runs of a pass, " << counts.emitted
               << " modules with PTX, " << ours << " faults, " << others << " known ones\n";
  return ours == 0 ? 0 : 1;
}
