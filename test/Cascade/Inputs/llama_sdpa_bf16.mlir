// torch 2.15.0, torch-mlir 20261001, transformers 5.24.0, linalg-on-tensors.
// Written by: python export_transformers.py llama_sdpa_bf16
// Arguments: x, attention_mask, position_embeddings, layer.self_attn.q_proj.weight, layer.self_attn.k_proj.weight, layer.self_attn.v_proj.weight, layer.self_attn.o_proj.weight, layer.mlp.gate_proj.weight, layer.mlp.up_proj.weight, layer.mlp.down_proj.weight, layer.input_layernorm.weight, layer.post_attention_layernorm.weight

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @llama_sdpa_bf16(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<2x1x16x16xbf16>, %arg2: tensor<2x16x8xbf16>, %arg3: tensor<2x16x8xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<16x32xbf16>, %arg6: tensor<16x32xbf16>, %arg7: tensor<32x32xbf16>, %arg8: tensor<64x32xbf16>, %arg9: tensor<64x32xbf16>, %arg10: tensor<32x64xbf16>, %arg11: tensor<32xbf16>, %arg12: tensor<32xbf16>) -> tensor<2x16x32xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
    %cst_3 = arith.constant 0xFFF0000000000000 : f64
    %cst_4 = arith.constant 0.59460355750136051 : f64
    %cst_5 = arith.constant 9.9999999999999995E-7 : f64
    %cst_6 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %107 = arith.extf %in : bf16 to f32
      linalg.yield %107 : f32
    } -> tensor<2x16x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %107 : f32
    } -> tensor<2x16x32xf32>
    %3 = tensor.empty() : tensor<2x16x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %in, %out : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.divf %in, %cst_6 : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.truncf %cst_5 : f64 to f32
      %108 = arith.addf %in, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.rsqrt %in : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %107 = arith.mulf %in, %in_41 : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x32xf32>
    %10 = tensor.empty() : tensor<2x16x32xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %11 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.mulf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x32xbf16>
    %13 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %14 = tensor.empty() : tensor<32x32xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<32x32xbf16>
    %expanded = tensor.expand_shape %17 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %18 = tensor.empty() : tensor<2x4x16x8xbf16>
    %transposed_7 = linalg.transpose ins(%expanded : tensor<2x16x4x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %19 = tensor.empty() : tensor<32x16xbf16>
    %transposed_8 = linalg.transpose ins(%arg5 : tensor<16x32xbf16>) outs(%19 : tensor<32x16xbf16>) permutation = [1, 0]
    %20 = tensor.empty() : tensor<32x16xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %22 = linalg.matmul ins(%collapsed, %transposed_8 : tensor<32x32xbf16>, tensor<32x16xbf16>) outs(%21 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<32x16xf32>) outs(%19 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<32x16xbf16>
    %expanded_9 = tensor.expand_shape %23 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xbf16> into tensor<2x16x2x8xbf16>
    %24 = tensor.empty() : tensor<2x2x16x8xbf16>
    %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<2x16x2x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_11 = linalg.transpose ins(%arg6 : tensor<16x32xbf16>) outs(%19 : tensor<32x16xbf16>) permutation = [1, 0]
    %25 = linalg.matmul ins(%collapsed, %transposed_11 : tensor<32x32xbf16>, tensor<32x16xbf16>) outs(%21 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<32x16xf32>) outs(%19 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<32x16xbf16>
    %expanded_12 = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xbf16> into tensor<2x16x2x8xbf16>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<2x16x2x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) permutation = [0, 2, 1, 3]
    %expanded_14 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [2, 1, 16, 8] : tensor<2x16x8xbf16> into tensor<2x1x16x8xbf16>
    %expanded_15 = tensor.expand_shape %arg3 [[0], [1, 2], [3]] output_shape [2, 1, 16, 8] : tensor<2x16x8xbf16> into tensor<2x1x16x8xbf16>
    %27 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_7, %expanded_14 : tensor<2x4x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.mulf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x4x16x8xbf16>
    %extracted_slice = tensor.extract_slice %transposed_7[0, 0, 0, 0] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xbf16> to tensor<2x4x16x4xbf16>
    %extracted_slice_16 = tensor.extract_slice %transposed_7[0, 0, 0, 4] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xbf16> to tensor<2x4x16x4xbf16>
    %28 = tensor.empty() : tensor<2x4x16x4xbf16>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_16 : tensor<2x4x16x4xbf16>) outs(%28 : tensor<2x4x16x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %107 = arith.negf %in : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x4x16x4xbf16>
    %concat = tensor.concat dim(3) %29, %extracted_slice : (tensor<2x4x16x4xbf16>, tensor<2x4x16x4xbf16>) -> tensor<2x4x16x8xbf16>
    %30 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_15 : tensor<2x4x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.mulf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x4x16x8xbf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) outs(%18 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.addf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x4x16x8xbf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_10, %expanded_14 : tensor<2x2x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.mulf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x2x16x8xbf16>
    %extracted_slice_17 = tensor.extract_slice %transposed_10[0, 0, 0, 0] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xbf16> to tensor<2x2x16x4xbf16>
    %extracted_slice_18 = tensor.extract_slice %transposed_10[0, 0, 0, 4] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xbf16> to tensor<2x2x16x4xbf16>
    %33 = tensor.empty() : tensor<2x2x16x4xbf16>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_18 : tensor<2x2x16x4xbf16>) outs(%33 : tensor<2x2x16x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %107 = arith.negf %in : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x2x16x4xbf16>
    %concat_19 = tensor.concat dim(3) %34, %extracted_slice_17 : (tensor<2x2x16x4xbf16>, tensor<2x2x16x4xbf16>) -> tensor<2x2x16x8xbf16>
    %35 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_19, %expanded_15 : tensor<2x2x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.mulf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x2x16x8xbf16>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<2x2x16x8xbf16>, tensor<2x2x16x8xbf16>) outs(%24 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.addf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x2x16x8xbf16>
    %37 = tensor.empty() : tensor<2x2x2x16x8xbf16>
    %38 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<2x2x16x8xbf16>) outs(%37 : tensor<2x2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x16x8xbf16>
    %collapsed_20 = tensor.collapse_shape %38 [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xbf16> into tensor<2x4x16x8xbf16>
    %39 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_13 : tensor<2x2x16x8xbf16>) outs(%37 : tensor<2x2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x16x8xbf16>
    %collapsed_21 = tensor.collapse_shape %39 [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xbf16> into tensor<2x4x16x8xbf16>
    %40 = tensor.empty() : tensor<2x4x16x8xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x4x16x8xbf16>) outs(%40 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %107 = arith.extf %in : bf16 to f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x8xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_20 : tensor<2x4x16x8xbf16>) outs(%40 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %107 = arith.extf %in : bf16 to f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x8xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_21 : tensor<2x4x16x8xbf16>) outs(%40 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %107 = arith.extf %in : bf16 to f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x8xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x4x16x8xf32>) outs(%40 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.truncf %cst_4 : f64 to f32
      %108 = arith.mulf %in, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x16x8xf32>
    %45 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_22 = linalg.transpose ins(%42 : tensor<2x4x16x8xf32>) outs(%45 : tensor<2x4x8x16xf32>) permutation = [0, 1, 3, 2]
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<2x4x8x16xf32>) outs(%45 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.truncf %cst_4 : f64 to f32
      %108 = arith.mulf %in, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x8x16xf32>
    %collapsed_23 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_24 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %47 = tensor.empty() : tensor<8x16x16xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %49 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%48 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_25 = tensor.expand_shape %49 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %50 = tensor.empty() : tensor<2x4x16x16xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25, %arg1 : tensor<2x4x16x16xf32>, tensor<2x1x16x16xbf16>) outs(%50 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_41: bf16, %out: f32):
      %107 = arith.extf %in_41 : bf16 to f32
      %108 = arith.addf %in, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<2x4x16x16xf32>
    %52 = tensor.empty() : tensor<2x4x16xi64>
    %53 = linalg.fill ins(%c0_i64 : i64) outs(%52 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %54 = tensor.empty() : tensor<2x4x16xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %56:2 = linalg.generic {indexing_maps = [#map4, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<2x4x16x16xf32>) outs(%55, %53 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_41: i64):
      %107 = linalg.index 3 : index
      %108 = arith.index_cast %107 : index to i64
      %109 = arith.maximumf %in, %out : f32
      %110 = arith.cmpf ogt, %in, %out : f32
      %111 = arith.select %110, %108, %out_41 : i64
      linalg.yield %109, %111 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_26 = tensor.expand_shape %56#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %expanded_26 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%50 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %107 = arith.subf %in, %in_41 : f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x16xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<2x4x16x16xf32>) outs(%50 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.exp %in : f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x16xf32>
    %59 = tensor.empty() : tensor<2x4x16x1xf32>
    %60 = linalg.fill ins(%cst : f32) outs(%59 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %61 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%58 : tensor<2x4x16x16xf32>) outs(%60 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %in, %out : f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x1xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%50 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %107 = arith.divf %in, %in_41 : f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x16xf32>
    %63 = tensor.empty() : tensor<2x4x16x16xi1>
    %64 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<2x4x16x16xf32>) outs(%63 : tensor<2x4x16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %107 = arith.extf %in : f32 to f64
      %108 = arith.cmpf oeq, %107, %cst_3 : f64
      linalg.yield %108 : i1
    } -> tensor<2x4x16x16xi1>
    %65 = tensor.empty() : tensor<2x4x16x1xi1>
    %66 = linalg.fill ins(%true : i1) outs(%65 : tensor<2x4x16x1xi1>) -> tensor<2x4x16x1xi1>
    %67 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%64 : tensor<2x4x16x16xi1>) outs(%66 : tensor<2x4x16x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %107 = arith.andi %in, %out : i1
      linalg.yield %107 : i1
    } -> tensor<2x4x16x1xi1>
    %68 = linalg.generic {indexing_maps = [#map9, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %cst_2, %62 : tensor<2x4x16x1xi1>, tensor<2x4x16x16xf32>, tensor<2x4x16x16xf32>) outs(%50 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: i1, %in_41: f32, %in_42: f32, %out: f32):
      %107 = arith.select %in, %in_41, %in_42 : f32
      linalg.yield %107 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_27 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %collapsed_28 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %69 = tensor.empty() : tensor<8x16x8xf32>
    %70 = linalg.fill ins(%cst : f32) outs(%69 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %71 = linalg.batch_matmul ins(%collapsed_27, %collapsed_28 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%70 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_29 = tensor.expand_shape %71 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x4x16x8xf32>) outs(%18 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<2x4x16x8xbf16>
    %73 = tensor.empty() : tensor<2x16x4x8xbf16>
    %transposed_30 = linalg.transpose ins(%72 : tensor<2x4x16x8xbf16>) outs(%73 : tensor<2x16x4x8xbf16>) permutation = [0, 2, 1, 3]
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1], [2, 3]] : tensor<2x16x4x8xbf16> into tensor<2x16x32xbf16>
    %transposed_32 = linalg.transpose ins(%arg7 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %74 = tensor.empty() : tensor<2x32x32xbf16>
    %75 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_32 : tensor<32x32xbf16>) outs(%74 : tensor<2x32x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x32x32xbf16>
    %76 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %77 = linalg.batch_matmul ins(%collapsed_31, %75 : tensor<2x16x32xbf16>, tensor<2x32x32xbf16>) outs(%76 : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x32xbf16>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %78 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.addf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x32xbf16>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %107 = arith.extf %in : bf16 to f32
      linalg.yield %107 : f32
    } -> tensor<2x16x32xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %107 : f32
    } -> tensor<2x16x32xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.addf %in, %out : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.divf %in, %cst_6 : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x1xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.truncf %cst_5 : f64 to f32
      %108 = arith.addf %in, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<2x16x1xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = math.rsqrt %in : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x1xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %85 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %107 = arith.mulf %in, %in_41 : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x32xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x32xbf16>
    %88 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %87 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.mulf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x32xbf16>
    %89 = tensor.empty() : tensor<32x64xbf16>
    %transposed_33 = linalg.transpose ins(%arg8 : tensor<64x32xbf16>) outs(%89 : tensor<32x64xbf16>) permutation = [1, 0]
    %collapsed_34 = tensor.collapse_shape %88 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %90 = tensor.empty() : tensor<32x64xf32>
    %91 = linalg.fill ins(%cst : f32) outs(%90 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %92 = linalg.matmul ins(%collapsed_34, %transposed_33 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%91 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %93 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<32x64xf32>) outs(%89 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<32x64xbf16>
    %expanded_35 = tensor.expand_shape %93 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %94 = tensor.empty() : tensor<2x16x64xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x16x64xbf16>) outs(%94 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %107 = arith.extf %in : bf16 to f32
      linalg.yield %107 : f32
    } -> tensor<2x16x64xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x16x64xf32>) outs(%94 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %107 = arith.negf %in : f32
      %108 = math.exp %107 : f32
      %109 = arith.addf %108, %cst_1 : f32
      %110 = arith.divf %cst_1, %109 : f32
      linalg.yield %110 : f32
    } -> tensor<2x16x64xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %96 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%94 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %107 = arith.mulf %in, %in_41 : f32
      linalg.yield %107 : f32
    } -> tensor<2x16x64xf32>
    %98 = tensor.empty() : tensor<2x16x64xbf16>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x16x64xf32>) outs(%98 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x64xbf16>
    %transposed_36 = linalg.transpose ins(%arg9 : tensor<64x32xbf16>) outs(%89 : tensor<32x64xbf16>) permutation = [1, 0]
    %100 = linalg.matmul ins(%collapsed_34, %transposed_36 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%91 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %101 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<32x64xf32>) outs(%89 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<32x64xbf16>
    %expanded_37 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %expanded_37 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%98 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.mulf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x64xbf16>
    %103 = tensor.empty() : tensor<64x32xbf16>
    %transposed_38 = linalg.transpose ins(%arg10 : tensor<32x64xbf16>) outs(%103 : tensor<64x32xbf16>) permutation = [1, 0]
    %collapsed_39 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %104 = linalg.matmul ins(%collapsed_39, %transposed_38 : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %105 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%104 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %107 = arith.truncf %in : f32 to bf16
      linalg.yield %107 : bf16
    } -> tensor<32x32xbf16>
    %expanded_40 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %106 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %expanded_40 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_41: bf16, %out: bf16):
      %107 = arith.addf %in, %in_41 : bf16
      linalg.yield %107 : bf16
    } -> tensor<2x16x32xbf16>
    return %106 : tensor<2x16x32xbf16>
  }
}
