// RUN: ff-opt %s | ff-opt | FileCheck %s
// RUN: ff-opt %s --mlir-print-op-generic | ff-opt | FileCheck %s
// RUN: ff-opt %s --emit-bytecode | ff-opt | FileCheck %s

// CHECK-LABEL: func @qkv
// CHECK: ff.norm_linear rms_norm(%{{.*}}) gain(%{{.*}}) weights(%{{.*}}, %{{.*}}) {eps = 1.000000e-05 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>]}
func.func @qkv(%x: tensor<?x64xbf16>, %g: tensor<64xf32>, %q: tensor<32x64xbf16>,
               %k: tensor<64x16xbf16>) -> (tensor<?x32xbf16>, tensor<?x16xf32>) {
  %0:2 = ff.norm_linear rms_norm(%x) gain(%g) weights(%q, %k)
    {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>]}
    : (tensor<?x64xbf16>, tensor<64xf32>, tensor<32x64xbf16>, tensor<64x16xbf16>)
    -> (tensor<?x32xbf16>, tensor<?x16xf32>)
  return %0#0, %0#1 : tensor<?x32xbf16>, tensor<?x16xf32>
}

// CHECK-LABEL: func @layer_norm
// CHECK: ff.norm_linear layer_norm(%{{.*}}) gain(%{{.*}}) shift(%{{.*}}) weights(%{{.*}}) biases(%{{.*}}) eps(%{{.*}}) {bias_of = array<i64: 0>
func.func @layer_norm(%x: tensor<4x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>,
                      %w: tensor<32x64xf32>, %c: tensor<32xf32>, %eps: f32) -> tensor<4x32xf32> {
  %0 = ff.norm_linear layer_norm(%x) gain(%g) shift(%b) weights(%w) biases(%c) eps(%eps)
    {layouts = [#ff.layout<nk>], bias_of = array<i64: 0>}
    : (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32x64xf32>, tensor<32xf32>, f32)
    -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// Quantised weights; one scale per channel, one per tensor.
// CHECK-LABEL: func @f8
// CHECK: ff.norm_linear rms_norm(%{{.*}}) weights(%{{.*}}, %{{.*}}) scales(%{{.*}}, %{{.*}}) biases(%{{[a-z0-9]+}})
// CHECK-SAME: scale_of = array<i64: 0, 1>
func.func @f8(%x: tensor<4x64xbf16>, %q: tensor<32x64xf8E4M3FN>, %k: tensor<64x16xf8E4M3FN>,
              %s: tensor<32xf32>, %t: tensor<1xf16>, %c: tensor<16xbf16>)
    -> (tensor<4x32xbf16>, tensor<4x16xbf16>) {
  %0:2 = ff.norm_linear rms_norm(%x) weights(%q, %k) scales(%s, %t) biases(%c)
    {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>], scale_of = array<i64: 0, 1>,
     bias_of = array<i64: 1>}
    : (tensor<4x64xbf16>, tensor<32x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<32xf32>,
       tensor<1xf16>, tensor<16xbf16>) -> (tensor<4x32xbf16>, tensor<4x16xbf16>)
  return %0#0, %0#1 : tensor<4x32xbf16>, tensor<4x16xbf16>
}
