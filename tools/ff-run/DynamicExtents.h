//===- DynamicExtents.h - Which dynamic extents are equal ---------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_DYNAMICEXTENTS_H
#define FF_RUN_DYNAMICEXTENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace ffrun {

/// Sorts the extents of all tensors of a function into classes of equal ones, as far as linalg
/// operations, reshapes, `tensor.empty`, `tensor.dim` and assertions say so, and gives a size to
/// every class. An index argument belongs to the class of the extents that it makes.
class DynamicExtents {
public:
  explicit DynamicExtents(mlir::func::FuncOp func);

  /// Sets the extents of argument `i`; reports a contradiction at the function.
  mlir::LogicalResult fix(unsigned i, llvm::ArrayRef<int64_t> shape);
  /// Sets the value of index argument `i`.
  mlir::LogicalResult fixIndex(unsigned i, int64_t value);

  llvm::SmallVector<int64_t> shapeOf(unsigned i);
  int64_t indexOf(unsigned i);

private:
  /// Dimension `dim` of a tensor, or an index value (dim -1).
  using Extent = std::pair<mlir::Value, int64_t>;

  unsigned idOf(mlir::Value value, int64_t dim);
  void unite(Extent a, Extent b);
  /// `few` is `many` with every group of dimensions made one: where the others of a group are 1,
  /// its extent stays.
  void uniteReshaped(mlir::Value many, mlir::Value few,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups);
  /// Those of one of our operations: as many rows as x has.
  void uniteRows(mlir::Value x, mlir::Value scale, mlir::ValueRange others);
  mlir::LogicalResult fixExtent(unsigned i, int64_t dim, int64_t size);
  int64_t sizeOf(mlir::Value value, int64_t dim);

  mlir::func::FuncOp func;
  llvm::DenseMap<Extent, unsigned> ids;
  llvm::EquivalenceClasses<unsigned> classes;
  llvm::DenseMap<unsigned, int64_t> sizes;
};

} // namespace ffrun

#endif // FF_RUN_DYNAMICEXTENTS_H
