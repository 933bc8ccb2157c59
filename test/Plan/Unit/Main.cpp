//===- Main.cpp - Unit tests of the planner ---------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Check.h"

#include "llvm/Support/MemoryBuffer.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: " << argv[0] << " GOLDEN.csv\n";
    return 2;
  }
  auto golden = llvm::MemoryBuffer::getFile(argv[1]);
  if (!golden) {
    llvm::errs() << "cannot read " << argv[1] << "\n";
    return 2;
  }
  testDPipe();
  testTileSeek((*golden)->getBuffer());
  llvm::outs() << failures << " failures\n";
  return failures != 0;
}
