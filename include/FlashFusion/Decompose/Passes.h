//===- Passes.h - Decompose passes --------------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_DECOMPOSE_PASSES_H
#define FLASHFUSION_DECOMPOSE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::flashfusion {

/// ff.norm_linear -> ff.online, for a greedy rewrite of the user's own.
void populateDecomposePatterns(RewritePatternSet &patterns);

#define GEN_PASS_DECL
#include "FlashFusion/Decompose/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "FlashFusion/Decompose/Passes.h.inc"
} // namespace mlir::flashfusion

#endif // FLASHFUSION_DECOMPOSE_PASSES_H
