// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama_rmsnorm_residual_linear_bf16
// Module: ResidualRMSNormLinear(hidden=256, out_features=192)
// %arg0 = x: bf16 [1, seq, 256]
// %arg1 = residual: bf16 [1, seq, 256]
// %arg2 = norm.weight: bf16 [256]
// %arg3 = linear.weight: bf16 [192, 256]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @llama_rmsnorm_residual_linear_bf16(%arg0: tensor<1x?x256xbf16>, %arg1: tensor<1x?x256xbf16>, %arg2: tensor<256xbf16>, %arg3: tensor<192x256xbf16>) -> (tensor<1x?x192xbf16>, tensor<1x?x256xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x256xbf16>
    %dim_2 = tensor.dim %arg1, %c1 : tensor<1x?x256xbf16>
    %0 = arith.cmpi eq, %dim, %dim_2 : index
    cf.assert %0, "mismatched size for broadcast"
    %1 = tensor.empty(%dim) : tensor<1x?x256xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<1x?x256xbf16>, tensor<1x?x256xbf16>) outs(%1 : tensor<1x?x256xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %21 = arith.addf %in, %in_3 : bf16
      linalg.yield %21 : bf16
    } -> tensor<1x?x256xbf16>
    %3 = tensor.empty(%dim) : tensor<1x?x256xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x?x256xbf16>) outs(%3 : tensor<1x?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %21 = arith.extf %in : bf16 to f32
      linalg.yield %21 : f32
    } -> tensor<1x?x256xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x?x256xf32>) outs(%3 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %21 : f32
    } -> tensor<1x?x256xf32>
    %6 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<1x?x256xf32>) outs(%7 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x?x1xf32>) outs(%6 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.divf %in, %cst_1 : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x1xf32>) outs(%6 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.truncf %cst_0 : f64 to f32
      %22 = arith.addf %in, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<1x?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x?x1xf32>) outs(%6 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.rsqrt %in : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %11 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%3 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.mulf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x?x256xf32>) outs(%1 : tensor<1x?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %21 = arith.truncf %in : f32 to bf16
      linalg.yield %21 : bf16
    } -> tensor<1x?x256xbf16>
    %14 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %13 : tensor<256xbf16>, tensor<1x?x256xbf16>) outs(%1 : tensor<1x?x256xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %21 = arith.mulf %in, %in_3 : bf16
      linalg.yield %21 : bf16
    } -> tensor<1x?x256xbf16>
    %15 = tensor.empty() : tensor<256x192xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<192x256xbf16>) outs(%15 : tensor<256x192xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x?x256xbf16> into tensor<?x256xbf16>
    %16 = tensor.empty(%dim) : tensor<?x192xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %18 = linalg.matmul ins(%collapsed, %transposed : tensor<?x256xbf16>, tensor<256x192xbf16>) outs(%17 : tensor<?x192xf32>) -> tensor<?x192xf32>
    %19 = tensor.empty(%dim) : tensor<?x192xbf16>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x192xf32>) outs(%19 : tensor<?x192xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %21 = arith.truncf %in : f32 to bf16
      linalg.yield %21 : bf16
    } -> tensor<?x192xbf16>
    %expanded = tensor.expand_shape %20 [[0, 1], [2]] output_shape [1, %dim, 192] : tensor<?x192xbf16> into tensor<1x?x192xbf16>
    return %expanded, %2 : tensor<1x?x192xbf16>, tensor<1x?x256xbf16>
  }
}
