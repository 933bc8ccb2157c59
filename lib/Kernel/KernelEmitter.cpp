//===- KernelEmitter.cpp - The kernels there are ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Kernel/KernelEmitter.h"

using namespace mlir;
using namespace mlir::flashfusion;

KernelEmitter::~KernelEmitter() = default;

ArrayRef<const KernelEmitter *> flashfusion::getKernelEmitters() {
  static const SmallVector<const KernelEmitter *> all = {
      &decodeEmitter(),
      &decodeWgmmaEmitter(),
      &prefillWgmmaEmitter(),
      &prefillMmaEmitter(),
      &simtEmitter(),
  };
  return all;
}

const KernelEmitter *flashfusion::getKernelEmitter(KernelFamily family, MmaKind mma) {
  for (const KernelEmitter *emitter : getKernelEmitters())
    if (emitter->family() == family && emitter->mma() == mma)
      return emitter;
  return nullptr;
}
