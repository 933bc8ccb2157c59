//===- Mutate.h - Spoil textual IR --------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_TEST_FUZZ_MUTATE_H
#define FLASHFUSION_TEST_FUZZ_MUTATE_H

#include <random>
#include <string>
#include <vector>

namespace fffuzz {

using Random = std::mt19937_64;

struct Program {
  std::string text;
  uint64_t hash;
};

/// One to four changes of a text of `corpus`. The same state of `random` gives the same text, but
/// where a text that came to the corpus takes the place of the one chosen before.
std::string mutate(const std::vector<Program> &corpus, Random &random);

} // namespace fffuzz

#endif // FLASHFUSION_TEST_FUZZ_MUTATE_H
