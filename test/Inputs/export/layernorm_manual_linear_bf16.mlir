// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_manual_linear_bf16
// Module: NormLinear(ManualLayerNorm(128), nn.Linear(128, 96))
// %arg0 = x: bf16 [1, seq, 128]
// %arg1 = norm.weight: bf16 [128]
// %arg2 = norm.bias: bf16 [128]
// %arg3 = linear.weight: bf16 [96, 128]
// %arg4 = linear.bias: bf16 [96]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @layernorm_manual_linear_bf16(%arg0: tensor<1x?x128xbf16>, %arg1: tensor<128xbf16>, %arg2: tensor<128xbf16>, %arg3: tensor<96x128xbf16>, %arg4: tensor<96xbf16>) -> tensor<1x?x96xbf16> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : bf16
    %c1 = arith.constant 1 : index
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 1.280000e+02 : bf16
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x128xbf16>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<1x?x1xbf16>
    %2 = linalg.fill ins(%cst : bf16) outs(%1 : tensor<1x?x1xbf16>) -> tensor<1x?x1xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x?x128xbf16>) outs(%2 : tensor<1x?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %31 = arith.addf %in, %out : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x1xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x?x1xbf16>) outs(%1 : tensor<1x?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %31 = arith.divf %in, %cst_2 : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x1xbf16>
    %5 = tensor.empty(%dim) : tensor<1x?x128xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<1x?x128xbf16>, tensor<1x?x1xbf16>) outs(%5 : tensor<1x?x128xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %31 = arith.subf %in, %in_3 : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x128xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x?x128xbf16>, tensor<1x?x128xbf16>) outs(%5 : tensor<1x?x128xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %31 = arith.mulf %in, %in_3 : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x128xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x?x128xbf16>) outs(%2 : tensor<1x?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %31 = arith.addf %in, %out : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x1xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x?x1xbf16>) outs(%1 : tensor<1x?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %31 = arith.divf %in, %cst_2 : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x1xbf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x1xbf16>) outs(%1 : tensor<1x?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %31 = arith.truncf %cst_1 : f64 to bf16
      %32 = arith.addf %in, %31 : bf16
      linalg.yield %32 : bf16
    } -> tensor<1x?x1xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x?x1xbf16>) outs(%1 : tensor<1x?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %31 = math.sqrt %in : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x1xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %11 : tensor<1x?x128xbf16>, tensor<1x?x1xbf16>) outs(%5 : tensor<1x?x128xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %31 = arith.divf %in, %in_3 : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x128xbf16>
    %13 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %12 : tensor<128xbf16>, tensor<1x?x128xbf16>) outs(%5 : tensor<1x?x128xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %31 = arith.mulf %in, %in_3 : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x128xbf16>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %arg2 : tensor<1x?x128xbf16>, tensor<128xbf16>) outs(%5 : tensor<1x?x128xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %31 = arith.addf %in, %in_3 : bf16
      linalg.yield %31 : bf16
    } -> tensor<1x?x128xbf16>
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x?x128xbf16> into tensor<?x128xbf16>
    %15 = tensor.empty() : tensor<128x96xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x128xbf16>) outs(%15 : tensor<128x96xbf16>) permutation = [1, 0]
    %16 = tensor.empty() : tensor<96xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<96xbf16>) outs(%16 : tensor<96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %31 = arith.extf %in : bf16 to f32
      linalg.yield %31 : f32
    } -> tensor<96xf32>
    %18 = tensor.empty(%dim) : tensor<?x128xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<?x128xbf16>) outs(%18 : tensor<?x128xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %31 = arith.extf %in : bf16 to f32
      linalg.yield %31 : f32
    } -> tensor<?x128xf32>
    %20 = tensor.empty() : tensor<128x96xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<128x96xbf16>) outs(%20 : tensor<128x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %31 = arith.extf %in : bf16 to f32
      linalg.yield %31 : f32
    } -> tensor<128x96xf32>
    %22 = tensor.empty(%dim) : tensor<?x96xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %24 = linalg.matmul ins(%19, %21 : tensor<?x128xf32>, tensor<128x96xf32>) outs(%23 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %25 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %25, "negative values not allowed in new dimensions"
    %26 = tensor.empty(%dim) : tensor<?x96xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<96xf32>) outs(%26 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x96xf32>
    cf.assert %true, "mismatched size for broadcast"
    %28 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%24, %27 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%22 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.addf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<?x96xf32>
    %29 = tensor.empty(%dim) : tensor<?x96xbf16>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<?x96xf32>) outs(%29 : tensor<?x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %31 = arith.truncf %in : f32 to bf16
      linalg.yield %31 : bf16
    } -> tensor<?x96xbf16>
    %expanded = tensor.expand_shape %30 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xbf16> into tensor<1x?x96xbf16>
    return %expanded : tensor<1x?x96xbf16>
  }
}
