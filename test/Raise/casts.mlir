// RUN: ff-opt %s --ff-raise=plain-linears --remarks-filter=ff-raise 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: ff-opt %s --ff-raise='plain-linears rounding=strict' --remarks-filter=ff-raise 2>%t.remarks | FileCheck %s --check-prefix=STRICT
// RUN: FileCheck %s --check-prefix=STRICT-REMARK < %t.remarks
// A rounding to 16 bits may be skipped (rounding=relaxed), fewer bits or another direction never.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>
#mnk_mk = affine_map<(m, n, k) -> (m, k)>
#mnk_kn = affine_map<(m, n, k) -> (k, n)>
#mnk_mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @product_f8
// CHECK-NOT: ff.
// CHECK: arith.truncf {{.*}} f32 to f8E4M3FN
// REMARK: [Missed] declined | Category:ff-raise | Function=product_f8 | {{.*}}reason=quantization
// STRICT-REMARK: [Missed] declined | Category:ff-raise | Function=product_f8 | {{.*}}reason=quantization
func.func @product_f8(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
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
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#mnk_mk, #mnk_kn, #mnk_mn],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %p = arith.mulf %in, %v : f32
    %t1 = arith.truncf %p : f32 to f8E4M3FN
    %t2 = arith.extf %t1 : f8E4M3FN to f32
    %r = arith.addf %out, %t2 : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @product_bf16
// CHECK-NOT: linalg
// CHECK: ff.norm_linear
// REMARK: [Passed] norm_linear | Category:ff-raise | Function=product_bf16
// STRICT-REMARK: [Missed] declined | Category:ff-raise | Function=product_bf16 | {{.*}}reason=rounding
func.func @product_bf16(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
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
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#mnk_mk, #mnk_kn, #mnk_mn],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %p = arith.mulf %in, %v : f32
    %t1 = arith.truncf %p : f32 to bf16
    %t2 = arith.extf %t1 : bf16 to f32
    %r = arith.addf %out, %t2 : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @operand_toward_zero
// CHECK-NOT: ff.
// CHECK: arith.truncf {{.*}} toward_zero
// REMARK: [Missed] declined | Category:ff-raise | Function=operand_toward_zero | {{.*}}reason=quantization
func.func @operand_toward_zero(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
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
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#mnk_mk, #mnk_kn, #mnk_mn],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %t1 = arith.truncf %in toward_zero : f32 to bf16
    %t2 = arith.extf %t1 : bf16 to f32
    %p = arith.mulf %t2, %v : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// The norm and its Linear are one, the quantisation stays behind them.
// CHECK-LABEL: func.func @epilogue_f8
// CHECK: ff.norm_linear
// CHECK: arith.truncf {{.*}} f32 to f8E5M2
func.func @epilogue_f8(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %bias: tensor<6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
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
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %ey = tensor.empty() : tensor<4x6xf32>
  %t = linalg.generic {indexing_maps = [#mk, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%y, %bias : tensor<4x6xf32>, tensor<6xf32>) outs(%ey : tensor<4x6xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %t1 = arith.truncf %in : f32 to f8E5M2
    %t2 = arith.extf %t1 : f8E5M2 to f32
    %r = arith.addf %t2, %v : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %t : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @epilogue_bf16
// CHECK-NOT: arith.truncf
// CHECK: ff.norm_linear
// CHECK-NOT: arith.truncf
// CHECK: return
// STRICT-LABEL: func.func @epilogue_bf16
// STRICT: ff.norm_linear
// STRICT: arith.truncf {{.*}} f32 to bf16
func.func @epilogue_bf16(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
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
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %ey = tensor.empty() : tensor<4x6xf32>
  %t = linalg.generic {indexing_maps = [#mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x6xf32>) outs(%ey : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t1 = arith.truncf %in : f32 to bf16
    %r = arith.extf %t1 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %t : tensor<4x6xf32>
}

// The last rounding is the result's: strict honours it, and so does the op.
// STRICT-LABEL: func.func @result_bf16
// STRICT: ff.norm_linear {{.*}} -> tensor<4x6xbf16>
// STRICT-NOT: arith.truncf
// STRICT: return
func.func @result_bf16(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xbf16> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
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
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %ey = tensor.empty() : tensor<4x6xbf16>
  %t = linalg.generic {indexing_maps = [#mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x6xf32>) outs(%ey : tensor<4x6xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x6xbf16>
  return %t : tensor<4x6xbf16>
}

// CHECK-LABEL: func.func @result_toward_zero
// CHECK: ff.norm_linear {{.*}} -> tensor<4x6xf32>
// CHECK: arith.truncf {{.*}} toward_zero
func.func @result_toward_zero(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xbf16> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
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
    %b = arith.addf %a, %eps : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %ey = tensor.empty() : tensor<4x6xbf16>
  %t = linalg.generic {indexing_maps = [#mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x6xf32>) outs(%ey : tensor<4x6xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in toward_zero : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x6xbf16>
  return %t : tensor<4x6xbf16>
}

// CHECK-LABEL: func.func @plain_f8
// CHECK-NOT: ff.
// CHECK: arith.truncf {{.*}} f32 to f8E4M3FN
func.func @plain_f8(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %y = linalg.generic {indexing_maps = [#mnk_mk, #mnk_kn, #mnk_mn],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %p = arith.mulf %in, %v : f32
    %t1 = arith.truncf %p : f32 to f8E4M3FN
    %t2 = arith.extf %t1 : f8E4M3FN to f32
    %r = arith.addf %out, %t2 : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @plain_bf16
// CHECK-NOT: linalg
// CHECK: ff.online
// STRICT-LABEL: func.func @plain_bf16
// STRICT-NOT: ff.online
// STRICT: arith.truncf {{.*}} f32 to bf16
func.func @plain_bf16(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %y = linalg.generic {indexing_maps = [#mnk_mk, #mnk_kn, #mnk_mn],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %p = arith.mulf %in, %v : f32
    %t1 = arith.truncf %p : f32 to bf16
    %t2 = arith.extf %t1 : bf16 to f32
    %r = arith.addf %out, %t2 : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @plain_result_toward_zero
// CHECK: ff.online
// CHECK: linalg.generic
// CHECK: arith.truncf {{.*}} toward_zero
func.func @plain_result_toward_zero(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xbf16> {
  %z2 = arith.constant dense<0.0> : tensor<4x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %ey = tensor.empty() : tensor<4x6xbf16>
  %t = linalg.generic {indexing_maps = [#mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x6xf32>) outs(%ey : tensor<4x6xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in toward_zero : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x6xbf16>
  return %t : tensor<4x6xbf16>
}
