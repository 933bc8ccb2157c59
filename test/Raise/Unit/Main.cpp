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
// With --found first, prints the norms that a function computes anywhere, over
// its last dimension or its last two: the last tensor of each, by file.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Raise/Slice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::flashfusion;

unsigned testAlgebra(MLIRContext &context);

static void print(const Norm &norm, Value x) {
  llvm::outs() << stringifyNormKind(norm.kind);
  if (std::optional<Rational> eps = norm.eps.getConstant())
    llvm::outs() << " eps=" << toDouble(*eps);
  llvm::outs() << (norm.gain ? " gain" : "") << (norm.shift ? " shift" : "") << " x=" << x.getType()
               << "\n";
}

static void printFound(StringRef path, func::FuncOp function) {
  llvm::MapVector<Value, std::pair<std::unique_ptr<Algebra>, Norm>> found;
  function.walk([&](linalg::LinalgOp op) {
    for (Value result : op->getResults())
      for (unsigned kDims : {1, 2}) {
        auto type = dyn_cast<RankedTensorType>(result.getType());
        std::unique_ptr<Algebra> algebra;
        Value x;
        Reason reason;
        if (!type || type.getRank() < 2 || !isa<FloatType>(type.getElementType()))
          continue;
        FailureOr<Norm> norm = recognizeNorm(result, kDims, algebra, x, reason);
        if (succeeded(norm))
          found[x] = {std::move(algebra), *norm};
      }
  });
  llvm::outs() << llvm::sys::path::stem(path) << ":" << (found.empty() ? " nothing\n" : "");
  for (auto &[x, norm] : found) {
    llvm::outs() << ' ';
    print(norm.second, x);
  }
}

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
    print(*norm, x);
  }
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry
      .insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
              math::MathDialect, tensor::TensorDialect, vector::VectorDialect>();
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  if (argc == 1) {
    unsigned failures = testAlgebra(context);
    llvm::outs() << failures << " failures\n";
    return failures != 0;
  }
  bool isSearch = StringRef(argv[1]) == "--found";
  for (int i = 1 + isSearch; i < argc; ++i) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[i], &context);
    if (!module)
      return 1;
    module->walk([&](func::FuncOp function) {
      if (isSearch)
        printFound(argv[i], function);
      else
        print(function);
    });
  }
  return 0;
}
