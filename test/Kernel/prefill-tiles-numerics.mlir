// A residual, added in the finalizer by the prefill kernels; run from PTX (docs/testing.md).
// REQUIRES: numpy
// RUN: ff-opt %s --ff-schedule="chip=sm_90a family=prefill" | %schedule_to_bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=even --norm=rms_norm --epilogue=add_tile --rows=130 --blocks=2 --any-rows | FileCheck %s --check-prefix=EVEN
// RUN: %ptxsim %t.ffb --function=odd --norm=rms_norm --epilogue=add_tile --rows=20 | FileCheck %s --check-prefix=ODD
// RUN: %ptxsim %t.ffb --function=odd --norm=rms_norm --epilogue=add_tile --rows=20 --offset=1 | FileCheck %s --check-prefix=OFFSET

// Through the copy engine, a thread's pairs of the tile straight from memory.
// EVEN: ok even_online_0_prefill_0 M=130
// EVEN: ok even_online_0_prefill_1 M=130
// Single elements.
// ODD: ok odd_online_0_prefill_0 M=20
// ODD: ok odd_online_0_prefill_{{[1-9]}} M=20
// OFFSET: ok odd_online_0_prefill_{{[0-9]}} M=20

func.func @even(%x: tensor<?x136xbf16>, %w: tensor<104x136xbf16>, %t: tensor<?x104xbf16>,
                %y: tensor<?x104xbf16>) -> tensor<?x104xbf16> {
  %r = ff.online(%x) weights(%w) tiles(%t) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       tile_of = array<i64: 0>, linears_of = [array<i64: 0>]}
      : (tensor<?x136xbf16>, tensor<104x136xbf16>, tensor<?x104xbf16>, tensor<?x104xbf16>)
      -> tensor<?x104xbf16>
  row {
  ^bb0(%square: f32):
    %eps = arith.constant 1.0e-5 : f32
    %sum = arith.addf %square, %eps : f32
    %scale = math.rsqrt %sum : f32
    ff.yield %scale : f32
  } finalize {
  ^bb0(%z: f32, %e: bf16):
    %wide = arith.extf %e : bf16 to f32
    %sum = arith.addf %z, %wide : f32
    %rounded = arith.truncf %sum : f32 to bf16
    ff.yield %rounded : bf16
  }
  return %r : tensor<?x104xbf16>
}

func.func @odd(%x: tensor<?x72xf16>, %w: tensor<75x72xf16>, %t: tensor<?x75xf16>,
               %y: tensor<?x75xf16>) -> tensor<?x75xf16> {
  %r = ff.online(%x) weights(%w) tiles(%t) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       tile_of = array<i64: 0>, linears_of = [array<i64: 0>]}
      : (tensor<?x72xf16>, tensor<75x72xf16>, tensor<?x75xf16>, tensor<?x75xf16>)
      -> tensor<?x75xf16>
  row {
  ^bb0(%square: f32):
    %eps = arith.constant 1.0e-5 : f32
    %sum = arith.addf %square, %eps : f32
    %scale = math.rsqrt %sum : f32
    ff.yield %scale : f32
  } finalize {
  ^bb0(%z: f32, %e: f16):
    %wide = arith.extf %e : f16 to f32
    %sum = arith.addf %z, %wide : f32
    %rounded = arith.truncf %sum : f32 to f16
    ff.yield %rounded : f16
  }
  return %r : tensor<?x75xf16>
}
