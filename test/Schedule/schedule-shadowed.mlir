// RUN: ff-opt %s --ff-schedule="chip=sm_90a family=prefill" | FileCheck %s

// A variant whose rows and alignment earlier ones serve is not emitted: of the
// mma.sync kernel none with a lower bound of rows is left, and the one for
// pointers of any alignment makes the simt kernel needless.

// CHECK: schedule = [#ff.schedule<{{[^]]*}}mma = wgmma
// CHECK-NOT: mma = mma_sync, min_rows
// CHECK: #ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64, tile_k = 64, stages = 5>]
func.func @f(%x: memref<?x256xbf16>, %w: memref<512x256xbf16>, %y: memref<?x512xbf16>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (memref<?x256xbf16>, memref<512x256xbf16>, memref<?x512xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
