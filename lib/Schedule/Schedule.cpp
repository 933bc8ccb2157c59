#include "FlashFusion/Schedule/Passes.h"
#include "FlashFusion/Dialect/IR/FF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
namespace mlir::flashfusion {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "FlashFusion/Schedule/Passes.h.inc"
namespace {
struct SchedulePass : impl::SchedulePassBase<SchedulePass> {
  using Base::Base;
  void runOnOperation() override { getOperation()->emitError("Schedule is under construction"); signalPassFailure(); }
};
} // namespace
} // namespace mlir::flashfusion
