//===- EpilogueCone.cpp - Elementwise operations behind ff.online ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes may change between an ff.online and what follows: [M, N] becomes
// [batch, sequence, N], or [M, heads, N / heads], and back. Reshapes keep the
// row-major order, so an element of such a tensor is the element (m, n) of the
// matrix as long as operations read it at the position that they write. Extents
// of 1 say nothing and are passed over; of the others, those at the end whose
// product is N are n, the ones before are m.
//
//===----------------------------------------------------------------------===//
#include "EpilogueCone.h"
#include "FinalizerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::flashfusion;

bool flashfusion::isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op);
}

bool flashfusion::isElementwise(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() && linalgOp->getNumResults() == 1 &&
         linalgOp.getNumParallelLoops() == linalgOp.getNumLoops() &&
         !linalgOp.hasIndexSemantics() &&
         !linalgOp.payloadUsesValueFromOperand(linalgOp.getDpsInitOperand(0));
}

/// The loops that index the extents of `type` other than 1, in order.
static FailureOr<SmallVector<unsigned>> loopsOf(AffineMap map, Type type) {
  SmallVector<unsigned> loops;
  auto shaped = dyn_cast<RankedTensorType>(type);
  for (auto [d, expr] : llvm::enumerate(map.getResults())) {
    if (shaped && shaped.getDimSize(d) == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(loops, dim.getPosition()))
      return failure();
    loops.push_back(dim.getPosition());
  }
  return loops;
}

/// The number of extents other than 1.
static size_t countExtents(RankedTensorType type) {
  return llvm::count_if(type.getShape(), [](int64_t extent) { return extent != 1; });
}

/// Of the loops over the extents of a matrix, those of n; failure if the last extents are not N.
static FailureOr<SmallVector<unsigned>> columnLoops(ArrayRef<unsigned> loops, Type type,
                                                    int64_t n) {
  SmallVector<int64_t> extents;
  for (int64_t extent : cast<RankedTensorType>(type).getShape())
    if (extent != 1)
      extents.push_back(extent);
  size_t first = loops.size();
  for (int64_t product = 1; product != n; product *= extents[--first])
    if (first == 0 || ShapedType::isDynamic(extents[first - 1]) || product > n)
      return failure();
  return SmallVector<unsigned>(loops.drop_front(first));
}

FailureOr<SmallVector<Space>> flashfusion::inputSpaces(linalg::LinalgOp op, Space space, int64_t n,
                                                       function_ref<bool(Value)> isDependent) {
  Type type = op->getResult(0).getType();
  FailureOr<SmallVector<unsigned>> out =
      loopsOf(op.getMatchingIndexingMap(op.getDpsInitOperand(0)), type);
  if (failed(out))
    return failure();
  SmallVector<unsigned> columns = *out;
  if (space == Space::Matrix) {
    FailureOr<SmallVector<unsigned>> last = columnLoops(*out, type, n);
    if (failed(last))
      return failure();
    columns = *last;
  }
  SmallVector<Space> spaces;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Type inputType = input->get().getType();
    FailureOr<SmallVector<unsigned>> loops = loopsOf(op.getMatchingIndexingMap(input), inputType);
    if (failed(loops))
      return failure();
    bool isTensor = isa<RankedTensorType>(inputType);
    // With one row a vector of length N is a matrix as well; as a column it costs less.
    bool isMatrix = space == Space::Matrix && isTensor && *loops == *out &&
                    (columns != *out || isDependent(input->get()));
    if (isMatrix)
      spaces.push_back(Space::Matrix);
    else if (space != Space::Number && isTensor && *loops == columns)
      spaces.push_back(Space::Column);
    else if (loops->empty())
      spaces.push_back(Space::Number);
    else
      return failure();
  }
  return spaces;
}

namespace {

class ConeReader {
public:
  ConeReader(Cone &cone, const llvm::DenseSet<Value> &dependent,
             std::pair<StringRef, std::string> &reason)
      : cone(cone), dependent(dependent), reason(reason) {}

  LogicalResult read(Value value, Space space);

private:
  LogicalResult fail(StringRef id, const Twine &text) {
    reason = {id, text.str()};
    return failure();
  }
  void note(Value value, Space space, ConeNode::Kind kind, TypedAttr constant = {}) {
    cone.nodes[{value, space}] = {kind, constant};
  }
  LogicalResult inlineBody(linalg::LinalgOp op, Space space);
  LogicalResult takeOperand(Value value, Space space);
  bool isWorthInlining(linalg::LinalgOp op, Space space);

  Cone &cone;
  const llvm::DenseSet<Value> &dependent;
  std::pair<StringRef, std::string> &reason;
};

} // namespace

/// The number that `value`, a tensor or a scalar, holds everywhere.
static TypedAttr constantOf(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return {};
  if (auto elements = dyn_cast<DenseElementsAttr>(attr))
    return elements.isSplat() ? dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>())
                              : TypedAttr();
  return isa<FloatAttr, IntegerAttr>(attr) ? cast<TypedAttr>(attr) : TypedAttr();
}

static bool isStored(Type type) { return type.isF16() || type.isBF16() || type.isF32(); }

static bool hasOnly(linalg::LinalgOp op, function_ref<bool(Operation &)> predicate) {
  return llvm::all_of(op.getBlock()->without_terminator(), predicate);
}

