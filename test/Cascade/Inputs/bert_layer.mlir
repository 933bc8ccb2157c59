// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// Biases, scaled scores, additive mask of keys, LayerNorm after, GELU.
// Arguments: x, mask, query.weight, query.bias, key.weight, key.bias, value.weight, value.bias, output.weight, output.bias, norm1.weight, norm1.bias, norm2.weight, norm2.bias, up.weight, up.bias, down.weight, down.bias

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @bert_layer(%arg0: tensor<2x16x32xf32>, %arg1: tensor<2x1x1x16xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<64x32xf32>, %arg15: tensor<64xf32>, %arg16: tensor<32x64xf32>, %arg17: tensor<32xf32>) -> tensor<2x16x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 9.9999999999999998E-13 : f64
    %cst_5 = arith.constant 2.8284271247461903 : f64
    %cst_6 = arith.constant 3.200000e+01 : f64
    %cst_7 = arith.constant 3.200000e+01 : f32
    %cst_8 = arith.constant 1.41421354 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %0 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0]
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %2 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<32x32xf32>
    %expanded = tensor.expand_shape %4 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
    %5 = tensor.empty() : tensor<2x4x16x8xf32>
    %transposed_9 = linalg.transpose ins(%expanded : tensor<2x16x4x8xf32>) outs(%5 : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
    %transposed_10 = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0]
    %6 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<32x32xf32>
    %expanded_11 = tensor.expand_shape %8 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
    %transposed_12 = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0]
    %9 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<32x32xf32>
    %expanded_13 = tensor.expand_shape %11 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x16x4x8xf32>) outs(%5 : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
    %12 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_15 = linalg.transpose ins(%expanded_11 : tensor<2x16x4x8xf32>) outs(%12 : tensor<2x4x8x16xf32>) permutation = [0, 2, 3, 1]
    %collapsed_16 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_17 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %13 = tensor.empty() : tensor<8x16x16xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %15 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%14 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_18 = tensor.expand_shape %15 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %16 = tensor.empty() : tensor<2x4x16x16xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x4x16x16xf32>) outs(%16 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.truncf %cst_5 : f64 to f32
      %89 = arith.divf %in, %88 : f32
      linalg.yield %89 : f32
    } -> tensor<2x4x16x16xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %arg1 : tensor<2x4x16x16xf32>, tensor<2x1x1x16xf32>) outs(%16 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x4x16x16xf32>
    %19 = tensor.empty() : tensor<2x4x16xi64>
    %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %21 = tensor.empty() : tensor<2x4x16xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %23:2 = linalg.generic {indexing_maps = [#map2, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x4x16x16xf32>) outs(%22, %20 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %88 = linalg.index 3 : index
      %89 = arith.index_cast %88 : index to i64
      %90 = arith.maximumf %in, %out : f32
      %91 = arith.cmpf ogt, %in, %out : f32
      %92 = arith.select %91, %89, %out_33 : i64
      linalg.yield %90, %92 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_19 = tensor.expand_shape %23#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_19 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%16 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.subf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x4x16x16xf32>
    %25 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x4x16x16xf32>) outs(%16 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = math.exp %in : f32
      linalg.yield %88 : f32
    } -> tensor<2x4x16x16xf32>
    %26 = tensor.empty() : tensor<2x4x16x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<2x4x16x16xf32>) outs(%27 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.addf %in, %out : f32
      linalg.yield %88 : f32
    } -> tensor<2x4x16x1xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%16 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.divf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_20 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %collapsed_21 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %30 = tensor.empty() : tensor<8x16x8xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %32 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%31 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_22 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %33 = tensor.empty() : tensor<2x16x4x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<2x4x16x8xf32>) outs(%33 : tensor<2x16x4x8xf32>) permutation = [0, 2, 1, 3]
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0, 1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<32x32xf32>
    %transposed_25 = linalg.transpose ins(%arg8 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0]
    %34 = linalg.matmul ins(%collapsed_24, %transposed_25 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%34, %35 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<32x32xf32>
    %expanded_26 = tensor.expand_shape %36 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %37 = tensor.empty() : tensor<2x16x32xf32>
    %38 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26, %arg0 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %39 = tensor.empty() : tensor<2x16x32xf64>
    %40 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<2x16x32xf32>) outs(%39 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %88 = arith.extf %in : f32 to f64
      linalg.yield %88 : f64
    } -> tensor<2x16x32xf64>
    %41 = tensor.empty() : tensor<2x16x1xf64>
    %42 = linalg.fill ins(%cst_1 : f64) outs(%41 : tensor<2x16x1xf64>) -> tensor<2x16x1xf64>
    %43 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%40 : tensor<2x16x32xf64>) outs(%42 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.addf %in, %out : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %44 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<2x16x1xf64>) outs(%41 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.divf %in, %cst_6 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %45 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %44 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%39 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %88 = arith.subf %in, %in_33 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x32xf64>
    %46 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %45 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%39 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %88 = arith.mulf %in, %in_33 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x32xf64>
    %47 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%46 : tensor<2x16x32xf64>) outs(%42 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.addf %in, %out : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %48 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<2x16x1xf64>) outs(%41 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.divf %in, %cst_6 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %49 = tensor.empty() : tensor<2x16x1xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<2x16x1xf64>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %88 = arith.truncf %in : f64 to f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%49 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %52 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%38 : tensor<2x16x32xf32>) outs(%51 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.addf %in, %out : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %53 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<2x16x1xf32>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.divf %in, %cst_7 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %54 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<2x16x1xf32>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.truncf %cst_4 : f64 to f32
      %89 = arith.addf %in, %88 : f32
      linalg.yield %89 : f32
    } -> tensor<2x16x1xf32>
    %55 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x16x1xf32>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = math.rsqrt %in : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %53 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.subf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %55 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.mulf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %58 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %arg10 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.mulf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %59 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %arg11 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %collapsed_27 = tensor.collapse_shape %59 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %60 = tensor.empty() : tensor<32x64xf32>
    %transposed_28 = linalg.transpose ins(%arg14 : tensor<64x32xf32>) outs(%60 : tensor<32x64xf32>) permutation = [1, 0]
    %61 = linalg.fill ins(%cst : f32) outs(%60 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %62 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%61 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg15 : tensor<64xf32>) outs(%60 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%62, %63 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%60 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<32x64xf32>
    %expanded_29 = tensor.expand_shape %64 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xf32> into tensor<2x16x64xf32>
    %65 = tensor.empty() : tensor<2x16x64xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x16x64xf32>) outs(%65 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.divf %in, %cst_8 : f32
      %89 = math.erf %88 : f32
      %90 = arith.addf %89, %cst_2 : f32
      %91 = arith.mulf %90, %cst_3 : f32
      %92 = arith.mulf %in, %91 : f32
      linalg.yield %92 : f32
    } -> tensor<2x16x64xf32>
    %collapsed_30 = tensor.collapse_shape %66 [[0, 1], [2]] : tensor<2x16x64xf32> into tensor<32x64xf32>
    %67 = tensor.empty() : tensor<64x32xf32>
    %transposed_31 = linalg.transpose ins(%arg16 : tensor<32x64xf32>) outs(%67 : tensor<64x32xf32>) permutation = [1, 0]
    %68 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%1 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%68, %69 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<32x32xf32>
    %expanded_32 = tensor.expand_shape %70 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %71 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32, %59 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %72 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x16x32xf32>) outs(%39 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %88 = arith.extf %in : f32 to f64
      linalg.yield %88 : f64
    } -> tensor<2x16x32xf64>
    %73 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%72 : tensor<2x16x32xf64>) outs(%42 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.addf %in, %out : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %74 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<2x16x1xf64>) outs(%41 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.divf %in, %cst_6 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %75 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %74 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%39 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %88 = arith.subf %in, %in_33 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x32xf64>
    %76 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %75 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%39 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %88 = arith.mulf %in, %in_33 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x32xf64>
    %77 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%76 : tensor<2x16x32xf64>) outs(%42 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.addf %in, %out : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %78 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x16x1xf64>) outs(%41 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %88 = arith.divf %in, %cst_6 : f64
      linalg.yield %88 : f64
    } -> tensor<2x16x1xf64>
    %79 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<2x16x1xf64>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %88 = arith.truncf %in : f64 to f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %80 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<2x16x32xf32>) outs(%51 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.addf %in, %out : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %81 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x16x1xf32>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.divf %in, %cst_7 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %82 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x16x1xf32>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.truncf %cst_4 : f64 to f32
      %89 = arith.addf %in, %88 : f32
      linalg.yield %89 : f32
    } -> tensor<2x16x1xf32>
    %83 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x16x1xf32>) outs(%49 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = math.rsqrt %in : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x1xf32>
    %84 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %81 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.subf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %85 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %83 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.mulf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %86 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %arg12 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.mulf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    %87 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %arg13 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%37 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %88 = arith.addf %in, %in_33 : f32
      linalg.yield %88 : f32
    } -> tensor<2x16x32xf32>
    return %87 : tensor<2x16x32xf32>
  }
}
