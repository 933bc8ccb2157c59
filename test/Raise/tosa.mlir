// RUN: ff-opt %s --pass-pipeline='builtin.module(func.func(tosa-optional-decompositions, tosa-to-linalg-named, tosa-to-linalg, tosa-to-tensor, tosa-to-arith), canonicalize, cse, ff-raise)' | FileCheck %s
// An RMSNorm and a Linear in TOSA, through the upstream passes that bring it to
// linalg.

// CHECK-LABEL: func.func @rms_norm
// CHECK-SAME: %[[X:.*]]: tensor<1x4x8xf32>, %[[G:.*]]: tensor<1x1x8xf32>, %[[W:.*]]: tensor<1x8x6xf32>
// CHECK-DAG: %[[X2:.*]] = tensor.collapse_shape %[[X]]
// CHECK-DAG: %[[G1:.*]] = tensor.collapse_shape %[[G]]
// CHECK-DAG: %[[W2:.*]] = tensor.collapse_shape %[[W]]
// CHECK: ff.norm_linear rms_norm(%[[X2]]) gain(%[[G1]]) weights(%[[W2]])
// CHECK-SAME: eps = 9.9999997473787516E-6
func.func @rms_norm(%x: tensor<1x4x8xf32>, %g: tensor<1x1x8xf32>, %w: tensor<1x8x6xf32>) -> tensor<1x4x6xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %recip = "tosa.const"() {values = dense<0.125> : tensor<1x1x1xf32>} : () -> tensor<1x1x1xf32>
  %eps = "tosa.const"() {values = dense<1.0e-5> : tensor<1x1x1xf32>} : () -> tensor<1x1x1xf32>
  %0 = tosa.mul %x, %x, %shift : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1xi8>) -> tensor<1x4x8xf32>
  %1 = tosa.reduce_sum %0 {axis = 2 : i32} : (tensor<1x4x8xf32>) -> tensor<1x4x1xf32>
  %2 = tosa.mul %1, %recip, %shift : (tensor<1x4x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x1xf32>
  %3 = tosa.add %2, %eps : (tensor<1x4x1xf32>, tensor<1x1x1xf32>) -> tensor<1x4x1xf32>
  %4 = tosa.rsqrt %3 : (tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %5 = tosa.mul %x, %4, %shift : (tensor<1x4x8xf32>, tensor<1x4x1xf32>, tensor<1xi8>) -> tensor<1x4x8xf32>
  %6 = tosa.mul %5, %g, %shift : (tensor<1x4x8xf32>, tensor<1x1x8xf32>, tensor<1xi8>) -> tensor<1x4x8xf32>
  %7 = tosa.matmul %6, %w, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x6xf32>
  return %7 : tensor<1x4x6xf32>
}
