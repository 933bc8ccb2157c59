// RUN: ff-opt %s --split-input-file --ff-lower-to-nvgpu --verify-diagnostics

// expected-error @+1 {{has no `ff.target`; run ff-schedule before ff-lower-to-nvgpu}}
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
