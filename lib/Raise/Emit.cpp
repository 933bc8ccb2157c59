//===- Emit.cpp - Expressions and views as operations ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::flashfusion;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Reassociation of all dimensions into the two groups before and after `split`.
static SmallVector<ReassociationIndices> groupsOf(int64_t rank, int64_t split) {
  SmallVector<ReassociationIndices> groups;
  for (auto [from, to] : {std::pair(int64_t(0), split), std::pair(split, rank)}) {
    if (from == to)
      continue;
    groups.emplace_back();
    for (int64_t d = from; d < to; ++d)
      groups.back().push_back(d);
  }
  return groups;
}

Value flashfusion::emitMatrix(OpBuilder &b, Location loc, const View &view, const Index &first,
                              const Index &second) {
  Value value = view.value;
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rank = type.getRank();
  // Dimensions of `first`, with unit dimensions at the border left to `second`
  // unless `first` would have none.
  int64_t split = 0;
  for (size_t count = 0; split < rank && count < first.size(); ++split)
    count += view.access[split].size();
  if (first.empty() && rank >= 2)
    split = type.getDimSize(0) == 1 ? 1 : 0;
  if (second.empty())
    split = rank >= 2 && type.getDimSize(rank - 1) == 1 ? rank - 1 : rank;
  if (rank == 2 && split == 1)
    return value;
  if (rank > 2 || (rank == 2 && (split == 0 || split == 2)))
    value = tensor::CollapseShapeOp::create(b, loc, value, groupsOf(rank, split));
  type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 2)
    return value;
  // One vector: a row or a column.
  OpFoldResult size = tensor::getMixedSize(b, loc, value, 0), one = b.getIndexAttr(1);
  int64_t n = type.getDimSize(0);
  SmallVector<int64_t> shape = split == 0 ? SmallVector<int64_t>{1, n} : SmallVector<int64_t>{n, 1};
  SmallVector<OpFoldResult> sizes =
      split == 0 ? SmallVector<OpFoldResult>{one, size} : SmallVector<OpFoldResult>{size, one};
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), value,
                                       SmallVector<ReassociationIndices>{{0, 1}}, sizes);
}

Value flashfusion::emitVector(OpBuilder &b, Location loc, const View &view) {
  int64_t rank = cast<RankedTensorType>(view.value.getType()).getRank();
  if (rank == 1)
    return view.value;
  if (rank == 0)
    return tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get({1}, cast<ShapedType>(view.value.getType()).getElementType()),
        view.value, SmallVector<ReassociationIndices>{},
        SmallVector<OpFoldResult>{b.getIndexAttr(1)});
  return tensor::CollapseShapeOp::create(b, loc, view.value, groupsOf(rank, rank));
}

Value flashfusion::emitRounded(OpBuilder &b, Location loc, Value tensor) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, tensor);
  Value init = tensor::EmptyOp::create(b, loc, sizes, b.getF32Type());
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> kinds(sizes.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, loc, init.getType(), tensor, init, maps, kinds,
                                   [](OpBuilder &nested, Location loc, ValueRange args) {
                                     Value value = arith::TruncFOp::create(
                                         nested, loc, nested.getF32Type(), args[0]);
                                     linalg::YieldOp::create(nested, loc, value);
                                   })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static bool canEmitFactor(const Algebra &algebra, FactorId id, Exponent e, const Index &ks) {
  if (std::abs(e.num) > 4 || e.den > 2 || (e.den == 2 && std::abs(e.num) != 1))
    return false;
  const Factor &factor = algebra.get(id);
  switch (factor.kind) {
  case Factor::Sum:
    return false;
  case Factor::Leaf:
    if (!isa<FloatType>(getElementTypeOrSelf(factor.value.getType())) || factor.activation ||
        hasEncoding(factor.value))
      return false;
    return factor.atoms.empty() || flatten(factor.access) == ks;
  case Factor::Func:
    // A cast is written again as one to nearest even.
    if (auto attributes = dyn_cast_or_null<DictionaryAttr>(factor.attributes))
      if (attributes.contains("roundingmode"))
        return false;
    if (factor.name != "arith.truncf" && factor.name != "max" && factor.name != "min" &&
        !(StringRef(factor.name).starts_with("math.") && factor.args.size() == 1 &&
          isa_and_present<FloatType>(factor.type)))
      return false;
    break;
  case Factor::Base:
    break;
  }
  return llvm::all_of(factor.args, [&](const Poly &arg) { return canEmit(algebra, arg, ks); });
}

bool flashfusion::canEmit(const Algebra &algebra, const Poly &poly, const Index &ks) {
  return llvm::all_of(poly.terms, [&](const auto &term) {
    return llvm::all_of(term.first, [&](const auto &power) {
      return canEmitFactor(algebra, power.first, power.second, ks);
    });
  });
}

static void collectLeaves(const Algebra &algebra, const Poly &poly,
                          SmallVectorImpl<FactorId> &leaves) {
  for (const auto &[m, c] : poly.terms)
    for (const auto &[f, e] : m) {
      if (algebra.get(f).kind == Factor::Leaf && !llvm::is_contained(leaves, f))
        leaves.push_back(f);
      for (const Poly &arg : algebra.get(f).args)
        collectLeaves(algebra, arg, leaves);
    }
}

SmallVector<Value> flashfusion::leavesOf(const Algebra &algebra, const Poly &poly) {
  SmallVector<FactorId> leaves;
  collectLeaves(algebra, poly, leaves);
  SmallVector<Value> values;
  for (FactorId f : leaves)
    values.push_back(algebra.get(f).value);
  return values;
}

