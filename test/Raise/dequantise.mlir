// RUN: ff-opt %s --ff-raise=plain-linears=true | FileCheck %s
// RUN: ff-opt %s --ff-raise="plain-linears=true rounding=strict" | FileCheck %s --check-prefix=STRICT
// RUN: ff-opt %s --ff-mark-unrounded | FileCheck %s --check-prefix=MARK
// RUN: ff-run %s --all --verify --plain-linears | FileCheck %s --check-prefix=VERIFY

// Weights of 8 bits that a program multiplies by their scale. Every result comes from a fused
// contraction, and meets the bounds of the program with weights that nothing rounds.
// VERIFY-COUNT-12: fused row={{.*}} ok

#nk = affine_map<(n, k) -> (n, k)>
#n = affine_map<(n, k) -> (n)>
#one = affine_map<(n, k) -> ()>
#first = affine_map<(n, k) -> (0)>
#mk = affine_map<(m, n, k) -> (m, k)>
#wnk = affine_map<(m, n, k) -> (n, k)>
#wkn = affine_map<(m, n, k) -> (k, n)>
#sn = affine_map<(m, n, k) -> (n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A norm, and operations as a frontend writes them: a cast, a product in bf16 with a column of
// scales, a transpose.
// CHECK-LABEL: func.func @norm
// CHECK-SAME: (%[[X:.*]]: tensor<4x32xbf16>, %[[Q:.*]]: tensor<8x32xf8E4M3FN>, %[[S:.*]]: tensor<8x1xbf16>)
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[}}[0, 1]] : tensor<8x1xbf16> into tensor<8xbf16>
// CHECK: ff.norm_linear rms_norm(%[[X]]) weights(%[[Q]]) scales(%[[V]])
// CHECK-SAME: layouts = [#ff.layout<nk>], scale_of = array<i64: 0>
// STRICT-LABEL: func.func @norm
// STRICT: arith.mulf %{{.*}} : bf16
// STRICT-NOT: ff.norm_linear
func.func @norm(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<8x1xbf16>) -> tensor<4x8xbf16> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#nk, #n], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x32xbf16>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %f = arith.extf %a : bf16 to f32
    %p = arith.mulf %f, %f : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %eh = tensor.empty() : tensor<4x32xbf16>
  %h = linalg.generic {indexing_maps = [#nk, #n, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x32xbf16>, tensor<4xf32>) outs(%eh : tensor<4x32xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    %k = arith.constant 32.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %m = arith.divf %b, %k : f32
    %e = arith.addf %m, %eps : f32
    %r = math.rsqrt %e : f32
    %f = arith.extf %a : bf16 to f32
    %p = arith.mulf %f, %r : f32
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x32xbf16>
  %ew = tensor.empty() : tensor<8x32xbf16>
  %wide = linalg.generic {indexing_maps = [#nk, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x32xf8E4M3FN>) outs(%ew : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to bf16
    linalg.yield %f : bf16
  } -> tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, affine_map<(n, k) -> (n, 0)>, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %s : tensor<8x32xbf16>, tensor<8x1xbf16>) outs(%ew : tensor<8x32xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %f = arith.mulf %a, %b : bf16
    linalg.yield %f : bf16
  } -> tensor<8x32xbf16>
  %et = tensor.empty() : tensor<32x8xbf16>
  %t = linalg.transpose ins(%w : tensor<8x32xbf16>) outs(%et : tensor<32x8xbf16>) permutation = [1, 0]
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %t : tensor<4x32xbf16>, tensor<32x8xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %er = tensor.empty() : tensor<4x8xbf16>
  %r = linalg.generic {indexing_maps = [#nk, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x8xf32>) outs(%er : tensor<4x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %f = arith.truncf %a : f32 to bf16
    linalg.yield %f : bf16
  } -> tensor<4x8xbf16>
  return %r : tensor<4x8xbf16>
}

// In one operation, scaled in f32. Relaxed rounding passes over the cast; strict reads what it gave.
// CHECK-LABEL: func.func @channel
// CHECK-SAME: %[[X:.*]]: tensor<4x32xbf16>, %[[Q:.*]]: tensor<8x32xf8E4M3FN>, %[[S:.*]]: tensor<8xf32>
// CHECK: ff.online(%[[X]]) weights(%[[Q]]) columns(%[[S]])
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
// MARK-LABEL: func.func @channel
// MARK: arith.truncf %{{.*}} {ff.unrounded} : f32 to bf16
// STRICT-LABEL: func.func @channel
// STRICT: %[[W:.*]] = linalg.generic
// STRICT: ff.online(%[[W]])
func.func @channel(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, #n, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<8xf32>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The product is not rounded: strict agrees.
// CHECK-LABEL: func.func @exact
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<8x32xf8E4M3FN>, %[[S:[a-z0-9]+]]: tensor<8xf32>)
// CHECK: ff.online(%{{.*}}) weights(%[[Q]]) columns(%[[S]])
// STRICT-LABEL: func.func @exact
// STRICT-SAME: %[[Q:[a-z0-9]+]]: tensor<8x32xf8E4M3FN>, %[[S:[a-z0-9]+]]: tensor<8xf32>)
// STRICT: ff.online(%{{.*}}) weights(%[[Q]]) columns(%[[S]])
func.func @exact(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %w = linalg.generic {indexing_maps = [#nk, #n, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<8xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: f32):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %b, %f : f32
    linalg.yield %p : f32
  } -> tensor<8x32xf32>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A scale of the whole tensor, of rank 1 and of rank 0.
// CHECK-LABEL: func.func @element
// CHECK: ff.online(%{{.*}}) weights(%{{.*}}) columns(%{{[a-z0-9]+}})
// CHECK-SAME: (tensor<4x32xbf16>, tensor<8x32xf8E4M3FN>, tensor<1xf32>, tensor<4x8xf32>)
func.func @element(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<1xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, #first, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<1xf32>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @rank0
// CHECK: ff.online(%{{.*}}) weights(%{{.*}}) columns(%{{[a-z0-9]+}})
// CHECK-SAME: (tensor<4x32xbf16>, tensor<8x32xf8E4M3FN>, tensor<1xf32>, tensor<4x8xf32>)
func.func @rank0(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<f32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, #one, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<f32>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A scale that is a number of the function, read by the body.
// CHECK-LABEL: func.func @number
// CHECK: %[[S:.*]] = tensor.from_elements %{{.*}} : tensor<1xf32>
// CHECK: ff.online(%{{.*}}) weights(%{{.*}}) columns(%[[S]])
func.func @number(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %b: f32) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x32xf8E4M3FN>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A constant becomes a number of the finalizer.
// CHECK-LABEL: func.func @constant
// CHECK: ff.online(%{{[a-z0-9]+}}) weights(%{{[a-z0-9]+}}) outs
// CHECK: %[[S:.*]] = arith.constant 1.250000e-01 : f32
// CHECK: arith.mulf %{{.*}}, %[[S]] : f32
func.func @constant(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %s = arith.constant dense<0.125> : tensor<8x32xf32>
  %w = linalg.generic {indexing_maps = [#nk, #nk, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<8x32xf32>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The contraction does it all.
// CHECK-LABEL: func.func @inside
// CHECK: ff.online(%{{.*}}) weights(%{{.*}}) columns(%{{[a-z0-9]+}})
// CHECK-SAME: layouts = [#ff.layout<kn>]
func.func @inside(%x: tensor<4x32xbf16>, %q: tensor<32x8xf8E4M3FN>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#mk, #wkn, #sn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %q, %s : tensor<4x32xbf16>, tensor<32x8xf8E4M3FN>, tensor<8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: bf16, %b: f8E4M3FN, %c: f32, %o: f32):
    %f = arith.extf %b : f8E4M3FN to f32
    %w = arith.mulf %f, %c : f32
    %h = arith.extf %a : bf16 to f32
    %p = arith.mulf %h, %w : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Without a scale: widening is exact, whoever else reads the wide tensor.
// CHECK-LABEL: func.func @unscaled
// CHECK: ff.online(%{{[a-z0-9]+}}) weights(%{{[a-z0-9]+}}) outs
// CHECK-SAME: tensor<8x32xf8E4M3FN>
// STRICT-LABEL: func.func @unscaled
// STRICT: ff.online(%{{[a-z0-9]+}}) weights(%{{[a-z0-9]+}}) outs
// STRICT-SAME: tensor<8x32xf8E4M3FN>
func.func @unscaled(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x32xf8E4M3FN>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %o: bf16):
    %r = arith.extf %a : f8E4M3FN to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// MARK-LABEL: func.func @unscaled
// MARK-NOT: ff.unrounded
// A scale that varies along k, or is itself rounded, stays with the weight (which is no argument
// then: the other operand is).
// CHECK-LABEL: func.func @blocks
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: ff.online(%[[W]])
func.func @blocks(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<32xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, affine_map<(n, k) -> (k)>, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<32xf32>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @rounded_scale
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: ff.online(%[[W]])
func.func @rounded_scale(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, #n, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<8xf32>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %c = arith.truncf %b : f32 to bf16
    %d = arith.extf %c : bf16 to f32
    %p = arith.mulf %f, %d : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Others read the product, which is there in any case.
// CHECK-LABEL: func.func @shared
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: ff.online(%[[W]])
func.func @shared(%x: tensor<4x32xbf16>, %q: tensor<8x32xf8E4M3FN>, %s: tensor<8xf32>)
    -> (tensor<4x8xf32>, tensor<8x32xbf16>) {
  %e = tensor.empty() : tensor<8x32xbf16>
  %w = linalg.generic {indexing_maps = [#nk, #n, #nk], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<8x32xf8E4M3FN>, tensor<8xf32>) outs(%e : tensor<8x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x32xbf16>
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.contract indexing_maps = [#mk, #wnk, #mn]
      ins(%x, %w : tensor<4x32xbf16>, tensor<8x32xbf16>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y, %w : tensor<4x8xf32>, tensor<8x32xbf16>
}
