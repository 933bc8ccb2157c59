// Every variant assembles without spills, calls nothing and needs no aligned pointer.
// REQUIRES: ptxas
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=simt" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: %ptxas -v -arch=sm_80 %t.80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: ff-opt %s --ff-schedule="chip=sm_90a family=simt" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.90.ptx
// RUN: %ptxas -v -arch=sm_90a %t.90.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS

// CHECK-COUNT-7: .visible .entry
// CHECK-NOT: {{call|ld.global.v|st.global.v}}
// PTXAS-COUNT-7: {{ }}0 bytes spill stores, 0 bytes spill loads
// PTXAS-NOT: spill

func.func @layer_norm(%x: memref<?x100xf32>, %g: memref<100xf32>, %s: memref<100xf32>,
                      %w: memref<70x100xf32>, %c: memref<70xf32>, %y: memref<?x70xf32>) {
  ff.online(%x) gain(%g) shift(%s) weights(%w) columns(%c) outs(%y)
      {statistics = [#ff.statistic<mean>, #ff.statistic<variance>], layouts = [#ff.layout<nk>],
       column_of = array<i64: 0>, linears_of = [array<i64: 0>]}
      : (memref<?x100xf32>, memref<100xf32>, memref<100xf32>, memref<70x100xf32>, memref<70xf32>,
         memref<?x70xf32>) -> ()
  row {
  ^bb0(%mean: f32, %variance: f32):
    %eps = arith.constant 1.0e-5 : f32
    %sum = arith.addf %variance, %eps : f32
    %scale = math.rsqrt %sum : f32
    ff.yield %scale, %mean : f32, f32
  } finalize {
  ^bb0(%z: f32, %b: f32):
    %r = arith.addf %z, %b : f32
    ff.yield %r : f32
  }
  return
}

func.func @gated(%x: memref<?x33xbf16>, %wg: memref<33x48xbf16>, %wu: memref<33x48xbf16>,
                 %y: memref<?x48xbf16>) {
  ff.online(%x) weights(%wg, %wu) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<kn>, #ff.layout<kn>],
       linears_of = [array<i64: 0, 1>]}
      : (memref<?x33xbf16>, memref<33x48xbf16>, memref<33x48xbf16>, memref<?x48xbf16>) -> ()
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
