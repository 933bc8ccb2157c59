// RUN: ff-opt %s --ff-raise --split-input-file | FileCheck %s
// One small function per spelling of an RMSNorm in front of a Linear. All have
// x 4 x 8, gain 8, weight 8 x 6 unless the spelling needs something else.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The textbook form: sum of squares, divided, rsqrt, times x, times gain.
// CHECK-LABEL: func.func @direct
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<8x6xf32>
// CHECK-NEXT: %[[Y:.*]] = ff.norm_linear rms_norm(%[[X]]) gain(%[[G]]) weights(%[[W]])
// CHECK-SAME: {eps = 9.9999997473787516E-6 : f64, layouts = [#ff.layout<kn>]}
// CHECK-NEXT: return %[[Y]]
func.func @direct(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
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
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %g : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %gain: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = arith.addf %a, %eps : f32
    %c = math.rsqrt %b : f32
    %d = arith.mulf %in, %c : f32
    %e = arith.mulf %d, %gain : f32
    linalg.yield %e : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m0 = affine_map<(m, k) -> (m, 0)>

// Dynamic rows, bf16 storage, sqrt then divide, fpowi, a reciprocal as a splat
// tensor, keepdim statistics, Gemma's 1 + g in f32, no eps.
// CHECK-LABEL: func.func @gemma
// CHECK-SAME: %[[X:.*]]: tensor<?x6xbf16>, %[[G:.*]]: tensor<6xbf16>, %[[W:.*]]: tensor<5x6xbf16>
// CHECK: ff.norm_linear rms_norm(%[[X]]) gain(%[[G]]) weights(%[[W]])
// CHECK-SAME: {eps = 0.000000e+00 : f64, gain_offset = 1.000000e+00 : f64, layouts = [#ff.layout<nk>]}
// CHECK-SAME: -> tensor<?x5xbf16>
func.func @gemma(%x: tensor<?x6xbf16>, %g: tensor<6xbf16>, %w: tensor<5x6xbf16>) -> tensor<?x5xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c2 = arith.constant 2 : i32
  %recip = arith.constant dense<0.166666672> : tensor<1x1xf32>
  %dim = tensor.dim %x, %c0 : tensor<?x6xbf16>
  %e = tensor.empty(%dim) : tensor<?x6xf32>
  %x32 = linalg.copy ins(%x : tensor<?x6xbf16>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %sq = linalg.map ins(%x32 : tensor<?x6xf32>) outs(%e : tensor<?x6xf32>)
    (%in: f32, %out: f32) {
      %p = math.fpowi %in, %c2 : f32, i32
      linalg.yield %p : f32
    }
  %e1 = tensor.empty(%dim) : tensor<?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce { arith.addf } ins(%sq : tensor<?x6xf32>) outs(%z1 : tensor<?xf32>) dimensions = [1]
  %keep = tensor.expand_shape %sum [[0, 1]] output_shape [%dim, 1] : tensor<?xf32> into tensor<?x1xf32>
  %ek = tensor.empty(%dim) : tensor<?x1xf32>
  %root = linalg.generic {
      indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (0, k)>, affine_map<(m, k) -> (m, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%keep, %recip : tensor<?x1xf32>, tensor<1x1xf32>) outs(%ek : tensor<?x1xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %a = arith.mulf %r, %in : f32
    %b = math.sqrt %a : f32
    linalg.yield %b : f32
  } -> tensor<?x1xf32>
  %h32 = linalg.generic {indexing_maps = [#mk, #m0, affine_map<(m, k) -> (k)>, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x32, %root, %g : tensor<?x6xf32>, tensor<?x1xf32>, tensor<6xbf16>) outs(%e : tensor<?x6xf32>) {
  ^bb0(%in: f32, %r: f32, %gain: bf16, %out: f32):
    %a = arith.divf %in, %r : f32
    %b = arith.extf %gain : bf16 to f32
    %c = arith.addf %one, %b : f32
    %d = arith.mulf %c, %a : f32
    linalg.yield %d : f32
  } -> tensor<?x6xf32>
  %e16 = tensor.empty(%dim) : tensor<?x6xbf16>
  %h = linalg.copy ins(%h32 : tensor<?x6xf32>) outs(%e16 : tensor<?x6xbf16>) -> tensor<?x6xbf16>
  %ey = tensor.empty(%dim) : tensor<?x5xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<?x5xf32>) -> tensor<?x5xf32>
  %y32 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%h, %w : tensor<?x6xbf16>, tensor<5x6xbf16>) outs(%zy : tensor<?x5xf32>) -> tensor<?x5xf32>
  %ey16 = tensor.empty(%dim) : tensor<?x5xbf16>
  %y = linalg.generic {indexing_maps = [#mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%y32 : tensor<?x5xf32>) outs(%ey16 : tensor<?x5xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %a = arith.truncf %in : f32 to bf16
    linalg.yield %a : bf16
  } -> tensor<?x5xbf16>
  return %y : tensor<?x5xbf16>
}
