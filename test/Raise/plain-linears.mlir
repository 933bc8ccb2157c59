// RUN: ff-opt %s --ff-raise=plain-linears --remarks-filter=ff-raise 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: ff-opt %s -o %t.in && ff-opt %s --ff-raise -o %t.out && cmp %t.in %t.out
// RUN: ff-run %s --entry=bias --shape=arg0:2x3x8 --plain-linears --verify --expect-fused=0 | FileCheck %s --check-prefix=RESULT
// RUN: ff-run %s --entry=residual --shape=arg0:5x8 --shape=arg2:5x6 --plain-linears --verify | FileCheck %s --check-prefix=RESULT
// RUN: ff-run %s --entry=column --plain-linears --verify | FileCheck %s --check-prefix=RESULT
// Linears without a norm, on demand.
// RESULT: fused=0
// RESULT: {{result 0: .* fused .* ok}}

// Rows of two dimensions, a weight N x K behind a transpose, a bias, a cast.
// CHECK-LABEL: func @bias
// CHECK-SAME: %[[X:.*]]: tensor<2x?x8xbf16>, %[[W:.*]]: tensor<6x8xbf16>, %[[C:.*]]: tensor<6xf32>
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK: ff.online(%[[F]]) weights(%[[W]]) columns(%[[C]])
// CHECK-SAME: layouts = [#ff.layout<nk>]
// CHECK-SAME: statistics = []
// CHECK-SAME: row {
// CHECK-NEXT: ff.yield
// CHECK-NEXT: } finalize {
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK-NOT: linalg
// CHECK: return
// REMARK: remark: [Passed] plain_linear | Category:ff-raise | Function=bias
func.func @bias(%x: tensor<2x?x8xbf16>, %w: tensor<6x8xbf16>, %c: tensor<6xf32>) -> tensor<2x?x6xbf16> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %s = tensor.dim %x, %one : tensor<2x?x8xbf16>
  %te = tensor.empty() : tensor<8x6xbf16>
  %t = linalg.transpose ins(%w : tensor<6x8xbf16>) outs(%te : tensor<8x6xbf16>) permutation = [1, 0]
  %be = tensor.empty() : tensor<2x8x6xbf16>
  %b = linalg.broadcast ins(%t : tensor<8x6xbf16>) outs(%be : tensor<2x8x6xbf16>) dimensions = [0]
  %e = tensor.empty(%s) : tensor<2x?x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  %y = linalg.batch_matmul ins(%x, %b : tensor<2x?x8xbf16>, tensor<2x8x6xbf16>) outs(%i : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  %r = tensor.empty(%s) : tensor<2x?x6xbf16>
  %z = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>,
                       affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %c : tensor<2x?x6xf32>, tensor<6xf32>) outs(%r : tensor<2x?x6xbf16>) {
  ^bb0(%a: f32, %d: f32, %out: bf16):
    %p = arith.addf %a, %d : f32
    %q = arith.truncf %p : f32 to bf16
    linalg.yield %q : bf16
  } -> tensor<2x?x6xbf16>
  return %z : tensor<2x?x6xbf16>
}

// What follows is another pass's business.
// CHECK-LABEL: func @residual
// CHECK: ff.online
// CHECK: linalg.add
// REMARK: remark: [Passed] plain_linear | Category:ff-raise | Function=residual
func.func @residual(%x: tensor<?x8xf16>, %w: tensor<8x6xf16>, %r: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x8xf16>
  %e = tensor.empty(%m) : tensor<?x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x8xf16>, tensor<8x6xf16>) outs(%i : tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = linalg.add ins(%y, %r : tensor<?x6xf32>, tensor<?x6xf32>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %s : tensor<?x6xf32>
}

// A column of x: the weight is on the left, the result N x M.
// CHECK-LABEL: func @column
// CHECK: ff.online
// REMARK: remark: [Passed] plain_linear | Category:ff-raise | Function=column
func.func @column(%x: tensor<8xf32>, %w: tensor<6x8xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %y = linalg.matvec ins(%w, %x : tensor<6x8xf32>, tensor<8xf32>) outs(%i : tensor<6xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// Both operands are computed; K is not known; two vectors.
// CHECK-LABEL: func @scores
// CHECK-NOT: ff.online
// REMARK-NOT: plain_linear
func.func @scores(%q: tensor<4x8xf32>, %k: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = tensor.empty() : tensor<8x4xf32>
  %g = tensor.empty() : tensor<4x8xf32>
  %a = linalg.exp ins(%q : tensor<4x8xf32>) outs(%g : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.exp ins(%k : tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

func.func @unknown(%q: tensor<4x?xf32>, %k: tensor<?x4xf32>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = linalg.matmul ins(%q, %k : tensor<4x?xf32>, tensor<?x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
