// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_linear_bias_ragged_3d_f32
// Module: NormLinear(nn.LayerNorm(200, eps=1e-5), nn.Linear(200, 75))
// %arg0 = x: f32 [2, 5, 200]
// %arg1 = norm.weight: f32 [200]
// %arg2 = norm.bias: f32 [200]
// %arg3 = linear.weight: f32 [75, 200]
// %arg4 = linear.bias: f32 [75]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @layernorm_linear_bias_ragged_3d_f32(%arg0: tensor<2x5x200xf32>, %arg1: tensor<200xf32>, %arg2: tensor<200xf32>, %arg3: tensor<75x200xf32>, %arg4: tensor<75xf32>) -> tensor<2x5x75xf32> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.000000e+02 : f64
    %cst_3 = arith.constant 2.000000e+02 : f32
    %0 = tensor.empty() : tensor<2x5x200xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x200xf32>) outs(%0 : tensor<2x5x200xf64>) {
    ^bb0(%in: f32, %out: f64):
      %28 = arith.extf %in : f32 to f64
      linalg.yield %28 : f64
    } -> tensor<2x5x200xf64>
    %2 = tensor.empty() : tensor<2x5x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x5x200xf64>) outs(%3 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %28 = arith.addf %in, %out : f64
      linalg.yield %28 : f64
    } -> tensor<2x5x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x5x1xf64>) outs(%2 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %28 = arith.divf %in, %cst_2 : f64
      linalg.yield %28 : f64
    } -> tensor<2x5x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x5x200xf64>, tensor<2x5x1xf64>) outs(%0 : tensor<2x5x200xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %28 = arith.subf %in, %in_4 : f64
      linalg.yield %28 : f64
    } -> tensor<2x5x200xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x5x200xf64>, tensor<2x5x200xf64>) outs(%0 : tensor<2x5x200xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %28 = arith.mulf %in, %in_4 : f64
      linalg.yield %28 : f64
    } -> tensor<2x5x200xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x5x200xf64>) outs(%3 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %28 = arith.addf %in, %out : f64
      linalg.yield %28 : f64
    } -> tensor<2x5x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x5x1xf64>) outs(%2 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %28 = arith.divf %in, %cst_2 : f64
      linalg.yield %28 : f64
    } -> tensor<2x5x1xf64>
    %10 = tensor.empty() : tensor<2x5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %28 = arith.truncf %in : f64 to f32
      linalg.yield %28 : f32
    } -> tensor<2x5x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x5x200xf32>) outs(%12 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.addf %in, %out : f32
      linalg.yield %28 : f32
    } -> tensor<2x5x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x5x1xf32>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.divf %in, %cst_3 : f32
      linalg.yield %28 : f32
    } -> tensor<2x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x5x1xf32>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.truncf %cst_1 : f64 to f32
      %29 = arith.addf %in, %28 : f32
      linalg.yield %29 : f32
    } -> tensor<2x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x5x1xf32>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.rsqrt %in : f32
      linalg.yield %28 : f32
    } -> tensor<2x5x1xf32>
    %17 = tensor.empty() : tensor<2x5x200xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x5x200xf32>, tensor<2x5x1xf32>) outs(%17 : tensor<2x5x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.subf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<2x5x200xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x5x200xf32>, tensor<2x5x1xf32>) outs(%17 : tensor<2x5x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.mulf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<2x5x200xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x5x200xf32>, tensor<200xf32>) outs(%17 : tensor<2x5x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.mulf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<2x5x200xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<2x5x200xf32>, tensor<200xf32>) outs(%17 : tensor<2x5x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.addf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<2x5x200xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x5x200xf32> into tensor<10x200xf32>
    %22 = tensor.empty() : tensor<200x75xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<75x200xf32>) outs(%22 : tensor<200x75xf32>) permutation = [1, 0]
    %23 = tensor.empty() : tensor<10x75xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<10x75xf32>) -> tensor<10x75xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<10x200xf32>, tensor<200x75xf32>) outs(%24 : tensor<10x75xf32>) -> tensor<10x75xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<75xf32>) outs(%23 : tensor<10x75xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x75xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<10x75xf32>, tensor<10x75xf32>) outs(%23 : tensor<10x75xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %28 = arith.addf %in, %in_4 : f32
      linalg.yield %28 : f32
    } -> tensor<10x75xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2]] output_shape [2, 5, 75] : tensor<10x75xf32> into tensor<2x5x75xf32>
    return %expanded : tensor<2x5x75xf32>
  }
}
