//===- MemRefCopy.h - What compiled programs call -----------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_MEMREFCOPY_H
#define FF_RUN_MEMREFCOPY_H

#include <cstdint>

namespace ffrun {

/// As MLIR passes a memref of any rank: the rank, and its descriptor.
struct UnrankedMemRef {
  int64_t rank;
  void *descriptor;
};

/// What memref.copy becomes where one side is strided (`memrefCopy` in compiled programs); in
/// MLIR's runner library, which is not on every machine.
void copyMemRef(int64_t elementSize, UnrankedMemRef *from, UnrankedMemRef *to);

} // namespace ffrun

#endif // FF_RUN_MEMREFCOPY_H
