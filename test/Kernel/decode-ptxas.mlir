// The kernels assemble, and no registers are spilled.
// REQUIRES: ptxas
// RUN: ff-opt %s --ff-schedule="chip=sm_90a family=decode" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.ptx
// RUN: %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=decode" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.ptx
// RUN: %ptxas -v -arch=sm_80 %t.ptx -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: Compiling entry function 'fly_online_0_decode_2'
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: Compiling entry function 'layer_norm_online_0_decode_0'
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: Compiling entry function 'llama_online_0_decode_1'
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: Compiling entry function 'llama_online_0_decode_0'
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
func.func @llama(%x: memref<?x4096xbf16>, %g: memref<4096xbf16>, %w: memref<4096x4096xbf16>,
                 %y: memref<?x4096xbf16>) {
  ff.online(%x) gain(%g) weights(%w) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       linears_of = [array<i64: 0>]}
      : (memref<?x4096xbf16>, memref<4096xbf16>, memref<4096x4096xbf16>, memref<?x4096xbf16>) -> ()
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

func.func @layer_norm(%x: memref<?x768xf16>, %g: memref<768xf32>, %s: memref<768xf32>,
                      %w: memref<768x2304xf16>, %c: memref<2304xf16>, %y: memref<?x2304xf16>) {
  ff.online(%x) gain(%g) shift(%s) weights(%w) columns(%c) outs(%y)
      {statistics = [#ff.statistic<mean>, #ff.statistic<variance>], layouts = [#ff.layout<kn>],
       column_of = array<i64: 0>, linears_of = [array<i64: 0>]}
      : (memref<?x768xf16>, memref<768xf32>, memref<768xf32>, memref<768x2304xf16>,
         memref<2304xf16>, memref<?x2304xf16>) -> ()
  row {
  ^bb0(%m: f32, %v: f32):
    %r = math.rsqrt %v : f32
    ff.yield %r, %m : f32, f32
  } finalize {
  ^bb0(%z: f32, %c0: f16):
    %e = arith.extf %c0 : f16 to f32
    %a = arith.addf %z, %e : f32
    %t = arith.truncf %a : f32 to f16
    ff.yield %t : f16
  }
  return
}

// Gain and shift on the fly, where weights are not packed.
func.func @fly(%x: memref<?x4096xbf16>, %g: memref<4096xbf16>, %s: memref<4096xbf16>,
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
