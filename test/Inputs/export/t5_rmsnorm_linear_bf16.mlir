// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py t5_rmsnorm_linear_bf16
// Module: NormLinear(T5LayerNorm(256), nn.Linear(256, 192, bias=False))
// %arg0 = x: bf16 [1, 7, 256]
// %arg1 = norm.weight: bf16 [256]
// %arg2 = linear.weight: bf16 [192, 256]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @t5_rmsnorm_linear_bf16(%arg0: tensor<1x7x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<192x256xbf16>) -> tensor<1x7x192xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 2.560000e+02 : f32
    %0 = tensor.empty() : tensor<1x7x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x256xbf16>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %19 = arith.extf %in : bf16 to f32
      linalg.yield %19 : f32
    } -> tensor<1x7x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x7x256xf32>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %19 : f32
    } -> tensor<1x7x256xf32>
    %3 = tensor.empty() : tensor<1x7x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x7x256xf32>) outs(%4 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %in, %out : f32
      linalg.yield %19 : f32
    } -> tensor<1x7x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.divf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<1x7x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.truncf %cst_0 : f64 to f32
      %20 = arith.addf %in, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x7x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x7x1xf32>) outs(%3 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.rsqrt %in : f32
      linalg.yield %19 : f32
    } -> tensor<1x7x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<1x7x256xbf16>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: bf16, %in_2: f32, %out: f32):
      %19 = arith.extf %in : bf16 to f32
      %20 = arith.mulf %19, %in_2 : f32
      linalg.yield %20 : f32
    } -> tensor<1x7x256xf32>
    %10 = tensor.empty() : tensor<1x7x256xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x7x256xf32>) outs(%10 : tensor<1x7x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %19 = arith.truncf %in : f32 to bf16
      linalg.yield %19 : bf16
    } -> tensor<1x7x256xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<256xbf16>, tensor<1x7x256xbf16>) outs(%10 : tensor<1x7x256xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %19 = arith.mulf %in, %in_2 : bf16
      linalg.yield %19 : bf16
    } -> tensor<1x7x256xbf16>
    %13 = tensor.empty() : tensor<256x192xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<192x256xbf16>) outs(%13 : tensor<256x192xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x7x256xbf16> into tensor<7x256xbf16>
    %14 = tensor.empty() : tensor<7x192xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<7x192xf32>) -> tensor<7x192xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<7x256xbf16>, tensor<256x192xbf16>) outs(%15 : tensor<7x192xf32>) -> tensor<7x192xf32>
    %17 = tensor.empty() : tensor<7x192xbf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<7x192xf32>) outs(%17 : tensor<7x192xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %19 = arith.truncf %in : f32 to bf16
      linalg.yield %19 : bf16
    } -> tensor<7x192xbf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, 7, 192] : tensor<7x192xbf16> into tensor<1x7x192xbf16>
    return %expanded : tensor<1x7x192xbf16>
  }
}
