// RUN: ff-opt %s --ff-decompose | FileCheck %s

// CHECK-LABEL: func @rms
func.func @rms(%x: tensor<?x64xbf16>, %g: tensor<64xf32>, %w: tensor<32x64xbf16>) -> tensor<?x32xbf16> {
  // CHECK: %[[M:.*]] = tensor.dim
  // CHECK: %[[OUT:.*]] = tensor.empty(%[[M]]) : tensor<?x32xbf16>
  // CHECK: ff.online(%{{.*}}) gain(%{{.*}}) weights(%{{.*}}) outs(%[[OUT]])
  // CHECK-SAME: gain_offset = 1.000000e+00
  // CHECK-SAME: statistics = [#ff.statistic<mean_square>]
  // CHECK-SAME: row
  // CHECK: ^bb0(%[[Q:.*]]: f32):
  // CHECK: %[[EPS:.*]] = arith.constant 9.99999974E-6 : f32
  // CHECK: %[[V:.*]] = arith.addf %[[Q]], %[[EPS]]
  // CHECK: %[[R:.*]] = math.rsqrt %[[V]]
  // CHECK: ff.yield %[[R]] : f32
  // CHECK: finalize
  // CHECK: ^bb0(%[[Z:.*]]: f32):
  // CHECK: %[[Y:.*]] = arith.truncf %[[Z]] : f32 to bf16
  // CHECK: ff.yield %[[Y]] : bf16
  %0 = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
    {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>], gain_offset = 1.0 : f64}
    : (tensor<?x64xbf16>, tensor<64xf32>, tensor<32x64xbf16>) -> tensor<?x32xbf16>
  return %0 : tensor<?x32xbf16>
}

