// Which variants the simt kernel proposes, and the structure of one.
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=simt" | FileCheck %s --check-prefix=SCHEDULE
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=simt" --ff-lower-to-nvgpu | FileCheck %s

// f32: streaming variants for few rows, two tiles for many; the last serves everything.
// SCHEDULE: ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>
// SCHEDULE-LABEL: func.func @layer_norm
// SCHEDULE: schedule = [
// SCHEDULE-SAME: #ff.schedule<family = simt, mma = fma, max_rows = 4, tile_m = 4, tile_n = 32, tile_k = 16, warps = 12, split = 12>,
// SCHEDULE-SAME: #ff.schedule<family = simt, mma = fma, min_rows = 5, max_rows = 16, tile_m = 16, tile_n = 32, tile_k = 16, warps = 8, split = 8>,
// SCHEDULE-SAME: #ff.schedule<family = simt, mma = fma, min_rows = 17, max_rows = 64, tile_m = 32, tile_n = 32, tile_k = 16, warps = 8, split = 8>,
// SCHEDULE-SAME: tile_m = 128, tile_n = 64, tile_k = 16, stages = 2, warps = 8>,
// SCHEDULE-SAME: #ff.schedule<family = simt, mma = fma, tile_m = 64, tile_n = 64, tile_k = 16, stages = 2, warps = 8>]

// Of 16-bit operands it takes what the other kernels leave.
// SCHEDULE-LABEL: func.func @gated
// SCHEDULE: schedule = [#ff.schedule<family = simt, mma = fma, max_rows = 16,
// SCHEDULE-SAME: #ff.schedule<family = simt, mma = fma, tile_m = 64,

// Two outputs whose weights differ in type and layout.
func.func @layer_norm(%x: memref<?x100xf32>, %g: memref<100xf16>, %s: memref<100xf32>, %eps: f32,
                      %wq: memref<70x100xf32>, %wk: memref<100x40xbf16>, %c: memref<70xf32>,
                      %yq: memref<?x70xf32>, %yk: memref<?x40xf16>) {
  ff.online(%x) gain(%g) shift(%s) weights(%wq, %wk) columns(%c) scalars(%eps) outs(%yq, %yk)
      {statistics = [#ff.statistic<mean>, #ff.statistic<variance>],
       layouts = [#ff.layout<nk>, #ff.layout<kn>], gain_offset = 1.0,
       column_of = array<i64: 0>, linears_of = [array<i64: 0>, array<i64: 1>]}
      : (memref<?x100xf32>, memref<100xf16>, memref<100xf32>, memref<70x100xf32>,
         memref<100x40xbf16>, memref<70xf32>, f32, memref<?x70xf32>, memref<?x40xf16>) -> ()
  row {
  ^bb0(%mean: f32, %variance: f32, %e: f32):
    %sum = arith.addf %variance, %e : f32
    %scale = math.rsqrt %sum : f32
    ff.yield %scale, %mean : f32, f32
  } finalize {
  ^bb0(%z: f32, %b: f32):
    %y = arith.addf %z, %b : f32
    ff.yield %y : f32
  }, {
  ^bb0(%z: f32):
    %y = arith.truncf %z : f32 to f16
    ff.yield %y : f16
  }
  return
}

// CHECK: llvm.func @layer_norm_online_0_simt_0
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, {{.*}} %[[EPS:.*]]: f32, {{.*}}: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 384>
// Two sweeps over a row: the pivot, then the statistics about it.
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK-COUNT-15: nvvm.shfl.sync bfly
// CHECK: arith.addf %{{.*}}, %[[EPS]] : f32
// The root is exact to an ulp, and no library call.
// CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"
// CHECK: arith.divf
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.barrier
// One team of a warp per part of K: warps synchronise alone.
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-8: llvm.intr.fma({{.*}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
// The second output's own sums.
// CHECK: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> bf16
// CHECK: llvm.store {{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<1>

// Two Linears of one output: their sums side by side.
func.func @gated(%x: memref<?x33xbf16>, %wg: memref<48x33xbf16>, %wu: memref<48x33xbf16>,
                 %y: memref<?x48xbf16>) {
  ff.online(%x) weights(%wg, %wu) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>]}
      : (memref<?x33xbf16>, memref<48x33xbf16>, memref<48x33xbf16>, memref<?x48xbf16>) -> ()
  row {
  ^bb0(%q: f32):
    %eps = arith.constant 1.0e-6 : f32
    %sum = arith.addf %q, %eps : f32
    %scale = math.rsqrt %sum : f32
    ff.yield %scale : f32
  } finalize {
  ^bb0(%g: f32, %u: f32):
    %p = arith.mulf %g, %u : f32
    %y16 = arith.truncf %p : f32 to bf16
    ff.yield %y16 : bf16
  }
  return
}

// CHECK: llvm.func @gated_online_0_simt_0
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.bar.warp.sync
// CHECK: arith.mulf
// CHECK: arith.truncf {{.*}} : f32 to bf16

// The grid is bounded: a block that takes several column tiles reads its rows once.
// CHECK: func.func private @layer_norm_online_0(
// CHECK-SAME: block = 384 : i64, {{.*}} grid_cap = 108 : i64, grid_tile_m = 4 : i64, grid_tiles_n = 5 : i64, kernel = "layer_norm_online_0_simt_0", max_rows = 4 : i64
