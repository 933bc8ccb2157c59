//===- Remarks.h - What the compiler decided, as JSON lines -------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_COMPILE_REMARKS_H
#define FF_COMPILE_REMARKS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace ffcompile {

/// Writes every remark of `context` to `os`: one JSON object a line, with the keys outcome
/// ("Passed", "Missed", ..), category, name, function, location and args. For readers without a
/// YAML library.
mlir::LogicalResult streamRemarks(mlir::MLIRContext &context, llvm::raw_ostream &os);

} // namespace ffcompile

#endif // FF_COMPILE_REMARKS_H
