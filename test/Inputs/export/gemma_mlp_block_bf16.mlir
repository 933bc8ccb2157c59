// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gemma_mlp_block_bf16
// Module: MLPBlock(GemmaRMSNorm(64), hidden=64, intermediate=96, act=nn.GELU(approximate='tanh'), gated=True)
// %arg0 = x: bf16 [1, seq, 64]
// %arg1 = norm.weight: bf16 [64]
// %arg2 = gate_proj.weight: bf16 [96, 64]
// %arg3 = up_proj.weight: bf16 [96, 64]
// %arg4 = down_proj.weight: bf16 [64, 96]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @gemma_mlp_block_bf16(%arg0: tensor<1x?x64xbf16>, %arg1: tensor<64xbf16>, %arg2: tensor<96x64xbf16>, %arg3: tensor<96x64xbf16>, %arg4: tensor<64x96xbf16>) -> tensor<1x?x64xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c3_i64 = arith.constant 3 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 4.467770e-02 : bf16
    %cst_1 = arith.constant 7.968750e-01 : bf16
    %cst_2 = arith.constant 1.000000e+00 : bf16
    %cst_3 = arith.constant 5.000000e-01 : bf16
    %cst_4 = arith.constant 9.9999999999999995E-7 : f64
    %cst_5 = arith.constant 6.400000e+01 : f32
    %cst_6 = arith.constant 1.000000e+00 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x64xbf16>
    %0 = tensor.empty(%dim) : tensor<1x?x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x64xbf16>) outs(%0 : tensor<1x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %34 = arith.extf %in : bf16 to f32
      linalg.yield %34 : f32
    } -> tensor<1x?x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x64xf32>) outs(%0 : tensor<1x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %34 : f32
    } -> tensor<1x?x64xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x64xf32>) outs(%4 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<1x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.divf %in, %cst_5 : f32
      linalg.yield %34 : f32
    } -> tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.truncf %cst_4 : f64 to f32
      %35 = arith.addf %in, %34 : f32
      linalg.yield %35 : f32
    } -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.rsqrt %in : f32
      linalg.yield %34 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x?x64xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x64xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %34 = arith.mulf %in, %in_12 : f32
      linalg.yield %34 : f32
    } -> tensor<1x?x64xf32>
    %10 = tensor.empty() : tensor<64xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg1 : tensor<64xbf16>) outs(%10 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %34 = arith.extf %in : bf16 to f32
      linalg.yield %34 : f32
    } -> tensor<64xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<64xf32>) outs(%10 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %cst_6 : f32
      linalg.yield %34 : f32
    } -> tensor<64xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %12 : tensor<1x?x64xf32>, tensor<64xf32>) outs(%0 : tensor<1x?x64xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %34 = arith.mulf %in, %in_12 : f32
      linalg.yield %34 : f32
    } -> tensor<1x?x64xf32>
    %14 = tensor.empty(%dim) : tensor<1x?x64xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x?x64xf32>) outs(%14 : tensor<1x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %34 = arith.truncf %in : f32 to bf16
      linalg.yield %34 : bf16
    } -> tensor<1x?x64xbf16>
    %16 = tensor.empty() : tensor<64x96xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<96x64xbf16>) outs(%16 : tensor<64x96xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<1x?x64xbf16> into tensor<?x64xbf16>
    %17 = tensor.empty(%dim) : tensor<?x96xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %19 = linalg.matmul ins(%collapsed, %transposed : tensor<?x64xbf16>, tensor<64x96xbf16>) outs(%18 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %20 = tensor.empty(%dim) : tensor<?x96xbf16>
    %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x96xf32>) outs(%20 : tensor<?x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %34 = arith.truncf %in : f32 to bf16
      linalg.yield %34 : bf16
    } -> tensor<?x96xbf16>
    %expanded = tensor.expand_shape %21 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xbf16> into tensor<1x?x96xbf16>
    %22 = tensor.empty(%dim) : tensor<1x?x96xbf16>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x?x96xbf16>) outs(%22 : tensor<1x?x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %34 = math.fpowi %in, %c3_i64 : bf16, i64
      %35 = arith.mulf %34, %cst_0 : bf16
      %36 = arith.addf %in, %35 : bf16
      %37 = arith.mulf %36, %cst_1 : bf16
      %38 = math.tanh %37 : bf16
      %39 = arith.addf %38, %cst_2 : bf16
      %40 = arith.mulf %39, %cst_3 : bf16
      %41 = arith.mulf %in, %40 : bf16
      linalg.yield %41 : bf16
    } -> tensor<1x?x96xbf16>
    %transposed_7 = linalg.transpose ins(%arg3 : tensor<96x64xbf16>) outs(%16 : tensor<64x96xbf16>) permutation = [1, 0]
    %24 = linalg.matmul ins(%collapsed, %transposed_7 : tensor<?x64xbf16>, tensor<64x96xbf16>) outs(%18 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<?x96xf32>) outs(%20 : tensor<?x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %34 = arith.truncf %in : f32 to bf16
      linalg.yield %34 : bf16
    } -> tensor<?x96xbf16>
    %expanded_8 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xbf16> into tensor<1x?x96xbf16>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %expanded_8 : tensor<1x?x96xbf16>, tensor<1x?x96xbf16>) outs(%22 : tensor<1x?x96xbf16>) {
    ^bb0(%in: bf16, %in_12: bf16, %out: bf16):
      %34 = arith.mulf %in, %in_12 : bf16
      linalg.yield %34 : bf16
    } -> tensor<1x?x96xbf16>
    %27 = tensor.empty() : tensor<96x64xbf16>
    %transposed_9 = linalg.transpose ins(%arg4 : tensor<64x96xbf16>) outs(%27 : tensor<96x64xbf16>) permutation = [1, 0]
    %collapsed_10 = tensor.collapse_shape %26 [[0, 1], [2]] : tensor<1x?x96xbf16> into tensor<?x96xbf16>
    %28 = tensor.empty(%dim) : tensor<?x64xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %30 = linalg.matmul ins(%collapsed_10, %transposed_9 : tensor<?x96xbf16>, tensor<96x64xbf16>) outs(%29 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %31 = tensor.empty(%dim) : tensor<?x64xbf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<?x64xf32>) outs(%31 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %34 = arith.truncf %in : f32 to bf16
      linalg.yield %34 : bf16
    } -> tensor<?x64xbf16>
    %expanded_11 = tensor.expand_shape %32 [[0, 1], [2]] output_shape [1, %dim, 64] : tensor<?x64xbf16> into tensor<1x?x64xbf16>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_11 : tensor<1x?x64xbf16>, tensor<1x?x64xbf16>) outs(%14 : tensor<1x?x64xbf16>) {
    ^bb0(%in: bf16, %in_12: bf16, %out: bf16):
      %34 = arith.addf %in, %in_12 : bf16
      linalg.yield %34 : bf16
    } -> tensor<1x?x64xbf16>
    return %33 : tensor<1x?x64xbf16>
  }
}
