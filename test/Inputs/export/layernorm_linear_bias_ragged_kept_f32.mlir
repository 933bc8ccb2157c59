// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_linear_bias_ragged_kept_f32
// Module: NormLinear(nn.LayerNorm(200, eps=1e-5), nn.Linear(200, 75))
// %arg0 = x: f32 [13, 200]
// %arg1 = norm.weight: f32 [200]
// %arg2 = norm.bias: f32 [200]
// %arg3 = linear.weight: f32 [75, 200]
// %arg4 = linear.bias: f32 [75]
// Decompositions: keep-layer-norm.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @layernorm_linear_bias_ragged_kept_f32(%arg0: tensor<13x200xf32>, %arg1: tensor<200xf32>, %arg2: tensor<200xf32>, %arg3: tensor<75x200xf32>, %arg4: tensor<75xf32>) -> tensor<13x75xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant 2.000000e+02 : f32
    %0 = tensor.empty() : tensor<13x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<13x1xf32>) -> tensor<13x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<13x200xf32>) outs(%1 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.addf %in, %out : f32
      linalg.yield %22 : f32
    } -> tensor<13x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<13x1xf32>) outs(%0 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.divf %in, %cst_1 : f32
      linalg.yield %22 : f32
    } -> tensor<13x1xf32>
    %4 = tensor.empty() : tensor<13x200xf32>
    %collapsed = tensor.collapse_shape %3 [[0, 1]] : tensor<13x1xf32> into tensor<13xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<13xf32>) outs(%4 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<13x200xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5 : tensor<13x200xf32>, tensor<13x200xf32>) outs(%4 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.subf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<13x200xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<13x200xf32>, tensor<13x200xf32>) outs(%4 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.mulf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<13x200xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<13x200xf32>) outs(%1 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.addf %in, %out : f32
      linalg.yield %22 : f32
    } -> tensor<13x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<13x1xf32>) outs(%0 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.divf %in, %cst_1 : f32
      linalg.yield %22 : f32
    } -> tensor<13x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<13x1xf32>) outs(%0 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.truncf %cst_0 : f64 to f32
      %23 = arith.addf %in, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<13x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<13x1xf32>) outs(%0 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.rsqrt %in : f32
      linalg.yield %22 : f32
    } -> tensor<13x1xf32>
    %collapsed_2 = tensor.collapse_shape %11 [[0, 1]] : tensor<13x1xf32> into tensor<13xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_2 : tensor<13xf32>) outs(%4 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<13x200xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %12 : tensor<13x200xf32>, tensor<13x200xf32>) outs(%4 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.mulf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<13x200xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %arg1 : tensor<13x200xf32>, tensor<200xf32>) outs(%4 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.mulf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<13x200xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %arg2 : tensor<13x200xf32>, tensor<200xf32>) outs(%4 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.addf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<13x200xf32>
    %16 = tensor.empty() : tensor<200x75xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<75x200xf32>) outs(%16 : tensor<200x75xf32>) permutation = [1, 0]
    %17 = tensor.empty() : tensor<13x75xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %19 = linalg.matmul ins(%15, %transposed : tensor<13x200xf32>, tensor<200x75xf32>) outs(%18 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<75xf32>) outs(%17 : tensor<13x75xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<13x75xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %20 : tensor<13x75xf32>, tensor<13x75xf32>) outs(%17 : tensor<13x75xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.addf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<13x75xf32>
    return %21 : tensor<13x75xf32>
  }
}
