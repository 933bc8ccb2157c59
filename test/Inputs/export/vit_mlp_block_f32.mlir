// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py vit_mlp_block_f32
// Module: MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=F.gelu, bias=True)
// %arg0 = x: f32 [batch, 5, 64]
// %arg1 = norm.weight: f32 [64]
// %arg2 = norm.bias: f32 [64]
// %arg3 = up_proj.weight: f32 [96, 64]
// %arg4 = up_proj.bias: f32 [96]
// %arg5 = down_proj.weight: f32 [64, 96]
// %arg6 = down_proj.bias: f32 [64]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<()[s0] -> (s0 * 5)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @vit_mlp_block_f32(%arg0: tensor<?x5x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<96x64xf32>, %arg4: tensor<96xf32>, %arg5: tensor<64x96xf32>, %arg6: tensor<64xf32>) -> tensor<?x5x64xf32> {
    %c5_i64 = arith.constant 5 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 5.000000e-01 : f32
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant 6.400000e+01 : f64
    %cst_5 = arith.constant 6.400000e+01 : f32
    %cst_6 = arith.constant 1.41421354 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x5x64xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?x5x64xf64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x5x64xf32>) outs(%1 : tensor<?x5x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %50 = arith.extf %in : f32 to f64
      linalg.yield %50 : f64
    } -> tensor<?x5x64xf64>
    %3 = tensor.empty(%dim) : tensor<?x5x1xf64>
    %4 = linalg.fill ins(%cst : f64) outs(%3 : tensor<?x5x1xf64>) -> tensor<?x5x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<?x5x64xf64>) outs(%4 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %50 = arith.addf %in, %out : f64
      linalg.yield %50 : f64
    } -> tensor<?x5x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<?x5x1xf64>) outs(%3 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %50 = arith.divf %in, %cst_4 : f64
      linalg.yield %50 : f64
    } -> tensor<?x5x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %6 : tensor<?x5x64xf64>, tensor<?x5x1xf64>) outs(%1 : tensor<?x5x64xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %50 = arith.subf %in, %in_10 : f64
      linalg.yield %50 : f64
    } -> tensor<?x5x64xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<?x5x64xf64>, tensor<?x5x64xf64>) outs(%1 : tensor<?x5x64xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %50 = arith.mulf %in, %in_10 : f64
      linalg.yield %50 : f64
    } -> tensor<?x5x64xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<?x5x64xf64>) outs(%4 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %50 = arith.addf %in, %out : f64
      linalg.yield %50 : f64
    } -> tensor<?x5x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<?x5x1xf64>) outs(%3 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %50 = arith.divf %in, %cst_4 : f64
      linalg.yield %50 : f64
    } -> tensor<?x5x1xf64>
    %11 = tensor.empty(%dim) : tensor<?x5x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<?x5x1xf64>) outs(%11 : tensor<?x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %50 = arith.truncf %in : f64 to f32
      linalg.yield %50 : f32
    } -> tensor<?x5x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<?x5x1xf32>) -> tensor<?x5x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<?x5x64xf32>) outs(%13 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %in, %out : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<?x5x1xf32>) outs(%11 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.divf %in, %cst_5 : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<?x5x1xf32>) outs(%11 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.truncf %cst_3 : f64 to f32
      %51 = arith.addf %in, %50 : f32
      linalg.yield %51 : f32
    } -> tensor<?x5x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<?x5x1xf32>) outs(%11 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = math.rsqrt %in : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x1xf32>
    %18 = tensor.empty(%dim) : tensor<?x5x64xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %15 : tensor<?x5x64xf32>, tensor<?x5x1xf32>) outs(%18 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %50 = arith.subf %in, %in_10 : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<?x5x64xf32>, tensor<?x5x1xf32>) outs(%18 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %50 = arith.mulf %in, %in_10 : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<?x5x64xf32>, tensor<64xf32>) outs(%18 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %50 = arith.mulf %in, %in_10 : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<?x5x64xf32>, tensor<64xf32>) outs(%18 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %50 = arith.addf %in, %in_10 : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x64xf32>
    %23 = arith.muli %0, %c5_i64 : i64
    %collapsed = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<?x5x64xf32> into tensor<?x64xf32>
    %24 = tensor.empty() : tensor<64x96xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x64xf32>) outs(%24 : tensor<64x96xf32>) permutation = [1, 0]
    %25 = affine.apply #map3()[%dim]
    %26 = tensor.empty(%25) : tensor<?x96xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %28 = linalg.matmul ins(%collapsed, %transposed : tensor<?x64xf32>, tensor<64x96xf32>) outs(%27 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %29 = arith.cmpi sge, %23, %c0_i64 : i64
    cf.assert %29, "negative values not allowed in new dimensions"
    %30 = arith.index_cast %23 : i64 to index
    %31 = tensor.empty(%30) : tensor<?x96xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<96xf32>) outs(%31 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x96xf32>
    %33 = arith.cmpi eq, %25, %30 : index
    cf.assert %33, "mismatched size for broadcast"
    %34 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%28, %32 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%26 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %50 = arith.addf %in, %in_10 : f32
      linalg.yield %50 : f32
    } -> tensor<?x96xf32>
    %35 = arith.divsi %25, %c5 : index
    %expanded = tensor.expand_shape %34 [[0, 1], [2]] output_shape [%35, 5, 96] : tensor<?x96xf32> into tensor<?x5x96xf32>
    %36 = tensor.empty(%35) : tensor<?x5x96xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x5x96xf32>) outs(%36 : tensor<?x5x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.divf %in, %cst_6 : f32
      %51 = math.erf %50 : f32
      %52 = arith.addf %51, %cst_1 : f32
      %53 = arith.mulf %52, %cst_2 : f32
      %54 = arith.mulf %in, %53 : f32
      linalg.yield %54 : f32
    } -> tensor<?x5x96xf32>
    %collapsed_7 = tensor.collapse_shape %37 [[0, 1], [2]] : tensor<?x5x96xf32> into tensor<?x96xf32>
    %38 = tensor.empty() : tensor<96x64xf32>
    %transposed_8 = linalg.transpose ins(%arg5 : tensor<64x96xf32>) outs(%38 : tensor<96x64xf32>) permutation = [1, 0]
    %39 = affine.apply #map3()[%35]
    %40 = tensor.empty(%39) : tensor<?x64xf32>
    %41 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %42 = linalg.matmul ins(%collapsed_7, %transposed_8 : tensor<?x96xf32>, tensor<96x64xf32>) outs(%41 : tensor<?x64xf32>) -> tensor<?x64xf32>
    cf.assert %29, "negative values not allowed in new dimensions"
    %43 = tensor.empty(%30) : tensor<?x64xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<64xf32>) outs(%43 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x64xf32>
    %45 = arith.cmpi eq, %39, %30 : index
    cf.assert %45, "mismatched size for broadcast"
    %46 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%42, %44 : tensor<?x64xf32>, tensor<?x64xf32>) outs(%40 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %50 = arith.addf %in, %in_10 : f32
      linalg.yield %50 : f32
    } -> tensor<?x64xf32>
    %47 = arith.divsi %39, %c5 : index
    %expanded_9 = tensor.expand_shape %46 [[0, 1], [2]] output_shape [%47, 5, 64] : tensor<?x64xf32> into tensor<?x5x64xf32>
    %48 = arith.cmpi eq, %dim, %47 : index
    cf.assert %48, "mismatched size for broadcast"
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_9 : tensor<?x5x64xf32>, tensor<?x5x64xf32>) outs(%18 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %50 = arith.addf %in, %in_10 : f32
      linalg.yield %50 : f32
    } -> tensor<?x5x64xf32>
    return %49 : tensor<?x5x64xf32>
  }
}
