// The wgmma prefill kernels, run from their PTX (docs/testing.md), with two blocks, so that a block
// goes on from tile to tile and the ring goes round.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx="chip=sm_90a family=prefill" --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --rows=130 --blocks=2 --any-rows | FileCheck %s --check-prefix=RMS
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --rows=150 --mean=3 --blocks=2 --any-rows | FileCheck %s --check-prefix=LAYER
// Warps and copies in random order.
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --rows=130 --blocks=2 --schedule=1
// Row sums must not be sent to blocks that may not have made their barriers.
// RUN: not %ptxsim %t.ffb --function=rms --norm=rms_norm --rows=130 --blocks=2 --replace "barrier.cluster.wait;" "" 2>&1 | FileCheck %s --check-prefix=EARLY
// Results that no tensor map can write, off alignment: another kernel.
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --rows=20 --offset=1 | FileCheck %s --check-prefix=OFFSET

// RMS: ok rms_online_0_prefill_0 M=130
// RMS: ok rms_online_0_prefill_1 M=130
// LAYER: ok layer_online_0_prefill_0 M=150
// LAYER: ok layer_online_0_prefill_1 M=150
// EARLY: error: use of an mbarrier that races with its initialisation
// EARLY-NEXT: at "st.async.shared::cluster
// OFFSET: ok layer_online_0_prefill_{{[0-9]}} M=20

func.func @rms(%x: tensor<?x264xbf16>, %g: tensor<264xbf16>, %w: tensor<200x264xbf16>)
    -> tensor<?x200xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x264xbf16>, tensor<264xbf16>, tensor<200x264xbf16>) -> tensor<?x200xbf16>
  return %y : tensor<?x200xbf16>
}

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
