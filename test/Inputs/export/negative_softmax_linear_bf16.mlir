// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py negative_softmax_linear_bf16
// Module: SoftmaxLinear(hidden=128, out_features=96)
// %arg0 = x: bf16 [1, seq, 128]
// %arg1 = linear.weight: bf16 [96, 128]
// Negative: there is no norm + Linear chain to fuse.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @negative_softmax_linear_bf16(%arg0: tensor<1x?x128xbf16>, %arg1: tensor<96x128xbf16>) -> tensor<1x?x96xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x128xbf16>
    %0 = tensor.empty(%dim) : tensor<1x?x128xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x128xbf16>) outs(%0 : tensor<1x?x128xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %21 = arith.extf %in : bf16 to f32
      linalg.yield %21 : f32
    } -> tensor<1x?x128xf32>
    %2 = tensor.empty(%dim) : tensor<1x?xi64>
    %3 = linalg.fill ins(%c0_i64 : i64) outs(%2 : tensor<1x?xi64>) -> tensor<1x?xi64>
    %4 = tensor.empty(%dim) : tensor<1x?xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %6:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x?x128xf32>) outs(%5, %3 : tensor<1x?xf32>, tensor<1x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_2: i64):
      %21 = linalg.index 2 : index
      %22 = arith.index_cast %21 : index to i64
      %23 = arith.maximumf %in, %out : f32
      %24 = arith.cmpf ogt, %in, %out : f32
      %25 = arith.select %24, %22, %out_2 : i64
      linalg.yield %23, %25 : f32, i64
    } -> (tensor<1x?xf32>, tensor<1x?xi64>)
    %expanded = tensor.expand_shape %6#0 [[0], [1, 2]] output_shape [1, %dim, 1] : tensor<1x?xf32> into tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded : tensor<1x?x128xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.subf %in, %in_2 : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x128xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x128xf32>) outs(%0 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.exp %in : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x128xf32>
    %9 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x?x128xf32>) outs(%10 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %11 : tensor<1x?x128xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.divf %in, %in_2 : f32
      linalg.yield %21 : f32
    } -> tensor<1x?x128xf32>
    %13 = tensor.empty(%dim) : tensor<1x?x128xbf16>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x?x128xf32>) outs(%13 : tensor<1x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %21 = arith.truncf %in : f32 to bf16
      linalg.yield %21 : bf16
    } -> tensor<1x?x128xbf16>
    %15 = tensor.empty() : tensor<128x96xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<96x128xbf16>) outs(%15 : tensor<128x96xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x?x128xbf16> into tensor<?x128xbf16>
    %16 = tensor.empty(%dim) : tensor<?x96xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %18 = linalg.matmul ins(%collapsed, %transposed : tensor<?x128xbf16>, tensor<128x96xbf16>) outs(%17 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %19 = tensor.empty(%dim) : tensor<?x96xbf16>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x96xf32>) outs(%19 : tensor<?x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %21 = arith.truncf %in : f32 to bf16
      linalg.yield %21 : bf16
    } -> tensor<?x96xbf16>
    %expanded_1 = tensor.expand_shape %20 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xbf16> into tensor<1x?x96xbf16>
    return %expanded_1 : tensor<1x?x96xbf16>
  }
}
