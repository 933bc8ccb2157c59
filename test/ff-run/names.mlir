// Functions named as what compiled code calls: they are not called in its place.
// RUN: ff-run %s --entry=malloc --verify | FileCheck %s
// RUN: ff-run %s --entry=free | FileCheck %s --check-prefix=FREE
// CHECK: result 0: 4x6xf32
// CHECK-SAME: ok
// FREE: result 0
func.func @malloc(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>) -> tensor<4x6xf32> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %r = call @memcpy(%y) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

func.func @memcpy(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.abs ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

func.func @free(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.abs ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
