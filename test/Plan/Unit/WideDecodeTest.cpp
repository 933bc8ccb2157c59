//===- WideDecodeTest.cpp - The decode kernel for 17 to 128 rows -----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Check.h"
#include "FlashFusion/Plan/KernelTiles.h"

#include <cmath>

using namespace llvm;
using namespace mlir::flashfusion::plan;

namespace {
/// Relative errors, root mean square.
struct Errors {
  double squares = 0;
  unsigned count = 0;
  void add(double predicted, double measured) {
    squares += std::pow(predicted / measured - 1, 2);
    ++count;
  }
  double rms() const { return std::sqrt(squares / count); }
};
} // namespace

/// Of what kernel boundaries are priced with, at these constants.
static double getError(const Rows &measured, const Gpu &gpu, const Target &target) {
  Errors errors;
  for (const Row &row : measured) {
    double cycles = gpu.launchCycles + predictWideDecodeCycles(gpu, target.bandwidth / target.clock,
                                                               row.integer("m"), row.integer("n"),
                                                               row.integer("k"));
    errors.add(cycles / target.clock * 1e6, row.number("plain_us"));
  }
  return errors.rms();
}

/// The constants are those that fit, and what ranks tiles is as good as it was fitted up to 64
/// rows.
void testWideDecode(const Rows &measured) {
  CHECK(measured.size() == 30, measured.size());
  Target target = *lookUpTarget("h200", /*compat=*/false);
  double error = getError(measured, *target.gpu, target);
  CHECK(error < 0.06, error);
  for (double Gpu::*constant : {&Gpu::fillCycles, &Gpu::fillStartCycles, &Gpu::fillShare})
    for (double factor : {0.93, 1.07}) {
      Gpu moved = *target.gpu;
      moved.*constant *= factor;
      CHECK(getError(measured, moved, target) > error, factor);
    }
  Errors few, many;
  for (const Row &row : measured) {
    KernelShape shape{row.integer("m"), row.integer("n"), row.integer("k")};
    std::vector<WideDecodeTile> tiles = rankWideDecodeTiles(shape, target);
    CHECK(!tiles.empty(), shape.rows);
    if (!tiles.empty())
      (shape.rows <= 64 ? few : many).add(tiles.front().seconds * 1e6, row.number("plain_us"));
  }
  CHECK(few.rms() < 0.05, few.rms());
  CHECK(many.rms() < 0.15, many.rms()); // two warpgroups multiply, which it was not fitted to
}
