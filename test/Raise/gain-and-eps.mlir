// RUN: ff-opt %s --ff-raise | FileCheck %s
// What may stand for gain, shift and eps of an RMSNorm.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// sqrt(K) x / sqrt(sum x^2 + K eps): the constant moves under the root.
// CHECK-LABEL: func.func @root_of_k
// CHECK: ff.norm_linear rms_norm({{.*}}) weights({{.*}}) {eps = 1.250000e-01 : f64
func.func @root_of_k(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %one = arith.constant 1.0 : f32
    %root = arith.constant 2.82842708 : f32
    %a = arith.addf %sum, %one : f32
    %b = math.rsqrt %a : f32
    %d = arith.mulf %b, %root : f32
    %c = arith.mulf %in, %d : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// eps is an argument in f64, rounded where it is used.
// CHECK-LABEL: func.func @eps_argument
// CHECK-SAME: %[[E:[^:]*]]: f64
// CHECK: %[[E32:.*]] = arith.truncf %[[E]] : f64 to f32
// CHECK: ff.norm_linear rms_norm({{.*}}) weights({{.*}}) eps(%[[E32]])
func.func @eps_argument(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %eps: f64) -> tensor<4x6xf32> {
  %e = arith.truncf %eps : f64 to f32
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
    %a0 = arith.divf %sum, %count : f32
    %a = arith.addf %a0, %e : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// eps is the element of a tensor.
// CHECK-LABEL: func.func @eps_tensor
// CHECK: %[[E:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<1xf32>
// CHECK: ff.norm_linear rms_norm({{.*}}) weights({{.*}}) eps(%[[E]])
func.func @eps_tensor(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %eps: tensor<1xf32>) -> tensor<4x6xf32> {
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
  %h = linalg.generic {indexing_maps = [#mk, #m, affine_map<(m, k) -> (0)>, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %eps : tensor<4x8xf32>, tensor<4xf32>, tensor<1xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %e: f32, %out: f32):
    %a0 = arith.divf %sum, %count : f32
    %a = arith.addf %a0, %e : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// eps rounded to f16 is what the program adds.
// CHECK-LABEL: func.func @eps_f16
// CHECK: ff.norm_linear rms_norm({{.*}}) weights({{.*}}) {eps = 1.0013580322265625E-5 : f64
func.func @eps_f16(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %eps = arith.constant 1.0e-5 : f32
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
    %a0 = arith.divf %sum, %count : f32
    %e16 = arith.truncf %eps : f32 to f16
    %e = arith.extf %e16 : f16 to f32
    %a = arith.addf %a0, %e : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// A product of two gains, one of them rounded, is a vector of its own: computed
// once, in f32, with the rounding kept.
// CHECK-LABEL: func.func @gain_expression
// CHECK-SAME: tensor<4x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[F:.*]]: tensor<2x4xf16>
// CHECK: %[[F1:.*]] = tensor.collapse_shape %[[F]]
// CHECK: %[[V:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8xf16>, tensor<8xf32>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.mulf
// CHECK: ff.norm_linear rms_norm({{.*}}) gain(%[[V]])
func.func @gain_expression(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %f: tensor<2x4xf16>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %f1 = tensor.collapse_shape %f [[0, 1]] : tensor<2x4xf16> into tensor<8xf16>
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
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %g, %f1 : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf16>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %gain: f32, %fac: f16, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %g16 = arith.truncf %gain : f32 to bf16
    %g32 = arith.extf %g16 : bf16 to f32
    %f32 = arith.extf %fac : f16 to f32
    %gf = arith.mulf %g32, %f32 : f32
    %d = arith.mulf %in, %b : f32
    %c = arith.mulf %d, %gf : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// 1 + g as a constant in the middle of the expression, and a shift.
// CHECK-LABEL: func.func @offset_and_shift
// CHECK: ff.norm_linear rms_norm({{.*}}) gain({{.*}}) shift({{.*}}) weights({{.*}}) {{.*}}gain_offset = 1.000000e+00 : f64
func.func @offset_and_shift(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %t: tensor<8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %g, %t : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %gain: f32, %shift: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %d = arith.mulf %in, %b : f32
    %e = arith.mulf %d, %gain : f32
    %f = arith.addf %d, %e : f32
    %c = arith.addf %shift, %f : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
