//===- KernelEmitter.h - Kernels that can serve an ff.online ------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_KERNELEMITTER_H
#define FLASHFUSION_KERNEL_KERNELEMITTER_H

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Kernel/LaunchSpec.h"

namespace mlir {
namespace gpu {
class GPUModuleOp;
} // namespace gpu
namespace flashfusion {

/// One kernel: what it can serve, how it would, and its code. An ff.online is
/// looked at through its types and regions only; it may be on tensors or memrefs.
class KernelEmitter {
public:
  virtual ~KernelEmitter();
  virtual KernelFamily family() const = 0;
  virtual MmaKind mma() const = 0;

  /// Why this kernel cannot serve `op` on `target`, as a phrase; empty if it can.
  std::string whyNot(OnlineOp op, TargetAttr target, bool tf32) const;

  /// The variants it proposes for an `op` that it supports: disjoint ranges of
  /// rows, tile sizes, pipeline depth. Later variants of other kernels serve
  /// what these leave out (rows, unaligned pointers).
  virtual SmallVector<ScheduleAttr> propose(OnlineOp op, TargetAttr target, bool tf32) const = 0;

  /// Emits the kernel of variant `schedule` into `module` under `name`.
  /// Failure (with a diagnostic on `op`) if the schedule does not fit: a user
  /// may have written it by hand.
  virtual FailureOr<LaunchSpec> emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                                     gpu::GPUModuleOp module, StringRef name) const = 0;

protected:
  /// whyNot, for an `op` whose extents kernels can count.
  virtual std::string unsupported(OnlineOp op, TargetAttr target, bool tf32) const = 0;
};

/// All kernels, in the order in which the schedule prefers them.
ArrayRef<const KernelEmitter *> getKernelEmitters();
const KernelEmitter *getKernelEmitter(KernelFamily family, MmaKind mma);

/// The single instances behind getKernelEmitters().
const KernelEmitter &decodeEmitter();      ///< mma.sync, bulk copies (sm_90)
const KernelEmitter &decodeWgmmaEmitter();  ///< TMA + wgmma, up to 128 rows (sm_90a)
const KernelEmitter &prefillWgmmaEmitter(); ///< TMA + wgmma (sm_90a)
const KernelEmitter &prefillMmaEmitter();   ///< cp.async + mma.sync (sm_80)
const KernelEmitter &simtEmitter();         ///< FMA, any types, any alignment

/// Whether a weight has 8 bits (f8E4M3FN): kernels that multiply elements of x take it packed.
bool hasQuantisedWeight(OnlineOp op);
/// Why weights that are not of the type of x cannot be packed as such; empty if they can.
std::string whyNotPacked(OnlineOp op);

/// The pack step of Linear `linear`: fills its three packed buffers (see
/// PackedPart) from the weight, gain and shift. Any layout, any element types.
FailureOr<LaunchSpec> emitPack(OnlineOp op, unsigned linear, TargetAttr target,
                               gpu::GPUModuleOp module, StringRef name);

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_KERNEL_KERNELEMITTER_H
