// RUN: ff-opt %s --ff-lower-to-nvgpu --split-input-file --verify-diagnostics

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @tile(%x: memref<?x64xbf16>, %w: memref<24x64xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{whose tile of 48 x 64 does not divide among 4 warps}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 48, tile_n = 64,
                                tile_k = 64, stages = 3, warps = 4>]}
      : (memref<?x64xbf16>, memref<24x64xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @stages(%x: memref<?x64xbf16>, %w: memref<24x64xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{or whose 1 stages are not 2 to 16}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64,
                                tile_k = 64, stages = 1, warps = 4>]}
      : (memref<?x64xbf16>, memref<24x64xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_86", features = "+ptx80", sms = 84, smem = 101376>} {
func.func @smem(%x: memref<?x64xbf16>, %w: memref<24x64xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{needs 149504 bytes of shared memory; sm_86 has 101376}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 128, tile_n = 256,
                                tile_k = 64, stages = 3, warps = 8>]}
      : (memref<?x64xbf16>, memref<24x64xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @depth(%x: memref<?x64xf32>, %w: memref<24x64xf32>, %y: memref<?x24xf32>) {
  // expected-error @below {{tile_k = 64, but a stage of this kernel holds 32 elements of K}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64,
                                tile_k = 64, stages = 3, warps = 4, tf32 = true>]}
      : (memref<?x64xf32>, memref<24x64xf32>, memref<?x24xf32>) -> ()
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

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @kn(%x: memref<?x64xbf16>, %w: memref<64x24xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{reads the weights as they are, but they must be packed}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<kn>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64,
                                tile_k = 64, stages = 3, warps = 4>]}
      : (memref<?x64xbf16>, memref<64x24xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @exact(%x: memref<?x64xf32>, %w: memref<24x64xf32>, %y: memref<?x24xf32>) {
  // expected-error @below {{f32 on tensor cores needs tf32, which was not asked for}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64,
                                tile_k = 32, stages = 3, warps = 4>]}
      : (memref<?x64xf32>, memref<24x64xf32>, memref<?x24xf32>) -> ()
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

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @gated(%x: memref<?x64xbf16>, %wg: memref<24x64xbf16>, %wu: memref<24x64xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{whose tile of 16 x 64 does not divide among 4 warps of mma.sync and the Linears of an output}}
  ff.online(%x) weights(%wg, %wu) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 16, tile_n = 64,
                                tile_k = 64, stages = 3, warps = 4, align = 16>]}
      : (memref<?x64xbf16>, memref<24x64xbf16>, memref<24x64xbf16>, memref<?x24xbf16>) -> ()
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
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
func.func @three(%x: memref<?x64xbf16>, %w: memref<24x64xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{an output takes neither 1, 2 nor 4 Linears}}
  ff.online(%x) weights(%w, %w, %w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1, 2>],
       schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 64, tile_n = 64,
                                tile_k = 64, stages = 3, warps = 4, align = 16>]}
      : (memref<?x64xbf16>, memref<24x64xbf16>, memref<24x64xbf16>, memref<24x64xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %z = arith.addf %s, %c : f32
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}
