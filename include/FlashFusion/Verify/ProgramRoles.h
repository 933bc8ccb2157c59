//===- ProgramRoles.h - Activations and weights of a program ------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_VERIFY_PROGRAMROLES_H
#define FLASHFUSION_VERIFY_PROGRAMROLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::flashfusion {

/// True for a sum of products over a loop that has, on one side, a loop which
/// only that side and the output index: a Linear, unlike sum x * x of a row.
bool isLinear(linalg::LinalgOp op);

/// True if sums over rows, not counting Linears, lie behind the value: it is
/// normalised.
bool dependsOnStatistics(Value value);

/// What the arguments of a function are, read off its contractions: the side of
/// a contraction whose slice holds row statistics is the activation, the other
/// one the weight; without statistics, a right operand made of one argument is
/// the weight. Vectors and scalars count as weights (gains, biases, eps).
class ProgramRoles {
public:
  explicit ProgramRoles(func::FuncOp func);

  bool isActivation(BlockArgument arg) const { return !weights.contains(arg); }

  /// K of the contraction that `arg` is a weight of; 0 if there is none.
  int64_t fanIn(BlockArgument arg) const { return fanIns.lookup(arg); }

  /// True if `value` depends on an activation, inside of regions too.
  bool dependsOnActivation(Value value) const { return active.contains(value); }

  /// The input (0 or 1) of a contraction that is the weight.
  unsigned weightSide(linalg::LinalgOp contraction) const;

private:
  void addWeights(ArrayRef<Value> values, int64_t k);
  void propagate(Operation *op);

  llvm::DenseSet<Value> weights, active;
  llvm::DenseMap<Value, int64_t> fanIns;
  llvm::DenseMap<Operation *, unsigned> weightSides;
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_VERIFY_PROGRAMROLES_H
