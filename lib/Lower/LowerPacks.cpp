//===- LowerPacks.cpp - linalg.pack and linalg.unpack for the CPU ----------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [16] into %d
// becomes
//   %p = linalg.transpose (tensor.expand_shape (tensor.pad %x))
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_LOWERPACKSPASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

struct LowerPacksPass : flashfusion::impl::LowerPacksPassBase<LowerPacksPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<linalg::PackOp, linalg::UnPackOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      LogicalResult lowered = success();
      if (auto pack = dyn_cast<linalg::PackOp>(op))
        lowered = linalg::lowerPack(rewriter, pack);
      else
        lowered = linalg::lowerUnPack(rewriter, cast<linalg::UnPackOp>(op));
      if (failed(lowered)) {
        op->emitOpError("cannot be lowered for the CPU: its tiles are not static");
        return signalPassFailure();
      }
    }
  }
};

} // namespace
