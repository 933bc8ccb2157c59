// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py residual_projection_bf16
// Module: OutputProjection(hidden=64)
// %arg0 = attention: bf16 [1, seq, 64]
// %arg1 = residual: bf16 [1, seq, 64]
// %arg2 = o_proj.weight: bf16 [64, 64]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @residual_projection_bf16(%arg0: tensor<1x?x64xbf16>, %arg1: tensor<1x?x64xbf16>, %arg2: tensor<64x64xbf16>) -> tensor<1x?x64xbf16> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x64xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<64x64xbf16>) outs(%0 : tensor<64x64xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x?x64xbf16> into tensor<?x64xbf16>
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x64xbf16>
    %1 = tensor.empty(%dim) : tensor<?x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%2 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %4 = tensor.empty(%dim) : tensor<?x64xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<?x64xf32>) outs(%4 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %9 = arith.truncf %in : f32 to bf16
      linalg.yield %9 : bf16
    } -> tensor<?x64xbf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [1, %dim, 64] : tensor<?x64xbf16> into tensor<1x?x64xbf16>
    %dim_0 = tensor.dim %arg1, %c1 : tensor<1x?x64xbf16>
    %6 = arith.cmpi eq, %dim_0, %dim : index
    cf.assert %6, "mismatched size for broadcast"
    %7 = tensor.empty(%dim_0) : tensor<1x?x64xbf16>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %expanded : tensor<1x?x64xbf16>, tensor<1x?x64xbf16>) outs(%7 : tensor<1x?x64xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %9 = arith.addf %in, %in_1 : bf16
      linalg.yield %9 : bf16
    } -> tensor<1x?x64xbf16>
    return %8 : tensor<1x?x64xbf16>
  }
}
