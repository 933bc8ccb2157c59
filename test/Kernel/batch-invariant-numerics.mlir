// With batch-invariant a row has the same bits for all of 1 to 64 rows, run from the PTX (docs/testing.md):
// with mma.sync, and with wgmma where mma.sync has no room for the rows.
// Without it, the kernels for few rows and for more sum in another order. Results in f32 show that.
// REQUIRES: numpy
// DEFINE: %{options} = chip=sm_90a batch-invariant=true
// DEFINE: %{emit} = ff-opt %s --ff-decompose --ff-schedule="%{options}" | %schedule_to_bundle -o %t.ffb
// DEFINE: %{bits} = %ptxsim %t.ffb --norm=rms_norm --family=decode --same-bits

// RUN: %{emit}
// RUN: %{bits} --function=f --rows=1,7,13,40 | FileCheck %s --check-prefix=MMA
// RUN: %{bits} --function=long --rows=3,20,40 | FileCheck %s --check-prefix=WGMMA
// REDEFINE: %{options} = chip=sm_90a
// RUN: %{emit}
// RUN: not %{bits} --function=f --rows=1,7,13,40 | FileCheck %s --check-prefix=FREE

// Packed weights, and behind them unpacked ones.
// MMA: ok f_online_0_decode_0 M=1
// MMA: ok f_online_0_decode_3 M=1
// MMA: ok f_online_0_decode_1 M=13
// MMA: ok f_online_0_decode_1 M=40
// WGMMA: ok long_online_0_decode_0 M=3
// WGMMA: ok long_online_0_decode_1 M=20
// WGMMA: ok long_online_0_decode_2 M=40
// FREE: FAIL {{.*}} M=40 {{.*}} rows differ from those of M=1

func.func @f(%x: tensor<?x264xbf16>, %g: tensor<264xbf16>, %w: tensor<72x264xbf16>)
    -> tensor<?x72xf32> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x264xbf16>, tensor<264xbf16>, tensor<72x264xbf16>) -> tensor<?x72xf32>
  return %y : tensor<?x72xf32>
}

func.func @long(%x: tensor<?x19456xbf16>, %w: tensor<16x19456xbf16>) -> tensor<?x16xf32> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x19456xbf16>, tensor<16x19456xbf16>) -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}
