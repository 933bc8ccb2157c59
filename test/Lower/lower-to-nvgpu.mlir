// RUN: ff-opt %s --ff-schedule=chip=sm_90a --ff-lower-to-nvgpu | FileCheck %s

// CHECK: module attributes {ff.target = #ff.target<{{.*}}>, gpu.container_module}

// The op becomes a call; packed weights are made in front of it.
// CHECK-LABEL: func.func @norm(
// CHECK-SAME: %[[X:.*]]: memref<?x64xbf16>, %[[G:.*]]: memref<64xf32>, %[[W:.*]]: memref<32x64xbf16>, %[[O:.*]]: memref<?x32xbf16>
// CHECK: %[[PW:.*]] = memref.alloc() : memref<32x64xbf16>
// CHECK: %[[PC:.*]] = memref.alloc() : memref<1x32xf32>
// CHECK: %[[PB:.*]] = memref.alloc() : memref<1x32xf32>
// CHECK: call @norm_online_0_pack(%[[G]], %[[W]], %[[PW]], %[[PC]], %[[PB]])
// CHECK: call @norm_online_0(%[[X]], %[[G]], %[[W]], %[[O]], %[[PW]], %[[PC]], %[[PB]])
// CHECK: memref.dealloc %[[PW]]

// A column slice is copied: kernels want contiguous rows.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) : memref<?x64xbf16>
// CHECK: memref.copy %{{.*}}, %[[COPY]]
// CHECK: call @strided_online_0(%[[COPY]],

// CHECK: gpu.module @ff_kernels
// CHECK: llvm.mlir.global external @ff_smem() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK: llvm.func @norm_online_0_decode_0({{.*}}!llvm.ptr<1>{{.*}}i32) attributes {gpu.kernel, {{.*}}nvvm.kernel
// CHECK: llvm.func @norm_online_0_prefill_{{[0-9]+}}(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// CHECK: llvm.func @norm_online_0_pack_0(

// The pack function, then the launch function: nothing for no rows, else the
// first variant that serves.
// CHECK: func.func private @norm_online_0_pack(
// CHECK: gpu.launch_func @ff_kernels::@norm_online_0_pack_0
// CHECK: func.func private @norm_online_0(
// CHECK-SAME: attributes {ff.pack = @norm_online_0_pack, ff.plan = {pack = [
// CHECK: %[[M:.*]] = memref.dim
// CHECK: arith.cmpi ne, %[[M]]
// CHECK: scf.if
// CHECK: arith.cmpi ule, %[[M]]
// CHECK: gpu.launch_func @ff_kernels::@norm_online_0_decode_0
// CHECK: nvgpu.tma.create.descriptor
// CHECK: gpu.launch_func @ff_kernels::@norm_online_0_prefill

func.func @norm(%x: memref<?x64xbf16>, %g: memref<64xf32>, %w: memref<32x64xbf16>, %o: memref<?x32xbf16>) {
  ff.online(%x) gain(%g) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = [#ff.statistic<mean_square>]}
    : (memref<?x64xbf16>, memref<64xf32>, memref<32x64xbf16>, memref<?x32xbf16>) -> () row {
    ^bb0(%q: f32):
      %r = math.rsqrt %q : f32
      ff.yield %r : f32
    } finalize {
    ^bb0(%z: f32):
      %y = arith.truncf %z : f32 to bf16
      ff.yield %y : bf16
    }
  return
}

func.func @strided(%x: memref<?x64xbf16, strided<[128, 1]>>, %w: memref<32x64xbf16>, %o: memref<?x32xbf16>) {
  ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = []}
    : (memref<?x64xbf16, strided<[128, 1]>>, memref<32x64xbf16>, memref<?x32xbf16>) -> () row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %y = arith.truncf %z : f32 to bf16
      ff.yield %y : bf16
    }
  return
}
