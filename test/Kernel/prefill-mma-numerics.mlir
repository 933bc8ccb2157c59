// The mma.sync prefill kernels and the pack kernels before them, run from their PTX
// (docs/testing.md): 16-bit floats and tf32, ragged M, N and K, weights of both layouts,
// addresses off alignment.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx="chip=sm_80 family=prefill tf32=true" --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --family=prefill --rows=1,37 --any-rows | FileCheck %s --check-prefix=RMS
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=prefill --rows=18 --mean=3 --any-rows | FileCheck %s --check-prefix=LAYER
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=prefill --rows=70 --mean=3 --offset=1 | FileCheck %s --check-prefix=OFFSET
// RUN: %ptxsim %t.ffb --function=tf32 --norm=layer_norm --family=prefill --rows=35 --mean=3 --tf32 --any-rows | FileCheck %s --check-prefix=TF32

// RMS-COUNT-4: ok rms_online_0_prefill
// LAYER-COUNT-3: ok layer_online_0_prefill
// OFFSET: ok layer_online_0_prefill
// TF32-COUNT-3: ok tf32_online_0_prefill

func.func @rms(%x: tensor<?x136xbf16>, %g: tensor<136xbf16>, %w: tensor<72x136xbf16>)
    -> tensor<?x72xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x136xbf16>, tensor<136xbf16>, tensor<72x136xbf16>) -> tensor<?x72xbf16>
  return %y : tensor<?x72xbf16>
}

func.func @layer(%x: tensor<?x97xf16>, %g: tensor<97xf16>, %s: tensor<97xf16>,
                 %wa: tensor<75x97xf16>, %wb: tensor<97x20xf16>, %ca: tensor<75xf16>,
                 %cb: tensor<20xf16>) -> (tensor<?x75xf16>, tensor<?x20xf16>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%wa, %wb) biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>],
       bias_of = array<i64: 0, 1>}
      : (tensor<?x97xf16>, tensor<97xf16>, tensor<97xf16>, tensor<75x97xf16>, tensor<97x20xf16>,
         tensor<75xf16>, tensor<20xf16>) -> (tensor<?x75xf16>, tensor<?x20xf16>)
  return %y#0, %y#1 : tensor<?x75xf16>, tensor<?x20xf16>
}

func.func @tf32(%x: tensor<?x76xf32>, %g: tensor<76xf32>, %s: tensor<76xf32>,
                %w: tensor<41x76xf32>, %c: tensor<41xf32>) -> tensor<?x41xf32> {
  %y = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%w) biases(%c)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>], bias_of = array<i64: 0>}
      : (tensor<?x76xf32>, tensor<76xf32>, tensor<76xf32>, tensor<41x76xf32>, tensor<41xf32>)
      -> tensor<?x41xf32>
  return %y : tensor<?x41xf32>
}
