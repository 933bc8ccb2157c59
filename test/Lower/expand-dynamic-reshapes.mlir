// RUN: ff-opt %s --ff-expand-dynamic-reshapes | FileCheck %s
// RUN: ff-opt %s --ff-expand-dynamic-reshapes --expand-strided-metadata | FileCheck %s --check-prefix=NONE

// NONE-NOT: expand_shape

// CHECK-LABEL: func.func @two
// CHECK-SAME: %[[B:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: index
func.func @two(%x: memref<?x512xf32>, %b: index, %s: index) -> memref<?x?x512xf32> {
  // CHECK: %[[STRIDE:.*]] = affine.apply {{.*}}[%[[S]]]
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[B]], %[[S]], 512], strides: [%[[STRIDE]], 512, 1]
  %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%b, %s, 512] : memref<?x512xf32> into memref<?x?x512xf32>
  return %y : memref<?x?x512xf32>
}

// CHECK-LABEL: func.func @one
func.func @one(%x: memref<?x512xf32>, %b: index) -> memref<?x4x512xf32> {
  // CHECK: memref.expand_shape
  %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%b, 4, 512] : memref<?x512xf32> into memref<?x4x512xf32>
  return %y : memref<?x4x512xf32>
}
