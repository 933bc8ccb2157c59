// RUN: ff-opt %s --ff-raise-cascade --remarks-filter='.*' -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// Projections of one input for queries and for keys: the positions of both come from %x,
// but are two ranks where they meet.
// REMARK: graph | {{.*}}Function=scores | einsums=3, others=0
// CHECK-LABEL: func @scores
// CHECK: cascade.graph "scores"
// CHECK: %[[WQ:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 4, 8]
// CHECK: %[[Q:.*]] = cascade.einsum "contract0"[[[P:[a-z]]], [[H:[a-z]]], [[E:[a-z]]]] = add(%{{.*}}[[[P]], [[D:[a-z]]]], %[[WQ]][[[H]], [[E]], [[D]]])
// CHECK: %[[K:.*]] = cascade.einsum "contract1"[[[M:[a-z]]], [[H]], [[E]]] = add(%{{.*}}[[[M]], [[D]]],
// CHECK: cascade.einsum "contract2"[[[H]], [[P]], [[M]]] = add(%[[Q]][[[P]], [[H]], [[E]]], %[[K]][[[M]], [[H]], [[E]]])
func.func @scores(%x: tensor<6x8xf32>, %wq: tensor<8x8xf32>, %wk: tensor<8x8xf32>) -> tensor<2x6x6xf32> {
  %c0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x8xf32>
  %e1 = tensor.empty() : tensor<6x8xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e1 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %tq = linalg.transpose ins(%wq : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) permutation = [1, 0]
  %q = linalg.matmul ins(%x, %tq : tensor<6x8xf32>, tensor<8x8xf32>) outs(%z : tensor<6x8xf32>) -> tensor<6x8xf32>
  %tk = linalg.transpose ins(%wk : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) permutation = [1, 0]
  %k = linalg.matmul ins(%x, %tk : tensor<6x8xf32>, tensor<8x8xf32>) outs(%z : tensor<6x8xf32>) -> tensor<6x8xf32>
  %qh = tensor.expand_shape %q [[0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
  %kh = tensor.expand_shape %k [[0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
  %e2 = tensor.empty() : tensor<2x6x4xf32>
  %qt = linalg.transpose ins(%qh : tensor<6x2x4xf32>) outs(%e2 : tensor<2x6x4xf32>) permutation = [1, 0, 2]
  %e3 = tensor.empty() : tensor<2x4x6xf32>
  %kt = linalg.transpose ins(%kh : tensor<6x2x4xf32>) outs(%e3 : tensor<2x4x6xf32>) permutation = [1, 2, 0]
  %e4 = tensor.empty() : tensor<2x6x6xf32>
  %z4 = linalg.fill ins(%c0 : f32) outs(%e4 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %s = linalg.batch_matmul ins(%qt, %kt : tensor<2x6x4xf32>, tensor<2x4x6xf32>) outs(%z4 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %s : tensor<2x6x6xf32>
}

// A sum that starts from something, a maximum of f16 that starts from minus infinity, and
// what is no Einsum: it stays, and says why.
// REMARK: kept | {{.*}}Function=others | reason=reads-indices
// REMARK: kept | {{.*}}Function=others | reason=reduction
// REMARK: graph | {{.*}}Function=others | einsums=2, others=2
// CHECK-LABEL: func @others
// CHECK: cascade.einsum "contract0"[a, b] = add(%{{.*}}[a, c], %{{.*}}[c, b]) init(%{{.*}}[a, b])
// CHECK: cascade.einsum "max1"[d] = max(%{{.*}}[d, e]) : (tensor<6x8xf16>)
// CHECK: linalg.index
// CHECK: arith.mulf
func.func @others(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>, %c: tensor<6x5xf32>, %h: tensor<6x8xf16>)
    -> (tensor<6x5xf32>, tensor<6xf16>, tensor<6xf32>, tensor<6xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x5xf32>) outs(%c : tensor<6x5xf32>) -> tensor<6x5xf32>
  %low = arith.constant 0xFC00 : f16
  %e = tensor.empty() : tensor<6xf16>
  %f = linalg.fill ins(%low : f16) outs(%e : tensor<6xf16>) -> tensor<6xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%h : tensor<6x8xf16>) outs(%f : tensor<6xf16>) {
  ^bb0(%a: f16, %o: f16):
    %5 = arith.maximumf %a, %o : f16
    linalg.yield %5 : f16
  } -> tensor<6xf16>
  %e2 = tensor.empty() : tensor<6xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e2 : tensor<6xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %5 = arith.sitofp %j : i32 to f32
    linalg.yield %5 : f32
  } -> tensor<6xf32>
  %one = arith.constant 1.0 : f32
  %f3 = linalg.fill ins(%one : f32) outs(%e2 : tensor<6xf32>) -> tensor<6xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x8xf32>) outs(%f3 : tensor<6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %5 = arith.mulf %a, %o : f32
    linalg.yield %5 : f32
  } -> tensor<6xf32>
  return %0, %1, %2, %3 : tensor<6x5xf32>, tensor<6xf16>, tensor<6xf32>, tensor<6xf32>
}

// Functions that do more than compute tensors, or nothing of linalg, are left alone.
// CHECK-LABEL: func @effects
// CHECK-NOT: cascade
func.func private @log()
func.func @effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  call @log() : () -> ()
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func @scalars
// CHECK-NOT: cascade
func.func @scalars(%x: f32) -> f32 {
  return %x : f32
}

// Splat weights become numbers in the body, and nothing is left to read the columns from: no Einsum.
// So is a result whose type has an encoding. What others read of them stays valid.
// REMARK: kept | {{.*}}Function=splat | reason=rank-not-read
// REMARK: graph | {{.*}}Function=splat | einsums=1, others=1
// CHECK-LABEL: func @splat
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK: cascade.einsum {{.*}} = map(%[[Y]][
func.func @splat(%x: tensor<4x8xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<0.25> : tensor<8x2xf32>
  %z = arith.constant dense<0.0> : tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%z : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = linalg.add ins(%y, %b : tensor<4x2xf32>, tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// REMARK: kept | {{.*}}Function=encoded | reason=extents
// CHECK-LABEL: func @encoded
// CHECK: linalg.generic
// CHECK: cascade.yield %{{.*}} : tensor<4x8xf32, #
func.func @encoded(%x: tensor<4x8xf32>, %y: tensor<4x8xf32, #csr>) -> tensor<4x8xf32, #csr> {
  %r = linalg.exp ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32, #csr>) -> tensor<4x8xf32, #csr>
  return %r : tensor<4x8xf32, #csr>
}
