// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py square_sum_rmsnorm_linear_f32
// Module: NormLinear(SquareSumRMSNorm(256), nn.Linear(256, 192, bias=False))
// %arg0 = x: f32 [tokens, 256]
// %arg1 = norm.weight: f32 [256]
// %arg2 = linear.weight: f32 [192, 256]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @square_sum_rmsnorm_linear_f32(%arg0: tensor<?x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<192x256xf32>) -> tensor<?x192xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xf32>
    %0 = tensor.empty(%dim) : tensor<?x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.mulf %in, %in_2 : f32
      linalg.yield %14 : f32
    } -> tensor<?x256xf32>
    %2 = tensor.empty(%dim) : tensor<?x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<?x256xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.addf %in, %out : f32
      linalg.yield %14 : f32
    } -> tensor<?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x1xf32>) outs(%2 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.divf %in, %cst_1 : f32
      linalg.yield %14 : f32
    } -> tensor<?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x1xf32>) outs(%2 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.truncf %cst_0 : f64 to f32
      %15 = arith.addf %in, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1xf32>) outs(%2 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = math.sqrt %in : f32
      linalg.yield %14 : f32
    } -> tensor<?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %7 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.divf %in, %in_2 : f32
      linalg.yield %14 : f32
    } -> tensor<?x256xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg1 : tensor<?x256xf32>, tensor<256xf32>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.mulf %in, %in_2 : f32
      linalg.yield %14 : f32
    } -> tensor<?x256xf32>
    %10 = tensor.empty() : tensor<256x192xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xf32>) outs(%10 : tensor<256x192xf32>) permutation = [1, 0]
    %11 = tensor.empty(%dim) : tensor<?x192xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %13 = linalg.matmul ins(%9, %transposed : tensor<?x256xf32>, tensor<256x192xf32>) outs(%12 : tensor<?x192xf32>) -> tensor<?x192xf32>
    return %13 : tensor<?x192xf32>
  }
}
