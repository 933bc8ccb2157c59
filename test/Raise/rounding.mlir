// RUN: ff-opt %s --ff-raise | FileCheck %s
// RUN: ff-opt %s --ff-raise=rounding=strict --remarks-filter=ff-raise 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not ff-opt %s --ff-raise=rounding=sloppy 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: ff-run %s --entry=bias_in_f16 --rounding=strict --verify | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: result 0: 4x6xf16 fused {{.*}} roundings={{.*}} missing={{.*}} ok
// BAD: error: ff-raise: rounding is 'relaxed' or 'strict', not 'sloppy'

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// f32 throughout: nothing to honour.
// CHECK-LABEL: func.func @all_f32
// CHECK: ff.norm_linear
// STRICT: [Passed] norm_linear | Category:ff-raise | Function=all_f32
func.func @all_f32(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
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
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// The normalised tensor is rounded to bf16 in front of the Linear.
// CHECK-LABEL: func.func @rounded
// CHECK: ff.norm_linear rms_norm{{.*}} : (tensor<4x8xf32>, tensor<8x6xbf16>) -> tensor<4x6xf32>
// STRICT: [Missed] declined | Category:ff-raise | Function=rounded | {{.*}}reason=rounding
func.func @rounded(%x: tensor<4x8xf32>, %w: tensor<8x6xbf16>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
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
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e16 = tensor.empty() : tensor<4x8xbf16>
  %h16 = linalg.copy ins(%h : tensor<4x8xf32>) outs(%e16 : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h16, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// The Linear is rounded before its bias is added: strict keeps the addition.
// CHECK-LABEL: func.func @bias_in_f16
// CHECK: ff.norm_linear {{.*}} biases
// STRICT: [Passed] norm_linear | Category:ff-raise | Function=bias_in_f16
// STRICT: ff.norm_linear
// STRICT: func.func @bias_in_f16
// STRICT-NOT: biases
// STRICT: arith.addf
func.func @bias_in_f16(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %bias: tensor<6xf16>) -> tensor<4x6xf16> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
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
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %ey = tensor.empty() : tensor<4x6xf16>
  %yb = linalg.generic {indexing_maps = [#mk, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%y, %bias : tensor<4x6xf32>, tensor<6xf16>) outs(%ey : tensor<4x6xf16>) {
  ^bb0(%in: f32, %c: f16, %out: f16):
    %a = arith.truncf %in : f32 to f16
    %r = arith.addf %a, %c : f16
    linalg.yield %r : f16
  } -> tensor<4x6xf16>
  return %yb : tensor<4x6xf16>
}
