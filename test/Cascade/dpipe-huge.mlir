// More cycles than an integer counts are reported as the most.
// RUN: ff-opt %s --ff-raise-cascade --ff-dpipe=target=cloud --remarks-filter=ff-dpipe -o /dev/null 2>&1 | FileCheck %s
// CHECK: scheduled
// CHECK-SAME: cycles=9223372036854775807
func.func @f(%x: tensor<65536x8xf32>, %w: tensor<8x1152921504606846976xf32>)
    -> tensor<65536x1152921504606846976xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65536x1152921504606846976xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<65536x1152921504606846976xf32>)
      -> tensor<65536x1152921504606846976xf32>
  %y = linalg.matmul ins(%x, %w : tensor<65536x8xf32>, tensor<8x1152921504606846976xf32>)
      outs(%z : tensor<65536x1152921504606846976xf32>) -> tensor<65536x1152921504606846976xf32>
  return %y : tensor<65536x1152921504606846976xf32>
}
