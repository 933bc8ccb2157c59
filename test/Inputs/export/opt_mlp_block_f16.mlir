// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py opt_mlp_block_f16
// Module: MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=F.relu, bias=True)
// %arg0 = x: f16 [tokens, 64]
// %arg1 = norm.weight: f16 [64]
// %arg2 = norm.bias: f16 [64]
// %arg3 = up_proj.weight: f16 [96, 64]
// %arg4 = up_proj.bias: f16 [96]
// %arg5 = down_proj.weight: f16 [64, 96]
// %arg6 = down_proj.bias: f16 [64]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @opt_mlp_block_f16(%arg0: tensor<?x64xf16>, %arg1: tensor<64xf16>, %arg2: tensor<64xf16>, %arg3: tensor<96x64xf16>, %arg4: tensor<96xf16>, %arg5: tensor<64x96xf16>, %arg6: tensor<64xf16>) -> tensor<?x64xf16> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f16
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant 6.400000e+01 : f64
    %cst_4 = arith.constant 6.400000e+01 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x64xf16>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x64xf16>) outs(%1 : tensor<?x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %55 = arith.extf %in : f16 to f32
      linalg.yield %55 : f32
    } -> tensor<?x64xf32>
    %3 = tensor.empty(%dim) : tensor<?x64xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x64xf32>) outs(%3 : tensor<?x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %55 = arith.extf %in : f32 to f64
      linalg.yield %55 : f64
    } -> tensor<?x64xf64>
    %5 = tensor.empty(%dim) : tensor<?x1xf64>
    %6 = linalg.fill ins(%cst : f64) outs(%5 : tensor<?x1xf64>) -> tensor<?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<?x64xf64>) outs(%6 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %55 = arith.addf %in, %out : f64
      linalg.yield %55 : f64
    } -> tensor<?x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<?x1xf64>) outs(%5 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %55 = arith.divf %in, %cst_3 : f64
      linalg.yield %55 : f64
    } -> tensor<?x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %8 : tensor<?x64xf64>, tensor<?x1xf64>) outs(%3 : tensor<?x64xf64>) {
    ^bb0(%in: f64, %in_6: f64, %out: f64):
      %55 = arith.subf %in, %in_6 : f64
      linalg.yield %55 : f64
    } -> tensor<?x64xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %9 : tensor<?x64xf64>, tensor<?x64xf64>) outs(%3 : tensor<?x64xf64>) {
    ^bb0(%in: f64, %in_6: f64, %out: f64):
      %55 = arith.mulf %in, %in_6 : f64
      linalg.yield %55 : f64
    } -> tensor<?x64xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<?x64xf64>) outs(%6 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %55 = arith.addf %in, %out : f64
      linalg.yield %55 : f64
    } -> tensor<?x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<?x1xf64>) outs(%5 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %55 = arith.divf %in, %cst_3 : f64
      linalg.yield %55 : f64
    } -> tensor<?x1xf64>
    %13 = tensor.empty(%dim) : tensor<?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x1xf64>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %55 = arith.truncf %in : f64 to f32
      linalg.yield %55 : f32
    } -> tensor<?x1xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<?x64xf32>) outs(%15 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %in, %out : f32
      linalg.yield %55 : f32
    } -> tensor<?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.divf %in, %cst_4 : f32
      linalg.yield %55 : f32
    } -> tensor<?x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.truncf %cst_2 : f64 to f32
      %56 = arith.addf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = math.rsqrt %in : f32
      linalg.yield %55 : f32
    } -> tensor<?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %17 : tensor<?x64xf32>, tensor<?x1xf32>) outs(%1 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %55 = arith.subf %in, %in_6 : f32
      linalg.yield %55 : f32
    } -> tensor<?x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %19 : tensor<?x64xf32>, tensor<?x1xf32>) outs(%1 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %55 = arith.mulf %in, %in_6 : f32
      linalg.yield %55 : f32
    } -> tensor<?x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg1 : tensor<?x64xf32>, tensor<64xf16>) outs(%1 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_6: f16, %out: f32):
      %55 = arith.extf %in_6 : f16 to f32
      %56 = arith.mulf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<?x64xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %arg2 : tensor<?x64xf32>, tensor<64xf16>) outs(%1 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_6: f16, %out: f32):
      %55 = arith.extf %in_6 : f16 to f32
      %56 = arith.addf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<?x64xf32>
    %24 = tensor.empty(%dim) : tensor<?x64xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<?x64xf32>) outs(%24 : tensor<?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %55 = arith.truncf %in : f32 to f16
      linalg.yield %55 : f16
    } -> tensor<?x64xf16>
    %26 = tensor.empty() : tensor<64x96xf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x64xf16>) outs(%26 : tensor<64x96xf16>) permutation = [1, 0]
    %27 = tensor.empty() : tensor<96xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<96xf16>) outs(%27 : tensor<96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %55 = arith.extf %in : f16 to f32
      linalg.yield %55 : f32
    } -> tensor<96xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x64xf16>) outs(%1 : tensor<?x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %55 = arith.extf %in : f16 to f32
      linalg.yield %55 : f32
    } -> tensor<?x64xf32>
    %30 = tensor.empty() : tensor<64x96xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x96xf16>) outs(%30 : tensor<64x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %55 = arith.extf %in : f16 to f32
      linalg.yield %55 : f32
    } -> tensor<64x96xf32>
    %32 = tensor.empty(%dim) : tensor<?x96xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<?x64xf32>, tensor<64x96xf32>) outs(%33 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %35 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %35, "negative values not allowed in new dimensions"
    %36 = tensor.empty(%dim) : tensor<?x96xf32>
    %37 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<96xf32>) outs(%36 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x96xf32>
    cf.assert %true, "mismatched size for broadcast"
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %37 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%32 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %55 = arith.addf %in, %in_6 : f32
      linalg.yield %55 : f32
    } -> tensor<?x96xf32>
    %39 = tensor.empty(%dim) : tensor<?x96xf16>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<?x96xf32>) outs(%39 : tensor<?x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %55 = arith.truncf %in : f32 to f16
      linalg.yield %55 : f16
    } -> tensor<?x96xf16>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<?x96xf16>) outs(%39 : tensor<?x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %55 = arith.cmpf ugt, %in, %cst_1 : f16
      %56 = arith.select %55, %in, %cst_1 : f16
      linalg.yield %56 : f16
    } -> tensor<?x96xf16>
    %42 = tensor.empty() : tensor<96x64xf16>
    %transposed_5 = linalg.transpose ins(%arg5 : tensor<64x96xf16>) outs(%42 : tensor<96x64xf16>) permutation = [1, 0]
    %43 = tensor.empty() : tensor<64xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg6 : tensor<64xf16>) outs(%43 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %55 = arith.extf %in : f16 to f32
      linalg.yield %55 : f32
    } -> tensor<64xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<?x96xf16>) outs(%32 : tensor<?x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %55 = arith.extf %in : f16 to f32
      linalg.yield %55 : f32
    } -> tensor<?x96xf32>
    %46 = tensor.empty() : tensor<96x64xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed_5 : tensor<96x64xf16>) outs(%46 : tensor<96x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %55 = arith.extf %in : f16 to f32
      linalg.yield %55 : f32
    } -> tensor<96x64xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %49 = linalg.matmul ins(%45, %47 : tensor<?x96xf32>, tensor<96x64xf32>) outs(%48 : tensor<?x64xf32>) -> tensor<?x64xf32>
    cf.assert %35, "negative values not allowed in new dimensions"
    %50 = tensor.empty(%dim) : tensor<?x64xf32>
    %51 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<64xf32>) outs(%50 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x64xf32>
    cf.assert %true, "mismatched size for broadcast"
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%49, %51 : tensor<?x64xf32>, tensor<?x64xf32>) outs(%1 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %55 = arith.addf %in, %in_6 : f32
      linalg.yield %55 : f32
    } -> tensor<?x64xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<?x64xf32>) outs(%24 : tensor<?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %55 = arith.truncf %in : f32 to f16
      linalg.yield %55 : f16
    } -> tensor<?x64xf16>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %53 : tensor<?x64xf16>, tensor<?x64xf16>) outs(%24 : tensor<?x64xf16>) {
    ^bb0(%in: f16, %in_6: f16, %out: f16):
      %55 = arith.addf %in, %in_6 : f16
      linalg.yield %55 : f16
    } -> tensor<?x64xf16>
    return %54 : tensor<?x64xf16>
  }
}
