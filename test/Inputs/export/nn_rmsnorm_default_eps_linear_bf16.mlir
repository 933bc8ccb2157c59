// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py nn_rmsnorm_default_eps_linear_bf16
// Module: NormLinear(nn.RMSNorm(256), nn.Linear(256, 192, bias=False))
// %arg0 = x: bf16 [9, 256]
// %arg1 = norm.weight: bf16 [256]
// %arg2 = linear.weight: bf16 [192, 256]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @nn_rmsnorm_default_eps_linear_bf16(%arg0: tensor<9x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<192x256xbf16>) -> tensor<9x192xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 2.560000e+02 : bf16
    %0 = tensor.empty() : tensor<9x256xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<9x256xbf16>, tensor<9x256xbf16>) outs(%0 : tensor<9x256xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %15 = arith.mulf %in, %in_2 : bf16
      linalg.yield %15 : bf16
    } -> tensor<9x256xbf16>
    %2 = tensor.empty() : tensor<9x1xbf16>
    %3 = linalg.fill ins(%cst : bf16) outs(%2 : tensor<9x1xbf16>) -> tensor<9x1xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<9x256xbf16>) outs(%3 : tensor<9x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %15 = arith.addf %in, %out : bf16
      linalg.yield %15 : bf16
    } -> tensor<9x1xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<9x1xbf16>) outs(%2 : tensor<9x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %15 = arith.divf %in, %cst_1 : bf16
      linalg.yield %15 : bf16
    } -> tensor<9x1xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<9x1xbf16>) outs(%2 : tensor<9x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %15 = math.rsqrt %in : bf16
      linalg.yield %15 : bf16
    } -> tensor<9x1xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %6 : tensor<9x256xbf16>, tensor<9x1xbf16>) outs(%0 : tensor<9x256xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %15 = arith.mulf %in, %in_2 : bf16
      linalg.yield %15 : bf16
    } -> tensor<9x256xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg1 : tensor<9x256xbf16>, tensor<256xbf16>) outs(%0 : tensor<9x256xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %15 = arith.mulf %in, %in_2 : bf16
      linalg.yield %15 : bf16
    } -> tensor<9x256xbf16>
    %9 = tensor.empty() : tensor<256x192xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xbf16>) outs(%9 : tensor<256x192xbf16>) permutation = [1, 0]
    %10 = tensor.empty() : tensor<9x192xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<9x192xf32>) -> tensor<9x192xf32>
    %12 = linalg.matmul ins(%8, %transposed : tensor<9x256xbf16>, tensor<256x192xbf16>) outs(%11 : tensor<9x192xf32>) -> tensor<9x192xf32>
    %13 = tensor.empty() : tensor<9x192xbf16>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<9x192xf32>) outs(%13 : tensor<9x192xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %15 = arith.truncf %in : f32 to bf16
      linalg.yield %15 : bf16
    } -> tensor<9x192xbf16>
    return %14 : tensor<9x192xbf16>
  }
}
