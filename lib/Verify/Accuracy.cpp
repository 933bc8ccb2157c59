//===- Accuracy.cpp - The accuracy contract on host buffers ----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Verify/Accuracy.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace mlir::flashfusion;
using llvm::ArrayRef;

namespace {

/// p: bits of the significand; emin: exponent of the smallest normal number.
struct Format {
  int p, emin;
  /// Unit of one rounding, 2^-p.
  double unit() const { return std::ldexp(1.0, -p); }
  /// Distance between neighbours around `x`.
  double ulp(double x) const {
    int e = emin;
    if (x != 0 && std::isfinite(x))
      e = std::max(std::ilogb(x), emin);
    return std::ldexp(1.0, e - p + 1);
  }
  double subnormal() const { return std::ldexp(1.0, emin - p + 1); }
};

} // namespace

static Format formatOf(Precision precision) {
  switch (precision) {
  case Precision::F16:
    return {11, -14};
  case Precision::BF16:
    return {8, -126};
  case Precision::F32:
  case Precision::TF32:
    return {24, -126};
  case Precision::F64:
    return {53, -1022};
  }
  return {24, -126};
}

/// Roundings of a row that do not average out over a sum, however short it is: of the scale
/// less than 3 (its root two, its statistic half of one), of the gain, the product and the last
/// addition.
static constexpr double kFixedRoundings = 6;

double mlir::flashfusion::accuracyCap(Precision precision, int64_t k) {
  double walk = 1e-6 * std::sqrt(k / 1024.0), fixed = std::ldexp(kFixedRoundings, -24);
  switch (precision) {
  case Precision::F16:
    return 5e-4;
  case Precision::BF16:
    return 4e-3;
  case Precision::TF32:
    return 1e-3;
  case Precision::F32:
    return std::max(walk, fixed);
  case Precision::F64:
    // f64 programs have no contract of their own: the f32 rule, at f64's unit.
    return std::ldexp(std::max(walk, fixed), -29);
  }
  return 0;
}

/// u of the bound by element.
static double elementUnit(Precision precision, int64_t k) {
  switch (precision) {
  case Precision::F16:
    return std::ldexp(1.0, -11);
  case Precision::TF32:
    return std::ldexp(1.0, -10); // both operands are rounded
  case Precision::BF16:
    return std::ldexp(1.0, -8);
  case Precision::F32:
    return std::sqrt(double(k)) * std::ldexp(1.0, -24);
  case Precision::F64:
    return std::sqrt(double(k)) * std::ldexp(1.0, -53);
  }
  return 0;
}

static double norm(ArrayRef<double> values) {
  double sum = 0;
  for (double v : values)
    sum += v * v;
  return std::sqrt(sum);
}

/// 2-norm of value - reference, with `floor` taken off every element's error.
static double errorNorm(ArrayRef<double> value, ArrayRef<double> reference, double floor) {
  double sum = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    double d = std::abs(value[i] - reference[i]);
    if (std::isnan(d))
      return HUGE_VAL;
    d = std::max(d - floor, 0.0);
    sum += d * d;
  }
  return std::sqrt(sum);
}

/// What the quotient of two errors may be by chance alone, each the norm of `count` roundings. A
/// rounding grows with its value, and values are about normal: the norm's logarithm has a standard
/// deviation of sqrt(1.1 / count), that of the quotient 1.5 / sqrt(count). Four of these.
static double scatter(double count) { return std::exp(6 / std::sqrt(count)); }

/// A single rounding is uniform: at most this much times its RMS.
static constexpr double worstRounding = 1.7320508075688772;

static bool sameKind(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  return true;
}

namespace {

/// Measures row after row into a report.
class Measurement {
public:
  Measurement(const AccuracyInput &in) : in(in), format(formatOf(in.precision)) {
    report.cap = accuracyCap(in.precision, in.k) * in.links;
    floor = format.subnormal() / 2;
  }

