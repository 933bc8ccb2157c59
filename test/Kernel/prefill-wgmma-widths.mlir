// Tiles of 96 and 160 columns, whose last chunk the threads store, and a K of one step; run from
// PTX (docs/testing.md).
// REQUIRES: numpy
// RUN: ff-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --ff-lower-to-nvgpu \
// RUN:   | FileCheck %s --check-prefix=STEP
// RUN: cat %s | %schedule_to_bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=plain --norm=none --rows=130 --any-rows | FileCheck %s --check-prefix=PLAIN
// RUN: %ptxsim %t.ffb --function=step --norm=rms_norm --rows=20 | FileCheck %s --check-prefix=ONE

// PLAIN: ok plain_online_0_prefill_0 M=130
// PLAIN: ok plain_online_0_prefill_1 M=130
// ONE: ok step_online_0_prefill_0 M=20

// A loop of one step disappears: its product must not be added to zeros, whose registers would
// be written after the fence.
// STEP-LABEL: llvm.func @step_online_0_prefill_0
// STEP: nvvm.wgmma.fence.aligned
// STEP: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// STEP-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// STEP-NOT: nvvm.wgmma.mma_async
// STEP-LABEL: llvm.func @plain_online_0_prefill_0
// STEP: nvvm.cp.async.bulk.tensor.global.shared.cta
// STEP: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xi32>
// STEP: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<1>

#nk = #ff.layout<nk>
#odd = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 96, tile_k = 64, stages = 3, warps = 8, align = 16>
#long = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 160, tile_k = 64, stages = 2, warps = 8, align = 16>
#short = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 64, stages = 2, warps = 8, align = 16>

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @step(%x: tensor<?x56xf16>, %w: tensor<72x56xf16>, %y: tensor<?x72xf16>)
      -> tensor<?x72xf16> {
    %r = ff.online(%x) weights(%w) outs(%y)
        {layouts = [#nk], linears_of = [array<i64: 0>],
         statistics = [#ff.statistic<mean_square>], schedule = [#short]}
        : (tensor<?x56xf16>, tensor<72x56xf16>, tensor<?x72xf16>) -> tensor<?x72xf16>
    row {
    ^bb0(%square: f32):
      %eps = arith.constant 1.0e-5 : f32
      %sum = arith.addf %square, %eps : f32
      %scale = math.rsqrt %sum : f32
      ff.yield %scale : f32
    } finalize {
    ^bb0(%z: f32):
      %t = arith.truncf %z : f32 to f16
      ff.yield %t : f16
    }
    return %r : tensor<?x72xf16>
  }

  func.func @plain(%x: tensor<?x136xbf16>, %w: tensor<232x136xbf16>, %y: tensor<?x232xbf16>)
      -> tensor<?x232xbf16> {
    %r = ff.online(%x) weights(%w) outs(%y)
        {layouts = [#nk], linears_of = [array<i64: 0>], statistics = [], schedule = [#odd, #long]}
        : (tensor<?x136xbf16>, tensor<232x136xbf16>, tensor<?x232xbf16>) -> tensor<?x232xbf16>
    row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %t = arith.truncf %z : f32 to bf16
      ff.yield %t : bf16
    }
    return %r : tensor<?x232xbf16>
  }
}
