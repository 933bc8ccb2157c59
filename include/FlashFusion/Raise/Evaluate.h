//===- Evaluate.h - From linalg to expressions ------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_RAISE_EVALUATE_H
#define FLASHFUSION_RAISE_EVALUATE_H

#include "FlashFusion/Raise/Algebra.h"
#include "FlashFusion/Raise/Casts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::flashfusion {

/// Why something was not recognised: an identifier of docs/detection.md and a
/// sentence for the user of the compiler.
struct Reason {
  StringRef id;
  std::string text;
};

/// One factor of the product that a contraction sums.
struct ContractionFactor {
  /// In the body, casts stripped.
  Value value;
  Casts casts;
  /// The inputs that it is computed from.
  SmallVector<OpOperand *> inputs;
  bool dependsOn(linalg::LinalgOp op, unsigned loop) const;
};

/// Sums of products.
struct Contraction {
  std::array<ContractionFactor, 2> factors;
  /// Of the product and of the sum.
  Casts casts;
};

/// The two factors if `op` sums a product over a loop of both factors, and one
/// factor has a loop of the result that the other has not: a matrix product
/// (elementwise operations may be fused into it), not a row statistic.
std::optional<Contraction> readContraction(linalg::LinalgOp op);
inline bool isContraction(linalg::LinalgOp op) { return readContraction(op).has_value(); }

/// Whether `op` has a reduction loop and is not a contraction.
bool isStatistic(Operation *op);

/// Coordinates of every loop of `op`, given those of operand `map`'s element;
/// loops that do not occur in `map` stay unset unless their extent is 1.
std::optional<SmallVector<std::optional<Index>>> loopsOf(linalg::LinalgOp op, AffineMap map,
                                                         ArrayRef<Index> access);

/// Coordinates that `map` assigns to an operand of type `type`.
std::optional<Access> accessOf(AffineMap map, ArrayRef<std::optional<Index>> loops,
                               ShapedType type);

/// One step back through an operation that neither computes nor reorders
/// anything but coordinates: reshapes, casts of shape, transposes, broadcasts,
/// copies. With `throughExt`, also through casts that keep every value; with
/// `maySplit`, iteration variables are cut where a reshape needs that.
/// Updates `value` and `access`.
bool stepThroughView(Algebra &algebra, Value &value, Access &access, bool throughExt,
                     bool maySplit);

/// Evaluates elements of tensors; one evaluator serves one choice of x.
class Evaluator {
public:
  /// `x` becomes a leaf; `ks` are the extents of the digits of k, whose rounded
  /// reciprocal product counts as 1/K; `block` bounds the search.
  Evaluator(Algebra &algebra, Value x, ArrayRef<int64_t> ks, Block *block)
      : algebra(algebra), x(x), block(block) {
    // A dynamic extent has no reciprocal that a constant could be, nor has one without end.
    if (llvm::any_of(ks, ShapedType::isDynamic))
      return;
    for (int64_t extent : ks)
      if (llvm::MulOverflow(k, extent, k)) {
        k = 1;
        return;
      }
    this->ks.assign(ks.begin(), ks.end());
  }

  /// The element of `tensor` at `access`.
  FailureOr<Poly> read(Value tensor, Access access);
  /// A scalar outside of linalg regions.
  FailureOr<Poly> scalar(Value value);
  /// `value` in the body of `op` at the iteration `loops`.
  FailureOr<Poly> element(linalg::LinalgOp op, ArrayRef<std::optional<Index>> loops, Value value);

  /// Extent `dim` of `tensor`: a number, or what the program says it is, in extents of tensors that
  /// it does not compute here.
  Poly extent(Value tensor, int64_t dim);

  /// Loop variables that run over rows: what mentions one is an activation.
  SmallVector<Atom> rows;
  bool isActivation(const Poly &poly) const;

  const Reason &getReason() const { return reason; }
  /// Whether an activation other than x was held in less than 32 bits.
  bool sawNarrow() const { return narrow; }
  /// Tensors that mix x and its statistics: normalised ones.
  ArrayRef<Value> getNormalized() const { return normalized; }

private:
  struct Frame {
    linalg::LinalgOp op;
    SmallVector<std::optional<Index>> loops;
    /// Stands for the accumulator in a reduction; nothing outside of one.
    std::optional<Poly> accumulator;
    llvm::DenseMap<Value, Poly> values;
  };

  FailureOr<Poly> evaluate(Value tensor, const Access &access);
  FailureOr<Poly> evaluateLinalg(linalg::LinalgOp op, OpResult result, const Access &access);
  FailureOr<Poly> scalar(Value value, Frame *frame);
  FailureOr<Poly> blockArgument(BlockArgument arg, Frame &frame);
  FailureOr<Poly> operation(Operation *op, Value value, Frame *frame);
  std::optional<Poly> integer(Operation *op, ArrayRef<Poly> args);
  /// The extent of loop `loop` of `op`, from its operands.
  std::optional<Poly> loopCount(linalg::LinalgOp op, unsigned loop);
  /// `poly`, or 1/k and its like where it is a constant that `type` rounds so.
  Poly snap(const Poly &poly, Type type);
  Poly commutative(StringRef name, Type type, Poly a, Poly b);
  LogicalResult fail(StringRef id, const Twine &text);

  Algebra &algebra;
  Value x;
  SmallVector<int64_t> ks;
  int64_t k = 1;
  Block *block;
  std::map<std::pair<void *, std::vector<Atom>>, Poly> memo;
  llvm::DenseMap<Attribute, Value> constants;
  SmallVector<Value> normalized;
  Reason reason;
  bool narrow = false;
  unsigned steps = 0;
};

} // namespace mlir::flashfusion

#endif // FLASHFUSION_RAISE_EVALUATE_H
