// REQUIRES: ptxas
// RUN: ff-opt %s --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.ptx
// RUN: %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s

// Nothing spilled, no product serialized (C7510 and the like), and tensor maps are
// read where they were passed: a copy would need a stack frame.
// CHECK-NOT: {{[1-9][0-9]*}} bytes stack frame
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK-NOT: serialized
// CHECK: ptxas info
// CHECK-NOT: {{[1-9][0-9]*}} bytes stack frame
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK-NOT: serialized

#nk = #ff.layout<nk>
#shared = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 256, tile_k = 64, stages = 4, warps = 8, split = 2, align = 16>
#shared_packed = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 256, tile_k = 64, stages = 4, warps = 8, split = 4, packed = true, align = 16>
#wide = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 256, tile_k = 64, stages = 4, warps = 8, align = 16>
#parts = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 192, tile_k = 64, stages = 4, warps = 8, parts = 2, align = 16>
#odd = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 96, tile_k = 64, stages = 7, warps = 8, align = 16>
#long = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 160, tile_k = 64, stages = 5, warps = 8, align = 16>
#wide_packed = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 256, tile_k = 64, stages = 4, warps = 8, packed = true, align = 16>
#narrow_packed = #ff.schedule<family = prefill, mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 64, tile_k = 64, stages = 8, warps = 8, packed = true, align = 16>

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @no_norm(%x: memref<?x4096xbf16>, %w0: memref<4096x4096xbf16>,
      %y0: memref<?x4096xbf16>) {
    ff.online(%x) weights(%w0) outs(%y0)
      {layouts = [#nk],
       linears_of = [array<i64: 0>],
       statistics = [], schedule = [#wide, #long, #odd, #parts]}
      : (memref<?x4096xbf16>, memref<4096x4096xbf16>, memref<?x4096xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }

  func.func @rms(%x: memref<?x4096xbf16>, %w0: memref<6144x4096xbf16>,
      %y0: memref<?x6144xbf16>) {
    ff.online(%x) weights(%w0) outs(%y0)
      {layouts = [#nk],
       linears_of = [array<i64: 0>],
       statistics = [#ff.statistic<mean_square>], schedule = [#wide, #shared, #parts]}
      : (memref<?x4096xbf16>, memref<6144x4096xbf16>, memref<?x6144xbf16>) -> ()
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

  func.func @rms_f16(%x: memref<?x4096xf16>, %w0: memref<6144x4096xf16>,
      %y0: memref<?x6144xf16>) {
    ff.online(%x) weights(%w0) outs(%y0)
      {layouts = [#nk],
       linears_of = [array<i64: 0>],
       statistics = [#ff.statistic<mean_square>], schedule = [#wide]}
      : (memref<?x4096xf16>, memref<6144x4096xf16>, memref<?x6144xf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to f16
      ff.yield %r : f16
    }
    return
  }

  func.func @rms_qkv(%x: memref<?x4096xbf16>, %g: memref<4096xbf16>, %w0: memref<4096x4096xbf16>, %w1: memref<1024x4096xbf16>, %w2: memref<1024x4096xbf16>,
      %c0: memref<4096xbf16>, %c1: memref<1024xbf16>, %c2: memref<1024xbf16>, %y0: memref<?x4096xbf16>, %y1: memref<?x1024xbf16>, %y2: memref<?x1024xbf16>) {
    ff.online(%x) gain(%g) weights(%w0, %w1, %w2) columns(%c0, %c1, %c2) outs(%y0, %y1, %y2)
      {column_of = array<i64: 0, 1, 2>, layouts = [#nk, #nk, #nk],
       linears_of = [array<i64: 0>, array<i64: 1>, array<i64: 2>],
       statistics = [#ff.statistic<mean_square>], schedule = [#wide_packed]}
      : (memref<?x4096xbf16>, memref<4096xbf16>, memref<4096x4096xbf16>, memref<1024x4096xbf16>, memref<1024x4096xbf16>, memref<4096xbf16>, memref<1024xbf16>, memref<1024xbf16>, memref<?x4096xbf16>, memref<?x1024xbf16>, memref<?x1024xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%z: f32, %c: bf16):
      %cw = arith.extf %c : bf16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to bf16
      ff.yield %r : bf16
    }, {
    ^bb0(%z: f32, %c: bf16):
      %cw = arith.extf %c : bf16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to bf16
      ff.yield %r : bf16
    }, {
    ^bb0(%z: f32, %c: bf16):
      %cw = arith.extf %c : bf16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }

  func.func @layer(%x: memref<?x4096xbf16>, %g: memref<4096xf32>, %s: memref<4096xf32>, %w0: memref<4096x4096xbf16>,
      %c0: memref<4096xf32>, %y0: memref<?x4096xbf16>) {
    ff.online(%x) gain(%g) shift(%s) weights(%w0) columns(%c0) outs(%y0)
      {column_of = array<i64: 0>, layouts = [#nk],
       linears_of = [array<i64: 0>],
       statistics = [#ff.statistic<mean>, #ff.statistic<variance>], schedule = [#wide_packed, #shared_packed, #narrow_packed]}
      : (memref<?x4096xbf16>, memref<4096xf32>, memref<4096xf32>, memref<4096x4096xbf16>, memref<4096xf32>, memref<?x4096xbf16>) -> ()
    row {
    ^bb0(%mean: f32, %var: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %var, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1, %mean : f32, f32
    } finalize {
    ^bb0(%z: f32, %c: f32):
      %y = arith.addf %z, %c : f32
      %r = arith.truncf %y : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }

  func.func @layer_qkv_f16(%x: memref<?x768xf16>, %g: memref<768xf16>, %s: memref<768xf16>, %w0: memref<768x768xf16>, %w1: memref<768x768xf16>, %w2: memref<768x768xf16>,
      %c0: memref<768xf16>, %c1: memref<768xf16>, %c2: memref<768xf16>, %y0: memref<?x768xf16>, %y1: memref<?x768xf16>, %y2: memref<?x768xf16>) {
    ff.online(%x) gain(%g) shift(%s) weights(%w0, %w1, %w2) columns(%c0, %c1, %c2) outs(%y0, %y1, %y2)
      {column_of = array<i64: 0, 1, 2>, layouts = [#nk, #nk, #nk],
       linears_of = [array<i64: 0>, array<i64: 1>, array<i64: 2>],
       statistics = [#ff.statistic<mean>, #ff.statistic<variance>], schedule = [#wide_packed]}
      : (memref<?x768xf16>, memref<768xf16>, memref<768xf16>, memref<768x768xf16>, memref<768x768xf16>, memref<768x768xf16>, memref<768xf16>, memref<768xf16>, memref<768xf16>, memref<?x768xf16>, memref<?x768xf16>, memref<?x768xf16>) -> ()
    row {
    ^bb0(%mean: f32, %var: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %var, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1, %mean : f32, f32
    } finalize {
    ^bb0(%z: f32, %c: f16):
      %cw = arith.extf %c : f16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to f16
      ff.yield %r : f16
    }, {
    ^bb0(%z: f32, %c: f16):
      %cw = arith.extf %c : f16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to f16
      ff.yield %r : f16
    }, {
    ^bb0(%z: f32, %c: f16):
      %cw = arith.extf %c : f16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to f16
      ff.yield %r : f16
    }
    return
  }

  func.func @layer_ragged(%x: memref<?x200xbf16>, %g: memref<200xbf16>, %s: memref<200xbf16>, %w0: memref<1003x200xbf16>, %w1: memref<78x200xbf16>,
      %c0: memref<1003xbf16>, %y0: memref<?x1003xbf16>, %y1: memref<?x78xf32>) {
    ff.online(%x) gain(%g) shift(%s) weights(%w0, %w1) columns(%c0) outs(%y0, %y1)
      {column_of = array<i64: 0>, layouts = [#nk, #nk],
       linears_of = [array<i64: 0>, array<i64: 1>],
       statistics = [#ff.statistic<mean>, #ff.statistic<variance>], schedule = [#wide_packed]}
      : (memref<?x200xbf16>, memref<200xbf16>, memref<200xbf16>, memref<1003x200xbf16>, memref<78x200xbf16>, memref<1003xbf16>, memref<?x1003xbf16>, memref<?x78xf32>) -> ()
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

  func.func @layer_ragged_f16(%x: memref<?x200xf16>, %g: memref<200xf16>, %s: memref<200xf16>, %w0: memref<1003x200xf16>, %w1: memref<78x200xf16>,
      %c0: memref<1003xf16>, %y0: memref<?x1003xf16>, %y1: memref<?x78xf32>) {
    ff.online(%x) gain(%g) shift(%s) weights(%w0, %w1) columns(%c0) outs(%y0, %y1)
      {column_of = array<i64: 0>, layouts = [#nk, #nk],
       linears_of = [array<i64: 0>, array<i64: 1>],
       statistics = [#ff.statistic<mean>, #ff.statistic<variance>], schedule = [#wide_packed]}
      : (memref<?x200xf16>, memref<200xf16>, memref<200xf16>, memref<1003x200xf16>, memref<78x200xf16>, memref<1003xf16>, memref<?x1003xf16>, memref<?x78xf32>) -> ()
    row {
    ^bb0(%mean: f32, %var: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %var, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1, %mean : f32, f32
    } finalize {
    ^bb0(%z: f32, %c: f16):
      %cw = arith.extf %c : f16 to f32
      %y = arith.addf %z, %cw : f32
      %r = arith.truncf %y : f32 to f16
      ff.yield %r : f16
    }, {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
    return
  }

  func.func @swiglu(%x: memref<?x4096xbf16>, %g: memref<4096xbf16>, %w0: memref<14336x4096xbf16>, %w1: memref<14336x4096xbf16>,
      %y: memref<?x14336xbf16>) {
    ff.online(%x) gain(%g) weights(%w0, %w1) outs(%y)
      {layouts = [#nk, #nk], linears_of = [array<i64: 0, 1>],
       statistics = [#ff.statistic<mean_square>], schedule = [#wide_packed, #shared_packed]}
      : (memref<?x4096xbf16>, memref<4096xbf16>, memref<14336x4096xbf16>, memref<14336x4096xbf16>, memref<?x14336xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%gate: f32, %up: f32):
      %one = arith.constant 1.0 : f32
      %0 = arith.negf %gate : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %gate, %2 : f32
      %4 = arith.mulf %3, %up : f32
      %5 = arith.truncf %4 : f32 to bf16
      ff.yield %5 : bf16
    }
    return
  }

  func.func @residual(%x: memref<?x4096xbf16>, %w0: memref<6144x4096xbf16>, %t0: memref<?x6144xbf16>,
      %y0: memref<?x6144xbf16>) {
    ff.online(%x) weights(%w0) tiles(%t0) outs(%y0)
      {layouts = [#nk], linears_of = [array<i64: 0>], tile_of = array<i64: 0>,
       statistics = [#ff.statistic<mean_square>], schedule = [#wide]}
      : (memref<?x4096xbf16>, memref<6144x4096xbf16>, memref<?x6144xbf16>, memref<?x6144xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      %eps = arith.constant 1.0e-5 : f32
      %0 = arith.addf %q, %eps : f32
      %1 = math.rsqrt %0 : f32
      ff.yield %1 : f32
    } finalize {
    ^bb0(%z: f32, %t: bf16):
      %0 = arith.extf %t : bf16 to f32
      %1 = arith.addf %z, %0 : f32
      %r = arith.truncf %1 : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}
