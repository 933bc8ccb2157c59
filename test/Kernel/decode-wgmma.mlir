// RUN: ff-opt %s --ff-lower-to-nvgpu | FileCheck %s

// The structure of the kernel: which thread does what, on which barriers.

// K is split over the two blocks of a cluster.
// CHECK: llvm.func @rms_online_0_decode_0(%[[X:arg0]]: !llvm.ptr {{{.*}}nvvm.grid_constant}, %[[Y:arg1]]: !llvm.ptr<1>, %[[W:arg2]]: !llvm.ptr {{{.*}}nvvm.grid_constant}, %{{.*}}: i32)
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK-SAME: nvvm.maxntid = array<i32: 320>
// CHECK: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: nvvm.barrier{{$}}
// CHECK: nvvm.cluster.arrive

// The warpgroup that multiplies: a release behind the next products.
// CHECK: nvvm.griddepcontrol wait
// CHECK: scf.for
// CHECK-COUNT-2: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 32, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <col>]
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-COUNT-2: nvvm.mbarrier.arrive
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// Sums of the other block's columns go to it, once it has started.
// CHECK: nvvm.cluster.wait
// CHECK: nvvm.mapa
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<7>
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// Factors of the rows, sums of the other block, then the results.
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-COUNT-2: llvm.load {{.*}} !llvm.ptr<3> -> f32
// CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xf32>
// CHECK: llvm.store {{.*}} : vector<2xbf16>, !llvm.ptr<1>

// The warps that sum up rows: loads are ordered before the release; each block gets the
// sums of both.
// CHECK: nvvm.griddepcontrol wait
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<4xi32>
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.cluster.wait
// CHECK-COUNT-2: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<7>
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// CHECK-COUNT-2: llvm.load {{.*}} !llvm.ptr<3> -> vector<2xf32>
// CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.mbarrier.arrive

// The thread that loads W does not wait for the kernel before.
// CHECK-NOT: nvvm.griddepcontrol
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c4096_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[W]], %[[FULL]], box[{{.*}}] l2_cache_hint

// The thread that loads x does.
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c8192_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[X]], %[[FULL]], box

// No block ends before it has got what the other one sends.
// CHECK: nvvm.cluster.wait
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// CHECK: llvm.return

// Two Linears in one launch, 128 rows: the loader selects between their weights, the
// warps that sum up rows bring columns (C, B, bias) into shared memory; the pivot
// is masked, as K = 200 is no multiple of 64; N = 33 is stored one by one.
// CHECK: llvm.func @layer_online_0_decode_0(
// CHECK-SAME: nvvm.maxntid = array<i32: 576>
// CHECK: nvvm.wgmma.mma_async {{.*}} n = 40
// CHECK: llvm.store {{.*}} : vector<2xbf16>, !llvm.ptr<1>
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> bf16
// CHECK: llvm.store {{.*}} : bf16, !llvm.ptr<3>
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> f32
// CHECK: nvvm.mbarrier.arrive
// CHECK: arith.subf
// CHECK: arith.select %{{.*}}, %arg8, %arg3 : !llvm.ptr
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global

// A gated pair of Linears and a residual, 32 rows: the other 32 of the product are zeros, written
// once; weight rows of both Linears are side by side in a stage; the finalizer
// takes the accumulators of columns j and 24 + j, and the residual's elements.
// CHECK: llvm.func @pair_online_0_decode_0(%arg0: {{.*}}, %arg1: {{.*}}, %arg2: {{.*}}, %arg3: {{.*}}, %[[T:arg4]]: !llvm.ptr<1>, %arg5: i32)
// CHECK-SAME: nvvm.maxntid = array<i32: 256>
// CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: nvvm.wgmma.mma_async {{.*}} n = 48
// CHECK: llvm.getelementptr %[[T]]
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> vector<2xf32>
// CHECK: llvm.extractvalue %{{.*}}[0]
// CHECK: llvm.extractvalue %{{.*}}[12]
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c6144_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg2, %[[FULL]], box[%{{.*}}, %[[ROW:.*]]] l2
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg3, %[[FULL]], box[%{{.*}}, %[[ROW]]] l2

