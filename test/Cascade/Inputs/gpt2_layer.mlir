// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// LayerNorm before, one projection to Q, K and V, causal attention, GELU.
// Arguments: x, norm1.weight, norm1.bias, norm2.weight, norm2.bias, qkv.weight, qkv.bias, o.weight, o.bias, up.weight, up.bias, down.weight, down.bias

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @gpt2_layer(%arg0: tensor<2x16x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<96x32xf32>, %arg6: tensor<96xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<64xf32>, %arg11: tensor<32x64xf32>, %arg12: tensor<32xf32>) -> tensor<2x16x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %c3_i64 = arith.constant 3 : i64
    %cst_2 = arith.constant 4.471500e-02 : f32
    %cst_3 = arith.constant 7.977240e-01 : f32
    %cst_4 = arith.constant 1.000000e+00 : f32
    %cst_5 = arith.constant 5.000000e-01 : f32
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_8 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_9 = arith.constant dense<true> : tensor<16x16xi1>
    %cst_10 = arith.constant 0xFFF0000000000000 : f64
    %cst_11 = arith.constant 0.59460355750136051 : f64
    %cst_12 = arith.constant 1.000000e-05 : f64
    %cst_13 = arith.constant 3.200000e+01 : f64
    %cst_14 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x16x32xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %102 = arith.extf %in : f32 to f64
      linalg.yield %102 : f64
    } -> tensor<2x16x32xf64>
    %2 = tensor.empty() : tensor<2x16x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x16x1xf64>) -> tensor<2x16x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x16x32xf64>) outs(%3 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.addf %in, %out : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x16x1xf64>) outs(%2 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.divf %in, %cst_13 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%0 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %102 = arith.subf %in, %in_41 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x32xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%0 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %102 = arith.mulf %in, %in_41 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x32xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x16x32xf64>) outs(%3 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.addf %in, %out : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x16x1xf64>) outs(%2 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.divf %in, %cst_13 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %10 = tensor.empty() : tensor<2x16x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16x1xf64>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %102 = arith.truncf %in : f64 to f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.addf %in, %out : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.divf %in, %cst_14 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.truncf %cst_12 : f64 to f32
      %103 = arith.addf %in, %102 : f32
      linalg.yield %103 : f32
    } -> tensor<2x16x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.rsqrt %in : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %17 = tensor.empty() : tensor<2x16x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.subf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.mulf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.mulf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %22 = tensor.empty() : tensor<32x96xf32>
    %transposed = linalg.transpose ins(%arg5 : tensor<96x32xf32>) outs(%22 : tensor<32x96xf32>) permutation = [1, 0]
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<32x96xf32>) -> tensor<32x96xf32>
    %24 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xf32>, tensor<32x96xf32>) outs(%23 : tensor<32x96xf32>) -> tensor<32x96xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<96xf32>) outs(%22 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x96xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%24, %25 : tensor<32x96xf32>, tensor<32x96xf32>) outs(%22 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<32x96xf32>
    %expanded = tensor.expand_shape %26 [[0, 1], [2]] output_shape [2, 16, 96] : tensor<32x96xf32> into tensor<2x16x96xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 16, 32] [1, 1, 1] : tensor<2x16x96xf32> to tensor<2x16x32xf32>
    %extracted_slice_15 = tensor.extract_slice %expanded[0, 0, 32] [2, 16, 32] [1, 1, 1] : tensor<2x16x96xf32> to tensor<2x16x32xf32>
    %extracted_slice_16 = tensor.extract_slice %expanded[0, 0, 64] [2, 16, 32] [1, 1, 1] : tensor<2x16x96xf32> to tensor<2x16x32xf32>
    %expanded_17 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
    %27 = tensor.empty() : tensor<2x4x16x8xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x16x4x8xf32>) outs(%27 : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
    %expanded_19 = tensor.expand_shape %extracted_slice_15 [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
    %expanded_20 = tensor.expand_shape %extracted_slice_16 [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x16x4x8xf32>) outs(%27 : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
    %28 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<2x4x16x8xf32>) outs(%27 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.truncf %cst_11 : f64 to f32
      %103 = arith.mulf %in, %102 : f32
      linalg.yield %103 : f32
    } -> tensor<2x4x16x8xf32>
    %29 = tensor.empty() : tensor<16xi64>
    %30 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%29 : tensor<16xi64>) {
    ^bb0(%out: i64):
      %102 = linalg.index 0 : index
      %103 = arith.index_cast %102 : index to i64
      linalg.yield %103 : i64
    } -> tensor<16xi64>
    %expanded_22 = tensor.expand_shape %30 [[0, 1]] output_shape [1, 16] : tensor<16xi64> into tensor<1x16xi64>
    %expanded_23 = tensor.expand_shape %30 [[0, 1]] output_shape [16, 1] : tensor<16xi64> into tensor<16x1xi64>
    %31 = tensor.empty() : tensor<16x16xi64>
    %32 = linalg.generic {indexing_maps = [#map7, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_22, %expanded_23 : tensor<1x16xi64>, tensor<16x1xi64>) outs(%31 : tensor<16x16xi64>) {
    ^bb0(%in: i64, %in_41: i64, %out: i64):
      %102 = arith.subi %in, %in_41 : i64
      linalg.yield %102 : i64
    } -> tensor<16x16xi64>
    %33 = tensor.empty() : tensor<16x16xi1>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<16x16xi64>) outs(%33 : tensor<16x16xi1>) {
    ^bb0(%in: i64, %out: i1):
      %102 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %102 : i1
    } -> tensor<16x16xi1>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %cst_9 : tensor<16x16xi1>, tensor<16x16xi1>) outs(%33 : tensor<16x16xi1>) {
    ^bb0(%in: i1, %in_41: i1, %out: i1):
      %102 = arith.andi %in, %in_41 : i1
      linalg.yield %102 : i1
    } -> tensor<16x16xi1>
    %36 = tensor.empty() : tensor<16x16xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map9, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%35, %cst_7, %cst_8 : tensor<16x16xi1>, tensor<f32>, tensor<f32>) outs(%36 : tensor<16x16xf32>) {
    ^bb0(%in: i1, %in_41: f32, %in_42: f32, %out: f32):
      %102 = arith.select %in, %in_41, %in_42 : f32
      linalg.yield %102 : f32
    } -> tensor<16x16xf32>
    %38 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_24 = linalg.transpose ins(%expanded_19 : tensor<2x16x4x8xf32>) outs(%38 : tensor<2x4x8x16xf32>) permutation = [0, 2, 3, 1]
    %39 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_24 : tensor<2x4x8x16xf32>) outs(%38 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.truncf %cst_11 : f64 to f32
      %103 = arith.mulf %in, %102 : f32
      linalg.yield %103 : f32
    } -> tensor<2x4x8x16xf32>
    %collapsed_25 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_26 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %40 = tensor.empty() : tensor<8x16x16xf32>
    %41 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %42 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%41 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_27 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %43 = tensor.empty() : tensor<2x4x16x16xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27, %37 : tensor<2x4x16x16xf32>, tensor<16x16xf32>) outs(%43 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x4x16x16xf32>
    %45 = tensor.empty() : tensor<2x4x16xi64>
    %46 = linalg.fill ins(%c0_i64 : i64) outs(%45 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %47 = tensor.empty() : tensor<2x4x16xf32>
    %48 = linalg.fill ins(%cst_1 : f32) outs(%47 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %49:2 = linalg.generic {indexing_maps = [#map5, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<2x4x16x16xf32>) outs(%48, %46 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_41: i64):
      %102 = linalg.index 3 : index
      %103 = arith.index_cast %102 : index to i64
      %104 = arith.maximumf %in, %out : f32
      %105 = arith.cmpf ogt, %in, %out : f32
      %106 = arith.select %105, %103, %out_41 : i64
      linalg.yield %104, %106 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_28 = tensor.expand_shape %49#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %expanded_28 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%43 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.subf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x4x16x16xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x4x16x16xf32>) outs(%43 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.exp %in : f32
      linalg.yield %102 : f32
    } -> tensor<2x4x16x16xf32>
    %52 = tensor.empty() : tensor<2x4x16x1xf32>
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<2x4x16x16xf32>) outs(%53 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.addf %in, %out : f32
      linalg.yield %102 : f32
    } -> tensor<2x4x16x1xf32>
    %55 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %54 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%43 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.divf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x4x16x16xf32>
    %56 = tensor.empty() : tensor<2x4x16x16xi1>
    %57 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x4x16x16xf32>) outs(%56 : tensor<2x4x16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %102 = arith.extf %in : f32 to f64
      %103 = arith.cmpf oeq, %102, %cst_10 : f64
      linalg.yield %103 : i1
    } -> tensor<2x4x16x16xi1>
    %58 = tensor.empty() : tensor<2x4x16x1xi1>
    %59 = linalg.fill ins(%true : i1) outs(%58 : tensor<2x4x16x1xi1>) -> tensor<2x4x16x1xi1>
    %60 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<2x4x16x16xi1>) outs(%59 : tensor<2x4x16x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %102 = arith.andi %in, %out : i1
      linalg.yield %102 : i1
    } -> tensor<2x4x16x1xi1>
    %61 = linalg.generic {indexing_maps = [#map12, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %cst_6, %55 : tensor<2x4x16x1xi1>, tensor<2x4x16x16xf32>, tensor<2x4x16x16xf32>) outs(%43 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: i1, %in_41: f32, %in_42: f32, %out: f32):
      %102 = arith.select %in, %in_41, %in_42 : f32
      linalg.yield %102 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_29 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %collapsed_30 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %62 = tensor.empty() : tensor<8x16x8xf32>
    %63 = linalg.fill ins(%cst_0 : f32) outs(%62 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %64 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%63 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_31 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %65 = tensor.empty() : tensor<2x16x4x8xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<2x4x16x8xf32>) outs(%65 : tensor<2x16x4x8xf32>) permutation = [0, 2, 1, 3]
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<2x16x32xf32>
    %66 = tensor.empty() : tensor<32x32xf32>
    %transposed_34 = linalg.transpose ins(%arg7 : tensor<32x32xf32>) outs(%66 : tensor<32x32xf32>) permutation = [1, 0]
    %67 = tensor.empty() : tensor<2x32x32xf32>
    %68 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_34 : tensor<32x32xf32>) outs(%67 : tensor<2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x32x32xf32>
    %69 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %70 = linalg.batch_matmul ins(%collapsed_33, %68 : tensor<2x16x32xf32>, tensor<2x32x32xf32>) outs(%69 : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %arg8 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %71 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %102 = arith.extf %in : f32 to f64
      linalg.yield %102 : f64
    } -> tensor<2x16x32xf64>
    %74 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%73 : tensor<2x16x32xf64>) outs(%3 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.addf %in, %out : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x16x1xf64>) outs(%2 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.divf %in, %cst_13 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %76 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %75 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%0 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %102 = arith.subf %in, %in_41 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x32xf64>
    %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %76 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%0 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %102 = arith.mulf %in, %in_41 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x32xf64>
    %78 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%77 : tensor<2x16x32xf64>) outs(%3 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.addf %in, %out : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<2x16x1xf64>) outs(%2 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %102 = arith.divf %in, %cst_13 : f64
      linalg.yield %102 : f64
    } -> tensor<2x16x1xf64>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x16x1xf64>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %102 = arith.truncf %in : f64 to f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%72 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.addf %in, %out : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.divf %in, %cst_14 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = arith.truncf %cst_12 : f64 to f32
      %103 = arith.addf %in, %102 : f32
      linalg.yield %103 : f32
    } -> tensor<2x16x1xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.rsqrt %in : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x1xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %82 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.subf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %84 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.mulf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %arg3 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.mulf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %arg4 : tensor<2x16x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    %collapsed_35 = tensor.collapse_shape %88 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %89 = tensor.empty() : tensor<32x64xf32>
    %transposed_36 = linalg.transpose ins(%arg9 : tensor<64x32xf32>) outs(%89 : tensor<32x64xf32>) permutation = [1, 0]
    %90 = linalg.fill ins(%cst_0 : f32) outs(%89 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %91 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%90 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %92 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<64xf32>) outs(%89 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %93 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%91, %92 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%89 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<32x64xf32>
    %expanded_37 = tensor.expand_shape %93 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xf32> into tensor<2x16x64xf32>
    %94 = tensor.empty() : tensor<2x16x64xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<2x16x64xf32>) outs(%94 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %102 = math.fpowi %in, %c3_i64 : f32, i64
      %103 = arith.mulf %102, %cst_2 : f32
      %104 = arith.addf %in, %103 : f32
      %105 = arith.mulf %104, %cst_3 : f32
      %106 = math.tanh %105 : f32
      %107 = arith.addf %106, %cst_4 : f32
      %108 = arith.mulf %107, %cst_5 : f32
      %109 = arith.mulf %in, %108 : f32
      linalg.yield %109 : f32
    } -> tensor<2x16x64xf32>
    %collapsed_38 = tensor.collapse_shape %95 [[0, 1], [2]] : tensor<2x16x64xf32> into tensor<32x64xf32>
    %96 = tensor.empty() : tensor<64x32xf32>
    %transposed_39 = linalg.transpose ins(%arg11 : tensor<32x64xf32>) outs(%96 : tensor<64x32xf32>) permutation = [1, 0]
    %97 = linalg.fill ins(%cst_0 : f32) outs(%66 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %98 = linalg.matmul ins(%collapsed_38, %transposed_39 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%97 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %99 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg12 : tensor<32xf32>) outs(%66 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %100 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%98, %99 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%66 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<32x32xf32>
    %expanded_40 = tensor.expand_shape %100 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %expanded_40 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%17 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %102 = arith.addf %in, %in_41 : f32
      linalg.yield %102 : f32
    } -> tensor<2x16x32xf32>
    return %101 : tensor<2x16x32xf32>
  }
}
