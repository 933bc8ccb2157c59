// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py nn_rmsnorm_linear_core_f16
// Module: NormLinear(nn.RMSNorm(256, eps=1e-6), nn.Linear(256, 192, bias=False))
// %arg0 = x: f16 [1, seq, 256]
// %arg1 = norm.weight: f16 [256]
// %arg2 = linear.weight: f16 [192, 256]
// Decompositions: core-rms-norm.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @nn_rmsnorm_linear_core_f16(%arg0: tensor<1x?x256xf16>, %arg1: tensor<256xf16>, %arg2: tensor<192x256xf16>) -> tensor<1x?x192xf16> {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x256xf16>
    %0 = tensor.empty(%dim) : tensor<1x?x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x256xf16>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f16, %out: f32):
      %19 = arith.extf %in : f16 to f32
      linalg.yield %19 : f32
    } -> tensor<1x?x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x256xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %19 : f32
    } -> tensor<1x?x256xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x256xf32>) outs(%4 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %in, %out : f32
      linalg.yield %19 : f32
    } -> tensor<1x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.divf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.truncf %cst_0 : f64 to f32
      %20 = arith.addf %in, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.rsqrt %in : f32
      linalg.yield %19 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %19 = arith.mulf %in, %in_2 : f32
      linalg.yield %19 : f32
    } -> tensor<1x?x256xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %arg1 : tensor<1x?x256xf32>, tensor<256xf16>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_2: f16, %out: f32):
      %19 = arith.extf %in_2 : f16 to f32
      %20 = arith.mulf %in, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x?x256xf32>
    %11 = tensor.empty(%dim) : tensor<1x?x256xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x?x256xf32>) outs(%11 : tensor<1x?x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<1x?x256xf16>
    %13 = tensor.empty() : tensor<256x192xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xf16>) outs(%13 : tensor<256x192xf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x?x256xf16> into tensor<?x256xf16>
    %14 = tensor.empty(%dim) : tensor<?x192xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<?x256xf16>, tensor<256x192xf16>) outs(%15 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %17 = tensor.empty(%dim) : tensor<?x192xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x192xf32>) outs(%17 : tensor<?x192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<?x192xf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, %dim, 192] : tensor<?x192xf16> into tensor<1x?x192xf16>
    return %expanded : tensor<1x?x192xf16>
  }
}
