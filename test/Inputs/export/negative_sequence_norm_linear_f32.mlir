// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py negative_sequence_norm_linear_f32
// Module: SequenceNormLinear(hidden=128, out_features=96)
// %arg0 = x: f32 [1, seq, 128]
// %arg1 = linear.weight: f32 [96, 128]
// Negative: there is no norm + Linear chain to fuse.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
module {
  func.func @negative_sequence_norm_linear_f32(%arg0: tensor<1x?x128xf32>, %arg1: tensor<96x128xf32>) -> tensor<1x?x96xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x128xf32>
    %0 = tensor.empty(%dim) : tensor<1x?x128xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x128xf32>) outs(%0 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %14 : f32
    } -> tensor<1x?x128xf32>
    %2 = tensor.empty() : tensor<1x1x128xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x1x128xf32>) -> tensor<1x1x128xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel"]} ins(%1 : tensor<1x?x128xf32>) outs(%3 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.addf %in, %out : f32
      linalg.yield %14 : f32
    } -> tensor<1x1x128xf32>
    %5 = arith.index_cast %dim : index to i64
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x1x128xf32>) outs(%2 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.sitofp %5 : i64 to f32
      %15 = arith.divf %in, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<1x1x128xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x128xf32>) outs(%2 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.truncf %cst_0 : f64 to f32
      %15 = arith.addf %in, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<1x1x128xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1x128xf32>) outs(%2 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = math.rsqrt %in : f32
      linalg.yield %14 : f32
    } -> tensor<1x1x128xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<1x?x128xf32>, tensor<1x1x128xf32>) outs(%0 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.mulf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<1x?x128xf32>
    %10 = tensor.empty() : tensor<128x96xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<96x128xf32>) outs(%10 : tensor<128x96xf32>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x?x128xf32> into tensor<?x128xf32>
    %11 = tensor.empty(%dim) : tensor<?x96xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %13 = linalg.matmul ins(%collapsed, %transposed : tensor<?x128xf32>, tensor<128x96xf32>) outs(%12 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xf32> into tensor<1x?x96xf32>
    return %expanded : tensor<1x?x96xf32>
  }
}
