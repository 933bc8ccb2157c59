//===- Main.cpp - Checks of the recogniser as a library --------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without arguments, checks the algebra. With files, prints for every float
// tensor that a function returns which norm it is, without any contraction. The
// attribute `k_dims` of a function counts the dimensions that are normalised.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Slice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::flashfusion;

unsigned testAlgebra(MLIRContext &context);

static void print(func::FuncOp function) {
  unsigned kDims = 1;
  if (auto attr = function->getAttrOfType<IntegerAttr>("k_dims"))
    kDims = attr.getInt();
  Operation *terminator = function.getBody().back().getTerminator();
  for (Value result : terminator->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      continue;
    std::unique_ptr<Algebra> algebra;
    Value x;
    Reason reason;
    FailureOr<Norm> norm = recognizeNorm(result, kDims, algebra, x, reason);
    llvm::outs() << function.getName() << ": ";
    if (failed(norm)) {
      llvm::outs() << "no norm " << reason.id << "\n";
      continue;
    }
    llvm::outs() << stringifyNormKind(norm->kind);
    if (std::optional<Rational> eps = norm->eps.getConstant())
      llvm::outs() << " eps=" << toDouble(*eps);
    llvm::outs() << (norm->gain ? " gain" : "") << (norm->shift ? " shift" : "")
                 << " x=" << x.getType() << "\n";
  }
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect, tensor::TensorDialect>();
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  if (argc == 1) {
    unsigned failures = testAlgebra(context);
    llvm::outs() << failures << " failures\n";
    return failures != 0;
  }
  for (int i = 1; i < argc; ++i) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[i], &context);
    if (!module)
      return 1;
    module->walk(print);
  }
  return 0;
}
