// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_linear_bias_ragged_kept_bf16
// Module: NormLinear(nn.LayerNorm(200, eps=1e-5), nn.Linear(200, 75))
// %arg0 = x: bf16 [13, 200]
// %arg1 = norm.weight: bf16 [200]
// %arg2 = norm.bias: bf16 [200]
// %arg3 = linear.weight: bf16 [75, 200]
// %arg4 = linear.bias: bf16 [75]
// Decompositions: keep-layer-norm.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0) -> (d0)>
module {
  func.func @layernorm_linear_bias_ragged_kept_bf16(%arg0: tensor<13x200xbf16>, %arg1: tensor<200xbf16>, %arg2: tensor<200xbf16>, %arg3: tensor<75x200xbf16>, %arg4: tensor<75xbf16>) -> tensor<13x75xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.000000e+02 : bf16
    %0 = tensor.empty() : tensor<13x1xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<13x1xbf16>) -> tensor<13x1xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<13x200xbf16>) outs(%1 : tensor<13x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %30 = arith.addf %in, %out : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x1xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<13x1xbf16>) outs(%0 : tensor<13x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %30 = arith.divf %in, %cst_2 : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x1xbf16>
    %4 = tensor.empty() : tensor<13x200xbf16>
    %collapsed = tensor.collapse_shape %3 [[0, 1]] : tensor<13x1xbf16> into tensor<13xbf16>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<13xbf16>) outs(%4 : tensor<13x200xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<13x200xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5 : tensor<13x200xbf16>, tensor<13x200xbf16>) outs(%4 : tensor<13x200xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %30 = arith.subf %in, %in_4 : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x200xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<13x200xbf16>, tensor<13x200xbf16>) outs(%4 : tensor<13x200xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %30 = arith.mulf %in, %in_4 : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x200xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<13x200xbf16>) outs(%1 : tensor<13x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %30 = arith.addf %in, %out : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x1xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<13x1xbf16>) outs(%0 : tensor<13x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %30 = arith.divf %in, %cst_2 : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x1xbf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<13x1xbf16>) outs(%0 : tensor<13x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %30 = arith.truncf %cst_1 : f64 to bf16
      %31 = arith.addf %in, %30 : bf16
      linalg.yield %31 : bf16
    } -> tensor<13x1xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<13x1xbf16>) outs(%0 : tensor<13x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %30 = math.rsqrt %in : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x1xbf16>
    %collapsed_3 = tensor.collapse_shape %11 [[0, 1]] : tensor<13x1xbf16> into tensor<13xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_3 : tensor<13xbf16>) outs(%4 : tensor<13x200xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<13x200xbf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %12 : tensor<13x200xbf16>, tensor<13x200xbf16>) outs(%4 : tensor<13x200xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %30 = arith.mulf %in, %in_4 : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x200xbf16>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %arg1 : tensor<13x200xbf16>, tensor<200xbf16>) outs(%4 : tensor<13x200xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %30 = arith.mulf %in, %in_4 : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x200xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %arg2 : tensor<13x200xbf16>, tensor<200xbf16>) outs(%4 : tensor<13x200xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %30 = arith.addf %in, %in_4 : bf16
      linalg.yield %30 : bf16
    } -> tensor<13x200xbf16>
    %16 = tensor.empty() : tensor<200x75xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<75x200xbf16>) outs(%16 : tensor<200x75xbf16>) permutation = [1, 0]
    %17 = tensor.empty() : tensor<75xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg4 : tensor<75xbf16>) outs(%17 : tensor<75xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %30 = arith.extf %in : bf16 to f32
      linalg.yield %30 : f32
    } -> tensor<75xf32>
    %19 = tensor.empty() : tensor<13x200xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<13x200xbf16>) outs(%19 : tensor<13x200xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %30 = arith.extf %in : bf16 to f32
      linalg.yield %30 : f32
    } -> tensor<13x200xf32>
    %21 = tensor.empty() : tensor<200x75xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<200x75xbf16>) outs(%21 : tensor<200x75xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %30 = arith.extf %in : bf16 to f32
      linalg.yield %30 : f32
    } -> tensor<200x75xf32>
    %23 = tensor.empty() : tensor<13x75xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %25 = linalg.matmul ins(%20, %22 : tensor<13x200xf32>, tensor<200x75xf32>) outs(%24 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<75xf32>) outs(%23 : tensor<13x75xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<13x75xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<13x75xf32>, tensor<13x75xf32>) outs(%23 : tensor<13x75xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.addf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<13x75xf32>
    %28 = tensor.empty() : tensor<13x75xbf16>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<13x75xf32>) outs(%28 : tensor<13x75xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %30 = arith.truncf %in : f32 to bf16
      linalg.yield %30 : bf16
    } -> tensor<13x75xbf16>
    return %29 : tensor<13x75xbf16>
  }
}
