//===- CascadeDialect.cpp - The cascade dialect and its attributes ---------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/Cascade/Cascade.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::flashfusion::cascade;

#include "FlashFusion/Dialect/Cascade/CascadeDialect.cpp.inc"
#include "FlashFusion/Dialect/Cascade/CascadeEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "FlashFusion/Dialect/Cascade/CascadeAttrs.cpp.inc"

namespace {
/// Every operation of the dialect may move into another function.
struct CascadeInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void CascadeDialect::initialize() {
  addInterfaces<CascadeInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "FlashFusion/Dialect/Cascade/CascadeAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "FlashFusion/Dialect/Cascade/CascadeOps.cpp.inc"
      >();
}
