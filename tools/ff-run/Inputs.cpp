//===- Inputs.cpp - Arguments of a function --------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs.h"

#include "DynamicExtents.h"
#include "FlashFusion/Verify/ProgramRoles.h"
#include "Npy.h"
#include <cmath>

using namespace ffrun;
using namespace mlir;

namespace {

/// SplitMix64, and a sum of four uniform numbers that is close to normal: the numbers of a seed
/// are the same everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  double normal() {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    double sum = (z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) + (z >> 48);
    return (sum / 65535.0 - 2.0) * 1.7320508075688772;
  }

private:
  uint64_t state;
};

} // namespace

/// Splits "arg3:rest"; fails with a diagnostic if it does not name an argument of `func`.
static FailureOr<std::pair<unsigned, StringRef>> parseArgument(func::FuncOp func, StringRef option,
                                                               StringRef text) {
  auto [name, rest] = text.split(':');
  unsigned index;
  if (!name.consume_front("arg") || name.getAsInteger(10, index) || rest.empty()) {
    func.emitError() << "--" << option << "=" << text << ": expected argN:" << option;
    return failure();
  }
  if (index >= func.getNumArguments()) {
    func.emitError() << "--" << option << "=" << text << ": the function has "
                     << func.getNumArguments() << " arguments";
    return failure();
  }
  return std::pair(index, rest);
}

static LogicalResult checkShape(func::FuncOp func, unsigned index, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[index]);
  SmallVector<int64_t> expected;
  if (type)
    expected.assign(type.getShape().begin(), type.getShape().end());
  bool fits = expected.size() == shape.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = ShapedType::isDynamic(expected[i]) || expected[i] == shape[i];
  if (fits)
    return success();
  auto diag = func.emitError() << "argument " << index << " is " << func.getArgumentTypes()[index]
                               << ", but was given shape ";
  llvm::interleave(shape, diag, "x");
  return failure();
}

/// Fills one row of an activation with what norms find hard.
static void fillHardRow(HostTensor &t, int64_t begin, int64_t count, int64_t kind, Random &random) {
  auto outlier = [&](int64_t at) {
    for (int64_t i = 0; i < count; ++i)
      t.set(begin + i, i == at ? 1000.0 : random.normal());
  };
  switch (kind) {
  case 1: // mean / std = 100
    for (int64_t i = 0; i < count; ++i)
      t.set(begin + i, 100.0 + random.normal());
    return;
  case 2:
    return outlier(0);
  case 3:
    return outlier(count / 2);
  case 4:
    for (int64_t i = 0; i < count; ++i)
      t.set(begin + i, 0.0);
    return;
  case 5: // near the largest f16
    for (int64_t i = 0; i < count; ++i)
      t.set(begin + i, random.normal() < 0 ? -60000.0 : 60000.0);
    return;
  case 6:
    for (int64_t i = 0; i < count; ++i)
      t.set(begin + i, 1e-6 * random.normal());
    return;
  default:
    for (int64_t i = 0; i < count; ++i)
      t.set(begin + i, random.normal());
  }
}

static void fillRandom(HostTensor &t, BlockArgument arg, const flashfusion::ProgramRoles &roles,
                       const InputOptions &options) {
  Random random(options.seed * 1000003 + arg.getArgNumber() + 1);
  int64_t size = t.size();
  if (!isFloat(t.element)) {
    for (int64_t i = 0; i < size; ++i)
      t.set(i, t.element == Element::I1 ? random.normal() > 0 : std::floor(4 + random.normal()));
    return;
  }
  if (t.isScalar) {
    // A scalar next to a norm is an eps.
    t.set(0, 1e-5);
  } else if (!roles.isActivation(arg)) {
    int64_t k = roles.fanIn(arg);
    // Weights of 8 bits fill their range; what scales them is not known here.
    if (t.element == Element::F8E4M3FN)
      k = 1;
    double scale = k > 0 ? 1 / std::sqrt(double(k)) : 0.1, center = k > 0 ? 0.0 : 1.0;
    for (int64_t i = 0; i < size; ++i)
      t.set(i, center + scale * random.normal());
  } else if (options.hardRows && !t.shape.empty()) {
    int64_t count = t.shape.back();
    for (int64_t r = 0; count > 0 && r < size / count; ++r)
      fillHardRow(t, r * count, count, (r + options.seed) % 7, random);
  } else {
    for (int64_t i = 0; i < size; ++i)
      t.set(i, random.normal());
  }
}

FailureOr<std::vector<HostTensor>> ffrun::makeArguments(func::FuncOp func,
                                                        const InputOptions &options) {
  std::vector<HostTensor> arguments(func.getNumArguments());
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<Element> element = elementOf(tensor ? tensor.getElementType() : type);
    if (!element || (isa<ShapedType>(type) && !tensor))
      return func.emitError() << "argument " << i
                              << " has a type that ff-run cannot make: " << type;
    arguments[i].element = *element;
    arguments[i].isScalar = !tensor;
  }

  DynamicExtents extents(func);
  SmallVector<bool> isGiven(func.getNumArguments(), false);
  for (const std::string &text : options.files) {
    auto named = parseArgument(func, "input", text);
    if (failed(named))
      return failure();
    auto [i, path] = *named;
    llvm::Expected<HostTensor> read = readNpy(path, arguments[i].element);
    if (!read)
      return func.emitError() << "argument " << i << ": " << llvm::toString(read.takeError());
    if (read->element != arguments[i].element)
      return func.emitError() << "argument " << i << " is " << func.getArgumentTypes()[i]
                              << ", but " << path << " holds " << nameOf(read->element);
    if (failed(checkShape(func, i, read->shape)))
      return failure();
    read->isScalar = arguments[i].isScalar;
    arguments[i] = std::move(*read);
    isGiven[i] = true;
    if (failed(extents.fix(i, arguments[i].shape)))
      return failure();
  }
  for (const std::string &text : options.shapes) {
    auto named = parseArgument(func, "shape", text);
    if (failed(named))
      return failure();
    auto [i, shapeText] = *named;
    SmallVector<StringRef> parts;
    shapeText.split(parts, 'x');
    SmallVector<int64_t> shape;
    for (StringRef part : parts) {
      int64_t extent;
      if (part.getAsInteger(10, extent) || extent < 0 || extent > (int64_t(1) << 40))
        return func.emitError() << "--shape=" << text << ": expected extents like 4x8x4096";
      shape.push_back(extent);
    }
    if (arguments[i].isScalar && !isFloat(arguments[i].element) && shape.size() == 1) {
      if (failed(extents.fixIndex(i, shape[0])))
        return failure();
      continue;
    }
    if (failed(checkShape(func, i, shape)) || failed(extents.fix(i, shape)))
      return failure();
  }

  flashfusion::ProgramRoles roles(func);
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    BlockArgument arg = func.getArgument(i);
    if (isGiven[i])
      continue;
    argument.shape = extents.shapeOf(i);
    double bytes = sizeOf(argument.element);
    for (int64_t d : argument.shape)
      bytes *= d;
    if (bytes > 32e9)
      return func.emitError() << "argument " << i << " is larger than 32 GB";
    argument.allocate();
    if (argument.isScalar && !isFloat(argument.element) && arg.getType().isIndex())
      argument.set(0, extents.indexOf(i));
    else
      fillRandom(argument, arg, roles, options);
  }
  return arguments;
}
