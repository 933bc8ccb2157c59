// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py layernorm_linear_bias_oddk_f16
// Module: NormLinear(nn.LayerNorm(97, eps=1e-5), nn.Linear(97, 75))
// %arg0 = x: f16 [tokens, 97]
// %arg1 = norm.weight: f16 [97]
// %arg2 = norm.bias: f16 [97]
// %arg3 = linear.weight: f16 [75, 97]
// %arg4 = linear.bias: f16 [75]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @layernorm_linear_bias_oddk_f16(%arg0: tensor<?x97xf16>, %arg1: tensor<97xf16>, %arg2: tensor<97xf16>, %arg3: tensor<75x97xf16>, %arg4: tensor<75xf16>) -> tensor<?x75xf16> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 9.700000e+01 : f64
    %cst_3 = arith.constant 9.700000e+01 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x97xf16>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?x97xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x97xf16>) outs(%1 : tensor<?x97xf32>) {
    ^bb0(%in: f16, %out: f32):
      %41 = arith.extf %in : f16 to f32
      linalg.yield %41 : f32
    } -> tensor<?x97xf32>
    %3 = tensor.empty(%dim) : tensor<?x97xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x97xf32>) outs(%3 : tensor<?x97xf64>) {
    ^bb0(%in: f32, %out: f64):
      %41 = arith.extf %in : f32 to f64
      linalg.yield %41 : f64
    } -> tensor<?x97xf64>
    %5 = tensor.empty(%dim) : tensor<?x1xf64>
    %6 = linalg.fill ins(%cst : f64) outs(%5 : tensor<?x1xf64>) -> tensor<?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<?x97xf64>) outs(%6 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.addf %in, %out : f64
      linalg.yield %41 : f64
    } -> tensor<?x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<?x1xf64>) outs(%5 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.divf %in, %cst_2 : f64
      linalg.yield %41 : f64
    } -> tensor<?x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %8 : tensor<?x97xf64>, tensor<?x1xf64>) outs(%3 : tensor<?x97xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %41 = arith.subf %in, %in_4 : f64
      linalg.yield %41 : f64
    } -> tensor<?x97xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %9 : tensor<?x97xf64>, tensor<?x97xf64>) outs(%3 : tensor<?x97xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %41 = arith.mulf %in, %in_4 : f64
      linalg.yield %41 : f64
    } -> tensor<?x97xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<?x97xf64>) outs(%6 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.addf %in, %out : f64
      linalg.yield %41 : f64
    } -> tensor<?x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<?x1xf64>) outs(%5 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.divf %in, %cst_2 : f64
      linalg.yield %41 : f64
    } -> tensor<?x1xf64>
    %13 = tensor.empty(%dim) : tensor<?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x1xf64>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %41 = arith.truncf %in : f64 to f32
      linalg.yield %41 : f32
    } -> tensor<?x1xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<?x97xf32>) outs(%15 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.divf %in, %cst_3 : f32
      linalg.yield %41 : f32
    } -> tensor<?x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_1 : f64 to f32
      %42 = arith.addf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.rsqrt %in : f32
      linalg.yield %41 : f32
    } -> tensor<?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %17 : tensor<?x97xf32>, tensor<?x1xf32>) outs(%1 : tensor<?x97xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.subf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<?x97xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %19 : tensor<?x97xf32>, tensor<?x1xf32>) outs(%1 : tensor<?x97xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<?x97xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg1 : tensor<?x97xf32>, tensor<97xf16>) outs(%1 : tensor<?x97xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %41 = arith.extf %in_4 : f16 to f32
      %42 = arith.mulf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<?x97xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %arg2 : tensor<?x97xf32>, tensor<97xf16>) outs(%1 : tensor<?x97xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %41 = arith.extf %in_4 : f16 to f32
      %42 = arith.addf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<?x97xf32>
    %24 = tensor.empty(%dim) : tensor<?x97xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<?x97xf32>) outs(%24 : tensor<?x97xf16>) {
    ^bb0(%in: f32, %out: f16):
      %41 = arith.truncf %in : f32 to f16
      linalg.yield %41 : f16
    } -> tensor<?x97xf16>
    %26 = tensor.empty() : tensor<97x75xf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<75x97xf16>) outs(%26 : tensor<97x75xf16>) permutation = [1, 0]
    %27 = tensor.empty() : tensor<75xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<75xf16>) outs(%27 : tensor<75xf32>) {
    ^bb0(%in: f16, %out: f32):
      %41 = arith.extf %in : f16 to f32
      linalg.yield %41 : f32
    } -> tensor<75xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x97xf16>) outs(%1 : tensor<?x97xf32>) {
    ^bb0(%in: f16, %out: f32):
      %41 = arith.extf %in : f16 to f32
      linalg.yield %41 : f32
    } -> tensor<?x97xf32>
    %30 = tensor.empty() : tensor<97x75xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<97x75xf16>) outs(%30 : tensor<97x75xf32>) {
    ^bb0(%in: f16, %out: f32):
      %41 = arith.extf %in : f16 to f32
      linalg.yield %41 : f32
    } -> tensor<97x75xf32>
    %32 = tensor.empty(%dim) : tensor<?x75xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<?x75xf32>) -> tensor<?x75xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<?x97xf32>, tensor<97x75xf32>) outs(%33 : tensor<?x75xf32>) -> tensor<?x75xf32>
    %35 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %35, "negative values not allowed in new dimensions"
    %36 = tensor.empty(%dim) : tensor<?x75xf32>
    %37 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<75xf32>) outs(%36 : tensor<?x75xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x75xf32>
    cf.assert %true, "mismatched size for broadcast"
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %37 : tensor<?x75xf32>, tensor<?x75xf32>) outs(%32 : tensor<?x75xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.addf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<?x75xf32>
    %39 = tensor.empty(%dim) : tensor<?x75xf16>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<?x75xf32>) outs(%39 : tensor<?x75xf16>) {
    ^bb0(%in: f32, %out: f16):
      %41 = arith.truncf %in : f32 to f16
      linalg.yield %41 : f16
    } -> tensor<?x75xf16>
    return %40 : tensor<?x75xf16>
  }
}
