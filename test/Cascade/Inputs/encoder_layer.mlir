// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// torch.nn.TransformerEncoderLayer, of which torch.nn.MultiheadAttention is a part.
// Arguments: x, mask, self_attn.in_proj_weight, self_attn.in_proj_bias, self_attn.out_proj.weight, self_attn.out_proj.bias, linear1.weight, linear1.bias, linear2.weight, linear2.bias, norm1.weight, norm1.bias, norm2.weight, norm2.bias

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1) -> (d1)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @encoder_layer(%arg0: tensor<2x16x32xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<96x32xf32>, %arg3: tensor<96xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<64x32xf32>, %arg7: tensor<64xf32>, %arg8: tensor<32x64xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32xf32>) -> tensor<2x16x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 0xFFF0000000000000 : f64
    %cst_7 = arith.constant 0.59460355750136051 : f64
    %cst_8 = arith.constant 3.200000e+01 : f64
    %cst_9 = arith.constant 3.200000e+01 : f32
    %cst_10 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<16x2x32xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x16x32xf32>) outs(%0 : tensor<16x2x32xf32>) permutation = [1, 0, 2]
    %1 = tensor.empty() : tensor<32x96xf32>
    %transposed_11 = linalg.transpose ins(%arg2 : tensor<96x32xf32>) outs(%1 : tensor<32x96xf32>) permutation = [1, 0]
    %2 = tensor.empty() : tensor<16x32x96xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<32x96xf32>) outs(%2 : tensor<16x32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x96xf32>
    %4 = tensor.empty() : tensor<16x2x96xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<16x2x96xf32>) -> tensor<16x2x96xf32>
    %6 = linalg.batch_matmul ins(%transposed, %3 : tensor<16x2x32xf32>, tensor<16x32x96xf32>) outs(%5 : tensor<16x2x96xf32>) -> tensor<16x2x96xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %arg3 : tensor<16x2x96xf32>, tensor<96xf32>) outs(%4 : tensor<16x2x96xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<16x2x96xf32>
    %expanded = tensor.expand_shape %7 [[0, 1], [2], [3, 4]] output_shape [1, 16, 2, 3, 32] : tensor<16x2x96xf32> into tensor<1x16x2x3x32xf32>
    %8 = tensor.empty() : tensor<3x16x2x1x32xf32>
    %transposed_12 = linalg.transpose ins(%expanded : tensor<1x16x2x3x32xf32>) outs(%8 : tensor<3x16x2x1x32xf32>) permutation = [3, 1, 2, 0, 4]
    %collapsed = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3], [4]] : tensor<3x16x2x1x32xf32> into tensor<3x16x2x32xf32>
    %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 16, 2, 32] [1, 1, 1, 1] : tensor<3x16x2x32xf32> to tensor<1x16x2x32xf32>
    %extracted_slice_13 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, 16, 2, 32] [1, 1, 1, 1] : tensor<3x16x2x32xf32> to tensor<1x16x2x32xf32>
    %extracted_slice_14 = tensor.extract_slice %collapsed[2, 0, 0, 0] [1, 16, 2, 32] [1, 1, 1, 1] : tensor<3x16x2x32xf32> to tensor<1x16x2x32xf32>
    %collapsed_15 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x16x2x32xf32> into tensor<16x64xf32>
    %expanded_16 = tensor.expand_shape %collapsed_15 [[0], [1, 2]] output_shape [16, 8, 8] : tensor<16x64xf32> into tensor<16x8x8xf32>
    %9 = tensor.empty() : tensor<8x16x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<16x8x8xf32>) outs(%9 : tensor<8x16x8xf32>) permutation = [1, 0, 2]
    %collapsed_18 = tensor.collapse_shape %extracted_slice_13 [[0, 1], [2, 3]] : tensor<1x16x2x32xf32> into tensor<16x64xf32>
    %expanded_19 = tensor.expand_shape %collapsed_18 [[0], [1, 2]] output_shape [16, 8, 8] : tensor<16x64xf32> into tensor<16x8x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<16x8x8xf32>) outs(%9 : tensor<8x16x8xf32>) permutation = [1, 0, 2]
    %collapsed_21 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2, 3]] : tensor<1x16x2x32xf32> into tensor<16x64xf32>
    %expanded_22 = tensor.expand_shape %collapsed_21 [[0], [1, 2]] output_shape [16, 8, 8] : tensor<16x64xf32> into tensor<16x8x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<16x8x8xf32>) outs(%9 : tensor<8x16x8xf32>) permutation = [1, 0, 2]
    %expanded_24 = tensor.expand_shape %arg1 [[0, 1, 2], [3]] output_shape [1, 1, 16, 16] : tensor<16x16xf32> into tensor<1x1x16x16xf32>
    %expanded_25 = tensor.expand_shape %transposed_17 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %expanded_26 = tensor.expand_shape %transposed_20 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %10 = tensor.empty() : tensor<2x4x16x8xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<2x4x16x8xf32>) outs(%10 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.truncf %cst_7 : f64 to f32
      %96 = arith.mulf %in, %95 : f32
      linalg.yield %96 : f32
    } -> tensor<2x4x16x8xf32>
    %12 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<2x4x16x8xf32>) outs(%12 : tensor<2x4x8x16xf32>) permutation = [0, 1, 3, 2]
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_27 : tensor<2x4x8x16xf32>) outs(%12 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.truncf %cst_7 : f64 to f32
      %96 = arith.mulf %in, %95 : f32
      linalg.yield %96 : f32
    } -> tensor<2x4x8x16xf32>
    %collapsed_28 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_29 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %14 = tensor.empty() : tensor<8x16x16xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %16 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%15 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_30 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %17 = tensor.empty() : tensor<2x4x16x16xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30, %expanded_24 : tensor<2x4x16x16xf32>, tensor<1x1x16x16xf32>) outs(%17 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x16x16xf32>
    %19 = tensor.empty() : tensor<2x4x16xi64>
    %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %21 = tensor.empty() : tensor<2x4x16xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %23:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x4x16x16xf32>) outs(%22, %20 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_45: i64):
      %95 = linalg.index 3 : index
      %96 = arith.index_cast %95 : index to i64
      %97 = arith.maximumf %in, %out : f32
      %98 = arith.cmpf ogt, %in, %out : f32
      %99 = arith.select %98, %96, %out_45 : i64
      linalg.yield %97, %99 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_31 = tensor.expand_shape %23#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_31 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%17 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.subf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x16x16xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x4x16x16xf32>) outs(%17 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = math.exp %in : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x16x16xf32>
    %26 = tensor.empty() : tensor<2x4x16x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<2x4x16x16xf32>) outs(%27 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.addf %in, %out : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x16x1xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%17 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.divf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x16x16xf32>
    %30 = tensor.empty() : tensor<2x4x16x16xi1>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x4x16x16xf32>) outs(%30 : tensor<2x4x16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %95 = arith.extf %in : f32 to f64
      %96 = arith.cmpf oeq, %95, %cst_6 : f64
      linalg.yield %96 : i1
    } -> tensor<2x4x16x16xi1>
    %32 = tensor.empty() : tensor<2x4x16x1xi1>
    %33 = linalg.fill ins(%true : i1) outs(%32 : tensor<2x4x16x1xi1>) -> tensor<2x4x16x1xi1>
    %34 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<2x4x16x16xi1>) outs(%33 : tensor<2x4x16x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %95 = arith.andi %in, %out : i1
      linalg.yield %95 : i1
    } -> tensor<2x4x16x1xi1>
    %35 = linalg.generic {indexing_maps = [#map6, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %cst_4, %29 : tensor<2x4x16x1xi1>, tensor<2x4x16x16xf32>, tensor<2x4x16x16xf32>) outs(%17 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: i1, %in_45: f32, %in_46: f32, %out: f32):
      %95 = arith.select %in, %in_45, %in_46 : f32
      linalg.yield %95 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_32 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %36 = linalg.fill ins(%cst : f32) outs(%9 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %37 = linalg.batch_matmul ins(%collapsed_32, %transposed_23 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%36 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_33 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %38 = tensor.empty() : tensor<16x2x4x8xf32>
    %transposed_34 = linalg.transpose ins(%expanded_33 : tensor<2x4x16x8xf32>) outs(%38 : tensor<16x2x4x8xf32>) permutation = [2, 0, 1, 3]
    %collapsed_35 = tensor.collapse_shape %transposed_34 [[0, 1], [2, 3]] : tensor<16x2x4x8xf32> into tensor<32x32xf32>
    %39 = tensor.empty() : tensor<32x32xf32>
    %transposed_36 = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%39 : tensor<32x32xf32>) permutation = [1, 0]
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %41 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%40 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %42 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<32xf32>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%41, %42 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<32x32xf32>
    %expanded_37 = tensor.expand_shape %43 [[0, 1], [2]] output_shape [16, 2, 32] : tensor<32x32xf32> into tensor<16x2x32xf32>
    %44 = tensor.empty() : tensor<2x16x32xf32>
    %transposed_38 = linalg.transpose ins(%expanded_37 : tensor<16x2x32xf32>) outs(%44 : tensor<2x16x32xf32>) permutation = [1, 0, 2]
    %45 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %transposed_38 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %46 = tensor.empty() : tensor<2x16x32xf64>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2x16x32xf32>) outs(%46 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %95 = arith.extf %in : f32 to f64
      linalg.yield %95 : f64
    } -> tensor<2x16x32xf64>
    %48 = tensor.empty() : tensor<2x16x1xf64>
    %49 = linalg.fill ins(%cst_1 : f64) outs(%48 : tensor<2x16x1xf64>) -> tensor<2x16x1xf64>
    %50 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47 : tensor<2x16x32xf64>) outs(%49 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %51 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<2x16x1xf64>) outs(%48 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %52 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%46 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %95 = arith.subf %in, %in_45 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x32xf64>
    %53 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %52 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%46 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %95 = arith.mulf %in, %in_45 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x32xf64>
    %54 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<2x16x32xf64>) outs(%49 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x16x1xf64>) outs(%48 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %56 = tensor.empty() : tensor<2x16x1xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<2x16x1xf64>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %95 = arith.truncf %in : f64 to f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %58 = linalg.fill ins(%cst : f32) outs(%56 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%45 : tensor<2x16x32xf32>) outs(%58 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.addf %in, %out : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.divf %in, %cst_9 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.truncf %cst_5 : f64 to f32
      %96 = arith.addf %in, %95 : f32
      linalg.yield %96 : f32
    } -> tensor<2x16x1xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = math.rsqrt %in : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %60 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.subf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %62 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.mulf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %arg10 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.mulf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %arg11 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %collapsed_39 = tensor.collapse_shape %66 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %67 = tensor.empty() : tensor<32x64xf32>
    %transposed_40 = linalg.transpose ins(%arg6 : tensor<64x32xf32>) outs(%67 : tensor<32x64xf32>) permutation = [1, 0]
    %68 = linalg.fill ins(%cst : f32) outs(%67 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %69 = linalg.matmul ins(%collapsed_39, %transposed_40 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%68 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %70 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<64xf32>) outs(%67 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %71 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%69, %70 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%67 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<32x64xf32>
    %expanded_41 = tensor.expand_shape %71 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xf32> into tensor<2x16x64xf32>
    %72 = tensor.empty() : tensor<2x16x64xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_41 : tensor<2x16x64xf32>) outs(%72 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.divf %in, %cst_10 : f32
      %96 = math.erf %95 : f32
      %97 = arith.addf %96, %cst_2 : f32
      %98 = arith.mulf %97, %cst_3 : f32
      %99 = arith.mulf %in, %98 : f32
      linalg.yield %99 : f32
    } -> tensor<2x16x64xf32>
    %collapsed_42 = tensor.collapse_shape %73 [[0, 1], [2]] : tensor<2x16x64xf32> into tensor<32x64xf32>
    %74 = tensor.empty() : tensor<64x32xf32>
    %transposed_43 = linalg.transpose ins(%arg8 : tensor<32x64xf32>) outs(%74 : tensor<64x32xf32>) permutation = [1, 0]
    %75 = linalg.matmul ins(%collapsed_42, %transposed_43 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%40 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %76 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<32xf32>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %77 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%75, %76 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%39 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<32x32xf32>
    %expanded_44 = tensor.expand_shape %77 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %expanded_44 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<2x16x32xf32>) outs(%46 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %95 = arith.extf %in : f32 to f64
      linalg.yield %95 : f64
    } -> tensor<2x16x32xf64>
    %80 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<2x16x32xf64>) outs(%49 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x16x1xf64>) outs(%48 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %82 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %81 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%46 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %95 = arith.subf %in, %in_45 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x32xf64>
    %83 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %82 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%46 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_45: f64, %out: f64):
      %95 = arith.mulf %in, %in_45 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x32xf64>
    %84 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<2x16x32xf64>) outs(%49 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x16x1xf64>) outs(%48 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<2x16x1xf64>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x16x1xf64>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %95 = arith.truncf %in : f64 to f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%78 : tensor<2x16x32xf32>) outs(%58 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.addf %in, %out : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.divf %in, %cst_9 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.truncf %cst_5 : f64 to f32
      %96 = arith.addf %in, %95 : f32
      linalg.yield %96 : f32
    } -> tensor<2x16x1xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = math.rsqrt %in : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x1xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %88 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.subf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %90 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.mulf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %arg12 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.mulf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %arg13 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%44 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %95 = arith.addf %in, %in_45 : f32
      linalg.yield %95 : f32
    } -> tensor<2x16x32xf32>
    return %94 : tensor<2x16x32xf32>
  }
}
