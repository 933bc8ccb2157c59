//===- AccuracyTest.cpp - The accuracy contract on made-up numbers ---------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Verify/Accuracy.h"

#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <vector>

using namespace mlir::flashfusion;

static int failures = 0;

static void check(bool condition, const char *what) {
  if (condition)
    return;
  ++failures;
  llvm::errs() << "failed: " << what << "\n";
}

namespace {

/// 4 rows of values around 1, and errors of a relative size that alternate in sign.
struct Case {
  int64_t rows = 4, columns;
  std::vector<double> reference, result, written, noise;

  Case(double error, double writtenError, int64_t columns = 64) : columns(columns) {
    for (int64_t i = 0; i < rows * columns; ++i) {
      double ref = 1.0 + 0.5 * std::sin(i), sign = i % 2 ? -1 : 1;
      reference.push_back(ref);
      result.push_back(ref * (1 + sign * error));
      written.push_back(ref * (1 + sign * writtenError));
      noise.push_back(1.0);
    }
  }

  AccuracyReport measure(Precision precision, bool isCapped = true, int64_t links = 1) const {
    AccuracyInput in;
    in.precision = precision;
    in.rows = rows;
    in.columns = columns;
    in.k = 1024;
    in.isCapped = isCapped;
    in.links = links;
    in.reference = reference;
    in.result = result;
    in.written = written;
    in.squaredNoise = noise;
    return measureAccuracy(in);
  }
};

} // namespace

