// Sums of a row that begins with an outlier, which must not be what is subtracted from all others:
// the variance would be off by 1e-3, which an f16 result does not bear. Long sums of f16 are
// promoted (rows with a large mean: docs/numerics.md), where no decode kernel of wgmma does so.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx=chip=sm_90a --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=long --norm=layer_norm --rows=4 --outlier=-1000 --family=decode | FileCheck %s
// RUN: %ptxsim %t.ffb --function=half --norm=layer_norm --rows=20 --outlier=-1000 --family=decode | FileCheck %s --check-prefix=HALF
// RUN: not %ptxsim %t.ffb --function=long --norm=layer_norm --rows=20 --family=decode
// RUN: %ptxsim %t.ffb --function=long --norm=layer_norm --rows=20 --mean=100 --family=prefill | FileCheck %s --check-prefix=PREFILL
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 --emit=bundle -o %t.80.ffb
// RUN: %ptxsim %t.80.ffb --function=long --norm=layer_norm --rows=4 --outlier=-1000 | FileCheck %s --check-prefix=AMPERE

// CHECK: ok long_online_0_decode_{{[0-9]}} M=4
// HALF: ok half_online_0_decode_{{[0-9]}} M=20
// PREFILL: ok long_online_0_prefill_{{[0-9]}} M=20
// AMPERE: ok long_online_0_decode_0 M=4
// AMPERE: ok long_online_0_prefill_{{[0-9]}} M=4

func.func @long(%x: tensor<?x8208xf16>, %w: tensor<16x8208xf16>) -> tensor<?x16xf16> {
  %y = ff.norm_linear layer_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x8208xf16>, tensor<16x8208xf16>) -> tensor<?x16xf16>
  return %y : tensor<?x16xf16>
}

func.func @half(%x: tensor<?x4096xf16>, %w: tensor<16x4096xf16>) -> tensor<?x16xf16> {
  %y = ff.norm_linear layer_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x4096xf16>, tensor<16x4096xf16>) -> tensor<?x16xf16>
  return %y : tensor<?x16xf16>
}
