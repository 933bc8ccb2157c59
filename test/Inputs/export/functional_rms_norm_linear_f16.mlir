// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py functional_rms_norm_linear_f16
// Module: FunctionalRMSNormLinear(hidden=256, out_features=192, eps=1e-5)
// %arg0 = x: f16 [tokens, 256]
// %arg1 = gamma: f16 [256]
// %arg2 = linear.weight: f16 [192, 256]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @functional_rms_norm_linear_f16(%arg0: tensor<?x256xf16>, %arg1: tensor<256xf16>, %arg2: tensor<192x256xf16>) -> tensor<?x192xf16> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.560000e+02 : f16
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xf16>
    %0 = tensor.empty(%dim) : tensor<?x256xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<?x256xf16>, tensor<?x256xf16>) outs(%0 : tensor<?x256xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %16 = arith.mulf %in, %in_3 : f16
      linalg.yield %16 : f16
    } -> tensor<?x256xf16>
    %2 = tensor.empty(%dim) : tensor<?x1xf16>
    %3 = linalg.fill ins(%cst : f16) outs(%2 : tensor<?x1xf16>) -> tensor<?x1xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<?x256xf16>) outs(%3 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %16 = arith.addf %in, %out : f16
      linalg.yield %16 : f16
    } -> tensor<?x1xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x1xf16>) outs(%2 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %16 = arith.divf %in, %cst_2 : f16
      linalg.yield %16 : f16
    } -> tensor<?x1xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x1xf16>) outs(%2 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %16 = arith.truncf %cst_1 : f64 to f16
      %17 = arith.addf %in, %16 : f16
      linalg.yield %17 : f16
    } -> tensor<?x1xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1xf16>) outs(%2 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %16 = math.rsqrt %in : f16
      linalg.yield %16 : f16
    } -> tensor<?x1xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %7 : tensor<?x256xf16>, tensor<?x1xf16>) outs(%0 : tensor<?x256xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %16 = arith.mulf %in, %in_3 : f16
      linalg.yield %16 : f16
    } -> tensor<?x256xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg1 : tensor<?x256xf16>, tensor<256xf16>) outs(%0 : tensor<?x256xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %16 = arith.mulf %in, %in_3 : f16
      linalg.yield %16 : f16
    } -> tensor<?x256xf16>
    %10 = tensor.empty() : tensor<256x192xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xf16>) outs(%10 : tensor<256x192xf16>) permutation = [1, 0]
    %11 = tensor.empty(%dim) : tensor<?x192xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %13 = linalg.matmul ins(%9, %transposed : tensor<?x256xf16>, tensor<256x192xf16>) outs(%12 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %14 = tensor.empty(%dim) : tensor<?x192xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<?x192xf32>) outs(%14 : tensor<?x192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %16 = arith.truncf %in : f32 to f16
      linalg.yield %16 : f16
    } -> tensor<?x192xf16>
    return %15 : tensor<?x192xf16>
  }
}
