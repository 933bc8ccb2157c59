// RUN: ff-opt %s --ff-fuse-epilogue --split-input-file | FileCheck %s
// RUN: ff-opt %s --ff-fuse-epilogue=rounding=strict --split-input-file | FileCheck %s --check-prefix=STRICT

// A cast, a bias, a residual of another type; through a reshape of the rows.
// CHECK-LABEL: func @residual
// CHECK-SAME: %[[X:.*]]: tensor<?x64xbf16>, %{{.*}}: tensor<32x64xbf16>, %[[B:.*]]: tensor<32xbf16>, %[[R:.*]]: tensor<1x?x32xf32>
// CHECK: %[[T:.*]] = tensor.collapse_shape %[[R]] {{\[}}[0, 1], [2]]
// CHECK: %[[Y:.*]] = ff.online(%[[X]]) weights(%{{.*}}) columns(%[[B]]) tiles(%[[T]])
// CHECK-SAME: column_of = array<i64: 0>
// CHECK-SAME: tile_of = array<i64: 0>
// CHECK: finalize
// CHECK: ^bb0(%[[Z:.*]]: f32, %[[C:.*]]: bf16, %[[E:.*]]: f32):
// CHECK-DAG: %[[C32:.*]] = arith.extf %[[C]] : bf16 to f32
// CHECK: %[[S:.*]] = arith.addf %[[Z]], %[[C32]] : f32
// CHECK: %[[U:.*]] = arith.addf %[[E]], %[[S]] : f32
// CHECK: ff.yield %[[U]] : f32
// CHECK: %[[V:.*]] = tensor.expand_shape %[[Y]]
// CHECK: return %[[V]]
// The first rounding stays with rounding=strict, and so does the one of the sum.
// STRICT-LABEL: func @residual
// STRICT: ^bb0(%[[Z:.*]]: f32, %[[C:.*]]: bf16, %[[E:.*]]: f32):
// STRICT: arith.truncf %[[Z]] : f32 to bf16
// STRICT: arith.extf
// STRICT: arith.addf {{.*}} : f32
// STRICT: arith.truncf {{.*}} : f32 to bf16
// STRICT: arith.extf
// STRICT: arith.addf %[[E]], {{.*}} : f32
func.func @residual(%x: tensor<?x64xbf16>, %w: tensor<32x64xbf16>, %b: tensor<32xbf16>,
                    %r: tensor<1x?x32xf32>) -> tensor<1x?x32xf32> {
  %zero = arith.constant 0 : index
  %m = tensor.dim %x, %zero : tensor<?x64xbf16>
  %o = tensor.empty(%m) : tensor<?x32xbf16>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<?x64xbf16>, tensor<32x64xbf16>, tensor<?x32xbf16>) -> tensor<?x32xbf16>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    %h = arith.truncf %z : f32 to bf16
    ff.yield %h : bf16
  }
  %e = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, %m, 32]
      : tensor<?x32xbf16> into tensor<1x?x32xbf16>
  %i = tensor.empty(%m) : tensor<1x?x32xbf16>
  %biased = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>,
                       affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %b : tensor<1x?x32xbf16>, tensor<32xbf16>) outs(%i : tensor<1x?x32xbf16>) {
  ^bb0(%a: bf16, %c: bf16, %out: bf16):
    %s = arith.addf %a, %c : bf16
    linalg.yield %s : bf16
  } -> tensor<1x?x32xbf16>
  %j = tensor.empty(%m) : tensor<1x?x32xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
                       affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %biased : tensor<1x?x32xf32>, tensor<1x?x32xbf16>) outs(%j : tensor<1x?x32xf32>) {
  ^bb0(%t: f32, %a: bf16, %out: f32):
    %a32 = arith.extf %a : bf16 to f32
    %s = arith.addf %t, %a32 : f32
    linalg.yield %s : f32
  } -> tensor<1x?x32xf32>
  return %sum : tensor<1x?x32xf32>
}

// -----

// silu(x Wg) (x Wu): one output of two Linears. Powers become products, a
// division may be approximate.
// CHECK-LABEL: func @pair
// CHECK: ff.online
// CHECK-SAME: linears_of = [array<i64: 0, 1>]
// CHECK: ^bb0(%[[G:.*]]: f32, %[[U:.*]]: f32):
// CHECK-NOT: math.powf
// CHECK: %[[Q:.*]] = arith.mulf %[[G]], %[[G]] : f32
// CHECK: %[[E:.*]] = math.exp
// CHECK: arith.divf {{.*}} fastmath<afn> : f32
// CHECK: arith.mulf %{{.*}}, %[[U]]
// CHECK: ff.yield
// CHECK-NOT: linalg
// CHECK: return
// STRICT-LABEL: func @pair
// STRICT-NOT: afn
func.func @pair(%x: tensor<4x64xf32>, %wg: tensor<32x64xf32>, %wu: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %o = tensor.empty() : tensor<4x32xf32>
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %y:2 = ff.online(%x) weights(%wg, %wu) outs(%o, %o)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0>, array<i64: 1>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>, tensor<4x32xf32>)
      -> (tensor<4x32xf32>, tensor<4x32xf32>)
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }, {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %s = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%y#0 : tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = math.powf %a, %two : f32
    %e = math.exp %p : f32
    %d = arith.addf %e, %one : f32
    %q = arith.divf %one, %d : f32
    linalg.yield %q : f32
  } -> tensor<4x32xf32>
  %g = linalg.mul ins(%y#0, %s : tensor<4x32xf32>, tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  %r = linalg.mul ins(%g, %y#1 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// -----

// A result that is needed elsewhere stays an output; what follows sees it rounded.
// CHECK-LABEL: func @kept
// CHECK: %[[Y:.*]]:2 = ff.online
// CHECK-SAME: linears_of = [array<i64: 0>, array<i64: 0>]
// CHECK: }, {
// CHECK: arith.truncf
// CHECK: arith.extf
// CHECK: math.tanh
// CHECK: return %[[Y]]#0, %[[Y]]#1
func.func @kept(%x: tensor<4x64xf16>, %w: tensor<64x32xf16>) -> (tensor<4x32xf16>, tensor<4x32xf16>) {
  %o = tensor.empty() : tensor<4x32xf16>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<kn>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf16>, tensor<64x32xf16>, tensor<4x32xf16>) -> tensor<4x32xf16>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    %h = arith.truncf %z : f32 to f16
    ff.yield %h : f16
  }
  %t = linalg.tanh ins(%y : tensor<4x32xf16>) outs(%o : tensor<4x32xf16>) -> tensor<4x32xf16>
  return %y, %t : tensor<4x32xf16>, tensor<4x32xf16>
}

