//===- Bundle.cpp - Rows, shapes and the choice of a kernel ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Runtime/Bundle.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::flashfusion::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

int64_t mlir::flashfusion::runtime::itemSize(StringRef type) {
  return llvm::StringSwitch<int64_t>(type)
      .Cases({"i8", "f8E4M3FN"}, 1)
      .Cases({"bf16", "f16", "i16"}, 2)
      .Cases({"f32", "i32"}, 4)
      .Cases({"f64", "i64", "index"}, 8)
      .Default(0);
}

int64_t mlir::flashfusion::runtime::product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

bool Launch::serves(int64_t rows, uint64_t addresses) const {
  return rows >= minRows && (!maxRows || rows <= maxRows) && addresses % align == 0;
}

int64_t Launch::blocks(int64_t rows) const {
  if (fixed)
    return fixed;
  int64_t blocks = (rows + tileM - 1) / tileM * tilesN;
  return cap ? std::min(blocks, cap) : blocks;
}

Expected<const Launch *> Step::choose(int64_t rows, uint64_t addresses) const {
  for (const Launch &variant : variants)
    if (variant.serves(rows, addresses))
      return &variant;
  return llvm::createStringError(name + ": no variant serves " + Twine(rows) +
                                 " rows at these addresses");
}

static std::string toText(ArrayRef<int64_t> shape) {
  return "(" +
         llvm::join(llvm::map_range(shape,
                                    [](int64_t e) {
                                      return e == dynamic ? std::string("?") : std::to_string(e);
                                    }),
                    ", ") +
         ")";
}

Error Function::checkShapes(ArrayRef<Shape> shapes) const {
  if (shapes.size() != arguments.size())
    return llvm::createStringError(name + " takes " + Twine(arguments.size()) + " arguments, not " +
                                   Twine(shapes.size()));
  for (auto [argument, shape] : llvm::zip_equal(arguments, shapes)) {
    if (argument.scalar)
      continue;
    bool fits = shape.size() == argument.shape.size();
    for (size_t d = 0; fits && d < shape.size(); ++d)
      fits = shape[d] >= 0 && (argument.shape[d] == dynamic || argument.shape[d] == shape[d]);
    if (!fits)
      return llvm::createStringError(name + ": " + argument.name + " must have shape " +
                                     toText(argument.shape) + ", not " + toText(shape));
  }
  for (const Step &step : steps) {
    const Operand &x = step.operands[0];
    if (x.source != Operand::Source::Argument)
      continue;
    int64_t elements = product(shapes[x.index]);
    if (elements % step.k() || (x.shape[0] != dynamic && x.shape[0] * step.k() != elements))
      return llvm::createStringError(name + ": " + arguments[x.index].name + " of shape " +
                                     toText(shapes[x.index]) + " does not hold rows of " +
                                     Twine(step.k()) + " elements");
  }
  // Tiles are read at the positions of the result, whatever they hold.
  for (auto [i, step] : llvm::enumerate(steps))
    for (const Operand &tile : step.operands)
      if (tile.role == "tile" && elements(tile, shapes) != rows(i, shapes) * tile.shape.back())
        return llvm::createStringError(step.name + ": a tile of " + Twine(elements(tile, shapes)) +
                                       " elements does not have " + Twine(rows(i, shapes)) +
                                       " rows of " + Twine(tile.shape.back()));
  // So is a scale of x at those of its rows, unless there is one for all.
  for (auto [i, step] : llvm::enumerate(steps))
    for (const Operand &scale : step.operands)
      if (scale.role == "x_scale" && scale.shape[0] != 1 &&
          elements(scale, shapes) != rows(i, shapes))
        return llvm::createStringError(step.name + ": " + Twine(elements(scale, shapes)) +
                                       " scales of x do not go with " + Twine(rows(i, shapes)) +
                                       " rows");
  return Error::success();
}

int64_t Function::elements(const Operand &operand, ArrayRef<Shape> shapes) const {
  switch (operand.source) {
  case Operand::Source::Argument:
    return product(shapes[operand.index]);
  case Operand::Source::Result:
    return elements(results[operand.index], shapes);
  case Operand::Source::Intermediate:
    return elements(intermediates[operand.index], shapes);
  case Operand::Source::Constant:
    return product(constants[operand.index].shape);
  case Operand::Source::Number:
    break;
  }
  return 0;
}

int64_t Function::rows(unsigned step, ArrayRef<Shape> shapes) const {
  return elements(steps[step].operands[0], shapes) / steps[step].k();
}

int64_t Function::elements(const Buffer &buffer, ArrayRef<Shape> shapes) const {
  if (!llvm::is_contained(buffer.shape, dynamic))
    return product(buffer.shape);
  for (const Operand &out : steps[buffer.writtenBy].operands) {
    if (out.role != "out")
      continue;
    const auto &list = out.source == Operand::Source::Result ? results : intermediates;
    if (&list[out.index] == &buffer)
      return rows(buffer.writtenBy, shapes) * out.shape.back();
  }
  return 0;
}

Expected<Shape> Function::shapeOf(const Buffer &buffer, ArrayRef<Shape> shapes) const {
  Shape shape = buffer.shape;
  int64_t unknown = llvm::count(shape, dynamic);
  if (!unknown)
    return shape;
  int64_t total = elements(buffer, shapes);
  if (unknown == 1) {
    int64_t known = 1;
    for (int64_t extent : shape)
      known *= extent == dynamic ? 1 : extent;
    *llvm::find(shape, dynamic) = known ? total / known : 0;
  } else {
    // The leading extents are those of the argument behind x.
    const Operand *x = &steps[buffer.writtenBy].operands[0];
    while (x->source == Operand::Source::Intermediate || x->source == Operand::Source::Result) {
      const auto &list = x->source == Operand::Source::Result ? results : intermediates;
      x = &steps[list[x->index].writtenBy].operands[0];
    }
    if (x->source == Operand::Source::Argument && shapes[x->index].size() == shape.size())
      for (size_t d = 0; d < shape.size(); ++d)
        if (shape[d] == dynamic)
          shape[d] = shapes[x->index][d];
  }
  if (llvm::is_contained(shape, dynamic) || product(shape) != total)
    return llvm::createStringError(name + ": the shape of " + buffer.name +
                                   " does not follow from the arguments");
  return shape;
}

Expected<const Function *> Bundle::find(StringRef name) const {
  if (name.empty() && functions.size() == 1)
    return &functions.front();
  for (const Function &function : functions)
    if (function.name == name)
      return &function;
  std::string names =
      llvm::join(llvm::map_range(functions, [](const Function &f) { return f.name; }), ", ");
  if (name.empty())
    return llvm::createStringError("the bundle has several functions, choose one of: " + names);
  return llvm::createStringError("no function '" + name + "' in the bundle, which has: " + names);
}
