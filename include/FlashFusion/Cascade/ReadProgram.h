//===- ReadProgram.h - Programs in files as cascades to plan ------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_CASCADE_READPROGRAM_H
#define FLASHFUSION_CASCADE_READPROGRAM_H

#include "FlashFusion/Cascade/PassCount.h"
#include "FlashFusion/Plan/Models.h"
#include "FlashFusion/Plan/Target.h"

namespace mlir::flashfusion {

/// What is known of a cascade once its IR is gone.
struct Program {
  plan::Cascade cascade;
  SmallVector<cascade::PassCount> passes;
};

struct ReadProgramOptions {
  /// Defer factors and run softmax in one pass, in blocks of so many positions.
  bool rewrite = true;
  int64_t block = 256;
  /// Shapes of arguments whose types leave them open, such as "arg0:2x128x768".
  std::vector<std::string> shapes;
};

/// The first `cascade.graph` of a file of MLIR; linalg on tensors is raised first, and what
/// has no groups is grouped by kernels. Diagnostics of MLIR go to standard error.
llvm::Expected<Program> readProgram(StringRef file, const plan::Target &target,
                                    const ReadProgramOptions &options);

/// A layer of the paper; on a GPU with kernels for groups.
llvm::Expected<Program> getLayerProgram(const plan::Model &model, const plan::LayerOptions &options,
                                        const plan::Target &target);

/// The layer's IR as text.
llvm::Expected<std::string> printLayer(const plan::Model &model, const plan::LayerOptions &options,
                                       const plan::Target &target);

} // namespace mlir::flashfusion

#endif // FLASHFUSION_CASCADE_READPROGRAM_H
