// The syntax reads back as it is printed, and as bytecode.
// RUN: ff-opt %s | ff-opt | FileCheck %s
// RUN: ff-opt %s --emit-bytecode | ff-opt | FileCheck %s
// RUN: ff-opt %s --mlir-print-op-generic | ff-opt | FileCheck %s

// A sum of products, one pass over an iterative rank with a running maximum, groups.
// CHECK-LABEL: func @graph
// CHECK: cascade.graph "layer"(%{{.*}}, %{{.*}}, %{{.*}}) {arg_names = ["Q", "K", "B"],
// CHECK-SAME: groups = [#cascade.group<name = "G", repeats = 2, rows = ["P"], pack = "H", memory = ["K"], buffer = ["2*H*P'"]>]
// CHECK-SAME: ranks = [#cascade.rank<"H", 2>, #cascade.rank<"P", 4>, #cascade.rank<"M", 3>,
func.func @graph(%q: tensor<2x8x4xf32>, %k: tensor<2x8x3x5xf32>, %b: tensor<1x4xf32>) -> tensor<2x4xf32> {
  %0 = cascade.graph "layer"(%q, %k, %b)
      {arg_names = ["Q", "K", "B"],
       groups = [#cascade.group<name = "G", repeats = 2, rows = ["P"], pack = "H", memory = ["K"], buffer = ["2*H*P'"]>],
       ranks = [#cascade.rank<"H", 2>, #cascade.rank<"P", 4>, #cascade.rank<"M", 3>, #cascade.rank<"N", 5>, #cascade.rank<"E", 8>]}
      : (tensor<2x8x4xf32>, tensor<2x8x3x5xf32>, tensor<1x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%Q: tensor<2x8x4xf32>, %K: tensor<2x8x3x5xf32>, %B: tensor<1x4xf32>):
    %cst = arith.constant dense<0xFF800000> : tensor<2x4xf32>
    // CHECK: cascade.iterate "M" to 3 streams(%{{.*}}) init(%{{.*}}) {stream_dims = array<i64: 2>} : (tensor<2x8x3x5xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
    // CHECK-NEXT: ^bb0(%{{.*}}: index, %[[K:.*]]: tensor<2x8x5xf32>, %[[RM:.*]]: tensor<2x4xf32>):
    %rm = cascade.iterate "M" to 3 streams(%K) init(%cst) {stream_dims = array<i64: 2>}
        : (tensor<2x8x3x5xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
    ^bb0(%m: index, %km: tensor<2x8x5xf32>, %running: tensor<2x4xf32>):
      // CHECK: %[[QK:.*]] = cascade.einsum "QK"[H, P, N] = add(%{{.*}}[H, E, P], %[[K]][H, E, N]) init(%{{.*}}[_, P]) group "G" : (tensor<2x8x4xf32>, tensor<2x8x5xf32>, tensor<1x4xf32>) -> tensor<2x4x5xf32> {
      %qk = cascade.einsum "QK"[H, P, N] = add(%Q[H, E, P], %km[H, E, N]) init(%B[_, P]) group "G"
          : (tensor<2x8x4xf32>, tensor<2x8x5xf32>, tensor<1x4xf32>) -> tensor<2x4x5xf32> {
      ^bb0(%x: f32, %y: f32):
        %1 = arith.mulf %x, %y : f32
        cascade.yield %1 : f32
      }
      // CHECK: cascade.einsum "LM"[H, P] = max(%[[QK]][H, P, N]) group "G" attributes {note = 1 : i64} :
      %lm = cascade.einsum "LM"[H, P] = max(%qk[H, P, N]) group "G" attributes {note = 1 : i64} : (tensor<2x4x5xf32>) -> tensor<2x4xf32> {
      ^bb0(%x: f32):
        cascade.yield %x : f32
      }
      // CHECK: cascade.einsum "RM"[H, P] = map(%[[RM]][H, P], %{{.*}}[H, P]) group "G" :
      %next = cascade.einsum "RM"[H, P] = map(%running[H, P], %lm[H, P]) group "G" : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
      ^bb0(%x: f32, %y: f32):
        %1 = arith.maximumf %x, %y : f32
        cascade.yield %1 : f32
      }
      cascade.yield %next : tensor<2x4xf32>
    }
    cascade.yield %rm : tensor<2x4xf32>
  }
  return %0 : tensor<2x4xf32>
}

// A scalar operand, names that are no identifiers, a size that is not known.
// CHECK-LABEL: func @corners
// CHECK: cascade.einsum "a b"["the rank", q] = map(%{{.*}}["the rank", q], %{{.*}}[]) :
func.func @corners(%x: tensor<?x3xf32>, %s: f32) -> tensor<?x3xf32> {
  %0 = cascade.einsum "a b"["the rank", q] = map(%x["the rank", q], %s[]) : (tensor<?x3xf32>, f32) -> tensor<?x3xf32> {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.mulf %a, %b : f32
    cascade.yield %1 : f32
  }
  return %0 : tensor<?x3xf32>
}