  AccuracyReport run() {
    findTypicalError();
    for (int64_t r = 0; r < in.rows; ++r)
      measureRow(r);
    if (report.compared) {
      report.mean = std::exp(logSum / report.compared);
      double allowed = 1.1 * scatter(double(report.compared) * in.columns);
      if (report.mean > allowed)
        fail("mean quotient of", 0, 0, report.mean, allowed);
    }
    return report;
  }

private:
  void fail(const char *what, int64_t row, int64_t column, double value, double allowed) {
    report.ok = false;
    if (!report.reason.empty())
      return;
    char text[160];
    std::snprintf(text, sizeof(text), "%s error %.3g exceeds %.3g at row %lld, column %lld", what,
                  value, allowed, (long long)row, (long long)column);
    report.reason = text;
  }

  ArrayRef<double> row(ArrayRef<double> all, int64_t r) const {
    return all.empty() ? all : all.slice(r * in.columns, in.columns);
  }

  /// Relative error of a row; absolute where the reference is zero.
  double rowError(ArrayRef<double> value, ArrayRef<double> ref) const {
    double size = norm(ref);
    return errorNorm(value, ref, floor) / (size > 0 ? size : 1);
  }

  void findTypicalError() {
    std::vector<double> errors;
    for (int64_t r = 0; !in.written.empty() && r < in.rows; ++r) {
      double error = rowError(row(in.written, r), row(in.reference, r));
      if (std::isfinite(error))
        errors.push_back(error);
    }
    if (errors.empty())
      return;
    std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
    typical = errors[errors.size() / 2];
    worstTypical = worstRounding * typical;
    if (in.isCapped)
      return;
    worstTypical = std::max(worstTypical, *std::max_element(errors.begin(), errors.end()));
  }

  void measureRow(int64_t r) {
    ArrayRef<double> ref = row(in.reference, r), y = row(in.result, r);
    ArrayRef<double> written = row(in.written, r);
    bool finite = std::all_of(ref.begin(), ref.end(), [](double v) { return std::isfinite(v); });
    if (!finite) {
      for (int64_t c = 0; c < in.columns; ++c)
        if (!written.empty() && !sameKind(y[c], written[c]))
          fail("kind of", r, c, y[c], written[c]);
      return;
    }
    double error = rowError(y, ref);
    report.row = std::max(report.row, error);
    double cap = report.cap;
    // tf32 is asked for to be worse than the program as written.
    if (!written.empty() && in.precision != Precision::TF32) {
      double other = rowError(written, ref);
      report.writtenRow = std::max(report.writtenRow, other);
      if (std::isfinite(other) && other > cap)
        cap = 1.1 * other * scatter(in.columns);
      // An f64 reference is no more exact than an f64 result: both have what the cap allows.
      double least = in.precision == Precision::F64 ? report.cap : format.unit() / 4;
      double allowed = 1.1 * std::max({other, worstTypical, least}) * scatter(in.columns);
      allowed += std::ldexp(1.0, -25);
      if (error > allowed)
        fail("row", r, 0, error, allowed);
      if (std::isfinite(error) && std::isfinite(other)) {
        logSum += std::log(std::max(error, least) / std::max({other, typical, least}));
        ++report.compared;
        report.above += error > 1.1 * std::max(other, least);
      }
    }
    if (!in.isCapped && in.precision == Precision::TF32)
      cap *= 3; // whatever the epilogue does to it
    // Where so few outputs cancel, the noise of the contraction is what errors are relative to.
    double capped = error;
    if (in.columns < 8 && !in.squaredNoise.empty()) {
      double noise = 0, size = norm(ref);
      for (double squared : row(in.squaredNoise, r))
        noise += squared;
      if (size > 0 && std::sqrt(noise) > size)
        capped *= size / std::sqrt(noise);
    }
    if ((in.isCapped || in.precision == Precision::TF32) && capped > cap)
      fail("row", r, 0, capped, cap);
    if (in.isCapped) {
      // A row that the program as written cannot hold has groups that it cannot hold.
      double allowed = 3 * cap;
      if (cap > report.cap) {
        allowed = std::max(allowed, 1.1 * worstGroup(written, ref).error);
        allowed = std::min(allowed, 96 * report.cap);
      }
      GroupError worst = worstGroup(y, ref);
      report.group = std::max(report.group, worst.error);
      if (in.columns >= 8 && worst.error > allowed)
        fail("group", r, worst.column, worst.error, allowed);
      measureElements(r, y, ref, written, row(in.squaredNoise, r));
    }
  }

