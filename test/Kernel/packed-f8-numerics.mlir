// Kernels that multiply elements of x take weights of 8 bits packed as such, the gain folded in;
// their scales, one per channel or one for all, stay in the finalizer. From the PTX (docs/testing.md).
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx=chip=sm_90a --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=layer_online_0_decode --rows=20 --mean=3 | FileCheck %s --check-prefix=DECODE
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --family=prefill --rows=130 | FileCheck %s --check-prefix=PREFILL
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=prefill --rows=20 --mean=3 | FileCheck %s --check-prefix=MMA

// DECODE: ok layer_online_0_decode
// PREFILL: ok rms_online_0_prefill
// MMA: ok layer_online_0_prefill

func.func @rms(%x: tensor<?x72xf16>, %w: tensor<72x40xf8E4M3FN>, %s: tensor<40xf32>)
    -> tensor<?x40xf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) scales(%s)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<kn>], scale_of = array<i64: 0>}
      : (tensor<?x72xf16>, tensor<72x40xf8E4M3FN>, tensor<40xf32>) -> tensor<?x40xf16>
  return %y : tensor<?x40xf16>
}

func.func @layer(%x: tensor<?x136xbf16>, %g: tensor<136xbf16>, %b: tensor<136xf32>,
                 %wa: tensor<75x136xf8E4M3FN>, %wb: tensor<136x40xf8E4M3FN>, %sa: tensor<1xf32>,
                 %sb: tensor<40xf32>, %ca: tensor<75xbf16>, %cb: tensor<40xbf16>)
    -> (tensor<?x75xbf16>, tensor<?x40xbf16>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%b) weights(%wa, %wb) scales(%sa, %sb)
      biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>],
       scale_of = array<i64: 0, 1>, bias_of = array<i64: 0, 1>}
      : (tensor<?x136xbf16>, tensor<136xbf16>, tensor<136xf32>, tensor<75x136xf8E4M3FN>,
         tensor<136x40xf8E4M3FN>, tensor<1xf32>, tensor<40xf32>, tensor<75xbf16>, tensor<40xbf16>)
      -> (tensor<?x75xbf16>, tensor<?x40xbf16>)
  return %y#0, %y#1 : tensor<?x75xbf16>, tensor<?x40xbf16>
}
