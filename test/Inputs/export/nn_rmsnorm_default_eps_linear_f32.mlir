// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py nn_rmsnorm_default_eps_linear_f32
// Module: NormLinear(nn.RMSNorm(256), nn.Linear(256, 192, bias=False))
// %arg0 = x: f32 [9, 256]
// %arg1 = norm.weight: f32 [256]
// %arg2 = linear.weight: f32 [192, 256]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @nn_rmsnorm_default_eps_linear_f32(%arg0: tensor<9x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<192x256xf32>) -> tensor<9x192xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.560000e+02 : f32
    %0 = tensor.empty() : tensor<9x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<9x256xf32>, tensor<9x256xf32>) outs(%0 : tensor<9x256xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<9x256xf32>
    %2 = tensor.empty() : tensor<9x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<9x1xf32>) -> tensor<9x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<9x256xf32>) outs(%3 : tensor<9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.addf %in, %out : f32
      linalg.yield %13 : f32
    } -> tensor<9x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<9x1xf32>) outs(%2 : tensor<9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.divf %in, %cst_0 : f32
      linalg.yield %13 : f32
    } -> tensor<9x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<9x1xf32>) outs(%2 : tensor<9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = math.rsqrt %in : f32
      linalg.yield %13 : f32
    } -> tensor<9x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %6 : tensor<9x256xf32>, tensor<9x1xf32>) outs(%0 : tensor<9x256xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<9x256xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg1 : tensor<9x256xf32>, tensor<256xf32>) outs(%0 : tensor<9x256xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<9x256xf32>
    %9 = tensor.empty() : tensor<256x192xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xf32>) outs(%9 : tensor<256x192xf32>) permutation = [1, 0]
    %10 = tensor.empty() : tensor<9x192xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<9x192xf32>) -> tensor<9x192xf32>
    %12 = linalg.matmul ins(%8, %transposed : tensor<9x256xf32>, tensor<256x192xf32>) outs(%11 : tensor<9x192xf32>) -> tensor<9x192xf32>
    return %12 : tensor<9x192xf32>
  }
}
