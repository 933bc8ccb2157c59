// RUN: ff-opt %s --ff-decompose --ff-expand-online --canonicalize --cse | FileCheck %s

// Two-pass variance, then h, then one contraction of h.
// CHECK-LABEL: func.func @layer_norm
func.func @layer_norm(%x: tensor<?x50xbf16>, %g: tensor<50xf32>, %s: tensor<50xf32>, %w: tensor<37x50xbf16>)
    -> tensor<?x37xbf16> {
  // CHECK-NOT: f64
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<?x50xf32>)
  // CHECK: arith.divf
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<?x50xf32>, tensor<?xf32>)
  // CHECK: arith.subf
  // CHECK: math.rsqrt
  // CHECK: arith.subf
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<?x50xf32>, tensor<37x50xbf16>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %y = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x50xbf16>, tensor<50xf32>, tensor<50xf32>, tensor<37x50xbf16>) -> tensor<?x37xbf16>
  return %y : tensor<?x37xbf16>
}
