// The decode kernels on weights of 8 bits, run from their PTX (docs/testing.md), on as few
// multiprocessors and with as few stages that the ring goes round: bulk copies on sm_90a, cp.async
// on sm_89. Scales per channel and of one number, biases, a last stage that K does not fill.
// REQUIRES: numpy
// DEFINE: %{chip} =
// DEFINE: %{emit} = ff-opt %s --ff-decompose --ff-schedule="chip=%{chip} family=decode" \
// DEFINE:   | sed -E "s/sms = [0-9]+/sms = 2/; s/(family = decode[^>]*stages = )[0-9]+/\14/g" \
// DEFINE:   | %schedule_to_bundle -o %t.ffb
// DEFINE: %{check} = %ptxsim %t.ffb --function=rms --norm=rms_norm --family=decode --rows=1,8,13 \
// DEFINE:   | FileCheck %s --check-prefix=RMS && \
// DEFINE:   %ptxsim %t.ffb --function=layer --norm=layer_norm --family=decode --rows=5,16 --mean=3 \
// DEFINE:   | FileCheck %s --check-prefix=LAYER && \
// DEFINE:   %ptxsim %t.ffb --function=layer --norm=layer_norm --family=decode --rows=8 --mean=3 --schedule=1

// REDEFINE: %{chip} = sm_90a
// RUN: %{emit}
// RUN: %{check}
// RUN: %ptxsim %t.ffb --function=long --norm=rms_norm --family=decode --rows=8,13 | FileCheck %s --check-prefix=LONG
// REDEFINE: %{chip} = sm_89
// RUN: %{emit}
// RUN: %{check}

// Sixteen rows of 8192 would leave the ring segments of 512 bytes: two blocks of eight rows.
// RUN: ff-opt %s --ff-decompose --ff-schedule=chip=sm_90a | FileCheck %s --check-prefix=EIGHT
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a batch-invariant" | FileCheck %s --check-prefix=PINNED
// EIGHT-LABEL: func.func @long
// EIGHT: min_rows = 9, max_rows = 16, tile_m = 8, tile_n = 8, tile_k = 2048,
// PINNED-LABEL: func.func @long
// PINNED-NOT: tile_k = 512,
// PINNED: ], statistics
// LONG: ok long_online_0_decode_0 M=8
// LONG: ok long_online_0_decode_1 M=13

// RMS: ok rms_online_0_decode_0 M=1
// RMS: ok rms_online_0_decode_0 M=8
// RMS: ok rms_online_0_decode_1 M=13
// LAYER: ok layer_online_0_decode_0 M=5
// LAYER: ok layer_online_0_decode_1 M=16

func.func @rms(%x: tensor<?x272xbf16>, %g: tensor<272xbf16>, %w: tensor<204x272xf8E4M3FN>,
               %s: tensor<204xf32>) -> tensor<?x204xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w) scales(%s)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>], scale_of = array<i64: 0>}
      : (tensor<?x272xbf16>, tensor<272xbf16>, tensor<204x272xf8E4M3FN>, tensor<204xf32>)
      -> tensor<?x204xbf16>
  return %y : tensor<?x204xbf16>
}

func.func @layer(%x: tensor<?x144xf16>, %g: tensor<144xf16>, %b: tensor<144xf16>,
                 %wa: tensor<75x144xf8E4M3FN>, %wb: tensor<40x144xf8E4M3FN>, %sa: tensor<1xf32>,
                 %sb: tensor<40xf16>, %ca: tensor<75xf16>, %cb: tensor<40xf16>)
    -> (tensor<?x75xf16>, tensor<?x40xf16>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%b) weights(%wa, %wb) scales(%sa, %sb)
      biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<nk>],
       scale_of = array<i64: 0, 1>, bias_of = array<i64: 0, 1>}
      : (tensor<?x144xf16>, tensor<144xf16>, tensor<144xf16>, tensor<75x144xf8E4M3FN>,
         tensor<40x144xf8E4M3FN>, tensor<1xf32>, tensor<40xf16>, tensor<75xf16>, tensor<40xf16>)
      -> (tensor<?x75xf16>, tensor<?x40xf16>)
  return %y#0, %y#1 : tensor<?x75xf16>, tensor<?x40xf16>
}

func.func @long(%x: tensor<?x8192xbf16>, %w: tensor<24x8192xf8E4M3FN>,
                %s: tensor<24xf32>) -> tensor<?x24xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) scales(%s)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>], scale_of = array<i64: 0>}
      : (tensor<?x8192xbf16>, tensor<24x8192xf8E4M3FN>, tensor<24xf32>) -> tensor<?x24xbf16>
  return %y : tensor<?x24xbf16>
}
