// RUN: ff-opt %s --ff-promote-to-f64 --split-input-file --verify-diagnostics | FileCheck %s
// RUN: ff-opt %s --ff-promote-to-f64=keep-roundings --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=KEEP

// Arguments keep their types, casts of activations go, constants keep the value
// that their type gave them.
// CHECK-LABEL: func.func @relaxed
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xbf16>, %[[S:.*]]: f32) -> tensor<4x8xf64>
func.func @relaxed(%x: tensor<4x8xbf16>, %s: f32) -> tensor<4x8xbf16> {
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4x8xf64>)
  // CHECK: arith.extf %{{.*}} : bf16 to f64
  // CHECK: %[[SW:.*]] = arith.extf %[[S]] : f32 to f64
  // CHECK: arith.constant 0.100000001{{[0-9]*}} : f64
  %c = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<4x8xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    // CHECK: arith.addf %{{.*}}, %[[SW]] : f64
    // CHECK-NEXT: arith.mulf %{{.*}} : f64
    // CHECK-NEXT: linalg.yield
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.addf %1, %s : f32
    %3 = arith.mulf %2, %c : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// -----

// A rounding goes unless it is asked for; fewer bits or another direction stay.
// CHECK-LABEL: func.func @roundings
// KEEP-LABEL: func.func @roundings
func.func @roundings(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    // CHECK-NOT: f64 to bf16
    // CHECK: arith.truncf %{{.*}} : f64 to f8E5M2
    // CHECK: arith.truncf %{{.*}} toward_zero : f64 to f16
    // KEEP: arith.truncf %{{.*}} : f64 to bf16
    // KEEP: arith.truncf %{{.*}} : f64 to f8E5M2
    %1 = arith.truncf %a : f32 to bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.truncf %3 : f32 to f8E5M2
    %5 = arith.extf %4 : f8E5M2 to f32
    %6 = arith.mulf %5, %5 : f32
    %7 = arith.truncf %6 toward_zero : f32 to f16
    %8 = arith.extf %7 : f16 to f32
    linalg.yield %8 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// The cast of a weight rounds, and so does an eps that the program keeps in f16.
// CHECK-LABEL: func.func @weights
func.func @weights(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %eps = arith.constant 1.0e-6 : f32
  // CHECK: %[[EPS:.*]] = arith.truncf %{{.*}} : f64 to f16
  // CHECK: arith.extf %[[EPS]] : f16 to f64
  %small = arith.truncf %eps : f32 to f16
  %eps2 = arith.extf %small : f16 to f32
  %e = tensor.empty() : tensor<8x6xbf16>
  // CHECK: arith.truncf %{{.*}} : f64 to bf16
  // CHECK: arith.extf %{{.*}} : bf16 to f64
  %wb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x6xf32>) outs(%e : tensor<8x6xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %1 = arith.truncf %a : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<8x6xbf16>
  %f = tensor.empty() : tensor<4x6xf32>
  %i = linalg.fill ins(%eps2 : f32) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf64>, tensor<8x6xf64>) outs(%{{.*}} : tensor<4x6xf64>)
  %r = linalg.matmul ins(%x, %wb : tensor<4x8xf32>, tensor<8x6xbf16>) outs(%i : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

// A tensor that is returned and used further is rounded for the further use.
// CHECK-LABEL: func.func @residual
func.func @residual(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>, %w: tensor<8x6xf16>)
    -> (tensor<4x8xf16>, tensor<4x6xf32>) {
  %e = tensor.empty() : tensor<4x8xf16>
  // CHECK: %[[SUM:.*]] = linalg.add
  // CHECK: %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xf64>)
  // CHECK: arith.truncf %{{.*}} : f64 to f16
  // CHECK: arith.extf
  // CHECK: linalg.matmul ins(%[[ROUNDED]],
  // CHECK: return %[[SUM]],
  %s = linalg.add ins(%x, %y : tensor<4x8xf16>, tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %f = tensor.empty() : tensor<4x6xf32>
  %r = linalg.matmul ins(%s, %w : tensor<4x8xf16>, tensor<8x6xf16>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %s, %r : tensor<4x8xf16>, tensor<4x6xf32>
}

// -----

func.func @bits(%x: f32) -> i32 {
  // expected-error @+1 {{cannot be evaluated in f64: it depends on the type of its floats}}
  %0 = arith.bitcast %x : f32 to i32
  return %0 : i32
}

// -----

func.func private @external(f32) -> f32
func.func @calls(%x: f32) -> f32 {
  // expected-error @+1 {{cannot be evaluated in f64: it depends on the type of its floats}}
  %0 = call @external(%x) : (f32) -> f32
  return %0 : f32
}

// -----

func.func @fused(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>) -> tensor<4x6xf32> {
  // expected-error @+1 {{cannot be evaluated in f64: expand it first (ff-expand-online)}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @wide(%x: f128) -> f128 {
  // expected-error @+1 {{cannot be evaluated in f64: it has a value of type 'f128'}}
  %0 = arith.negf %x : f128
  return %0 : f128
}

// -----

ml_program.global private mutable @trained(dense<1.0> : tensor<8xf32>) : tensor<8xf32>
func.func @global() -> tensor<8xf32> {
  // expected-error @+1 {{cannot be evaluated in f64: it depends on the type of its floats}}
  %0 = ml_program.global_load @trained : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @vector
// CHECK-SAME: (%[[X:.*]]: vector<8xbf16>) -> vector<8xf64>
// CHECK: %[[W:.*]] = arith.extf %[[X]] : vector<8xbf16> to vector<8xf64>
// CHECK: arith.negf %[[W]] : vector<8xf64>
func.func @vector(%x: vector<8xbf16>) -> vector<8xbf16> {
  %0 = arith.negf %x : vector<8xbf16>
  return %0 : vector<8xbf16>
}

// -----

#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @encoded(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16>, %o: tensor<4x6xbf16, #csr>) -> tensor<4x6xbf16, #csr> {
  // expected-error @+1 {{cannot be evaluated in f64: it has a value of type 'tensor<4x6xbf16, #sparse_tensor.encoding}}
  %r = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%o : tensor<4x6xbf16, #csr>) -> tensor<4x6xbf16, #csr>
  return %r : tensor<4x6xbf16, #csr>
}
