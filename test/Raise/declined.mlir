// RUN: ff-opt %s --ff-raise --remarks-filter=ff-raise --split-input-file 2>&1 | FileCheck %s
// RUN: ff-opt %s --split-input-file -o %t.in && ff-opt %s --ff-raise --split-input-file -o %t.out && cmp %t.in %t.out
// One function per reason to decline. Nothing changes.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The sum of squares is divided by 9.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=divisor | {{.*}}reason=divisor-not-k{{$}}
func.func @divisor(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 9.0 : f32
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

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Statistics of another tensor.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=other_tensor | {{.*}}reason=other-statistics{{$}}
func.func @other_tensor(%x: tensor<4x8xf32>, %u: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%u : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
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

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Statistics of a column.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=other_axis | {{.*}}reason=other-axis{{$}}
func.func @other_axis(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#mk, #k], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<8xf32>) outs(%e2 : tensor<4x8xf32>) {
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

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// A maximum, not a sum.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=max_norm | {{.*}}reason=reduction-not-sum{{$}}
func.func @max_norm(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = math.absf %in : f32
    %r = arith.maximumf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %c = arith.divf %in, %sum : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// An L1 norm.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=l1_norm | {{.*}}reason=unknown-scale{{$}}
func.func @l1_norm(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = math.absf %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %c = arith.divf %in, %sum : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Twice an RMSNorm.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=scaled | {{.*}}reason=scaled{{$}}
func.func @scaled(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %b2 = arith.addf %b, %b : f32
    %c = arith.mulf %in, %b2 : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The row is squared before it is scaled.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=squared | {{.*}}reason=not-affine{{$}}
func.func @squared(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %i2 = arith.mulf %in, %in : f32
    %c = arith.mulf %i2, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// A gain per row and element.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=row_gain | {{.*}}reason=not-affine{{$}}
func.func @row_gain(%x: tensor<4x8xf32>, %g: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %g : tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %gain: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %d = arith.mulf %in, %b : f32
    %c = arith.mulf %d, %gain : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The mean is subtracted, but the scale is that of an RMSNorm.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=centered | {{.*}}reason=center-mismatch{{$}}
func.func @centered(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %t = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %t : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %total: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %mu = arith.divf %total, %count : f32
    %d = arith.subf %in, %mu : f32
    %c = arith.mulf %d, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Something else than the mean is subtracted.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=half_mean | {{.*}}reason=other-center{{$}}
func.func @half_mean(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %t = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %t : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %total: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %d = arith.subf %in, %total : f32
    %c = arith.mulf %d, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The accumulator of the statistic was never written.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=empty_statistic | {{.*}}reason=uninitialized-accumulator{{$}}
func.func @empty_statistic(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%e1 : tensor<4xf32>) {
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

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Nor that of the contraction.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=empty_accumulator | {{.*}}reason=uninitialized-accumulator{{$}}
func.func @empty_accumulator(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The contraction adds to a matrix.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=added | {{.*}}reason=accumulator-not-zero{{$}}
func.func @added(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %z3: tensor<4x6xf32>) -> tensor<4x6xf32> {
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
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The rows of the normalized tensor are contracted.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=rows_contracted | {{.*}}reason=other-axis{{$}}
func.func @rows_contracted(%x: tensor<4x8xf32>, %w: tensor<6x4xf32>) -> tensor<6x8xf32> {
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
  %e3 = tensor.empty() : tensor<6x8xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %y = linalg.matmul ins(%w, %h : tensor<6x4xf32>, tensor<4x8xf32>) outs(%z3 : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Every row has a weight of its own.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=batched_weight | {{.*}}reason=weight-form{{$}}
func.func @batched_weight(%x: tensor<4x8xf32>, %w: tensor<4x8x6xf32>) -> tensor<4x6xf32> {
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
  %y = linalg.batch_vecmat ins(%h, %w : tensor<4x8xf32>, tensor<4x8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The normalized dimension has no static extent.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=dynamic | {{.*}}reason=dynamic-k{{$}}
func.func @dynamic(%x: tensor<4x?xf32>, %w: tensor<?x6xf32>, %d: index) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty(%d) : tensor<4x?xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x?xf32>, tensor<4xf32>) outs(%e2 : tensor<4x?xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x?xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x?xf32>, tensor<?x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>
#bgk = affine_map<(b, g, k) -> (b, g, k)>
#bg = affine_map<(b, g, k) -> (b, g)>

// A group norm: statistics of a part of the row.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=group_norm | {{.*}}reason=other-axis{{$}}
func.func @group_norm(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 4.0 : f32
  %e1 = tensor.empty() : tensor<4x2xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x2xf32>) -> tensor<4x2xf32>
  %xg = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  %s = linalg.generic {indexing_maps = [#bgk, #bg], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%xg : tensor<4x2x4xf32>) outs(%z1 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<4x2xf32>
  %e2 = tensor.empty() : tensor<4x2x4xf32>
  %hg = linalg.generic {indexing_maps = [#bgk, #bg, #bgk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%xg, %s : tensor<4x2x4xf32>, tensor<4x2xf32>) outs(%e2 : tensor<4x2x4xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = math.rsqrt %a : f32
    %c = arith.mulf %in, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x2x4xf32>
  %h = tensor.collapse_shape %hg [[0], [1, 2]] : tensor<4x2x4xf32> into tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// CHECK: remark: [Missed] declined | Category:ff-raise | Function=softmax | {{.*}}reason=unknown-scale{{$}}
func.func @softmax(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %z2 = linalg.fill ins(%low : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%z2 : tensor<4xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %top: f32, %out: f32):
    %a = arith.subf %in, %top : f32
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<4x8xf32>
  %s = linalg.reduce { arith.addf } ins(%d : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%d, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %in, %sum : f32
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Every row is divided by the statistics of the first one.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=first_row | {{.*}}reason=unknown-scale{{$}}
func.func @first_row(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
  %first = tensor.extract_slice %s[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#mk, affine_map<(m, k) -> (0)>, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %first : tensor<4x8xf32>, tensor<1xf32>) outs(%e2 : tensor<4x8xf32>) {
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

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// Row m is divided by the statistics of row 3 - m.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=reversed_rows | {{.*}}reason=unsupported-access{{$}}
func.func @reversed_rows(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
  %h = linalg.generic {indexing_maps = [#mk, affine_map<(m, k) -> (3 - m)>, #mk], iterator_types = ["parallel", "parallel"]}
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

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

func.func private @log(f32) -> f32

// Something is called between the norm and the contraction.
// CHECK: remark: [Missed] declined | Category:ff-raise | Function=side_effect | {{.*}}reason=unsupported-op{{$}}
func.func @side_effect(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %l = func.call @log(%b) : (f32) -> f32
    %c = arith.mulf %in, %l : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
