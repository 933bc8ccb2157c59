//===- GPUTarget.cpp - Plain facts about GPUs ------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Target/GPUTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

// Shared memory: of a multiprocessor's memory, 1 KiB belongs to the system.
static constexpr int64_t kib = 1024;

// PTX versions: LLVM refuses a chip with less than the version that introduced
// it; sm_89 needs 8.1 for conversions of f8, sm_90 8.3 for the forms of bulk copies
// that the kernels use.
static const GPUTarget targets[] = {
    {"sm_80", "+ptx80", "A100 SXM 80 GB", 108, 163 * kib, 2039, 312, 19.5},
    {"sm_86", "+ptx80", "RTX A6000", 84, 99 * kib, 768, 155, 38.7},
    {"sm_87", "+ptx80", "Jetson AGX Orin 64 GB", 16, 163 * kib, 205, 42.5, 5.3},
    {"sm_89", "+ptx81", "L40S", 142, 99 * kib, 864, 362, 91.6},
    {"sm_90", "+ptx83", "H200", 132, 227 * kib, 4800, 989, 67},
    {"sm_90a", "+ptx83", "H200", 132, 227 * kib, 4800, 989, 67},
    {"sm_100", "+ptx86", "B200", 148, 227 * kib, 8000, 2250, 75},
    {"sm_100a", "+ptx86", "B200", 148, 227 * kib, 8000, 2250, 75},
    {"sm_103", "+ptx88", "B300", 148, 227 * kib, 8000, 2250, 75},
    {"sm_103a", "+ptx88", "B300", 148, 227 * kib, 8000, 2250, 75},
    {"sm_120", "+ptx87", "GeForce RTX 5090", 170, 99 * kib, 1792, 210, 105},
    {"sm_120a", "+ptx87", "GeForce RTX 5090", 170, 99 * kib, 1792, 210, 105},
};

ArrayRef<GPUTarget> flashfusion::getGPUTargets() { return targets; }

const GPUTarget *flashfusion::lookUpGPUTarget(StringRef chip) {
  const auto *it = llvm::find_if(targets, [&](const GPUTarget &t) { return t.chip == chip; });
  return it == std::end(targets) ? nullptr : it;
}

FailureOr<TargetAttr> flashfusion::lookUpTarget(MLIRContext *context, StringRef chip) {
  const GPUTarget *target = lookUpGPUTarget(chip);
  if (!target)
    return failure();
  return TargetAttr::get(context, target->chip, target->features, target->sms, target->smem);
}

std::string flashfusion::listGPUTargets() {
  return llvm::join(llvm::map_range(targets, [](const GPUTarget &t) { return t.chip; }), ", ");
}

int64_t flashfusion::getComputeCapability(TargetAttr target) {
  StringRef number = target.getChip();
  int64_t capability = 0;
  if (!number.consume_front("sm_") || number.consumeInteger(10, capability))
    return 0;
  return capability;
}
