// RUN: ff-opt %s --ff-raise | FileCheck %s
// Spellings of LayerNorm; all have x 4 x 8, weight 6 x 8, gain and shift.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Mean, centred tensor, two-pass variance, rsqrt; bias behind the Linear.
// CHECK-LABEL: func.func @two_pass
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<6x8xf32>, %[[C:.*]]: tensor<6xf32>
// CHECK-NEXT: %[[Y:.*]] = ff.norm_linear layer_norm(%[[X]]) gain(%[[G]]) shift(%[[B]]) weights(%[[W]]) biases(%[[C]])
// CHECK-SAME: {bias_of = array<i64: 0>, eps = 9.9999997473787516E-6 : f64, layouts = [#ff.layout<nk>]}
// CHECK-NEXT: return %[[Y]]
func.func @two_pass(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<6x8xf32>, %c: tensor<6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %mu = arith.divf %s, %count : f32
    %r = arith.subf %in, %mu : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %var = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%d, %var, %g, %b : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %v: f32, %gain: f32, %shift: f32, %out: f32):
    %a0 = arith.divf %v, %count : f32
    %a1 = arith.addf %a0, %eps : f32
    %a2 = math.rsqrt %a1 : f32
    %a3 = arith.mulf %in, %a2 : f32
    %a4 = arith.mulf %a3, %gain : f32
    %a5 = arith.addf %a4, %shift : f32
    linalg.yield %a5 : f32
  } -> tensor<4x8xf32>
  %ew = tensor.empty() : tensor<8x6xf32>
  %wt = linalg.transpose ins(%w : tensor<6x8xf32>) outs(%ew : tensor<8x6xf32>) permutation = [1, 0]
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %wt : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %yb = linalg.generic {indexing_maps = [#k, #mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%c, %y : tensor<6xf32>, tensor<4x6xf32>) outs(%e3 : tensor<4x6xf32>) {
  ^bb0(%bias: f32, %in: f32, %out: f32):
    %r = arith.addf %bias, %in : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %yb : tensor<4x6xf32>
}

// E[x^2] - mean^2, and a*x + (b - mu*a) with a = gain * rsqrt: what compilers
// make of a LayerNorm.
// CHECK-LABEL: func.func @one_pass_folded
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf16>, %[[G:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<8x6xf16>
// CHECK-NEXT: %[[Y:.*]] = ff.norm_linear layer_norm(%[[X]]) gain(%[[G]]) shift(%[[B]]) weights(%[[W]])
// CHECK-SAME: {eps = 9.9999999999999998E-13 : f64, layouts = [#ff.layout<kn>]}
// CHECK-SAME: -> tensor<4x6xf32>
// CHECK-NEXT: return %[[Y]]
func.func @one_pass_folded(%x: tensor<4x8xf16>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %recip = arith.constant 0.125 : f64
  %eps = arith.constant 1.0e-12 : f64
  %e1 = tensor.empty() : tensor<4xf64>
  %z1 = linalg.fill ins(%zero64 : f64) outs(%e1 : tensor<4xf64>) -> tensor<4xf64>
  // Both sums in one operation.
  %s:2 = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf16>) outs(%z1, %z1 : tensor<4xf64>, tensor<4xf64>) {
  ^bb0(%in: f16, %o0: f64, %o1: f64):
    %a = arith.extf %in : f16 to f64
    %q = arith.mulf %a, %a : f64
    %r0 = arith.addf %o0, %a : f64
    %r1 = arith.addf %o1, %q : f64
    linalg.yield %r0, %r1 : f64, f64
  } -> (tensor<4xf64>, tensor<4xf64>)
  %e2 = tensor.empty() : tensor<4x8xf16>
  %h = linalg.generic {indexing_maps = [#mk, #m, #m, #k, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s#0, %s#1, %g, %b : tensor<4x8xf16>, tensor<4xf64>, tensor<4xf64>, tensor<8xf32>, tensor<8xf32>) outs(%e2 : tensor<4x8xf16>) {
  ^bb0(%in: f16, %s0: f64, %s1: f64, %gain: f32, %shift: f32, %out: f16):
    %mu = arith.mulf %s0, %recip : f64
    %ms = arith.mulf %s1, %recip : f64
    %mu2 = arith.mulf %mu, %mu : f64
    %v = arith.subf %ms, %mu2 : f64
    %ve = arith.addf %v, %eps : f64
    %r = math.rsqrt %ve : f64
    %r32 = arith.truncf %r : f64 to f32
    %mu32 = arith.truncf %mu : f64 to f32
    %a = arith.mulf %r32, %gain : f32
    %am = arith.mulf %mu32, %a : f32
    %c = arith.subf %shift, %am : f32
    %x32 = arith.extf %in : f16 to f32
    %ax = arith.mulf %x32, %a : f32
    %y = arith.addf %ax, %c : f32
    %y16 = arith.truncf %y : f32 to f16
    linalg.yield %y16 : f16
  } -> tensor<4x8xf16>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf16>, tensor<8x6xf16>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// A LayerNorm over two dimensions that the Linear contracts as one.
// CHECK-LABEL: func.func @two_dimensions
// CHECK-SAME: %[[X:.*]]: tensor<4x2x3xf32>, %[[W:.*]]: tensor<6x5xf32>
// CHECK: %[[X2:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2]]
// CHECK: ff.norm_linear layer_norm(%[[X2]]) weights(%[[W]])
func.func @two_dimensions(%x: tensor<4x2x3xf32>, %w: tensor<6x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 6.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x2x3xf32>
  %e4 = tensor.empty() : tensor<4x2xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4x2xf32>) -> tensor<4x2xf32>
  // One statistic in one step, the other in two.
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x2x3xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1, 2]
  %d = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : tensor<4x2x3xf32>, tensor<4xf32>) outs(%e2 : tensor<4x2x3xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %mu = arith.divf %s, %count : f32
    %r = arith.subf %in, %mu : f32
    linalg.yield %r : f32
  } -> tensor<4x2x3xf32>
  %sq = linalg.square ins(%d : tensor<4x2x3xf32>) outs(%e2 : tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %v1 = linalg.reduce { arith.addf } ins(%sq : tensor<4x2x3xf32>) outs(%z4 : tensor<4x2xf32>) dimensions = [2]
  %v = linalg.reduce { arith.addf } ins(%v1 : tensor<4x2xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
  %h = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d, %v : tensor<4x2x3xf32>, tensor<4xf32>) outs(%e2 : tensor<4x2x3xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %a0 = arith.divf %s, %count : f32
    %a1 = arith.addf %a0, %eps : f32
    %a2 = math.sqrt %a1 : f32
    %r = arith.divf %in, %a2 : f32
    linalg.yield %r : f32
  } -> tensor<4x2x3xf32>
  %flat = tensor.collapse_shape %h [[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
  %e3 = tensor.empty() : tensor<4x5xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %y = linalg.matmul ins(%flat, %w : tensor<4x6xf32>, tensor<6x5xf32>) outs(%z3 : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}
