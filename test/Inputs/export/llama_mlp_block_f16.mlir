// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama_mlp_block_f16
// Module: MLPBlock(LlamaRMSNorm(64), hidden=64, intermediate=96, act=F.silu, gated=True)
// %arg0 = x: f16 [1, seq, 64]
// %arg1 = norm.weight: f16 [64]
// %arg2 = gate_proj.weight: f16 [96, 64]
// %arg3 = up_proj.weight: f16 [96, 64]
// %arg4 = down_proj.weight: f16 [64, 96]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @llama_mlp_block_f16(%arg0: tensor<1x?x64xf16>, %arg1: tensor<64xf16>, %arg2: tensor<96x64xf16>, %arg3: tensor<96x64xf16>, %arg4: tensor<64x96xf16>) -> tensor<1x?x64xf16> {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 9.9999999999999995E-7 : f64
    %cst_2 = arith.constant 6.400000e+01 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x64xf16>
    %0 = tensor.empty(%dim) : tensor<1x?x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x64xf16>) outs(%0 : tensor<1x?x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %35 = arith.extf %in : f16 to f32
      linalg.yield %35 : f32
    } -> tensor<1x?x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x64xf32>) outs(%0 : tensor<1x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %35 : f32
    } -> tensor<1x?x64xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x64xf32>) outs(%4 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %out : f32
      linalg.yield %35 : f32
    } -> tensor<1x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.divf %in, %cst_2 : f32
      linalg.yield %35 : f32
    } -> tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_1 : f64 to f32
      %36 = arith.addf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.rsqrt %in : f32
      linalg.yield %35 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x?x64xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x64xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %35 = arith.mulf %in, %in_8 : f32
      linalg.yield %35 : f32
    } -> tensor<1x?x64xf32>
    %10 = tensor.empty(%dim) : tensor<1x?x64xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x64xf32>) outs(%10 : tensor<1x?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<1x?x64xf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<64xf16>, tensor<1x?x64xf16>) outs(%10 : tensor<1x?x64xf16>) {
    ^bb0(%in: f16, %in_8: f16, %out: f16):
      %35 = arith.mulf %in, %in_8 : f16
      linalg.yield %35 : f16
    } -> tensor<1x?x64xf16>
    %13 = tensor.empty() : tensor<64x96xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<96x64xf16>) outs(%13 : tensor<64x96xf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x?x64xf16> into tensor<?x64xf16>
    %14 = tensor.empty(%dim) : tensor<?x96xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<?x64xf16>, tensor<64x96xf16>) outs(%15 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %17 = tensor.empty(%dim) : tensor<?x96xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x96xf32>) outs(%17 : tensor<?x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<?x96xf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xf16> into tensor<1x?x96xf16>
    %19 = tensor.empty(%dim) : tensor<1x?x96xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x?x96xf16>) outs(%19 : tensor<1x?x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %35 = arith.extf %in : f16 to f32
      linalg.yield %35 : f32
    } -> tensor<1x?x96xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x?x96xf32>) outs(%19 : tensor<1x?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.negf %in : f32
      %36 = math.exp %35 : f32
      %37 = arith.addf %36, %cst_0 : f32
      %38 = arith.divf %cst_0, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<1x?x96xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %21 : tensor<1x?x96xf32>, tensor<1x?x96xf32>) outs(%19 : tensor<1x?x96xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %35 = arith.mulf %in, %in_8 : f32
      linalg.yield %35 : f32
    } -> tensor<1x?x96xf32>
    %23 = tensor.empty(%dim) : tensor<1x?x96xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x?x96xf32>) outs(%23 : tensor<1x?x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<1x?x96xf16>
    %transposed_3 = linalg.transpose ins(%arg3 : tensor<96x64xf16>) outs(%13 : tensor<64x96xf16>) permutation = [1, 0]
    %25 = linalg.matmul ins(%collapsed, %transposed_3 : tensor<?x64xf16>, tensor<64x96xf16>) outs(%15 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x96xf32>) outs(%17 : tensor<?x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<?x96xf16>
    %expanded_4 = tensor.expand_shape %26 [[0, 1], [2]] output_shape [1, %dim, 96] : tensor<?x96xf16> into tensor<1x?x96xf16>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %expanded_4 : tensor<1x?x96xf16>, tensor<1x?x96xf16>) outs(%23 : tensor<1x?x96xf16>) {
    ^bb0(%in: f16, %in_8: f16, %out: f16):
      %35 = arith.mulf %in, %in_8 : f16
      linalg.yield %35 : f16
    } -> tensor<1x?x96xf16>
    %28 = tensor.empty() : tensor<96x64xf16>
    %transposed_5 = linalg.transpose ins(%arg4 : tensor<64x96xf16>) outs(%28 : tensor<96x64xf16>) permutation = [1, 0]
    %collapsed_6 = tensor.collapse_shape %27 [[0, 1], [2]] : tensor<1x?x96xf16> into tensor<?x96xf16>
    %29 = tensor.empty(%dim) : tensor<?x64xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %31 = linalg.matmul ins(%collapsed_6, %transposed_5 : tensor<?x96xf16>, tensor<96x64xf16>) outs(%30 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %32 = tensor.empty(%dim) : tensor<?x64xf16>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<?x64xf32>) outs(%32 : tensor<?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<?x64xf16>
    %expanded_7 = tensor.expand_shape %33 [[0, 1], [2]] output_shape [1, %dim, 64] : tensor<?x64xf16> into tensor<1x?x64xf16>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_7 : tensor<1x?x64xf16>, tensor<1x?x64xf16>) outs(%10 : tensor<1x?x64xf16>) {
    ^bb0(%in: f16, %in_8: f16, %out: f16):
      %35 = arith.addf %in, %in_8 : f16
      linalg.yield %35 : f16
    } -> tensor<1x?x64xf16>
    return %34 : tensor<1x?x64xf16>
  }
}
