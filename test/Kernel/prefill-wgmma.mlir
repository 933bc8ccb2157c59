// RUN: ff-opt %s --ff-lower-to-nvgpu | FileCheck %s

// The structure of the kernel: which thread does what, on which barriers.

// One Linear, weights as they are, one scale per row.
// CHECK: llvm.func @rms_online_0_prefill_0(%[[X:arg0]]: !llvm.ptr {{{.*}}nvvm.grid_constant}, %[[Y:arg1]]: !llvm.ptr {{{.*}}nvvm.grid_constant}, %[[W:arg2]]: !llvm.ptr {{{.*}}nvvm.grid_constant}, %{{.*}}: i32)
// CHECK-SAME: nvvm.maxntid = array<i32: 384>
// CHECK-COUNT-6: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.griddepcontrol wait

// The producer: two boxes complete one stage of 128 x 64 and 64 x 64 elements.
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c24576_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[X]], %[[FULL]], box
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[W]], %[[FULL]], box

// A consumer: it waits for the products before and releases their stage, then sums up rows beside
// those that it issued; loads of a stage are ordered before its release.
// CHECK: nvvm.setmaxregister increase 232
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <col>]
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: nvvm.mbarrier.arrive
// CHECK: scf.if
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<4xi32>
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.mbarrier.arrive
// The row's factor, to the lanes that need it.
// CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[Y]]
// CHECK: nvvm.cp.async.bulk.wait_group 0{{$}}
// CHECK: llvm.return

// Two Linears in one launch: the producer selects between their weights, warps of
// its warpgroup bring columns (C, B, bias) into shared memory; K = 200 is no
// multiple of 64, so that the pivot is masked; the output with N = 33 is stored by
// the threads.
// CHECK: llvm.func @layer_online_0_prefill_0(
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: arith.select %{{.*}}, %arg7, %arg2 : !llvm.ptr
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> bf16
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> f32
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: llvm.store {{.*}} : bf16, !llvm.ptr<3>
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.setmaxregister increase 232
// CHECK: nvvm.wgmma.mma_async {{.*}} n = 128
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: arith.subf
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.stmatrix
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %arg1
// CHECK-NOT: nvvm.stmatrix
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
// CHECK: nvvm.mbarrier.arrive

// SwiGLU: two Linears for one output of 64 columns, their weight rows side by side
// in a stage; the finalizer takes the accumulators of columns j and 64 + j.
// CHECK: llvm.func @pair_online_0_prefill_0(%arg0: {{.*}}, %arg1: {{.*}}, %arg2: {{.*}}, %arg3: {{.*}}, %arg4: i32)
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c32768_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, %[[FULL]], box
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg2, %[[FULL]], box[%{{.*}}, %[[ROW:.*]]] :
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg3, %[[FULL]], box[%{{.*}}, %[[ROW]]] :
// CHECK: nvvm.wgmma.mma_async {{.*}} n = 128
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: llvm.extractvalue %{{.*}}[0]
// CHECK: llvm.extractvalue %{{.*}}[32]
// CHECK: nvvm.stmatrix

// A cluster of two blocks, which share the row sums: each sums up two of four pieces of a
// row, sends what it found to both, and waits for what both send. Three column tiles become four.
// CHECK: llvm.func @shared_online_0_prefill_0(
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.setmaxregister increase 232
// CHECK: nvvm.cluster.wait
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: scf.if
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<4xi32>
// CHECK-NOT: -> vector<4xi32>
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-2: nvvm.inline_ptx "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];"
// CHECK-NOT: st.async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"

// A wide tile: a row's elements are loaded ahead of the products, and summed up beside them.
// CHECK: llvm.func @shared_online_0_prefill_1(
// CHECK: nvvm.setmaxregister increase 232
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: scf.if
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<4xi32>
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} n = 192
// CHECK-NOT: -> vector<4xi32>
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: scf.if
// CHECK-NOT: -> vector<4xi32>
// CHECK: nvvm.bar.warp.sync

// How to launch them. A bounded range whose tiles fit takes every multiprocessor;
// else the grid is a multiple of the row group.
// CHECK: func.func private @rms_online_0(
// CHECK-SAME: variants = [{align = 16 : i64, args = [{box_cols = 64 : i64, box_rows = 128 : i64, index = 0 : i64, kind = "tensor_map"}, {box_cols = 64 : i64, box_rows = 64 : i64, index = 2 : i64, kind = "tensor_map"}, {box_cols = 64 : i64, box_rows = 64 : i64, index = 1 : i64, kind = "tensor_map"}, {index = 0 : i64, kind = "rows"}], block = 384 : i64, cluster = 1 : i64, dependent_launch = true, grid = 0 : i64, grid_cap = 132 : i64, grid_tile_m = 128 : i64, grid_tiles_n = 1 : i64
// CHECK-SAME: packed = false, shared_bytes = 65584 : i64}]
// CHECK: func.func private @layer_online_0(
// CHECK-SAME: kind = "packed_map"
// CHECK-SAME: grid_cap = 128 : i64, grid_tile_m = 128 : i64, grid_tiles_n = 2 : i64
// CHECK-SAME: packed = true
// CHECK: func.func private @shared_online_0(
// CHECK-SAME: cluster = 2 : i64
// CHECK-SAME: grid_cap = 128 : i64, grid_tile_m = 128 : i64, grid_tiles_n = 4 : i64

#nk = #ff.layout<nk>
#raw = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, max_rows = 256, tile_m = 128, tile_n = 64, tile_k = 64, stages = 2, warps = 8, align = 16>
#packed = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 128, tile_k = 64, stages = 3, warps = 8, packed = true, align = 16>
#shared = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 64, tile_k = 64, stages = 2, warps = 8, split = 2, align = 16>
#ahead = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 192, tile_k = 64, stages = 2, warps = 8, split = 2, align = 16>
#pair = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 128, tile_k = 64, stages = 3, warps = 8, align = 16>

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @rms(%x: memref<?x128xbf16>, %w0: memref<64x128xbf16>,
      %y0: memref<?x64xbf16>) {
    ff.online(%x) weights(%w0) outs(%y0)
      {layouts = [#nk],
       linears_of = [array<i64: 0>],
       statistics = [#ff.statistic<mean_square>], schedule = [#raw]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
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

  func.func @pair(%x: memref<?x128xbf16>, %gate: memref<64x128xbf16>, %up: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    ff.online(%x) weights(%gate, %up) outs(%y)
      {layouts = [#nk, #nk], linears_of = [array<i64: 0, 1>],
       statistics = [#ff.statistic<mean_square>], schedule = [#pair]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%g: f32, %u: f32):
      %0 = arith.mulf %g, %u : f32
      %1 = arith.truncf %0 : f32 to bf16
      ff.yield %1 : bf16
    }
    return
  }

  func.func @shared(%x: memref<?x128xbf16>, %w: memref<136x128xbf16>, %y: memref<?x136xbf16>) {
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#nk], linears_of = [array<i64: 0>],
       statistics = [#ff.statistic<mean_square>], schedule = [#shared, #ahead]}
      : (memref<?x128xbf16>, memref<136x128xbf16>, memref<?x136xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%z: f32):
      %0 = arith.truncf %z : f32 to bf16
      ff.yield %0 : bf16
    }
    return
  }
}
