//===- FF.h - The ff dialect --------------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DIALECT_IR_FF_H
#define FLASHFUSION_DIALECT_IR_FF_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "FlashFusion/Dialect/IR/FFDialect.h.inc"
#include "FlashFusion/Dialect/IR/FFEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "FlashFusion/Dialect/IR/FFAttrs.h.inc"

#define GET_OP_CLASSES
#include "FlashFusion/Dialect/IR/FFOps.h.inc"

#endif // FLASHFUSION_DIALECT_IR_FF_H
