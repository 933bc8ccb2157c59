// The pack step of a layer norm in front of two Linears, and where its layouts differ.
// RUN: ff-opt %s --ff-lower-to-nvgpu | FileCheck %s

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x136xbf16>, %g: memref<136xf32>, %s: memref<136xbf16>,
               %wa: memref<64x136xbf16>, %wb: memref<136x40xbf16>,
               %ya: memref<?x64xbf16>, %yb: memref<?x40xbf16>) {
    ff.online(%x) gain(%g) shift(%s) weights(%wa, %wb) outs(%ya, %yb)
        {statistics = [#ff.statistic<mean>, #ff.statistic<variance>],
         layouts = [#ff.layout<nk>, #ff.layout<kn>], gain_offset = 1.0,
         linears_of = [array<i64: 0>, array<i64: 1>],
         schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 128, tile_k = 64, stages = 4, warps = 8, packed = true, align = 16>]}
        : (memref<?x136xbf16>, memref<136xf32>, memref<136xbf16>, memref<64x136xbf16>,
           memref<136x40xbf16>, memref<?x64xbf16>, memref<?x40xbf16>) -> ()
    row {
    ^bb0(%mean: f32, %variance: f32):
      %scale = math.rsqrt %variance : f32
      ff.yield %scale, %mean : f32, f32
    } finalize {
    ^bb0(%z: f32):
      %y = arith.truncf %z : f32 to bf16
      ff.yield %y : bf16
    }, {
    ^bb0(%z: f32):
      %y = arith.truncf %z : f32 to bf16
      ff.yield %y : bf16
    }
    return
  }
}

// N x K is read as it lies; no bound on N is needed where 32 divides it.
// CHECK: llvm.func @f_online_0_pack_0(%[[W:.*]]: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>)
// CHECK-NOT: nvvm.barrier
// CHECK: scf.for
// v = gain + 1
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: arith.addf %{{.*}}, %[[ONE]] : f32
// B from the weight, C from the rounded product, which is 0 past K.
// CHECK: llvm.intr.fma
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: %[[Q:.*]] = arith.select %{{.*}}, %[[P]], %{{.*}} : f32
// CHECK: %[[R:.*]] = arith.truncf %[[Q]] : f32 to bf16
// CHECK: %[[RF:.*]] = arith.extf %[[R]] : bf16 to f32
// CHECK: arith.addf %{{.*}}, %[[RF]] : f32
// CHECK: llvm.store %[[R]], %{{.*}} {alignment = 2 : i64} : bf16, !llvm.ptr<1>
// CHECK: nvvm.shfl.sync bfly

// K x N is turned in shared memory.
// CHECK: llvm.func @f_online_0_pack_1
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: nvvm.barrier

// CHECK: func.func private @f_online_0(
// CHECK-SAME: ff.plan = {pack = [
// CHECK-SAME: args = [{index = 3 : i64, kind = "buffer"}, {index = 1 : i64, kind = "buffer"}, {index = 2 : i64, kind = "buffer"}, {index = 0 : i64, kind = "packed"}, {index = 1 : i64, kind = "packed"}, {index = 2 : i64, kind = "packed"}]
// CHECK-SAME: grid = 2 : i64
// CHECK-SAME: kernel = "f_online_0_pack_0"
// CHECK-SAME: args = [{index = 4 : i64, kind = "buffer"}
// CHECK-SAME: kernel = "f_online_0_pack_1", {{.*}} shared_bytes = 16896 : i64
// CHECK-SAME: packed = [{cols = 136 : i64, rows = 64 : i64, type = bf16}
