//===- Bundle.h - A bundle in memory ------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The document of docs/bundle.md as structures. Needs LLVM's support library
// only, no MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RUNTIME_BUNDLE_H
#define FLASHFUSION_RUNTIME_BUNDLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::flashfusion::runtime {

/// Extents of a buffer; `dynamic` where known only at a call.
using Shape = std::vector<int64_t>;
constexpr int64_t dynamic = -1;

/// Bytes of an element of type `type` ("bf16", "f32", ...); 0 if unknown.
int64_t itemSize(llvm::StringRef type);

/// An argument, result, constant, intermediate or packed buffer.
struct Buffer {
  std::string name, type;
  bool scalar = false; ///< a number, by value: no shape
  Shape shape;
  int64_t writtenBy = -1; ///< results and intermediates: index of a step
  std::string data;       ///< constants: their bytes
};

struct Operand {
  enum class Source { Argument, Result, Constant, Intermediate, Number };
  std::string role; ///< x, gain, shift, weight, column, tile, scalar, out
  Source source = Source::Number;
  int64_t index = 0;
  double number = 0;
  std::string type;
  bool scalar = false;
  Shape shape;
};

struct KernelParameter {
  enum class Kind { Buffer, TensorMap, Packed, PackedMap, Scalar, Rows };
  Kind kind = Kind::Rows;
  int64_t index = 0;
  int64_t boxRows = 0, boxCols = 0;
};

struct Launch {
  std::string kernel;
  int64_t fixed = 0, tileM = 0, tilesN = 0, cap = 0;
  int64_t block = 0, cluster = 1, sharedBytes = 0;
  int64_t minRows = 1, maxRows = 0, align = 1;
  bool packed = false, dependentLaunch = false;
  std::vector<KernelParameter> parameters;

  /// `addresses` is the bitwise or of those of x, gain, shift, weights and outputs.
  bool serves(int64_t rows, uint64_t addresses) const;
  int64_t blocks(int64_t rows) const;
};

struct Step {
  std::string name;
  std::vector<Operand> operands;
  std::vector<Launch> variants, pack;
  std::vector<Buffer> packed;

  int64_t k() const { return operands.front().shape[1]; }
  /// The first variant that serves; an error if there is none.
  llvm::Expected<const Launch *> choose(int64_t rows, uint64_t addresses) const;
};

struct Function {
  std::string name;
  std::vector<Buffer> arguments, results, constants, intermediates;
  std::vector<Step> steps;

  /// Checks the shapes of the arguments (those of scalars are not looked at).
  llvm::Error checkShapes(llvm::ArrayRef<Shape> arguments) const;
  /// M of a step. The shapes have been checked.
  int64_t rows(unsigned step, llvm::ArrayRef<Shape> arguments) const;
  /// Number of elements of what an operand of a step reads.
  int64_t elements(const Operand &operand, llvm::ArrayRef<Shape> arguments) const;
  /// Number of elements, and the shape, of a result or an intermediate.
  int64_t elements(const Buffer &buffer, llvm::ArrayRef<Shape> arguments) const;
  llvm::Expected<Shape> shapeOf(const Buffer &buffer, llvm::ArrayRef<Shape> arguments) const;
};

struct Bundle {
  std::string chip, ptx;
  std::vector<Function> functions;

  /// Reads and checks the document.
  static llvm::Expected<Bundle> parse(llvm::StringRef json);
  /// The function called `name`, or the only one if `name` is empty.
  llvm::Expected<const Function *> find(llvm::StringRef name) const;
};

int64_t product(llvm::ArrayRef<int64_t> extents);

} // namespace mlir::flashfusion::runtime

#endif // FLASHFUSION_RUNTIME_BUNDLE_H
