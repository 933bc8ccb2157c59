//===- HostLaunch.cpp - Host functions that launch kernels -----------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/HostLaunch.h"

#include "FlashFusion/Kernel/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::flashfusion;

static bool isContiguous(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return !memref || memref.getLayout().isIdentity();
}

/// The type with identity layout in the default memory space.
static Type plainType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? MemRefType::get(memref.getShape(), memref.getElementType()) : type;
}

SmallVector<Value> flashfusion::contiguousOperands(OpBuilder &b, OnlineOp op) {
  SmallVector<Value> operands;
  Location loc = op.getLoc();
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isContiguous(value.getType())) {
      operands.push_back(value);
      continue;
    }
    auto type = cast<MemRefType>(plainType(value.getType()));
    SmallVector<Value> sizes;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d))
        sizes.push_back(memref::DimOp::create(b, loc, value, d));
    Value copy = memref::AllocOp::create(b, loc, type, sizes);
    if (!op.isDpsInit(&operand))
      memref::CopyOp::create(b, loc, value, copy);
    operands.push_back(copy);
  }
  return operands;
}

void flashfusion::copyBack(OpBuilder &b, OnlineOp op, ArrayRef<Value> operands) {
  for (auto [operand, used] : llvm::zip_equal(op->getOpOperands(), operands)) {
    if (operand.get() == used)
      continue;
    if (op.isDpsInit(&operand))
      memref::CopyOp::create(b, op.getLoc(), used, operand.get());
    memref::DeallocOp::create(b, op.getLoc(), used);
  }
}

SmallVector<Value> flashfusion::packOperands(OnlineOp op, ArrayRef<Value> operands) {
  // gain, shift and weights follow x in the operand list.
  OnlineOperands at(op);
  return SmallVector<Value>(operands.slice(1, at.weights.back()));
}

namespace {

/// Builds the body of a launch or pack function.
struct HostBuilder {
  OpBuilder b;
  Location loc;
  OnlineOp op;
  gpu::GPUModuleOp kernels;
  /// Value of operand i of the op, null where the function does not have it.
  SmallVector<Value> operands, packed;
  Value rows; // index

  Value index(int64_t c) { return arith::ConstantIndexOp::create(b, loc, c); }

  /// Address of a contiguous memref as an integer.
  Value address(Value memref) {
    Value a = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), a);
  }
  Value pointer(Value memref) {
    return LLVM::IntToPtrOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext(), 1),
                                    address(memref));
  }

  /// A tensor map, handed to the kernel as the address of its 128 bytes.
  Value tensorMap(Value memref, const KernelArg &arg) {
    auto type = cast<MemRefType>(memref.getType());
    Type element = type.getElementType();
    auto boxType =
        MemRefType::get({arg.boxRows, arg.boxCols}, element, MemRefLayoutAttrInterface(),
                        gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup));
    auto mapType = nvgpu::TensorMapDescriptorType::get(
        b.getContext(), boxType, nvgpu::TensorMapSwizzleKind::SWIZZLE_128B,
        nvgpu::TensorMapL2PromoKind::L2PROMO_128B, nvgpu::TensorMapOOBKind::OOB_ZERO,
        nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
    Value unranked = memref::CastOp::create(
        b, loc, UnrankedMemRefType::get(element, type.getMemorySpace()), memref);
    Value map = nvgpu::TmaCreateDescriptorOp::create(
        b, loc, mapType, unranked, ValueRange{index(arg.boxRows), index(arg.boxCols)});
    return UnrealizedConversionCastOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()),
                                              map)
        .getResult(0);
  }

  Value argument(const KernelArg &arg) {
    switch (arg.kind) {
    case KernelArg::Kind::Buffer:
      return pointer(operands[arg.index]);
    case KernelArg::Kind::Packed:
      return pointer(packed[arg.index]);
    case KernelArg::Kind::TensorMap:
      return tensorMap(operands[arg.index], arg);
    case KernelArg::Kind::PackedMap:
      return tensorMap(packed[arg.index], arg);
    case KernelArg::Kind::Scalar:
      return operands[arg.index];
    case KernelArg::Kind::Rows:
      return arith::IndexCastOp::create(b, loc, b.getI32Type(), rows);
    }
    llvm_unreachable("unknown kind of argument");
  }

  Value gridSize(const LaunchGrid &grid) {
    if (grid.fixed)
      return index(grid.fixed);
    Value tiles = arith::CeilDivUIOp::create(b, loc, rows, index(grid.tileM));
    Value blocks = arith::MulIOp::create(b, loc, tiles, index(grid.tilesN));
    return grid.cap ? arith::MinUIOp::create(b, loc, blocks, index(grid.cap)) : blocks;
  }

  void launch(const LaunchSpec &spec) {
    SmallVector<Value> args;
    for (const KernelArg &arg : spec.args)
      args.push_back(argument(arg));
    Value one = index(1);
    gpu::KernelDim3 grid{gridSize(spec.grid), one, one}, block{index(spec.block), one, one};
    Value shared = arith::ConstantIntOp::create(b, loc, b.getI32Type(), spec.sharedBytes);
    auto symbol = SymbolRefAttr::get(kernels.getSymNameAttr(),
                                     {FlatSymbolRefAttr::get(b.getContext(), spec.kernel)});
    gpu::LaunchFuncOp::create(b, loc, symbol, grid, block, shared, args, Type());
  }

  /// Whether the variant serves these rows and pointers; null: always.
  Value serves(const LaunchSpec &spec) {
    Value result;
    auto require = [&](Value condition) {
      result = result ? arith::AndIOp::create(b, loc, result, condition) : condition;
    };
    if (spec.minRows > 1)
      require(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, rows, index(spec.minRows)));
    if (spec.maxRows)
      require(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, rows, index(spec.maxRows)));
    if (spec.align > 1) {
      Value bits;
      OnlineOperands at(op); // x, gain, shift and weights come first
      auto checked = llvm::to_vector(llvm::seq<int64_t>(at.x, at.weights.back() + 1));
      llvm::append_range(checked, at.tiles);
      llvm::append_range(checked, at.outs);
      for (int64_t i : checked) {
        Value a = address(operands[i]);
        bits = bits ? arith::OrIOp::create(b, loc, bits, a) : a;
      }
      Value mask = arith::ConstantIntOp::create(b, loc, b.getI64Type(), spec.align - 1);
      Value zero = arith::ConstantIntOp::create(b, loc, b.getI64Type(), 0);
      require(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                    arith::AndIOp::create(b, loc, bits, mask), zero));
    }
    return result;
  }

  /// if (serves(first)) launch(first) else <the rest>
  void dispatch(ArrayRef<LaunchSpec> variants) {
    if (variants.empty()) {
      Value never = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
      cf::AssertOp::create(b, loc, never, "no kernel variant serves these rows and pointers");
      return;
    }
    Value condition = serves(variants.front());
    if (!condition)
      return launch(variants.front());
    auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    launch(variants.front());
    b.setInsertionPointToStart(branch.elseBlock());
    dispatch(variants.drop_front());
  }
};

