// Sums of a row that begins with an outlier, which must not be what is subtracted from all others:
// the variance would be off by 1e-3, which an f16 result does not bear.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx=chip=sm_90a --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --norm=layer_norm --rows=4,20 --outlier=-1000 --family=decode | FileCheck %s
// RUN: ff-opt %s --ff-to-ptx="chip=sm_90a family=prefill" --emit=bundle -o %t.prefill.ffb
// RUN: %ptxsim %t.prefill.ffb --norm=layer_norm --rows=2 --outlier=-1000 --any-rows --family=prefill_0 | FileCheck %s --check-prefix=PREFILL
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 --emit=bundle -o %t.80.ffb
// RUN: %ptxsim %t.80.ffb --norm=layer_norm --rows=4 --outlier=-1000 | FileCheck %s --check-prefix=AMPERE

// CHECK: ok long_online_0_decode_{{[0-9]}} M=4
// CHECK: ok long_online_0_decode_{{[0-9]}} M=20
// PREFILL: ok long_online_0_prefill_0 M=2
// AMPERE: ok long_online_0_decode_0 M=4
// AMPERE: ok long_online_0_prefill_{{[0-9]}} M=4

func.func @long(%x: tensor<?x8208xf16>, %w: tensor<16x8208xf16>) -> tensor<?x16xf16> {
  %y = ff.norm_linear layer_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x8208xf16>, tensor<16x8208xf16>) -> tensor<?x16xf16>
  return %y : tensor<?x16xf16>
}