// CHECK-LABEL: func @layer
func.func @layer(%x: tensor<4x64xf32>, %s: tensor<64xf32>, %w: tensor<32x64xf32>,
                 %v: tensor<64x8xf32>, %c: tensor<8xf16>, %e: f16) -> (tensor<4x32xf32>, tensor<4x8xf32>) {
  // CHECK: ff.online(%{{[a-z0-9]+}}) shift(%{{[a-z0-9]+}}) weights(%{{[a-z0-9, %]+}}) columns(%{{[a-z0-9]+}}) scalars(%{{[a-z0-9]+}})
  // CHECK-SAME: column_of = array<i64: 1>
  // CHECK-SAME: statistics = [#ff.statistic<mean>, #ff.statistic<variance>]
  // CHECK: ^bb0(%[[MEAN:.*]]: f32, %[[VAR:.*]]: f32, %[[E:.*]]: f16):
  // CHECK: %[[EPS:.*]] = arith.extf %[[E]] : f16 to f32
  // CHECK: arith.addf %[[VAR]], %[[EPS]]
  // CHECK: ff.yield %{{.*}}, %[[MEAN]] : f32, f32
  // CHECK: finalize
  // CHECK: ff.yield %{{.*}} : f32
  // CHECK: ^bb0(%[[Z:.*]]: f32, %[[C:.*]]: f16):
  // CHECK: %[[CF:.*]] = arith.extf %[[C]] : f16 to f32
  // CHECK: arith.addf %[[Z]], %[[CF]]
  %0:2 = ff.norm_linear layer_norm(%x) shift(%s) weights(%w, %v) biases(%c) eps(%e)
    {layouts = [#ff.layout<nk>, #ff.layout<kn>], bias_of = array<i64: 1>}
    : (tensor<4x64xf32>, tensor<64xf32>, tensor<32x64xf32>, tensor<64x8xf32>, tensor<8xf16>, f16)
    -> (tensor<4x32xf32>, tensor<4x8xf32>)
  return %0#0, %0#1 : tensor<4x32xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func @l2
func.func @l2(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  // CHECK: statistics = [#ff.statistic<sum_square>]
  // CHECK: math.sqrt
  // CHECK: arith.maximumf
  // CHECK: arith.divf
  %0 = ff.norm_linear l2_norm(%x) weights(%w) {eps = 1.0e-12 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// A scale of quantised weights is a column; one that is a constant, a number; bias behind it.
// CHECK-LABEL: func @scales
func.func @scales(%x: tensor<4x64xbf16>, %w: tensor<32x64xf8E4M3FN>, %v: tensor<8x64xf8E4M3FN>,
                  %u: tensor<6x64xf8E4M3FN>, %s: tensor<32xf16>, %t: tensor<1xf32>, %c: tensor<32xbf16>)
    -> (tensor<4x32xbf16>, tensor<4x8xbf16>, tensor<4x6xf32>) {
  // CHECK: ff.online(%{{[a-z0-9]+}}) weights(%{{[a-z0-9, %]+}}) columns(%[[S:arg[0-9]]], %[[T:arg[0-9]]], %[[B:arg[0-9]]])
  // CHECK-SAME: column_of = array<i64: 0, 1, 0>
  // CHECK: finalize {
  // CHECK-NEXT: ^bb0(%[[Z:.*]]: f32, %[[SN:.*]]: f16, %[[C:.*]]: bf16):
  // CHECK-NEXT: %[[SF:.*]] = arith.extf %[[SN]] : f16 to f32
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[Z]], %[[SF]] : f32
  // CHECK-NEXT: %[[CF:.*]] = arith.extf %[[C]] : bf16 to f32
  // CHECK-NEXT: arith.addf %[[P]], %[[CF]] : f32
  // CHECK: ^bb0(%[[Z:.*]]: f32, %[[ONE:.*]]: f32):
  // CHECK-NEXT: arith.mulf %[[Z]], %[[ONE]] : f32
  // CHECK: ^bb0(%[[Z:.*]]: f32):
  // CHECK-NEXT: %[[Q:.*]] = arith.constant 2.500000e-01 : f32
  // CHECK-NEXT: arith.mulf %[[Z]], %[[Q]] : f32
  %q = arith.constant dense<0.25> : tensor<6xf32>
  %0:3 = ff.norm_linear rms_norm(%x) weights(%w, %v, %u) scales(%s, %t, %q) biases(%c)
    {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<nk>, #ff.layout<nk>],
     scale_of = array<i64: 0, 1, 2>, bias_of = array<i64: 0>}
    : (tensor<4x64xbf16>, tensor<32x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>, tensor<6x64xf8E4M3FN>,
       tensor<32xf16>, tensor<1xf32>, tensor<6xf32>, tensor<32xbf16>)
    -> (tensor<4x32xbf16>, tensor<4x8xbf16>, tensor<4x6xf32>)
  return %0#0, %0#1, %0#2 : tensor<4x32xbf16>, tensor<4x8xbf16>, tensor<4x6xf32>
}

// An x of 8 bits: statistics of its elements as they are, its scale in the row's factors. The center is
// that of the elements, too; a scale that is one number is written there.
// CHECK-LABEL: func.func @x_scale
// CHECK: ff.online(%arg0) weights(%arg2) x_scale(%arg1)
// CHECK: ^bb0(%[[MEAN:.*]]: f32, %[[VAR:.*]]: f32, %[[S:.*]]: bf16):
// CHECK-DAG: %[[EPS:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-DAG: %[[W:.*]] = arith.extf %[[S]] : bf16 to f32
// CHECK-DAG: %[[SS:.*]] = arith.mulf %[[W]], %[[W]] : f32
// CHECK: %[[V:.*]] = arith.mulf %[[VAR]], %[[SS]] : f32
// CHECK: %[[B:.*]] = arith.addf %[[V]], %[[EPS]] : f32
// CHECK: %[[R:.*]] = math.rsqrt %[[B]] : f32
// CHECK: %[[F:.*]] = arith.mulf %[[R]], %[[W]] : f32
// CHECK: ff.yield %[[F]], %[[MEAN]] : f32, f32
// CHECK: ff.online(%arg0) weights(%arg2) outs
// CHECK: ^bb0(%[[Q:.*]]: f32):
// CHECK: %[[C:.*]] = arith.constant 2.500000e-01 : f32
// CHECK: arith.mulf %[[C]], %[[C]] : f32
func.func @x_scale(%x: tensor<?x64xf8E4M3FN>, %s: tensor<?xbf16>, %w: tensor<32x64xf8E4M3FN>)
    -> (tensor<?x32xf32>, tensor<?x32xf32>) {
  %0 = ff.norm_linear layer_norm(%x) x_scale(%s) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<?x64xf8E4M3FN>, tensor<?xbf16>, tensor<32x64xf8E4M3FN>) -> tensor<?x32xf32>
  %quarter = arith.constant dense<0.25> : tensor<1xf32>
  %1 = ff.norm_linear rms_norm(%x) x_scale(%quarter) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<?x64xf8E4M3FN>, tensor<1xf32>, tensor<32x64xf8E4M3FN>) -> tensor<?x32xf32>
  return %0, %1 : tensor<?x32xf32>, tensor<?x32xf32>
}
