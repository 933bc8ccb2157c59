//===- VectorizeForCPU.cpp - Contractions to register-blocked loops --------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %c = linalg.generic sum a(m, k) * ext(w(n, k))
// becomes
//   for n0 step 32                            upstream tiling
//     %panel = linalg.generic w to (k, n), extended        fused into the loop
//     for m0 step 4, then the remaining rows one by one
//       for k0 step 16: 4 vectors of sums     PanelKernel.cpp
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/Passes.h"
#include "PanelKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_VECTORIZEFORCPUPASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

// Two 64-byte vectors wide: with 4 rows, 8 registers of sums.
static constexpr int64_t panelBytes = 128;

/// `v` without a widening cast.
static Value skipExtension(Value v) {
  if (auto ext = v.getDefiningOp<arith::ExtFOp>())
    return ext.getIn();
  return v;
}

/// True if the body of `op` is out + ext(a) * ext(b), a and b its two inputs.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || body->getNumArguments() != 3)
    return false;
  auto add = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value out = body->getArgument(2);
  Value other = add.getLhs() == out ? add.getRhs() : add.getLhs();
  if ((add.getLhs() == out) == (add.getRhs() == out))
    return false;
  auto mul = other.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value l = skipExtension(mul.getLhs()), r = skipExtension(mul.getRhs());
  return (l == body->getArgument(0) && r == body->getArgument(1)) ||
         (r == body->getArgument(0) && l == body->getArgument(1));
}

/// Sorts the loops of `op` by the operands that they index. n holds the innermost dimension of
/// the output, exchanging the inputs for it where needed.
static FailureOr<ContractionRoles> findContractionRoles(linalg::LinalgOp op) {
  if (!isMultiplyAdd(op))
    return failure();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation())
      return failure();
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (maps[2].getNumResults() == 0 || !(element.isF32() || element.isF64()))
    return failure();
  ContractionRoles roles;
  unsigned innermost = maps[2].getDimPosition(maps[2].getNumResults() - 1);
  if (!maps[1].isFunctionOfDim(innermost))
    std::swap(roles.left, roles.right);
  if (!maps[roles.right].isFunctionOfDim(innermost) || maps[roles.left].isFunctionOfDim(innermost))
    return failure();
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d) {
    bool inLeft = maps[roles.left].isFunctionOfDim(d);
    bool inRight = maps[roles.right].isFunctionOfDim(d);
    if (!maps[2].isFunctionOfDim(d)) {
      if (!inLeft || !inRight)
        return failure();
      roles.k.push_back(d);
    } else if (d != innermost) {
      (inLeft ? inRight ? roles.batch : roles.m : roles.n).push_back(d);
    }
  }
  roles.n.push_back(innermost);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (roles.k.empty() || ShapedType::isDynamic(ranges[roles.k.back()]) ||
      ShapedType::isDynamic(ranges[innermost]) || ranges[innermost] == 0)
    return failure();
  return roles;
}

/// `input` (indexed by `map` of loops) as a tensor over the loops `order`, of type `element`.
static Value pack(RewriterBase &b, Location loc, Value input, AffineMap map,
                  ArrayRef<unsigned> order, Type element) {
  SmallVector<unsigned> position(map.getNumDims());
  for (auto [i, d] : llvm::enumerate(order))
    position[d] = i;
  SmallVector<AffineExpr> from;
  SmallVector<OpFoldResult> sizes(order.size());
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    unsigned p = position[cast<AffineDimExpr>(expr).getPosition()];
    from.push_back(b.getAffineDimExpr(p));
    sizes[p] = tensor::getMixedSize(b, loc, input, i);
  }
  AffineMap source = AffineMap::get(order.size(), 0, from, b.getContext());
  if (source.isIdentity() && getElementTypeOrSelf(input) == element)
    return input;
  Value init = tensor::EmptyOp::create(b, loc, sizes, element);
  SmallVector<utils::IteratorType> iterators(order.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, init.getType(), input, init,
             ArrayRef<AffineMap>{source, b.getMultiDimIdentityMap(order.size())}, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value v = args[0];
               if (v.getType() != element)
                 v = arith::ExtFOp::create(b, loc, element, v);
               linalg::YieldOp::create(b, loc, v);
             })
      .getResult(0);
}

/// `op` with operands that are packed: left over (batch, m, k), right over (batch, k, n), both in
/// the type of the sums.
static linalg::GenericOp packOperands(RewriterBase &b, linalg::LinalgOp op,
                                      const ContractionRoles &roles) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Value init = op.getDpsInits()[0];
  Type element = getElementTypeOrSelf(init);
  auto order = [](std::initializer_list<ArrayRef<unsigned>> parts) {
    SmallVector<unsigned> all;
    for (ArrayRef<unsigned> part : parts)
      llvm::append_range(all, part);
    return all;
  };
  SmallVector<unsigned> leftOrder = order({roles.batch, roles.m, roles.k});
  SmallVector<unsigned> rightOrder = order({roles.batch, roles.k, roles.n});
  auto mapOf = [&](ArrayRef<unsigned> order) {
    SmallVector<AffineExpr> exprs;
    for (unsigned d : order)
      exprs.push_back(b.getAffineDimExpr(d));
    return AffineMap::get(maps[2].getNumDims(), 0, exprs, b.getContext());
  };
  Value left = pack(b, loc, op.getDpsInputs()[roles.left], maps[roles.left], leftOrder, element);
  Value right =
      pack(b, loc, op.getDpsInputs()[roles.right], maps[roles.right], rightOrder, element);
  auto packed = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange{left, right}, init,
      ArrayRef<AffineMap>{mapOf(leftOrder), mapOf(rightOrder), maps[2]}, op.getIteratorTypesArray(),
      [](OpBuilder &b, Location loc, ValueRange args) {
        Value product = arith::MulFOp::create(b, loc, args[0], args[1]);
        linalg::YieldOp::create(b, loc, Value(arith::AddFOp::create(b, loc, args[2], product)));
      });
  b.replaceOp(op, packed.getResults());
  return packed;
}

