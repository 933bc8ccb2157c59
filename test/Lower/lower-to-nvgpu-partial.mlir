// RUN: ff-opt %s --ff-lower-to-nvgpu | FileCheck %s

// A schedule written by hand may not serve every M: the host says so at run
// time instead of leaving the result unwritten.
// CHECK: func.func private @partial_online_0(
// CHECK: cf.assert %{{.*}}, "more rows than a kernel can count"
// CHECK: arith.cmpi ule, %{{.*}}, %{{.*}} : index
// CHECK: gpu.launch_func
// CHECK: } else {
// CHECK: cf.assert %{{.*}}, "no kernel variant serves these rows and pointers"
module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
  func.func @partial(%x: memref<?x64xf32>, %w: memref<32x64xf32>, %o: memref<?x32xf32>) {
    ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
      linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = simt, mma = fma, max_rows = 5, tile_m = 64, tile_n = 64, tile_k = 16>]}
      : (memref<?x64xf32>, memref<32x64xf32>, memref<?x32xf32>) -> () row {
        ff.yield
      } finalize {
      ^bb0(%z: f32):
        ff.yield %z : f32
      }
    return
  }
}
