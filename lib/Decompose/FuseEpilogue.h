//===- FuseEpilogue.h - An ff.online with a longer finalizer ----*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_DECOMPOSE_FUSEEPILOGUE_H
#define FLASHFUSION_LIB_DECOMPOSE_FUSEEPILOGUE_H

#include "EpilogueCone.h"
#include "FinalizerBuilder.h"

namespace mlir::flashfusion {

/// Rewrites an ff.online and a cone behind it as one ff.online.
class EpilogueFusion {
public:
  EpilogueFusion(const Cone &cone, bool relaxed)
      : cone(cone), online(cone.online), relaxed(relaxed) {}

  /// Finds where the new operation can stand: where the old one is, or in front of the last
  /// operation of the cone. False if neither is possible.
  bool findPlace();
  /// Creates the new ff.online; the old program still stands.
  OnlineOp build();
  /// Erases what build() has made.
  void abandon();
  /// Replaces the old operations by the new one.
  void commit();

  int64_t countOperations() const;
  int64_t countLinears() const { return linears.size(); }
  int64_t countTiles() const { return tiles.size(); }

private:
  Value matrixOf(OpBuilder &b, Value tensor);
  Value vectorOf(OpBuilder &b, Value tensor);
  void collectOperands(OpBuilder &b);
  void finalize(Block *block);
  Value emit(FinalizerBuilder &f, Value value, Space space);
  Value restoreShape(OpBuilder &b, Value matrix);

  const Cone &cone;
  OnlineOp online, fused;
  bool relaxed;
  Operation *place = nullptr;
  SmallVector<Operation *> created;

  /// The new output: its Linears, columns and tiles (as operands), and where each result of the
  /// old operation goes (an output number; the cone's results that nobody else needs: -1).
  SmallVector<int64_t> linears, newNumber;
  SmallVector<Value> columns, tiles;
  int64_t newOut = 0;
  /// Operands of the new output by what the cone calls them.
  DenseMap<std::pair<Value, Space>, unsigned> columnAt, tileAt;
  DenseMap<std::pair<Value, Space>, Value> emitted;
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_DECOMPOSE_FUSEEPILOGUE_H
