//===- JSONDepth.h - How deep a JSON text nests ----------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_SUPPORT_JSONDEPTH_H
#define FLASHFUSION_SUPPORT_JSONDEPTH_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstddef>

namespace mlir::flashfusion {

/// The deepest nesting of arrays and objects in `text`. LLVM's parser calls itself for each level,
/// and overflows its stack where a text has too many.
inline size_t getJSONDepth(llvm::StringRef text) {
  size_t depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

/// More than any of this project's formats needs.
inline constexpr size_t maxJSONDepth = 64;

} // namespace mlir::flashfusion

#endif // FLASHFUSION_SUPPORT_JSONDEPTH_H
