// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// RMSNorm before, rotary positions, fewer heads of keys, additive causal mask, SiLU gate.
// Arguments: x, cos, sin, mask, norm1.weight, norm2.weight, q.weight, k.weight, v.weight, o.weight, gate.weight, up.weight, down.weight

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @llama_layer_bf16(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<16x8xbf16>, %arg2: tensor<16x8xbf16>, %arg3: tensor<16x16xbf16>, %arg4: tensor<32xbf16>, %arg5: tensor<32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<16x32xbf16>, %arg8: tensor<16x32xbf16>, %arg9: tensor<32x32xbf16>, %arg10: tensor<64x32xbf16>, %arg11: tensor<64x32xbf16>, %arg12: tensor<32x64xbf16>) -> tensor<2x16x32xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant 9.9999999999999995E-7 : f64
    %cst_4 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %99 = arith.extf %in : bf16 to f32
      linalg.yield %99 : f32
    } -> tensor<2x16x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %99 : f32
    } -> tensor<2x16x32xf32>
    %3 = tensor.empty() : tensor<2x16x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.addf %in, %out : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.divf %in, %cst_4 : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.truncf %cst_3 : f64 to f32
      %100 = arith.addf %in, %99 : f32
      linalg.yield %100 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.rsqrt %in : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %99 = arith.mulf %in, %in_37 : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x32xf32>
    %10 = tensor.empty() : tensor<2x16x32xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4, %11 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x32xbf16>
    %13 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%arg6 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %14 = tensor.empty() : tensor<32x32xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<32x32xbf16>
    %expanded = tensor.expand_shape %17 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %18 = tensor.empty() : tensor<2x4x16x8xbf16>
    %transposed_5 = linalg.transpose ins(%expanded : tensor<2x16x4x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %19 = tensor.empty() : tensor<32x16xbf16>
    %transposed_6 = linalg.transpose ins(%arg7 : tensor<16x32xbf16>) outs(%19 : tensor<32x16xbf16>) permutation = [1, 0]
    %20 = tensor.empty() : tensor<32x16xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %22 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<32x32xbf16>, tensor<32x16xbf16>) outs(%21 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<32x16xf32>) outs(%19 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<32x16xbf16>
    %expanded_7 = tensor.expand_shape %23 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xbf16> into tensor<2x16x2x8xbf16>
    %24 = tensor.empty() : tensor<2x2x16x8xbf16>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<2x16x2x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_9 = linalg.transpose ins(%arg8 : tensor<16x32xbf16>) outs(%19 : tensor<32x16xbf16>) permutation = [1, 0]
    %25 = linalg.matmul ins(%collapsed, %transposed_9 : tensor<32x32xbf16>, tensor<32x16xbf16>) outs(%21 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<32x16xf32>) outs(%19 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<32x16xbf16>
    %expanded_10 = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xbf16> into tensor<2x16x2x8xbf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<2x16x2x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) permutation = [0, 2, 1, 3]
    %27 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_5, %arg1 : tensor<2x4x16x8xbf16>, tensor<16x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x4x16x8xbf16>
    %extracted_slice = tensor.extract_slice %transposed_5[0, 0, 0, 4] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xbf16> to tensor<2x4x16x4xbf16>
    %28 = tensor.empty() : tensor<2x4x16x4xbf16>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2x4x16x4xbf16>) outs(%28 : tensor<2x4x16x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %99 = arith.negf %in : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x4x16x4xbf16>
    %extracted_slice_12 = tensor.extract_slice %transposed_5[0, 0, 0, 0] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xbf16> to tensor<2x4x16x4xbf16>
    %concat = tensor.concat dim(3) %29, %extracted_slice_12 : (tensor<2x4x16x4xbf16>, tensor<2x4x16x4xbf16>) -> tensor<2x4x16x8xbf16>
    %30 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg2 : tensor<2x4x16x8xbf16>, tensor<16x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x4x16x8xbf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.addf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x4x16x8xbf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_8, %arg1 : tensor<2x2x16x8xbf16>, tensor<16x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x2x16x8xbf16>
    %extracted_slice_13 = tensor.extract_slice %transposed_8[0, 0, 0, 4] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xbf16> to tensor<2x2x16x4xbf16>
    %33 = tensor.empty() : tensor<2x2x16x4xbf16>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13 : tensor<2x2x16x4xbf16>) outs(%33 : tensor<2x2x16x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %99 = arith.negf %in : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x2x16x4xbf16>
    %extracted_slice_14 = tensor.extract_slice %transposed_8[0, 0, 0, 0] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xbf16> to tensor<2x2x16x4xbf16>
    %concat_15 = tensor.concat dim(3) %34, %extracted_slice_14 : (tensor<2x2x16x4xbf16>, tensor<2x2x16x4xbf16>) -> tensor<2x2x16x8xbf16>
    %35 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_15, %arg2 : tensor<2x2x16x8xbf16>, tensor<16x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x2x16x8xbf16>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<2x2x16x8xbf16>, tensor<2x2x16x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.addf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x2x16x8xbf16>
    %37 = tensor.empty() : tensor<2x2x2x16x8xbf16>
    %38 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<2x2x16x8xbf16>) outs(%37 : tensor<2x2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x16x8xbf16>
    %collapsed_16 = tensor.collapse_shape %38 [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xbf16> into tensor<2x4x16x8xbf16>
    %39 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<2x2x16x8xbf16>) outs(%37 : tensor<2x2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x16x8xbf16>
    %40 = tensor.empty() : tensor<2x4x8x16xbf16>
    %transposed_17 = linalg.transpose ins(%collapsed_16 : tensor<2x4x16x8xbf16>) outs(%40 : tensor<2x4x8x16xbf16>) permutation = [0, 1, 3, 2]
    %collapsed_18 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x4x16x8xbf16> into tensor<8x16x8xbf16>
    %collapsed_19 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<2x4x8x16xbf16> into tensor<8x8x16xbf16>
    %41 = tensor.empty() : tensor<8x16x16xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %43 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x16x8xbf16>, tensor<8x8x16xbf16>) outs(%42 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %44 = tensor.empty() : tensor<8x16x16xbf16>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<8x16x16xf32>) outs(%44 : tensor<8x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x16x16xbf16>
    %expanded_20 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xbf16> into tensor<2x4x16x16xbf16>
    %46 = tensor.empty() : tensor<2x4x16x16xbf16>
    %47 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x4x16x16xbf16>) outs(%46 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %99 = arith.truncf %cst_2 : f64 to bf16
      %100 = arith.mulf %in, %99 : bf16
      linalg.yield %100 : bf16
    } -> tensor<2x4x16x16xbf16>
    %48 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %arg3 : tensor<2x4x16x16xbf16>, tensor<16x16xbf16>) outs(%46 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.addf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x4x16x16xbf16>
    %49 = tensor.empty() : tensor<2x4x16x16xf32>
    %50 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x4x16x16xbf16>) outs(%49 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %99 = arith.extf %in : bf16 to f32
      linalg.yield %99 : f32
    } -> tensor<2x4x16x16xf32>
    %51 = tensor.empty() : tensor<2x4x16xi64>
    %52 = linalg.fill ins(%c0_i64 : i64) outs(%51 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %53 = tensor.empty() : tensor<2x4x16xf32>
    %54 = linalg.fill ins(%cst_0 : f32) outs(%53 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %55:2 = linalg.generic {indexing_maps = [#map4, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<2x4x16x16xf32>) outs(%54, %52 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_37: i64):
      %99 = linalg.index 3 : index
      %100 = arith.index_cast %99 : index to i64
      %101 = arith.maximumf %in, %out : f32
      %102 = arith.cmpf ogt, %in, %out : f32
      %103 = arith.select %102, %100, %out_37 : i64
      linalg.yield %101, %103 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_21 = tensor.expand_shape %55#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %expanded_21 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%49 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %99 = arith.subf %in, %in_37 : f32
      linalg.yield %99 : f32
    } -> tensor<2x4x16x16xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<2x4x16x16xf32>) outs(%49 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.exp %in : f32
      linalg.yield %99 : f32
    } -> tensor<2x4x16x16xf32>
    %58 = tensor.empty() : tensor<2x4x16x1xf32>
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %60 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<2x4x16x16xf32>) outs(%59 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.addf %in, %out : f32
      linalg.yield %99 : f32
    } -> tensor<2x4x16x1xf32>
    %61 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %60 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%49 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %99 = arith.divf %in, %in_37 : f32
      linalg.yield %99 : f32
    } -> tensor<2x4x16x16xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<2x4x16x16xf32>) outs(%46 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<2x4x16x16xbf16>
    %collapsed_22 = tensor.collapse_shape %62 [[0, 1], [2], [3]] : tensor<2x4x16x16xbf16> into tensor<8x16x16xbf16>
    %collapsed_23 = tensor.collapse_shape %39 [[0, 1, 2], [3], [4]] : tensor<2x2x2x16x8xbf16> into tensor<8x16x8xbf16>
    %63 = tensor.empty() : tensor<8x16x8xf32>
    %64 = linalg.fill ins(%cst : f32) outs(%63 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %65 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<8x16x16xbf16>, tensor<8x16x8xbf16>) outs(%64 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %66 = tensor.empty() : tensor<8x16x8xbf16>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<8x16x8xf32>) outs(%66 : tensor<8x16x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<8x16x8xbf16>
    %expanded_24 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xbf16> into tensor<2x4x16x8xbf16>
    %68 = tensor.empty() : tensor<2x16x4x8xbf16>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<2x4x16x8xbf16>) outs(%68 : tensor<2x16x4x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_26 = linalg.transpose ins(%arg9 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %collapsed_27 = tensor.collapse_shape %transposed_25 [[0, 1], [2, 3]] : tensor<2x16x4x8xbf16> into tensor<32x32xbf16>
    %69 = linalg.matmul ins(%collapsed_27, %transposed_26 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%69 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<32x32xbf16>
    %expanded_28 = tensor.expand_shape %70 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_28 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.addf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x32xbf16>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %99 = arith.extf %in : bf16 to f32
      linalg.yield %99 : f32
    } -> tensor<2x16x32xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %99 : f32
    } -> tensor<2x16x32xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%73 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.addf %in, %out : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.divf %in, %cst_4 : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x1xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.truncf %cst_3 : f64 to f32
      %100 = arith.addf %in, %99 : f32
      linalg.yield %100 : f32
    } -> tensor<2x16x1xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = math.rsqrt %in : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %77 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %99 = arith.mulf %in, %in_37 : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x32xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x32xbf16>
    %80 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5, %79 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x32xbf16>
    %81 = tensor.empty() : tensor<32x64xbf16>
    %transposed_29 = linalg.transpose ins(%arg10 : tensor<64x32xbf16>) outs(%81 : tensor<32x64xbf16>) permutation = [1, 0]
    %collapsed_30 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %82 = tensor.empty() : tensor<32x64xf32>
    %83 = linalg.fill ins(%cst : f32) outs(%82 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %84 = linalg.matmul ins(%collapsed_30, %transposed_29 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%83 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%84 : tensor<32x64xf32>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<32x64xbf16>
    %expanded_31 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %86 = tensor.empty() : tensor<2x16x64xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<2x16x64xbf16>) outs(%86 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %99 = arith.extf %in : bf16 to f32
      linalg.yield %99 : f32
    } -> tensor<2x16x64xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x16x64xf32>) outs(%86 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %99 = arith.negf %in : f32
      %100 = math.exp %99 : f32
      %101 = arith.addf %100, %cst_1 : f32
      %102 = arith.divf %cst_1, %101 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x64xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %88 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%86 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %99 = arith.mulf %in, %in_37 : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x64xf32>
    %90 = tensor.empty() : tensor<2x16x64xbf16>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x16x64xf32>) outs(%90 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x64xbf16>
    %transposed_32 = linalg.transpose ins(%arg11 : tensor<64x32xbf16>) outs(%81 : tensor<32x64xbf16>) permutation = [1, 0]
    %92 = linalg.matmul ins(%collapsed_30, %transposed_32 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%83 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %93 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<32x64xf32>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<32x64xbf16>
    %expanded_33 = tensor.expand_shape %93 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %expanded_33 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%90 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.mulf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x64xbf16>
    %95 = tensor.empty() : tensor<64x32xbf16>
    %transposed_34 = linalg.transpose ins(%arg12 : tensor<32x64xbf16>) outs(%95 : tensor<64x32xbf16>) permutation = [1, 0]
    %collapsed_35 = tensor.collapse_shape %94 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %96 = linalg.matmul ins(%collapsed_35, %transposed_34 : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %97 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %99 = arith.truncf %in : f32 to bf16
      linalg.yield %99 : bf16
    } -> tensor<32x32xbf16>
    %expanded_36 = tensor.expand_shape %97 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %expanded_36 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_37: bf16, %out: bf16):
      %99 = arith.addf %in, %in_37 : bf16
      linalg.yield %99 : bf16
    } -> tensor<2x16x32xbf16>
    return %98 : tensor<2x16x32xbf16>
  }
}
