// More operations than an integer counts are reported as the largest.
// RUN: ff-opt %s --ff-raise-cascade --ff-cascade-group --ff-cascade-report --remarks-filter=ff-cascade-report -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: [Analysis] group
// CHECK-SAME: 9223372036854775807
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