  struct GroupError {
    double error = 0;
    int64_t column = 0;
  };

  /// Of the row's aligned groups of 8, the one with the largest error.
  GroupError worstGroup(ArrayRef<double> y, ArrayRef<double> ref) const {
    double rowRms = norm(ref) / std::sqrt(double(std::max<int64_t>(in.columns, 1)));
    GroupError worst;
    for (int64_t c = 0; c < in.columns; c += 8) {
      int64_t count = std::min<int64_t>(8, in.columns - c);
      double root = std::sqrt(double(count));
      double rms = std::max(norm(ref.slice(c, count)) / root, rowRms);
      double error = errorNorm(y.slice(c, count), ref.slice(c, count), floor) / root;
      error /= rms > 0 ? rms : 1;
      if (error > worst.error)
        worst = {error, c};
    }
    return worst;
  }

  void measureElements(int64_t r, ArrayRef<double> y, ArrayRef<double> ref,
                       ArrayRef<double> written, ArrayRef<double> squaredNoise) {
    if (squaredNoise.empty())
      return;
    double u = elementUnit(in.precision, in.k) * in.links;
    for (int64_t c = 0; c < in.columns; ++c) {
      double bound = 2 * format.ulp(ref[c]) + 8 * u * std::sqrt(squaredNoise[c]);
      // What comes into the Linear has errors of its own, which both programs share.
      double other = written.empty() ? 0 : std::abs(written[c] - ref[c]);
      if (other > bound / 2)
        bound += other;
      double quotient = std::abs(y[c] - ref[c]) / bound;
      if (std::isnan(quotient))
        quotient = HUGE_VAL;
      report.element = std::max(report.element, quotient);
      if (quotient > 1)
        fail("element", r, c, std::abs(y[c] - ref[c]), bound);
    }
  }

  const AccuracyInput &in;
  Format format;
  AccuracyReport report;
  double floor = 0, typical = 0, worstTypical = 0, logSum = 0;
};

} // namespace

AccuracyReport mlir::flashfusion::measureAccuracy(const AccuracyInput &input) {
  return Measurement(input).run();
}

RoundingReport mlir::flashfusion::measureRoundings(const AccuracyInput &in,
                                                   ArrayRef<double> rounded) {
  double sums[3] = {};
  int64_t rows = 0;
  for (int64_t r = 0; r < in.rows; ++r) {
    auto row = [&](ArrayRef<double> all) { return all.slice(r * in.columns, in.columns); };
    double size = norm(row(rounded));
    double errors[3] = {errorNorm(row(in.result), row(rounded), 0),
                        errorNorm(row(in.reference), row(rounded), 0),
                        errorNorm(row(in.written), row(rounded), 0)};
    if (!(size > 0) || !llvm::all_of(errors, [](double e) { return std::isfinite(e); }))
      continue;
    ++rows;
    for (auto [sum, error] : llvm::zip(sums, errors))
      sum += (error / size) * (error / size);
  }
  RoundingReport report;
  if (rows == 0)
    return report;
  report.missing = std::sqrt(sums[0] / rows);
  report.effect = std::sqrt(sums[1] / rows);
  Precision computed = in.precision == Precision::F64 ? Precision::F64 : Precision::F32;
  double allowed = report.effect / 2 + accuracyCap(computed, in.k) * in.links +
                   1.1 * scatter(double(rows) * in.columns) * std::sqrt(sums[2] / rows);
  report.ok = report.missing <= allowed;
  return report;
}
