// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py vit_mlp_block_bf16
// Module: MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=F.gelu, bias=True)
// %arg0 = x: bf16 [batch, 5, 64]
// %arg1 = norm.weight: bf16 [64]
// %arg2 = norm.bias: bf16 [64]
// %arg3 = up_proj.weight: bf16 [96, 64]
// %arg4 = up_proj.bias: bf16 [96]
// %arg5 = down_proj.weight: bf16 [64, 96]
// %arg6 = down_proj.bias: bf16 [64]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<()[s0] -> (s0 * 5)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @vit_mlp_block_bf16(%arg0: tensor<?x5x64xbf16>, %arg1: tensor<64xbf16>, %arg2: tensor<64xbf16>, %arg3: tensor<96x64xbf16>, %arg4: tensor<96xbf16>, %arg5: tensor<64x96xbf16>, %arg6: tensor<64xbf16>) -> tensor<?x5x64xbf16> {
    %c5_i64 = arith.constant 5 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : bf16
    %cst_2 = arith.constant 2.000000e+00 : bf16
    %cst_3 = arith.constant 5.000000e-01 : bf16
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 6.400000e+01 : f64
    %cst_6 = arith.constant 6.400000e+01 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x5x64xbf16>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?x5x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x5x64xbf16>) outs(%1 : tensor<?x5x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %69 = arith.extf %in : bf16 to f32
      linalg.yield %69 : f32
    } -> tensor<?x5x64xf32>
    %3 = tensor.empty(%dim) : tensor<?x5x64xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<?x5x64xf32>) outs(%3 : tensor<?x5x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %69 = arith.extf %in : f32 to f64
      linalg.yield %69 : f64
    } -> tensor<?x5x64xf64>
    %5 = tensor.empty(%dim) : tensor<?x5x1xf64>
    %6 = linalg.fill ins(%cst : f64) outs(%5 : tensor<?x5x1xf64>) -> tensor<?x5x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<?x5x64xf64>) outs(%6 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %69 = arith.addf %in, %out : f64
      linalg.yield %69 : f64
    } -> tensor<?x5x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?x5x1xf64>) outs(%5 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %69 = arith.divf %in, %cst_5 : f64
      linalg.yield %69 : f64
    } -> tensor<?x5x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %8 : tensor<?x5x64xf64>, tensor<?x5x1xf64>) outs(%3 : tensor<?x5x64xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %69 = arith.subf %in, %in_10 : f64
      linalg.yield %69 : f64
    } -> tensor<?x5x64xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<?x5x64xf64>, tensor<?x5x64xf64>) outs(%3 : tensor<?x5x64xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %69 = arith.mulf %in, %in_10 : f64
      linalg.yield %69 : f64
    } -> tensor<?x5x64xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<?x5x64xf64>) outs(%6 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %69 = arith.addf %in, %out : f64
      linalg.yield %69 : f64
    } -> tensor<?x5x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<?x5x1xf64>) outs(%5 : tensor<?x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %69 = arith.divf %in, %cst_5 : f64
      linalg.yield %69 : f64
    } -> tensor<?x5x1xf64>
    %13 = tensor.empty(%dim) : tensor<?x5x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<?x5x1xf64>) outs(%13 : tensor<?x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %69 = arith.truncf %in : f64 to f32
      linalg.yield %69 : f32
    } -> tensor<?x5x1xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<?x5x1xf32>) -> tensor<?x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<?x5x64xf32>) outs(%15 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.addf %in, %out : f32
      linalg.yield %69 : f32
    } -> tensor<?x5x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<?x5x1xf32>) outs(%13 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.divf %in, %cst_6 : f32
      linalg.yield %69 : f32
    } -> tensor<?x5x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<?x5x1xf32>) outs(%13 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.truncf %cst_4 : f64 to f32
      %70 = arith.addf %in, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<?x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<?x5x1xf32>) outs(%13 : tensor<?x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = math.rsqrt %in : f32
      linalg.yield %69 : f32
    } -> tensor<?x5x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %17 : tensor<?x5x64xf32>, tensor<?x5x1xf32>) outs(%1 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %69 = arith.subf %in, %in_10 : f32
      linalg.yield %69 : f32
    } -> tensor<?x5x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<?x5x64xf32>, tensor<?x5x1xf32>) outs(%1 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %69 = arith.mulf %in, %in_10 : f32
      linalg.yield %69 : f32
    } -> tensor<?x5x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<?x5x64xf32>, tensor<64xbf16>) outs(%1 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: bf16, %out: f32):
      %69 = arith.extf %in_10 : bf16 to f32
      %70 = arith.mulf %in, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<?x5x64xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg2 : tensor<?x5x64xf32>, tensor<64xbf16>) outs(%1 : tensor<?x5x64xf32>) {
    ^bb0(%in: f32, %in_10: bf16, %out: f32):
      %69 = arith.extf %in_10 : bf16 to f32
      %70 = arith.addf %in, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<?x5x64xf32>
    %24 = tensor.empty(%dim) : tensor<?x5x64xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<?x5x64xf32>) outs(%24 : tensor<?x5x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %69 = arith.truncf %in : f32 to bf16
      linalg.yield %69 : bf16
    } -> tensor<?x5x64xbf16>
    %26 = arith.muli %0, %c5_i64 : i64
    %collapsed = tensor.collapse_shape %25 [[0, 1], [2]] : tensor<?x5x64xbf16> into tensor<?x64xbf16>
    %27 = tensor.empty() : tensor<64x96xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x64xbf16>) outs(%27 : tensor<64x96xbf16>) permutation = [1, 0]
    %28 = tensor.empty() : tensor<96xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<96xbf16>) outs(%28 : tensor<96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %69 = arith.extf %in : bf16 to f32
      linalg.yield %69 : f32
    } -> tensor<96xf32>
    %30 = affine.apply #map4()[%dim]
    %31 = tensor.empty(%30) : tensor<?x64xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<?x64xbf16>) outs(%31 : tensor<?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %69 = arith.extf %in : bf16 to f32
      linalg.yield %69 : f32
    } -> tensor<?x64xf32>
    %33 = tensor.empty() : tensor<64x96xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x96xbf16>) outs(%33 : tensor<64x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %69 = arith.extf %in : bf16 to f32
      linalg.yield %69 : f32
    } -> tensor<64x96xf32>
    %35 = tensor.empty(%30) : tensor<?x96xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %37 = linalg.matmul ins(%32, %34 : tensor<?x64xf32>, tensor<64x96xf32>) outs(%36 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %38 = arith.cmpi sge, %26, %c0_i64 : i64
    cf.assert %38, "negative values not allowed in new dimensions"
    %39 = arith.index_cast %26 : i64 to index
    %40 = tensor.empty(%39) : tensor<?x96xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<96xf32>) outs(%40 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x96xf32>
    %42 = arith.cmpi eq, %30, %39 : index
    cf.assert %42, "mismatched size for broadcast"
    %43 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%37, %41 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%35 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %69 = arith.addf %in, %in_10 : f32
      linalg.yield %69 : f32
    } -> tensor<?x96xf32>
    %44 = tensor.empty(%30) : tensor<?x96xbf16>
    %45 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<?x96xf32>) outs(%44 : tensor<?x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %69 = arith.truncf %in : f32 to bf16
      linalg.yield %69 : bf16
    } -> tensor<?x96xbf16>
    %46 = arith.divsi %30, %c5 : index
    %expanded = tensor.expand_shape %45 [[0, 1], [2]] output_shape [%46, 5, 96] : tensor<?x96xbf16> into tensor<?x5x96xbf16>
    %47 = tensor.empty(%46) : tensor<?x5x96xbf16>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x5x96xbf16>) outs(%47 : tensor<?x5x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %69 = math.sqrt %cst_2 : bf16
      %70 = arith.divf %in, %69 : bf16
      %71 = math.erf %70 : bf16
      %72 = arith.addf %71, %cst_1 : bf16
      %73 = arith.mulf %72, %cst_3 : bf16
      %74 = arith.mulf %in, %73 : bf16
      linalg.yield %74 : bf16
    } -> tensor<?x5x96xbf16>
    %collapsed_7 = tensor.collapse_shape %48 [[0, 1], [2]] : tensor<?x5x96xbf16> into tensor<?x96xbf16>
    %49 = tensor.empty() : tensor<96x64xbf16>
    %transposed_8 = linalg.transpose ins(%arg5 : tensor<64x96xbf16>) outs(%49 : tensor<96x64xbf16>) permutation = [1, 0]
    %50 = tensor.empty() : tensor<64xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg6 : tensor<64xbf16>) outs(%50 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %69 = arith.extf %in : bf16 to f32
      linalg.yield %69 : f32
    } -> tensor<64xf32>
    %52 = affine.apply #map4()[%46]
    %53 = tensor.empty(%52) : tensor<?x96xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapsed_7 : tensor<?x96xbf16>) outs(%53 : tensor<?x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %69 = arith.extf %in : bf16 to f32
      linalg.yield %69 : f32
    } -> tensor<?x96xf32>
    %55 = tensor.empty() : tensor<96x64xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%transposed_8 : tensor<96x64xbf16>) outs(%55 : tensor<96x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %69 = arith.extf %in : bf16 to f32
      linalg.yield %69 : f32
    } -> tensor<96x64xf32>
    %57 = tensor.empty(%52) : tensor<?x64xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %59 = linalg.matmul ins(%54, %56 : tensor<?x96xf32>, tensor<96x64xf32>) outs(%58 : tensor<?x64xf32>) -> tensor<?x64xf32>
    cf.assert %38, "negative values not allowed in new dimensions"
    %60 = tensor.empty(%39) : tensor<?x64xf32>
    %61 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<64xf32>) outs(%60 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x64xf32>
    %62 = arith.cmpi eq, %52, %39 : index
    cf.assert %62, "mismatched size for broadcast"
    %63 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%59, %61 : tensor<?x64xf32>, tensor<?x64xf32>) outs(%57 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %69 = arith.addf %in, %in_10 : f32
      linalg.yield %69 : f32
    } -> tensor<?x64xf32>
    %64 = tensor.empty(%52) : tensor<?x64xbf16>
    %65 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<?x64xf32>) outs(%64 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %69 = arith.truncf %in : f32 to bf16
      linalg.yield %69 : bf16
    } -> tensor<?x64xbf16>
    %66 = arith.divsi %52, %c5 : index
    %expanded_9 = tensor.expand_shape %65 [[0, 1], [2]] output_shape [%66, 5, 64] : tensor<?x64xbf16> into tensor<?x5x64xbf16>
    %67 = arith.cmpi eq, %dim, %66 : index
    cf.assert %67, "mismatched size for broadcast"
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_9 : tensor<?x5x64xbf16>, tensor<?x5x64xbf16>) outs(%24 : tensor<?x5x64xbf16>) {
    ^bb0(%in: bf16, %in_10: bf16, %out: bf16):
      %69 = arith.addf %in, %in_10 : bf16
      linalg.yield %69 : bf16
    } -> tensor<?x5x64xbf16>
    return %68 : tensor<?x5x64xbf16>
  }
}
