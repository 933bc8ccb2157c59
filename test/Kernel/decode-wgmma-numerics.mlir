// The wgmma decode kernels, run from their PTX (docs/testing.md), on as few multiprocessors and with
// as few stages that a block goes on from tile to tile and both rings go round; then with K
// split over the two blocks of a cluster.
// REQUIRES: numpy
// DEFINE: %{sms} = 2
// DEFINE: %{tile} = tile_n = 32, tile_k = 64, stages = 3
// DEFINE: %{smem} = 60000
// DEFINE: %{emit} = ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a family=decode" \
// DEFINE:   | sed -E "s/#ff.schedule<family = (prefill|simt|decode, mma = mma_sync)[^>]*>(, )?//g; s/>, \], stat/>], stat/" \
// DEFINE:   | sed -E "s/sms = [0-9]+, smem = [0-9]+/sms = %{sms}, smem = %{smem}/; s/, (split|stages) = [0-9]+//g; s/tile_n = [0-9]+, tile_k = [0-9]+/%{tile}/g" \
// DEFINE:   | %schedule_to_bundle -o %t.ffb

// RUN: %{emit}
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --rows=17,64 | FileCheck %s --check-prefix=RMS
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --rows=40 --mean=3 | FileCheck %s --check-prefix=LAYER
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --rows=24 --mean=3 --schedule=1
// RUN: %ptxsim %t.ffb --function=gated --norm=none --epilogue=silu_mul --rows=50
// Everything in the ring of W at once: its stages are never released.
// REDEFINE: %{tile} = tile_n = 32, tile_k = 64, stages = 24
// REDEFINE: %{smem} = 140000
// RUN: %{emit}
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --rows=33,70
// REDEFINE: %{tile} = tile_n = 32, tile_k = 64, stages = 2, split = 2
// REDEFINE: %{sms} = 8
// REDEFINE: %{smem} = 60000
// RUN: %{emit}
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --rows=20,90
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --rows=45 --mean=3 --schedule=1
// RUN: %ptxsim %t.ffb --function=gated --norm=none --epilogue=silu_mul --rows=30,100

// RMS: ok rms_online_0_decode_0 M=17
// RMS: ok rms_online_0_decode_2 M=64
// LAYER: ok layer_online_0_decode_1 M=40

func.func @rms(%x: tensor<?x264xbf16>, %g: tensor<264xbf16>, %w: tensor<76x264xbf16>)
    -> tensor<?x76xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x264xbf16>, tensor<264xbf16>, tensor<76x264xbf16>) -> tensor<?x76xbf16>
  return %y : tensor<?x76xbf16>
}

func.func @layer(%x: tensor<?x200xf16>, %g: tensor<200xf16>, %s: tensor<200xf16>,
                 %wa: tensor<45x200xf16>, %wb: tensor<200x40xf16>, %ca: tensor<45xf16>,
                 %cb: tensor<40xf16>) -> (tensor<?x45xf16>, tensor<?x40xf16>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%wa, %wb) biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>],
       bias_of = array<i64: 0, 1>}
      : (tensor<?x200xf16>, tensor<200xf16>, tensor<200xf16>, tensor<45x200xf16>,
         tensor<200x40xf16>, tensor<45xf16>, tensor<40xf16>)
      -> (tensor<?x45xf16>, tensor<?x40xf16>)
  return %y#0, %y#1 : tensor<?x45xf16>, tensor<?x40xf16>
}

// A pair of Linears without a norm, and a residual: silu(x Wg) (x Wu) + r.
func.func @gated(%x: tensor<?x136xbf16>, %wg: tensor<51x136xbf16>, %wu: tensor<51x136xbf16>,
                 %t: tensor<?x51xbf16>, %y: tensor<?x51xbf16>) -> tensor<?x51xbf16> {
  %r = ff.online(%x) weights(%wg, %wu) tiles(%t) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>], tile_of = array<i64: 0>,
       linears_of = [array<i64: 0, 1>]}
      : (tensor<?x136xbf16>, tensor<51x136xbf16>, tensor<51x136xbf16>, tensor<?x51xbf16>,
         tensor<?x51xbf16>) -> tensor<?x51xbf16>
  row {
    ff.yield
  } finalize {
  ^bb0(%gate: f32, %up: f32, %residual: bf16):
    %one = arith.constant 1.0 : f32
    %negative = arith.negf %gate : f32
    %e = math.exp %negative : f32
    %below = arith.addf %one, %e : f32
    %silu = arith.divf %gate, %below : f32
    %product = arith.mulf %silu, %up : f32
    %wide = arith.extf %residual : bf16 to f32
    %sum = arith.addf %product, %wide : f32
    %rounded = arith.truncf %sum : f32 to bf16
    ff.yield %rounded : bf16
  }
  return %r : tensor<?x51xbf16>
}