/// A private function over `inputs` and the packed buffers, in its body.
func::FuncOp beginFunction(HostBuilder &h, const LaunchPlan &plan, ArrayRef<Type> inputs,
                           StringRef name) {
  SmallVector<Type> types(inputs);
  for (const PackedBuffer &buffer : plan.packed)
    types.push_back(MemRefType::get({buffer.rows, buffer.cols}, buffer.element));
  auto func = func::FuncOp::create(h.loc, name, h.b.getFunctionType(types, {}));
  func.setPrivate();
  h.b.setInsertionPointToStart(func.addEntryBlock());
  h.packed.assign(func.getArguments().begin() + inputs.size(), func.getArguments().end());
  return func;
}

} // namespace

func::FuncOp flashfusion::buildLaunchFunction(OnlineOp op, const LaunchPlan &plan,
                                              gpu::GPUModuleOp kernels, StringRef name) {
  HostBuilder h{OpBuilder(op.getContext()), op.getLoc(), op, kernels, {}, {}, {}};
  SmallVector<Type> inputs = llvm::map_to_vector(op->getOperandTypes(), plainType);
  func::FuncOp func = beginFunction(h, plan, inputs, name);
  func->setAttr("ff.plan", plan.toAttr(op.getContext()));
  h.operands.assign(func.getArguments().begin(), func.getArguments().begin() + inputs.size());
  h.rows = memref::DimOp::create(h.b, h.loc, h.operands[0], 0);
  Value some = arith::CmpIOp::create(h.b, h.loc, arith::CmpIPredicate::ne, h.rows, h.index(0));
  // Kernels count rows in 32 bits.
  Value countable = arith::CmpIOp::create(h.b, h.loc, arith::CmpIPredicate::ule, h.rows,
                                          h.index(std::numeric_limits<int32_t>::max()));
  cf::AssertOp::create(h.b, h.loc, countable, "more rows than a kernel can count");
  for (int64_t tile : OnlineOperands(op).tiles) {
    Value extent = memref::DimOp::create(h.b, h.loc, h.operands[tile], 0);
    Value agrees = arith::CmpIOp::create(h.b, h.loc, arith::CmpIPredicate::eq, extent, h.rows);
    cf::AssertOp::create(h.b, h.loc, agrees, "a tile has another number of rows than x");
  }
  if (int64_t scale = OnlineOperands(op).xScale; scale >= 0 && !op.isSharedXScale()) {
    Value extent = memref::DimOp::create(h.b, h.loc, h.operands[scale], 0);
    Value agrees = arith::CmpIOp::create(h.b, h.loc, arith::CmpIPredicate::eq, extent, h.rows);
    cf::AssertOp::create(h.b, h.loc, agrees, "x has another number of rows than of scales");
  }
  auto guard = scf::IfOp::create(h.b, h.loc, some);
  func::ReturnOp::create(h.b, h.loc);
  h.b.setInsertionPointToStart(guard.thenBlock());
  h.dispatch(plan.variants);
  return func;
}

func::FuncOp flashfusion::buildPackFunction(OnlineOp op, const LaunchPlan &plan,
                                            gpu::GPUModuleOp kernels, StringRef name) {
  HostBuilder h{OpBuilder(op.getContext()), op.getLoc(), op, kernels, {}, {}, {}};
  SmallVector<Value> originals = packOperands(op, SmallVector<Value>(op->getOperands()));
  SmallVector<Type> inputs =
      llvm::map_to_vector(originals, [](Value v) { return plainType(v.getType()); });
  func::FuncOp func = beginFunction(h, plan, inputs, name);
  h.operands.push_back(Value());
  for (BlockArgument arg : func.getArguments().take_front(inputs.size()))
    h.operands.push_back(arg);
  for (const LaunchSpec &spec : plan.pack)
    h.launch(spec);
  func::ReturnOp::create(h.b, h.loc);
  return func;
}
