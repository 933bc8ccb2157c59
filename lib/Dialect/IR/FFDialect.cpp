//===- FFDialect.cpp - The ff dialect and its attributes -------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/IR/FF.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::flashfusion;

#include "FlashFusion/Dialect/IR/FFDialect.cpp.inc"
#include "FlashFusion/Dialect/IR/FFEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "FlashFusion/Dialect/IR/FFAttrs.cpp.inc"

namespace {
/// Every operation of the dialect may move into another function.
struct FFInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void FFDialect::initialize() {
  addInterfaces<FFInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "FlashFusion/Dialect/IR/FFAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "FlashFusion/Dialect/IR/FFOps.cpp.inc"
      >();
}
