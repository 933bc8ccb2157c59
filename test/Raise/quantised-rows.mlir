// RUN: ff-opt %s --ff-raise=plain-linears=true | FileCheck %s
// RUN: ff-opt %s --ff-raise="plain-linears=true rounding=strict" | FileCheck %s --check-prefix=STRICT
// RUN: ff-run %s --all --verify --plain-linears --rows=hard | FileCheck %s --check-prefix=VERIFY

// An x of 8 bits that a program multiplies by scales of its rows, beside weights of 8 bits: both stay
// as they are, also where the dequantised x is rounded to 16 bits, which nothing else sees.
// VERIFY-COUNT-6: fused row={{.*}} ok

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#xk = affine_map<(m, n, k) -> (m, k)>
#wk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A norm; its statistics are those of the dequantised row.
// CHECK-LABEL: func.func @rms
// CHECK-SAME: (%[[X:.*]]: tensor<4x32xf8E4M3FN>, %[[SX:.*]]: tensor<4x1xf32>, %[[Q:.*]]: tensor<8x32xf8E4M3FN>, %[[S:.*]]: tensor<8xf32>)
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[SX]] {{\[}}[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
// CHECK: ff.norm_linear rms_norm(%[[X]]) x_scale(%[[V]]) weights(%[[Q]]) scales(%[[S]])
// CHECK-SAME: (tensor<4x32xf8E4M3FN>, tensor<4xf32>, tensor<8x32xf8E4M3FN>, tensor<8xf32>) -> tensor<4x8xf32>
// STRICT-LABEL: func.func @rms
// STRICT-NOT: ff.norm_linear
func.func @rms(%x: tensor<4x32xf8E4M3FN>, %sx: tensor<4x1xf32>, %q: tensor<8x32xf8E4M3FN>,
               %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %eh = tensor.empty() : tensor<4x32xbf16>
  %d = linalg.generic {indexing_maps = [#mk, affine_map<(m, k) -> (m, 0)>, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sx : tensor<4x32xf8E4M3FN>, tensor<4x1xf32>) outs(%eh : tensor<4x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x32xbf16>
  %rows = tensor.empty() : tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<4x32xbf16>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %f = arith.extf %a : bf16 to f32
    %p = arith.mulf %f, %f : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%d, %sum : tensor<4x32xbf16>, tensor<4xf32>) outs(%eh : tensor<4x32xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    %k = arith.constant 32.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %mean = arith.divf %b, %k : f32
    %e = arith.addf %mean, %eps : f32
    %r = math.rsqrt %e : f32
    %f = arith.extf %a : bf16 to f32
    %p = arith.mulf %f, %r : f32
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x32xbf16>
  %ew = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<8xf32>) outs(%ew : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8x32xbf16>
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %fa = arith.extf %a : bf16 to f32
    %fb = arith.extf %b : bf16 to f32
    %p = arith.mulf %fa, %fb : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// With a gain the dequantised x is normalised: the gain cannot be folded into weights of 8 bits.
// CHECK-LABEL: func.func @gain
// STRICT-LABEL: func.func @gain
// CHECK: %[[D:.*]] = linalg.generic
// CHECK: ff.norm_linear l2_norm(%[[D]]) gain(
func.func @gain(%x: tensor<4x32xf8E4M3FN>, %sx: tensor<4xf32>, %g: tensor<32xf32>,
                %q: tensor<8x32xf8E4M3FN>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %eh = tensor.empty() : tensor<4x32xf32>
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sx : tensor<4x32xf8E4M3FN>, tensor<4xf32>) outs(%eh : tensor<4x32xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: f32):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    linalg.yield %p : f32
  } -> tensor<4x32xf32>
  %rows = tensor.empty() : tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<4x32xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %a : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, affine_map<(m, k) -> (k)>, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%d, %sum, %g : tensor<4x32xf32>, tensor<4xf32>, tensor<32xf32>) outs(%eh : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %eps = arith.constant 1.0e-5 : f32
    %root = math.sqrt %b : f32
    %max = arith.maximumf %root, %eps : f32
    %p = arith.divf %a, %max : f32
    %t = arith.mulf %p, %c : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %q : tensor<4x32xf32>, tensor<8x32xf8E4M3FN>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f8E4M3FN, %o: f32):
    %fb = arith.extf %b : f8E4M3FN to f32
    %p = arith.mulf %a, %fb : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Linears without a norm: scales of x and of the weight in the contraction's own body, one number
// for all of x, none at all; two of them share the dequantised x.
// CHECK-LABEL: func.func @body
// CHECK: ff.online(%arg0) weights(%arg2) columns(%arg3) x_scale(%arg1)
// CHECK-SAME: statistics = []
// CHECK: ^bb0(%[[A:.*]]: f32):
// CHECK-NEXT: ff.yield %[[A]] : f32
// STRICT-LABEL: func.func @body
// STRICT: ff.online(%arg0) weights(%arg2) columns(%arg3) x_scale(%arg1)
func.func @body(%x: tensor<?x32xf8E4M3FN>, %sx: tensor<?xf32>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x32xf8E4M3FN>
  %ey = tensor.empty(%m) : tensor<?x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = linalg.generic {indexing_maps = [#xk, affine_map<(m, n, k) -> (m)>, #wk, affine_map<(m, n, k) -> (n)>, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %sx, %q, %s : tensor<?x32xf8E4M3FN>, tensor<?xf32>, tensor<8x32xf8E4M3FN>, tensor<8xf32>)
      outs(%init : tensor<?x8xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %c: f8E4M3FN, %d: f32, %o: f32):
    %fa = arith.extf %a : f8E4M3FN to f32
    %fb = arith.mulf %fa, %b : f32
    %fc = arith.extf %c : f8E4M3FN to f32
    %fd = arith.mulf %fc, %d : f32
    %p = arith.mulf %fb, %fd : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @shared
// CHECK: ff.online(%arg0) weights(%arg1)
// CHECK: row {
// CHECK-NEXT: %[[C:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-NEXT: ff.yield %[[C]] : f32
// CHECK: ff.online(%arg0) weights(%arg2)
// CHECK-NOT: linalg.generic
func.func @shared(%x: tensor<4x32xf8E4M3FN>, %p: tensor<8x32xf8E4M3FN>, %q: tensor<16x32xf8E4M3FN>)
    -> (tensor<4x8xf32>, tensor<4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %eh = tensor.empty() : tensor<4x32xf32>
  %d = linalg.generic {indexing_maps = [#mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x32xf8E4M3FN>) outs(%eh : tensor<4x32xf32>) {
  ^bb0(%a: f8E4M3FN, %o: f32):
    %f = arith.extf %a : f8E4M3FN to f32
    %t = arith.mulf %f, %quarter : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  %ep = tensor.empty() : tensor<4x8xf32>
  %ip = linalg.fill ins(%zero : f32) outs(%ep : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %p : tensor<4x32xf32>, tensor<8x32xf8E4M3FN>) outs(%ip : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f8E4M3FN, %o: f32):
    %f = arith.extf %b : f8E4M3FN to f32
    %m = arith.mulf %a, %f : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  %eq = tensor.empty() : tensor<4x16xf32>
  %iq = linalg.fill ins(%zero : f32) outs(%eq : tensor<4x16xf32>) -> tensor<4x16xf32>
  %z = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %q : tensor<4x32xf32>, tensor<16x32xf8E4M3FN>) outs(%iq : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f8E4M3FN, %o: f32):
    %f = arith.extf %b : f8E4M3FN to f32
    %m = arith.mulf %a, %f : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x16xf32>
}

// Weights that are wider: x is read as it was dequantised.
// CHECK-LABEL: func.func @wider
// CHECK: %[[D:.*]] = linalg.generic
// CHECK: ff.online(%[[D]]) weights(%arg2)
func.func @wider(%x: tensor<4x32xf8E4M3FN>, %sx: tensor<4xf32>, %w: tensor<8x32xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %eh = tensor.empty() : tensor<4x32xf32>
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sx : tensor<4x32xf8E4M3FN>, tensor<4xf32>) outs(%eh : tensor<4x32xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: f32):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    linalg.yield %p : f32
  } -> tensor<4x32xf32>
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %w : tensor<4x32xf32>, tensor<8x32xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
