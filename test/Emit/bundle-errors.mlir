// RUN: not ff-opt %s --ff-emit-ptx --emit=bundle -o %t.ffb 2>&1 | FileCheck %s
// RUN: not ls %t.ffb
// RUN: not ff-opt %s --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=NOPTX
// RUN: not ls %t.ptx
// RUN: echo "func.func @f() { return }" | not ff-opt --ff-to-ptx --emit=bundle 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: echo "func.func @f() { return }" | not ff-opt --emit=ptx 2>&1 | FileCheck %s --check-prefix=NOT-COMPILED
// RUN: not ff-opt %s --split-input-file --emit=ptx 2>&1 | FileCheck %s --check-prefix=SPLIT

// Every function is looked at, and nothing is written.
// NOPTX: error: the module holds kernels but no PTX; run ff-emit-ptx
// NOTHING: error: the module holds no kernel: nothing was fused
// NOT-COMPILED: error: the module holds no PTX: it was not compiled for a GPU; run ff-to-ptx
// SPLIT: --emit takes one module
#k = {kernel = "k", grid = 1 : i64, grid_tile_m = 0 : i64, grid_tiles_n = 0 : i64, grid_cap = 0 : i64,
  block = 128 : i64, cluster = 1 : i64, shared_bytes = 0 : i64, min_rows = 1 : i64, max_rows = 0 : i64,
  align = 1 : i64, packed = false, dependent_launch = false, args = [{kind = "buffer", index = 0 : i64}]}
#gone = {kernel = "gone", grid = 1 : i64, grid_tile_m = 0 : i64, grid_tiles_n = 0 : i64, grid_cap = 0 : i64,
  block = 128 : i64, cluster = 1 : i64, shared_bytes = 0 : i64, min_rows = 1 : i64, max_rows = 0 : i64,
  align = 1 : i64, packed = false, dependent_launch = false, args = [{kind = "buffer", index = 0 : i64}]}
module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  gpu.module @ff_kernels {
    llvm.func @k(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} { llvm.return }
  }
  func.func private @online(memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>)
      attributes {ff.plan = {variants = [#k], pack = [], packed = [], segments = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 1>}}
  func.func private @lost(memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>)
      attributes {ff.plan = {variants = [#gone], pack = [], packed = [], segments = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 1>}}
  func.func private @broken(memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>)
      attributes {ff.plan = {variants = 3}}
  func.func private @other(memref<4x8xf32>)

  func.func @compute(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32> {bufferize.result}) {
    %t = memref.alloc() : memref<4x8xf32>
    call @online(%x, %w, %t) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    // CHECK: [[@LINE+1]]:5: error: 'linalg.exp' remains outside of fused kernels; a bundle holds fused kernels only
    linalg.exp ins(%t : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
    return
  }
  func.func @calls(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32> {bufferize.result}) {
    call @online(%x, %w, %y) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    // CHECK: [[@LINE+1]]:5: error: 'func.call' remains outside of fused kernels
    call @other(%y) : (memref<4x8xf32>) -> ()
    return
  }
  func.func @uninitialized(%w: memref<8x8xf32>, %y: memref<4x8xf32> {bufferize.result}) {
    %t = memref.alloc() : memref<4x8xf32>
    // CHECK: [[@LINE+1]]:5: error: operand 0 is read before it is written
    call @online(%t, %w, %y) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    return
  }
  func.func @into_argument(%x: memref<4x8xf32>, %w: memref<8x8xf32>) {
    // CHECK: [[@LINE+1]]:5: error: a fused kernel writes to a buffer that is neither a result nor local
    call @online(%x, %w, %x) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    return
  }
  func.func @strided(%x: memref<4x8xf32, strided<[16, 1]>>, %w: memref<8x8xf32>, %y: memref<4x8xf32> {bufferize.result}) {
    // CHECK: [[@LINE-1]]:3: error: argument 0 of 'strided', of type 'memref<4x8xf32, strided<[16, 1]>>', is not a contiguous buffer
    %c = memref.cast %x : memref<4x8xf32, strided<[16, 1]>> to memref<?x?xf32, strided<[?, ?]>>
    call @online(%y, %w, %y) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    return
  }
  func.func @unwritten(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32> {bufferize.result}, %z: memref<4xf32> {bufferize.result}) {
    // CHECK: [[@LINE-1]]:3: error: result 1 of 'unwritten' is not written by a fused kernel
    call @online(%x, %w, %y) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    return
  }
  func.func @missing(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32> {bufferize.result}) {
    // CHECK: [[@LINE-1]]:3: error: 'missing' launches kernel 'gone', which the PTX does not hold
    call @lost(%x, %w, %y) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    return
  }
  func.func @malformed(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32> {bufferize.result}) {
    call @broken(%x, %w, %y) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
    return
  }
  // CHECK: error: 'broken' has a malformed ff.plan
}
