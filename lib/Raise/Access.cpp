//===- Access.cpp - Coordinates as mixed-radix digits ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reshape neither moves nor changes elements: it groups the digits of the
// flat position in another way. Collapsing concatenates digits; expanding
// distributes them, and cuts an iteration variable in two where a dimension
// ends in the midst of it:
//
//   collapse_shape %h [[0, 1], [2]] : tensor<4x?xK> into tensor<?xK>
//   read at (m, k)  ->  %h read at (m0, m1, k)  with m = (m0, m1), |m0| = 4
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Algebra.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

Index flashfusion::flatten(ArrayRef<Index> access) {
  Index result;
  for (const Index &index : access)
    llvm::append_range(result, index);
  return result;
}

Atom Algebra::newAtom(int64_t extent) {
  atoms.push_back({extent, {}, nullptr, std::nullopt});
  return atoms.size() - 1;
}

Index Algebra::loop(Operation *op, unsigned loop, int64_t extent) {
  if (extent == 1)
    return {};
  auto [it, inserted] = loops.try_emplace({op, loop}, 0);
  if (inserted)
    it->second = newAtom(extent);
  Index index{it->second};
  resolve(index);
  return index;
}

Index Algebra::summedLoop(Operation *op, unsigned loop, int64_t extent, ArrayRef<int64_t> digits) {
  Index index = this->loop(op, loop, extent);
  int64_t product = 1;
  for (int64_t digit : digits)
    product *= digit;
  if (index.size() == 1 && digits.size() > 1 && extent == product)
    cut(index[0], digits, nullptr);
  resolve(index);
  return index;
}

Atom Algebra::boundAtom(unsigned height, unsigned position, int64_t extent) {
  auto [it, inserted] = boundAtoms.try_emplace({height, position, extent}, 0);
  if (inserted)
    it->second = newAtom(extent);
  return it->second;
}

void Algebra::resolve(Index &index) const {
  Index result;
  for (Atom atom : index) {
    if (atoms[atom].digits.empty()) {
      result.push_back(atom);
      continue;
    }
    Index digits(atoms[atom].digits);
    resolve(digits);
    llvm::append_range(result, digits);
  }
  index = result;
}

bool Algebra::cut(Atom atom, ArrayRef<int64_t> extents, const void *source) {
  if (!atoms[atom].digits.empty())
    return false;
  SmallVector<Atom, 2> digits;
  for (int64_t extent : extents)
    digits.push_back(newAtom(extent));
  for (Atom digit : digits)
    atoms[digit].source = source;
  atoms[atom].digits = digits;
  split = true;
  return true;
}

std::optional<Access> Algebra::distribute(const Index &original, ArrayRef<int64_t> extents,
                                          const void *source, bool maySplit) {
  Index index = original;
  resolve(index);
  Access access(extents.size());
  SmallVector<unsigned> dims; // those that are not unit
  for (auto [d, extent] : llvm::enumerate(extents))
    if (extent != 1)
      dims.push_back(d);
  if (dims.empty())
    return access;

  // Takes whole digits for one static extent from the end (or the front) of
  // `index`, cutting the last one taken where it holds more.
  auto take = [&](int64_t size, bool fromBack, Index &taken) {
    int64_t rest = size;
    while (rest != 1) {
      if (index.empty())
        return false;
      Atom atom = fromBack ? index.back() : index.front();
      int64_t e = extent(atom);
      if (e == 0 || rest == 0) // nothing is read
        return false;
      if (!ShapedType::isDynamic(e) && rest % e == 0) {
        rest /= e;
        taken.insert(fromBack ? taken.begin() : taken.end(), atom);
        fromBack ? index.pop_back() : (void)index.erase(index.begin());
        continue;
      }
      if (!ShapedType::isDynamic(e) && e % rest != 0)
        return false;
      int64_t other = ShapedType::isDynamic(e) ? e : e / rest;
      if (!maySplit ||
          !(fromBack ? cut(atom, {other, rest}, nullptr) : cut(atom, {rest, other}, nullptr)))
        return false;
      resolve(index);
    }
    return true;
  };
  while (dims.size() > 1 && !ShapedType::isDynamic(extents[dims.back()])) {
    if (!take(extents[dims.back()], /*fromBack=*/true, access[dims.back()]))
      return std::nullopt;
    dims.pop_back();
  }
  while (dims.size() > 1 && !ShapedType::isDynamic(extents[dims.front()])) {
    if (!take(extents[dims.front()], /*fromBack=*/false, access[dims.front()]))
      return std::nullopt;
    dims.erase(dims.begin());
  }
  if (dims.size() == 1) {
    int64_t product = 1;
    bool known = !ShapedType::isDynamic(extents[dims.front()]);
    for (Atom atom : index) {
      known &= !ShapedType::isDynamic(extent(atom));
      product *= extent(atom);
    }
    if (known && product != extents[dims.front()])
      return std::nullopt;
    access[dims.front()] = index;
    return access;
  }
  // Several dynamic extents: nothing says where one ends, except that the cut
  // was made for these very dimensions.
  SmallVector<int64_t> rest;
  for (unsigned d : dims)
    rest.push_back(extents[d]);
  if (index.size() == 1 && maySplit && atoms[index[0]].source != source &&
      cut(index[0], rest, source))
    resolve(index);
  if (index.size() != dims.size())
    return std::nullopt;
  for (auto [d, atom] : llvm::zip_equal(dims, index)) {
    if (atoms[atom].source != source || extent(atom) != extents[d])
      return std::nullopt;
    access[d] = {atom};
  }
  return access;
}
