//===- HostTensor.cpp - Arrays that programs take and return ---------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTensor.h"

#include "mlir/IR/BuiltinTypes.h"
#include <cmath>
#include <cstring>

using namespace ffrun;

std::optional<Element> ffrun::elementOf(mlir::Type type) {
  if (mlir::isa<mlir::Float8E4M3FNType>(type))
    return Element::F8E4M3FN;
  if (type.isF16())
    return Element::F16;
  if (type.isBF16())
    return Element::BF16;
  if (type.isF32())
    return Element::F32;
  if (type.isF64())
    return Element::F64;
  if (type.isIndex())
    return Element::I64;
  if (!type.isSignlessInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return Element::I1;
  case 8:
    return Element::I8;
  case 16:
    return Element::I16;
  case 32:
    return Element::I32;
  case 64:
    return Element::I64;
  default:
    return std::nullopt;
  }
}

unsigned ffrun::sizeOf(Element element) {
  switch (element) {
  case Element::F8E4M3FN:
  case Element::I1:
  case Element::I8:
    return 1;
  case Element::F16:
  case Element::BF16:
  case Element::I16:
    return 2;
  case Element::F32:
  case Element::I32:
    return 4;
  case Element::F64:
  case Element::I64:
    return 8;
  }
  return 8;
}

const char *ffrun::nameOf(Element element) {
  switch (element) {
  case Element::F8E4M3FN:
    return "f8E4M3FN";
  case Element::F16:
    return "f16";
  case Element::BF16:
    return "bf16";
  case Element::F32:
    return "f32";
  case Element::F64:
    return "f64";
  case Element::I1:
    return "i1";
  case Element::I8:
    return "i8";
  case Element::I16:
    return "i16";
  case Element::I32:
    return "i32";
  case Element::I64:
    return "i64";
  }
  return "?";
}

bool ffrun::isFloat(Element element) {
  return element == Element::F8E4M3FN || element == Element::F16 || element == Element::BF16 ||
         element == Element::F32 || element == Element::F64;
}

/// Rounds to a significand of `bits` bits and exponents from `emin` on.
static double roundTo(double value, int bits, int emin) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int e = std::max(std::ilogb(value), emin) - bits + 1;
  return std::ldexp(std::nearbyint(std::ldexp(value, -e)), e);
}

static uint16_t toBF16(double value) {
  // Rounded in f64 first: f32 in between would round twice.
  float f = static_cast<float>(roundTo(value, 8, -126));
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits >> 16 | (std::isnan(value) ? 0x40 : 0);
}

/// Past the largest number, 448, lies NaN: there is no infinity.
static uint8_t toF8(double value) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  double a = std::abs(roundTo(value, 4, -6));
  if (!(a <= 448.0))
    return sign | 0x7f;
  if (a < std::ldexp(1.0, -6))
    return sign | static_cast<uint8_t>(std::ldexp(a, 9));
  int e = std::ilogb(a);
  auto fraction = static_cast<uint8_t>(std::ldexp(a, 3 - e)) & 7;
  return sign | static_cast<uint8_t>((e + 7) << 3) | fraction;
}

static double fromF8(uint8_t bits) {
  int e = bits >> 3 & 15, fraction = bits & 7;
  double a = (bits & 0x7f) == 0x7f ? NAN
             : e == 0              ? std::ldexp(fraction, -9)
                                   : std::ldexp(8 + fraction, e - 10);
  return bits & 0x80 ? -a : a;
}

static uint16_t toF16(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return sign | 0x7e00;
  double a = std::abs(roundTo(value, 11, -14));
  if (a >= 65536.0)
    return sign | 0x7c00;
  if (a < std::ldexp(1.0, -14))
    return sign | static_cast<uint16_t>(std::ldexp(a, 24));
  int e = std::ilogb(a);
  auto fraction = static_cast<uint16_t>(std::ldexp(a, 10 - e)) & 0x3ff;
  return sign | static_cast<uint16_t>((e + 15) << 10) | fraction;
}

static double fromF16(uint16_t bits) {
  int e = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  double a = e == 31  ? (fraction ? NAN : HUGE_VAL)
             : e == 0 ? std::ldexp(fraction, -24)
                      : std::ldexp(1024 + fraction, e - 25);
  return bits & 0x8000 ? -a : a;
}

template <typename T>
static T load(const std::vector<char> &data, int64_t i) {
  T v;
  std::memcpy(&v, data.data() + i * sizeof(T), sizeof(T));
  return v;
}

template <typename T>
static void store(std::vector<char> &data, int64_t i, T v) {
  std::memcpy(data.data() + i * sizeof(T), &v, sizeof(T));
}

int64_t HostTensor::size() const {
  int64_t n = 1;
  for (int64_t d : shape)
    n *= d;
  return n;
}

double HostTensor::get(int64_t i) const {
  switch (element) {
  case Element::F8E4M3FN:
    return fromF8(load<uint8_t>(data, i));
  case Element::F16:
    return fromF16(load<uint16_t>(data, i));
  case Element::BF16: {
    uint32_t bits = uint32_t(load<uint16_t>(data, i)) << 16;
    float f;
    std::memcpy(&f, &bits, 4);
    return f;
  }
  case Element::F32:
    return load<float>(data, i);
  case Element::F64:
    return load<double>(data, i);
  case Element::I1:
    return load<uint8_t>(data, i) & 1;
  case Element::I8:
    return load<int8_t>(data, i);
  case Element::I16:
    return load<int16_t>(data, i);
  case Element::I32:
    return load<int32_t>(data, i);
  case Element::I64:
    return static_cast<double>(load<int64_t>(data, i));
  }
  return 0;
}

void HostTensor::set(int64_t i, double value) {
  switch (element) {
  case Element::F8E4M3FN:
    return store(data, i, toF8(value));
  case Element::F16:
    return store(data, i, toF16(value));
  case Element::BF16:
    return store(data, i, toBF16(value));
  case Element::F32:
    return store(data, i, static_cast<float>(value));
  case Element::F64:
    return store(data, i, value);
  case Element::I1:
    return store<uint8_t>(data, i, value != 0);
  case Element::I8:
    return store(data, i, static_cast<int8_t>(value));
  case Element::I16:
    return store(data, i, static_cast<int16_t>(value));
  case Element::I32:
    return store(data, i, static_cast<int32_t>(value));
  case Element::I64:
    return store(data, i, static_cast<int64_t>(value));
  }
}

std::vector<double> HostTensor::toDoubles() const {
  std::vector<double> values(size());
  for (int64_t i = 0, e = size(); i < e; ++i)
    values[i] = get(i);
  return values;
}

std::string HostTensor::describe() const {
  std::string text;
  for (int64_t d : shape)
    text += std::to_string(d) + "x";
  return text + nameOf(element);
}