/// Lets `pack`, fused into a loop, write to a buffer of its own size instead of a slice of one
/// for all panels: one panel stays in the cache.
static void ownPanel(RewriterBase &b, linalg::GenericOp pack) {
  auto slice = pack.getDpsInits()[0].getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.getSource().getDefiningOp<tensor::EmptyOp>())
    return;
  b.setInsertionPoint(slice);
  b.replaceOpWithNewOp<tensor::EmptyOp>(slice, slice.getMixedSizes(),
                                        slice.getType().getElementType());
}

/// Tiles the loops of `op` with the given sizes (0: not tiled), in the given order, and fuses the
/// producer of the right operand. Returns the tiled operation.
static FailureOr<linalg::GenericOp> tile(RewriterBase &b, linalg::GenericOp op,
                                         ArrayRef<std::pair<unsigned, int64_t>> sizes,
                                         bool fuseRight) {
  SmallVector<OpFoldResult> tileSizes(op.getNumLoops(), b.getIndexAttr(0));
  SmallVector<int64_t> order;
  for (auto [d, size] : sizes) {
    tileSizes[d] = b.getIndexAttr(size);
    order.push_back(d);
  }
  for (int64_t d = 0, e = op.getNumLoops(); d < e; ++d)
    if (!llvm::is_contained(order, d))
      order.push_back(d);
  if (sizes.empty())
    return op;
  scf::SCFTilingOptions options;
  options.setTileSizes(tileSizes).setInterchange(order);
  Operation *producer = fuseRight ? op.getDpsInputs()[1].getDefiningOp() : nullptr;
  b.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> result =
      scf::tileUsingSCF(b, cast<TilingInterface>(op.getOperation()), options);
  if (failed(result))
    return failure();
  b.replaceOp(op, result->replacements);
  auto tiled = cast<linalg::GenericOp>(result->tiledOps.front());
  auto slice = tiled.getDpsInputs()[1].getDefiningOp<tensor::ExtractSliceOp>();
  if (isa_and_nonnull<linalg::GenericOp>(producer) && slice &&
      slice.getSource().getDefiningOp() == producer) {
    std::optional<scf::SCFFuseProducerOfSliceResult> fused =
        scf::tileAndFuseProducerOfSlice(b, slice, result->loops);
    if (fused)
      ownPanel(b, cast<linalg::GenericOp>(fused->tiledOps.front()));
    if (isOpTriviallyDead(producer))
      b.eraseOp(producer);
  }
  return tiled;
}

/// Rewrites one contraction; leaves it untouched where its shape does not fit.
static LogicalResult vectorize(RewriterBase &b, linalg::LinalgOp contraction) {
  FailureOr<ContractionRoles> roles = findContractionRoles(contraction);
  if (failed(roles) || llvm::is_contained(contraction.getStaticLoopRanges(), 0))
    return failure();
  unsigned inner = roles->n.back();
  Type element = getElementTypeOrSelf(contraction->getResult(0));
  int64_t width = panelBytes * 8 / element.getIntOrFloatBitWidth();
  int64_t n = contraction.getStaticLoopRanges()[inner];

  // A last panel that is narrower becomes an operation of its own, so that every panel has a
  // static width.
  SmallVector<linalg::LinalgOp> parts{contraction};
  if (n > width && n % width != 0) {
    b.setInsertionPoint(contraction);
    auto [head, tail] = linalg::splitOp(b, cast<TilingInterface>(contraction.getOperation()), inner,
                                        b.getIndexAttr(n / width * width));
    parts = {cast<linalg::LinalgOp>(head.getOperation()),
             cast<linalg::LinalgOp>(tail.getOperation())};
  }
  for (linalg::LinalgOp part : parts) {
    linalg::GenericOp op = packOperands(b, part, *roles);
    SmallVector<std::pair<unsigned, int64_t>> outer, rest;
    for (unsigned d : roles->batch)
      outer.push_back({d, 1});
    for (unsigned d : ArrayRef(roles->n).drop_back())
      outer.push_back({d, 1});
    if (op.getStaticLoopRanges()[inner] > width)
      outer.push_back({inner, width});
    if (!roles->m.empty())
      for (unsigned d : ArrayRef(roles->m).drop_back())
        rest.push_back({d, 1});
    for (unsigned d : ArrayRef(roles->k).drop_back())
      rest.push_back({d, 1});
    FailureOr<linalg::GenericOp> tiled = tile(b, op, outer, /*fuseRight=*/true);
    if (succeeded(tiled))
      tiled = tile(b, *tiled, rest, /*fuseRight=*/false);
    if (succeeded(tiled))
      emitPanelKernel(b, *tiled, *roles);
  }
  return success();
}

namespace {

struct VectorizeForCPUPass : flashfusion::impl::VectorizeForCPUPassBase<VectorizeForCPUPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      (void)vectorize(rewriter, op);
  }
};

} // namespace
