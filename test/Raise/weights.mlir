// RUN: ff-opt %s --ff-raise | FileCheck %s
// Weights and gains that are no arguments: constants, resources, globals.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

ml_program.global private @weight(dense<0.5> : tensor<8x8xf32>) : tensor<8x8xf32>
ml_program.global private mutable @trained : tensor<8x8xf32>

// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[SPLAT:.*]] = arith.constant dense<2.500000e-01> : tensor<8x8xf32>
// CHECK-DAG: %[[BLOB:.*]] = arith.constant dense_resource<blob> : tensor<8x2xf32>
// CHECK: ff.norm_linear rms_norm(%arg0) weights(%[[SPLAT]], %[[BLOB]])
func.func @constants(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<0.25> : tensor<8x8xf32>
  %v = arith.constant dense_resource<blob> : tensor<8x2xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x2xf32>
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y2 = linalg.matmul ins(%h, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%z2 : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y, %y2 : tensor<4x8xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @globals
// CHECK-DAG: %[[CONST:.*]] = ml_program.global_load_const @weight
// CHECK-DAG: %[[LOAD:.*]] = ml_program.global_load @trained
// CHECK: ff.norm_linear rms_norm(%arg0) weights(%[[CONST]], %[[LOAD]])
func.func @globals(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %w = ml_program.global_load_const @weight : tensor<8x8xf32>
  %v = ml_program.global_load @trained : tensor<8x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y2 = linalg.matmul ins(%h, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y, %y2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// What is stored in between does not move: the second weight is the new one, the Linears stay apart.
// CHECK-LABEL: func.func @stored
// CHECK: %[[OLD:.*]] = ml_program.global_load @trained
// CHECK: ff.norm_linear rms_norm(%arg0) weights(%[[OLD]])
// CHECK: ml_program.global_store @trained
// CHECK: %[[NEW:.*]] = ml_program.global_load @trained
// CHECK: ff.norm_linear rms_norm(%arg0) weights(%[[NEW]])
func.func @stored(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %w = ml_program.global_load @trained : tensor<8x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %twice = linalg.add ins(%y, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %square = tensor.concat dim(0) %twice, %twice : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  ml_program.global_store @trained = %square : tensor<8x8xf32>
  %v = ml_program.global_load @trained : tensor<8x8xf32>
  %y2 = linalg.matmul ins(%h, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y, %y2 : tensor<4x8xf32>, tensor<4x8xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"
    }
  }
#-}
