//===- PrepareHostFunctions.cpp - What callers of host code rely on --------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { .. }
// becomes
//   func.func @f(%a: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32>
//       attributes {llvm.emit_c_interface} { .. }
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_PREPAREHOSTFUNCTIONSPASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

struct PrepareHostFunctionsPass
    : flashfusion::impl::PrepareHostFunctionsPassBase<PrepareHostFunctionsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto nested : getOperation().getOps<ModuleOp>()) {
      nested.emitError("a module within a module is not compiled: move its functions out of it");
      return signalPassFailure();
    }
    // Nobody can call them, and MLIR's inliner crashes on them.
    WalkResult walk = getOperation().walk([](func::FuncOp func) {
      if (func->getParentOp()->hasTrait<OpTrait::SymbolTable>())
        return WalkResult::advance();
      func.emitError(
          "a function in an operation without a symbol table is not compiled: move it out");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    // MLIR's inliner and its conversions of float types crash on these.
    WalkResult unknown = getOperation().walk([&](Operation *op) {
      if (op->isRegistered() ||
          (op->getNumRegions() == 0 && op->getParentOp() != getOperation().getOperation()))
        return WalkResult::advance();
      op->emitOpError("is of no registered dialect: beside functions, or with regions, such an "
                      "operation is not compiled; register its dialect, or run the passes up to "
                      "bufferization alone");
      return WalkResult::interrupt();
    });
    if (unknown.wasInterrupted())
      return signalPassFailure();
    Builder b(&getContext());
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal() || !func.isPublic())
        continue;
      func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), b.getUnitAttr());
      // A tensor is a value: the buffer that a caller passes for one keeps its contents.
      for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
        if (isa<TensorType>(func.getArgumentTypes()[i]))
          func.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                          b.getBoolAttr(false));
    }
  }
};

} // namespace
