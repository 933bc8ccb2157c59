// The decode kernels, run from their PTX (docs/testing.md), on as few multiprocessors and with as
// few stages that the ring goes round: bulk copies and mbarriers on sm_90a, cp.async on sm_80.
// REQUIRES: numpy
// DEFINE: %{chip} =
// DEFINE: %{emit} = ff-opt %s --ff-decompose --ff-schedule="chip=%{chip} family=decode" \
// DEFINE:   | sed -E "s/sms = [0-9]+/sms = 2/; s/(family = decode[^>]*stages = )[0-9]+/\14/g" \
// DEFINE:   | %schedule_to_bundle -o %t.ffb
// DEFINE: %{check} = %ptxsim %t.ffb --function=rms --norm=rms_norm --family=decode --rows=1,8,13 \
// DEFINE:   | FileCheck %s --check-prefix=RMS && \
// DEFINE:   %ptxsim %t.ffb --function=layer --norm=layer_norm --family=decode --rows=5,16 --mean=3 \
// DEFINE:   | FileCheck %s --check-prefix=LAYER && \
// DEFINE:   %ptxsim %t.ffb --function=layer --norm=layer_norm --family=decode --rows=8 --mean=3 --schedule=1 && \
// DEFINE:   %ptxsim %t.ffb --function=long --norm=layer_norm --family=decode --rows=4,12 --mean=3

// REDEFINE: %{chip} = sm_90a
// RUN: %{emit}
// RUN: %{check}
// REDEFINE: %{chip} = sm_80
// RUN: %{emit}
// RUN: %{check}

// RMS: ok rms_online_0_decode_0 M=1
// RMS: ok rms_online_0_decode_0 M=8
// RMS: ok rms_online_0_decode_1 M=13
// RMS: ok rms_online_0_decode_3 M=13
// LAYER: ok layer_online_0_decode_0 M=5
// LAYER: ok layer_online_0_decode_1 M=16

func.func @rms(%x: tensor<?x264xbf16>, %g: tensor<264xbf16>, %w: tensor<204x264xbf16>)
    -> tensor<?x204xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x264xbf16>, tensor<264xbf16>, tensor<204x264xbf16>) -> tensor<?x204xbf16>
  return %y : tensor<?x204xbf16>
}

func.func @layer(%x: tensor<?x136xf16>, %g: tensor<136xf16>, %s: tensor<136xf16>,
                 %wa: tensor<75x136xf16>, %wb: tensor<136x40xf16>, %ca: tensor<75xf16>,
                 %cb: tensor<40xf16>) -> (tensor<?x75xf16>, tensor<?x40xf16>) {
  %y:2 = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%wa, %wb) biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>],
       bias_of = array<i64: 0, 1>}
      : (tensor<?x136xf16>, tensor<136xf16>, tensor<136xf16>, tensor<75x136xf16>,
         tensor<136x40xf16>, tensor<75xf16>, tensor<40xf16>)
      -> (tensor<?x75xf16>, tensor<?x40xf16>)
  return %y#0, %y#1 : tensor<?x75xf16>, tensor<?x40xf16>
}

// Rows that do not fit into registers.
func.func @long(%x: tensor<?x8200xf16>, %g: tensor<8200xf16>, %w: tensor<24x8200xf16>)
    -> tensor<?x24xf16> {
  %y = ff.norm_linear layer_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x8200xf16>, tensor<8200xf16>, tensor<24x8200xf16>) -> tensor<?x24xf16>
  return %y : tensor<?x24xf16>
}
