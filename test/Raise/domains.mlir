// RUN: ff-opt %s --ff-raise=others --remarks-filter=ff-raise -o /dev/null 2>&1 | FileCheck %s
// What may be undefined does not disappear: the root of what may be negative, the quotient by what may be 0.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>
#mnk_mk = affine_map<(m, n, k) -> (m, k)>
#mnk_kn = affine_map<(m, n, k) -> (k, n)>
#mnk_mn = affine_map<(m, n, k) -> (m, n)>

// sqrt(x)^2 is NaN where x is negative.
// CHECK: [Missed] declined | Category:ff-raise | Function=root_of_x | {{.*}}reason=not-a-norm
func.func @root_of_x(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %q = math.sqrt %in : f32
    %v = arith.mulf %q, %q : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %v, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// mean(x^2) + eps is positive.
// CHECK: [Passed] norm_linear | Category:ff-raise | Function=root_of_statistic | {{.*}}kind=rms_norm
func.func @root_of_statistic(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %q = math.sqrt %b : f32
    %v = arith.mulf %q, %q : f32
    %r = math.rsqrt %v : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// x^3 / x^2 is NaN where x is 0.
// CHECK: [Missed] declined | Category:ff-raise | Function=cube_by_square | {{.*}}reason=not-a-norm
func.func @cube_by_square(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %q = arith.mulf %in, %in : f32
    %p = arith.mulf %q, %in : f32
    %v = arith.divf %p, %q : f32
    %r = math.rsqrt %b : f32
    %c = arith.mulf %v, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// sqrt(b) / b = 1 / sqrt(b), sqrt(b) / sqrt(b) = 1.
// CHECK: [Passed] norm_linear | Category:ff-raise | Function=statistic_by_itself | {{.*}}kind=rms_norm
func.func @statistic_by_itself(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %q = math.sqrt %b : f32
    %p = arith.divf %q, %b : f32
    %u = arith.divf %q, %q : f32
    %r = arith.mulf %p, %u : f32
    %c = arith.mulf %in, %r : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// a / a is NaN for a row of zeros: without eps, a may be 0.
// CHECK: [Missed] declined | Category:ff-raise | Function=mean_by_itself | {{.*}}reason=unknown-scale
func.func @mean_by_itself(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %u = arith.divf %a, %a : f32
    %r = math.rsqrt %b : f32
    %p = arith.mulf %r, %u : f32
    %c = arith.mulf %in, %p : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// 1/x - 1/x is NaN where x is 0.
// CHECK: [Missed] declined | Category:ff-raise | Function=difference_of_quotients | {{.*}}reason=not-affine
func.func @difference_of_quotients(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %one = arith.constant 1.0 : f32
    %i = arith.divf %one, %in : f32
    %d = arith.subf %i, %i : f32
    %r = math.rsqrt %b : f32
    %p = arith.mulf %in, %r : f32
    %c = arith.addf %p, %d : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// x - x is 0.
// CHECK: [Passed] norm_linear | Category:ff-raise | Function=difference | {{.*}}kind=rms_norm
func.func @difference(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %d = arith.subf %in, %in : f32
    %r = math.rsqrt %b : f32
    %p = arith.mulf %in, %r : f32
    %c = arith.addf %p, %d : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// a^(2^70): no exponent of a norm, and no 64-bit number.
// CHECK: [Missed] declined | Category:ff-raise | Function=squares | {{.*}}reason=too-large
func.func @squares(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %p0 = arith.mulf %a, %a : f32
    %p1 = arith.mulf %p0, %p0 : f32
    %p2 = arith.mulf %p1, %p1 : f32
    %p3 = arith.mulf %p2, %p2 : f32
    %p4 = arith.mulf %p3, %p3 : f32
    %p5 = arith.mulf %p4, %p4 : f32
    %p6 = arith.mulf %p5, %p5 : f32
    %p7 = arith.mulf %p6, %p6 : f32
    %p8 = arith.mulf %p7, %p7 : f32
    %p9 = arith.mulf %p8, %p8 : f32
    %p10 = arith.mulf %p9, %p9 : f32
    %p11 = arith.mulf %p10, %p10 : f32
    %p12 = arith.mulf %p11, %p11 : f32
    %p13 = arith.mulf %p12, %p12 : f32
    %p14 = arith.mulf %p13, %p13 : f32
    %p15 = arith.mulf %p14, %p14 : f32
    %p16 = arith.mulf %p15, %p15 : f32
    %p17 = arith.mulf %p16, %p16 : f32
    %p18 = arith.mulf %p17, %p17 : f32
    %p19 = arith.mulf %p18, %p18 : f32
    %p20 = arith.mulf %p19, %p19 : f32
    %p21 = arith.mulf %p20, %p20 : f32
    %p22 = arith.mulf %p21, %p21 : f32
    %p23 = arith.mulf %p22, %p22 : f32
    %p24 = arith.mulf %p23, %p23 : f32
    %p25 = arith.mulf %p24, %p24 : f32
    %p26 = arith.mulf %p25, %p25 : f32
    %p27 = arith.mulf %p26, %p26 : f32
    %p28 = arith.mulf %p27, %p27 : f32
    %p29 = arith.mulf %p28, %p28 : f32
    %p30 = arith.mulf %p29, %p29 : f32
    %p31 = arith.mulf %p30, %p30 : f32
    %p32 = arith.mulf %p31, %p31 : f32
    %p33 = arith.mulf %p32, %p32 : f32
    %p34 = arith.mulf %p33, %p33 : f32
    %p35 = arith.mulf %p34, %p34 : f32
    %p36 = arith.mulf %p35, %p35 : f32
    %p37 = arith.mulf %p36, %p36 : f32
    %p38 = arith.mulf %p37, %p37 : f32
    %p39 = arith.mulf %p38, %p38 : f32
    %p40 = arith.mulf %p39, %p39 : f32
    %p41 = arith.mulf %p40, %p40 : f32
    %p42 = arith.mulf %p41, %p41 : f32
    %p43 = arith.mulf %p42, %p42 : f32
    %p44 = arith.mulf %p43, %p43 : f32
    %p45 = arith.mulf %p44, %p44 : f32
    %p46 = arith.mulf %p45, %p45 : f32
    %p47 = arith.mulf %p46, %p46 : f32
    %p48 = arith.mulf %p47, %p47 : f32
    %p49 = arith.mulf %p48, %p48 : f32
    %p50 = arith.mulf %p49, %p49 : f32
    %p51 = arith.mulf %p50, %p50 : f32
    %p52 = arith.mulf %p51, %p51 : f32
    %p53 = arith.mulf %p52, %p52 : f32
    %p54 = arith.mulf %p53, %p53 : f32
    %p55 = arith.mulf %p54, %p54 : f32
    %p56 = arith.mulf %p55, %p55 : f32
    %p57 = arith.mulf %p56, %p56 : f32
    %p58 = arith.mulf %p57, %p57 : f32
    %p59 = arith.mulf %p58, %p58 : f32
    %p60 = arith.mulf %p59, %p59 : f32
    %p61 = arith.mulf %p60, %p60 : f32
    %p62 = arith.mulf %p61, %p61 : f32
    %p63 = arith.mulf %p62, %p62 : f32
    %p64 = arith.mulf %p63, %p63 : f32
    %p65 = arith.mulf %p64, %p64 : f32
    %p66 = arith.mulf %p65, %p65 : f32
    %p67 = arith.mulf %p66, %p66 : f32
    %p68 = arith.mulf %p67, %p67 : f32
    %p69 = arith.mulf %p68, %p68 : f32
    %c = arith.mulf %in, %p69 : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// a^(2^-70)
// CHECK: [Missed] declined | Category:ff-raise | Function=roots | {{.*}}reason=too-large
func.func @roots(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %p0 = math.sqrt %a : f32
    %p1 = math.sqrt %p0 : f32
    %p2 = math.sqrt %p1 : f32
    %p3 = math.sqrt %p2 : f32
    %p4 = math.sqrt %p3 : f32
    %p5 = math.sqrt %p4 : f32
    %p6 = math.sqrt %p5 : f32
    %p7 = math.sqrt %p6 : f32
    %p8 = math.sqrt %p7 : f32
    %p9 = math.sqrt %p8 : f32
    %p10 = math.sqrt %p9 : f32
    %p11 = math.sqrt %p10 : f32
    %p12 = math.sqrt %p11 : f32
    %p13 = math.sqrt %p12 : f32
    %p14 = math.sqrt %p13 : f32
    %p15 = math.sqrt %p14 : f32
    %p16 = math.sqrt %p15 : f32
    %p17 = math.sqrt %p16 : f32
    %p18 = math.sqrt %p17 : f32
    %p19 = math.sqrt %p18 : f32
    %p20 = math.sqrt %p19 : f32
    %p21 = math.sqrt %p20 : f32
    %p22 = math.sqrt %p21 : f32
    %p23 = math.sqrt %p22 : f32
    %p24 = math.sqrt %p23 : f32
    %p25 = math.sqrt %p24 : f32
    %p26 = math.sqrt %p25 : f32
    %p27 = math.sqrt %p26 : f32
    %p28 = math.sqrt %p27 : f32
    %p29 = math.sqrt %p28 : f32
    %p30 = math.sqrt %p29 : f32
    %p31 = math.sqrt %p30 : f32
    %p32 = math.sqrt %p31 : f32
    %p33 = math.sqrt %p32 : f32
    %p34 = math.sqrt %p33 : f32
    %p35 = math.sqrt %p34 : f32
    %p36 = math.sqrt %p35 : f32
    %p37 = math.sqrt %p36 : f32
    %p38 = math.sqrt %p37 : f32
    %p39 = math.sqrt %p38 : f32
    %p40 = math.sqrt %p39 : f32
    %p41 = math.sqrt %p40 : f32
    %p42 = math.sqrt %p41 : f32
    %p43 = math.sqrt %p42 : f32
    %p44 = math.sqrt %p43 : f32
    %p45 = math.sqrt %p44 : f32
    %p46 = math.sqrt %p45 : f32
    %p47 = math.sqrt %p46 : f32
    %p48 = math.sqrt %p47 : f32
    %p49 = math.sqrt %p48 : f32
    %p50 = math.sqrt %p49 : f32
    %p51 = math.sqrt %p50 : f32
    %p52 = math.sqrt %p51 : f32
    %p53 = math.sqrt %p52 : f32
    %p54 = math.sqrt %p53 : f32
    %p55 = math.sqrt %p54 : f32
    %p56 = math.sqrt %p55 : f32
    %p57 = math.sqrt %p56 : f32
    %p58 = math.sqrt %p57 : f32
    %p59 = math.sqrt %p58 : f32
    %p60 = math.sqrt %p59 : f32
    %p61 = math.sqrt %p60 : f32
    %p62 = math.sqrt %p61 : f32
    %p63 = math.sqrt %p62 : f32
    %p64 = math.sqrt %p63 : f32
    %p65 = math.sqrt %p64 : f32
    %p66 = math.sqrt %p65 : f32
    %p67 = math.sqrt %p66 : f32
    %p68 = math.sqrt %p67 : f32
    %p69 = math.sqrt %p68 : f32
    %c = arith.mulf %in, %p69 : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// Exact numbers of 53 * 2^30 bits.
// CHECK: [Missed] declined | Category:ff-raise | Function=scaled_squares | {{.*}}reason=too-large
func.func @scaled_squares(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %f = arith.constant 1.1 : f32
    %q = arith.mulf %f, %f : f32
    %p0 = arith.mulf %q, %q : f32
    %p1 = arith.mulf %p0, %p0 : f32
    %p2 = arith.mulf %p1, %p1 : f32
    %p3 = arith.mulf %p2, %p2 : f32
    %p4 = arith.mulf %p3, %p3 : f32
    %p5 = arith.mulf %p4, %p4 : f32
    %p6 = arith.mulf %p5, %p5 : f32
    %p7 = arith.mulf %p6, %p6 : f32
    %p8 = arith.mulf %p7, %p7 : f32
    %p9 = arith.mulf %p8, %p8 : f32
    %p10 = arith.mulf %p9, %p9 : f32
    %p11 = arith.mulf %p10, %p10 : f32
    %p12 = arith.mulf %p11, %p11 : f32
    %p13 = arith.mulf %p12, %p12 : f32
    %p14 = arith.mulf %p13, %p13 : f32
    %p15 = arith.mulf %p14, %p14 : f32
    %p16 = arith.mulf %p15, %p15 : f32
    %p17 = arith.mulf %p16, %p16 : f32
    %p18 = arith.mulf %p17, %p17 : f32
    %p19 = arith.mulf %p18, %p18 : f32
    %p20 = arith.mulf %p19, %p19 : f32
    %p21 = arith.mulf %p20, %p20 : f32
    %p22 = arith.mulf %p21, %p21 : f32
    %p23 = arith.mulf %p22, %p22 : f32
    %p24 = arith.mulf %p23, %p23 : f32
    %p25 = arith.mulf %p24, %p24 : f32
    %p26 = arith.mulf %p25, %p25 : f32
    %p27 = arith.mulf %p26, %p26 : f32
    %p28 = arith.mulf %p27, %p27 : f32
    %p29 = arith.mulf %p28, %p28 : f32
    %r = math.rsqrt %b : f32
    %u = arith.mulf %r, %p29 : f32
    %c = arith.mulf %in, %u : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// An infinity is no number of the algebra, and stands in a body that goes.
// CHECK: [Missed] declined | Category:ff-raise | Function=infinite_gain | {{.*}}reason=gain-form
func.func @infinite_gain(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
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
    %inf = arith.constant 0x7F800000 : f32
    %r = math.rsqrt %b : f32
    %v = arith.mulf %in, %r : f32
    %c = arith.mulf %v, %inf : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
