// The simt kernels, run from their PTX: races, bounds and results (docs/testing.md).
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --family=simt --rows=1,5,19 | FileCheck %s --check-prefix=RMS
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=simt --rows=3,34 --mean=10 | FileCheck %s --check-prefix=LAYER
// Off alignment, and every variant whatever it is meant for.
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=simt --rows=2 --offset=1 | FileCheck %s --check-prefix=OFFSET
// RUN: %ptxsim %t.ffb --function=odd --norm=rms_norm --family=simt --rows=9 --offset=1 --any-rows | FileCheck %s --check-prefix=ODD
// Blocks that go on from tile to tile.
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --family=simt --rows=33 --blocks=1 --any-rows

// RMS-COUNT-3: ok rms_online_0_simt
// LAYER-COUNT-2: ok layer_online_0_simt
// OFFSET: ok layer_online_0_simt
// ODD: ok odd_online_0_simt

func.func @rms(%x: tensor<?x68xf32>, %g: tensor<68xf32>, %w: tensor<40x68xf32>)
    -> tensor<?x40xf32> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x68xf32>, tensor<68xf32>, tensor<40x68xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

func.func @layer(%x: tensor<?x100xf32>, %g: tensor<100xf32>, %s: tensor<100xf32>,
                 %wa: tensor<100x33xf32>, %wb: tensor<21x100xf32>, %ca: tensor<33xf32>,
                 %cb: tensor<21xf32>) -> (tensor<?x33xf32>, tensor<?x21xf32>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%wa, %wb) biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<kn>, #ff.layout<nk>],
       bias_of = array<i64: 0, 1>}
      : (tensor<?x100xf32>, tensor<100xf32>, tensor<100xf32>, tensor<100x33xf32>,
         tensor<21x100xf32>, tensor<33xf32>, tensor<21xf32>)
      -> (tensor<?x33xf32>, tensor<?x21xf32>)
  return %y#0, %y#1 : tensor<?x33xf32>, tensor<?x21xf32>
}

func.func @odd(%x: tensor<?x33xf32>, %w: tensor<5x33xf32>) -> tensor<?x5xf32> {
  %y = ff.norm_linear rms_norm(%x) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x33xf32>, tensor<5x33xf32>) -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}
