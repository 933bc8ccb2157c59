// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py t5_rmsnorm_linear_f32
// Module: NormLinear(T5LayerNorm(256), nn.Linear(256, 192, bias=False))
// %arg0 = x: f32 [1, 7, 256]
// %arg1 = norm.weight: f32 [256]
// %arg2 = linear.weight: f32 [192, 256]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @t5_rmsnorm_linear_f32(%arg0: tensor<1x7x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<192x256xf32>) -> tensor<1x7x192xf32> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 2.560000e+02 : f32
    %0 = tensor.empty() : tensor<1x7x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x256xf32>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %14 : f32
    } -> tensor<1x7x256xf32>
    %2 = tensor.empty() : tensor<1x7x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x7x256xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.addf %in, %out : f32
      linalg.yield %14 : f32
    } -> tensor<1x7x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x7x1xf32>) outs(%2 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.divf %in, %cst_1 : f32
      linalg.yield %14 : f32
    } -> tensor<1x7x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x7x1xf32>) outs(%2 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.truncf %cst_0 : f64 to f32
      %15 = arith.addf %in, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<1x7x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x7x1xf32>) outs(%2 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = math.rsqrt %in : f32
      linalg.yield %14 : f32
    } -> tensor<1x7x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<1x7x256xf32>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.mulf %in, %in_2 : f32
      linalg.yield %14 : f32
    } -> tensor<1x7x256xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %8 : tensor<256xf32>, tensor<1x7x256xf32>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.mulf %in, %in_2 : f32
      linalg.yield %14 : f32
    } -> tensor<1x7x256xf32>
    %10 = tensor.empty() : tensor<256x192xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xf32>) outs(%10 : tensor<256x192xf32>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x7x256xf32> into tensor<7x256xf32>
    %11 = tensor.empty() : tensor<7x192xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<7x192xf32>) -> tensor<7x192xf32>
    %13 = linalg.matmul ins(%collapsed, %transposed : tensor<7x256xf32>, tensor<256x192xf32>) outs(%12 : tensor<7x192xf32>) -> tensor<7x192xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2]] output_shape [1, 7, 192] : tensor<7x192xf32> into tensor<1x7x192xf32>
    return %expanded : tensor<1x7x192xf32>
  }
}
