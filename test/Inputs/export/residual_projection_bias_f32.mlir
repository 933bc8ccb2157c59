// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py residual_projection_bias_f32
// Module: OutputProjection(hidden=64, bias=True)
// %arg0 = attention: f32 [2, 5, 64]
// %arg1 = residual: f32 [2, 5, 64]
// %arg2 = o_proj.weight: f32 [64, 64]
// %arg3 = o_proj.bias: f32 [64]

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @residual_projection_bias_f32(%arg0: tensor<2x5x64xf32>, %arg1: tensor<2x5x64xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<64xf32>) -> tensor<2x5x64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x5x64xf32> into tensor<10x64xf32>
    %0 = tensor.empty() : tensor<64x64xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<10x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<10x64xf32>, tensor<64x64xf32>) outs(%2 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<64xf32>) outs(%1 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x64xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<10x64xf32>, tensor<10x64xf32>) outs(%1 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %8 = arith.addf %in, %in_0 : f32
      linalg.yield %8 : f32
    } -> tensor<10x64xf32>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [2, 5, 64] : tensor<10x64xf32> into tensor<2x5x64xf32>
    %6 = tensor.empty() : tensor<2x5x64xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %expanded : tensor<2x5x64xf32>, tensor<2x5x64xf32>) outs(%6 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %8 = arith.addf %in, %in_0 : f32
      linalg.yield %8 : f32
    } -> tensor<2x5x64xf32>
    return %7 : tensor<2x5x64xf32>
  }
}
