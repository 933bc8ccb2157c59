// RUN: ff-opt %s --ff-emit-ptx --emit=bundle -o %t.ffb
// RUN: FileCheck %s --input-file=%t.ffb
// RUN: %python -c "import json; json.load(open('%t.ffb'))"

// CHECK: "format": "flashfusion-bundle"
// CHECK-NEXT: "version": 1
// CHECK: "chip": "sm_90a"
// CHECK-NEXT: "ptx_version": "8.3"
// CHECK: "name": "f"
// CHECK: "name": "arg0"
// CHECK-NEXT: "type": "bf16"
// CHECK-NEXT: "shape": [
// CHECK-NEXT: null,
// CHECK-NEXT: 8,
// CHECK-NEXT: 64
// CHECK: "name": "arg2"
// CHECK-NEXT: "type": "f32"
// CHECK-NEXT: }
// CHECK: "results"
// CHECK: "name": "result0"
// CHECK: "written_by": 1
// CHECK: "constants"
// CHECK: "type": "f32"
// CHECK: "data": "AACAPwAAgD8
// The buffer between the steps; the packed one belongs to the plan.
// CHECK: "intermediates"
// CHECK: "type": "bf16"
// CHECK: "written_by": 0
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "steps"
// CHECK: "name": "f_online_0"
// CHECK: "role": "x"
// CHECK-NEXT: "source": "argument"
// CHECK-NEXT: "index": 0
// CHECK: "role": "gain"
// CHECK-NEXT: "source": "constant"
// CHECK: "role": "weight"
// CHECK: "role": "scalar"
// CHECK-NEXT: "source": "argument"
// CHECK-NEXT: "index": 2
// CHECK-NEXT: "type": "f32"
// CHECK: "role": "out"
// CHECK-NEXT: "source": "intermediate"
// CHECK-NEXT: "index": 0
// CHECK: "kernel": "fast"
// CHECK: "align": 16
// CHECK: "packed": true
// CHECK: "kind": "tensor_map"
// CHECK: "box": [
// CHECK: "pack": [
// CHECK: "kernel": "pack"
// CHECK: "packed": [
// CHECK-NEXT: {
// CHECK-NEXT: "type": "bf16"
// CHECK: "name": "f_online_1"
// CHECK: "role": "x"
// CHECK-NEXT: "source": "intermediate"
// CHECK: "role": "scalar"
// CHECK-NEXT: "source": "number"
// CHECK-NEXT: "value": 0.5
// CHECK: "role": "out"
// CHECK-NEXT: "source": "result"
// CHECK: "ptx": "{{.*}}.entry fast(
// CHECK-NOT: unfused
#simt = {kernel = "slow", grid = 0 : i64, grid_tile_m = 16 : i64, grid_tiles_n = 2 : i64, grid_cap = 0 : i64,
  block = 128 : i64, cluster = 1 : i64, shared_bytes = 0 : i64, min_rows = 1 : i64, max_rows = 0 : i64,
  align = 1 : i64, packed = false, dependent_launch = false,
  args = [{kind = "buffer", index = 0 : i64}, {kind = "scalar", index = 3 : i64}, {kind = "rows", index = 0 : i64}]}
#fast = {kernel = "fast", grid = 132 : i64, grid_tile_m = 0 : i64, grid_tiles_n = 0 : i64, grid_cap = 0 : i64,
  block = 128 : i64, cluster = 1 : i64, shared_bytes = 65536 : i64, min_rows = 1 : i64, max_rows = 16 : i64,
  align = 16 : i64, packed = true, dependent_launch = true,
  args = [{kind = "tensor_map", index = 0 : i64, box_rows = 16 : i64, box_cols = 64 : i64}, {kind = "packed", index = 0 : i64}]}
#pack = {kernel = "pack", grid = 1 : i64, grid_tile_m = 0 : i64, grid_tiles_n = 0 : i64, grid_cap = 0 : i64,
  block = 128 : i64, cluster = 1 : i64, shared_bytes = 0 : i64, min_rows = 1 : i64, max_rows = 0 : i64,
  align = 1 : i64, packed = false, dependent_launch = false,
  args = [{kind = "buffer", index = 2 : i64}, {kind = "packed", index = 0 : i64}]}
module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  gpu.module @ff_kernels {
    llvm.func @slow(%x: !llvm.ptr<1>, %e: f32, %m: i32) attributes {gpu.kernel, nvvm.kernel} { llvm.return }
    llvm.func @fast(%x: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, llvm.align = 64 : i64}, %p: !llvm.ptr<1>)
        attributes {gpu.kernel, nvvm.kernel} { llvm.return }
    llvm.func @pack(%w: !llvm.ptr<1>, %p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} { llvm.return }
  }
  memref.global "private" constant @ones : memref<64xf32> = dense<1.0>
  func.func private @f_online_0(memref<?x64xbf16>, memref<64xf32>, memref<64x64xbf16>, f32, memref<?x64xbf16>, memref<64x64xbf16>)
      attributes {ff.plan = {variants = [#fast, #simt], pack = [#pack],
                             packed = [{type = bf16, rows = 64 : i64, cols = 64 : i64}],
                             segments = array<i32: 1, 1, 0, 1, 0, 0, 0, 1, 1>}, ff.pack = @f_online_0_pack}
  func.func private @f_online_0_pack(memref<64xf32>, memref<64x64xbf16>, memref<64x64xbf16>)
  func.func private @f_online_1(memref<?x64xbf16>, memref<64xf32>, memref<64x64xbf16>, f32, memref<?x64xbf16>)
      attributes {ff.plan = {variants = [#simt], pack = [], packed = [], segments = array<i32: 1, 1, 0, 1, 0, 0, 0, 1, 1>}}
  func.func @f(%x: memref<?x8x64xbf16>, %w: memref<64x64xbf16>, %eps: f32, %out: memref<?x8x64xbf16> {bufferize.result}) {
    %c0 = arith.constant 0 : index
    %half = arith.constant 0.5 : f32
    %ones = memref.get_global @ones : memref<64xf32>
    %x2 = memref.collapse_shape %x [[0, 1], [2]] : memref<?x8x64xbf16> into memref<?x64xbf16>
    %out2 = memref.collapse_shape %out [[0, 1], [2]] : memref<?x8x64xbf16> into memref<?x64xbf16>
    %m = memref.dim %x2, %c0 : memref<?x64xbf16>
    %p = memref.alloc() : memref<64x64xbf16>
    %y = memref.alloc(%m) : memref<?x64xbf16>
    call @f_online_0_pack(%ones, %w, %p) : (memref<64xf32>, memref<64x64xbf16>, memref<64x64xbf16>) -> ()
    call @f_online_0(%x2, %ones, %w, %eps, %y, %p) : (memref<?x64xbf16>, memref<64xf32>, memref<64x64xbf16>, f32, memref<?x64xbf16>, memref<64x64xbf16>) -> ()
    call @f_online_1(%y, %ones, %w, %half, %out2) : (memref<?x64xbf16>, memref<64xf32>, memref<64x64xbf16>, f32, memref<?x64xbf16>) -> ()
    memref.dealloc %p : memref<64x64xbf16>
    memref.dealloc %y : memref<?x64xbf16>
    return
  }
  // A function without fused kernels is not part of the bundle.
  func.func @unfused(%x: memref<4xf32>, %y: memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    return
  }
}
