// RUN: ff-opt %s --ff-lower-to-nvgpu --split-input-file --verify-diagnostics

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{the wgmma prefill kernel takes tile_m = 128, tile_k = 64 and tile_n = a multiple of 32, at least 64, at most 256}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 80, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{the wgmma prefill kernel takes 2 to 32 stages}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 1, warps = 8, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{the wgmma prefill kernel takes warps = 8}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 4, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{the wgmma prefill kernel takes split = 1, with row statistics also 2 or 4, at most the multiprocessors}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, split = 2, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{the wgmma prefill kernel takes split = 1, with row statistics also 2 or 4, at most the multiprocessors}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [#ff.statistic<mean_square>],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, split = 3, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
    ^bb0(%q: f32):
      ff.yield %q : f32
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{tensor maps need an align of at least 16}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, align = 8>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{needs 409872 bytes of shared memory, a block has 232448}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 16, warps = 8, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %g: memref<128xf32>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{needs these weights packed}}
    ff.online(%x) gain(%g) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x128xbf16>, memref<128xf32>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{wgmma exists on sm_90a only}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xf32>, %w: memref<64x128xf32>, %y: memref<?x64xf32>) {
    // expected-error @+1 {{x is neither f16, bf16 nor f8E4M3FN}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x128xf32>, memref<64x128xf32>, memref<?x64xf32>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x100xbf16>, %w: memref<64x100xbf16>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{K is not a multiple of 8}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x100xbf16>, memref<64x100xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x128xbf16>, %w: memref<64x128xbf16>, %y: memref<?x64xbf16>) {
    // Two parts of K = 128 have 64 each, three would leave one without.
    // expected-error @+1 {{schedule: parts of K want split = 1, tile_n a multiple of 8 columns for each of them and Linear, and at least 64 of K each}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 96, tile_k = 64, stages = 4, warps = 8, parts = 3, align = 16>]}
      : (memref<?x128xbf16>, memref<64x128xbf16>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

// K of 8-bit factors stays whole.
module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x2048xf8E4M3FN>, %w: memref<64x2048xf8E4M3FN>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{the wgmma prefill kernel has no parts of K for an x of 8 bits}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 128, stages = 4, warps = 8, parts = 2, align = 16>]}
      : (memref<?x2048xf8E4M3FN>, memref<64x2048xf8E4M3FN>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

// Neither is a center left to their sums, nor a gain folded into weights of 8 bits.
module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x2048xf8E4M3FN>, %w: memref<64x2048xf8E4M3FN>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{sums of 8-bit products have too few bits for a center to cancel}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [#ff.statistic<mean>],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 128, stages = 4, warps = 8, align = 16>]}
      : (memref<?x2048xf8E4M3FN>, memref<64x2048xf8E4M3FN>, memref<?x64xbf16>) -> ()
    row {
    ^bb0(%m: f32):
      %one = arith.constant 1.0 : f32
      ff.yield %one, %m : f32, f32
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x2048xf8E4M3FN>, %g: memref<2048xf32>, %w: memref<64x2048xf8E4M3FN>, %y: memref<?x64xbf16>) {
    // expected-error @+1 {{a gain would quantise weights of 8 bits anew}}
    ff.online(%x) gain(%g) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 128, stages = 4, warps = 8, packed = true, align = 16>]}
      : (memref<?x2048xf8E4M3FN>, memref<2048xf32>, memref<64x2048xf8E4M3FN>, memref<?x64xbf16>) -> ()
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.truncf %z : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }
}
