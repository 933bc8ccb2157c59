// RUN: ff-opt %s --ff-lower-to-nvgpu --split-input-file --verify-diagnostics

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{tile_m must be a multiple of 16, at most 128}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 40, tile_m = 40, tile_n = 24, tile_k = 64, stages = 4, align = 16>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{it must serve 1 <= min_rows <= max_rows <= tile_m rows}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 100, tile_m = 64, tile_n = 24, tile_k = 64, stages = 4, align = 16>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{tile_n must be a multiple of 8 for each Linear of an output and part of K, at most 128}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 100, tile_m = 128, tile_n = 256, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{tile_k must be a multiple of 64, at most 512}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 64, tile_m = 64, tile_n = 24, tile_k = 32, stages = 4, align = 16>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{warps must be 4 for up to 64 rows, else 8}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 64, tile_m = 64, tile_n = 24, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{split must be 1 or 2}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 16, tile_m = 64, tile_n = 24, tile_k = 64, stages = 4, align = 16, split = 4>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{tensor maps need an align that is a multiple of 16}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 64, tile_m = 64, tile_n = 24, tile_k = 64, stages = 4, align = 8>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
  func.func @f(%x: memref<?x256xbf16>, %g: memref<256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{these weights must be packed}}
    ff.online(%x) gain(%g) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 64, tile_m = 64, tile_n = 24, tile_k = 64, stages = 4, align = 16>]}
      : (memref<?x256xbf16>, memref<256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 50000>} {
  func.func @f(%x: memref<?x256xbf16>, %w: memref<200x256xbf16>, %y: memref<?x200xbf16>) {
    // expected-error @+1 {{the 50000 bytes of shared memory leave no room for two stages of x}}
    ff.online(%x) weights(%w) outs(%y)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
       schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 64, tile_m = 64, tile_n = 128, tile_k = 64, stages = 3, align = 16>]}
      : (memref<?x256xbf16>, memref<200x256xbf16>, memref<?x200xbf16>) -> ()
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
