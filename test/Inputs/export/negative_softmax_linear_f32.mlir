// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py negative_softmax_linear_f32
// Module: SoftmaxLinear(hidden=128, out_features=96)
// %arg0 = x: f32 [1, seq, 128]
// %arg1 = linear.weight: f32 [96, 128]
// Negative: there is no norm + Linear chain to fuse.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @negative_softmax_linear_f32(%arg0: tensor<1x?x128xf32>, %arg1: tensor<96x128xf32>) -> tensor<1x?x96xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x128xf32>
    %0 = tensor.empty(%dim) : tensor<1x?xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<1x?xi64>) -> tensor<1x?xi64>
    %2 = tensor.empty(%dim) : tensor<1x?xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x?x128xf32>) outs(%3, %1 : tensor<1x?xf32>, tensor<1x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_2: i64):
      %16 = linalg.index 2 : index
      %17 = arith.index_cast %16 : index to i64
      %18 = arith.maximumf %in, %out : f32
      %19 = arith.cmpf ogt, %in, %out : f32
      %20 = arith.select %19, %17, %out_2 : i64
      linalg.yield %18, %20 : f32, i64
    } -> (tensor<1x?xf32>, tensor<1x?xi64>)
    %expanded = tensor.expand_shape %4#0 [[0], [1, 2]] output_shape [1, %dim, 1] : tensor<1x?xf32> into tensor<1x?x1xf32>
    %5 = tensor.empty(%dim) : tensor<1x?x128xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded : tensor<1x?x128xf32>, tensor<1x?x1xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.subf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<1x?x128xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x128xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.exp %in : f32
      linalg.yield %16 : f32
    } -> tensor<1x?x128xf32>
    %8 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x?x128xf32>) outs(%9 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<1x?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %10 : tensor<1x?x128xf32>, tensor<1x?x1xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.divf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<1x?x128xf32>
    %12 = tensor.empty() : tensor<128x96xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<96x128xf32>) outs(%12 : tensor<128x96xf32>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<1x?x128xf32> into tensor<?x128xf32>
    %13 = tensor.empty(%dim) : tensor<?x96xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %15 = linalg.matmul ins(%collapsed, %transposed : tensor<?x128xf32>, tensor<128x96xf32>) outs(%14 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %expanded_1 = tensor.expand_shape %15 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xf32> into tensor<1x?x96xf32>
    return %expanded_1 : tensor<1x?x96xf32>
  }
}
