//===- ToCPU.h - Pipeline ff-to-cpu ---------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PIPELINES_TOCPU_H
#define FLASHFUSION_PIPELINES_TOCPU_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
namespace flashfusion {

struct ToCPUOptions : PassPipelineOptions<ToCPUOptions> {
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("raise and fuse norms; without it the program is compiled "
                                   "as it is written"),
                    llvm::cl::init(true)};
  Option<std::string> rounding{*this, "rounding",
                               llvm::cl::desc("rounding of ff-raise: relaxed or strict"),
                               llvm::cl::init("relaxed")};
  Option<bool> others{*this, "others",
                      llvm::cl::desc("raise norms without a name, too (kind other)"),
                      llvm::cl::init(false)};
  Option<bool> plainLinears{*this, "plain-linears",
                            llvm::cl::desc("raise Linears without a norm, too"),
                            llvm::cl::init(false)};
  Option<bool> fuseEpilogue{
      *this, "fuse-epilogue",
      llvm::cl::desc("gather elementwise operations behind fused Linears into their finalizers"),
      llvm::cl::init(true)};
  Option<bool> wideAccumulators{
      *this, "wide-accumulators",
      llvm::cl::desc("sum 16-bit contractions and reductions in f32 and round once"),
      llvm::cl::init(true)};
  Option<bool> vectorize{*this, "vectorize",
                         llvm::cl::desc("block contractions for registers; without it they are "
                                        "plain loops, which compile faster"),
                         llvm::cl::init(true)};
};

/// Linalg on tensors to the LLVM dialect, for the host: raise, decompose into
/// sums over K, tile and vectorize contractions, bufferize, lower. Public
/// functions get a C interface, never write to their arguments, and return
/// buffers that the caller owns.
void buildToCPUPipeline(OpPassManager &pm, const ToCPUOptions &options);

/// Two parts of it, after the passes that fuse. Linalg on tensors to buffers that nothing frees
/// yet; operations that bufferize, like `ff.online`, may stand beside it.
void buildBufferizeForCPUPipeline(OpPassManager &pm, bool vectorize = true);
/// Linalg on buffers to the LLVM dialect; the module frees no buffer.
void buildBuffersToLLVMPipeline(OpPassManager &pm);

/// Registers `ff-to-cpu`.
void registerToCPUPipeline();

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_PIPELINES_TOCPU_H
