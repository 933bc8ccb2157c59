// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py square_sum_rmsnorm_linear_bf16
// Module: NormLinear(SquareSumRMSNorm(256), nn.Linear(256, 192, bias=False))
// %arg0 = x: bf16 [tokens, 256]
// %arg1 = norm.weight: bf16 [256]
// %arg2 = linear.weight: bf16 [192, 256]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @square_sum_rmsnorm_linear_bf16(%arg0: tensor<?x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<192x256xbf16>) -> tensor<?x192xbf16> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.560000e+02 : bf16
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xbf16>
    %0 = tensor.empty(%dim) : tensor<?x256xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%0 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %16 = arith.mulf %in, %in_3 : bf16
      linalg.yield %16 : bf16
    } -> tensor<?x256xbf16>
    %2 = tensor.empty(%dim) : tensor<?x1xbf16>
    %3 = linalg.fill ins(%cst : bf16) outs(%2 : tensor<?x1xbf16>) -> tensor<?x1xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<?x256xbf16>) outs(%3 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %16 = arith.addf %in, %out : bf16
      linalg.yield %16 : bf16
    } -> tensor<?x1xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x1xbf16>) outs(%2 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %16 = arith.divf %in, %cst_2 : bf16
      linalg.yield %16 : bf16
    } -> tensor<?x1xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x1xbf16>) outs(%2 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %16 = arith.truncf %cst_1 : f64 to bf16
      %17 = arith.addf %in, %16 : bf16
      linalg.yield %17 : bf16
    } -> tensor<?x1xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1xbf16>) outs(%2 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %16 = math.sqrt %in : bf16
      linalg.yield %16 : bf16
    } -> tensor<?x1xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %7 : tensor<?x256xbf16>, tensor<?x1xbf16>) outs(%0 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %16 = arith.divf %in, %in_3 : bf16
      linalg.yield %16 : bf16
    } -> tensor<?x256xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg1 : tensor<?x256xbf16>, tensor<256xbf16>) outs(%0 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %16 = arith.mulf %in, %in_3 : bf16
      linalg.yield %16 : bf16
    } -> tensor<?x256xbf16>
    %10 = tensor.empty() : tensor<256x192xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xbf16>) outs(%10 : tensor<256x192xbf16>) permutation = [1, 0]
    %11 = tensor.empty(%dim) : tensor<?x192xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %13 = linalg.matmul ins(%9, %transposed : tensor<?x256xbf16>, tensor<256x192xbf16>) outs(%12 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %14 = tensor.empty(%dim) : tensor<?x192xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<?x192xf32>) outs(%14 : tensor<?x192xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %16 = arith.truncf %in : f32 to bf16
      linalg.yield %16 : bf16
    } -> tensor<?x192xbf16>
    return %15 : tensor<?x192xbf16>
  }
}
