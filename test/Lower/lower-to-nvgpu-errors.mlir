// RUN: ff-opt %s --split-input-file --ff-lower-to-nvgpu --verify-diagnostics

// expected-error @+1 {{the module has no `ff.target`; run ff-schedule before ff-lower-to-nvgpu}}
module {
  func.func @no_target(%x: memref<4x64xf32>, %w: memref<32x64xf32>, %o: memref<4x32xf32>) {
    ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
      linears_of = [array<i64: 0>], statistics = []}
      : (memref<4x64xf32>, memref<32x64xf32>, memref<4x32xf32>) -> () row {
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
  func.func @no_schedule(%x: memref<4x64xf32>, %w: memref<32x64xf32>, %o: memref<4x32xf32>) {
    // expected-error @+1 {{has no schedule; run ff-schedule before ff-lower-to-nvgpu}}
    ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
      linears_of = [array<i64: 0>], statistics = []}
      : (memref<4x64xf32>, memref<32x64xf32>, memref<4x32xf32>) -> () row {
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
  func.func @tensors(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
    // expected-error @+1 {{must be bufferized before ff-lower-to-nvgpu}}
    %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
      linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = simt, mma = fma>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
        ff.yield
      } finalize {
      ^bb0(%z: f32):
        ff.yield %z : f32
      }
    return %0 : tensor<4x32xf32>
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
  func.func @wrong_kernel(%x: memref<4x64xf32>, %w: memref<32x64xf32>, %o: memref<4x32xf32>) {
    // expected-error @+1 {{cannot be served by #ff.schedule<family = decode, mma = mma_sync>:}}
    ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
      linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = decode, mma = mma_sync>]}
      : (memref<4x64xf32>, memref<32x64xf32>, memref<4x32xf32>) -> () row {
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
  func.func @elements(%x: memref<?x64xf32>, %w: memref<64x64xf8E4M3FN>, %o: memref<?x64xf32>) {
    // expected-error @+1 {{x is neither f16, bf16 nor f8E4M3FN}}
    ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x64xf32>, memref<64x64xf8E4M3FN>, memref<?x64xf32>) -> () row {
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
  func.func @quantised(%x: memref<?x64xbf16>, %w: memref<64x64xf8E4M3FN>, %o: memref<?x64xbf16>) {
    // expected-error @+1 {{needs these weights packed}}
    ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x64xbf16>, memref<64x64xf8E4M3FN>, memref<?x64xbf16>) -> () row {
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

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
  func.func @absurd(%x: memref<?x64xf32>, %w: memref<9223372036854775807x64xf32>, %o: memref<?x9223372036854775807xf32>) {
    // expected-error @+1 {{there are 2^31 or more columns}}
    ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = simt, mma = fma, tile_m = 8, tile_n = 64, tile_k = 16, warps = 4>]}
      : (memref<?x64xf32>, memref<9223372036854775807x64xf32>, memref<?x9223372036854775807xf32>) -> () row {
        ff.yield
      } finalize {
      ^bb0(%z: f32):
        ff.yield %z : f32
      }
    return
  }
}

// -----

// The kernel itself looks at x and the weights only.
module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
  func.func @column(%x: memref<?x64xbf16>, %w: memref<64x64xbf16>, %c: memref<64xf64>, %o: memref<?x64xbf16>) {
    // expected-error @+1 {{has an operand of type 'memref<64xf64>'; kernels take f32, f16, bf16 and f8E4M3FN}}
    ff.online(%x) weights(%w) columns(%c) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], column_of = array<i64: 0>, statistics = [],
      schedule = [#ff.schedule<family = prefill, mma = mma_sync, tile_m = 128, tile_n = 128, tile_k = 64, stages = 4, warps = 8, align = 16>]}
      : (memref<?x64xbf16>, memref<64x64xbf16>, memref<64xf64>, memref<?x64xbf16>) -> () row {
        ff.yield
      } finalize {
      ^bb0(%z: f32, %b: f64):
        %r = arith.truncf %z : f32 to bf16
        ff.yield %r : bf16
      }
    return
  }
}