int main() {
  // The caps, on both sides of them.
  check(Case(3.9e-3, 3.9e-3).measure(Precision::BF16).ok, "bf16 below its cap");
  check(!Case(4.1e-3, 3.9e-3).measure(Precision::BF16).ok, "bf16 above its cap");
  check(Case(4.9e-4, 4.9e-4).measure(Precision::F16).ok, "f16 below its cap");
  check(!Case(5.1e-4, 4.9e-4).measure(Precision::F16).ok, "f16 above its cap");
  check(Case(0.9e-6, 0.9e-6).measure(Precision::F32).ok, "f32 below its cap");
  check(!Case(1.1e-6, 0.9e-6).measure(Precision::F32).ok, "f32 above its cap");
  check(std::abs(accuracyCap(Precision::F32, 4096) - 2e-6) < 1e-12, "the f32 cap grows with K");
  check(std::abs(accuracyCap(Precision::F32, 16) - 6 * std::ldexp(1.0, -24)) < 1e-12,
        "but is never less than six roundings");
  // An f64 reference is as inexact as an f64 result.
  check(Case(2e-16, 0).measure(Precision::F64, /*isCapped=*/false).ok, "f64 against itself");
  check(!Case(1e-13, 0).measure(Precision::F64, /*isCapped=*/false).ok, "f64 that lost digits");
  check(Case(4.1e-3, 4.1e-3).measure(Precision::BF16, /*isCapped=*/false).ok,
        "without a cap the program as written decides");

  // Two Linears in a row have two caps between them.
  check(Case(7.9e-3, 7.9e-3).measure(Precision::BF16, true, 2).ok, "two links below two caps");
  check(!Case(8.1e-3, 7.9e-3).measure(Precision::BF16, true, 2).ok, "two links above two caps");

  // A row lost as written: its groups may be as bad as its worst group as written, no worse.
  Case lost(5e-3, 5e-3, 1024);
  lost.noise.assign(lost.noise.size(), 100.0);
  lost.result[64] += 0.1;
  check(!lost.measure(Precision::BF16).ok, "a bad group in a row without one as written");
  lost.written[256] += 0.1;
  check(lost.measure(Precision::BF16).ok, "a bad group that is as bad as written");

  // A row that the program as written does not bring below the cap is held to what it reaches.
  check(Case(5.1e-3, 5.0e-3).measure(Precision::BF16).ok, "as good as written, above the cap");
  check(!Case(10e-3, 5.0e-3).measure(Precision::BF16).ok, "worse than written, above the cap");
  // tf32 is held to its cap alone.
  check(Case(0.9e-3, 1e-7).measure(Precision::TF32).ok, "tf32 below its cap");
  check(!Case(1.1e-3, 1e-7).measure(Precision::TF32).ok, "tf32 above its cap");

  // 1.1 x the program as written: all rows together leave no room for twice its error.
  check(!Case(3.8e-3, 1.9e-3).measure(Precision::BF16).ok, "twice the error as written");
  check(Case(1.9e-3, 3.8e-3).measure(Precision::BF16).ok, "half the error as written");

  // One spoiled element: hidden in its row's norm, seen in its group and against its own bound.
  Case spoiled(1e-4, 1e-3);
  spoiled.result[70] *= 1.03;
  AccuracyReport report = spoiled.measure(Precision::BF16);
  check(report.row < 4e-3 + 1e-3, "a spoiled element hides in the row");
  check(!report.ok, "a spoiled element is found");
  spoiled.result[70] = NAN;
  check(!spoiled.measure(Precision::BF16).ok, "NaN is found");

  // An element that is off as written, too: what comes into the Linear is.
  Case shared(1e-4, 1e-4);
  shared.noise.assign(shared.noise.size(), 0.0);
  shared.result[70] = shared.reference[70] * 1.018;
  check(!shared.measure(Precision::BF16).ok, "an element beyond its bound");
  shared.written[70] = shared.reference[70] * 1.008;
  check(shared.measure(Precision::BF16).ok, "an element that shares its error with the program");

  // Roundings that are asked for: the result has them, lacks them, has all but one.
  Case rounded(1e-3, 1e-3, 1024);
  auto measureRounded = [&] {
    AccuracyInput in;
    in.precision = Precision::F32;
    in.rows = rounded.rows;
    in.columns = rounded.columns;
    in.k = 1024;
    in.reference = rounded.reference;
    in.result = rounded.result;
    in.written = rounded.written;
    return measureRoundings(in, rounded.noise);
  };
  rounded.noise = rounded.written;
  check(measureRounded().ok, "all roundings are there");
  rounded.result[5] = rounded.reference[5];
  check(measureRounded().ok, "all but one");
  rounded.result = rounded.reference;
  check(!measureRounded().ok && measureRounded().missing > 0.9e-3, "roundings are missing");

  // A row whose error as written is none by luck: a single rounding may be sqrt(3) times its RMS.
  Case lucky(1.5e-3, 1.5e-3);
  for (int64_t i = 0; i < lucky.columns; ++i)
    lucky.written[i] = lucky.reference[i];
  report = lucky.measure(Precision::BF16);
  check(report.ok && report.above == 1 && report.compared == 4, "a lucky row as written");
  check(report.mean < 1.01, "a lucky row does not count in the mean");

  // Zero rows are measured absolutely.
  Case zeros(0, 0);
  for (int64_t i = 0; i < zeros.columns; ++i)
    zeros.reference[i] = zeros.result[i] = zeros.written[i] = 0;
  check(zeros.measure(Precision::F32).ok, "exact zeros");
  zeros.result[3] = 1e-3;
  check(!zeros.measure(Precision::F32).ok, "an error in a zero row");

  // Where the reference overflows, the kind of the result is that of the program as written.
  Case infinite(0, 0);
  infinite.reference[5] = infinite.result[5] = infinite.written[5] = HUGE_VAL;
  check(infinite.measure(Precision::F16).ok, "the same infinity");
  infinite.result[5] = 1.0;
  check(!infinite.measure(Precision::F16).ok, "a number for an infinity");

  // Values below the smallest subnormal of f16 round to zero: no program avoids that.
  Case tiny(0, 0);
  for (int64_t i = 0; i < tiny.columns; ++i) {
    tiny.reference[i] = 1e-9;
    tiny.result[i] = tiny.written[i] = 0;
  }
  check(tiny.measure(Precision::F16).ok, "underflow");
  check(!tiny.measure(Precision::F32).ok, "a lost f32 row");

  // Nothing to measure.
  Case empty(0, 0);
  empty.rows = 0;
  check(empty.measure(Precision::F32).ok, "no rows");
  llvm::outs() << failures << " failures\n";
  return failures != 0;
}
