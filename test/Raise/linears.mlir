// RUN: ff-opt %s --ff-raise | FileCheck %s
// Spellings of the Linear behind a norm. The norm itself is always the same
// RMSNorm without gain, in two operations.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#bmk = affine_map<(b, m, k) -> (b, m, k)>
#bm = affine_map<(b, m, k) -> (b, m)>

// matvec: one row, the weight in front.
// CHECK-LABEL: func.func @matvec
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<6x8xf32>
// CHECK: %[[ROW:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1]] output_shape [1, 8]
// CHECK: %[[Y:.*]] = ff.norm_linear rms_norm(%[[ROW]]) weights(%[[W]]) {{.*}}layouts = [#ff.layout<nk>]
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0, 1]] : tensor<1x6xf32> into tensor<6xf32>
// CHECK: return %[[R]]
func.func @matvec(%x: tensor<8xf32>, %w: tensor<6x8xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<f32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%z1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %e2 = tensor.empty() : tensor<8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<8xf32>, tensor<f32>) outs(%e2 : tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %e3 = tensor.empty() : tensor<6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6xf32>) -> tensor<6xf32>
  %y = linalg.matvec ins(%w, %h : tensor<6x8xf32>, tensor<8xf32>) outs(%z3 : tensor<6xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// vecmat: one row, the weight behind.
// CHECK-LABEL: func.func @vecmat
// CHECK: ff.norm_linear rms_norm({{.*}}) weights({{.*}}) {{.*}}layouts = [#ff.layout<kn>]
func.func @vecmat(%x: tensor<8xf32>, %w: tensor<8x6xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<f32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%z1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %e2 = tensor.empty() : tensor<8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<8xf32>, tensor<f32>) outs(%e2 : tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %e3 = tensor.empty() : tensor<6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6xf32>) -> tensor<6xf32>
  %y = linalg.vecmat ins(%h, %w : tensor<8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<6xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// One output: a matvec with the norm as the matrix.
// CHECK-LABEL: func.func @one_output
// CHECK: %[[W:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [1, 8]
// CHECK: %[[Y:.*]] = ff.norm_linear rms_norm(%{{.*}}) weights(%[[W]])
// CHECK: tensor.collapse_shape %[[Y]] {{\[}}[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
func.func @one_output(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4xf32> {
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
  %e3 = tensor.empty() : tensor<4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.matvec ins(%h, %w : tensor<4x8xf32>, tensor<8xf32>) outs(%z3 : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A batch is more rows, if its weights are one weight.
// CHECK-LABEL: func.func @batch
// CHECK-SAME: %[[X:.*]]: tensor<2x?x8xf32>, %[[W:.*]]: tensor<6x8xf32>
// CHECK: %[[X2:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<2x?x8xf32> into tensor<?x8xf32>
// CHECK: %[[Y:.*]] = ff.norm_linear rms_norm(%[[X2]]) weights(%[[W]]) {{.*}}layouts = [#ff.layout<nk>]
// CHECK: tensor.expand_shape %[[Y]] {{\[}}[0, 1], [2]] output_shape [2, %{{.*}}, 6] : tensor<?x6xf32> into tensor<2x?x6xf32>
func.func @batch(%x: tensor<2x?x8xf32>, %w: tensor<6x8xf32>) -> tensor<2x?x6xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<2x?x8xf32>
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty(%d) : tensor<2x?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x?xf32>) -> tensor<2x?xf32>
  %s = linalg.generic {indexing_maps = [#bmk, #bm], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x?x8xf32>) outs(%z1 : tensor<2x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x?xf32>
  %e2 = tensor.empty(%d) : tensor<2x?x8xf32>
  %h = linalg.generic {indexing_maps = [#bmk, #bm, #bmk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x?x8xf32>, tensor<2x?xf32>) outs(%e2 : tensor<2x?x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x?x8xf32>
  %e3 = tensor.empty(%d) : tensor<2x?x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  %ew = tensor.empty() : tensor<2x8x6xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (n, k)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<6x8xf32>) outs(%ew : tensor<2x8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x6xf32>
  %y = linalg.batch_matmul ins(%h, %wb : tensor<2x?x8xf32>, tensor<2x8x6xf32>) outs(%z3 : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  return %y : tensor<2x?x6xf32>
}

// linalg.contract and a generic with a 2-D weight on a batch; shared norm: one op.
// CHECK-LABEL: func.func @contract
// CHECK: %[[Y:.*]]:2 = ff.norm_linear rms_norm(%{{.*}}) weights(%{{.*}}, %{{.*}}) {{.*}}layouts = [#ff.layout<kn>, #ff.layout<nk>]
// CHECK-NOT: linalg.contract
func.func @contract(%x: tensor<2x3x8xf32>, %w: tensor<8x6xf32>, %v: tensor<5x8xf32>) -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<2x3xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = linalg.generic {indexing_maps = [#bmk, #bm], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x3x8xf32>) outs(%z1 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %e2 = tensor.empty() : tensor<2x3x8xf32>
  %h = linalg.generic {indexing_maps = [#bmk, #bm, #bmk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x3x8xf32>, tensor<2x3xf32>) outs(%e2 : tensor<2x3x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x3x8xf32>
  %e3 = tensor.empty() : tensor<2x3x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  %e4 = tensor.empty() : tensor<2x3x5xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %y = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%h, %w : tensor<2x3x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%v, %h : tensor<5x8xf32>, tensor<2x3x8xf32>) outs(%z4 : tensor<2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %out : f32
    linalg.yield %q : f32
  } -> tensor<2x3x5xf32>
  return %y, %u : tensor<2x3x6xf32>, tensor<2x3x5xf32>
}

// A result of outputs x rows is transposed behind the op.
// CHECK-LABEL: func.func @transposed_result
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<6x8xf32>
// CHECK: %[[Y:.*]] = ff.norm_linear rms_norm(%[[X]]) weights(%[[W]]) {{.*}}layouts = [#ff.layout<nk>]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[Y]] : tensor<4x6xf32>) outs(%{{.*}} : tensor<6x4xf32>) permutation = [1, 0]
// CHECK: return %[[T]]
func.func @transposed_result(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>) -> tensor<6x4xf32> {
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
  %e3 = tensor.empty() : tensor<6x4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x4xf32>) -> tensor<6x4xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%w, %h : tensor<6x8xf32>, tensor<4x8xf32>) outs(%z3 : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// A bias as the initial value of the accumulator; the second weight is made after
// the first Linear, and moved in front of the op.
// CHECK-LABEL: func.func @accumulated_bias
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x6xf32>, %[[V:.*]]: tensor<2x24xf32>, %[[C:.*]]: tensor<6xf32>
// CHECK-DAG: %[[V2:.*]] = tensor.expand_shape %{{.*}} : tensor<48xf32> into tensor<8x6xf32>
// CHECK: %[[Y:.*]]:2 = ff.norm_linear rms_norm(%[[X]]) weights(%[[W]], %[[V2]]) biases(%[[C]]) {bias_of = array<i64: 0>
// CHECK: linalg.add
// CHECK: return
func.func @accumulated_bias(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %v: tensor<2x24xf32>, %bias: tensor<6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
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
  %cb = linalg.broadcast ins(%bias : tensor<6xf32>) outs(%e3 : tensor<4x6xf32>) dimensions = [0]
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%cb : tensor<4x6xf32>) -> tensor<4x6xf32>
  %sq = linalg.add ins(%y, %y : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %v1 = tensor.collapse_shape %v [[0, 1]] : tensor<2x24xf32> into tensor<48xf32>
  %v2 = tensor.expand_shape %v1 [[0, 1]] output_shape [8, 6] : tensor<48xf32> into tensor<8x6xf32>
  %u = linalg.matmul ins(%h, %v2 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %sq, %u : tensor<4x6xf32>, tensor<4x6xf32>
}

// A Linear whose weight is the result of another one of the same norm cannot be
// in the same op; one norm behind another is a chain of two ops.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[X:.*]]: tensor<8x8xf32>, %[[W:.*]]: tensor<8x8xf32>
// CHECK: %[[Y:.*]] = ff.norm_linear rms_norm(%[[X]]) weights(%[[W]])
// CHECK: %[[U:.*]] = ff.norm_linear rms_norm(%[[X]]) weights(%[[Y]])
// CHECK: return %[[U]]
func.func @chain(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%z1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x8xf32>, tensor<8xf32>) outs(%e2 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %u = linalg.matmul ins(%h, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %u : tensor<8x8xf32>
}

// Inside of control flow.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for
// CHECK-NEXT: ff.norm_linear rms_norm
func.func @control_flow(%x0: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%z1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x8xf32>, tensor<8xf32>) outs(%e2 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  scf.yield %y : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
