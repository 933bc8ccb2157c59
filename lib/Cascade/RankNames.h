//===- RankNames.h - One name for a rank wherever it appears ------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_CASCADE_RANKNAMES_H
#define FLASHFUSION_LIB_CASCADE_RANKNAMES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <string>

namespace mlir::flashfusion {

/// Names for the loops of the operations. A loop that writes a dimension and one that
/// reads it have the same name, through views too, unless that would give two loops of
/// one operation the same: the query's and the key's positions of attention stay apart.
class RankNames {
public:
  explicit RankNames(ArrayRef<linalg::GenericOp> ops);
  StringRef lookup(linalg::GenericOp op, unsigned loop) const;

private:
  using Loop = unsigned;
  void unify(Loop a, Loop b);
  Loop find(Loop loop) const;
  /// Unifies what reads dimension `dim` of `value` with what writes it.
  void link(Loop loop, Value value, int64_t dim);

  DenseMap<Operation *, unsigned> first; ///< number of an operation's loop 0
  SmallVector<Operation *> owner;        ///< of every loop
  SmallVector<Loop> parent;
  SmallVector<SmallVector<Loop>> members;
  DenseMap<std::pair<Value, int64_t>, Loop> roots;
  bool linkRoots = false;
  SmallVector<std::string> names;
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_CASCADE_RANKNAMES_H