/// Whether an operation that does not depend on the ff.online is done again for every element,
/// rather than read from memory: casts and broadcasts, and cheap arithmetic that nobody else needs.
bool ConeReader::isWorthInlining(linalg::LinalgOp op, Space space) {
  if (space == Space::Number)
    return true;
  bool narrows = !hasOnly(op, [](Operation &o) { return !isa<arith::TruncFOp>(o); });
  bool casts = hasOnly(op, [](Operation &o) { return isa<arith::ExtFOp>(o); });
  int64_t count = llvm::range_size(op.getBlock()->without_terminator());
  bool cheap = count <= 4 && hasOnly(op, [](Operation &o) {
                 return isa<arith::ArithDialect>(o.getDialect()) && !isa<arith::DivFOp>(o);
               });
  FailureOr<SmallVector<Space>> spaces =
      inputSpaces(op, space, cone.n, [](Value) { return false; });
  if (failed(spaces))
    return false;
  int64_t same = llvm::count(*spaces, space);
  if (same > 1)
    return false;
  // Rounding is shared with whoever else reads the rounded tensor.
  return casts || (cheap && (op->hasOneUse() || (same == 0 && !narrows)));
}

LogicalResult ConeReader::inlineBody(linalg::LinalgOp op, Space space) {
  FailureOr<SmallVector<Space>> spaces =
      inputSpaces(op, space, cone.n, [&](Value v) { return dependent.contains(v); });
  if (failed(spaces))
    return fail("other-positions", "an operand is read at other positions than the result's, or "
                                   "varies with the row alone");
  std::string unsupported = FinalizerBuilder::unsupported(op);
  if (!unsupported.empty())
    return fail("unsupported-operation", unsupported);
  for (auto [input, inputSpace] : llvm::zip_equal(op.getDpsInputOperands(), *spaces))
    if (op.payloadUsesValueFromOperand(input) && failed(read(input->get(), inputSpace)))
      return failure();
  note(op->getResult(0), space, ConeNode::Inlined);
  return success();
}

LogicalResult ConeReader::read(Value value, Space space) {
  if (cone.nodes.contains({value, space}))
    return success();
  if (TypedAttr constant = constantOf(value)) {
    note(value, space, ConeNode::Constant, constant);
    return success();
  }
  if (!isa<RankedTensorType>(value.getType()))
    return fail("scalar-operand", "an operand is a number that is not known at compile time");
  Operation *op = value.getDefiningOp();
  bool depends = dependent.contains(value);
  if (depends && space != Space::Matrix)
    return fail("other-positions", "the result is read at other positions than it is written");
  if (depends && op == cone.online) {
    cone.results.insert(value);
    note(value, space, ConeNode::Result);
    return success();
  }
  if (isReshape(op) &&
      (depends || space != Space::Matrix || isElementwise(op->getOperand(0).getDefiningOp()))) {
    if (failed(read(op->getOperand(0), space)))
      return failure();
    note(value, space, ConeNode::Reshaped);
    if (depends)
      cone.absorbed.insert(op);
    return success();
  }
  if (isElementwise(op) && (depends || isWorthInlining(cast<linalg::LinalgOp>(op), space))) {
    size_t count = cone.nodes.size();
    if (succeeded(inlineBody(cast<linalg::LinalgOp>(op), space))) {
      if (depends)
        cone.absorbed.insert(op);
      return success();
    }
    // A number in every element is not worth memory.
    if (depends || isa<linalg::FillOp>(op))
      return failure();
    while (cone.nodes.size() > count)
      cone.nodes.pop_back();
  }
  return takeOperand(value, space);
}

LogicalResult ConeReader::takeOperand(Value value, Space space) {
  auto type = cast<RankedTensorType>(value.getType());
  if (space == Space::Number)
    return fail("scalar-operand", "an operand is a number that is not known at compile time");
  if (!isStored(type.getElementType()) || type.getEncoding())
    return fail("unsupported-type", "an operand is neither f16, bf16 nor f32");
  bool isKnown =
      space == Space::Matrix
          ? succeeded(columnLoops(SmallVector<unsigned>(countExtents(type)), type, cone.n))
          : type.hasStaticShape() && type.getNumElements() == cone.n;
  if (!isKnown)
    return fail("unsupported-type", "the columns of an operand are not known at compile time");
  note(value, space, space == Space::Matrix ? ConeNode::Tile : ConeNode::Column);
  return success();
}

FailureOr<Cone> flashfusion::readCone(OnlineOp online, linalg::LinalgOp sink, int64_t n,
                                      const llvm::DenseSet<Value> &dependent,
                                      std::pair<StringRef, std::string> &reason) {
  Cone cone;
  cone.online = online;
  cone.sink = sink;
  cone.n = n;
  auto fail = [&](StringRef id, StringRef text) {
    reason = {id, text.str()};
    return failure();
  };
  auto type = cast<RankedTensorType>(sink->getResult(0).getType());
  if (!isStored(type.getElementType()) || type.getEncoding())
    return fail("unsupported-type", "the result is neither f16, bf16 nor f32");
  if (failed(ConeReader(cone, dependent, reason).read(sink->getResult(0), Space::Matrix)))
    return failure();
  if (cone.results.empty())
    return fail("unsupported-operation", "it does not use what it reads");
  for (Value result : cone.results)
    if (cast<RankedTensorType>(result.getType()).getDimSize(1) != n)
      return fail("other-positions", "results of different widths meet");
  // Extents of a result stay known when it is gone: they are those of its init.
  auto staysInside = [&](Operation *user) {
    return cone.absorbed.contains(user) || isa<tensor::DimOp>(user);
  };
  for (Operation *op : cone.absorbed) {
    if (op == sink)
      continue;
    bool closed =
        isElementwise(op)
            ? llvm::all_of(op->getUsers(), staysInside)
            : llvm::all_of(op->getUsers(), [&](Operation *u) { return cone.absorbed.contains(u); });
    if (!closed)
      return fail("used-elsewhere", "a value between the Linear and this operation is needed "
                                    "elsewhere");
  }
  for (Value result : cone.results)
    if (!llvm::all_of(result.getUsers(), staysInside))
      cone.kept.insert(result);
  return cone;
}
