// RUN: ff-opt %s --ff-promote-accumulators --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<4x8xbf16>, %b: tensor<8x6xbf16>, %c: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  // CHECK: %[[INIT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x6xf32>)
  // CHECK: arith.extf
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[INIT]] : tensor<4x6xf32>)
  // CHECK: arith.mulf %{{.*}} : f32
  // CHECK: arith.addf %{{.*}} : f32
  // CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x6xf32>) outs(%{{.*}} : tensor<4x6xbf16>)
  // CHECK: arith.truncf
  %r = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%c : tensor<4x6xbf16>) -> tensor<4x6xbf16>
  return %r : tensor<4x6xbf16>
}

// -----

// A captured constant, and a cast in the body.
// CHECK-LABEL: func.func @reduction
func.func @reduction(%x: tensor<4x8xf32>, %c: tensor<4xf16>) -> tensor<4xf16> {
  %k = arith.constant 2.0 : f16
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[OUT:.*]]: f32):
  // CHECK: %[[K:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[K]] : f32
  // CHECK: %[[S:.*]] = arith.addf %[[P]], %[[OUT]] : f32
  // CHECK: linalg.yield %[[S]] : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%c : tensor<4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %0 = arith.truncf %a : f32 to f16
    %1 = arith.mulf %0, %k : f16
    %2 = arith.addf %1, %o : f16
    linalg.yield %2 : f16
  } -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// -----

// Sums in f32, and what does not reduce, stay.
// CHECK-LABEL: func.func @untouched
// CHECK-NOT: extf
func.func @untouched(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %h: tensor<4xf16>)
    -> (tensor<4x6xf32>, tensor<4xf16>) {
  // CHECK: linalg.matmul
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: linalg.exp
  %e = linalg.exp ins(%h : tensor<4xf16>) outs(%h : tensor<4xf16>) -> tensor<4xf16>
  return %r, %e : tensor<4x6xf32>, tensor<4xf16>
}

// Tensors whose encoding says how they are stored keep their type.
// CHECK-LABEL: func.func @encoded
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x6xbf16, #sparse{{[0-9]*}}>)
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @encoded(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16>, %o: tensor<4x6xbf16, #csr>) -> tensor<4x6xbf16, #csr> {
  %r = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%o : tensor<4x6xbf16, #csr>) -> tensor<4x6xbf16, #csr>
  return %r : tensor<4x6xbf16, #csr>
}
