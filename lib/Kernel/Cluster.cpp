//===- Cluster.cpp - Blocks of a cluster -----------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cluster.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::flashfusion;

void cluster::arrive(KernelBuilder &kb) {
  NVVM::ClusterArriveOp::create(kb.b, kb.loc, /*aligned=*/UnitAttr());
}
void cluster::wait(KernelBuilder &kb) {
  NVVM::ClusterWaitOp::create(kb.b, kb.loc, /*aligned=*/UnitAttr());
}

V cluster::peer(KernelBuilder &kb, V ptr, V rank) {
  Type type = LLVM::LLVMPointerType::get(kb.b.getContext(), 7);
  return kb.wrap(NVVM::MapaOp::create(kb.b, kb.loc, type, ptr, rank));
}
