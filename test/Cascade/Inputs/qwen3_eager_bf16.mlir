// torch 2.15.0, torch-mlir 20261001, transformers 5.24.0, linalg-on-tensors.
// Written by: python export_transformers.py qwen3_eager_bf16
// Arguments: x, attention_mask, position_embeddings, layer.self_attn.q_proj.weight, layer.self_attn.k_proj.weight, layer.self_attn.v_proj.weight, layer.self_attn.o_proj.weight, layer.self_attn.q_norm.weight, layer.self_attn.k_norm.weight, layer.mlp.gate_proj.weight, layer.mlp.up_proj.weight, layer.mlp.down_proj.weight, layer.input_layernorm.weight, layer.post_attention_layernorm.weight

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @qwen3_eager_bf16(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<2x1x16x16xbf16>, %arg2: tensor<2x16x8xbf16>, %arg3: tensor<2x16x8xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<16x32xbf16>, %arg6: tensor<16x32xbf16>, %arg7: tensor<32x32xbf16>, %arg8: tensor<8xbf16>, %arg9: tensor<8xbf16>, %arg10: tensor<64x32xbf16>, %arg11: tensor<64x32xbf16>, %arg12: tensor<32x64xbf16>, %arg13: tensor<32xbf16>, %arg14: tensor<32xbf16>) -> tensor<2x16x32xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant 9.9999999999999995E-7 : f64
    %cst_4 = arith.constant 3.200000e+01 : f32
    %cst_5 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %124 = arith.extf %in : bf16 to f32
      linalg.yield %124 : f32
    } -> tensor<2x16x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %124 : f32
    } -> tensor<2x16x32xf32>
    %3 = tensor.empty() : tensor<2x16x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_4 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_3 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %124 = arith.mulf %in, %in_40 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x32xf32>
    %10 = tensor.empty() : tensor<2x16x32xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg13, %11 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x32xbf16>
    %13 = tensor.empty() : tensor<32x32xbf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %14 = tensor.empty() : tensor<32x32xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<32x32xbf16>
    %expanded = tensor.expand_shape %17 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
    %18 = tensor.empty() : tensor<2x16x4x8xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x16x4x8xbf16>) outs(%18 : tensor<2x16x4x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %124 = arith.extf %in : bf16 to f32
      linalg.yield %124 : f32
    } -> tensor<2x16x4x8xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x16x4x8xf32>) outs(%18 : tensor<2x16x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %124 : f32
    } -> tensor<2x16x4x8xf32>
    %21 = tensor.empty() : tensor<2x16x4x1xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<2x16x4x1xf32>) -> tensor<2x16x4x1xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<2x16x4x8xf32>) outs(%22 : tensor<2x16x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x4x1xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x16x4x1xf32>) outs(%21 : tensor<2x16x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_5 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x4x1xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x16x4x1xf32>) outs(%21 : tensor<2x16x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_3 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x4x1xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x16x4x1xf32>) outs(%21 : tensor<2x16x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x4x1xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %26 : tensor<2x16x4x8xf32>, tensor<2x16x4x1xf32>) outs(%18 : tensor<2x16x4x8xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %124 = arith.mulf %in, %in_40 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x4x8xf32>
    %28 = tensor.empty() : tensor<2x16x4x8xbf16>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x16x4x8xf32>) outs(%28 : tensor<2x16x4x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x4x8xbf16>
    %30 = linalg.generic {indexing_maps = [#map6, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg8, %29 : tensor<8xbf16>, tensor<2x16x4x8xbf16>) outs(%28 : tensor<2x16x4x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x4x8xbf16>
    %31 = tensor.empty() : tensor<2x4x16x8xbf16>
    %transposed_6 = linalg.transpose ins(%30 : tensor<2x16x4x8xbf16>) outs(%31 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %32 = tensor.empty() : tensor<32x16xbf16>
    %transposed_7 = linalg.transpose ins(%arg5 : tensor<16x32xbf16>) outs(%32 : tensor<32x16xbf16>) permutation = [1, 0]
    %33 = tensor.empty() : tensor<32x16xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %35 = linalg.matmul ins(%collapsed, %transposed_7 : tensor<32x32xbf16>, tensor<32x16xbf16>) outs(%34 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<32x16xf32>) outs(%32 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<32x16xbf16>
    %expanded_8 = tensor.expand_shape %36 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xbf16> into tensor<2x16x2x8xbf16>
    %37 = tensor.empty() : tensor<2x16x2x8xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<2x16x2x8xbf16>) outs(%37 : tensor<2x16x2x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %124 = arith.extf %in : bf16 to f32
      linalg.yield %124 : f32
    } -> tensor<2x16x2x8xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x16x2x8xf32>) outs(%37 : tensor<2x16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %124 : f32
    } -> tensor<2x16x2x8xf32>
    %40 = tensor.empty() : tensor<2x16x2x1xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x16x2x1xf32>) -> tensor<2x16x2x1xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x16x2x8xf32>) outs(%41 : tensor<2x16x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x2x1xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<2x16x2x1xf32>) outs(%40 : tensor<2x16x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_5 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x2x1xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x16x2x1xf32>) outs(%40 : tensor<2x16x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_3 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x2x1xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x16x2x1xf32>) outs(%40 : tensor<2x16x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x2x1xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %45 : tensor<2x16x2x8xf32>, tensor<2x16x2x1xf32>) outs(%37 : tensor<2x16x2x8xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %124 = arith.mulf %in, %in_40 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x2x8xf32>
    %47 = tensor.empty() : tensor<2x16x2x8xbf16>
    %48 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x16x2x8xf32>) outs(%47 : tensor<2x16x2x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x2x8xbf16>
    %49 = linalg.generic {indexing_maps = [#map6, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg9, %48 : tensor<8xbf16>, tensor<2x16x2x8xbf16>) outs(%47 : tensor<2x16x2x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x2x8xbf16>
    %50 = tensor.empty() : tensor<2x2x16x8xbf16>
    %transposed_9 = linalg.transpose ins(%49 : tensor<2x16x2x8xbf16>) outs(%50 : tensor<2x2x16x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_10 = linalg.transpose ins(%arg6 : tensor<16x32xbf16>) outs(%32 : tensor<32x16xbf16>) permutation = [1, 0]
    %51 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<32x32xbf16>, tensor<32x16xbf16>) outs(%34 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<32x16xf32>) outs(%32 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<32x16xbf16>
    %expanded_11 = tensor.expand_shape %52 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xbf16> into tensor<2x16x2x8xbf16>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<2x16x2x8xbf16>) outs(%50 : tensor<2x2x16x8xbf16>) permutation = [0, 2, 1, 3]
    %expanded_13 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [2, 1, 16, 8] : tensor<2x16x8xbf16> into tensor<2x1x16x8xbf16>
    %expanded_14 = tensor.expand_shape %arg3 [[0], [1, 2], [3]] output_shape [2, 1, 16, 8] : tensor<2x16x8xbf16> into tensor<2x1x16x8xbf16>
    %53 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_6, %expanded_13 : tensor<2x4x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%31 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x4x16x8xbf16>
    %extracted_slice = tensor.extract_slice %transposed_6[0, 0, 0, 0] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xbf16> to tensor<2x4x16x4xbf16>
    %extracted_slice_15 = tensor.extract_slice %transposed_6[0, 0, 0, 4] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xbf16> to tensor<2x4x16x4xbf16>
    %54 = tensor.empty() : tensor<2x4x16x4xbf16>
    %55 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_15 : tensor<2x4x16x4xbf16>) outs(%54 : tensor<2x4x16x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %124 = arith.negf %in : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x4x16x4xbf16>
    %concat = tensor.concat dim(3) %55, %extracted_slice : (tensor<2x4x16x4xbf16>, tensor<2x4x16x4xbf16>) -> tensor<2x4x16x8xbf16>
    %56 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_14 : tensor<2x4x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%31 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x4x16x8xbf16>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) outs(%31 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.addf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x4x16x8xbf16>
    %58 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_9, %expanded_13 : tensor<2x2x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%50 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x2x16x8xbf16>
    %extracted_slice_16 = tensor.extract_slice %transposed_9[0, 0, 0, 0] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xbf16> to tensor<2x2x16x4xbf16>
    %extracted_slice_17 = tensor.extract_slice %transposed_9[0, 0, 0, 4] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xbf16> to tensor<2x2x16x4xbf16>
    %59 = tensor.empty() : tensor<2x2x16x4xbf16>
    %60 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_17 : tensor<2x2x16x4xbf16>) outs(%59 : tensor<2x2x16x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %124 = arith.negf %in : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x2x16x4xbf16>
    %concat_18 = tensor.concat dim(3) %60, %extracted_slice_16 : (tensor<2x2x16x4xbf16>, tensor<2x2x16x4xbf16>) -> tensor<2x2x16x8xbf16>
    %61 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_18, %expanded_14 : tensor<2x2x16x8xbf16>, tensor<2x1x16x8xbf16>) outs(%50 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x2x16x8xbf16>
    %62 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<2x2x16x8xbf16>, tensor<2x2x16x8xbf16>) outs(%50 : tensor<2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.addf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x2x16x8xbf16>
    %63 = tensor.empty() : tensor<2x2x2x16x8xbf16>
    %64 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x2x16x8xbf16>) outs(%63 : tensor<2x2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x16x8xbf16>
    %collapsed_19 = tensor.collapse_shape %64 [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xbf16> into tensor<2x4x16x8xbf16>
    %65 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_12 : tensor<2x2x16x8xbf16>) outs(%63 : tensor<2x2x2x16x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x16x8xbf16>
    %66 = tensor.empty() : tensor<2x4x8x16xbf16>
    %transposed_20 = linalg.transpose ins(%collapsed_19 : tensor<2x4x16x8xbf16>) outs(%66 : tensor<2x4x8x16xbf16>) permutation = [0, 1, 3, 2]
    %collapsed_21 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<2x4x16x8xbf16> into tensor<8x16x8xbf16>
    %collapsed_22 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<2x4x8x16xbf16> into tensor<8x8x16xbf16>
    %67 = tensor.empty() : tensor<8x16x16xf32>
    %68 = linalg.fill ins(%cst : f32) outs(%67 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %69 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<8x16x8xbf16>, tensor<8x8x16xbf16>) outs(%68 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %70 = tensor.empty() : tensor<8x16x16xbf16>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<8x16x16xf32>) outs(%70 : tensor<8x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<8x16x16xbf16>
    %expanded_23 = tensor.expand_shape %71 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xbf16> into tensor<2x4x16x16xbf16>
    %72 = tensor.empty() : tensor<2x4x16x16xbf16>
    %73 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<2x4x16x16xbf16>) outs(%72 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %124 = arith.truncf %cst_2 : f64 to bf16
      %125 = arith.mulf %in, %124 : bf16
      linalg.yield %125 : bf16
    } -> tensor<2x4x16x16xbf16>
    %74 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %arg1 : tensor<2x4x16x16xbf16>, tensor<2x1x16x16xbf16>) outs(%72 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.addf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x4x16x16xbf16>
    %75 = tensor.empty() : tensor<2x4x16x16xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<2x4x16x16xbf16>) outs(%75 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %124 = arith.extf %in : bf16 to f32
      linalg.yield %124 : f32
    } -> tensor<2x4x16x16xf32>
    %77 = tensor.empty() : tensor<2x4x16xi64>
    %78 = linalg.fill ins(%c0_i64 : i64) outs(%77 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %79 = tensor.empty() : tensor<2x4x16xf32>
    %80 = linalg.fill ins(%cst_0 : f32) outs(%79 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %81:2 = linalg.generic {indexing_maps = [#map4, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<2x4x16x16xf32>) outs(%80, %78 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_40: i64):
      %124 = linalg.index 3 : index
      %125 = arith.index_cast %124 : index to i64
      %126 = arith.maximumf %in, %out : f32
      %127 = arith.cmpf ogt, %in, %out : f32
      %128 = arith.select %127, %125, %out_40 : i64
      linalg.yield %126, %128 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_24 = tensor.expand_shape %81#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %82 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %expanded_24 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%75 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %124 = arith.subf %in, %in_40 : f32
      linalg.yield %124 : f32
    } -> tensor<2x4x16x16xf32>
    %83 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<2x4x16x16xf32>) outs(%75 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.exp %in : f32
      linalg.yield %124 : f32
    } -> tensor<2x4x16x16xf32>
    %84 = tensor.empty() : tensor<2x4x16x1xf32>
    %85 = linalg.fill ins(%cst : f32) outs(%84 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %86 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%83 : tensor<2x4x16x16xf32>) outs(%85 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<2x4x16x1xf32>
    %87 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %86 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%75 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %124 = arith.divf %in, %in_40 : f32
      linalg.yield %124 : f32
    } -> tensor<2x4x16x16xf32>
    %88 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<2x4x16x16xf32>) outs(%72 : tensor<2x4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<2x4x16x16xbf16>
    %collapsed_25 = tensor.collapse_shape %88 [[0, 1], [2], [3]] : tensor<2x4x16x16xbf16> into tensor<8x16x16xbf16>
    %collapsed_26 = tensor.collapse_shape %65 [[0, 1, 2], [3], [4]] : tensor<2x2x2x16x8xbf16> into tensor<8x16x8xbf16>
    %89 = tensor.empty() : tensor<8x16x8xf32>
    %90 = linalg.fill ins(%cst : f32) outs(%89 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %91 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<8x16x16xbf16>, tensor<8x16x8xbf16>) outs(%90 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %92 = tensor.empty() : tensor<8x16x8xbf16>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<8x16x8xf32>) outs(%92 : tensor<8x16x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<8x16x8xbf16>
    %expanded_27 = tensor.expand_shape %93 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xbf16> into tensor<2x4x16x8xbf16>
    %transposed_28 = linalg.transpose ins(%expanded_27 : tensor<2x4x16x8xbf16>) outs(%28 : tensor<2x16x4x8xbf16>) permutation = [0, 2, 1, 3]
    %transposed_29 = linalg.transpose ins(%arg7 : tensor<32x32xbf16>) outs(%13 : tensor<32x32xbf16>) permutation = [1, 0]
    %collapsed_30 = tensor.collapse_shape %transposed_28 [[0, 1], [2, 3]] : tensor<2x16x4x8xbf16> into tensor<32x32xbf16>
    %94 = linalg.matmul ins(%collapsed_30, %transposed_29 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %95 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%94 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<32x32xbf16>
    %expanded_31 = tensor.expand_shape %95 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_31 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.addf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x32xbf16>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %124 = arith.extf %in : bf16 to f32
      linalg.yield %124 : f32
    } -> tensor<2x16x32xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %124 : f32
    } -> tensor<2x16x32xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x1xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_4 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_3 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<2x16x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %102 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %124 = arith.mulf %in, %in_40 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x32xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x16x32xf32>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x32xbf16>
    %105 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14, %104 : tensor<32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x32xbf16>
    %106 = tensor.empty() : tensor<32x64xbf16>
    %transposed_32 = linalg.transpose ins(%arg10 : tensor<64x32xbf16>) outs(%106 : tensor<32x64xbf16>) permutation = [1, 0]
    %collapsed_33 = tensor.collapse_shape %105 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %107 = tensor.empty() : tensor<32x64xf32>
    %108 = linalg.fill ins(%cst : f32) outs(%107 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %109 = linalg.matmul ins(%collapsed_33, %transposed_32 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%108 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%109 : tensor<32x64xf32>) outs(%106 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<32x64xbf16>
    %expanded_34 = tensor.expand_shape %110 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %111 = tensor.empty() : tensor<2x16x64xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<2x16x64xbf16>) outs(%111 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %124 = arith.extf %in : bf16 to f32
      linalg.yield %124 : f32
    } -> tensor<2x16x64xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x16x64xf32>) outs(%111 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.negf %in : f32
      %125 = math.exp %124 : f32
      %126 = arith.addf %125, %cst_1 : f32
      %127 = arith.divf %cst_1, %126 : f32
      linalg.yield %127 : f32
    } -> tensor<2x16x64xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %113 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%111 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %124 = arith.mulf %in, %in_40 : f32
      linalg.yield %124 : f32
    } -> tensor<2x16x64xf32>
    %115 = tensor.empty() : tensor<2x16x64xbf16>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<2x16x64xf32>) outs(%115 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x64xbf16>
    %transposed_35 = linalg.transpose ins(%arg11 : tensor<64x32xbf16>) outs(%106 : tensor<32x64xbf16>) permutation = [1, 0]
    %117 = linalg.matmul ins(%collapsed_33, %transposed_35 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%108 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %118 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%117 : tensor<32x64xf32>) outs(%106 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<32x64xbf16>
    %expanded_36 = tensor.expand_shape %118 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %119 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %expanded_36 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%115 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.mulf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x64xbf16>
    %120 = tensor.empty() : tensor<64x32xbf16>
    %transposed_37 = linalg.transpose ins(%arg12 : tensor<32x64xbf16>) outs(%120 : tensor<64x32xbf16>) permutation = [1, 0]
    %collapsed_38 = tensor.collapse_shape %119 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %121 = linalg.matmul ins(%collapsed_38, %transposed_37 : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %122 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<32x32xf32>) outs(%13 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %124 = arith.truncf %in : f32 to bf16
      linalg.yield %124 : bf16
    } -> tensor<32x32xbf16>
    %expanded_39 = tensor.expand_shape %122 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %123 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %expanded_39 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%10 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %124 = arith.addf %in, %in_40 : bf16
      linalg.yield %124 : bf16
    } -> tensor<2x16x32xbf16>
    return %123 : tensor<2x16x32xbf16>
  }
}
