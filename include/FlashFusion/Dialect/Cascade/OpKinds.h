//===- OpKinds.h - Kinds of operations, which targets price -------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DIALECT_CASCADE_OPKINDS_H
#define FLASHFUSION_DIALECT_CASCADE_OPKINDS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>

#include "FlashFusion/Dialect/Cascade/CascadeEnums.h.inc"

#endif // FLASHFUSION_DIALECT_CASCADE_OPKINDS_H
