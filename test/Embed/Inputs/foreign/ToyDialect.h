//===- ToyDialect.h - Another compiler's dialect ------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TOY_DIALECT_H
#define TOY_DIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Pass/Pass.h"

namespace toy {

struct ToyDialect : mlir::Dialect {
  explicit ToyDialect(mlir::MLIRContext *context);
  static llvm::StringRef getDialectNamespace() { return "toy"; }
};

/// %h = "toy.rms_norm"(%x, %gain): a row of %x over the root of its mean square, times %gain.
struct RMSNormOp : mlir::Op<RMSNormOp, mlir::OpTrait::NOperands<2>::Impl, mlir::OpTrait::OneResult,
                            mlir::OpTrait::ZeroRegions> {
  using Op::Op;
  static llvm::StringRef getOperationName() { return "toy.rms_norm"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  llvm::LogicalResult verify();
};

/// %y = "toy.norm_proj"(%x, %gain, %weight): the same, times the transpose of %weight.
struct NormProjOp : mlir::Op<NormProjOp, mlir::OpTrait::NOperands<3>::Impl,
                             mlir::OpTrait::OneResult, mlir::OpTrait::ZeroRegions> {
  using Op::Op;
  static llvm::StringRef getOperationName() { return "toy.norm_proj"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
};

/// toy.rms_norm to linalg, which ff-raise recognises; toy.norm_proj to ff.norm_linear.
std::unique_ptr<mlir::Pass> createLowerToyPass();

/// ff.norm_linear to ff.online in a pass of this compiler's own.
std::unique_ptr<mlir::Pass> createDecomposeHerePass();

} // namespace toy

#endif // TOY_DIALECT_H
