//===- HostTensor.h - Arrays that programs take and return --------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_HOSTTENSOR_H
#define FF_RUN_HOSTTENSOR_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ffrun {

enum class Element { F8E4M3FN, F16, BF16, F32, F64, I1, I8, I16, I32, I64 };

/// The element that `type` is stored as; none if ff-run has no array of it.
std::optional<Element> elementOf(mlir::Type type);
unsigned sizeOf(Element element);
const char *nameOf(Element element);
bool isFloat(Element element);

/// A dense array, row after row; of rank 0 and one element for a scalar.
struct HostTensor {
  Element element = Element::F32;
  llvm::SmallVector<int64_t> shape;
  /// Scalars are passed by value, arrays of rank 0 in memory.
  bool isScalar = false;
  std::vector<char> data;

  int64_t size() const;
  void allocate() { data.assign(size() * sizeOf(element), 0); }
  double get(int64_t i) const;
  /// Stores `value`, rounded to nearest even where the element is narrower.
  void set(int64_t i, double value);
  std::vector<double> toDoubles() const;
  /// "4x8xbf16"
  std::string describe() const;
};

} // namespace ffrun

#endif // FF_RUN_HOSTTENSOR_H
