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

void cluster::send(KernelBuilder &kb, V value, V ptr, V barrier) {
  // There is no operation for it. Addresses of shared memory have 32 bits.
  auto address = [&](V at) {
    return LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.b.getI32Type(), at).getResult();
  };
  Type type = value.getType();
  int64_t bits = 32;
  if (auto vector = dyn_cast<VectorType>(type))
    bits *= vector.getNumElements();
  V word = kb.bitcast(value, kb.b.getIntegerType(bits));
  std::string code = "st.async.shared::cluster.mbarrier::complete_tx::bytes.b" +
                     std::to_string(bits) + " [$0], $1, [$2];";
  NVVM::InlinePtxOp::create(kb.b, kb.loc, TypeRange(),
                            ValueRange{address(ptr), word, address(barrier)}, ValueRange(), code,
                            Value());
}

void cluster::copy(KernelBuilder &kb, V dst, V src, V barrier, int64_t bytes) {
  // The operation wants a pointer to shared memory; the instruction, an address in the cluster.
  auto shared = LLVM::LLVMPointerType::get(kb.b.getContext(), 3);
  Value address = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.b.getI64Type(), barrier);
  Value at = LLVM::IntToPtrOp::create(kb.b, kb.loc, shared, address);
  NVVM::CpAsyncBulkSharedCTAToSharedClusterOp::create(kb.b, kb.loc, dst, src, at, kb.i32(bytes));
}
