// RUN: ff-opt %s --ff-lower-to-nvgpu --split-input-file --verify-diagnostics

module attributes {ff.target = #ff.target<chip = "sm_86", features = "+ptx80", sms = 84, smem = 101376>} {
  func.func @tile_k(%x: memref<?x64xf32>, %w: memref<32x64xf32>, %y: memref<?x32xf32>) {
    // expected-error@+1 {{has a schedule that the simt kernel cannot follow: it expects tile_k = 16}}
    ff.online(%x) weights(%w) outs(%y) {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
        schedule = [#ff.schedule<family = simt, mma = fma, tile_m = 64, tile_n = 64, tile_k = 32, warps = 8>]}
        : (memref<?x64xf32>, memref<32x64xf32>, memref<?x32xf32>) -> ()
    row { ff.yield } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_86", features = "+ptx80", sms = 84, smem = 101376>} {
  func.func @warps(%x: memref<?x64xf32>, %w: memref<32x64xf32>, %y: memref<?x32xf32>) {
    // expected-error@+1 {{it expects 1 to 32 warps, a multiple of split}}
    ff.online(%x) weights(%w) outs(%y) {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
        schedule = [#ff.schedule<family = simt, mma = fma, tile_m = 64, tile_n = 64, tile_k = 16, warps = 8, split = 3>]}
        : (memref<?x64xf32>, memref<32x64xf32>, memref<?x32xf32>) -> ()
    row { ff.yield } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_86", features = "+ptx80", sms = 84, smem = 101376>} {
  func.func @register_block(%x: memref<?x64xf32>, %w: memref<32x64xf32>, %y: memref<?x32xf32>) {
    // expected-error@+1 {{it expects register blocks of 1, 2, 4 or 8 rows}}
    ff.online(%x) weights(%w) outs(%y) {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
        schedule = [#ff.schedule<family = simt, mma = fma, tile_m = 128, tile_n = 128, tile_k = 16, warps = 8>]}
        : (memref<?x64xf32>, memref<32x64xf32>, memref<?x32xf32>) -> ()
    row { ff.yield } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_86", features = "+ptx80", sms = 84, smem = 101376>} {
  func.func @shared_memory(%x: memref<?x64xf32>, %w: memref<32x64xf32>, %y: memref<?x32xf32>) {
    // expected-error@+1 {{it needs 271360 bytes of shared memory}}
    ff.online(%x) weights(%w) outs(%y) {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
        schedule = [#ff.schedule<family = simt, mma = fma, tile_m = 64, tile_n = 64, tile_k = 16, warps = 32, split = 8, stages = 2>]}
        : (memref<?x64xf32>, memref<32x64xf32>, memref<?x32xf32>) -> ()
    row { ff.yield } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_86", features = "+ptx80", sms = 84, smem = 101376>} {
  func.func @packed(%x: memref<?x64xf32>, %w: memref<32x64xf32>, %y: memref<?x32xf32>) {
    // expected-error@+1 {{it reads weights as they are, in f32}}
    ff.online(%x) weights(%w) outs(%y) {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
        schedule = [#ff.schedule<family = simt, mma = fma, tile_m = 64, tile_n = 64, tile_k = 16, warps = 8, packed = true>]}
        : (memref<?x64xf32>, memref<32x64xf32>, memref<?x32xf32>) -> ()
    row { ff.yield } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
    return
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_86", features = "+ptx80", sms = 84, smem = 101376>} {
  func.func @type(%x: memref<?x64xf64>, %w: memref<32x64xf32>, %y: memref<?x32xf32>) {
    // expected-error@+1 {{has an element type other than f32, f16, bf16 and f8E4M3FN}}
    ff.online(%x) weights(%w) outs(%y) {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
        schedule = [#ff.schedule<family = simt, mma = fma, tile_m = 64, tile_n = 64, tile_k = 16, warps = 8>]}
        : (memref<?x64xf64>, memref<32x64xf32>, memref<?x32xf32>) -> ()
    row { ff.yield } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
    return
  }
}
