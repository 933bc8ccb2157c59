// RUN: ff-opt %s --ff-decompose --ff-lower-to-loops --canonicalize --cse --split-input-file | FileCheck %s

// RMSNorm: one f64 sum, scale deferred to the finalizer, one contraction per Linear.
// CHECK-LABEL: func.func @rms_norm
func.func @rms_norm(%x: tensor<?x64xbf16>, %g: tensor<64xf32>, %wq: tensor<32x64xbf16>,
                    %wk: tensor<64x16xbf16>) -> (tensor<?x32xbf16>, tensor<?x16xbf16>) {
  // CHECK: %[[DIM:.*]] = tensor.dim
  // CHECK: %[[Q:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
  // CHECK: arith.extf %{{.*}} : bf16 to f64
  // CHECK: arith.mulf
  // CHECK: arith.addf
  // CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<?xf64>)
  // The factors are computed in f64 and rounded last.
  // CHECK: math.rsqrt %{{.*}} : f64
  // CHECK-NEXT: arith.truncf %{{.*}} : f64 to f32
  // CHECK: %[[U:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x64xbf16>, tensor<64xf32>)
  // CHECK: %[[A0:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[U]], %{{.*}} : tensor<?x64xf32>, tensor<32x64xbf16>)
  // CHECK: %[[A1:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[U]], %{{.*}} : tensor<?x64xf32>, tensor<64x16xbf16>)
  // CHECK: linalg.generic {{.*}} ins(%[[A0]], %[[SCALE]] : tensor<?x32xf32>, tensor<?xf32>)
  // CHECK: arith.mulf
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: linalg.generic {{.*}} ins(%[[A1]], %[[SCALE]] : tensor<?x16xf32>, tensor<?xf32>)
  %q, %k = ff.norm_linear rms_norm(%x) gain(%g) weights(%wq, %wk)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>]}
      : (tensor<?x64xbf16>, tensor<64xf32>, tensor<32x64xbf16>, tensor<64x16xbf16>)
      -> (tensor<?x32xbf16>, tensor<?x16xbf16>)
  return %q, %k : tensor<?x32xbf16>, tensor<?x16xbf16>
}

// -----

// LayerNorm: the center stays in f64 and is subtracted before the product with
// the gain; the shift is a contraction of its own; eps is captured.
// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: %[[EPS:[a-z0-9]+]]: f32)
func.func @layer_norm(%x: tensor<5x50xf32>, %g: tensor<50xf32>, %s: tensor<50xf32>,
                      %w: tensor<37x50xf32>, %c: tensor<37xf32>, %e: f32) -> tensor<5x37xf32> {
  // CHECK: %[[SUMS:.*]]:2 = linalg.generic
  // CHECK: %[[F:.*]]:2 = linalg.generic {{.*}} ins(%[[SUMS]]#0, %[[SUMS]]#1 : tensor<5xf64>, tensor<5xf64>)
  // CHECK: arith.maximumf
  // CHECK: %[[WIDE:.*]] = arith.extf %[[EPS]] : f32 to f64
  // CHECK: arith.addf %{{.*}}, %[[WIDE]] : f64
  // CHECK: -> (tensor<5xf32>, tensor<5xf64>)
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[F]]#1 : tensor<5x50xf32>, tensor<50xf32>, tensor<5xf64>)
  // CHECK: arith.subf %{{.*}} : f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK: arith.mulf
  // CHECK: %[[B:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<50xf32>, tensor<37x50xf32>)
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[B]], %{{.*}}, %[[F]]#0 : tensor<5x37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<5xf32>)
  %q = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%w) biases(%c) eps(%e)
      {bias_of = array<i64: 0>, layouts = [#ff.layout<nk>]}
      : (tensor<5x50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<37x50xf32>, tensor<37xf32>, f32)
      -> tensor<5x37xf32>
  return %q : tensor<5x37xf32>
}

// -----

// No norm and two Linears in one finalizer: no statistics at all.
// CHECK-LABEL: func.func @gated
// CHECK-NOT: f64
func.func @gated(%x: tensor<4x8xf16>, %w0: tensor<6x8xf16>, %w1: tensor<6x8xf16>,
                 %out: tensor<4x6xf16>) -> tensor<4x6xf16> {
  // CHECK: math.exp
  %y = ff.online(%x) weights(%w0, %w1) outs(%out)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>]}
      : (tensor<4x8xf16>, tensor<6x8xf16>, tensor<6x8xf16>, tensor<4x6xf16>) -> tensor<4x6xf16>
  row {
    ff.yield
  } finalize {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    %p = arith.mulf %e, %b : f32
    %t = arith.truncf %p : f32 to f16
    ff.yield %t : f16
  }
  return %y : tensor<4x6xf16>
}
