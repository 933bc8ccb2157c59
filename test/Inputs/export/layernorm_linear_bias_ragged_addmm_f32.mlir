// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_linear_bias_ragged_addmm_f32
// Module: NormLinear(nn.LayerNorm(200, eps=1e-5), nn.Linear(200, 75))
// %arg0 = x: f32 [13, 200]
// %arg1 = norm.weight: f32 [200]
// %arg2 = norm.bias: f32 [200]
// %arg3 = linear.weight: f32 [75, 200]
// %arg4 = linear.bias: f32 [75]
// Decompositions: keep-addmm.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @layernorm_linear_bias_ragged_addmm_f32(%arg0: tensor<13x200xf32>, %arg1: tensor<200xf32>, %arg2: tensor<200xf32>, %arg3: tensor<75x200xf32>, %arg4: tensor<75xf32>) -> tensor<13x75xf32> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.000000e+02 : f64
    %cst_3 = arith.constant 2.000000e+02 : f32
    %0 = tensor.empty() : tensor<13x200xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<13x200xf32>) outs(%0 : tensor<13x200xf64>) {
    ^bb0(%in: f32, %out: f64):
      %27 = arith.extf %in : f32 to f64
      linalg.yield %27 : f64
    } -> tensor<13x200xf64>
    %2 = tensor.empty() : tensor<13x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<13x1xf64>) -> tensor<13x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<13x200xf64>) outs(%3 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %27 = arith.addf %in, %out : f64
      linalg.yield %27 : f64
    } -> tensor<13x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<13x1xf64>) outs(%2 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %27 = arith.divf %in, %cst_2 : f64
      linalg.yield %27 : f64
    } -> tensor<13x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %5 : tensor<13x200xf64>, tensor<13x1xf64>) outs(%0 : tensor<13x200xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %27 = arith.subf %in, %in_4 : f64
      linalg.yield %27 : f64
    } -> tensor<13x200xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<13x200xf64>, tensor<13x200xf64>) outs(%0 : tensor<13x200xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %27 = arith.mulf %in, %in_4 : f64
      linalg.yield %27 : f64
    } -> tensor<13x200xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<13x200xf64>) outs(%3 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %27 = arith.addf %in, %out : f64
      linalg.yield %27 : f64
    } -> tensor<13x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<13x1xf64>) outs(%2 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %27 = arith.divf %in, %cst_2 : f64
      linalg.yield %27 : f64
    } -> tensor<13x1xf64>
    %10 = tensor.empty() : tensor<13x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<13x1xf64>) outs(%10 : tensor<13x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %27 = arith.truncf %in : f64 to f32
      linalg.yield %27 : f32
    } -> tensor<13x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<13x1xf32>) -> tensor<13x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<13x200xf32>) outs(%12 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<13x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<13x1xf32>) outs(%10 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.divf %in, %cst_3 : f32
      linalg.yield %27 : f32
    } -> tensor<13x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<13x1xf32>) outs(%10 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.truncf %cst_1 : f64 to f32
      %28 = arith.addf %in, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<13x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<13x1xf32>) outs(%10 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.rsqrt %in : f32
      linalg.yield %27 : f32
    } -> tensor<13x1xf32>
    %17 = tensor.empty() : tensor<13x200xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %14 : tensor<13x200xf32>, tensor<13x1xf32>) outs(%17 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.subf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<13x200xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %16 : tensor<13x200xf32>, tensor<13x1xf32>) outs(%17 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.mulf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<13x200xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %arg1 : tensor<13x200xf32>, tensor<200xf32>) outs(%17 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.mulf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<13x200xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %arg2 : tensor<13x200xf32>, tensor<200xf32>) outs(%17 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.addf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<13x200xf32>
    %22 = tensor.empty() : tensor<200x75xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<75x200xf32>) outs(%22 : tensor<200x75xf32>) permutation = [1, 0]
    %23 = tensor.empty() : tensor<13x75xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %25 = linalg.matmul ins(%21, %transposed : tensor<13x200xf32>, tensor<200x75xf32>) outs(%24 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4, %25 : tensor<75xf32>, tensor<13x75xf32>) outs(%23 : tensor<13x75xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.addf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<13x75xf32>
    return %26 : tensor<13x75xf32>
  }
}
