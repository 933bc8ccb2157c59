//===- Accuracy.h - The accuracy contract on host buffers ---------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Judges one result of a program by what the accuracy contract says of it. It
// knows nothing of MLIR: whoever runs a program, on whatever machine, hands in
// its numbers as doubles.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_VERIFY_ACCURACY_H
#define FLASHFUSION_VERIFY_ACCURACY_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>

namespace mlir::flashfusion {

/// What a result is rounded to, or computed in.
enum class Precision { F16, BF16, F32, TF32, F64 };

/// One result as a matrix of rows x columns, row after row.
struct AccuracyInput {
  Precision precision;
  int64_t rows, columns;
  /// Length of the sums behind it.
  int64_t k;
  /// How many Linears lie in a row behind it, itself included: each adds its own error, so caps and
  /// bounds by element are those of one Linear times this.
  int64_t links = 1;
  /// True if the result is that of a fused operation, up to layout and sums. Other results are
  /// held to the program as written alone: what they have beyond it is not the fused part's.
  bool isCapped = true;
  llvm::ArrayRef<double> reference, result;
  /// The program as written with f32 accumulators.
  llvm::ArrayRef<double> written;
  /// sum_k (xhat_ik W_kj)^2 of every element; empty if the result has no bound by element.
  llvm::ArrayRef<double> squaredNoise;
};

struct AccuracyReport {
  /// Largest error of a row, of the result and of the program as written.
  double row = 0, writtenRow = 0;
  /// Largest allowed row error.
  double cap = 0;
  /// Geometric mean over rows of the two errors' quotient, where a row as written counts as no
  /// better than the median one: 1 is as good as written.
  double mean = 1;
  /// Rows that were compared with the program as written, and those of them whose error is more
  /// than 1.1 x their own error as written, by chance or not.
  int64_t compared = 0, above = 0;
  /// Largest error of an aligned group of 8, of which 3 x cap are allowed.
  double group = 0;
  /// Largest quotient of an element's error and its bound; negative without bounds.
  double element = -1;
  bool ok = true;
  /// Says what was exceeded, and where.
  std::string reason;
};

/// The cap on a row's relative error.
double accuracyCap(Precision precision, int64_t k);

/// Measures one result against the contract:
/// * row: |y - ref| / |ref| in the 2-norm, at most 1.1 x that of the program as written and at
///   most the cap; absolutely where |ref| is 0;
/// * group: every aligned group of 8 outputs of a row, relative to the larger of the group's and
///   the row's RMS, at most 3 x the cap;
/// * element: 2 ulp + 8 u sqrt(squaredNoise).
///
/// Allowances make the first one a test that does not pass or fail by luck:
/// * the quotient of two errors, each the norm of N roundings, scatters by 1.5 / sqrt(N): a row
///   may exceed 1.1 by a factor exp(6 / sqrt(N)), four standard deviations. The geometric mean of
///   the quotient over all rows is held to 1.1 in the same way, with the number of all elements;
/// * where one product dominates a row (an outlier), its error is a single rounding, which by
///   chance may be none as written, or sqrt(3) times its RMS in the result: a row as written
///   counts as no better than sqrt(3) times the median row, and in the mean than the median row;
/// * a result without caps went through more than sums, where single elements can weigh anything:
///   its rows are held to the worst row as written (and to the mean over rows, like all);
/// * a row that the program as written does not bring below the cap is held to 1.1 x what it
///   reaches, instead of the cap, and its groups to three times that or to 1.1 x the row's worst
///   group as written, whichever is larger, but at most 96 caps;
/// * tf32 is not held to the program as written, only to its cap (3 caps without isCapped);
/// * a row of fewer than 8 outputs is held to the cap relative to the larger of itself and the root
///   of its squaredNoise: so few may cancel;
/// * an element that the program as written brings no further than half its bound may have what it
///   reaches beyond the bound: both share the errors of what comes into the Linear;
/// * errors that a whole row shares (its factor's rounding in f32) are single roundings: 2^-25
///   is added to what a row may have;
/// * errors below a quarter of the type's unit roundoff count as that quarter;
/// * half of the type's smallest subnormal is taken off every error: no program avoids it.
/// Where the reference is not finite, the result must be of the same kind as the program as
/// written; the row is not measured.
AccuracyReport measureAccuracy(const AccuracyInput &input);

/// What the roundings of a program do to a result, and what of that the result lacks, both relative
/// to the rows and in RMS over them.
struct RoundingReport {
  double effect = 0, missing = 0;
  bool ok = true;
};

/// Whether the result has the roundings that the program asks for. `rounded` is the program in f64
/// arithmetic with them, `input.reference` the one without. The result may lack half of what lies
/// between the two (a value next to a tie is rounded the other way here and there), beyond 1.1 x
/// what the program as written lacks and a cap of f32.
RoundingReport measureRoundings(const AccuracyInput &input, llvm::ArrayRef<double> rounded);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_VERIFY_ACCURACY_H
