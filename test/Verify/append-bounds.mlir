// RUN: ff-opt %s --ff-append-bounds | FileCheck %s

// One result that is a contraction behind a sum and a reshape, one that is not.
// CHECK: func.func @linear
// CHECK-SAME: -> (tensor<4x2x3xf64>, tensor<4x8xf64>, tensor<4x2x3xf64>, tensor<4x2x3xf64>)
// CHECK-SAME: ff.results = [{bounds = 2 : i64, columns = 6 : i64, k = 8 : i64, links = 1 : i64}, {k = 1 : i64, links = 1 : i64}]
func.func @linear(%h: tensor<4x8xf64>, %w: tensor<8x6xf64>, %c: tensor<4x6xf64>) -> (tensor<4x2x3xf64>, tensor<4x8xf64>) {
  %e = tensor.empty() : tensor<4x6xf64>
  %z = linalg.matmul ins(%h, %w : tensor<4x8xf64>, tensor<8x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  %s = linalg.add ins(%z, %c : tensor<4x6xf64>, tensor<4x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  // CHECK: %[[Y:.*]] = tensor.expand_shape
  %y = tensor.expand_shape %s [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xf64> into tensor<4x2x3xf64>
  // CHECK: %[[HH:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xf64>)
  // CHECK: %[[WW:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8x6xf64>)
  // CHECK: linalg.matmul ins(%[[HH]], %[[WW]]
  // CHECK: %[[NOISE:.*]] = tensor.expand_shape
  // CHECK: linalg.index 0
  // CHECK: %[[PLACE:.*]] = tensor.expand_shape
  // CHECK: return %[[Y]], %{{.*}}, %[[NOISE]], %[[PLACE]]
  return %y, %h : tensor<4x2x3xf64>, tensor<4x8xf64>
}

// Integers have no roundings: nothing is appended.
// CHECK-LABEL: func.func @integers
// CHECK-SAME: -> tensor<64x6xf32>
func.func @integers(%x: tensor<64x8xi32>, %w: tensor<8x6xi32>, %o: tensor<64x6xf32>) -> tensor<64x6xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<64x8xi32>, tensor<8x6xi32>) outs(%o : tensor<64x6xf32>) -> tensor<64x6xf32>
  return %r : tensor<64x6xf32>
}

// Two contractions in a row: the bounds of the second one, and twice what one may have.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: ff.results = [{bounds = 1 : i64, columns = 3 : i64, k = 8 : i64, links = 2 : i64}]
func.func @chain(%x: tensor<4x8xf64>, %w: tensor<8x6xf64>, %v: tensor<6x3xf64>, %e: tensor<4x6xf64>, %f: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %h = linalg.matmul ins(%x, %w : tensor<4x8xf64>, tensor<8x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  %t = linalg.tanh ins(%h : tensor<4x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  %y = linalg.matmul ins(%t, %v : tensor<4x6xf64>, tensor<6x3xf64>) outs(%f : tensor<4x3xf64>) -> tensor<4x3xf64>
  return %y : tensor<4x3xf64>
}

// What is added is computed: its errors are not those that the contraction's bounds know.
// CHECK-LABEL: func.func @computed_summand
// CHECK-SAME: ff.results = [{k = 8 : i64, links = 1 : i64}]
func.func @computed_summand(%h: tensor<4x8xf64>, %w: tensor<8x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %e = tensor.empty() : tensor<4x6xf64>
  %z = linalg.matmul ins(%h, %w : tensor<4x8xf64>, tensor<8x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  %t = linalg.exp ins(%c : tensor<4x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  %s = linalg.add ins(%z, %t : tensor<4x6xf64>, tensor<4x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %s : tensor<4x6xf64>
}

// Nor is anything where the encoding of a type says how it is stored.
// CHECK-LABEL: func.func @encoded
// CHECK-SAME: -> tensor<4x6xf64, #sparse{{[0-9]*}}> attributes
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @encoded(%x: tensor<4x8xf64>, %w: tensor<8x6xf64>, %o: tensor<4x6xf64, #csr>) -> tensor<4x6xf64, #csr> {
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf64>, tensor<8x6xf64>) outs(%o : tensor<4x6xf64, #csr>) -> tensor<4x6xf64, #csr>
  return %r : tensor<4x6xf64, #csr>
}

// A contraction that has not been promoted has no bounds.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME: -> tensor<4x6xf64> attributes
func.func @mixed(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16>) -> tensor<4x6xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4x6xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%z : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}
