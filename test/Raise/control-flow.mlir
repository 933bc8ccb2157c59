// RUN: ff-opt %s --ff-raise | FileCheck %s
// RUN: ff-run %s --all --optimize=0 --verify | FileCheck %s --check-prefix=RESULT
// Chains inside of regions and of blocks that branch; several functions.
// RESULT-COUNT-3: fused {{.*}} ok

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// CHECK-LABEL: func.func @either
// CHECK: scf.if
// CHECK-NEXT: ff.norm_linear rms_norm(%arg0) weights(%arg1)
// CHECK: } else {
// CHECK-NEXT: ff.norm_linear rms_norm(%arg0) weights(%arg2)
func.func @either(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %first: i1) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = scf.if %first -> tensor<4x8xf32> {
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
    %t = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %t : tensor<4x8xf32>
  } else {
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
    %t = linalg.matmul ins(%h, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %t : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// A Linear in a region reads a norm that was computed outside of it: nothing is said and changed,
// the search ends at the region's border.
// CHECK-LABEL: func.func private @outside
// CHECK-NOT: ff.norm_linear
// CHECK: linalg.matmul
func.func private @outside(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %first: i1) -> tensor<4x8xf32> {
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
  %y = scf.if %first -> tensor<4x8xf32> {
    %t = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %t : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @blocks
// CHECK: cf.cond_br
// CHECK: ^bb1:
// CHECK-NEXT: ff.norm_linear rms_norm(%arg0) weights(%arg1)
func.func @blocks(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %first: i1) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  cf.cond_br %first, ^chain, ^end(%x : tensor<4x8xf32>)
^chain:
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
  cf.br ^end(%y : tensor<4x8xf32>)
^end(%r: tensor<4x8xf32>):
  return %r : tensor<4x8xf32>
}

// A chain per step; the state of the loop is what is normalised.
// CHECK-LABEL: func.func @loop
// CHECK: scf.while
// CHECK: ^bb0(%[[X:.*]]: tensor<4x8xf32>, %{{.*}}: index):
// CHECK: ff.norm_linear rms_norm(%[[X]]) weights(%arg1)
func.func @loop(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y:2 = scf.while (%now = %x, %i = %c0) : (tensor<4x8xf32>, index) -> (tensor<4x8xf32>, index) {
    %more = arith.cmpi ult, %i, %c3 : index
    scf.condition(%more) %now, %i : tensor<4x8xf32>, index
  } do {
  ^bb0(%state: tensor<4x8xf32>, %i: index):
    %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
        ins(%state : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %q = arith.mulf %in, %in : f32
      %r = arith.addf %out, %q : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
        ins(%state, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %a = arith.divf %sum, %count : f32
      %b = math.rsqrt %a : f32
      %c = arith.mulf %in, %b : f32
      linalg.yield %c : f32
    } -> tensor<4x8xf32>
    %t = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %t, %next : tensor<4x8xf32>, index
  }
  return %y#0 : tensor<4x8xf32>
}
