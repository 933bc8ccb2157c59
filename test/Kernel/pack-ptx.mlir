// REQUIRES: ptxas
// RUN: ff-opt %s --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: %ptxas -v -arch=sm_80 %t.80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: sed -e 's/sm_80/sm_90a/' -e 's/ptx80/ptx83/' %s | ff-opt - --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.90.ptx
// RUN: FileCheck %s --input-file=%t.90.ptx
// RUN: %ptxas -v -arch=sm_90a %t.90.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS

// CHECK: .entry f_online_0_pack_0
// CHECK-NOT: call
// CHECK: .entry f_online_0_pack_1
// CHECK-NOT: call
// PTXAS: Compiling entry function 'f_online_0_pack_1'
// PTXAS: 0 bytes spill stores, 0 bytes spill loads
// PTXAS: Compiling entry function 'f_online_0_pack_0'
// PTXAS: 0 bytes spill stores, 0 bytes spill loads

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
  func.func @f(%x: memref<?x136xf16>, %g: memref<136xf32>, %s: memref<136xbf16>,
               %wa: memref<70x136xf16>, %wb: memref<136x40xf16>,
               %ya: memref<?x70xf16>, %yb: memref<?x40xf16>) {
    ff.online(%x) gain(%g) shift(%s) weights(%wa, %wb) outs(%ya, %yb)
        {statistics = [#ff.statistic<mean>, #ff.statistic<variance>],
         layouts = [#ff.layout<nk>, #ff.layout<kn>],
         linears_of = [array<i64: 0>, array<i64: 1>],
         schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64, tile_k = 64, stages = 3, packed = true>]}
        : (memref<?x136xf16>, memref<136xf32>, memref<136xbf16>, memref<70x136xf16>,
           memref<136x40xf16>, memref<?x70xf16>, memref<?x40xf16>) -> ()
    row {
    ^bb0(%mean: f32, %variance: f32):
      %scale = math.rsqrt %variance : f32
      ff.yield %scale, %mean : f32, f32
    } finalize {
    ^bb0(%z: f32):
      %y = arith.truncf %z : f32 to f16
      ff.yield %y : f16
    }, {
    ^bb0(%z: f32):
      %y = arith.truncf %z : f32 to f16
      ff.yield %y : f16
    }
    return
  }
}
