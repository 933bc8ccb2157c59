// RUN: ff-opt %s --ff-promote-to-f64 | FileCheck %s
// Blocks that branch pass f64 on.

// CHECK-LABEL: func.func @blocks(%arg0: tensor<4xf32>, %arg1: i1) -> tensor<4xf64>
// CHECK: cf.cond_br %arg1, ^bb1, ^bb2(%{{.*}} : tensor<4xf64>)
// CHECK: ^bb2(%[[R:.*]]: tensor<4xf64>):
// CHECK-NEXT: return %[[R]] : tensor<4xf64>
func.func @blocks(%x: tensor<4xf32>, %first: i1) -> tensor<4xf32> {
  cf.cond_br %first, ^square, ^end(%x : tensor<4xf32>)
^square:
  %y = linalg.mul ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end(%y : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
