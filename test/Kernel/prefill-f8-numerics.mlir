// x and weights of 8 bits on tensor cores, run from the PTX (docs/testing.md), whose products are
// summed with the bits that sm_90 keeps: without a norm and with one, scales per row and for all,
// per channel and for all, several outputs, a gated pair, results of 16 and 32 bits, columns and K
// that no tile divides, more tiles than blocks, weights that have to be turned.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx=chip=sm_90a --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=plain --norm=none --family=prefill --rows=1,129,300 --blocks=3 | FileCheck %s --check-prefix=PLAIN
// RUN: %ptxsim %t.ffb --function=rms --norm=rms_norm --family=prefill --rows=20,140 --blocks=4 | FileCheck %s --check-prefix=RMS
// RUN: %ptxsim %t.ffb --function=turned --norm=l2_norm --family=prefill --rows=40 | FileCheck %s --check-prefix=TURNED
// RUN: %ptxsim %t.ffb --function=plain --norm=none --family=simt --rows=5 --offset=1 | FileCheck %s --check-prefix=SIMT
// RUN: %ptxsim %t.ffb --function=layer --norm=layer_norm --rows=5 --mean=30 | FileCheck %s --check-prefix=LAYER

// PLAIN-COUNT-3: ok plain_online_0_prefill
// RMS-COUNT-2: ok rms_online_0_prefill
// TURNED: ok turned_online_0_prefill
// SIMT: ok plain_online_0_simt
// LAYER: ok layer_online_0_simt

func.func @plain(%x: tensor<?x272xf8E4M3FN>, %sx: tensor<?xf32>, %w: tensor<75x272xf8E4M3FN>,
                 %s: tensor<75xf32>) -> tensor<?x75xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x272xf8E4M3FN>
  %o = tensor.empty(%m) : tensor<?x75xf32>
  %y = ff.online(%x) weights(%w) columns(%s) x_scale(%sx) outs(%o)
      {column_of = array<i64: 0>, layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = []}
      : (tensor<?x272xf8E4M3FN>, tensor<75x272xf8E4M3FN>, tensor<75xf32>, tensor<?xf32>, tensor<?x75xf32>)
      -> tensor<?x75xf32> row {
  ^bb0(%a: f32):
    ff.yield %a : f32
  } finalize {
  ^bb0(%z: f32, %c: f32):
    %p = arith.mulf %z, %c : f32
    ff.yield %p : f32
  }
  return %y : tensor<?x75xf32>
}

func.func @rms(%x: tensor<?x176xf8E4M3FN>, %sx: tensor<?xbf16>, %wa: tensor<136x176xf8E4M3FN>,
               %wb: tensor<40x176xf8E4M3FN>, %sa: tensor<136xf32>, %sb: tensor<1xf32>,
               %ca: tensor<136xbf16>, %cb: tensor<40xbf16>) -> (tensor<?x136xbf16>, tensor<?x40xbf16>) {
  %y:2 = ff.norm_linear rms_norm(%x) x_scale(%sx) weights(%wa, %wb) scales(%sa, %sb) biases(%ca, %cb)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<nk>], scale_of = array<i64: 0, 1>,
       bias_of = array<i64: 0, 1>}
      : (tensor<?x176xf8E4M3FN>, tensor<?xbf16>, tensor<136x176xf8E4M3FN>, tensor<40x176xf8E4M3FN>,
         tensor<136xf32>, tensor<1xf32>, tensor<136xbf16>, tensor<40xbf16>)
      -> (tensor<?x136xbf16>, tensor<?x40xbf16>)
  return %y#0, %y#1 : tensor<?x136xbf16>, tensor<?x40xbf16>
}

// Without a scale of x; K x N.
func.func @turned(%x: tensor<?x144xf8E4M3FN>, %w: tensor<144x72xf8E4M3FN>, %s: tensor<72xf32>)
    -> tensor<?x72xbf16> {
  %y = ff.norm_linear l2_norm(%x) weights(%w) scales(%s)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<kn>], scale_of = array<i64: 0>}
      : (tensor<?x144xf8E4M3FN>, tensor<144x72xf8E4M3FN>, tensor<72xf32>) -> tensor<?x72xbf16>
  return %y : tensor<?x72xbf16>
}

// A center is not left to sums of few bits.
func.func @layer(%x: tensor<?x144xf8E4M3FN>, %sx: tensor<?xf32>, %w: tensor<72x144xf8E4M3FN>,
                 %s: tensor<72xf32>) -> tensor<?x72xbf16> {
  %y = ff.norm_linear layer_norm(%x) x_scale(%sx) weights(%w) scales(%s)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>], scale_of = array<i64: 0>}
      : (tensor<?x144xf8E4M3FN>, tensor<?xf32>, tensor<72x144xf8E4M3FN>, tensor<72xf32>) -> tensor<?x72xbf16>
  return %y : tensor<?x72xbf16>
}
