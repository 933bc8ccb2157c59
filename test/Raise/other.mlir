// RUN: ff-opt %s --ff-raise=others --remarks-filter=ff-raise 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: ff-opt %s -o %t.in && ff-opt %s --ff-raise -o %t.out && cmp %t.in %t.out
// RUN: ff-run %s --entry=twice_over_deviation --others --verify --expect-fused=1 | FileCheck %s --check-prefix=RESULT
// RUN: ff-run %s --entry=sample_variance --others --verify --expect-fused=1 --rows=hard | FileCheck %s --check-prefix=RESULT
// RUN: ff-run %s --entry=uncentred --others --verify --expect-fused=1 | FileCheck %s --check-prefix=RESULT
// RUN: ff-run %s --entry=half_centred --others --verify --expect-fused=1 | FileCheck %s --check-prefix=RESULT
// RUN: ff-run %s --entry=length --others --verify --expect-fused=1 --rows=hard | FileCheck %s --check-prefix=RESULT
// RESULT: result 0: {{.* fused .* ok}}
// Norms that have no name, on demand.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// 2 (x - mean) / sqrt(var + eps), two-pass.
// CHECK-LABEL: func @twice_over_deviation
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<5x72xf32>
// CHECK: ff.online(%[[X]]) weights
// CHECK-SAME: statistics = [#ff.statistic<variance>, #ff.statistic<mean>]
// CHECK: ^bb0(%[[V:.*]]: f32, %[[M:.*]]: f32):
// CHECK: %[[R:.*]] = math.rsqrt
// CHECK: %[[S:.*]] = arith.mulf %[[R]], %{{.*}} : f32
// CHECK: ff.yield %[[S]], %[[M]] : f32, f32
// CHECK-NOT: linalg
// CHECK: return
// REMARK: [Passed] norm_linear | Category:ff-raise | Function=twice_over_deviation | {{.*}}kind=other
func.func @twice_over_deviation(%x: tensor<5x72xf32>, %w: tensor<72x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 72.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<5x72xf32>
  %v = tensor.empty() : tensor<5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%v : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x72xf32>) outs(%i : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<5xf32>
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<5x72xf32>, tensor<5xf32>) outs(%e : tensor<5x72xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %mean = arith.divf %b, %n : f32
    %c = arith.subf %a, %mean : f32
    linalg.yield %c : f32
  } -> tensor<5x72xf32>
  %q = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<5x72xf32>) outs(%i : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %c = arith.addf %p, %b : f32
    linalg.yield %c : f32
  } -> tensor<5xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%d, %q : tensor<5x72xf32>, tensor<5xf32>) outs(%e : tensor<5x72xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %var = arith.divf %b, %n : f32
    %c = arith.addf %var, %eps : f32
    %r = math.sqrt %c : f32
    %t = arith.divf %two, %r : f32
    %y = arith.mulf %a, %t : f32
    linalg.yield %y : f32
  } -> tensor<5x72xf32>
  %o = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<5x72xf32>, tensor<72x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// The unbiased variance, K - 1 below; one pass; a gain; eps from outside.
// CHECK-LABEL: func @sample_variance
// CHECK: ff.online({{.*}} gain({{.*}} scalars(
// CHECK-SAME: statistics = [#ff.statistic<variance>, #ff.statistic<mean>]
// CHECK: arith.constant 1.01408446 : f32
// REMARK: [Passed] norm_linear | Category:ff-raise | Function=sample_variance | {{.*}}kind=other
func.func @sample_variance(%x: tensor<5x72xbf16>, %g: tensor<72xf32>, %w: tensor<72x6xbf16>, %eps: f32) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 72.0 : f32
  %less = arith.constant 71.0 : f32
  %e = tensor.empty() : tensor<5x72xbf16>
  %f = tensor.empty() : tensor<5x72xf32>
  %v = tensor.empty() : tensor<5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%v : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x72xbf16>) outs(%i : tensor<5xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %a32 = arith.extf %a : bf16 to f32
    %c = arith.addf %a32, %b : f32
    linalg.yield %c : f32
  } -> tensor<5xf32>
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<5x72xbf16>, tensor<5xf32>) outs(%f : tensor<5x72xf32>) {
  ^bb0(%a: bf16, %b: f32, %out: f32):
    %a32 = arith.extf %a : bf16 to f32
    %mean = arith.divf %b, %n : f32
    %c = arith.subf %a32, %mean : f32
    linalg.yield %c : f32
  } -> tensor<5x72xf32>
  %q = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<5x72xf32>) outs(%i : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %c = arith.addf %p, %b : f32
    linalg.yield %c : f32
  } -> tensor<5xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%d, %q, %g : tensor<5x72xf32>, tensor<5xf32>, tensor<72xf32>) outs(%e : tensor<5x72xbf16>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: bf16):
    %var = arith.divf %b, %less : f32
    %t = arith.addf %var, %eps : f32
    %r = math.rsqrt %t : f32
    %u = arith.mulf %a, %r : f32
    %y = arith.mulf %u, %c : f32
    %y16 = arith.truncf %y : f32 to bf16
    linalg.yield %y16 : bf16
  } -> tensor<5x72xbf16>
  %o = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<5x72xbf16>, tensor<72x6xbf16>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// Divided by the deviation, but not centred.
