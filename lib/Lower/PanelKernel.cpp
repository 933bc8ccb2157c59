//===- PanelKernel.cpp - Vector loops over one panel of a contraction ------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream vectorizes a contraction tile to a vector.contract whose lowering
// reads the left operand as vectors and shuffles every element out of them;
// scalar loads that broadcast are what a CPU wants there:
//
//   for m0 step 4                      sums = 4 rows of c
//     for k0 step 16                   part = 0
//       for k: part[r] = fma(broadcast a[m0 + r, k], panel[k, :], part[r])
//       sums += part
//
//===----------------------------------------------------------------------===//
#include "PanelKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// Rows that are summed at a time, and products that are summed before they are added to a sum.
static constexpr int64_t rowBlock = 4;
static constexpr int64_t sumBlock = 16;

namespace {

class PanelKernel {
public:
  PanelKernel(RewriterBase &b, linalg::GenericOp op, const ContractionRoles &roles)
      : b(b), op(op), roles(roles), loc(op.getLoc()) {
    maps = op.getIndexingMapsArray();
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    n = ranges[roles.n.back()];
    k = ranges[roles.k.back()];
    element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
    vector = VectorType::get({n}, element);
    b.setInsertionPoint(op);
    zero = index(0);
  }

  void emit() {
    Value out = op.getDpsInits()[0];
    if (roles.m.empty()) {
      out = rows(out, zero, 1);
    } else {
      Value m = tensor::DimOp::create(b, loc, op.getDpsInputs()[0],
                                      roles.batch.size() + roles.m.size() - 1);
      Value whole = arith::MulIOp::create(
          b, loc, arith::DivUIOp::create(b, loc, m, index(rowBlock)), index(rowBlock));
      out = loop(zero, whole, rowBlock, out, [&](Value m0, ValueRange out) {
        return SmallVector<Value>{rows(out[0], m0, rowBlock)};
      })[0];
      out = loop(whole, m, 1, out, [&](Value m0, ValueRange out) {
        return SmallVector<Value>{rows(out[0], m0, 1)};
      })[0];
    }
    b.replaceOp(op, out);
  }

private:
  Value index(int64_t i) { return arith::ConstantIndexOp::create(b, loc, i); }
  Value offset(Value i, int64_t by) {
    return by == 0 ? i : Value(arith::AddIOp::create(b, loc, i, index(by)));
  }

  SmallVector<Value> loop(Value from, Value to, int64_t step, ValueRange init,
                          function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    auto loop = scf::ForOp::create(b, loc, from, to, index(step), init);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(b, loc, body(loop.getInductionVar(), loop.getRegionIterArgs()));
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// Indices into an operand with indexing map `map` at (mi, ki) and the panel's first column.
  SmallVector<Value> indices(AffineMap map, Value mi, Value ki) {
    SmallVector<Value> at;
    for (AffineExpr expr : map.getResults()) {
      unsigned d = cast<AffineDimExpr>(expr).getPosition();
      bool isM = !roles.m.empty() && d == roles.m.back();
      at.push_back(isM ? mi : d == roles.k.back() ? ki : zero);
    }
    return at;
  }

  /// Adds the products of `from` .. `to`, summed from 0, to `sums`.
  SmallVector<Value> addBlock(ValueRange sums, Value m0, Value from, Value to) {
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    SmallVector<Value> start(sums.size(), none);
    SmallVector<Value> block = loop(from, to, 1, start, [&](Value ki, ValueRange block) {
      SmallVector<Value> next;
      Value right = vector::TransferReadOp::create(
          b, loc, vector, op.getDpsInputs()[1], indices(maps[1], m0, ki), std::nullopt, inBounds);
      for (auto [r, sum] : llvm::enumerate(block)) {
        Value left = tensor::ExtractOp::create(b, loc, op.getDpsInputs()[0],
                                               indices(maps[0], offset(m0, r), ki));
        Value splat = vector::BroadcastOp::create(b, loc, vector, left);
        next.push_back(vector::FMAOp::create(b, loc, splat, right, sum));
      }
      return next;
    });
    SmallVector<Value> next;
    for (auto [sum, part] : llvm::zip_equal(sums, block))
      next.push_back(arith::AddFOp::create(b, loc, sum, part));
    return next;
  }

  /// Computes `count` rows from m0 on; returns the updated output.
  Value rows(Value out, Value m0, int64_t count) {
    SmallVector<Value> sums;
    for (int64_t r = 0; r < count; ++r)
      sums.push_back(vector::TransferReadOp::create(
          b, loc, vector, out, indices(maps[2], offset(m0, r), zero), std::nullopt, inBounds));
    int64_t whole = k / sumBlock * sumBlock;
    if (whole > 0)
      sums = loop(zero, index(whole), sumBlock, sums, [&](Value k0, ValueRange sums) {
        return addBlock(sums, m0, k0, offset(k0, sumBlock));
      });
    if (whole < k)
      sums = addBlock(sums, m0, index(whole), index(k));
    for (int64_t r = 0; r < count; ++r)
      out = write(sums[r], out, indices(maps[2], offset(m0, r), zero));
    return out;
  }

  /// Writes `row` at `at`, through a slice: bufferization takes a write of one row at 0 for one of
  /// all rows where these are no more than the row has elements, and drops the others.
  Value write(Value row, Value out, ValueRange at) {
    SmallVector<OpFoldResult> offsets(at.begin(), at.end());
    SmallVector<OpFoldResult> sizes(at.size(), b.getIndexAttr(1)), strides = sizes;
    sizes.back() = b.getIndexAttr(vector.getNumElements());
    auto type = RankedTensorType::get(vector.getShape(), vector.getElementType());
    Value slice = tensor::ExtractSliceOp::create(b, loc, type, out, offsets, sizes, strides);
    slice = vector::TransferWriteOp::create(b, loc, row, slice, zero, inBounds).getResult();
    return tensor::InsertSliceOp::create(b, loc, slice, out, offsets, sizes, strides);
  }

  static constexpr bool inBounds[] = {true};

  RewriterBase &b;
  linalg::GenericOp op;
  const ContractionRoles &roles;
  Location loc;
  SmallVector<AffineMap> maps;
  int64_t n, k;
  Type element;
  VectorType vector;
  Value zero;
};

} // namespace

void flashfusion::emitPanelKernel(RewriterBase &b, linalg::GenericOp op,
                                  const ContractionRoles &roles) {
  PanelKernel(b, op, roles).emit();
}
