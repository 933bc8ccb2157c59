//===- KernelBuilder.cpp - Values, memory, control flow --------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Kernel/KernelBuilder.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::flashfusion;

//===----------------------------------------------------------------------===//
// V
//===----------------------------------------------------------------------===//

static bool isFloat(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

template <typename IntOp, typename FloatOp>
static V emit(KernelBuilder *kb, V a, V b) {
  if (isFloat(a.getType()))
    return kb->wrap(kb->b.createOrFold<FloatOp>(kb->loc, a, b));
  return kb->wrap(kb->b.createOrFold<IntOp>(kb->loc, a, b));
}
template <typename IntOp>
static V emitInt(KernelBuilder *kb, V a, V b) {
  return kb->wrap(kb->b.createOrFold<IntOp>(kb->loc, a, b));
}

V V::operator+(V o) const { return emit<arith::AddIOp, arith::AddFOp>(kb, *this, o); }
V V::operator-(V o) const { return emit<arith::SubIOp, arith::SubFOp>(kb, *this, o); }
V V::operator*(V o) const { return emit<arith::MulIOp, arith::MulFOp>(kb, *this, o); }
V V::operator/(V o) const { return emit<arith::DivUIOp, arith::DivFOp>(kb, *this, o); }
V V::operator%(V o) const { return emitInt<arith::RemUIOp>(kb, *this, o); }
V V::operator&(V o) const { return emitInt<arith::AndIOp>(kb, *this, o); }
V V::operator|(V o) const { return emitInt<arith::OrIOp>(kb, *this, o); }
V V::operator^(V o) const { return emitInt<arith::XOrIOp>(kb, *this, o); }

V V::same(int64_t c) const {
  if (isFloat(value.getType()))
    return kb->f32(static_cast<double>(c));
  return kb->wrap(arith::ConstantOp::create(kb->b, kb->loc, IntegerAttr::get(value.getType(), c)));
}

V V::operator+(int64_t c) const { return *this + same(c); }
V V::operator-(int64_t c) const { return *this - same(c); }
V V::operator*(int64_t c) const { return *this * same(c); }
V V::operator/(int64_t c) const { return *this / same(c); }
V V::operator%(int64_t c) const { return *this % same(c); }
V V::operator&(int64_t c) const { return *this & same(c); }
V V::operator|(int64_t c) const { return *this | same(c); }
V V::operator^(int64_t c) const { return *this ^ same(c); }
V V::shl(int64_t bits) const { return emitInt<arith::ShLIOp>(kb, *this, same(bits)); }
V V::shr(int64_t bits) const { return emitInt<arith::ShRUIOp>(kb, *this, same(bits)); }

static V cmp(KernelBuilder *kb, arith::CmpIPredicate predicate, V a, V b) {
  return kb->wrap(kb->b.createOrFold<arith::CmpIOp>(kb->loc, predicate, a, b));
}
V V::lt(V o) const { return cmp(kb, arith::CmpIPredicate::ult, *this, o); }
V V::ge(V o) const { return cmp(kb, arith::CmpIPredicate::uge, *this, o); }
V V::eq(V o) const { return cmp(kb, arith::CmpIPredicate::eq, *this, o); }
V V::ne(V o) const { return cmp(kb, arith::CmpIPredicate::ne, *this, o); }
V V::lt(int64_t c) const { return lt(same(c)); }
V V::ge(int64_t c) const { return ge(same(c)); }
V V::eq(int64_t c) const { return eq(same(c)); }
V V::ne(int64_t c) const { return ne(same(c)); }

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static constexpr StringLiteral smemName = "ff_smem";

SmallVector<V> KernelBuilder::begin(gpu::GPUModuleOp module, StringRef name, OnlineOp op,
                                    ArrayRef<KernelArg> args, int64_t threads, int64_t minBlocks,
                                    int64_t cluster) {
  MLIRContext *context = b.getContext();
  auto global = LLVM::LLVMPointerType::get(context, 1);
  auto generic = LLVM::LLVMPointerType::get(context);
  auto mapType = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
  SmallVector<Type> types;
  for (const KernelArg &arg : args)
    switch (arg.kind) {
    case KernelArg::Kind::Buffer:
    case KernelArg::Kind::Packed:
      types.push_back(global);
      break;
    case KernelArg::Kind::TensorMap:
    case KernelArg::Kind::PackedMap:
      types.push_back(generic);
      break;
    case KernelArg::Kind::Scalar:
      types.push_back(op->getOperand(arg.index).getType());
      break;
    case KernelArg::Kind::Rows:
      types.push_back(b.getI32Type());
      break;
    }

  // Dynamic shared memory must be an external symbol: an internal zero-sized
  // global (gpu.dynamic_shared_memory) is demoted by LLVM.
  b.setInsertionPointToStart(module.getBody());
  if (!module.lookupSymbol(smemName))
    LLVM::GlobalOp::create(b, loc, LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External, smemName, Attribute(),
                           /*alignment=*/1024, /*addrSpace=*/3);
  b.setInsertionPointToEnd(module.getBody());
  auto func = LLVM::LLVMFuncOp::create(
      b, loc, name, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types));
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
  func->setAttr("nvvm.maxntid", b.getDenseI32ArrayAttr({static_cast<int32_t>(threads)}));
  func->setAttr("nvvm.minctasm", b.getI32IntegerAttr(minBlocks));
  if (cluster > 1)
    func->setAttr("nvvm.cluster_dim",
                  b.getDenseI32ArrayAttr({static_cast<int32_t>(cluster), 1, 1}));
  for (auto [i, type] : llvm::enumerate(types))
    if (type == generic) {
      func.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(mapType));
      func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
      func.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
    }
  Block *entry = func.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  smemBase = LLVM::AddressOfOp::create(b, loc, LLVM::LLVMPointerType::get(context, 3), smemName);
  return llvm::map_to_vector(entry->getArguments(), [&](Value arg) { return wrap(arg); });
}

