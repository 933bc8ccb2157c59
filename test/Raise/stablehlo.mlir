// RUN: ff-opt %s --ff-raise | FileCheck %s
// RUN: ff-run %s --all --optimize=0 --verify --expect-fused=1 | FileCheck %s --check-prefix=RESULT
// In the style of --stablehlo-legalize-to-linalg, as for programs of JAX: constants are splats of rank 0
// that are broadcast by generics or read by tensor.extract, and nothing is fused.
// RESULT-COUNT-2: fused {{.*}} ok

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>
#none = affine_map<(m, k) -> ()>
#bsk = affine_map<(b, s, k) -> (b, s, k)>
#bs = affine_map<(b, s, k) -> (b, s)>
#scalar = affine_map<(b, s, k) -> ()>
#unit = affine_map<(b, s, k) -> (b, s, 0)>

// Its default: generics. rsqrt(mean(square(x)) + eps) of (1, 4, 8), dot_general with [N, K].
// CHECK-LABEL: func.func @generics
// CHECK: ff.norm_linear rms_norm(%{{.*}}) gain(%arg1) weights(%arg2) {eps = 9.9999{{.*}}, layouts = [#ff.layout<nk>]}
// CHECK-NOT: linalg
// CHECK: return
func.func @generics(%x: tensor<1x4x8xf32>, %g: tensor<8xf32>, %w: tensor<6x8xf32>) -> tensor<1x4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %eight = arith.constant dense<8.0> : tensor<f32>
  %eps = arith.constant dense<1.0e-6> : tensor<f32>
  %e = tensor.empty() : tensor<1x4x8xf32>
  %q = linalg.generic {indexing_maps = [#bsk, #bsk, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %x : tensor<1x4x8xf32>, tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x8xf32>
  %init = tensor.extract %zero[] : tensor<f32>
  %e1 = tensor.empty() : tensor<1x4xf32>
  %z = linalg.fill ins(%init : f32) outs(%e1 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %s = linalg.generic {indexing_maps = [#bsk, #bs], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q : tensor<1x4x8xf32>) outs(%z : tensor<1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x4xf32>
  %e2 = tensor.empty() : tensor<1x4x1xf32>
  %s1 = tensor.expand_shape %s [[0], [1, 2]] output_shape [1, 4, 1] : tensor<1x4xf32> into tensor<1x4x1xf32>
  %n = linalg.generic {indexing_maps = [#scalar, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%eight : tensor<f32>) outs(%e2 : tensor<1x4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x4x1xf32>
  %mean = linalg.generic {indexing_maps = [#bsk, #bsk, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1, %n : tensor<1x4x1xf32>, tensor<1x4x1xf32>) outs(%e2 : tensor<1x4x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x1xf32>
  %epss = linalg.generic {indexing_maps = [#scalar, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%eps : tensor<f32>) outs(%e2 : tensor<1x4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x4x1xf32>
  %v = linalg.generic {indexing_maps = [#bsk, #bsk, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mean, %epss : tensor<1x4x1xf32>, tensor<1x4x1xf32>) outs(%e2 : tensor<1x4x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x1xf32>
  %r = linalg.generic {indexing_maps = [#bsk, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x4x1xf32>) outs(%e2 : tensor<1x4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.rsqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x1xf32>
  %rb = linalg.generic {indexing_maps = [#unit, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<1x4x1xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x4x8xf32>
  %h0 = linalg.generic {indexing_maps = [#bsk, #bsk, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %rb : tensor<1x4x8xf32>, tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x8xf32>
  %g1 = tensor.expand_shape %g [[0, 1, 2]] output_shape [1, 1, 8] : tensor<8xf32> into tensor<1x1x8xf32>
  %gb = linalg.generic {indexing_maps = [affine_map<(b, s, k) -> (b, 0, k)>, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g1 : tensor<1x1x8xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x4x8xf32>
  %h = linalg.generic {indexing_maps = [#bsk, #bsk, #bsk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h0, %gb : tensor<1x4x8xf32>, tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x8xf32>
  %c0 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<1x4x6xf32>
  %z3 = linalg.fill ins(%c0 : f32) outs(%e3 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (n, k)>,
                                        affine_map<(b, s, n, k) -> (b, s, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %w : tensor<1x4x8xf32>, tensor<6x8xf32>) outs(%z3 : tensor<1x4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x6xf32>
  return %y : tensor<1x4x6xf32>
}

// With enable-primitive-ops: linalg.map, linalg.broadcast, linalg.reduce. A LayerNorm by E[x^2] - E[x]^2, as
// Flax has it, in bf16 with f32 statistics.
// CHECK-LABEL: func.func @primitives
// CHECK: ff.norm_linear layer_norm(%arg0) gain(%arg1) shift(%arg2) weights(%arg3)
// CHECK-NOT: linalg
// CHECK: return
func.func @primitives(%x: tensor<4x8xbf16>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<8x6xbf16>) -> tensor<4x6xbf16> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %eight = arith.constant dense<8.0> : tensor<4xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %xf = linalg.map { arith.extf } ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xf32>)
  %q = linalg.map { arith.mulf } ins(%xf, %xf : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %init = tensor.extract %zero[] : tensor<f32>
  %z = linalg.fill ins(%init : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s1 = linalg.reduce { arith.addf } ins(%xf : tensor<4x8xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  %s2 = linalg.reduce { arith.addf } ins(%q : tensor<4x8xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  %mu = linalg.map { arith.divf } ins(%s1, %eight : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>)
  %m2 = linalg.map { arith.divf } ins(%s2, %eight : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>)
  %mumu = linalg.map { arith.mulf } ins(%mu, %mu : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>)
  %v = linalg.map { arith.subf } ins(%m2, %mumu : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>)
  %ve = linalg.map { arith.addf } ins(%v, %eps : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>)
  %r = linalg.map { math.rsqrt } ins(%ve : tensor<4xf32>) outs(%e1 : tensor<4xf32>)
  %mub = linalg.broadcast ins(%mu : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %d = linalg.map { arith.subf } ins(%xf, %mub : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %rb = linalg.broadcast ins(%r : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %gb = linalg.broadcast ins(%g : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %mul = linalg.map { arith.mulf } ins(%rb, %gb : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %h0 = linalg.map { arith.mulf } ins(%d, %mul : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %bb = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %h1 = linalg.map { arith.addf } ins(%h0, %bb : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %eh = tensor.empty() : tensor<4x8xbf16>
  %h = linalg.map { arith.truncf } ins(%h1 : tensor<4x8xf32>) outs(%eh : tensor<4x8xbf16>)
  %c0 = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x6xf32>
  %zy = linalg.fill ins(%c0 : f32) outs(%ey : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%h, %w : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%zy : tensor<4x6xf32>) -> tensor<4x6xf32>
  %et = tensor.empty() : tensor<4x6xbf16>
  %t = linalg.map { arith.truncf } ins(%y : tensor<4x6xf32>) outs(%et : tensor<4x6xbf16>)
  return %t : tensor<4x6xbf16>
}
