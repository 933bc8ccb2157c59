// RUN: ff-opt %s --ff-raise=others --remarks-filter=ff-raise 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: ff-opt %s --ff-raise=plain-linears | FileCheck %s --check-prefix=PLAIN
// Tensors that ff operations cannot hold: other floats, encodings, no elements; and a product that is none.

#sv = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
#csr = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// CHECK-LABEL: func.func @f64
// CHECK-NOT: ff.
// CHECK: return
// REMARK: [Missed] declined | Category:ff-raise | Function=f64 | {{.*}}reason=unsupported-type
func.func @f64(%x: tensor<4x8xf64>, %w: tensor<8x6xf64>) -> tensor<4x6xf64> {
  %zero = arith.constant 0.0 : f64
  %count = arith.constant 8.0 : f64
  %eps = arith.constant 1.0e-5 : f64
  %z1 = arith.constant dense<0.0> : tensor<4xf64>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf64>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf64>) outs(%z1 : tensor<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %q = arith.mulf %in, %in : f64
    %r = arith.addf %out, %q : f64
    linalg.yield %r : f64
  } -> tensor<4xf64>
  %e2 = tensor.empty() : tensor<4x8xf64>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf64>, tensor<4xf64>) outs(%e2 : tensor<4x8xf64>) {
  ^bb0(%in: f64, %sum: f64, %out: f64):
    %a = arith.divf %sum, %count : f64
    %b = arith.addf %a, %eps : f64
    %r = math.rsqrt %b : f64
    %c = arith.mulf %in, %r : f64
    linalg.yield %c : f64
  } -> tensor<4x8xf64>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf64>, tensor<8x6xf64>) outs(%z2 : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}

// CHECK-LABEL: func.func @encoded_x
// CHECK-NOT: ff.
// CHECK: return
// REMARK: [Missed] declined | Category:ff-raise | Function=encoded_x | {{.*}}reason=unsupported-type
func.func @encoded_x(%x: tensor<4x8xf32, #csr>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32, #csr>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32, #csr>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @encoded_weight
// CHECK-NOT: ff.
// CHECK: return
// REMARK: [Missed] declined | Category:ff-raise | Function=encoded_weight | {{.*}}reason=unsupported-type
func.func @encoded_weight(%x: tensor<4x8xf32>, %w: tensor<8x6xf32, #csr>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32, #csr>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @encoded_result
// CHECK-NOT: ff.
// CHECK: return
// REMARK: [Missed] declined | Category:ff-raise | Function=encoded_result | {{.*}}reason=unsupported-type
func.func @encoded_result(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32, #csr> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32, #csr>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32, #csr>) -> tensor<4x6xf32, #csr>
  return %y : tensor<4x6xf32, #csr>
}

// PLAIN-LABEL: func.func @encoded_plain
// PLAIN-NOT: ff.
// PLAIN: return
func.func @encoded_plain(%x: tensor<4x8xf32>, %w: tensor<8x6xf32, #csr>) -> tensor<4x6xf32> {
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32, #csr>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @encoded_gain
// CHECK-NOT: ff.
// CHECK: return
// REMARK: [Missed] declined | Category:ff-raise | Function=encoded_gain | {{.*}}reason=gain-form
func.func @encoded_gain(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %g: tensor<8xf32, #sv>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %g : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32, #sv>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %gain: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %v = arith.mulf %in, %r : f32
    %c = arith.mulf %v, %gain : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @no_elements
// CHECK-NOT: ff.
// CHECK: return
// REMARK: [Missed] declined | Category:ff-raise | Function=no_elements | {{.*}}reason=not-a-linear
func.func @no_elements(%x: tensor<4x0xf32>, %w: tensor<0x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x0xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x0xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x0xf32>, tensor<4xf32>) outs(%e2 : tensor<4x0xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x0xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x0xf32>, tensor<0x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @dot
// CHECK-NOT: ff.
// CHECK: return
// REMARK: [Missed] declined | Category:ff-raise | Function=dot | {{.*}}reason=not-a-linear
// The sum of squares is no product behind a norm.
// REMARK-NOT: Function=dot
func.func @dot(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %count = arith.constant 8.0 : f32
  %s = linalg.dot ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  %e = tensor.empty() : tensor<8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> (k)>],
      iterator_types = ["parallel"]} ins(%x, %s : tensor<8xf32>, tensor<f32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %r = math.rsqrt %a : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %y = linalg.dot ins(%h, %w : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
