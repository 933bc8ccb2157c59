// RUN: ff-opt %s --ff-lower-cascade | FileCheck %s

// A sum starts from its init, or from zero; ranks become loops, those reduced last.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @sums
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%arg2 : tensor<5xf32>)
// CHECK: %[[Z:.*]] = linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x3xf32>, tensor<3x5xf32>) outs(%[[START]]
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %[[P]]
// CHECK: linalg.yield %[[S]]
// CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[LOW]]
// CHECK: linalg.generic {{.*}}ins(%[[Z]] : tensor<?x5xf32>) outs(%[[FILL]]
// CHECK: arith.maximumf
func.func @sums(%a: tensor<?x3xf32>, %b: tensor<3x5xf32>, %c: tensor<5xf32>) -> tensor<?xf32> {
  %0 = cascade.graph "g"(%a, %b, %c) : (tensor<?x3xf32>, tensor<3x5xf32>, tensor<5xf32>) -> tensor<?xf32> {
  ^bb0(%x: tensor<?x3xf32>, %w: tensor<3x5xf32>, %d: tensor<5xf32>):
    %1 = cascade.einsum "Z"[M, N] = add(%x[M, K], %w[K, N]) init(%d[N]) : (tensor<?x3xf32>, tensor<3x5xf32>, tensor<5xf32>) -> tensor<?x5xf32> {
    ^bb1(%p: f32, %q: f32):
      %3 = arith.mulf %p, %q : f32
      cascade.yield %3 : f32
    }
    %2 = cascade.einsum "Y"[M] = max(%1[M, N]) : (tensor<?x5xf32>) -> tensor<?xf32> {
    ^bb1(%p: f32):
      cascade.yield %p : f32
    }
    cascade.yield %2 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @steps
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[R:.*]] = %{{.*}}) -> (tensor<2xf32>)
// CHECK: %[[FIBER:.*]] = tensor.extract_slice %arg0[0, %[[I]]] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2xf32>
// CHECK: %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[FIBER]]
// CHECK: scf.yield %[[NEXT]]
func.func @steps(%k: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = cascade.graph "g"(%k) : (tensor<2x3xf32>) -> tensor<2xf32> {
  ^bb0(%x: tensor<2x3xf32>):
    %zero = arith.constant dense<0.0> : tensor<2xf32>
    %1 = cascade.iterate "M" to 3 streams(%x) init(%zero) {stream_dims = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32> {
    ^bb1(%m: index, %xm: tensor<2xf32>, %r: tensor<2xf32>):
      %2 = cascade.einsum "R"[P] = map(%r[P], %xm[P]) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
      ^bb2(%p: f32, %q: f32):
        %3 = arith.addf %p, %q : f32
        cascade.yield %3 : f32
      }
      cascade.yield %2 : tensor<2xf32>
    }
    cascade.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// No running tensor, and an argument that is returned as it is.
// CHECK-LABEL: func @nothing
// CHECK-NOT: cascade
// CHECK: return %arg0
func.func @nothing(%k: tensor<2xf32>) -> tensor<2xf32> {
  %0 = cascade.graph "g"(%k) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%x: tensor<2xf32>):
    cascade.iterate "M" to 2 streams(%x) init() {stream_dims = array<i64: 0>} : (tensor<2xf32>) -> () {
    ^bb1(%m: index, %xm: tensor<f32>):
      cascade.yield
    }
    cascade.yield %x : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
