//===- EpilogueCone.h - Elementwise operations behind ff.online -*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_DECOMPOSE_EPILOGUECONE_H
#define FLASHFUSION_LIB_DECOMPOSE_EPILOGUECONE_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::flashfusion {

/// What an element of a tensor depends on: (m, n), n alone, or nothing.
enum class Space { Matrix, Column, Number };

/// How one tensor enters a finalizer.
struct ConeNode {
  enum Kind {
    Result,   ///< a result of the ff.online
    Reshaped, ///< its operand 0, in another shape of the same order
    Inlined,  ///< the body of a linalg operation
    Tile,     ///< an operand, M x N
    Column,   ///< an operand of length N
    Constant, ///< the same number everywhere
  };
  Kind kind;
  TypedAttr constant;
};

/// Everything between results of one ff.online and one elementwise operation.
struct Cone {
  OnlineOp online;
  linalg::LinalgOp sink;
  int64_t n = 0;
  /// Reads of tensors, and of scalars (under Space::Number).
  llvm::MapVector<std::pair<Value, Space>, ConeNode> nodes;
  /// Operations that depend on the ff.online and go into the finalizer.
  llvm::SetVector<Operation *> absorbed;
  /// Results of the ff.online that are read.
  llvm::SetVector<Value> results;
  /// Of these, the ones that others read too.
  llvm::DenseSet<Value> kept;
};

/// True if every element of the one result of `op` is a function of elements of its inputs.
bool isElementwise(Operation *op);

/// tensor.expand_shape, collapse_shape or cast: the same elements in the same order.
bool isReshape(Operation *op);

/// The space of every input of an elementwise `op` whose result lies in `space`; failure if an
/// input is read at other positions. `isDependent` tells whether an input depends on the ff.online.
FailureOr<SmallVector<Space>> inputSpaces(linalg::LinalgOp op, Space space, int64_t n,
                                          function_ref<bool(Value)> isDependent);

/// Reads the cone of `sink`; `dependent` are the tensors that depend on `online` by elementwise
/// operations and reshapes. On failure `reason` says why there is none: an id and a sentence.
FailureOr<Cone> readCone(OnlineOp online, linalg::LinalgOp sink, int64_t n,
                         const llvm::DenseSet<Value> &dependent,
                         std::pair<StringRef, std::string> &reason);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_LIB_DECOMPOSE_EPILOGUECONE_H
