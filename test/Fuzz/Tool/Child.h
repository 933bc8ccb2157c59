//===- Child.h - Inputs in a process of their own -----------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_TEST_FUZZ_CHILD_H
#define FLASHFUSION_TEST_FUZZ_CHILD_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace fffuzz {

struct Counts {
  uint64_t valid = 0, raised = 0, runs = 0, emitted = 0;
};

struct Fault {
  uint64_t index;
  /// The pass, what happened, and where.
  std::string what;
};

/// What child and parent share: where the child is.
struct Progress {
  uint64_t index;
  Counts counts;
  char stage[96];
  char where[512];
};

/// Runs inputs [begin, end) in a child, whose stderr is the file `log`; the first fault ends it.
std::optional<Fault> runChild(uint64_t begin, uint64_t end,
                              const std::function<std::string(uint64_t)> &input,
                              const std::string &log, Counts &counts);

/// Gives the child a fresh time limit: for a pass, since an input runs many of them.
void startClock();

/// Parses `text` and runs passes on it; `index` chooses which. Reports through `progress`; false
/// on a fault that is not a crash, which `progress.where` then names.
class Checker {
public:
  explicit Checker(Progress &progress);
  ~Checker();
  bool check(const std::string &text, uint64_t index);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace fffuzz

#endif // FLASHFUSION_TEST_FUZZ_CHILD_H
