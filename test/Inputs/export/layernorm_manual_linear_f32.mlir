// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_manual_linear_f32
// Module: NormLinear(ManualLayerNorm(128), nn.Linear(128, 96))
// %arg0 = x: f32 [1, seq, 128]
// %arg1 = norm.weight: f32 [128]
// %arg2 = norm.bias: f32 [128]
// %arg3 = linear.weight: f32 [96, 128]
// %arg4 = linear.bias: f32 [96]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @layernorm_manual_linear_f32(%arg0: tensor<1x?x128xf32>, %arg1: tensor<128xf32>, %arg2: tensor<128xf32>, %arg3: tensor<96x128xf32>, %arg4: tensor<96xf32>) -> tensor<1x?x96xf32> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant 1.280000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x128xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x?x128xf32>) outs(%2 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %in, %out : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x?x1xf32>) outs(%1 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.divf %in, %cst_1 : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x1xf32>
    %5 = tensor.empty(%dim) : tensor<1x?x128xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<1x?x128xf32>, tensor<1x?x1xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.subf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x128xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x?x128xf32>, tensor<1x?x128xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.mulf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x128xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x?x128xf32>) outs(%2 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %in, %out : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x?x1xf32>) outs(%1 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.divf %in, %cst_1 : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x1xf32>) outs(%1 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.truncf %cst_0 : f64 to f32
      %24 = arith.addf %in, %23 : f32
      linalg.yield %24 : f32
    } -> tensor<1x?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x?x1xf32>) outs(%1 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = math.sqrt %in : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %11 : tensor<1x?x128xf32>, tensor<1x?x1xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.divf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x128xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %12 : tensor<128xf32>, tensor<1x?x128xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.mulf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x128xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %arg2 : tensor<1x?x128xf32>, tensor<128xf32>) outs(%5 : tensor<1x?x128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.addf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<1x?x128xf32>
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x?x128xf32> into tensor<?x128xf32>
    %15 = tensor.empty() : tensor<128x96xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x128xf32>) outs(%15 : tensor<128x96xf32>) permutation = [1, 0]
    %16 = tensor.empty(%dim) : tensor<?x96xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %18 = linalg.matmul ins(%collapsed, %transposed : tensor<?x128xf32>, tensor<128x96xf32>) outs(%17 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %19 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %19, "negative values not allowed in new dimensions"
    %20 = tensor.empty(%dim) : tensor<?x96xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<96xf32>) outs(%20 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x96xf32>
    cf.assert %true, "mismatched size for broadcast"
    %22 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%18, %21 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%16 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %23 = arith.addf %in, %in_2 : f32
      linalg.yield %23 : f32
    } -> tensor<?x96xf32>
    %expanded = tensor.expand_shape %22 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xf32> into tensor<1x?x96xf32>
    return %expanded : tensor<1x?x96xf32>
  }
}