namespace {
/// Writes an expression in f32.
struct Emitter {
  Emitter(OpBuilder &b, Location loc, const Algebra &algebra) : b(b), loc(loc), algebra(algebra) {}

  OpBuilder &b;
  Location loc;
  const Algebra &algebra;
  llvm::DenseMap<FactorId, Value> leaves;

  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(static_cast<float>(value)));
  }
  Value cast(Value value, Type type) { return convertScalarToDtype(b, loc, value, type, false); }

  Value emit(const Poly &poly) {
    Value sum;
    for (const auto &[m, c] : poly.terms) {
      Value product;
      for (const auto &[f, e] : m) {
        Value factor = emit(f, e);
        product = product ? arith::MulFOp::create(b, loc, product, factor) : factor;
      }
      if (!product)
        product = constant(toDouble(c));
      else if (c != Rational(1))
        product = arith::MulFOp::create(b, loc, product, constant(toDouble(c)));
      sum = sum ? arith::AddFOp::create(b, loc, sum, product) : product;
    }
    return sum ? sum : constant(0.0);
  }

  Value emit(FactorId f, Exponent e) {
    const Factor &factor = algebra.get(f);
    Value value;
    if (factor.kind == Factor::Leaf) {
      value = cast(leaves.lookup(f), b.getF32Type());
    } else if (factor.kind == Factor::Base) {
      value = emit(factor.args[0]);
    } else if (factor.name == "arith.truncf") {
      value = cast(cast(emit(factor.args[0]), factor.type), b.getF32Type());
    } else if (factor.name == "max") {
      value = arith::MaximumFOp::create(b, loc, emit(factor.args[0]), emit(factor.args[1]));
    } else if (factor.name == "min") {
      value = arith::MinimumFOp::create(b, loc, emit(factor.args[0]), emit(factor.args[1]));
    } else {
      OperationState state(loc, factor.name, ValueRange{emit(factor.args[0])},
                           TypeRange{b.getF32Type()});
      value = b.create(state)->getResult(0);
    }
    if (e.den == 2)
      return e.num > 0 ? math::SqrtOp::create(b, loc, value).getResult()
                       : math::RsqrtOp::create(b, loc, value).getResult();
    Value power = value;
    for (int64_t i = 1; i < std::abs(e.num); ++i)
      power = arith::MulFOp::create(b, loc, power, value);
    if (e.num < 0)
      power = arith::DivFOp::create(b, loc, constant(1.0), power);
    return power;
  }

  /// A scalar leaf: the value, or the one element of a tensor.
  Value emitScalarLeaf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return value;
    SmallVector<Value> zeros;
    for (int64_t d = 0; d < type.getRank(); ++d)
      zeros.push_back(arith::ConstantIndexOp::create(b, loc, 0));
    return tensor::ExtractOp::create(b, loc, value, zeros);
  }
};
} // namespace

Value flashfusion::emitScalar(OpBuilder &b, Location loc, const Algebra &algebra, const Poly &poly,
                              function_ref<Value(Value)> map) {
  Emitter emitter(b, loc, algebra);
  if (std::optional<FactorId> f = poly.getFactor(); f && algebra.get(*f).kind == Factor::Leaf)
    return emitter.emitScalarLeaf(map(algebra.get(*f).value));
  SmallVector<FactorId> leaves;
  collectLeaves(algebra, poly, leaves);
  for (FactorId f : leaves)
    emitter.leaves[f] = emitter.emitScalarLeaf(map(algebra.get(f).value));
  return emitter.emit(poly);
}

Value flashfusion::emitVector(OpBuilder &b, Location loc, const Algebra &algebra, const Poly &poly,
                              const Index &ks, function_ref<Value(Value)> map) {
  SmallVector<FactorId> leaves;
  collectLeaves(algebra, poly, leaves);
  auto isStored = [](Type type) { return type.isF16() || type.isBF16() || type.isF32(); };
  if (std::optional<FactorId> f = poly.getFactor(); f && algebra.get(*f).kind == Factor::Leaf) {
    const Factor &leaf = algebra.get(*f);
    if (!leaf.atoms.empty() && isStored(getElementTypeOrSelf(leaf.value.getType())))
      return emitVector(b, loc, {map(leaf.value), leaf.access});
  }
  int64_t k = 1;
  for (Atom atom : ks)
    k *= algebra.extent(atom);
  Emitter emitter(b, loc, algebra);
  SmallVector<Value> inputs;
  SmallVector<FactorId> vectors;
  for (FactorId f : leaves) {
    const Factor &leaf = algebra.get(f);
    if (leaf.atoms.empty()) {
      emitter.leaves[f] = emitter.emitScalarLeaf(map(leaf.value));
      continue;
    }
    inputs.push_back(emitVector(b, loc, {map(leaf.value), leaf.access}));
    vectors.push_back(f);
  }
  Value init = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{k}, b.getF32Type());
  SmallVector<AffineMap> maps(inputs.size() + 1, b.getMultiDimIdentityMap(1));
  return linalg::GenericOp::create(b, loc, init.getType(), inputs, init, maps,
                                   SmallVector<utils::IteratorType>{utils::IteratorType::parallel},
                                   [&](OpBuilder &nested, Location loc, ValueRange args) {
                                     Emitter inner(nested, loc, algebra);
                                     inner.leaves = emitter.leaves;
                                     for (auto [f, arg] : llvm::zip(vectors, args))
                                       inner.leaves[f] = arg;
                                     linalg::YieldOp::create(nested, loc, inner.emit(poly));
                                   })
      .getResult(0);
}
