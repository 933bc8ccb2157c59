// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_linear_bias_ragged_bf16
// Module: NormLinear(nn.LayerNorm(200, eps=1e-5), nn.Linear(200, 75))
// %arg0 = x: bf16 [13, 200]
// %arg1 = norm.weight: bf16 [200]
// %arg2 = norm.bias: bf16 [200]
// %arg3 = linear.weight: bf16 [75, 200]
// %arg4 = linear.bias: bf16 [75]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @layernorm_linear_bias_ragged_bf16(%arg0: tensor<13x200xbf16>, %arg1: tensor<200xbf16>, %arg2: tensor<200xbf16>, %arg3: tensor<75x200xbf16>, %arg4: tensor<75xbf16>) -> tensor<13x75xbf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.000000e+02 : f64
    %cst_3 = arith.constant 2.000000e+02 : f32
    %0 = tensor.empty() : tensor<13x200xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<13x200xbf16>) outs(%0 : tensor<13x200xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<13x200xf32>
    %2 = tensor.empty() : tensor<13x200xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<13x200xf32>) outs(%2 : tensor<13x200xf64>) {
    ^bb0(%in: f32, %out: f64):
      %38 = arith.extf %in : f32 to f64
      linalg.yield %38 : f64
    } -> tensor<13x200xf64>
    %4 = tensor.empty() : tensor<13x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<13x1xf64>) -> tensor<13x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<13x200xf64>) outs(%5 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.addf %in, %out : f64
      linalg.yield %38 : f64
    } -> tensor<13x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<13x1xf64>) outs(%4 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.divf %in, %cst_2 : f64
      linalg.yield %38 : f64
    } -> tensor<13x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %7 : tensor<13x200xf64>, tensor<13x1xf64>) outs(%2 : tensor<13x200xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %38 = arith.subf %in, %in_4 : f64
      linalg.yield %38 : f64
    } -> tensor<13x200xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %8 : tensor<13x200xf64>, tensor<13x200xf64>) outs(%2 : tensor<13x200xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %38 = arith.mulf %in, %in_4 : f64
      linalg.yield %38 : f64
    } -> tensor<13x200xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<13x200xf64>) outs(%5 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.addf %in, %out : f64
      linalg.yield %38 : f64
    } -> tensor<13x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<13x1xf64>) outs(%4 : tensor<13x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.divf %in, %cst_2 : f64
      linalg.yield %38 : f64
    } -> tensor<13x1xf64>
    %12 = tensor.empty() : tensor<13x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<13x1xf64>) outs(%12 : tensor<13x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %38 = arith.truncf %in : f64 to f32
      linalg.yield %38 : f32
    } -> tensor<13x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<13x1xf32>) -> tensor<13x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<13x200xf32>) outs(%14 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %in, %out : f32
      linalg.yield %38 : f32
    } -> tensor<13x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<13x1xf32>) outs(%12 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.divf %in, %cst_3 : f32
      linalg.yield %38 : f32
    } -> tensor<13x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<13x1xf32>) outs(%12 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.truncf %cst_1 : f64 to f32
      %39 = arith.addf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<13x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<13x1xf32>) outs(%12 : tensor<13x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.rsqrt %in : f32
      linalg.yield %38 : f32
    } -> tensor<13x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %16 : tensor<13x200xf32>, tensor<13x1xf32>) outs(%0 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.subf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<13x200xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %18 : tensor<13x200xf32>, tensor<13x1xf32>) outs(%0 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.mulf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<13x200xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %arg1 : tensor<13x200xf32>, tensor<200xbf16>) outs(%0 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: bf16, %out: f32):
      %38 = arith.extf %in_4 : bf16 to f32
      %39 = arith.mulf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<13x200xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg2 : tensor<13x200xf32>, tensor<200xbf16>) outs(%0 : tensor<13x200xf32>) {
    ^bb0(%in: f32, %in_4: bf16, %out: f32):
      %38 = arith.extf %in_4 : bf16 to f32
      %39 = arith.addf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<13x200xf32>
    %23 = tensor.empty() : tensor<13x200xbf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<13x200xf32>) outs(%23 : tensor<13x200xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %38 = arith.truncf %in : f32 to bf16
      linalg.yield %38 : bf16
    } -> tensor<13x200xbf16>
    %25 = tensor.empty() : tensor<200x75xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<75x200xbf16>) outs(%25 : tensor<200x75xbf16>) permutation = [1, 0]
    %26 = tensor.empty() : tensor<75xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<75xbf16>) outs(%26 : tensor<75xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<75xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<13x200xbf16>) outs(%0 : tensor<13x200xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<13x200xf32>
    %29 = tensor.empty() : tensor<200x75xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<200x75xbf16>) outs(%29 : tensor<200x75xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<200x75xf32>
    %31 = tensor.empty() : tensor<13x75xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %33 = linalg.matmul ins(%28, %30 : tensor<13x200xf32>, tensor<200x75xf32>) outs(%32 : tensor<13x75xf32>) -> tensor<13x75xf32>
    %34 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<75xf32>) outs(%31 : tensor<13x75xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<13x75xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %34 : tensor<13x75xf32>, tensor<13x75xf32>) outs(%31 : tensor<13x75xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.addf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<13x75xf32>
    %36 = tensor.empty() : tensor<13x75xbf16>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<13x75xf32>) outs(%36 : tensor<13x75xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %38 = arith.truncf %in : f32 to bf16
      linalg.yield %38 : bf16
    } -> tensor<13x75xbf16>
    return %37 : tensor<13x75xbf16>
  }
}
