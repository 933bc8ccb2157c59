//===- Wgmma.cpp - Warpgroup matrix instructions ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Wgmma.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::flashfusion;

static Type accumulatorType(KernelBuilder &kb, int64_t n) {
  SmallVector<Type> members(n / 2, kb.b.getF32Type());
  return LLVM::LLVMStructType::getLiteral(kb.b.getContext(), members);
}

V wgmma::zeros(KernelBuilder &kb, int64_t n) {
  // A struct of zeros, written member by member: LLVM and ptxas then see that
  // the first product needs no accumulators as input.
  return fromElements(kb, SmallVector<V>(n / 2, kb.f32(0.0)));
}

V wgmma::fromElements(KernelBuilder &kb, ArrayRef<V> elements) {
  Value result = LLVM::UndefOp::create(kb.b, kb.loc, accumulatorType(kb, 2 * elements.size()));
  for (auto [i, element] : llvm::enumerate(elements))
    result = LLVM::InsertValueOp::create(kb.b, kb.loc, result, element, i);
  return kb.wrap(result);
}

V wgmma::element(KernelBuilder &kb, V accumulators, int64_t i) {
  return kb.wrap(LLVM::ExtractValueOp::create(kb.b, kb.loc, accumulators, i));
}

V wgmma::descriptor(KernelBuilder &kb, V ptr) {
  V address = kb.wrap(LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.b.getI32Type(), ptr));
  // Fields in units of 16 bytes: start (bits 0-13), distance between groups of
  // eight rows (bits 32-45). Bit 62: 128-byte swizzle. The distance along K
  // (bits 16-29) has no meaning within one swizzled row.
  constexpr int64_t swizzle128 = int64_t(1) << 62;
  constexpr int64_t groupStride = int64_t(1024 >> 4) << 32;
  constexpr int64_t leadingStride = int64_t(1) << 16;
  return kb.wide(address.shr(4) & 0x3fff) | (swizzle128 | groupStride | leadingStride);
}

V wgmma::advance(KernelBuilder &kb, V descriptor, V bytes) {
  return descriptor + kb.wide(bytes.shr(4));
}

V wgmma::multiply(KernelBuilder &kb, Type element, int64_t n, V a, V b, V accumulators) {
  auto scale = NVVM::WGMMAScaleOut::one;
  if (!accumulators) {
    accumulators = kb.wrap(LLVM::UndefOp::create(kb.b, kb.loc, accumulatorType(kb, n)));
    scale = NVVM::WGMMAScaleOut::zero;
  }
  bool isF8 = isa<Float8E4M3FNType>(element);
  auto type = isF8              ? NVVM::WGMMATypes::e4m3
              : element.isF16() ? NVVM::WGMMATypes::f16
                                : NVVM::WGMMATypes::bf16;
  return kb.wrap(NVVM::WgmmaMmaAsyncOp::create(
      kb.b, kb.loc, accumulators.getType(), accumulators, a, b,
      NVVM::MMAShapeAttr::get(kb.b.getContext(), 64, n, isF8 ? 32 : 16), type, type,
      NVVM::WGMMATypes::f32, scale, NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
      NVVM::MMALayout::row, NVVM::MMALayout::col, NVVM::MMAIntOverflowAttr()));
}

void wgmma::fence(KernelBuilder &kb) { NVVM::WgmmaFenceAlignedOp::create(kb.b, kb.loc); }
void wgmma::commit(KernelBuilder &kb) { NVVM::WgmmaGroupSyncAlignedOp::create(kb.b, kb.loc); }
void wgmma::wait(KernelBuilder &kb, int64_t pending) {
  NVVM::WgmmaWaitGroupSyncOp::create(kb.b, kb.loc, pending);
}

V wgmma::finish(KernelBuilder &kb, V accumulators) {
  // Registers pass through the instruction: nothing that reads them can be moved in front of it.
  int64_t count = cast<LLVM::LLVMStructType>(accumulators.getType()).getBody().size();
  std::string outputs, inputs;
  SmallVector<Value> operands;
  for (int64_t i = 0; i < count; ++i) {
    outputs += "=f,";
    inputs += std::to_string(i) + ",";
    operands.push_back(element(kb, accumulators, i));
  }
  return kb.wrap(LLVM::InlineAsmOp::create(
                     kb.b, kb.loc, accumulators.getType(), operands,
                     "wgmma.wait_group.sync.aligned 0;", outputs + inputs + "~{memory}",
                     /*has_side_effects=*/true, /*is_align_stack=*/false,
                     LLVM::tailcallkind::TailCallKind::None,
                     LLVM::AsmDialectAttr::get(kb.b.getContext(), LLVM::AsmDialect::AD_ATT),
                     /*operand_attrs=*/ArrayAttr())
                     .getResult(0));
}

void wgmma::decreaseRegisters(KernelBuilder &kb, int64_t count) {
  NVVM::SetMaxRegisterOp::create(kb.b, kb.loc, count, NVVM::SetMaxRegisterAction::decrease);
}
void wgmma::increaseRegisters(KernelBuilder &kb, int64_t count) {
  NVVM::SetMaxRegisterOp::create(kb.b, kb.loc, count, NVVM::SetMaxRegisterAction::increase);
}
