// RUN: ff-opt %s --ff-lower-packs | FileCheck %s

// CHECK-LABEL: func.func @pack
func.func @pack(%x: tensor<6x8xf32>, %d: tensor<3x8x2x1xf32>) -> tensor<3x8x2x1xf32> {
  // CHECK-NOT: linalg.pack
  // CHECK: tensor.expand_shape
  // CHECK: linalg.transpose
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 1] into %d : tensor<6x8xf32> -> tensor<3x8x2x1xf32>
  return %p : tensor<3x8x2x1xf32>
}

// CHECK-LABEL: func.func @unpack
func.func @unpack(%x: tensor<3x8x2x1xf32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // CHECK-NOT: linalg.unpack
  // CHECK: linalg.transpose
  // CHECK: tensor.collapse_shape
  %p = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 1] into %d : tensor<3x8x2x1xf32> -> tensor<6x8xf32>
  return %p : tensor<6x8xf32>
}
