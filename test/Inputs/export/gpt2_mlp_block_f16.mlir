// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gpt2_mlp_block_f16
// Module: MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=new_gelu, bias=True)
// %arg0 = x: f16 [2, 5, 64]
// %arg1 = norm.weight: f16 [64]
// %arg2 = norm.bias: f16 [64]
// %arg3 = up_proj.weight: f16 [96, 64]
// %arg4 = up_proj.bias: f16 [96]
// %arg5 = down_proj.weight: f16 [64, 96]
// %arg6 = down_proj.bias: f16 [64]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @gpt2_mlp_block_f16(%arg0: tensor<2x5x64xf16>, %arg1: tensor<64xf16>, %arg2: tensor<64xf16>, %arg3: tensor<96x64xf16>, %arg4: tensor<96xf16>, %arg5: tensor<64x96xf16>, %arg6: tensor<64xf16>) -> tensor<2x5x64xf16> {
    %c3_i64 = arith.constant 3 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.79788456080286541 : f64
    %cst_2 = arith.constant 4.471500e-02 : f64
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant 6.400000e+01 : f64
    %cst_5 = arith.constant 6.400000e+01 : f32
    %cst_6 = arith.constant 5.000000e-01 : f16
    %cst_7 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x5x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x64xf16>) outs(%0 : tensor<2x5x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<2x5x64xf32>
    %2 = tensor.empty() : tensor<2x5x64xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x5x64xf32>) outs(%2 : tensor<2x5x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %61 = arith.extf %in : f32 to f64
      linalg.yield %61 : f64
    } -> tensor<2x5x64xf64>
    %4 = tensor.empty() : tensor<2x5x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x5x64xf64>) outs(%5 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.addf %in, %out : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x5x1xf64>) outs(%4 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.divf %in, %cst_4 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x5x64xf64>, tensor<2x5x1xf64>) outs(%2 : tensor<2x5x64xf64>) {
    ^bb0(%in: f64, %in_11: f64, %out: f64):
      %61 = arith.subf %in, %in_11 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x64xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<2x5x64xf64>, tensor<2x5x64xf64>) outs(%2 : tensor<2x5x64xf64>) {
    ^bb0(%in: f64, %in_11: f64, %out: f64):
      %61 = arith.mulf %in, %in_11 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x64xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x5x64xf64>) outs(%5 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.addf %in, %out : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x5x1xf64>) outs(%4 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.divf %in, %cst_4 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %12 = tensor.empty() : tensor<2x5x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x5x1xf64>) outs(%12 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %61 = arith.truncf %in : f64 to f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x5x64xf32>) outs(%14 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %in, %out : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x5x1xf32>) outs(%12 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %in, %cst_5 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x5x1xf32>) outs(%12 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.truncf %cst_3 : f64 to f32
      %62 = arith.addf %in, %61 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x5x1xf32>) outs(%12 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.rsqrt %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<2x5x64xf32>, tensor<2x5x1xf32>) outs(%0 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %61 = arith.subf %in, %in_11 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<2x5x64xf32>, tensor<2x5x1xf32>) outs(%0 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %61 = arith.mulf %in, %in_11 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<2x5x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f16, %out: f32):
      %61 = arith.extf %in_11 : f16 to f32
      %62 = arith.mulf %in, %61 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x5x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x5x64xf32>) {
    ^bb0(%in: f32, %in_11: f16, %out: f32):
      %61 = arith.extf %in_11 : f16 to f32
      %62 = arith.addf %in, %61 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x64xf32>
    %23 = tensor.empty() : tensor<2x5x64xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x5x64xf32>) outs(%23 : tensor<2x5x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %61 = arith.truncf %in : f32 to f16
      linalg.yield %61 : f16
    } -> tensor<2x5x64xf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<2x5x64xf16> into tensor<10x64xf16>
    %25 = tensor.empty() : tensor<64x96xf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x64xf16>) outs(%25 : tensor<64x96xf16>) permutation = [1, 0]
    %26 = tensor.empty() : tensor<96xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<96xf16>) outs(%26 : tensor<96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<96xf32>
    %28 = tensor.empty() : tensor<10x64xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<10x64xf16>) outs(%28 : tensor<10x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<10x64xf32>
    %30 = tensor.empty() : tensor<64x96xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x96xf16>) outs(%30 : tensor<64x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<64x96xf32>
    %32 = tensor.empty() : tensor<10x96xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<10x96xf32>) -> tensor<10x96xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<10x64xf32>, tensor<64x96xf32>) outs(%33 : tensor<10x96xf32>) -> tensor<10x96xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<96xf32>) outs(%32 : tensor<10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x96xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %35 : tensor<10x96xf32>, tensor<10x96xf32>) outs(%32 : tensor<10x96xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %61 = arith.addf %in, %in_11 : f32
      linalg.yield %61 : f32
    } -> tensor<10x96xf32>
    %37 = tensor.empty() : tensor<10x96xf16>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<10x96xf32>) outs(%37 : tensor<10x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %61 = arith.truncf %in : f32 to f16
      linalg.yield %61 : f16
    } -> tensor<10x96xf16>
    %expanded = tensor.expand_shape %38 [[0, 1], [2]] output_shape [2, 5, 96] : tensor<10x96xf16> into tensor<2x5x96xf16>
    %39 = tensor.empty() : tensor<2x5x96xf16>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %61 = arith.mulf %in, %cst_6 : f16
      linalg.yield %61 : f16
    } -> tensor<2x5x96xf16>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %61 = math.fpowi %in, %c3_i64 : f16, i64
      linalg.yield %61 : f16
    } -> tensor<2x5x96xf16>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %61 = arith.truncf %cst_2 : f64 to f16
      %62 = arith.mulf %in, %61 : f16
      linalg.yield %62 : f16
    } -> tensor<2x5x96xf16>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %42 : tensor<2x5x96xf16>, tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %61 = arith.addf %in, %in_11 : f16
      linalg.yield %61 : f16
    } -> tensor<2x5x96xf16>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %61 = arith.truncf %cst_1 : f64 to f16
      %62 = arith.mulf %in, %61 : f16
      linalg.yield %62 : f16
    } -> tensor<2x5x96xf16>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %61 = math.tanh %in : f16
      linalg.yield %61 : f16
    } -> tensor<2x5x96xf16>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %61 = arith.addf %in, %cst_7 : f16
      linalg.yield %61 : f16
    } -> tensor<2x5x96xf16>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %46 : tensor<2x5x96xf16>, tensor<2x5x96xf16>) outs(%39 : tensor<2x5x96xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %61 = arith.mulf %in, %in_11 : f16
      linalg.yield %61 : f16
    } -> tensor<2x5x96xf16>
    %collapsed_8 = tensor.collapse_shape %47 [[0, 1], [2]] : tensor<2x5x96xf16> into tensor<10x96xf16>
    %48 = tensor.empty() : tensor<96x64xf16>
    %transposed_9 = linalg.transpose ins(%arg5 : tensor<64x96xf16>) outs(%48 : tensor<96x64xf16>) permutation = [1, 0]
    %49 = tensor.empty() : tensor<64xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg6 : tensor<64xf16>) outs(%49 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<64xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_8 : tensor<10x96xf16>) outs(%32 : tensor<10x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<10x96xf32>
    %52 = tensor.empty() : tensor<96x64xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_9 : tensor<96x64xf16>) outs(%52 : tensor<96x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<96x64xf32>
    %54 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %55 = linalg.matmul ins(%51, %53 : tensor<10x96xf32>, tensor<96x64xf32>) outs(%54 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<64xf32>) outs(%28 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x64xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%55, %56 : tensor<10x64xf32>, tensor<10x64xf32>) outs(%28 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %61 = arith.addf %in, %in_11 : f32
      linalg.yield %61 : f32
    } -> tensor<10x64xf32>
    %58 = tensor.empty() : tensor<10x64xf16>
    %59 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<10x64xf32>) outs(%58 : tensor<10x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %61 = arith.truncf %in : f32 to f16
      linalg.yield %61 : f16
    } -> tensor<10x64xf16>
    %expanded_10 = tensor.expand_shape %59 [[0, 1], [2]] output_shape [2, 5, 64] : tensor<10x64xf16> into tensor<2x5x64xf16>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_10 : tensor<2x5x64xf16>, tensor<2x5x64xf16>) outs(%23 : tensor<2x5x64xf16>) {
    ^bb0(%in: f16, %in_11: f16, %out: f16):
      %61 = arith.addf %in, %in_11 : f16
      linalg.yield %61 : f16
    } -> tensor<2x5x64xf16>
    return %60 : tensor<2x5x64xf16>
  }
}
