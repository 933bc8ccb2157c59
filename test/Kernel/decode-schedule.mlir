// What the decode kernel proposes: ranges of rows, K per stage, depth of the ring.
// Without wgmma, which takes over from some number of rows on (decode-wgmma-schedule.mlir).
// RUN: ff-opt %s --ff-schedule=chip=sm_90 --split-input-file | FileCheck %s
// RUN: ff-opt %s --ff-schedule=chip=sm_80 --split-input-file | FileCheck %s --check-prefix=SM80

// One row block of up to 16 rows; weights stay as they are. From five rows on, L1 is left room
// for x; on sm_80 a deeper ring does not fit anyway.
// CHECK-LABEL: func.func @llama
// CHECK: schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 4, tile_m = 8, tile_n = 8, tile_k = 2048, stages = 6, warps = 16, split = 2, align = 16>,
// CHECK-SAME: #ff.schedule<family = decode, mma = mma_sync, min_rows = 5, max_rows = 8, tile_m = 8, tile_n = 8, tile_k = 2048, stages = 4, warps = 16, split = 2, align = 16>,
// CHECK-SAME: #ff.schedule<family = decode, mma = mma_sync, min_rows = 9, max_rows = 16, tile_m = 16, tile_n = 8, tile_k = 2048, stages = 4, warps = 16, split = 2, align = 16>,
// CHECK-SAME: #ff.schedule<family = prefill
// SM80-LABEL: func.func @llama
// SM80: family = decode, mma = mma_sync, max_rows = 8, tile_m = 8, tile_n = 8, tile_k = 2048, stages = 4
func.func @llama(%x: memref<?x4096xbf16>, %w: memref<4096x4096xbf16>, %y: memref<?x4096xbf16>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       linears_of = [array<i64: 0>]}
      : (memref<?x4096xbf16>, memref<4096x4096xbf16>, memref<?x4096xbf16>) -> ()
  row {
  ^bb0(%q: f32):
    %r = math.rsqrt %q : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}

// -----

// A static M needs one variant. K x N weights are packed.
// CHECK-LABEL: func.func @static_rows
// CHECK: schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8, tile_n = 8, tile_k = 768, stages = 8, packed = true, align = 16>,
// CHECK-SAME: #ff.schedule<family = prefill
func.func @static_rows(%x: memref<4x768xf16>, %w: memref<768x2304xf16>, %y: memref<4x2304xf16>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<kn>], linears_of = [array<i64: 0>]}
      : (memref<4x768xf16>, memref<768x2304xf16>, memref<4x2304xf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to f16
    ff.yield %t : f16
  }
  return
}

// -----

// Rows that are no multiple of 16 bytes cannot be copied in bulk.
// CHECK-LABEL: func.func @odd_k
// CHECK-NOT: family = decode
func.func @odd_k(%x: memref<?x100xf16>, %w: memref<32x100xf16>, %y: memref<?x32xf16>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (memref<?x100xf16>, memref<32x100xf16>, memref<?x32xf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to f16
    ff.yield %t : f16
  }
  return
}

// -----

// CHECK-LABEL: func.func @f32
// CHECK-NOT: family = decode
func.func @f32(%x: memref<?x64xf32>, %w: memref<32x64xf32>, %y: memref<?x32xf32>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (memref<?x64xf32>, memref<32x64xf32>, memref<?x32xf32>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return
}
