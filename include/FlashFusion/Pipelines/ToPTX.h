//===- ToPTX.h - From linalg to PTX -------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PIPELINES_TOPTX_H
#define FLASHFUSION_PIPELINES_TOPTX_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
namespace flashfusion {

struct ToPTXOptions : PassPipelineOptions<ToPTXOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("GPU to compile for, sm_80 or newer"),
                           llvm::cl::init("sm_90a")};
  Option<std::string> family{*this, "family",
                             llvm::cl::desc("use only this kernel family (decode, prefill, simt) "
                                            "where it can serve"),
                             llvm::cl::init("")};
  Option<bool> tf32{*this, "tf32",
                    llvm::cl::desc("f32 operands through tf32 tensor cores instead of exact f32 "
                                   "arithmetic"),
                    llvm::cl::init(false)};
  Option<bool> others{*this, "others",
                      llvm::cl::desc("raise norms without a name, too (kind other)"),
                      llvm::cl::init(false)};
  Option<std::string> tuning{*this, "tuning",
                             llvm::cl::desc("file with measured schedules, written by python -m "
                                            "flashfusion.tune"),
                             llvm::cl::init("")};
  Option<bool> batchInvariant{*this, "batch-invariant",
                              llvm::cl::desc("one kernel for 1 to 64 rows: a row's bits do not "
                                             "depend on their number"),
                              llvm::cl::init(false)};
  Option<bool> plainLinears{*this, "plain-linears",
                            llvm::cl::desc("raise Linears without a norm, too"),
                            llvm::cl::init(false)};
  Option<bool> fuseEpilogue{
      *this, "fuse-epilogue",
      llvm::cl::desc("gather elementwise operations behind fused Linears into their finalizers, "
                     "where the kernels that serve the Linears serve that too"),
      llvm::cl::init(true)};
};

/// Linalg on tensors to kernels in PTX: raise, decompose, gather epilogues, schedule. `rounding` is
/// that of ff-raise and ff-fuse-epilogue.
void buildFusePipeline(OpPassManager &pm, const ToPTXOptions &options,
                       StringRef rounding = "relaxed");

/// Tensors to memrefs: functions take plain row-major buffers, results become
/// out-parameters marked `bufferize.result`.
void buildBufferizePipeline(OpPassManager &pm);

/// The whole road: both of the above, kernels and launches, PTX in a gpu.binary.
void buildToPTXPipeline(OpPassManager &pm, const ToPTXOptions &options);

/// Registers `ff-to-ptx`.
void registerToPTXPipeline();

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_PIPELINES_TOPTX_H
