//===- MemRefCopy.cpp - What compiled programs call ------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemRefCopy.h"

#include <cstring>

using namespace ffrun;

namespace {

/// A descriptor: two pointers, an offset, sizes, strides.
struct View {
  View(const UnrankedMemRef &memref, int64_t elementSize) {
    auto *words = static_cast<const int64_t *>(memref.descriptor);
    data = reinterpret_cast<char *>(words[1]) + words[2] * elementSize;
    sizes = words + 3;
    strides = sizes + memref.rank;
  }
  char *data;
  const int64_t *sizes, *strides;
};

} // namespace

static void copy(const View &from, const View &to, int64_t rank, int64_t dim, const char *source,
                 char *target, int64_t elementSize) {
  if (dim == rank) {
    std::memcpy(target, source, elementSize);
    return;
  }
  bool isRow = dim + 1 == rank && from.strides[dim] == 1 && to.strides[dim] == 1;
  if (isRow) {
    std::memcpy(target, source, from.sizes[dim] * elementSize);
    return;
  }
  for (int64_t i = 0; i < from.sizes[dim]; ++i)
    copy(from, to, rank, dim + 1, source + i * from.strides[dim] * elementSize,
         target + i * to.strides[dim] * elementSize, elementSize);
}

void ffrun::copyMemRef(int64_t elementSize, UnrankedMemRef *from, UnrankedMemRef *to) {
  View source(*from, elementSize), target(*to, elementSize);
  copy(source, target, from->rank, 0, source.data, target.data, elementSize);
}
