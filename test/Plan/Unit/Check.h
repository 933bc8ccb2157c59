//===- Check.h - The least a unit test needs ----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_TEST_PLAN_UNIT_CHECK_H
#define FLASHFUSION_TEST_PLAN_UNIT_CHECK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <vector>

inline int failures = 0;

#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ++failures;                                                                                  \
      llvm::errs() << __FILE__ << ":" << __LINE__ << ": " #condition " failed: " << __VA_ARGS__    \
                   << "\n";                                                                        \
    }                                                                                              \
  } while (false)

/// A line of a table of published numbers, by column.
struct Row : std::map<std::string, std::string> {
  double number(llvm::StringRef column) const {
    double value = 0;
    (void)llvm::StringRef(find(column.str())->second).getAsDouble(value);
    return value;
  }
  int64_t integer(llvm::StringRef column) const { return static_cast<int64_t>(number(column)); }
  std::string name() const;
};
using Rows = std::vector<Row>;

void testDPipe();
void testKernelCuts();
void testTileSeek(const Rows &golden);
void testWideDecode(const Rows &measured);
void testBaselines(const Rows &speedups, const Rows &fuseMax);

#endif // FLASHFUSION_TEST_PLAN_UNIT_CHECK_H