// -----

// Numbers and vectors in every shape; a vector that is computed from weights is
// computed again for every row.
// CHECK-LABEL: func @operands
// CHECK-SAME: %[[V:[a-z0-9]*]]: tensor<4x8xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[V]] {{\[}}[0, 1]]
// CHECK: ff.online({{.*}}columns(%[[C]])
// CHECK: ^bb0(%[[Z:.*]]: f32, %[[E:.*]]: f32):
// CHECK-DAG: arith.constant 2.000000e+00 : f32
// CHECK-DAG: arith.constant 5.000000e-01 : f32
// CHECK: arith.select
// CHECK: ff.yield
// CHECK-NOT: linalg
// CHECK: return
func.func @operands(%x: tensor<6x64xf32>, %w: tensor<32x64xf32>, %v: tensor<4x8xf32>) -> tensor<2x3x4x8xf32> {
  %o = tensor.empty() : tensor<6x32xf32>
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<f32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<6x64xf32>, tensor<32x64xf32>, tensor<6x32xf32>) -> tensor<6x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %e = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [2, 3, 4, 8] : tensor<6x32xf32> into tensor<2x3x4x8xf32>
  %f = tensor.empty() : tensor<2x3x4x8xf32>
  %twos = linalg.fill ins(%two : f32) outs(%f : tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  %vs = linalg.broadcast ins(%v : tensor<4x8xf32>) outs(%f : tensor<2x3x4x8xf32>) dimensions = [0, 1]
  %r = linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>,
                       affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> ()>,
                       affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %twos, %vs, %half : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<f32>)
      outs(%f : tensor<2x3x4x8xf32>) {
  ^bb0(%a: f32, %p: f32, %q: f32, %h: f32, %out: f32):
    %s = arith.mulf %a, %p : f32
    %t = arith.addf %s, %q : f32
    %u = arith.mulf %t, %h : f32
    %c = arith.cmpf ugt, %u, %zero : f32
    %k = arith.select %c, %u, %zero : f32
    linalg.yield %k : f32
  } -> tensor<2x3x4x8xf32>
  return %r : tensor<2x3x4x8xf32>
}

// -----

// The residual is computed behind the Linear: the Linear moves.
// CHECK-LABEL: func @later
// CHECK: %[[R:.*]] = linalg.matmul
// CHECK: ff.online({{.*}}tiles(%[[R]])
// CHECK-NOT: linalg
// CHECK: return
func.func @later(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %p: tensor<4x8xf32>, %q: tensor<8x32xf32>) -> tensor<4x32xf32> {
  %o = tensor.empty() : tensor<4x32xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  %r = linalg.matmul ins(%p, %q : tensor<4x8xf32>, tensor<8x32xf32>) outs(%i : tensor<4x32xf32>) -> tensor<4x32xf32>
  %s = linalg.sub ins(%r, %y : tensor<4x32xf32>, tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %s : tensor<4x32xf32>
}

// -----

// One row: what has its length is a vector, in any shape.
// CHECK-LABEL: func @one_row
// CHECK-SAME: %{{.*}}, %{{.*}}, %[[B:[a-z0-9]*]]: tensor<32xf32>, %[[R:[a-z0-9]*]]: tensor<4x8xf32>
// CHECK: ff.online({{.*}}columns(%[[B]], %{{.*}})
// CHECK: %[[F:.*]] = tensor.collapse_shape
// CHECK: tensor.expand_shape %[[F]] {{.*}} into tensor<4x8xf32>
func.func @one_row(%x: tensor<1x64xf32>, %w: tensor<32x64xf32>, %b: tensor<32xf32>, %r: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %o = tensor.empty() : tensor<1x32xf32>
  %p = tensor.empty() : tensor<32xf32>
  %q = tensor.empty() : tensor<4x8xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<1x64xf32>, tensor<32x64xf32>, tensor<1x32xf32>) -> tensor<1x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %f = tensor.collapse_shape %y [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
  %s = linalg.add ins(%f, %b : tensor<32xf32>, tensor<32xf32>) outs(%p : tensor<32xf32>) -> tensor<32xf32>
  %e = tensor.expand_shape %s [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %t = linalg.add ins(%e, %r : tensor<4x8xf32>, tensor<4x8xf32>) outs(%q : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %t : tensor<4x8xf32>
}
