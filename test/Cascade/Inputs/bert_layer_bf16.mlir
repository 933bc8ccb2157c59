// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// Biases, scaled scores, additive mask of keys, LayerNorm after, GELU.
// Arguments: x, mask, query.weight, query.bias, key.weight, key.bias, value.weight, value.bias, output.weight, output.bias, norm1.weight, norm1.bias, norm2.weight, norm2.bias, up.weight, up.bias, down.weight, down.bias

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @bert_layer_bf16(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<2x1x1x16xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<32xbf16>, %arg8: tensor<32x32xbf16>, %arg9: tensor<32xbf16>, %arg10: tensor<32xbf16>, %arg11: tensor<32xbf16>, %arg12: tensor<32xbf16>, %arg13: tensor<32xbf16>, %arg14: tensor<64x32xbf16>, %arg15: tensor<64xbf16>, %arg16: tensor<32x64xbf16>, %arg17: tensor<32xbf16>) -> tensor<2x16x32xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : bf16
    %cst_3 = arith.constant 2.000000e+00 : bf16
    %cst_4 = arith.constant 5.000000e-01 : bf16
    %cst_5 = arith.constant 9.9999999999999998E-13 : f64
    %cst_6 = arith.constant 2.8284271247461903 : f64
    %cst_7 = arith.constant 3.200000e+01 : f64
    %cst_8 = arith.constant 3.200000e+01 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %0 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<32x32xbf16>) outs(%0 : tensor<32x32xbf16>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<32xbf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32xf32>
    %3 = tensor.empty() : tensor<32x32xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<32x32xbf16>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<32x32xbf16>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%3 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %7 = linalg.matmul ins(%4, %5 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%6 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %8 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.addf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<32x32xf32>) outs(%0 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<32x32xbf16>
    %expanded = tensor.expand_shape %10 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %11 = tensor.empty() : tensor<2x4x16x8xbf16>
    %transposed_9 = linalg.transpose ins(%expanded : tensor<2x16x4x8xbf16>) outs(%11 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_10 = linalg.transpose ins(%arg4 : tensor<32x32xbf16>) outs(%0 : tensor<32x32xbf16>) permutation = [1, 0]
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg5 : tensor<32xbf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_10 : tensor<32x32xbf16>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %14 = linalg.matmul ins(%4, %13 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%6 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %15 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.addf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x32xf32>) outs(%0 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<32x32xbf16>
    %expanded_11 = tensor.expand_shape %17 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %transposed_12 = linalg.transpose ins(%arg6 : tensor<32x32xbf16>) outs(%0 : tensor<32x32xbf16>) permutation = [1, 0]
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg7 : tensor<32xbf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_12 : tensor<32x32xbf16>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %20 = linalg.matmul ins(%4, %19 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%6 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %21 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%20, %21 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.addf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<32x32xf32>) outs(%0 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<32x32xbf16>
    %expanded_13 = tensor.expand_shape %23 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x16x4x8xbf16>) outs(%11 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %24 = tensor.empty() : tensor<2x4x8x16xbf16>
    %transposed_15 = linalg.transpose ins(%expanded_11 : tensor<2x16x4x8xbf16>) outs(%24 : tensor<2x4x8x16xbf16>) permutation = [0, 2, 3, 1]
    %collapsed_16 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<2x4x16x8xbf16> into tensor<8x16x8xbf16>
    %collapsed_17 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<2x4x8x16xbf16> into tensor<8x8x16xbf16>
    %25 = tensor.empty() : tensor<8x16x16xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %27 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<8x16x8xbf16>, tensor<8x8x16xbf16>) outs(%26 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %28 = tensor.empty() : tensor<8x16x16xbf16>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<8x16x16xf32>) outs(%28 : tensor<8x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<8x16x16xbf16>
    %expanded_18 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xbf16> into tensor<2x4x16x16xbf16>
    %30 = tensor.empty() : tensor<2x4x16x16xbf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x4x16x16xbf16>) outs(%30 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %127 = arith.truncf %cst_6 : f64 to bf16
      %128 = arith.divf %in, %127 : bf16
      linalg.yield %128 : bf16
    } -> tensor<2x4x16x16xbf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %arg1 : tensor<2x4x16x16xbf16>, tensor<2x1x1x16xbf16>) outs(%30 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %127 = arith.addf %in, %in_33 : bf16
      linalg.yield %127 : bf16
    } -> tensor<2x4x16x16xbf16>
    %33 = tensor.empty() : tensor<2x4x16x16xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x4x16x16xbf16>) outs(%33 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<2x4x16x16xf32>
    %35 = tensor.empty() : tensor<2x4x16xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %37 = tensor.empty() : tensor<2x4x16xf32>
    %38 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %39:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x4x16x16xf32>) outs(%38, %36 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %127 = linalg.index 3 : index
      %128 = arith.index_cast %127 : index to i64
      %129 = arith.maximumf %in, %out : f32
      %130 = arith.cmpf ogt, %in, %out : f32
      %131 = arith.select %130, %128, %out_33 : i64
      linalg.yield %129, %131 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_19 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %expanded_19 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%33 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.subf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<2x4x16x16xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x4x16x16xf32>) outs(%33 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = math.exp %in : f32
      linalg.yield %127 : f32
    } -> tensor<2x4x16x16xf32>
    %42 = tensor.empty() : tensor<2x4x16x1xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<2x4x16x16xf32>) outs(%43 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = arith.addf %in, %out : f32
      linalg.yield %127 : f32
    } -> tensor<2x4x16x1xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%33 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.divf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<2x4x16x16xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x4x16x16xf32>) outs(%30 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<2x4x16x16xbf16>
    %collapsed_20 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<2x4x16x16xbf16> into tensor<8x16x16xbf16>
    %collapsed_21 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x16x8xbf16> into tensor<8x16x8xbf16>
    %47 = tensor.empty() : tensor<8x16x8xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %49 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<8x16x16xbf16>, tensor<8x16x8xbf16>) outs(%48 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %50 = tensor.empty() : tensor<8x16x8xbf16>
    %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<8x16x8xf32>) outs(%50 : tensor<8x16x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<8x16x8xbf16>
    %expanded_22 = tensor.expand_shape %51 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xbf16> into tensor<2x4x16x8xbf16>
    %52 = tensor.empty() : tensor<2x16x4x8xbf16>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<2x4x16x8xbf16>) outs(%52 : tensor<2x16x4x8xbf16>) permutation = [0, 2, 1, 3]
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0, 1], [2, 3]] : tensor<2x16x4x8xbf16> into tensor<32x32xbf16>
    %transposed_25 = linalg.transpose ins(%arg8 : tensor<32x32xbf16>) outs(%0 : tensor<32x32xbf16>) permutation = [1, 0]
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg9 : tensor<32xbf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_24 : tensor<32x32xbf16>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_25 : tensor<32x32xbf16>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %56 = linalg.matmul ins(%54, %55 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%6 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %57 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%56, %57 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.addf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<32x32xf32>) outs(%0 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<32x32xbf16>
    %expanded_26 = tensor.expand_shape %59 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %60 = tensor.empty() : tensor<2x16x32xbf16>
    %61 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26, %arg0 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%60 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %127 = arith.addf %in, %in_33 : bf16
      linalg.yield %127 : bf16
    } -> tensor<2x16x32xbf16>
    %62 = tensor.empty() : tensor<2x16x32xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x16x32xbf16>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<2x16x32xf32>
    %64 = tensor.empty() : tensor<2x16x32xf64>
    %65 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x16x32xf32>) outs(%64 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %127 = arith.extf %in : f32 to f64
      linalg.yield %127 : f64
    } -> tensor<2x16x32xf64>
    %66 = tensor.empty() : tensor<2x16x1xf64>
    %67 = linalg.fill ins(%cst_1 : f64) outs(%66 : tensor<2x16x1xf64>) -> tensor<2x16x1xf64>
    %68 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65 : tensor<2x16x32xf64>) outs(%67 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.addf %in, %out : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %69 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x16x1xf64>) outs(%66 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.divf %in, %cst_7 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %70 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %69 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%64 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %127 = arith.subf %in, %in_33 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x32xf64>
    %71 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %70 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%64 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %127 = arith.mulf %in, %in_33 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x32xf64>
    %72 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<2x16x32xf64>) outs(%67 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.addf %in, %out : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %73 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x16x1xf64>) outs(%66 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.divf %in, %cst_7 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %74 = tensor.empty() : tensor<2x16x1xf32>
    %75 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<2x16x1xf64>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %127 = arith.truncf %in : f64 to f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %76 = linalg.fill ins(%cst : f32) outs(%74 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x16x32xf32>) outs(%76 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = arith.addf %in, %out : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x16x1xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = arith.divf %in, %cst_8 : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %79 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<2x16x1xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = arith.truncf %cst_5 : f64 to f32
      %128 = arith.addf %in, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<2x16x1xf32>
    %80 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x16x1xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = math.rsqrt %in : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %78 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.subf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x32xf32>
    %82 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %80 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.mulf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x32xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %arg10 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: bf16, %out: f32):
      %127 = arith.extf %in_33 : bf16 to f32
      %128 = arith.mulf %in, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<2x16x32xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %arg11 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: bf16, %out: f32):
      %127 = arith.extf %in_33 : bf16 to f32
      %128 = arith.addf %in, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<2x16x32xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x16x32xf32>) outs(%60 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_27 = tensor.collapse_shape %85 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %86 = tensor.empty() : tensor<32x64xbf16>
    %transposed_28 = linalg.transpose ins(%arg14 : tensor<64x32xbf16>) outs(%86 : tensor<32x64xbf16>) permutation = [1, 0]
    %87 = tensor.empty() : tensor<64xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg15 : tensor<64xbf16>) outs(%87 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<64xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_27 : tensor<32x32xbf16>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %90 = tensor.empty() : tensor<32x64xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_28 : tensor<32x64xbf16>) outs(%90 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x64xf32>
    %92 = linalg.fill ins(%cst : f32) outs(%90 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %93 = linalg.matmul ins(%89, %91 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%92 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %94 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%88 : tensor<64xf32>) outs(%90 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%93, %94 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%90 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.addf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<32x64xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<32x64xf32>) outs(%86 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<32x64xbf16>
    %expanded_29 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %97 = tensor.empty() : tensor<2x16x64xbf16>
    %98 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x16x64xbf16>) outs(%97 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %127 = math.sqrt %cst_3 : bf16
      %128 = arith.divf %in, %127 : bf16
      %129 = math.erf %128 : bf16
      %130 = arith.addf %129, %cst_2 : bf16
      %131 = arith.mulf %130, %cst_4 : bf16
      %132 = arith.mulf %in, %131 : bf16
      linalg.yield %132 : bf16
    } -> tensor<2x16x64xbf16>
    %collapsed_30 = tensor.collapse_shape %98 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %99 = tensor.empty() : tensor<64x32xbf16>
    %transposed_31 = linalg.transpose ins(%arg16 : tensor<32x64xbf16>) outs(%99 : tensor<64x32xbf16>) permutation = [1, 0]
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg17 : tensor<32xbf16>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_30 : tensor<32x64xbf16>) outs(%90 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<32x64xf32>
    %102 = tensor.empty() : tensor<64x32xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_31 : tensor<64x32xbf16>) outs(%102 : tensor<64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<64x32xf32>
    %104 = linalg.matmul ins(%101, %103 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%6 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%104, %105 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%3 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.addf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<32x32xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%106 : tensor<32x32xf32>) outs(%0 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<32x32xbf16>
    %expanded_32 = tensor.expand_shape %107 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %108 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32, %85 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%60 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %127 = arith.addf %in, %in_33 : bf16
      linalg.yield %127 : bf16
    } -> tensor<2x16x32xbf16>
    %109 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x16x32xbf16>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %127 = arith.extf %in : bf16 to f32
      linalg.yield %127 : f32
    } -> tensor<2x16x32xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<2x16x32xf32>) outs(%64 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %127 = arith.extf %in : f32 to f64
      linalg.yield %127 : f64
    } -> tensor<2x16x32xf64>
    %111 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%110 : tensor<2x16x32xf64>) outs(%67 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.addf %in, %out : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %112 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x16x1xf64>) outs(%66 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.divf %in, %cst_7 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %113 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %112 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%64 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %127 = arith.subf %in, %in_33 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x32xf64>
    %114 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %113 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%64 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %127 = arith.mulf %in, %in_33 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x32xf64>
    %115 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%114 : tensor<2x16x32xf64>) outs(%67 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.addf %in, %out : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %116 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<2x16x1xf64>) outs(%66 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %127 = arith.divf %in, %cst_7 : f64
      linalg.yield %127 : f64
    } -> tensor<2x16x1xf64>
    %117 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<2x16x1xf64>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %127 = arith.truncf %in : f64 to f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %118 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%109 : tensor<2x16x32xf32>) outs(%76 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = arith.addf %in, %out : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<2x16x1xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = arith.divf %in, %cst_8 : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %120 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<2x16x1xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = arith.truncf %cst_5 : f64 to f32
      %128 = arith.addf %in, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<2x16x1xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<2x16x1xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %127 = math.rsqrt %in : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x1xf32>
    %122 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %119 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.subf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x32xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %121 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %127 = arith.mulf %in, %in_33 : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x32xf32>
    %124 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %arg12 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: bf16, %out: f32):
      %127 = arith.extf %in_33 : bf16 to f32
      %128 = arith.mulf %in, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<2x16x32xf32>
    %125 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %arg13 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%62 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: bf16, %out: f32):
      %127 = arith.extf %in_33 : bf16 to f32
      %128 = arith.addf %in, %127 : f32
      linalg.yield %128 : f32
    } -> tensor<2x16x32xf32>
    %126 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x16x32xf32>) outs(%60 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %127 = arith.truncf %in : f32 to bf16
      linalg.yield %127 : bf16
    } -> tensor<2x16x32xbf16>
    return %126 : tensor<2x16x32xbf16>
  }
}
