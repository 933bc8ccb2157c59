// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// LayerNorm before, one projection to Q, K and V, causal attention, GELU.
// Arguments: x, norm1.weight, norm1.bias, norm2.weight, norm2.bias, qkv.weight, qkv.bias, o.weight, o.bias, up.weight, up.bias, down.weight, down.bias

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @gpt2_layer_bf16(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<32xbf16>, %arg2: tensor<32xbf16>, %arg3: tensor<32xbf16>, %arg4: tensor<32xbf16>, %arg5: tensor<96x32xbf16>, %arg6: tensor<96xbf16>, %arg7: tensor<32x32xbf16>, %arg8: tensor<32xbf16>, %arg9: tensor<64x32xbf16>, %arg10: tensor<64xbf16>, %arg11: tensor<32x64xbf16>, %arg12: tensor<32xbf16>) -> tensor<2x16x32xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %c3_i64 = arith.constant 3 : i64
    %cst_2 = arith.constant 4.467770e-02 : bf16
    %cst_3 = arith.constant 7.968750e-01 : bf16
    %cst_4 = arith.constant 1.000000e+00 : bf16
    %cst_5 = arith.constant 5.000000e-01 : bf16
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_8 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_9 = arith.constant dense<true> : tensor<16x16xi1>
    %cst_10 = arith.constant 0xFFF0000000000000 : f64
    %cst_11 = arith.constant 0.59460355750136051 : f64
    %cst_12 = arith.constant 1.000000e-05 : f64
    %cst_13 = arith.constant 3.200000e+01 : f64
    %cst_14 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<2x16x32xf32>
    %2 = tensor.empty() : tensor<2x16x32xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %132 = arith.extf %in : f32 to f64
      linalg.yield %132 : f64
    } -> tensor<2x16x32xf64>
    %4 = tensor.empty() : tensor<2x16x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<2x16x1xf64>) -> tensor<2x16x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.addf %in, %out : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.divf %in, %cst_13 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_42: f64, %out: f64):
      %132 = arith.subf %in, %in_42 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x32xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_42: f64, %out: f64):
      %132 = arith.mulf %in, %in_42 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x32xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.addf %in, %out : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.divf %in, %cst_13 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %12 = tensor.empty() : tensor<2x16x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x16x1xf64>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %132 = arith.truncf %in : f64 to f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x16x32xf32>) outs(%14 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.addf %in, %out : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.divf %in, %cst_14 : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.truncf %cst_12 : f64 to f32
      %133 = arith.addf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x16x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = math.rsqrt %in : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.subf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.mulf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: bf16, %out: f32):
      %132 = arith.extf %in_42 : bf16 to f32
      %133 = arith.mulf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x16x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: bf16, %out: f32):
      %132 = arith.extf %in_42 : bf16 to f32
      %133 = arith.addf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x16x32xf32>
    %23 = tensor.empty() : tensor<2x16x32xbf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x16x32xf32>) outs(%23 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %132 = arith.truncf %in : f32 to bf16
      linalg.yield %132 : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %25 = tensor.empty() : tensor<32x96xbf16>
    %transposed = linalg.transpose ins(%arg5 : tensor<96x32xbf16>) outs(%25 : tensor<32x96xbf16>) permutation = [1, 0]
    %26 = tensor.empty() : tensor<96xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg6 : tensor<96xbf16>) outs(%26 : tensor<96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<96xf32>
    %28 = tensor.empty() : tensor<32x32xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<32x32xbf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<32x32xf32>
    %30 = tensor.empty() : tensor<32x96xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<32x96xbf16>) outs(%30 : tensor<32x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<32x96xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<32x96xf32>) -> tensor<32x96xf32>
    %33 = linalg.matmul ins(%29, %31 : tensor<32x32xf32>, tensor<32x96xf32>) outs(%32 : tensor<32x96xf32>) -> tensor<32x96xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<96xf32>) outs(%30 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x96xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%33, %34 : tensor<32x96xf32>, tensor<32x96xf32>) outs(%30 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.addf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<32x96xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<32x96xf32>) outs(%25 : tensor<32x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %132 = arith.truncf %in : f32 to bf16
      linalg.yield %132 : bf16
    } -> tensor<32x96xbf16>
    %expanded = tensor.expand_shape %36 [[0, 1], [2]] output_shape [2, 16, 96] : tensor<32x96xbf16> into tensor<2x16x96xbf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 16, 32] [1, 1, 1] : tensor<2x16x96xbf16> to tensor<2x16x32xbf16>
    %extracted_slice_15 = tensor.extract_slice %expanded[0, 0, 32] [2, 16, 32] [1, 1, 1] : tensor<2x16x96xbf16> to tensor<2x16x32xbf16>
    %extracted_slice_16 = tensor.extract_slice %expanded[0, 0, 64] [2, 16, 32] [1, 1, 1] : tensor<2x16x96xbf16> to tensor<2x16x32xbf16>
    %expanded_17 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xbf16> into tensor<2x16x4x8xbf16>
    %37 = tensor.empty() : tensor<2x4x16x8xbf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x16x4x8xbf16>) outs(%37 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %expanded_19 = tensor.expand_shape %extracted_slice_15 [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xbf16> into tensor<2x16x4x8xbf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<2x16x4x8xbf16>) outs(%37 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %expanded_21 = tensor.expand_shape %extracted_slice_16 [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xbf16> into tensor<2x16x4x8xbf16>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<2x16x4x8xbf16>) outs(%37 : tensor<2x4x16x8xbf16>) permutation = [0, 2, 1, 3]
    %38 = tensor.empty() : tensor<2x4x16x8xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<2x4x16x8xbf16>) outs(%38 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x8xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<2x4x16x8xbf16>) outs(%38 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x8xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<2x4x16x8xbf16>) outs(%38 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x8xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x4x16x8xf32>) outs(%38 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.truncf %cst_11 : f64 to f32
      %133 = arith.mulf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x4x16x8xf32>
    %43 = tensor.empty() : tensor<16xi64>
    %44 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%43 : tensor<16xi64>) {
    ^bb0(%out: i64):
      %132 = linalg.index 0 : index
      %133 = arith.index_cast %132 : index to i64
      linalg.yield %133 : i64
    } -> tensor<16xi64>
    %expanded_23 = tensor.expand_shape %44 [[0, 1]] output_shape [1, 16] : tensor<16xi64> into tensor<1x16xi64>
    %expanded_24 = tensor.expand_shape %44 [[0, 1]] output_shape [16, 1] : tensor<16xi64> into tensor<16x1xi64>
    %45 = tensor.empty() : tensor<16x16xi64>
    %46 = linalg.generic {indexing_maps = [#map7, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %expanded_24 : tensor<1x16xi64>, tensor<16x1xi64>) outs(%45 : tensor<16x16xi64>) {
    ^bb0(%in: i64, %in_42: i64, %out: i64):
      %132 = arith.subi %in, %in_42 : i64
      linalg.yield %132 : i64
    } -> tensor<16x16xi64>
    %47 = tensor.empty() : tensor<16x16xi1>
    %48 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<16x16xi64>) outs(%47 : tensor<16x16xi1>) {
    ^bb0(%in: i64, %out: i1):
      %132 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %132 : i1
    } -> tensor<16x16xi1>
    %49 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%48, %cst_9 : tensor<16x16xi1>, tensor<16x16xi1>) outs(%47 : tensor<16x16xi1>) {
    ^bb0(%in: i1, %in_42: i1, %out: i1):
      %132 = arith.andi %in, %in_42 : i1
      linalg.yield %132 : i1
    } -> tensor<16x16xi1>
    %50 = tensor.empty() : tensor<16x16xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map9, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%49, %cst_7, %cst_8 : tensor<16x16xi1>, tensor<f32>, tensor<f32>) outs(%50 : tensor<16x16xf32>) {
    ^bb0(%in: i1, %in_42: f32, %in_43: f32, %out: f32):
      %132 = arith.select %in, %in_42, %in_43 : f32
      linalg.yield %132 : f32
    } -> tensor<16x16xf32>
    %52 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_25 = linalg.transpose ins(%40 : tensor<2x4x16x8xf32>) outs(%52 : tensor<2x4x8x16xf32>) permutation = [0, 1, 3, 2]
    %53 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<2x4x8x16xf32>) outs(%52 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.truncf %cst_11 : f64 to f32
      %133 = arith.mulf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x4x8x16xf32>
    %collapsed_26 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_27 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %54 = tensor.empty() : tensor<8x16x16xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %56 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%55 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_28 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %57 = tensor.empty() : tensor<2x4x16x16xf32>
    %58 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28, %51 : tensor<2x4x16x16xf32>, tensor<16x16xf32>) outs(%57 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.addf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x16xf32>
    %59 = tensor.empty() : tensor<2x4x16xi64>
    %60 = linalg.fill ins(%c0_i64 : i64) outs(%59 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %61 = tensor.empty() : tensor<2x4x16xf32>
    %62 = linalg.fill ins(%cst_1 : f32) outs(%61 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %63:2 = linalg.generic {indexing_maps = [#map6, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%58 : tensor<2x4x16x16xf32>) outs(%62, %60 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_42: i64):
      %132 = linalg.index 3 : index
      %133 = arith.index_cast %132 : index to i64
      %134 = arith.maximumf %in, %out : f32
      %135 = arith.cmpf ogt, %in, %out : f32
      %136 = arith.select %135, %133, %out_42 : i64
      linalg.yield %134, %136 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_29 = tensor.expand_shape %63#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %64 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %expanded_29 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%57 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.subf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x16xf32>
    %65 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<2x4x16x16xf32>) outs(%57 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = math.exp %in : f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x16xf32>
    %66 = tensor.empty() : tensor<2x4x16x1xf32>
    %67 = linalg.fill ins(%cst_0 : f32) outs(%66 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %68 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%65 : tensor<2x4x16x16xf32>) outs(%67 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.addf %in, %out : f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x1xf32>
    %69 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %68 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%57 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.divf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x16xf32>
    %70 = tensor.empty() : tensor<2x4x16x16xi1>
    %71 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<2x4x16x16xf32>) outs(%70 : tensor<2x4x16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %132 = arith.extf %in : f32 to f64
      %133 = arith.cmpf oeq, %132, %cst_10 : f64
      linalg.yield %133 : i1
    } -> tensor<2x4x16x16xi1>
    %72 = tensor.empty() : tensor<2x4x16x1xi1>
    %73 = linalg.fill ins(%true : i1) outs(%72 : tensor<2x4x16x1xi1>) -> tensor<2x4x16x1xi1>
    %74 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<2x4x16x16xi1>) outs(%73 : tensor<2x4x16x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %132 = arith.andi %in, %out : i1
      linalg.yield %132 : i1
    } -> tensor<2x4x16x1xi1>
    %75 = linalg.generic {indexing_maps = [#map12, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %cst_6, %69 : tensor<2x4x16x1xi1>, tensor<2x4x16x16xf32>, tensor<2x4x16x16xf32>) outs(%57 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: i1, %in_42: f32, %in_43: f32, %out: f32):
      %132 = arith.select %in, %in_42, %in_43 : f32
      linalg.yield %132 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_30 = tensor.collapse_shape %75 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %collapsed_31 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %76 = tensor.empty() : tensor<8x16x8xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%76 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %78 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%77 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_32 = tensor.expand_shape %78 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %79 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<2x4x16x8xf32>) outs(%37 : tensor<2x4x16x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %132 = arith.truncf %in : f32 to bf16
      linalg.yield %132 : bf16
    } -> tensor<2x4x16x8xbf16>
    %80 = tensor.empty() : tensor<2x16x4x8xbf16>
    %transposed_33 = linalg.transpose ins(%79 : tensor<2x4x16x8xbf16>) outs(%80 : tensor<2x16x4x8xbf16>) permutation = [0, 2, 1, 3]
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0], [1], [2, 3]] : tensor<2x16x4x8xbf16> into tensor<2x16x32xbf16>
    %81 = tensor.empty() : tensor<32x32xbf16>
    %transposed_35 = linalg.transpose ins(%arg7 : tensor<32x32xbf16>) outs(%81 : tensor<32x32xbf16>) permutation = [1, 0]
    %82 = tensor.empty() : tensor<2x32x32xbf16>
    %83 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_35 : tensor<32x32xbf16>) outs(%82 : tensor<2x32x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x32x32xbf16>
    %84 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %85 = linalg.batch_matmul ins(%collapsed_34, %83 : tensor<2x16x32xbf16>, tensor<2x32x32xbf16>) outs(%84 : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x16x32xf32>) outs(%23 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %132 = arith.truncf %in : f32 to bf16
      linalg.yield %132 : bf16
    } -> tensor<2x16x32xbf16>
    %87 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %arg8 : tensor<2x16x32xbf16>, tensor<32xbf16>) outs(%23 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %132 = arith.addf %in, %in_42 : bf16
      linalg.yield %132 : bf16
    } -> tensor<2x16x32xbf16>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %87 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%23 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %132 = arith.addf %in, %in_42 : bf16
      linalg.yield %132 : bf16
    } -> tensor<2x16x32xbf16>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<2x16x32xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x16x32xf32>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %132 = arith.extf %in : f32 to f64
      linalg.yield %132 : f64
    } -> tensor<2x16x32xf64>
    %91 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.addf %in, %out : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.divf %in, %cst_13 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %93 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %92 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_42: f64, %out: f64):
      %132 = arith.subf %in, %in_42 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x32xf64>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %93 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_42: f64, %out: f64):
      %132 = arith.mulf %in, %in_42 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x32xf64>
    %95 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.addf %in, %out : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %132 = arith.divf %in, %cst_13 : f64
      linalg.yield %132 : f64
    } -> tensor<2x16x1xf64>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x16x1xf64>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %132 = arith.truncf %in : f64 to f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<2x16x32xf32>) outs(%14 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.addf %in, %out : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.divf %in, %cst_14 : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = arith.truncf %cst_12 : f64 to f32
      %133 = arith.addf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x16x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %132 = math.rsqrt %in : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %99 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.subf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x32xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %101 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.mulf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<2x16x32xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %arg3 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: bf16, %out: f32):
      %132 = arith.extf %in_42 : bf16 to f32
      %133 = arith.mulf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x16x32xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %arg4 : tensor<2x16x32xf32>, tensor<32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_42: bf16, %out: f32):
      %132 = arith.extf %in_42 : bf16 to f32
      %133 = arith.addf %in, %132 : f32
      linalg.yield %133 : f32
    } -> tensor<2x16x32xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x16x32xf32>) outs(%23 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %132 = arith.truncf %in : f32 to bf16
      linalg.yield %132 : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_36 = tensor.collapse_shape %106 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %107 = tensor.empty() : tensor<32x64xbf16>
    %transposed_37 = linalg.transpose ins(%arg9 : tensor<64x32xbf16>) outs(%107 : tensor<32x64xbf16>) permutation = [1, 0]
    %108 = tensor.empty() : tensor<64xf32>
    %109 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg10 : tensor<64xbf16>) outs(%108 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<64xf32>
    %110 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_36 : tensor<32x32xbf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<32x32xf32>
    %111 = tensor.empty() : tensor<32x64xf32>
    %112 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_37 : tensor<32x64xbf16>) outs(%111 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<32x64xf32>
    %113 = linalg.fill ins(%cst_0 : f32) outs(%111 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %114 = linalg.matmul ins(%110, %112 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%113 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %115 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%109 : tensor<64xf32>) outs(%111 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %116 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%114, %115 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%111 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.addf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<32x64xf32>
    %117 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%116 : tensor<32x64xf32>) outs(%107 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %132 = arith.truncf %in : f32 to bf16
      linalg.yield %132 : bf16
    } -> tensor<32x64xbf16>
    %expanded_38 = tensor.expand_shape %117 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %118 = tensor.empty() : tensor<2x16x64xbf16>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38 : tensor<2x16x64xbf16>) outs(%118 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %132 = math.fpowi %in, %c3_i64 : bf16, i64
      %133 = arith.mulf %132, %cst_2 : bf16
      %134 = arith.addf %in, %133 : bf16
      %135 = arith.mulf %134, %cst_3 : bf16
      %136 = math.tanh %135 : bf16
      %137 = arith.addf %136, %cst_4 : bf16
      %138 = arith.mulf %137, %cst_5 : bf16
      %139 = arith.mulf %in, %138 : bf16
      linalg.yield %139 : bf16
    } -> tensor<2x16x64xbf16>
    %collapsed_39 = tensor.collapse_shape %119 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %120 = tensor.empty() : tensor<64x32xbf16>
    %transposed_40 = linalg.transpose ins(%arg11 : tensor<32x64xbf16>) outs(%120 : tensor<64x32xbf16>) permutation = [1, 0]
    %121 = tensor.empty() : tensor<32xf32>
    %122 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg12 : tensor<32xbf16>) outs(%121 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<32xf32>
    %123 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_39 : tensor<32x64xbf16>) outs(%111 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<32x64xf32>
    %124 = tensor.empty() : tensor<64x32xf32>
    %125 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_40 : tensor<64x32xbf16>) outs(%124 : tensor<64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %132 = arith.extf %in : bf16 to f32
      linalg.yield %132 : f32
    } -> tensor<64x32xf32>
    %126 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %127 = linalg.matmul ins(%123, %125 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%126 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %128 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%122 : tensor<32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %129 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%127, %128 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %132 = arith.addf %in, %in_42 : f32
      linalg.yield %132 : f32
    } -> tensor<32x32xf32>
    %130 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%129 : tensor<32x32xf32>) outs(%81 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %132 = arith.truncf %in : f32 to bf16
      linalg.yield %132 : bf16
    } -> tensor<32x32xbf16>
    %expanded_41 = tensor.expand_shape %130 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %131 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %expanded_41 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%23 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %132 = arith.addf %in, %in_42 : bf16
      linalg.yield %132 : bf16
    } -> tensor<2x16x32xbf16>
    return %131 : tensor<2x16x32xbf16>
  }
}
