// REQUIRES: ptxas
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=prefill tf32" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.80.ptx
// RUN: %ptxas -v -arch=sm_80 %t.80.ptx -o %t.80.cubin 2>&1 | FileCheck %s
// RUN: ff-opt %s --ff-schedule="chip=sm_90 family=prefill tf32" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.90.ptx
// RUN: %ptxas -v -arch=sm_90 %t.90.ptx -o %t.90.cubin 2>&1 | FileCheck %s

// Every proposed tile assembles, and none spills.

// CHECK-NOT: {{^ *[1-9][0-9]* bytes stack frame}}
// CHECK-NOT: {{[1-9][0-9]* bytes spill}}
// CHECK: Compiling entry function '{{.*}}_prefill_
// CHECK-NOT: {{^ *[1-9][0-9]* bytes stack frame}}
// CHECK-NOT: {{[1-9][0-9]* bytes spill}}

// Two Linears with everything that an epilogue can have: packed weights.
func.func @layer(%x: memref<?x4096xbf16>, %g: memref<4096xf32>, %s: memref<4096xbf16>,
                 %w0: memref<4096x4096xbf16>, %w1: memref<1031x4096xbf16>,
                 %c0: memref<4096xbf16>, %c1: memref<1031xf32>,
                 %y0: memref<?x4096xbf16>, %y1: memref<?x1031xf32>) {
  ff.online(%x) gain(%g) shift(%s) weights(%w0, %w1) columns(%c0, %c1) outs(%y0, %y1)
      {statistics = [#ff.statistic<mean>, #ff.statistic<variance>],
       layouts = [#ff.layout<nk>, #ff.layout<nk>], column_of = array<i64: 0, 1>,
       linears_of = [array<i64: 0>, array<i64: 1>]}
      : (memref<?x4096xbf16>, memref<4096xf32>, memref<4096xbf16>, memref<4096x4096xbf16>,
         memref<1031x4096xbf16>, memref<4096xbf16>, memref<1031xf32>, memref<?x4096xbf16>,
         memref<?x1031xf32>) -> ()
  row {
  ^bb0(%m: f32, %v: f32):
    %r = math.rsqrt %v : f32
    ff.yield %r, %m : f32, f32
  } finalize {
  ^bb0(%z: f32, %c: bf16):
    %e = arith.extf %c : bf16 to f32
    %a = arith.addf %z, %e : f32
    %t = arith.truncf %a : f32 to bf16
    ff.yield %t : bf16
  }, {
  ^bb0(%z: f32, %c: f32):
    %a = arith.addf %z, %c : f32
    ff.yield %a : f32
  }
  return
}

// Odd K: x through registers.
func.func @odd(%x: memref<?x4095xf16>, %w: memref<4096x4095xf16>, %y: memref<?x4096xf16>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       linears_of = [array<i64: 0>]}
      : (memref<?x4095xf16>, memref<4096x4095xf16>, memref<?x4096xf16>) -> ()
  row {
  ^bb0(%q: f32):
    %r = math.rsqrt %q : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to f16
    ff.yield %t : f16
  }
  return
}

// f32 through tf32, with a center.
func.func @tf32(%x: memref<?x4096xf32>, %g: memref<4096xf32>, %w: memref<4096x4096xf32>,
                %y: memref<?x4096xf32>) {
  ff.online(%x) gain(%g) weights(%w) outs(%y)
      {statistics = [#ff.statistic<mean>, #ff.statistic<variance>], layouts = [#ff.layout<kn>],
       linears_of = [array<i64: 0>]}
      : (memref<?x4096xf32>, memref<4096xf32>, memref<4096x4096xf32>, memref<?x4096xf32>) -> ()
  row {
  ^bb0(%m: f32, %v: f32):
    %r = math.rsqrt %v : f32
    ff.yield %r, %m : f32, f32
  } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return
}

// Two Linears in one result.
func.func @gated(%x: memref<?x4096xbf16>, %wg: memref<11008x4096xbf16>, %wu: memref<11008x4096xbf16>, %y: memref<?x11008xbf16>) {
  ff.online(%x) weights(%wg, %wu) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>]}
      : (memref<?x4096xbf16>, memref<11008x4096xbf16>, memref<11008x4096xbf16>, memref<?x11008xbf16>) -> ()
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
