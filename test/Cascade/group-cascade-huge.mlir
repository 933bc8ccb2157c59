// No kernel counts so many columns. The plan says so, and casts none of them to an integer.
// RUN: ff-opt %s --ff-raise-cascade --ff-cascade-group=target=h200 --remarks-filter=ff-cascade-group -o /dev/null 2>&1 | FileCheck %s
// CHECK: more rows, columns or steps than a kernel counts
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x1152921504606846976xf32>)
    -> tensor<4x1152921504606846976xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1152921504606846976xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1152921504606846976xf32>)
      -> tensor<4x1152921504606846976xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x1152921504606846976xf32>)
      outs(%z : tensor<4x1152921504606846976xf32>) -> tensor<4x1152921504606846976xf32>
  return %y : tensor<4x1152921504606846976xf32>
}
