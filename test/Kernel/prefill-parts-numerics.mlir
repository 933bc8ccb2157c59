// K in parts over the blocks of a cluster: sums of products and of rows meet in shared memory; run
// from PTX (docs/testing.md).
// REQUIRES: numpy
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a family=prefill" | sed -E "s/(wgmma[^>]*)split = 2/\1parts = 2/; s/stages = [0-9]+/stages = 2/g" > %t.2
// RUN: cat %t.2 | %schedule_to_bundle -o %t.2.ffb
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a family=prefill" | sed -E "s/(wgmma[^>]*)split = 2/\1parts = 4/; s/stages = [0-9]+/stages = 2/g" \
// RUN:   | %schedule_to_bundle -o %t.4.ffb
// RUN: %ptxsim %t.2.ffb --function=rms --norm=rms_norm --rows=20,130 --any-rows | FileCheck %s --check-prefix=RMS
// RUN: %ptxsim %t.2.ffb --function=layer --norm=layer_norm --rows=20,150 --mean=3 --any-rows | FileCheck %s --check-prefix=LAYER
// RUN: %ptxsim %t.4.ffb --function=layer --norm=layer_norm --rows=130 --mean=3 --any-rows | FileCheck %s --check-prefix=LAYER
// RUN: %ptxsim %t.2.ffb --function=gated --norm=rms_norm --epilogue=silu_mul --rows=130 --any-rows | FileCheck %s --check-prefix=GATED
// Warps and copies in random order.
// RUN: %ptxsim %t.4.ffb --function=rms --norm=rms_norm --rows=130 --schedule=1 --any-rows
// Sums must not be sent to blocks that may not have made their barriers.
// RUN: not %ptxsim %t.2.ffb --function=rms --norm=rms_norm --rows=130 --any-rows --replace "barrier.cluster.wait;" "" 2>&1 | FileCheck %s --check-prefix=EARLY

// RMS: ok rms_online_0_prefill_0 M=20
// RMS: ok rms_online_0_prefill_0 M=130
// LAYER: ok layer_online_0_prefill_0 M=1{{[35]}}0
// GATED: ok gated_online_0_prefill_0 M=130
// EARLY: error: use of an mbarrier that races with its initialisation

func.func @rms(%x: tensor<?x264xbf16>, %g: tensor<264xbf16>, %w: tensor<200x264xbf16>)
    -> tensor<?x200xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x264xbf16>, tensor<264xbf16>, tensor<200x264xbf16>) -> tensor<?x200xbf16>
  return %y : tensor<?x200xbf16>
}

// K is no multiple of what the parts take of it.
func.func @layer(%x: tensor<?x200xf16>, %g: tensor<200xf16>, %s: tensor<200xf16>,
                 %wa: tensor<75x200xf16>, %wb: tensor<200x40xf16>, %ca: tensor<75xf16>,
                 %cb: tensor<40xf16>) -> (tensor<?x75xf16>, tensor<?x40xf16>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%wa, %wb) biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>],
       bias_of = array<i64: 0, 1>}
      : (tensor<?x200xf16>, tensor<200xf16>, tensor<200xf16>, tensor<75x200xf16>,
         tensor<200x40xf16>, tensor<75xf16>, tensor<40xf16>)
      -> (tensor<?x75xf16>, tensor<?x40xf16>)
  return %y#0, %y#1 : tensor<?x75xf16>, tensor<?x40xf16>
}

func.func @gated(%x: tensor<?x264xbf16>, %g: tensor<264xbf16>, %wg: tensor<104x264xbf16>,
                 %wu: tensor<104x264xbf16>, %y: tensor<?x104xbf16>) -> tensor<?x104xbf16> {
  %r = ff.online(%x) gain(%g) weights(%wg, %wu) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>]}
      : (tensor<?x264xbf16>, tensor<264xbf16>, tensor<104x264xbf16>, tensor<104x264xbf16>,
         tensor<?x104xbf16>) -> tensor<?x104xbf16>
  row {
  ^bb0(%square: f32):
    %eps = arith.constant 1.0e-5 : f32
    %sum = arith.addf %square, %eps : f32
    %scale = math.rsqrt %sum : f32
    ff.yield %scale : f32
  } finalize {
  ^bb0(%gate: f32, %up: f32):
    %one = arith.constant 1.0 : f32
    %negative = arith.negf %gate : f32
    %e = math.exp %negative : f32
    %below = arith.addf %one, %e : f32
    %silu = arith.divf %gate, %below : f32
    %product = arith.mulf %silu, %up : f32
    %rounded = arith.truncf %product : f32 to bf16
    ff.yield %rounded : bf16
  }
  return %r : tensor<?x104xbf16>
}
