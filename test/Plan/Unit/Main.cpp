//===- Main.cpp - Unit tests of the planner ---------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

std::string Row::name() const {
  std::string result;
  for (const char *column : {"arch", "model", "seq"})
    if (auto it = find(column); it != end())
      result += it->second + " ";
  return result;
}

static Rows readTable(const Twine &path) {
  auto file = MemoryBuffer::getFile(path);
  Rows rows;
  if (!file) {
    errs() << "cannot read " << path << "\n";
    ++failures;
    return rows;
  }
  SmallVector<StringRef> lines, header, fields;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  lines[0].split(header, ',');
  for (StringRef line : drop_begin(lines)) {
    fields.clear();
    line.split(fields, ',');
    Row &row = rows.emplace_back();
    for (auto [name, field] : zip_equal(header, fields))
      row[name.str()] = field.str();
  }
  return rows;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    errs() << "usage: " << argv[0] << " FOLDER-WITH-PUBLISHED-TABLES\n";
    return 2;
  }
  std::string folder = argv[1];
  testDPipe();
  testKernelCuts();
  testWideDecode(readTable(folder + "/wide-decode-h200.csv"));
  testTileSeek(readTable(folder + "/transfusion-golden.csv"));
  testBaselines(readTable(folder + "/published-speedups.csv"),
                readTable(folder + "/published-fusemax.csv"));
  outs() << failures << " failures\n";
  return failures != 0;
}
