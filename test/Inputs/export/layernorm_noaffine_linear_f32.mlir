// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_noaffine_linear_f32
// Module: NormLinear(nn.LayerNorm(128, elementwise_affine=False), nn.Linear(128, 96))
// %arg0 = x: f32 [tokens, 128]
// %arg1 = linear.weight: f32 [96, 128]
// %arg2 = linear.bias: f32 [96]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @layernorm_noaffine_linear_f32(%arg0: tensor<?x128xf32>, %arg1: tensor<96x128xf32>, %arg2: tensor<96xf32>) -> tensor<?x96xf32> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 1.280000e+02 : f64
    %cst_3 = arith.constant 1.280000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x128xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?x128xf64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x128xf32>) outs(%1 : tensor<?x128xf64>) {
    ^bb0(%in: f32, %out: f64):
      %29 = arith.extf %in : f32 to f64
      linalg.yield %29 : f64
    } -> tensor<?x128xf64>
    %3 = tensor.empty(%dim) : tensor<?x1xf64>
    %4 = linalg.fill ins(%cst : f64) outs(%3 : tensor<?x1xf64>) -> tensor<?x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<?x128xf64>) outs(%4 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %29 = arith.addf %in, %out : f64
      linalg.yield %29 : f64
    } -> tensor<?x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x1xf64>) outs(%3 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %29 = arith.divf %in, %cst_2 : f64
      linalg.yield %29 : f64
    } -> tensor<?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<?x128xf64>, tensor<?x1xf64>) outs(%1 : tensor<?x128xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %29 = arith.subf %in, %in_4 : f64
      linalg.yield %29 : f64
    } -> tensor<?x128xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %7 : tensor<?x128xf64>, tensor<?x128xf64>) outs(%1 : tensor<?x128xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %29 = arith.mulf %in, %in_4 : f64
      linalg.yield %29 : f64
    } -> tensor<?x128xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<?x128xf64>) outs(%4 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %29 = arith.addf %in, %out : f64
      linalg.yield %29 : f64
    } -> tensor<?x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x1xf64>) outs(%3 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %29 = arith.divf %in, %cst_2 : f64
      linalg.yield %29 : f64
    } -> tensor<?x1xf64>
    %11 = tensor.empty(%dim) : tensor<?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x1xf64>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %29 = arith.truncf %in : f64 to f32
      linalg.yield %29 : f32
    } -> tensor<?x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x128xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<?x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x1xf32>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.divf %in, %cst_3 : f32
      linalg.yield %29 : f32
    } -> tensor<?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x1xf32>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.truncf %cst_1 : f64 to f32
      %30 = arith.addf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x1xf32>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.rsqrt %in : f32
      linalg.yield %29 : f32
    } -> tensor<?x1xf32>
    %18 = tensor.empty(%dim) : tensor<?x128xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %15 : tensor<?x128xf32>, tensor<?x1xf32>) outs(%18 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %29 = arith.subf %in, %in_4 : f32
      linalg.yield %29 : f32
    } -> tensor<?x128xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %17 : tensor<?x128xf32>, tensor<?x1xf32>) outs(%18 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %29 = arith.mulf %in, %in_4 : f32
      linalg.yield %29 : f32
    } -> tensor<?x128xf32>
    %21 = tensor.empty() : tensor<128x96xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<96x128xf32>) outs(%21 : tensor<128x96xf32>) permutation = [1, 0]
    %22 = tensor.empty(%dim) : tensor<?x96xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %24 = linalg.matmul ins(%20, %transposed : tensor<?x128xf32>, tensor<128x96xf32>) outs(%23 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %25 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %25, "negative values not allowed in new dimensions"
    %26 = tensor.empty(%dim) : tensor<?x96xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<96xf32>) outs(%26 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x96xf32>
    cf.assert %true, "mismatched size for broadcast"
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %27 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%22 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %29 = arith.addf %in, %in_4 : f32
      linalg.yield %29 : f32
    } -> tensor<?x96xf32>
    return %28 : tensor<?x96xf32>
  }
}
