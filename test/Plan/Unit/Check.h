//===- Check.h - The least a unit test needs ----------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_TEST_PLAN_UNIT_CHECK_H
#define FLASHFUSION_TEST_PLAN_UNIT_CHECK_H

#include "llvm/Support/raw_ostream.h"

inline int failures = 0;

#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ++failures;                                                                                  \
      llvm::errs() << __FILE__ << ":" << __LINE__ << ": " #condition " failed: " << __VA_ARGS__    \
                   << "\n";                                                                        \
    }                                                                                              \
  } while (false)

void testDPipe();
/// `golden` is the text of the published table.
void testTileSeek(llvm::StringRef golden);

#endif // FLASHFUSION_TEST_PLAN_UNIT_CHECK_H
