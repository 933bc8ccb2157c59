// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// T5's norm before, scores unscaled with a bias of positions, GELU gate.
// Arguments: x, position_bias, norm1.weight, norm2.weight, q.weight, k.weight, v.weight, o.weight, wi_0.weight, wi_1.weight, wo.weight

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @t5_layer(%arg0: tensor<2x16x32xf32>, %arg1: tensor<1x4x16x16xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<64x32xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<32x64xf32>) -> tensor<2x16x32xf32> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %c3_i64 = arith.constant 3 : i64
    %cst_1 = arith.constant 4.471500e-02 : f32
    %cst_2 = arith.constant 7.977240e-01 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant 5.000000e-01 : f32
    %cst_5 = arith.constant 9.9999999999999995E-7 : f64
    %cst_6 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    %2 = tensor.empty() : tensor<2x16x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x16x32xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.divf %in, %cst_6 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.truncf %cst_5 : f64 to f32
      %57 = arith.addf %in, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.rsqrt %in : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.mulf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %8 : tensor<32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.mulf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    %10 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %12 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xf32>, tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
    %13 = tensor.empty() : tensor<2x4x16x8xf32>
    %transposed_7 = linalg.transpose ins(%expanded : tensor<2x16x4x8xf32>) outs(%13 : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
    %transposed_8 = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0]
    %14 = linalg.matmul ins(%collapsed, %transposed_8 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_9 = tensor.expand_shape %14 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
    %transposed_10 = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0]
    %15 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_11 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<2x16x4x8xf32>) outs(%13 : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
    %16 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_13 = linalg.transpose ins(%expanded_9 : tensor<2x16x4x8xf32>) outs(%16 : tensor<2x4x8x16xf32>) permutation = [0, 2, 3, 1]
    %collapsed_14 = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_15 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %17 = tensor.empty() : tensor<8x16x16xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %19 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%18 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_16 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %20 = tensor.empty() : tensor<2x4x16x16xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %arg1 : tensor<2x4x16x16xf32>, tensor<1x4x16x16xf32>) outs(%20 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.addf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x16x16xf32>
    %22 = tensor.empty() : tensor<2x4x16xi64>
    %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %24 = tensor.empty() : tensor<2x4x16xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %26:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<2x4x16x16xf32>) outs(%25, %23 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %56 = linalg.index 3 : index
      %57 = arith.index_cast %56 : index to i64
      %58 = arith.maximumf %in, %out : f32
      %59 = arith.cmpf ogt, %in, %out : f32
      %60 = arith.select %59, %57, %out_33 : i64
      linalg.yield %58, %60 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_17 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_17 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%20 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.subf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x16x16xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x4x16x16xf32>) outs(%20 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.exp %in : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x16x16xf32>
    %29 = tensor.empty() : tensor<2x4x16x1xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<2x4x16x16xf32>) outs(%30 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x16x1xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%20 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.divf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_18 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %collapsed_19 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %33 = tensor.empty() : tensor<8x16x8xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %35 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%34 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_20 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %36 = tensor.empty() : tensor<2x16x4x8xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x4x16x8xf32>) outs(%36 : tensor<2x16x4x8xf32>) permutation = [0, 2, 1, 3]
    %transposed_22 = linalg.transpose ins(%arg7 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0]
    %collapsed_23 = tensor.collapse_shape %transposed_21 [[0, 1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<32x32xf32>
    %37 = linalg.matmul ins(%collapsed_23, %transposed_22 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_24 = tensor.expand_shape %37 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_24 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.addf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<2x16x32xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.divf %in, %cst_6 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x1xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.truncf %cst_5 : f64 to f32
      %57 = arith.addf %in, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<2x16x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.rsqrt %in : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %43 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.mulf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %44 : tensor<32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.mulf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    %46 = tensor.empty() : tensor<32x64xf32>
    %transposed_25 = linalg.transpose ins(%arg8 : tensor<64x32xf32>) outs(%46 : tensor<32x64xf32>) permutation = [1, 0]
    %collapsed_26 = tensor.collapse_shape %45 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %48 = linalg.matmul ins(%collapsed_26, %transposed_25 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%47 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %expanded_27 = tensor.expand_shape %48 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xf32> into tensor<2x16x64xf32>
    %49 = tensor.empty() : tensor<2x16x64xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x16x64xf32>) outs(%49 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.fpowi %in, %c3_i64 : f32, i64
      %57 = arith.mulf %56, %cst_1 : f32
      %58 = arith.addf %in, %57 : f32
      %59 = arith.mulf %58, %cst_2 : f32
      %60 = math.tanh %59 : f32
      %61 = arith.addf %60, %cst_3 : f32
      %62 = arith.mulf %61, %cst_4 : f32
      %63 = arith.mulf %in, %62 : f32
      linalg.yield %63 : f32
    } -> tensor<2x16x64xf32>
    %transposed_28 = linalg.transpose ins(%arg9 : tensor<64x32xf32>) outs(%46 : tensor<32x64xf32>) permutation = [1, 0]
    %51 = linalg.matmul ins(%collapsed_26, %transposed_28 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%47 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %expanded_29 = tensor.expand_shape %51 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xf32> into tensor<2x16x64xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %expanded_29 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%49 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.mulf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x64xf32>
    %53 = tensor.empty() : tensor<64x32xf32>
    %transposed_30 = linalg.transpose ins(%arg10 : tensor<32x64xf32>) outs(%53 : tensor<64x32xf32>) permutation = [1, 0]
    %collapsed_31 = tensor.collapse_shape %52 [[0, 1], [2]] : tensor<2x16x64xf32> into tensor<32x64xf32>
    %54 = linalg.matmul ins(%collapsed_31, %transposed_30 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_32 = tensor.expand_shape %54 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %expanded_32 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %56 = arith.addf %in, %in_33 : f32
      linalg.yield %56 : f32
    } -> tensor<2x16x32xf32>
    return %55 : tensor<2x16x32xf32>
  }
}
