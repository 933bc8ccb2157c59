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
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> (d1)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @encoder_layer_bf16(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<16x16xbf16>, %arg2: tensor<96x32xbf16>, %arg3: tensor<96xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32xbf16>, %arg6: tensor<64x32xbf16>, %arg7: tensor<64xbf16>, %arg8: tensor<32x64xbf16>, %arg9: tensor<32xbf16>, %arg10: tensor<32xbf16>, %arg11: tensor<32xbf16>, %arg12: tensor<32xbf16>, %arg13: tensor<32xbf16>) -> tensor<2x16x32xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : bf16
    %cst_3 = arith.constant 2.000000e+00 : bf16
    %cst_4 = arith.constant 5.000000e-01 : bf16
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
    %cst_6 = arith.constant 1.000000e-05 : f64
    %cst_7 = arith.constant 0xFFF0000000000000 : f64
    %cst_8 = arith.constant 0.59460355750136051 : f64
    %cst_9 = arith.constant 3.200000e+01 : f64
    %cst_10 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<16x2x32xbf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x16x32xbf16>) outs(%0 : tensor<16x2x32xbf16>) permutation = [1, 0, 2]
    %1 = tensor.empty() : tensor<32x96xbf16>
    %transposed_11 = linalg.transpose ins(%arg2 : tensor<96x32xbf16>) outs(%1 : tensor<32x96xbf16>) permutation = [1, 0]
    %2 = tensor.empty() : tensor<16x32x96xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<32x96xbf16>) outs(%2 : tensor<16x32x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<16x32x96xbf16>
    %4 = tensor.empty() : tensor<16x2x96xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<16x2x96xf32>) -> tensor<16x2x96xf32>
    %6 = linalg.batch_matmul ins(%transposed, %3 : tensor<16x2x32xbf16>, tensor<16x32x96xbf16>) outs(%5 : tensor<16x2x96xf32>) -> tensor<16x2x96xf32>
    %7 = tensor.empty() : tensor<16x2x96xbf16>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<16x2x96xf32>) outs(%7 : tensor<16x2x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %125 = arith.truncf %in : f32 to bf16
      linalg.yield %125 : bf16
    } -> tensor<16x2x96xbf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %arg3 : tensor<16x2x96xbf16>, tensor<96xbf16>) outs(%7 : tensor<16x2x96xbf16>) {
    ^bb0(%in: bf16, %in_47: bf16, %out: bf16):
      %125 = arith.addf %in, %in_47 : bf16
      linalg.yield %125 : bf16
    } -> tensor<16x2x96xbf16>
    %expanded = tensor.expand_shape %9 [[0, 1], [2], [3, 4]] output_shape [1, 16, 2, 3, 32] : tensor<16x2x96xbf16> into tensor<1x16x2x3x32xbf16>
    %10 = tensor.empty() : tensor<3x16x2x1x32xbf16>
    %transposed_12 = linalg.transpose ins(%expanded : tensor<1x16x2x3x32xbf16>) outs(%10 : tensor<3x16x2x1x32xbf16>) permutation = [3, 1, 2, 0, 4]
    %collapsed = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3], [4]] : tensor<3x16x2x1x32xbf16> into tensor<3x16x2x32xbf16>
    %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 16, 2, 32] [1, 1, 1, 1] : tensor<3x16x2x32xbf16> to tensor<1x16x2x32xbf16>
    %extracted_slice_13 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, 16, 2, 32] [1, 1, 1, 1] : tensor<3x16x2x32xbf16> to tensor<1x16x2x32xbf16>
    %extracted_slice_14 = tensor.extract_slice %collapsed[2, 0, 0, 0] [1, 16, 2, 32] [1, 1, 1, 1] : tensor<3x16x2x32xbf16> to tensor<1x16x2x32xbf16>
    %collapsed_15 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x16x2x32xbf16> into tensor<16x64xbf16>
    %expanded_16 = tensor.expand_shape %collapsed_15 [[0], [1, 2]] output_shape [16, 8, 8] : tensor<16x64xbf16> into tensor<16x8x8xbf16>
    %11 = tensor.empty() : tensor<8x16x8xbf16>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<16x8x8xbf16>) outs(%11 : tensor<8x16x8xbf16>) permutation = [1, 0, 2]
    %collapsed_18 = tensor.collapse_shape %extracted_slice_13 [[0, 1], [2, 3]] : tensor<1x16x2x32xbf16> into tensor<16x64xbf16>
    %expanded_19 = tensor.expand_shape %collapsed_18 [[0], [1, 2]] output_shape [16, 8, 8] : tensor<16x64xbf16> into tensor<16x8x8xbf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<16x8x8xbf16>) outs(%11 : tensor<8x16x8xbf16>) permutation = [1, 0, 2]
    %collapsed_21 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2, 3]] : tensor<1x16x2x32xbf16> into tensor<16x64xbf16>
    %expanded_22 = tensor.expand_shape %collapsed_21 [[0], [1, 2]] output_shape [16, 8, 8] : tensor<16x64xbf16> into tensor<16x8x8xbf16>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<16x8x8xbf16>) outs(%11 : tensor<8x16x8xbf16>) permutation = [1, 0, 2]
    %expanded_24 = tensor.expand_shape %arg1 [[0, 1, 2], [3]] output_shape [1, 1, 16, 16] : tensor<16x16xbf16> into tensor<1x1x16x16xbf16>
    %expanded_25 = tensor.expand_shape %transposed_17 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xbf16> into tensor<2x4x16x8xbf16>
    %expanded_26 = tensor.expand_shape %transposed_20 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xbf16> into tensor<2x4x16x8xbf16>
    %expanded_27 = tensor.expand_shape %transposed_23 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xbf16> into tensor<2x4x16x8xbf16>
    %12 = tensor.empty() : tensor<2x4x16x8xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<2x4x16x8xbf16>) outs(%12 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x8xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x4x16x8xbf16>) outs(%12 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x8xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x4x16x8xbf16>) outs(%12 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x8xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x16x8xf32>) outs(%12 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.truncf %cst_8 : f64 to f32
      %126 = arith.mulf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x4x16x8xf32>
    %17 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_28 = linalg.transpose ins(%14 : tensor<2x4x16x8xf32>) outs(%17 : tensor<2x4x8x16xf32>) permutation = [0, 1, 3, 2]
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<2x4x8x16xf32>) outs(%17 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.truncf %cst_8 : f64 to f32
      %126 = arith.mulf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x4x8x16xf32>
    %collapsed_29 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_30 = tensor.collapse_shape %18 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %19 = tensor.empty() : tensor<8x16x16xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %21 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%20 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_31 = tensor.expand_shape %21 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %22 = tensor.empty() : tensor<2x4x16x16xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_24 : tensor<2x4x16x16xf32>, tensor<1x1x16x16xbf16>) outs(%22 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_47: bf16, %out: f32):
      %125 = arith.extf %in_47 : bf16 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x4x16x16xf32>
    %24 = tensor.empty() : tensor<2x4x16xi64>
    %25 = linalg.fill ins(%c0_i64 : i64) outs(%24 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %26 = tensor.empty() : tensor<2x4x16xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %28:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x4x16x16xf32>) outs(%27, %25 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_47: i64):
      %125 = linalg.index 3 : index
      %126 = arith.index_cast %125 : index to i64
      %127 = arith.maximumf %in, %out : f32
      %128 = arith.cmpf ogt, %in, %out : f32
      %129 = arith.select %128, %126, %out_47 : i64
      linalg.yield %127, %129 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_32 = tensor.expand_shape %28#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %expanded_32 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%22 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.subf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x16xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x4x16x16xf32>) outs(%22 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.exp %in : f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x16xf32>
    %31 = tensor.empty() : tensor<2x4x16x1xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<2x4x16x16xf32>) outs(%32 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %in, %out : f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x1xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%22 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.divf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x16xf32>
    %35 = tensor.empty() : tensor<2x4x16x16xi1>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x4x16x16xf32>) outs(%35 : tensor<2x4x16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %125 = arith.extf %in : f32 to f64
      %126 = arith.cmpf oeq, %125, %cst_7 : f64
      linalg.yield %126 : i1
    } -> tensor<2x4x16x16xi1>
    %37 = tensor.empty() : tensor<2x4x16x1xi1>
    %38 = linalg.fill ins(%true : i1) outs(%37 : tensor<2x4x16x1xi1>) -> tensor<2x4x16x1xi1>
    %39 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<2x4x16x16xi1>) outs(%38 : tensor<2x4x16x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %125 = arith.andi %in, %out : i1
      linalg.yield %125 : i1
    } -> tensor<2x4x16x1xi1>
    %40 = linalg.generic {indexing_maps = [#map6, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %cst_5, %34 : tensor<2x4x16x1xi1>, tensor<2x4x16x16xf32>, tensor<2x4x16x16xf32>) outs(%22 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: i1, %in_47: f32, %in_48: f32, %out: f32):
      %125 = arith.select %in, %in_47, %in_48 : f32
      linalg.yield %125 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_33 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %collapsed_34 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %41 = tensor.empty() : tensor<8x16x8xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %43 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%42 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_35 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %44 = tensor.empty() : tensor<2x4x16x8xbf16>
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x4x16x8xf32>) outs(%44 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %125 = arith.truncf %in : f32 to bf16
      linalg.yield %125 : bf16
    } -> tensor<2x4x16x8xbf16>
    %46 = tensor.empty() : tensor<16x2x4x8xbf16>
    %transposed_36 = linalg.transpose ins(%45 : tensor<2x4x16x8xbf16>) outs(%46 : tensor<16x2x4x8xbf16>) permutation = [2, 0, 1, 3]
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0, 1], [2, 3]] : tensor<16x2x4x8xbf16> into tensor<32x32xbf16>
    %47 = tensor.empty() : tensor<32x32xbf16>
    %transposed_38 = linalg.transpose ins(%arg4 : tensor<32x32xbf16>) outs(%47 : tensor<32x32xbf16>) permutation = [1, 0]
    %48 = tensor.empty() : tensor<32xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%arg5 : tensor<32xbf16>) outs(%48 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<32xf32>
    %50 = tensor.empty() : tensor<32x32xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<32x32xbf16>) outs(%50 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %52 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%transposed_38 : tensor<32x32xbf16>) outs(%50 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%50 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %54 = linalg.matmul ins(%51, %52 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%53 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %55 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<32xf32>) outs(%50 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %56 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%54, %55 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%50 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.addf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%56 : tensor<32x32xf32>) outs(%47 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %125 = arith.truncf %in : f32 to bf16
      linalg.yield %125 : bf16
    } -> tensor<32x32xbf16>
    %expanded_39 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [16, 2, 32] : tensor<32x32xbf16> into tensor<16x2x32xbf16>
    %58 = tensor.empty() : tensor<2x16x32xbf16>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<16x2x32xbf16>) outs(%58 : tensor<2x16x32xbf16>) permutation = [1, 0, 2]
    %59 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %transposed_40 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%58 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_47: bf16, %out: bf16):
      %125 = arith.addf %in, %in_47 : bf16
      linalg.yield %125 : bf16
    } -> tensor<2x16x32xbf16>
    %60 = tensor.empty() : tensor<2x16x32xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x16x32xbf16>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<2x16x32xf32>
    %62 = tensor.empty() : tensor<2x16x32xf64>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x16x32xf32>) outs(%62 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %125 = arith.extf %in : f32 to f64
      linalg.yield %125 : f64
    } -> tensor<2x16x32xf64>
    %64 = tensor.empty() : tensor<2x16x1xf64>
    %65 = linalg.fill ins(%cst_1 : f64) outs(%64 : tensor<2x16x1xf64>) -> tensor<2x16x1xf64>
    %66 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x16x32xf64>) outs(%65 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x16x1xf64>) outs(%64 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_9 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %68 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %67 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%62 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %125 = arith.subf %in, %in_47 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x32xf64>
    %69 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %68 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%62 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %125 = arith.mulf %in, %in_47 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x32xf64>
    %70 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%69 : tensor<2x16x32xf64>) outs(%65 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x16x1xf64>) outs(%64 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_9 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %72 = tensor.empty() : tensor<2x16x1xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x16x1xf64>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %125 = arith.truncf %in : f64 to f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%72 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%61 : tensor<2x16x32xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %in, %out : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<2x16x1xf32>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.divf %in, %cst_10 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<2x16x1xf32>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.truncf %cst_6 : f64 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x16x1xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x16x1xf32>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.rsqrt %in : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %76 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.subf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x32xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %78 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.mulf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x32xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %arg10 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: bf16, %out: f32):
      %125 = arith.extf %in_47 : bf16 to f32
      %126 = arith.mulf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x16x32xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %arg11 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: bf16, %out: f32):
      %125 = arith.extf %in_47 : bf16 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x16x32xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x16x32xf32>) outs(%58 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %125 = arith.truncf %in : f32 to bf16
      linalg.yield %125 : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_41 = tensor.collapse_shape %83 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %84 = tensor.empty() : tensor<32x64xbf16>
    %transposed_42 = linalg.transpose ins(%arg6 : tensor<64x32xbf16>) outs(%84 : tensor<32x64xbf16>) permutation = [1, 0]
    %85 = tensor.empty() : tensor<64xf32>
    %86 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%arg7 : tensor<64xbf16>) outs(%85 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<64xf32>
    %87 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%collapsed_41 : tensor<32x32xbf16>) outs(%50 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %88 = tensor.empty() : tensor<32x64xf32>
    %89 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%transposed_42 : tensor<32x64xbf16>) outs(%88 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x64xf32>
    %90 = linalg.fill ins(%cst : f32) outs(%88 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %91 = linalg.matmul ins(%87, %89 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%90 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %92 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<64xf32>) outs(%88 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %93 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%91, %92 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%88 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.addf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<32x64xf32>
    %94 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%93 : tensor<32x64xf32>) outs(%84 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %125 = arith.truncf %in : f32 to bf16
      linalg.yield %125 : bf16
    } -> tensor<32x64xbf16>
    %expanded_43 = tensor.expand_shape %94 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %95 = tensor.empty() : tensor<2x16x64xbf16>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<2x16x64xbf16>) outs(%95 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %125 = math.sqrt %cst_3 : bf16
      %126 = arith.divf %in, %125 : bf16
      %127 = math.erf %126 : bf16
      %128 = arith.addf %127, %cst_2 : bf16
      %129 = arith.mulf %128, %cst_4 : bf16
      %130 = arith.mulf %in, %129 : bf16
      linalg.yield %130 : bf16
    } -> tensor<2x16x64xbf16>
    %collapsed_44 = tensor.collapse_shape %96 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %97 = tensor.empty() : tensor<64x32xbf16>
    %transposed_45 = linalg.transpose ins(%arg8 : tensor<32x64xbf16>) outs(%97 : tensor<64x32xbf16>) permutation = [1, 0]
    %98 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%arg9 : tensor<32xbf16>) outs(%48 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<32xf32>
    %99 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%collapsed_44 : tensor<32x64xbf16>) outs(%88 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<32x64xf32>
    %100 = tensor.empty() : tensor<64x32xf32>
    %101 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%transposed_45 : tensor<64x32xbf16>) outs(%100 : tensor<64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<64x32xf32>
    %102 = linalg.matmul ins(%99, %101 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%53 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %103 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel"]} ins(%98 : tensor<32xf32>) outs(%50 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %104 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%102, %103 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%50 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.addf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<32x32xf32>
    %105 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%104 : tensor<32x32xf32>) outs(%47 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %125 = arith.truncf %in : f32 to bf16
      linalg.yield %125 : bf16
    } -> tensor<32x32xbf16>
    %expanded_46 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %106 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %expanded_46 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%58 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_47: bf16, %out: bf16):
      %125 = arith.addf %in, %in_47 : bf16
      linalg.yield %125 : bf16
    } -> tensor<2x16x32xbf16>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x16x32xbf16>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %125 = arith.extf %in : bf16 to f32
      linalg.yield %125 : f32
    } -> tensor<2x16x32xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<2x16x32xf32>) outs(%62 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %125 = arith.extf %in : f32 to f64
      linalg.yield %125 : f64
    } -> tensor<2x16x32xf64>
    %109 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%108 : tensor<2x16x32xf64>) outs(%65 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %110 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<2x16x1xf64>) outs(%64 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_9 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %111 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %110 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%62 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %125 = arith.subf %in, %in_47 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x32xf64>
    %112 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %111 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%62 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %125 = arith.mulf %in, %in_47 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x32xf64>
    %113 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%112 : tensor<2x16x32xf64>) outs(%65 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.addf %in, %out : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<2x16x1xf64>) outs(%64 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %125 = arith.divf %in, %cst_9 : f64
      linalg.yield %125 : f64
    } -> tensor<2x16x1xf64>
    %115 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<2x16x1xf64>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %125 = arith.truncf %in : f64 to f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%107 : tensor<2x16x32xf32>) outs(%74 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.addf %in, %out : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<2x16x1xf32>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.divf %in, %cst_10 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<2x16x1xf32>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = arith.truncf %cst_6 : f64 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x16x1xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<2x16x1xf32>) outs(%72 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %125 = math.rsqrt %in : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %117 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.subf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x32xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %119 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %125 = arith.mulf %in, %in_47 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x32xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %arg12 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: bf16, %out: f32):
      %125 = arith.extf %in_47 : bf16 to f32
      %126 = arith.mulf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x16x32xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %arg13 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%60 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_47: bf16, %out: f32):
      %125 = arith.extf %in_47 : bf16 to f32
      %126 = arith.addf %in, %125 : f32
      linalg.yield %126 : f32
    } -> tensor<2x16x32xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<2x16x32xf32>) outs(%58 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %125 = arith.truncf %in : f32 to bf16
      linalg.yield %125 : bf16
    } -> tensor<2x16x32xbf16>
    return %124 : tensor<2x16x32xbf16>
  }
}
