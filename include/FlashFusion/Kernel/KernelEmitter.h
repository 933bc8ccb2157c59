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

  /// Variants that together serve 1 to 64 rows such that a row's bits are the same in all of
  /// them, whatever M is known to be; empty if there are none. By default one of the proposals,
  /// for fewer rows as well.
  virtual SmallVector<ScheduleAttr> proposeInvariant(OnlineOp op, TargetAttr target, bool tf32,
                                                     bool packed) const;

  /// Microseconds that a launch of `schedule` for `rows` rows takes, where there is a model.
  virtual std::optional<double> predict(OnlineOp op, TargetAttr target, ScheduleAttr schedule,
                                        int64_t rows) const {
    return std::nullopt;
  }

  /// Emits the kernel of variant `schedule` into `module` under `name`.
  /// Failure (with a diagnostic on `op`) if the schedule does not fit: a user
  /// may have written it by hand.
  virtual FailureOr<LaunchSpec> emit(OnlineOp op, ScheduleAttr schedule, TargetAttr target,
                                     gpu::GPUModuleOp module, StringRef name) const = 0;

protected:
  /// whyNot, for an `op` whose extents kernels can count.
  virtual std::string unsupported(OnlineOp op, TargetAttr target, bool tf32) const = 0;
};

/// Rows that `batch-invariant` is about.
constexpr int64_t invariantRows = 64;

/// `schedule` for another range of rows.
ScheduleAttr withRows(ScheduleAttr schedule, int64_t minRows, int64_t maxRows);

/// All kernels, in the order in which the schedule prefers them.
ArrayRef<const KernelEmitter *> getKernelEmitters();
const KernelEmitter *getKernelEmitter(KernelFamily family, MmaKind mma);

/// The single instances behind getKernelEmitters().
const KernelEmitter &decodeEmitter();       ///< mma.sync, bulk copies (sm_90)
const KernelEmitter &decodeWgmmaEmitter();  ///< TMA + wgmma, up to 128 rows (sm_90a)
const KernelEmitter &prefillWgmmaEmitter(); ///< TMA + wgmma (sm_90a)
const KernelEmitter &prefillMmaEmitter();   ///< cp.async + mma.sync (sm_80)
const KernelEmitter &simtEmitter();         ///< FMA, any types, any alignment

/// Whether x or a weight has 8 bits (f8E4M3FN).
bool isF8(Value factor);
/// Whether a weight has 8 bits, and x has not: kernels that multiply elements of x take it packed.
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
