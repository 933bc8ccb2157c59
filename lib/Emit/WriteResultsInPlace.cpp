//===- WriteResultsInPlace.cpp - No copies into out-parameters -------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// buffer-results-to-out-params copies results into out-parameters, and models
// return reshaped results:
//
//   %y = memref.alloc(%m) : memref<?x32xbf16>
//   ... writes %y ...
//   %r = memref.expand_shape %y [[0, 1], [2]] ... into memref<?x8x32xbf16>
//   memref.copy %r, %out
// becomes
//   %y = memref.collapse_shape %out [[0, 1], [2]] : ... into memref<?x32xbf16>
//   ... writes %y ...
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Emit/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_WRITERESULTSINPLACEPASS
#include "FlashFusion/Emit/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;

/// The allocation behind `value`, and the views from it to `value`, last first.
static memref::AllocOp findAllocation(Value value, SmallVectorImpl<Operation *> &views) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      return alloc;
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(op))
      return {};
    views.push_back(op);
    value = op->getOperand(0);
  }
  return {};
}

/// The view of `value` that undoes `view`; null if it has no static form.
static Value invert(OpBuilder &b, Operation *view, Value value) {
  auto source = cast<MemRefType>(view->getOperand(0).getType());
  Location loc = view->getLoc();
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(view))
    return memref::CollapseShapeOp::create(b, loc, value, expand.getReassociationIndices());
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view)) {
    if (!source.hasStaticShape())
      return {};
    return memref::ExpandShapeOp::create(b, loc, source, value, collapse.getReassociationIndices());
  }
  return memref::CastOp::create(b, loc, source, value);
}

/// Whether nothing but copies, deallocations and the return follow `copy`.
static bool isLast(memref::CopyOp copy) {
  for (Operation *op = copy->getNextNode(); op; op = op->getNextNode())
    if (!isa<memref::CopyOp, memref::DeallocOp, func::ReturnOp>(op))
      return false;
  return true;
}

static void forward(func::FuncOp func, memref::CopyOp copy) {
  auto out = dyn_cast<BlockArgument>(copy.getTarget());
  if (!out || out.getOwner() != &func.front() || !out.hasOneUse() ||
      !func.getArgAttr(out.getArgNumber(), "bufferize.result") || !isLast(copy))
    return;
  SmallVector<Operation *> views;
  memref::AllocOp alloc = findAllocation(copy.getSource(), views);
  if (!alloc || alloc->getBlock() != copy->getBlock() || !alloc.getType().getLayout().isIdentity())
    return;
  OpBuilder b(alloc);
  Value replacement = out;
  SmallVector<Operation *> created;
  for (Operation *view : views) {
    replacement = invert(b, view, replacement);
    if (!replacement)
      break;
    created.push_back(replacement.getDefiningOp());
  }
  if (!replacement || replacement.getType() != alloc.getType()) {
    for (Operation *op : llvm::reverse(created))
      op->erase();
    return;
  }
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  copy.erase();
  alloc.replaceAllUsesWith(replacement);
  alloc.erase();
}

namespace {
struct WriteResultsInPlacePass
    : flashfusion::impl::WriteResultsInPlacePassBase<WriteResultsInPlacePass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    for (auto copy : llvm::to_vector(func.front().getOps<memref::CopyOp>()))
      forward(func, copy);
  }
};
} // namespace
