// RUN: ff-opt %s --ff-raise -o %t.mlir --remarks-filter=ff-raise --remark-format=yaml --remarks-output-file=%t.yaml
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.yaml
// What else reads the normalised tensor keeps the old chain; nobody else: it goes.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// 
// REMARK-LABEL: --- !Passed
// REMARK: Pass: ff-raise
// REMARK: Name: norm_linear
// REMARK: Function: gone
// REMARK-DAG: - kind: rms_norm
// REMARK-DAG: - linears: '1'
// REMARK-DAG: - escapes: 'false'
// CHECK-LABEL: func.func @gone
// CHECK-NEXT: ff.norm_linear
// CHECK-NEXT: return
func.func @gone(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
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
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// The normalised tensor is returned, too.
// REMARK-LABEL: --- !Passed
// REMARK: Function: returned
// REMARK: - escapes: 'true'
// CHECK-LABEL: func.func @returned
// CHECK: math.rsqrt
// CHECK: ff.norm_linear
func.func @returned(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
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
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y, %h : tensor<4x6xf32>, tensor<4x8xf32>
}

// Only the statistic is: the normalised tensor goes, its statistic stays.
// REMARK-LABEL: --- !Passed
// REMARK: Function: statistic
// REMARK: - escapes: 'false'
// CHECK-LABEL: func.func @statistic
// CHECK-NOT: math.rsqrt
// CHECK: ff.norm_linear
func.func @statistic(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
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
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y, %s : tensor<4x6xf32>, tensor<4xf32>
}

// A residual sum in front, for this norm alone.
// REMARK-LABEL: --- !Passed
// REMARK: Function: residual
// REMARK: - escapes: 'false'
// CHECK-LABEL: func.func @residual(
// CHECK: %[[X:.*]] = linalg.add
// CHECK: ff.norm_linear rms_norm(%[[X]])
func.func @residual(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %x = linalg.add ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
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
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// A residual sum that is read elsewhere.
// REMARK-LABEL: --- !Passed
// REMARK: Function: residual_returned
// REMARK: - escapes: 'true'
// CHECK-LABEL: func.func @residual_returned
// CHECK: ff.norm_linear
func.func @residual_returned(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %x = linalg.add ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
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
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y, %x : tensor<4x6xf32>, tensor<4x8xf32>
}

// Extents of the old tensors do not keep them.
// REMARK-LABEL: --- !Passed
// REMARK: Function: extents
// REMARK: - escapes: 'false'
// CHECK-LABEL: func.func @extents
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @extents(%x: tensor<?x8xf32>, %w: tensor<8x6xf32>) -> (tensor<?x6xf32>, index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x8xf32>
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty(%d) : tensor<?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xf32>) outs(%z1 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %e2 = tensor.empty(%d) : tensor<?x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x8xf32>, tensor<?xf32>) outs(%e2 : tensor<?x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<?x8xf32>
  %e3 = tensor.empty(%d) : tensor<?x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x6xf32>) -> tensor<?x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<?x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<?x6xf32>) -> tensor<?x6xf32>
  %dh = tensor.dim %h, %c0 : tensor<?x8xf32>
  return %y, %dh : tensor<?x6xf32>, index
}