void KernelBuilder::end() { LLVM::ReturnOp::create(b, loc, ValueRange()); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static V constant(KernelBuilder &kb, TypedAttr attr) {
  return kb.wrap(arith::ConstantOp::create(kb.b, kb.loc, attr));
}
V KernelBuilder::i1(bool c) { return constant(*this, b.getBoolAttr(c)); }
V KernelBuilder::i16(int64_t c) { return constant(*this, b.getI16IntegerAttr(c)); }
V KernelBuilder::i32(int64_t c) {
  return constant(*this, b.getIntegerAttr(b.getI32Type(), static_cast<int32_t>(c)));
}
V KernelBuilder::i64(int64_t c) { return constant(*this, b.getI64IntegerAttr(c)); }
V KernelBuilder::f32(double c) { return constant(*this, b.getF32FloatAttr(c)); }
V KernelBuilder::wide(V a) { return wrap(b.createOrFold<arith::ExtUIOp>(loc, b.getI64Type(), a)); }
V KernelBuilder::min(V x, V y) { return wrap(b.createOrFold<arith::MinUIOp>(loc, x, y)); }
V KernelBuilder::select(V cond, V x, V y) {
  return wrap(b.createOrFold<arith::SelectOp>(loc, cond, x, y));
}
V KernelBuilder::fma(V x, V y, V z) {
  // vector.fma and the LLVM intrinsic are plain fma; scalar math.fma would be
  // a libdevice call.
  return wrap(LLVM::FMAOp::create(b, loc, Value(x), Value(y), Value(z)));
}
static V intrinsic(KernelBuilder &kb, StringRef name, V a) {
  return kb.wrap(LLVM::CallIntrinsicOp::create(kb.b, kb.loc, a.getType(), kb.b.getStringAttr(name),
                                               ValueRange{Value(a)})
                     ->getResult(0));
}
V KernelBuilder::rsqrt(V a) {
  return exactRoots ? f32(1.0) / sqrt(a) : intrinsic(*this, "llvm.nvvm.rsqrt.approx.f", a);
}
V KernelBuilder::sqrt(V a) { return intrinsic(*this, "llvm.nvvm.sqrt.rn.f", a); }
V KernelBuilder::fmin(V x, V y) { return wrap(arith::MinimumFOp::create(b, loc, x, y)); }
V KernelBuilder::fmax(V x, V y) { return wrap(arith::MaximumFOp::create(b, loc, x, y)); }
V KernelBuilder::bitcast(V a, Type type) {
  if (a.getType() == type)
    return a;
  return wrap(LLVM::BitcastOp::create(b, loc, type, a));
}

static Type withElement(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}
/// Bits of an f8E4M3FN in the places of an f32's are the number divided by 2^120 (the difference of
/// the exponents' biases), subnormal numbers included; exponent and significand of ones are a NaN.
static V widenF8(KernelBuilder &kb, V a) {
  V bits = kb.wrap(arith::ExtUIOp::create(kb.b, kb.loc, kb.b.getI32Type(), Value(a)));
  V magnitude = bits & 0x7f;
  V value = kb.bitcast(magnitude.shl(20), kb.b.getF32Type()) * kb.f32(0x1p120);
  V sign = (bits & 0x80).shl(24);
  V exact = kb.bitcast(value, kb.b.getI32Type()) | sign;
  return kb.bitcast(kb.select(magnitude.eq(0x7f), kb.i32(0x7fc00000), exact), kb.b.getF32Type());
}

V KernelBuilder::toF32(V a) {
  if (a.getType().isInteger(8))
    return widenF8(*this, a);
  Type type = withElement(a.getType(), b.getF32Type());
  return a.getType() == type ? a : wrap(arith::ExtFOp::create(b, loc, type, Value(a)));
}
V KernelBuilder::fromF32(V a, Type element) {
  if (isa<Float8E4M3FNType>(element))
    return toF8(a);
  Type type = withElement(a.getType(), element);
  return a.getType() == type ? a : wrap(arith::TruncFOp::create(b, loc, type, Value(a)));
}
V KernelBuilder::extract(V vector, int64_t i) {
  return wrap(vector::ExtractOp::create(b, loc, vector, i));
}
V KernelBuilder::pack(ArrayRef<V> elements) {
  auto type = VectorType::get({static_cast<int64_t>(elements.size())}, elements[0].getType());
  SmallVector<Value> values(elements.begin(), elements.end());
  return wrap(vector::FromElementsOp::create(b, loc, type, values));
}
V KernelBuilder::splat(V a, int64_t count) {
  return wrap(vector::BroadcastOp::create(b, loc, VectorType::get({count}, a.getType()), a));
}
V KernelBuilder::tid() { return wrap(NVVM::ThreadIdXOp::create(b, loc, b.getI32Type())); }
V KernelBuilder::cta() { return wrap(NVVM::BlockIdXOp::create(b, loc, b.getI32Type())); }
V KernelBuilder::numCtas() { return wrap(NVVM::GridDimXOp::create(b, loc, b.getI32Type())); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

V KernelBuilder::smem() { return wrap(smemBase); }

V KernelBuilder::at(V base, V bytes) {
  bool isGlobal = cast<LLVM::LLVMPointerType>(base.getType()).getAddressSpace() != 3;
  if (isGlobal && bytes.getType().isInteger(32))
    bytes = wide(bytes);
  return wrap(LLVM::GEPOp::create(b, loc, base.getType(), b.getI8Type(), base,
                                  ArrayRef<LLVM::GEPArg>{Value(bytes)}));
}
V KernelBuilder::at(V base, int64_t bytes) {
  if (bytes == 0)
    return base;
  bool isGlobal = cast<LLVM::LLVMPointerType>(base.getType()).getAddressSpace() != 3;
  return at(base, isGlobal ? i64(bytes) : i32(bytes));
}
V KernelBuilder::load(V ptr, Type type, int64_t align) {
  if (isa<Float8E4M3FNType>(type))
    type = b.getI8Type();
  return wrap(LLVM::LoadOp::create(b, loc, type, ptr, align));
}
void KernelBuilder::store(V value, V ptr, int64_t align) {
  LLVM::StoreOp::create(b, loc, value, ptr, align);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static SmallVector<Value> values(ArrayRef<V> list) {
  return SmallVector<Value>(list.begin(), list.end());
}
static SmallVector<V> wrapAll(KernelBuilder &kb, ValueRange range) {
  return llvm::map_to_vector(range, [&](Value v) { return kb.wrap(v); });
}

SmallVector<V> KernelBuilder::forLoop(V lo, V hi, V step, ArrayRef<V> init, Body body) {
  auto loop = scf::ForOp::create(b, loc, lo, hi, step, values(init),
                                 [&](OpBuilder &, Location, Value iv, ValueRange carried) {
                                   // The body is built through this builder, wherever it stands.
                                   OpBuilder::InsertionGuard guard(b);
                                   b.setInsertionPointToEnd(iv.getParentBlock());
                                   SmallVector<V> next = body(wrap(iv), wrapAll(*this, carried));
                                   scf::YieldOp::create(b, loc, values(next));
                                 });
  return wrapAll(*this, loop.getResults());
}
void KernelBuilder::forLoop(V lo, V hi, V step, function_ref<void(V)> body) {
  forLoop(lo, hi, step, {}, [&](V iv, ArrayRef<V>) {
    body(iv);
    return SmallVector<V>();
  });
}

SmallVector<V> KernelBuilder::ifElse(V cond, function_ref<SmallVector<V>()> then,
                                     function_ref<SmallVector<V>()> otherwise) {
  auto branch = [&](function_ref<SmallVector<V>()> body) {
    return [&, body](OpBuilder &inner, Location) {
      OpBuilder::InsertionGuard guard(b);
      b.restoreInsertionPoint(inner.saveInsertionPoint());
      scf::YieldOp::create(b, loc, values(body()));
    };
  };
  auto op = scf::IfOp::create(b, loc, cond, branch(then), branch(otherwise));
  return wrapAll(*this, op.getResults());
}
void KernelBuilder::ifThenElse(V cond, function_ref<void()> then, function_ref<void()> otherwise) {
  ifElse(
      cond, [&] { return then(), SmallVector<V>(); },
      [&] { return otherwise(), SmallVector<V>(); });
}
void KernelBuilder::ifThen(V cond, function_ref<void()> then) {
  ifThenElse(cond, then, [] {});
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void KernelBuilder::syncThreads() { NVVM::BarrierOp::create(b, loc); }
void KernelBuilder::barrier(int64_t id, int64_t threads) {
  NVVM::BarrierOp::create(b, loc, Type(), i32(id), i32(threads), NVVM::BarrierReductionAttr(),
                          Value());
}
void KernelBuilder::syncWarp() { NVVM::SyncWarpOp::create(b, loc, i32(-1)); }
V KernelBuilder::shuffleXor(V value, int64_t lanes) {
  return wrap(NVVM::ShflOp::create(b, loc, value.getType(), i32(-1), value, i32(lanes), i32(31),
                                   NVVM::ShflKind::bfly, UnitAttr()));
}
V KernelBuilder::shuffleFrom(V value, V lane) {
  return wrap(NVVM::ShflOp::create(b, loc, value.getType(), i32(-1), value, lane, i32(31),
                                   NVVM::ShflKind::idx, UnitAttr()));
}
V KernelBuilder::sumLanes(V value, int64_t width) {
  for (int64_t d = 1; d < width; d *= 2)
    value = value + shuffleXor(value, d);
  return value;
}
