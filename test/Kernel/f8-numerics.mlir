// Weights of 8 bits, run from the PTX (docs/testing.md): one scale per channel and one for all,
// with and without a bias, both layouts, a K that no vector divides.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx="chip=sm_80 family=simt" --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --family=simt --rows=1,5,19 | FileCheck %s --check-prefix=RMS
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=simt --rows=3 --mean=3 --offset=1 | FileCheck %s --check-prefix=LAYER

// RMS-COUNT-3: ok rms_online_0_simt
// LAYER: ok layer_online_0_simt

func.func @rms(%x: tensor<?x68xbf16>, %g: tensor<68xf32>, %w: tensor<40x68xf8E4M3FN>, %s: tensor<40xf32>)
    -> tensor<?x40xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w) scales(%s)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>], scale_of = array<i64: 0>}
      : (tensor<?x68xbf16>, tensor<68xf32>, tensor<40x68xf8E4M3FN>, tensor<40xf32>) -> tensor<?x40xbf16>
  return %y : tensor<?x40xbf16>
}

func.func @layer(%x: tensor<?x99xf16>, %g: tensor<99xf16>, %b: tensor<99xf16>,
                 %wa: tensor<99x33xf8E4M3FN>, %wb: tensor<21x99xf8E4M3FN>, %sa: tensor<1xf32>,
                 %sb: tensor<21xf16>, %ca: tensor<33xf16>, %cb: tensor<21xf16>)
    -> (tensor<?x33xf16>, tensor<?x21xf16>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%b) weights(%wa, %wb) scales(%sa, %sb) biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<kn>, #ff.layout<nk>],
       scale_of = array<i64: 0, 1>, bias_of = array<i64: 0, 1>}
      : (tensor<?x99xf16>, tensor<99xf16>, tensor<99xf16>, tensor<99x33xf8E4M3FN>,
         tensor<21x99xf8E4M3FN>, tensor<1xf32>, tensor<21xf16>, tensor<33xf16>, tensor<21xf16>)
      -> (tensor<?x33xf16>, tensor<?x21xf16>)
  return %y#0, %y#1 : tensor<?x33xf16>, tensor<?x21xf16>
}
