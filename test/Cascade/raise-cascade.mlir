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
// REMARK: declined | {{.*}}Function=effects | reason=effects
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

// All of a row is minus infinity if its maximum is, which softmax has taken anyway.
// REMARK: graph | {{.*}}Function=masked | einsums=3, others=0
// CHECK-LABEL: func @masked
// CHECK: %[[M:.*]] = cascade.einsum "max0"[[[P:[a-z]]]] = max(%{{.*}}[[[P]], [[K:[a-z]]]])
// CHECK: cascade.einsum "{{.*}}"[[[P]], [[K]]] = map(%{{.*}}[[[P]], [[K]]], %[[M]][[[P]]])
// CHECK: cascade.einsum "{{.*}}"[[[P]]] = map(%[[M]][[[P]]]) : (tensor<6xf32>) -> tensor<6xi1>
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: arith.cmpf oeq
// A comparison with another number, or with minus infinity of something else, stays; so does one of
// what does not vary over the row.
// REMARK: kept | {{.*}}Function=other_masks | reason=reduction
// REMARK: kept | {{.*}}Function=other_masks | reason=reduction
// REMARK: kept | {{.*}}Function=other_masks | reason=reduction
// REMARK: kept | {{.*}}Function=other_masks | reason=reduction
#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @masked(%x: tensor<6x8xf16>) -> (tensor<6x8xf32>, tensor<6xi1>) {
  %low = arith.constant 0xFF800000 : f32
  %low64 = arith.constant 0xFFF0000000000000 : f64
  %true = arith.constant true
  %e = tensor.empty() : tensor<6xf32>
  %z = linalg.fill ins(%low : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x8xf16>) outs(%z : tensor<6xf32>) {
  ^bb0(%a: f16, %b: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.maximumf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6xf32>
  %o = tensor.empty() : tensor<6x8xf32>
  %s = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<6x8xf16>, tensor<6xf32>) outs(%o : tensor<6x8xf32>) {
  ^bb0(%a: f16, %b: f32, %out: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.subf %0, %b : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x8xf32>
  %be = tensor.empty() : tensor<6x8xi1>
  %c = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x8xf16>) outs(%be : tensor<6x8xi1>) {
  ^bb0(%a: f16, %out: i1):
    %0 = arith.extf %a : f16 to f64
    %1 = arith.cmpf oeq, %0, %low64 : f64
    linalg.yield %1 : i1
  } -> tensor<6x8xi1>
  %te = tensor.empty() : tensor<6xi1>
  %t = linalg.fill ins(%true : i1) outs(%te : tensor<6xi1>) -> tensor<6xi1>
  %all = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<6x8xi1>) outs(%t : tensor<6xi1>) {
  ^bb0(%a: i1, %b: i1):
    %0 = arith.andi %a, %b : i1
    linalg.yield %0 : i1
  } -> tensor<6xi1>
  return %s, %all : tensor<6x8xf32>, tensor<6xi1>
}
func.func @other_masks(%x: tensor<6x8xf32>, %y: tensor<6x8xf32>, %u: tensor<6xf32>) -> (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %be = tensor.empty() : tensor<6x8xi1>
  %c = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x8xf32>) outs(%be : tensor<6x8xi1>) {
  ^bb0(%a: f32, %out: i1):
    %0 = arith.cmpf oeq, %a, %zero : f32
    linalg.yield %0 : i1
  } -> tensor<6x8xi1>
  %d = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<6x8xf32>, tensor<6x8xf32>) outs(%be : tensor<6x8xi1>) {
  ^bb0(%a: f32, %b: f32, %out: i1):
    %0 = arith.addf %a, %b : f32
    %1 = arith.cmpf oeq, %0, %low : f32
    linalg.yield %1 : i1
  } -> tensor<6x8xi1>
  %f = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x8xf32>) outs(%be : tensor<6x8xi1>) {
  ^bb0(%a: f32, %out: i1):
    %0 = arith.cmpf oeq, %a, %low : f32
    linalg.yield %0 : i1
  } -> tensor<6x8xi1>
  %g = linalg.generic {indexing_maps = [#r, #m], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<6xf32>) outs(%be : tensor<6x8xi1>) {
  ^bb0(%a: f32, %out: i1):
    %0 = arith.cmpf oeq, %a, %low : f32
    linalg.yield %0 : i1
  } -> tensor<6x8xi1>
  %te = tensor.empty() : tensor<6xi1>
  %t = linalg.fill ins(%true : i1) outs(%te : tensor<6xi1>) -> tensor<6xi1>
  %n = linalg.fill ins(%false : i1) outs(%te : tensor<6xi1>) -> tensor<6xi1>
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<6x8xi1>) outs(%t : tensor<6xi1>) {
  ^bb0(%a: i1, %b: i1):
    %3 = arith.andi %a, %b : i1
    linalg.yield %3 : i1
  } -> tensor<6xi1>
  %1 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<6x8xi1>) outs(%t : tensor<6xi1>) {
  ^bb0(%a: i1, %b: i1):
    %3 = arith.andi %a, %b : i1
    linalg.yield %3 : i1
  } -> tensor<6xi1>
  %2 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<6x8xi1>) outs(%n : tensor<6xi1>) {
  ^bb0(%a: i1, %b: i1):
    %3 = arith.andi %a, %b : i1
    linalg.yield %3 : i1
  } -> tensor<6xi1>
  %b = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<6x8xi1>) outs(%t : tensor<6xi1>) {
  ^bb0(%a: i1, %out: i1):
    %3 = arith.andi %a, %out : i1
    linalg.yield %3 : i1
  } -> tensor<6xi1>
  return %0, %1, %2, %b : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
}

