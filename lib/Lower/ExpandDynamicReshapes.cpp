//===- ExpandDynamicReshapes.cpp - Reshapes into several dynamic extents ---===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%b, %s, 512]
// becomes
//   %y = memref.reinterpret_cast %x to sizes [%b, %s, 512], strides [%s * 512, 512, 1]
//
// Upstream's expand-strided-metadata derives the one dynamic extent of a group
// from the others and fails where a group has two (MLIR 22.1 crashes).
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_EXPANDDYNAMICRESHAPESPASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

/// True if a group of result dimensions has more than one dynamic extent.
static bool hasSeveralDynamic(memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  return llvm::any_of(op.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
    return llvm::count_if(group, [&](int64_t d) { return type.isDynamicDim(d); }) > 1;
  });
}

static void expand(RewriterBase &b, memref::ExpandShapeOp op) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  auto source = memref::ExtractStridedMetadataOp::create(b, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape(), strides(sizes.size());
  SmallVector<OpFoldResult> sourceStrides = source.getConstifiedMixedStrides();
  AffineExpr product = b.getAffineSymbolExpr(0) * b.getAffineSymbolExpr(1);
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    OpFoldResult stride = sourceStrides[i];
    for (int64_t d : llvm::reverse(group)) {
      strides[d] = stride;
      stride = affine::makeComposedFoldedAffineApply(b, loc, product, {stride, sizes[d]});
    }
  }
  b.replaceOpWithNewOp<memref::ReinterpretCastOp>(op, op.getResultType(), source.getBaseBuffer(),
                                                  source.getConstifiedMixedOffset(), sizes,
                                                  strides);
}

namespace {

struct ExpandDynamicReshapesPass
    : flashfusion::impl::ExpandDynamicReshapesPassBase<ExpandDynamicReshapesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> ops;
    getOperation()->walk([&](memref::ExpandShapeOp op) {
      if (hasSeveralDynamic(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (memref::ExpandShapeOp op : ops)
      expand(rewriter, op);
  }
};

} // namespace
