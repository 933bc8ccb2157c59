// The decode kernel's structure, with bulk copies (sm_90) and with cp.async (sm_80).
// RUN: ff-opt %s --ff-schedule="chip=sm_90a family=decode" --ff-lower-to-nvgpu | FileCheck %s
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=decode" --ff-lower-to-nvgpu | FileCheck %s --check-prefix=SM80

// With the gain folded into packed weights, x is the left operand as it is.
// CHECK-LABEL: llvm.func @two_linears_online_0_decode_0(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NOT: arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
// CHECK: nvvm.mma.sync

// Without packed weights.
// CHECK-LABEL: llvm.func @two_linears_online_0_decode_2(
// The weights start to stream before anything of the previous kernel is awaited.
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.barrier{{$}}
// CHECK: scf.for
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-8: nvvm.cp.async.bulk.shared.cluster.global
// The multiplying warps: statistics and x * gain, rounded once; the scale waits.
// CHECK: nvvm.barrier{{$}}
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> vector<4xi32>
// CHECK: nvvm.shfl.sync bfly
// CHECK-NOT: rsqrt.approx
// CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
// Tiles.
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xi32>
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: nvvm.barrier id
// CHECK: rsqrt.approx
// The finalizers of both Linears, with their biases.
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: llvm.store
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: llvm.store

// SM80-LABEL: llvm.func @two_linears_online_0_decode_0(
// SM80-NOT: griddepcontrol
// SM80-NOT: mbarrier
// SM80: nvvm.cp.async.shared.global
// SM80: nvvm.cp.async.commit.group
// SM80: nvvm.cp.async.wait.group
// SM80: nvvm.bar.warp.sync
// SM80: nvvm.mma.sync
// SM80: llvm.return

func.func @two_linears(%x: memref<?x264xbf16>, %g: memref<264xf32>, %w0: memref<20x264xbf16>,
                       %w1: memref<9x264xbf16>, %c0: memref<20xbf16>, %c1: memref<9xf32>,
                       %y0: memref<?x20xbf16>, %y1: memref<?x9xbf16>) {
  ff.online(%x) gain(%g) weights(%w0, %w1) columns(%c0, %c1) outs(%y0, %y1)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       column_of = array<i64: 0, 1>, linears_of = [array<i64: 0>, array<i64: 1>]}
      : (memref<?x264xbf16>, memref<264xf32>, memref<20x264xbf16>, memref<9x264xbf16>,
         memref<20xbf16>, memref<9xf32>, memref<?x20xbf16>, memref<?x9xbf16>) -> ()
  row {
  ^bb0(%q: f32):
    %r = math.rsqrt %q : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%z: f32, %c: bf16):
    %e = arith.extf %c : bf16 to f32
    %s = arith.addf %z, %e : f32
    %t = arith.truncf %s : f32 to bf16
    ff.yield %t : bf16
  }, {
  ^bb0(%z: f32, %c: f32):
    %s = arith.addf %z, %c : f32
    %t = arith.truncf %s : f32 to bf16
    ff.yield %t : bf16
  }
  return
}

// Both Linears of one output stand in one tile: one store, two sets of products.
// CHECK-LABEL: llvm.func @gated_online_0_decode_0(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nvvm.mma.sync
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @gated(%x: memref<?x128xf16>, %w0: memref<16x128xf16>, %w1: memref<16x128xf16>,
                 %y: memref<?x16xf16>) {
  ff.online(%x) weights(%w0, %w1) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>]}
      : (memref<?x128xf16>, memref<16x128xf16>, memref<16x128xf16>, memref<?x16xf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.truncf %p : f32 to f16
    ff.yield %t : f16
  }
  return
}

// Where registers cannot hold gain and shift ahead of their use, they come through shared
// memory, before the weights.
// CHECK-LABEL: llvm.func @staged_online_0_decode_2(
// CHECK: nvvm.barrier{{$}}
// CHECK-COUNT-2: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: scf.for
// CHECK-COUNT-8: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<8xbf16>
// CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<8xbf16>
func.func @staged(%x: memref<?x4096xbf16>, %g: memref<4096xbf16>, %s: memref<4096xbf16>,
                  %w: memref<64x4096xbf16>, %y: memref<?x64xbf16>) {
  ff.online(%x) gain(%g) shift(%s) weights(%w) outs(%y)
      {statistics = [#ff.statistic<mean>, #ff.statistic<variance>], layouts = [#ff.layout<nk>],
       linears_of = [array<i64: 0>]}
      : (memref<?x4096xbf16>, memref<4096xbf16>, memref<4096xbf16>, memref<64x4096xbf16>,
         memref<?x64xbf16>) -> ()
  row {
  ^bb0(%m: f32, %v: f32):
    %r = math.rsqrt %v : f32
    ff.yield %r, %m : f32, f32
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}

// How to launch it.
// CHECK: func.func private @two_linears_online_0(
// CHECK-SAME: block = 160 : i64
// CHECK-SAME: dependent_launch = true
// CHECK-SAME: grid = 5 : i64
// CHECK-SAME: kernel = "two_linears_online_0_decode_0"
// CHECK-SAME: max_rows = 8 : i64, min_rows = 1 : i64, packed = true