// How to launch them: a number of blocks that does not depend on M.
// CHECK: func.func private @rms_online_0(
// CHECK-SAME: variants = [{align = 16 : i64, args = [{box_cols = 64 : i64, box_rows = 64 : i64, index = 0 : i64, kind = "tensor_map"}, {index = 2 : i64, kind = "buffer"}, {box_cols = 64 : i64, box_rows = 32 : i64, index = 1 : i64, kind = "tensor_map"}, {index = 0 : i64, kind = "rows"}], block = 320 : i64, cluster = 2 : i64, dependent_launch = true, grid = 4 : i64
// CHECK-SAME: packed = false
// CHECK: func.func private @layer_online_0(
// CHECK-SAME: kind = "packed_map"
// CHECK-SAME: cluster = 1 : i64, dependent_launch = true, grid = 3 : i64
// CHECK-SAME: packed = true

#nk = #ff.layout<nk>
#raw = #ff.schedule<family = decode, mma = wgmma, max_rows = 64, tile_m = 64, tile_n = 32, tile_k = 64, stages = 2, warps = 4, split = 2, align = 16>
#packed = #ff.schedule<family = decode, mma = wgmma, min_rows = 65, max_rows = 128, tile_m = 128, tile_n = 40, tile_k = 64, stages = 1, warps = 8, packed = true, align = 16>
#pair = #ff.schedule<family = decode, mma = wgmma, max_rows = 32, tile_m = 32, tile_n = 48, tile_k = 64, stages = 2, warps = 4, align = 16>

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 40000>} {
  func.func @rms(%x: memref<?x512xbf16>, %w0: memref<64x512xbf16>,
      %y0: memref<?x64xbf16>) {
    ff.online(%x) weights(%w0) outs(%y0)
      {layouts = [#nk],
       linears_of = [array<i64: 0>],
       statistics = [#ff.statistic<mean_square>], schedule = [#raw]}
      : (memref<?x512xbf16>, memref<64x512xbf16>, memref<?x64xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }

  func.func @layer(%x: memref<?x200xbf16>, %g: memref<200xbf16>, %s: memref<200xbf16>, %w0: memref<72x200xbf16>, %w1: memref<33x200xbf16>,
      %c0: memref<72xbf16>, %y0: memref<?x72xbf16>, %y1: memref<?x33xf32>) {
    ff.online(%x) gain(%g) shift(%s) weights(%w0, %w1) columns(%c0) outs(%y0, %y1)
      {column_of = array<i64: 0>, layouts = [#nk, #nk],
       linears_of = [array<i64: 0>, array<i64: 1>],
       statistics = [#ff.statistic<mean>, #ff.statistic<variance>], schedule = [#packed]}
      : (memref<?x200xbf16>, memref<200xbf16>, memref<200xbf16>, memref<72x200xbf16>, memref<33x200xbf16>, memref<72xbf16>, memref<?x72xbf16>, memref<?x33xf32>) -> ()
    row {
    ^bb0(%mean: f32, %var: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %var, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1, %mean : f32, f32
    } finalize {
    ^bb0(%z: f32, %c: bf16):
      %cw = arith.extf %c : bf16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to bf16
      ff.yield %r : bf16
    }, {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
    return
  }

  func.func @pair(%x: memref<?x128xbf16>, %gate: memref<64x128xbf16>, %up: memref<64x128xbf16>, %t: memref<?x64xf32>, %y: memref<?x64xbf16>) {
    ff.online(%x) weights(%gate, %up) tiles(%t) outs(%y)
      {tile_of = array<i64: 0>, layouts = [#nk, #nk], linears_of = [array<i64: 0, 1>],
       statistics = [#ff.statistic<mean_square>], schedule = [#pair]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<64x128xbf16>, memref<?x64xf32>, memref<?x64xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%g: f32, %u: f32, %t0: f32):
      %0 = arith.mulf %g, %u : f32
      %2 = arith.addf %0, %t0 : f32
      %1 = arith.truncf %2 : f32 to bf16
      ff.yield %1 : bf16
    }
    return
  }
}
