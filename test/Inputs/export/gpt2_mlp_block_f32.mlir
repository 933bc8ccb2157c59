// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gpt2_mlp_block_f32
// Module: MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=new_gelu, bias=True)
// %arg0 = x: f32 [2, 5, 64]
// %arg1 = norm.weight: f32 [64]
// %arg2 = norm.bias: f32 [64]
// %arg3 = up_proj.weight: f32 [96, 64]
// %arg4 = up_proj.bias: f32 [96]
// %arg5 = down_proj.weight: f32 [64, 96]
// %arg6 = down_proj.bias: f32 [64]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @gpt2_mlp_block_f32(%arg0: tensor<2x5x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<96x64xf32>, %arg4: tensor<96xf32>, %arg5: tensor<64x96xf32>, %arg6: tensor<64xf32>) -> tensor<2x5x64xf32> {
    %c3_i64 = arith.constant 3 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.79788456080286541 : f64
    %cst_2 = arith.constant 4.471500e-02 : f64
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant 6.400000e+01 : f64
    %cst_5 = arith.constant 6.400000e+01 : f32
    %cst_6 = arith.constant 5.000000e-01 : f32
    %cst_7 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x5x64xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x64xf32>) outs(%0 : tensor<2x5x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %44 = arith.extf %in : f32 to f64
      linalg.yield %44 : f64
    } -> tensor<2x5x64xf64>
    %2 = tensor.empty() : tensor<2x5x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x5x64xf64>) outs(%3 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %44 = arith.addf %in, %out : f64
      linalg.yield %44 : f64
    } -> tensor<2x5x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x5x1xf64>) outs(%2 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %44 = arith.divf %in, %cst_4 : f64
      linalg.yield %44 : f64
    } -> tensor<2x5x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x5x64xf64>, tensor<2x5x1xf64>) outs(%0 : tensor<2x5x64xf64>) {
    ^bb0(%in: f64, %in_11: f64, %out: f64):
      %44 = arith.subf %in, %in_11 : f64
      linalg.yield %44 : f64
    } -> tensor<2x5x64xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x5x64xf64>, tensor<2x5x64xf64>) outs(%0 : tensor<2x5x64xf64>) {
    ^bb0(%in: f64, %in_11: f64, %out: f64):
      %44 = arith.mulf %in, %in_11 : f64
      linalg.yield %44 : f64
    } -> tensor<2x5x64xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x5x64xf64>) outs(%3 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %44 = arith.addf %in, %out : f64
      linalg.yield %44 : f64
    } -> tensor<2x5x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x5x1xf64>) outs(%2 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %44 = arith.divf %in, %cst_4 : f64
      linalg.yield %44 : f64
    } -> tensor<2x5x1xf64>
    %10 = tensor.empty() : tensor<2x5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %44 = arith.truncf %in : f64 to f32
      linalg.yield %44 : f32
    } -> tensor<2x5x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x5x64xf32>) outs(%12 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x5x1xf32>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.divf %in, %cst_5 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x5x1xf32>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_3 : f64 to f32
      %45 = arith.addf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<2x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x5x1xf32>) outs(%10 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.rsqrt %in : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x1xf32>
    %17 = tensor.empty() : tensor<2x5x64xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x5x64xf32>, tensor<2x5x1xf32>) outs(%17 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.subf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x64xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x5x64xf32>, tensor<2x5x1xf32>) outs(%17 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.mulf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x5x64xf32>, tensor<64xf32>) outs(%17 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.mulf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<2x5x64xf32>, tensor<64xf32>) outs(%17 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.addf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x64xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x5x64xf32> into tensor<10x64xf32>
    %22 = tensor.empty() : tensor<64x96xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x64xf32>) outs(%22 : tensor<64x96xf32>) permutation = [1, 0]
    %23 = tensor.empty() : tensor<10x96xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<10x96xf32>) -> tensor<10x96xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<10x64xf32>, tensor<64x96xf32>) outs(%24 : tensor<10x96xf32>) -> tensor<10x96xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<96xf32>) outs(%23 : tensor<10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x96xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<10x96xf32>, tensor<10x96xf32>) outs(%23 : tensor<10x96xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.addf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<10x96xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2]] output_shape [2, 5, 96] : tensor<10x96xf32> into tensor<2x5x96xf32>
    %28 = tensor.empty() : tensor<2x5x96xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.mulf %in, %cst_6 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x96xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %44 : f32
    } -> tensor<2x5x96xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_2 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<2x5x96xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %31 : tensor<2x5x96xf32>, tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.addf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x96xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_1 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<2x5x96xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.tanh %in : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x96xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %cst_7 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x96xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %35 : tensor<2x5x96xf32>, tensor<2x5x96xf32>) outs(%28 : tensor<2x5x96xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.mulf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x96xf32>
    %collapsed_8 = tensor.collapse_shape %36 [[0, 1], [2]] : tensor<2x5x96xf32> into tensor<10x96xf32>
    %37 = tensor.empty() : tensor<96x64xf32>
    %transposed_9 = linalg.transpose ins(%arg5 : tensor<64x96xf32>) outs(%37 : tensor<96x64xf32>) permutation = [1, 0]
    %38 = tensor.empty() : tensor<10x64xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%38 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %40 = linalg.matmul ins(%collapsed_8, %transposed_9 : tensor<10x96xf32>, tensor<96x64xf32>) outs(%39 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<64xf32>) outs(%38 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x64xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%40, %41 : tensor<10x64xf32>, tensor<10x64xf32>) outs(%38 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.addf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<10x64xf32>
    %expanded_10 = tensor.expand_shape %42 [[0, 1], [2]] output_shape [2, 5, 64] : tensor<10x64xf32> into tensor<2x5x64xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_10 : tensor<2x5x64xf32>, tensor<2x5x64xf32>) outs(%17 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %44 = arith.addf %in, %in_11 : f32
      linalg.yield %44 : f32
    } -> tensor<2x5x64xf32>
    return %43 : tensor<2x5x64xf32>
  }
}