// CHECK-LABEL: func @uncentred
// CHECK: ff.online
// CHECK-SAME: statistics = [#ff.statistic<variance>]
// CHECK: ff.yield %{{.*}} : f32
// CHECK-NEXT: } finalize
// REMARK: [Passed] norm_linear | Category:ff-raise | Function=uncentred | {{.*}}kind=other
func.func @uncentred(%x: tensor<5x72xf32>, %w: tensor<72x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 72.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<5x72xf32>
  %v = tensor.empty() : tensor<5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%v : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x72xf32>) outs(%i : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<5xf32>
  %q = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x, %s : tensor<5x72xf32>, tensor<5xf32>) outs(%i : tensor<5xf32>) {
  ^bb0(%a: f32, %t: f32, %b: f32):
    %mean = arith.divf %t, %n : f32
    %d = arith.subf %a, %mean : f32
    %p = arith.mulf %d, %d : f32
    %c = arith.addf %p, %b : f32
    linalg.yield %c : f32
  } -> tensor<5xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %q : tensor<5x72xf32>, tensor<5xf32>) outs(%e : tensor<5x72xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %var = arith.divf %b, %n : f32
    %c = arith.addf %var, %eps : f32
    %r = math.rsqrt %c : f32
    %y = arith.mulf %a, %r : f32
    linalg.yield %y : f32
  } -> tensor<5x72xf32>
  %o = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<5x72xf32>, tensor<72x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// Half of the mean is subtracted; the mean square of all of it.
// CHECK-LABEL: func @half_centred
// CHECK: ff.online
// CHECK-SAME: statistics = [#ff.statistic<mean_square>, #ff.statistic<mean>]
// CHECK: arith.constant 5.000000e-01 : f32
// REMARK: [Passed] norm_linear | Category:ff-raise | Function=half_centred | {{.*}}kind=other
func.func @half_centred(%x: tensor<5x72xf32>, %w: tensor<72x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 144.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<5x72xf32>
  %v = tensor.empty() : tensor<5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%v : tensor<5xf32>) -> tensor<5xf32>
  %s:2 = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x72xf32>) outs(%i, %i : tensor<5xf32>, tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %q: f32):
    %c = arith.addf %a, %b : f32
    %p = arith.mulf %a, %a : f32
    %d = arith.addf %p, %q : f32
    linalg.yield %c, %d : f32, f32
  } -> (tensor<5xf32>, tensor<5xf32>)
  %h = linalg.generic {indexing_maps = [#mk, #m, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s#0, %s#1 : tensor<5x72xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5x72xf32>) {
  ^bb0(%a: f32, %t: f32, %b: f32, %out: f32):
    %half = arith.divf %t, %n : f32
    %square = arith.divf %b, %n : f32
    %c = arith.addf %square, %eps : f32
    %r = math.rsqrt %c : f32
    %d = arith.subf %a, %half : f32
    %y = arith.mulf %d, %r : f32
    linalg.yield %y : f32
  } -> tensor<5x72xf32>
  %o = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<5x72xf32>, tensor<72x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// sqrt(K) x / max(|x|, eps): how some models spell an RMSNorm.
// CHECK-LABEL: func @length
// CHECK: ff.online
// CHECK-SAME: statistics = [#ff.statistic<sum_square>]
// CHECK: arith.maximumf
// CHECK: arith.divf
// REMARK: [Passed] norm_linear | Category:ff-raise | Function=length | {{.*}}kind=other
func.func @length(%x: tensor<5x72xf32>, %w: tensor<72x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %root = arith.constant 8.48528137 : f32
  %eps = arith.constant 1.0e-12 : f32
  %e = tensor.empty() : tensor<5x72xf32>
  %v = tensor.empty() : tensor<5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%v : tensor<5xf32>) -> tensor<5xf32>
  %q = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x72xf32>) outs(%i : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %c = arith.addf %p, %b : f32
    linalg.yield %c : f32
  } -> tensor<5xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %q : tensor<5x72xf32>, tensor<5xf32>) outs(%e : tensor<5x72xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %l = math.sqrt %b : f32
    %c = arith.maximumf %l, %eps : f32
    %d = arith.divf %a, %c : f32
    %y = arith.mulf %d, %root : f32
    linalg.yield %y : f32
  } -> tensor<5x72xf32>
  %o = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<5x72xf32>, tensor<72x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// A difference that may vanish, or change its sign: left alone.
// CHECK-LABEL: func @difference
// CHECK-NOT: ff.online
// REMARK: [Missed] declined | Category:ff-raise | Function=difference
func.func @difference(%x: tensor<5x72xf32>, %w: tensor<72x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 72.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<5x72xf32>
  %v = tensor.empty() : tensor<5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%v : tensor<5xf32>) -> tensor<5xf32>
  %s:2 = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x72xf32>) outs(%i, %i : tensor<5xf32>, tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %q: f32):
    %c = arith.addf %a, %b : f32
    %p = arith.mulf %a, %a : f32
    %d = arith.addf %p, %q : f32
    linalg.yield %c, %d : f32, f32
  } -> (tensor<5xf32>, tensor<5xf32>)
  %h = linalg.generic {indexing_maps = [#mk, #m, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s#0, %s#1 : tensor<5x72xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5x72xf32>) {
  ^bb0(%a: f32, %t: f32, %b: f32, %out: f32):
    %mean = arith.divf %t, %n : f32
    %square = arith.divf %b, %n : f32
    %product = arith.mulf %mean, %mean : f32
    %twice = arith.mulf %product, %two : f32
    %c = arith.subf %square, %twice : f32
    %r = math.rsqrt %c : f32
    %y = arith.mulf %a, %r : f32
    linalg.yield %y : f32
  } -> tensor<5x72xf32>
  %o = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<5x72xf32>, tensor<72x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}