// Memory holds what is narrow: widening goes to the readers. What is rounded, transposed and read by
// an Einsum is written as it is read. One Einsum stands for two that compute the same.
// REMARK: graph | {{.*}}Function=widened | einsums=3, others=0
// CHECK-LABEL: func @widened
// CHECK: %[[Y:.*]] = cascade.einsum "add0"[[[P:[a-z]]], [[K:[a-z]]]] = map(%{{.*}}[[[P]], [[K]]]) : (tensor<6x8xf32>) -> tensor<6x8xbf16> {
// CHECK: %[[Z:.*]] = cascade.einsum "contract1"[[[N:[a-z]]], [[P]]] = add(%{{.*}}[[[N]], [[K]]], %[[Y]][[[P]], [[K]]]) : (tensor<3x8xbf16>, tensor<6x8xbf16>) -> tensor<3x6xf32>
// CHECK: cascade.einsum "add2"[[[N]], [[P]]] = map(%[[Z]][[[N]], [[P]]], %[[Z]][[[N]], [[P]]])
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @widened(%x: tensor<6x8xf32>, %w: tensor<3x8xbf16>) -> tensor<3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ye = tensor.empty() : tensor<8x6xbf16>
  %y = linalg.generic {indexing_maps = [#t, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x8xf32>) outs(%ye : tensor<8x6xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<8x6xbf16>
  %ve = tensor.empty() : tensor<8x6xf32>
  %v = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xbf16>) outs(%ve : tensor<8x6xf32>) {
  ^bb0(%a: bf16, %out: f32):
    %0 = arith.extf %a : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x6xf32>
  %ue = tensor.empty() : tensor<3x8xf32>
  %u = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<3x8xbf16>) outs(%ue : tensor<3x8xf32>) {
  ^bb0(%a: bf16, %out: f32):
    %0 = arith.extf %a : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<3x8xf32>
  %ze = tensor.empty() : tensor<3x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%ze : tensor<3x6xf32>) -> tensor<3x6xf32>
  %p = linalg.matmul ins(%u, %v : tensor<3x8xf32>, tensor<8x6xf32>) outs(%z : tensor<3x6xf32>) -> tensor<3x6xf32>
  %q = linalg.matmul ins(%u, %v : tensor<3x8xf32>, tensor<8x6xf32>) outs(%z : tensor<3x6xf32>) -> tensor<3x6xf32>
  %s = linalg.add ins(%p, %q : tensor<3x6xf32>, tensor<3x6xf32>) outs(%ze : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %s : tensor<3x6xf32>
}

// An encoding stays with its type, next to dimensions of 1.
// CHECK-LABEL: func.func @encoded_unit
// CHECK: -> tensor<4x6xbf16, #
#csr_unit = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @encoded_unit(%x: tensor<4x1xbf16>, %w: tensor<1x6xbf16>, %o: tensor<4x6xbf16, #csr_unit>) -> tensor<4x6xbf16, #csr_unit> {
  %r = linalg.matmul ins(%x, %w : tensor<4x1xbf16>, tensor<1x6xbf16>) outs(%o : tensor<4x6xbf16, #csr_unit>) -> tensor<4x6xbf16, #csr_unit>
  return %r : tensor<4x6xbf16, #csr_unit>
}
