//===- KernelBuilderNVVM.cpp - Copies, barriers, tensor cores --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Kernel/KernelBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// L2 policy evict-first, as createpolicy would return it: for weights that are
/// read once.
static constexpr int64_t evictFirstPolicy = 0x12F0000000000000;

/// Bulk copies name their destination in the cluster's address space.
static Value clusterPtr(KernelBuilder &kb, V ptr) {
  return LLVM::AddrSpaceCastOp::create(
      kb.b, kb.loc, LLVM::LLVMPointerType::get(kb.b.getContext(), 7), ptr);
}

void KernelBuilder::mbarrierInit(V bar, int64_t count) {
  NVVM::MBarrierInitOp::create(b, loc, bar, i32(count), Value());
}
void KernelBuilder::mbarrierInitFence() { NVVM::FenceMbarrierInitOp::create(b, loc); }
void KernelBuilder::mbarrierArrive(V bar) {
  NVVM::MBarrierArriveOp::create(b, loc, Type(), bar, Value());
}
void KernelBuilder::mbarrierExpect(V bar, V bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(b, loc, Type(), bar, bytes, NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
}
void KernelBuilder::mbarrierWait(V bar, V parity) {
  NVVM::MBarrierTryWaitParityOp::create(b, loc, bar, parity, i32(10000000));
}
void KernelBuilder::fenceAsync() {
  NVVM::FenceProxyOp::create(
      b, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(), NVVM::SharedSpace::shared_cta));
}
void KernelBuilder::bulkLoad(V dst, V src, V bar, V bytes, bool evictFirst) {
  Value hint = evictFirst ? Value(i64(evictFirstPolicy)) : Value();
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(b, loc, clusterPtr(*this, dst), src, bar, bytes,
                                                   Value(), hint);
}
void KernelBuilder::tensorLoad(V dst, V map, V bar, V col, V row, bool evictFirst) {
  Value hint = evictFirst ? Value(i64(evictFirstPolicy)) : Value();
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, loc, clusterPtr(*this, dst), map, ValueRange{col, row}, bar, ValueRange(), Value(), hint,
      NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
}
void KernelBuilder::tensorStore(V map, V src, V col, V row) {
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(b, loc, map, src, ValueRange{col, row},
                                                     Value(), NVVM::TMAStoreMode::TILE, Value());
}
void KernelBuilder::bulkCommit() { NVVM::CpAsyncBulkCommitGroupOp::create(b, loc); }
void KernelBuilder::bulkWait(int64_t pending, bool read) {
  NVVM::CpAsyncBulkWaitGroupOp::create(b, loc, pending, read ? b.getUnitAttr() : UnitAttr());
}
void KernelBuilder::prefetchMap(V map) {
  NVVM::PrefetchOp::create(b, loc, NVVM::PrefetchCacheLevelAttr(),
                           NVVM::CacheEvictionPriorityAttr(), map, Value(), /*tensormap=*/true);
}
void KernelBuilder::launchDependents() {
  NVVM::GriddepcontrolOp::create(b, loc, NVVM::GridDepActionKind::launch_dependents);
}
void KernelBuilder::waitForPredecessor() {
  NVVM::GriddepcontrolOp::create(b, loc, NVVM::GridDepActionKind::wait);
}

void KernelBuilder::cpAsync(V dst, V src, int64_t size, V bytes) {
  NVVM::CpAsyncOp::create(b, loc, dst, src, size,
                          size == 16 ? NVVM::LoadCacheModifierKind::CG
                                     : NVVM::LoadCacheModifierKind::CA,
                          bytes ? Value(bytes) : Value());
}
void KernelBuilder::cpAsyncCommit() { NVVM::CpAsyncCommitGroupOp::create(b, loc); }
void KernelBuilder::cpAsyncWait(int64_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(b, loc, pending);
}

SmallVector<V> KernelBuilder::ldMatrix(V ptr, int64_t count, bool transpose) {
  Type i32 = b.getI32Type();
  Type type = count == 1 ? i32
                         : LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                            SmallVector<Type>(count, i32));
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8);
  Value loaded = NVVM::LdMatrixOp::create(
      b, loc, type, ptr, count, transpose ? NVVM::MMALayout::col : NVVM::MMALayout::row, shape,
      NVVM::LdStMatrixEltType::B16);
  SmallVector<V> regs;
  if (count == 1)
    return {wrap(loaded)};
  for (int64_t i = 0; i < count; ++i)
    regs.push_back(wrap(LLVM::ExtractValueOp::create(b, loc, loaded, i)));
  return regs;
}
void KernelBuilder::stMatrix(V ptr, ArrayRef<V> regs, bool transpose) {
  NVVM::StMatrixOp::create(b, loc, ptr, SmallVector<Value>(regs.begin(), regs.end()),
                           transpose ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                           NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
                           NVVM::LdStMatrixEltType::B16);
}

V KernelBuilder::toTF32(V a) {
  return wrap(NVVM::ConvertFloatToTF32Op::create(b, loc, b.getI32Type(), a,
                                                 NVVM::FPRoundingMode::RNA,
                                                 NVVM::SaturationMode::NONE, /*relu=*/false));
}

V KernelBuilder::f8ToF16(V pair) {
  return wrap(NVVM::ConvertF8x2ToF16x2Op::create(b, loc, VectorType::get({2}, b.getF16Type()), pair,
                                                 /*relu=*/false,
                                                 Float8E4M3FNType::get(b.getContext())));
}

V KernelBuilder::toF8(V a) {
  Value pair = NVVM::ConvertF32x2ToF8x2Op::create(
      b, loc, VectorType::get({2}, b.getI8Type()), Value(f32(0.0)), Value(a),
      NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE, /*relu=*/false,
      Float8E4M3FNType::get(b.getContext()));
  return extract(wrap(pair), 0);
}

SmallVector<V> KernelBuilder::mmaSync(Type element, ArrayRef<V> a, ArrayRef<V> bRegs,
                                      ArrayRef<V> c) {
  MLIRContext *context = b.getContext();
  Type f32 = b.getF32Type();
  bool tf32 = element.isF32();
  auto kind = tf32              ? NVVM::MMATypes::tf32
              : element.isF16() ? NVVM::MMATypes::f16
                                : NVVM::MMATypes::bf16;
  auto asOperands = [&](ArrayRef<V> regs) {
    // f16 operands are vector<2xf16>, bf16 and tf32 operands are i32.
    return llvm::map_to_vector(regs, [&](V v) -> Value {
      return element.isF16() ? bitcast(v, VectorType::get({2}, element)) : v;
    });
  };
  auto result = LLVM::LLVMStructType::getLiteral(context, {f32, f32, f32, f32});
  auto typeAttr = NVVM::MMATypesAttr::get(context, kind);
  Value d = NVVM::MmaOp::create(b, loc, result,
                                NVVM::MMAShapeAttr::get(context, 16, 8, tf32 ? 8 : 16),
                                NVVM::MMAB1OpAttr(), NVVM::MMAIntOverflowAttr(),
                                NVVM::MMALayout::row, NVVM::MMALayout::col, typeAttr, typeAttr,
                                asOperands(a), asOperands(bRegs),
                                SmallVector<Value>(c.begin(), c.end()));
  SmallVector<V> out;
  for (int64_t i = 0; i < 4; ++i)
    out.push_back(wrap(LLVM::ExtractValueOp::create(b, loc, d, i)));
  return out;
}
