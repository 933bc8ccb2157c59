// RUN: ff-opt %s --ff-lower-to-nvgpu --split-input-file | FileCheck %s

// RMSNorm, raw weights, K a multiple of 8 but not of the 64 of a stage.

// CHECK-LABEL: llvm.func @rms_online_0_prefill_0(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %[[M:.*]]: i32)
// CHECK-SAME: nvvm.maxntid = array<i32: 128>
// Two stages ahead of the first.
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: nvvm.barrier
// The copies of a later stage stand between the products of this one.
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.ldmatrix {{.*}}num = 4
// CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.mma.sync
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.yield
// CHECK: nvvm.cp.async.wait.group 0
// The row factors pass through shared memory.
// CHECK: nvvm.barrier
// CHECK: scf.if
// CHECK: nvvm.rsqrt.approx.f
// CHECK: nvvm.barrier
// Results are exchanged for 16-byte stores.
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.store {{.*}}alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>

// CHECK-LABEL: func.func private @rms_online_0(
// CHECK-SAME: align = 16
// CHECK-SAME: grid_tile_m = 64 : i64, grid_tiles_n = 1 : i64
// CHECK-SAME: shared_bytes = 50176
module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @rms(%x: memref<?x200xbf16>, %w: memref<24x200xbf16>, %y: memref<?x24xbf16>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64,
                                tile_k = 64, stages = 3, warps = 4, align = 16>]}
      : (memref<?x200xbf16>, memref<24x200xbf16>, memref<?x24xbf16>) -> ()
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
}

// -----

// Two Linears of f32 through tf32, no norm, pointers of any alignment: 4-byte
// copies, operands rounded to nearest, one tile after the other's.

// CHECK-LABEL: llvm.func @two_online_0_prefill_0(
// CHECK: arith.cmpi uge
// CHECK: arith.select {{.*}} : !llvm.ptr<1>
// CHECK: nvvm.cp.async.shared.global {{.*}}, 4, cache = ca
// CHECK: scf.for
// CHECK: nvvm.ldmatrix
// CHECK: nvvm.convert.float.to.tf32 {{.*}}rnd = #nvvm.fp_rnd_mode<rna>
// CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-NOT: rsqrt
// CHECK-COUNT-2: scf.if %{{.*}} {
// CHECK: llvm.store {{.*}}alignment = 4 : i64} : f32, !llvm.ptr<1>

// CHECK-LABEL: func.func private @two_online_0(
// CHECK-SAME: grid_tile_m = 16 : i64, grid_tiles_n = 2 : i64
module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @two(%x: memref<?x64xf32>, %w0: memref<24x64xf32>, %w1: memref<7x64xf32>,
               %y0: memref<?x24xf32>, %y1: memref<?x7xf32>) {
  ff.online(%x) weights(%w0, %w1) outs(%y0, %y1)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0>, array<i64: 1>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 16, tile_n = 64,
                                tile_k = 32, stages = 2, warps = 4, tf32 = true>]}
      : (memref<?x64xf32>, memref<24x64xf32>, memref<7x64xf32>, memref<?x24xf32>,
         memref<?x7xf32>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }, {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return
}
}

// -----

// Two Linears in one result (SwiGLU): 32 rows of each weight in a tile of 64, both products of
// every element in one thread.

// CHECK-LABEL: llvm.func @gated_online_0_prefill_0(
// CHECK: scf.for
// CHECK: nvvm.mma.sync
// CHECK: scf.yield
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: math.exp
// CHECK: arith.mulf

// CHECK-LABEL: func.func private @gated_online_0(
// CHECK-SAME: grid_tile_m = 64 : i64, grid_tiles_n = 3 : i64
module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @gated(%x: memref<?x200xbf16>, %wg: memref<72x200xbf16>, %wu: memref<72x200xbf16>, %y: memref<?x72xbf16>) {
  ff.online(%x) weights(%wg, %wu) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64,
                                tile_k = 64, stages = 3, warps = 4, align = 16>]}
      : (memref<?x200xbf16>, memref<72x200xbf16>, memref<72x200xbf16>, memref<?x72xbf16>) -> ()
  row {
  ^bb0(%q: f32):
    %r = math.rsqrt %q : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%gate: f32, %up: f32):
    %one = arith.constant 1.0 : f32
    %negative = arith.negf %gate : f32
    %e = math.exp %negative : f32
    %below = arith.addf %one, %e : f32
    %silu = arith.divf %gate, %below : f32
    %product = arith.mulf %silu, %up : f32
    %t = arith.truncf %product : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}
