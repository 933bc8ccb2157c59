// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// T5's norm before, scores unscaled with a bias of positions, GELU gate.
// Arguments: x, position_bias, norm1.weight, norm2.weight, q.weight, k.weight, v.weight, o.weight, wi_0.weight, wi_1.weight, wo.weight

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @t5_layer_bf16(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<1x4x16x16xbf16>, %arg2: tensor<32xbf16>, %arg3: tensor<32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<32x32xbf16>, %arg8: tensor<64x32xbf16>, %arg9: tensor<64x32xbf16>, %arg10: tensor<32x64xbf16>) -> tensor<2x16x32xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %c3_i64 = arith.constant 3 : i64
    %cst_1 = arith.constant 4.467770e-02 : bf16
    %cst_2 = arith.constant 7.968750e-01 : bf16
    %cst_3 = arith.constant 1.000000e+00 : bf16
    %cst_4 = arith.constant 5.000000e-01 : bf16
    %cst_5 = arith.constant 9.9999999999999995E-7 : f64
    %cst_6 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %77 = arith.extf %in : bf16 to f32
      linalg.yield %77 : f32
    } -> tensor<2x16x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %77 : f32
    } -> tensor<2x16x32xf32>
    %3 = tensor.empty() : tensor<2x16x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.divf %in, %cst_6 : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_5 : f64 to f32
      %78 = arith.addf %in, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.rsqrt %in : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x16x32xbf16>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %in_33: f32, %out: f32):
      %77 = arith.extf %in : bf16 to f32
      %78 = arith.mulf %77, %in_33 : f32
      linalg.yield %78 : f32
    } -> tensor<2x16x32xf32>
    %10 = tensor.empty() : tensor<2x16x32xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<2x16x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %11 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %77 = arith.mulf %in, %in_33 : bf16
      linalg.yield %77 : bf16
    } -> tensor<2x16x32xbf16>
    %13 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %14 = tensor.empty() : tensor<32x32xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<32x32xbf16>
    %expanded = tensor.expand_shape %17 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %18 = tensor.empty() : tensor<2x4x16x8xbf16>
    %transposed_7 = linalg.transpose ins(%expanded : tensor<2x16x4x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_8 = linalg.transpose ins(%arg5 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %19 = linalg.matmul ins(%collapsed, %transposed_8 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<32x32xbf16>
    %expanded_9 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %transposed_10 = linalg.transpose ins(%arg6 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %21 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<32x32xbf16>
    %expanded_11 = tensor.expand_shape %22 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<2x16x4x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %23 = tensor.empty() : tensor<2x4x8x16xbf16>
    %transposed_13 = linalg.transpose ins(%expanded_9 : tensor<2x16x4x8xbf16>) outs(%23 : tensor<2x4x8x16xbf16>) permutation = [0, 2, 3, 1]
    %collapsed_14 = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<2x4x16x8xbf16> into tensor<8x16x8xbf16>
    %collapsed_15 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<2x4x8x16xbf16> into tensor<8x8x16xbf16>
    %24 = tensor.empty() : tensor<8x16x16xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %26 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<8x16x8xbf16>, tensor<8x8x16xbf16>) outs(%25 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %27 = tensor.empty() : tensor<8x16x16xbf16>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<8x16x16xf32>) outs(%27 : tensor<8x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<8x16x16xbf16>
    %expanded_16 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xbf16> into tensor<2x4x16x16xbf16>
    %29 = tensor.empty() : tensor<2x4x16x16xbf16>
    %30 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %arg1 : tensor<2x4x16x16xbf16>, tensor<1x4x16x16xbf16>) outs(%29 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %77 = arith.addf %in, %in_33 : bf16
      linalg.yield %77 : bf16
    } -> tensor<2x4x16x16xbf16>
    %31 = tensor.empty() : tensor<2x4x16x16xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x4x16x16xbf16>) outs(%31 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %77 = arith.extf %in : bf16 to f32
      linalg.yield %77 : f32
    } -> tensor<2x4x16x16xf32>
    %33 = tensor.empty() : tensor<2x4x16xi64>
    %34 = linalg.fill ins(%c0_i64 : i64) outs(%33 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %35 = tensor.empty() : tensor<2x4x16xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %37:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<2x4x16x16xf32>) outs(%36, %34 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %77 = linalg.index 3 : index
      %78 = arith.index_cast %77 : index to i64
      %79 = arith.maximumf %in, %out : f32
      %80 = arith.cmpf ogt, %in, %out : f32
      %81 = arith.select %80, %78, %out_33 : i64
      linalg.yield %79, %81 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_17 = tensor.expand_shape %37#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %expanded_17 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%31 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.subf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<2x4x16x16xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x4x16x16xf32>) outs(%31 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.exp %in : f32
      linalg.yield %77 : f32
    } -> tensor<2x4x16x16xf32>
    %40 = tensor.empty() : tensor<2x4x16x1xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x4x16x16xf32>) outs(%41 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<2x4x16x1xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%31 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %77 = arith.divf %in, %in_33 : f32
      linalg.yield %77 : f32
    } -> tensor<2x4x16x16xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x4x16x16xf32>) outs(%29 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<2x4x16x16xbf16>
    %collapsed_18 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<2x4x16x16xbf16> into tensor<8x16x16xbf16>
    %collapsed_19 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<2x4x16x8xbf16> into tensor<8x16x8xbf16>
    %45 = tensor.empty() : tensor<8x16x8xf32>
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %47 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x16x16xbf16>, tensor<8x16x8xbf16>) outs(%46 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %48 = tensor.empty() : tensor<8x16x8xbf16>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<8x16x8xf32>) outs(%48 : tensor<8x16x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<8x16x8xbf16>
    %expanded_20 = tensor.expand_shape %49 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xbf16> into tensor<2x4x16x8xbf16>
    %50 = tensor.empty() : tensor<2x16x4x8xbf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x4x16x8xbf16>) outs(%50 : tensor<2x16x4x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_22 = linalg.transpose ins(%arg7 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %collapsed_23 = tensor.collapse_shape %transposed_21 [[0, 1], [2, 3]] : tensor<2x16x4x8xbf16> into tensor<32x32xbf16>
    %51 = linalg.matmul ins(%collapsed_23, %transposed_22 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<32x32xbf16>
    %expanded_24 = tensor.expand_shape %52 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_24 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %77 = arith.addf %in, %in_33 : bf16
      linalg.yield %77 : bf16
    } -> tensor<2x16x32xbf16>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %77 = arith.extf %in : bf16 to f32
      linalg.yield %77 : f32
    } -> tensor<2x16x32xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %77 : f32
    } -> tensor<2x16x32xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%55 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x1xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.divf %in, %cst_6 : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_5 : f64 to f32
      %78 = arith.addf %in, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<2x16x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.rsqrt %in : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %59 : tensor<2x16x32xbf16>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %in_33: f32, %out: f32):
      %77 = arith.extf %in : bf16 to f32
      %78 = arith.mulf %77, %in_33 : f32
      linalg.yield %78 : f32
    } -> tensor<2x16x32xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<2x16x32xbf16>
    %62 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %61 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %77 = arith.mulf %in, %in_33 : bf16
      linalg.yield %77 : bf16
    } -> tensor<2x16x32xbf16>
    %63 = tensor.empty() : tensor<32x64xbf16>
    %transposed_25 = linalg.transpose ins(%arg8 : tensor<64x32xbf16>) outs(%63 : tensor<32x64xbf16>) permutation = [1, 0]
    %collapsed_26 = tensor.collapse_shape %62 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %64 = tensor.empty() : tensor<32x64xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %66 = linalg.matmul ins(%collapsed_26, %transposed_25 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%65 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %67 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<32x64xf32>) outs(%63 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<32x64xbf16>
    %expanded_27 = tensor.expand_shape %67 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %68 = tensor.empty() : tensor<2x16x64xbf16>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x16x64xbf16>) outs(%68 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %77 = math.fpowi %in, %c3_i64 : bf16, i64
      %78 = arith.mulf %77, %cst_1 : bf16
      %79 = arith.addf %in, %78 : bf16
      %80 = arith.mulf %79, %cst_2 : bf16
      %81 = math.tanh %80 : bf16
      %82 = arith.addf %81, %cst_3 : bf16
      %83 = arith.mulf %82, %cst_4 : bf16
      %84 = arith.mulf %in, %83 : bf16
      linalg.yield %84 : bf16
    } -> tensor<2x16x64xbf16>
    %transposed_28 = linalg.transpose ins(%arg9 : tensor<64x32xbf16>) outs(%63 : tensor<32x64xbf16>) permutation = [1, 0]
    %70 = linalg.matmul ins(%collapsed_26, %transposed_28 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%65 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %71 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%70 : tensor<32x64xf32>) outs(%63 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<32x64xbf16>
    %expanded_29 = tensor.expand_shape %71 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %expanded_29 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%68 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %77 = arith.mulf %in, %in_33 : bf16
      linalg.yield %77 : bf16
    } -> tensor<2x16x64xbf16>
    %73 = tensor.empty() : tensor<64x32xbf16>
    %transposed_30 = linalg.transpose ins(%arg10 : tensor<32x64xbf16>) outs(%73 : tensor<64x32xbf16>) permutation = [1, 0]
    %collapsed_31 = tensor.collapse_shape %72 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %74 = linalg.matmul ins(%collapsed_31, %transposed_30 : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %75 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%74 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %77 = arith.truncf %in : f32 to bf16
      linalg.yield %77 : bf16
    } -> tensor<32x32xbf16>
    %expanded_32 = tensor.expand_shape %75 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %expanded_32 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_33: bf16, %out: bf16):
      %77 = arith.addf %in, %in_33 : bf16
      linalg.yield %77 : bf16
    } -> tensor<2x16x32xbf16>
    return %76 : tensor<2x16x32xbf16>
  }
}
