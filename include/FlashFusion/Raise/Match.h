//===- Match.h - A norm and one Linear that reads it ------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RAISE_MATCH_H
#define FLASHFUSION_RAISE_MATCH_H

#include "FlashFusion/Dialect/IR/OnlineBuilder.h"
#include "FlashFusion/Raise/Norm.h"

namespace mlir::flashfusion {

/// A tensor and the coordinates at which it is read.
struct View {
  Value value;
  Access access;
  explicit operator bool() const { return value != nullptr; }
};

/// The deepest tensor behind `view` whose dimensions are, in order, those of
/// `first` and those of `second`, and that holds f16, bf16 or f32 (or f64).
View findStored(Algebra &algebra, View view, const Index &first, const Index &second,
                bool allowF64 = false);

/// An encoding says how a tensor is stored: none of ours is stored in another way.
inline bool hasEncoding(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getEncoding();
}

/// What the elements of a quantised weight (or x) are multiplied by: a vector over n (the rows), or
/// of one element; a number that is given; a constant. Or nothing.
struct Scale {
  View view;
  Value scalar;
  FloatAttr constant;
  explicit operator bool() const { return view || scalar || constant; }
};

/// A contraction as a Linear, and what follows it: y = s (h W) + c.
struct Linear {
  linalg::LinalgOp op;
  ContractionFactor h, w;
  Index rows, ns, ks;
  /// The result is outputs x rows.
  bool transposed = false;
  const Index &outer() const { return transposed ? ns : rows; }
  const Index &inner() const { return transposed ? rows : ns; }
  View weight, bias;
  Scale scale;
  WeightLayout layout = WeightLayout::NK;
  /// The last value of the epilogue, and its coordinates.
  View result;
};

/// Every loop of `op` as an iteration variable.
SmallVector<std::optional<Index>> loopDigits(Algebra &algebra, linalg::LinalgOp op);

/// Classifies the loops of `op`; fails with a reason where `h` times `w` is no
/// Linear.
LogicalResult readLoops(Algebra &algebra, Linear &linear, Reason &reason);

/// Fills weight, scale, bias and result; `ks` in the order of x. `strict`: no cast
/// may be passed over.
LogicalResult readOperands(Algebra &algebra, Evaluator &evaluator, Linear &linear, bool strict,
                           Reason &reason);

/// Fills weight, layout and scale where the weight is computed from floats of 8 bits. `roundings`,
/// if given, become the casts of its product that are passed over.
bool readQuantised(Algebra &algebra, Linear &linear, bool strict,
                   SmallVectorImpl<Operation *> *roundings = nullptr);

/// An x of 8-bit floats, and what its rows are multiplied by.
struct QuantisedRows {
  View x;
  Scale scale;
};

/// What `x`, whose dimensions are those of the row and then of k, is dequantised from, if the
/// weight of `linear` has 8 bits, too. Without `x`: the left operand of the contraction.
std::optional<QuantisedRows> readQuantisedRows(Algebra &algebra, const Linear &linear, View x,
                                               bool strict);
std::optional<QuantisedRows> readQuantisedRows(Algebra &algebra, const Linear &linear, bool strict);

struct Match {
  std::unique_ptr<Algebra> algebra;
  Linear linear;
  Norm norm;
  View x;
  /// What the rows of x are multiplied by, where x has 8 bits.
  Scale xScale;
  /// Tensors of the old chain that hold the normalised row.
  SmallVector<Value> normalized;
  /// Equal for Linears of one norm.
  std::string key;
};

struct Outcome {
  /// At most one of the two; neither where no row statistics are in sight.
  std::unique_ptr<Match> match;
  std::optional<Reason> declined;
};

/// `others`: where no norm with a name is found, one without is accepted.
Outcome matchContraction(linalg::LinalgOp op, bool strict, bool others = false);

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Whether `poly`, a function of the digits `ks` alone (or of none), can be
/// written as operations.
bool canEmit(const Algebra &algebra, const Poly &poly, const Index &ks);

/// What `poly` reads.
SmallVector<Value> leavesOf(const Algebra &algebra, const Poly &poly);

/// `view`, whose dimensions are those of `first` then of `second`, as a tensor
/// of rank 2.
Value emitMatrix(OpBuilder &b, Location loc, const View &view, const Index &first,
                 const Index &second);

/// A tensor of f64 as one of f32.
Value emitRounded(OpBuilder &b, Location loc, Value tensor);

/// A function of `ks` as a vector; `map` renames replaced values.
Value emitVector(OpBuilder &b, Location loc, const Algebra &algebra, const Poly &poly,
                 const Index &ks, function_ref<Value(Value)> map);
Value emitVector(OpBuilder &b, Location loc, const View &view);

/// A scale as a vector; `map` renames replaced values.
Value emitScale(OpBuilder &b, Location loc, const Scale &scale, function_ref<Value(Value)> map);

/// `value`, M x N, in the shape of the result of `linear`; extents are read where `b` stands.
Value shapeResult(OpBuilder &b, Location loc, Value value, const Linear &linear);

/// Erases those of `roots` that are dead, and what is dead then; returns the values that went.
llvm::DenseSet<Value> eraseDead(ArrayRef<Operation *> roots);

/// The Linears of a norm without a name as an ff.online: row factors, biases and casts of results
/// as regions. `eps` is a scalar, or null where norm.eps is a constant.
OnlineOp emitOther(OpBuilder &b, Location loc, const Norm &norm, const OnlineInputs &inputs);

/// Replaces contractions of an activation with a weight by ff.online without a norm.
void raisePlainLinears(Operation *root, bool strict);

/// A function of nothing as a scalar.
Value emitScalar(OpBuilder &b, Location loc, const Algebra &algebra, const Poly &poly,
                 function_ref<Value(Value)> map);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_RAISE_MATCH_H
