// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export_layers.py
// RMSNorm before, rotary positions, fewer heads of keys, additive causal mask, SiLU gate.
// Arguments: x, cos, sin, mask, norm1.weight, norm2.weight, q.weight, k.weight, v.weight, o.weight, gate.weight, up.weight, down.weight

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @llama_layer(%arg0: tensor<2x16x32xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<16x32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<64x32xf32>, %arg11: tensor<64x32xf32>, %arg12: tensor<32x64xf32>) -> tensor<2x16x32xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant 9.9999999999999995E-7 : f64
    %cst_4 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    %2 = tensor.empty() : tensor<2x16x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x16x32xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.addf %in, %out : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.divf %in, %cst_4 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.truncf %cst_3 : f64 to f32
      %75 = arith.addf %in, %74 : f32
      linalg.yield %75 : f32
    } -> tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = math.rsqrt %in : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4, %8 : tensor<32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    %10 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg6 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %12 = linalg.matmul ins(%collapsed, %transposed : tensor<32x32xf32>, tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
    %13 = tensor.empty() : tensor<2x4x16x8xf32>
    %transposed_5 = linalg.transpose ins(%expanded : tensor<2x16x4x8xf32>) outs(%13 : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
    %14 = tensor.empty() : tensor<32x16xf32>
    %transposed_6 = linalg.transpose ins(%arg7 : tensor<16x32xf32>) outs(%14 : tensor<32x16xf32>) permutation = [1, 0]
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<32x32xf32>, tensor<32x16xf32>) outs(%15 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_7 = tensor.expand_shape %16 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xf32> into tensor<2x16x2x8xf32>
    %17 = tensor.empty() : tensor<2x2x16x8xf32>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<2x16x2x8xf32>) outs(%17 : tensor<2x2x16x8xf32>) permutation = [0, 2, 1, 3]
    %transposed_9 = linalg.transpose ins(%arg8 : tensor<16x32xf32>) outs(%14 : tensor<32x16xf32>) permutation = [1, 0]
    %18 = linalg.matmul ins(%collapsed, %transposed_9 : tensor<32x32xf32>, tensor<32x16xf32>) outs(%15 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_10 = tensor.expand_shape %18 [[0, 1], [2, 3]] output_shape [2, 16, 2, 8] : tensor<32x16xf32> into tensor<2x16x2x8xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<2x16x2x8xf32>) outs(%17 : tensor<2x2x16x8xf32>) permutation = [0, 2, 1, 3]
    %19 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_5, %arg1 : tensor<2x4x16x8xf32>, tensor<16x8xf32>) outs(%13 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x8xf32>
    %extracted_slice = tensor.extract_slice %transposed_5[0, 0, 0, 4] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xf32> to tensor<2x4x16x4xf32>
    %20 = tensor.empty() : tensor<2x4x16x4xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2x4x16x4xf32>) outs(%20 : tensor<2x4x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.negf %in : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x4xf32>
    %extracted_slice_12 = tensor.extract_slice %transposed_5[0, 0, 0, 0] [2, 4, 16, 4] [1, 1, 1, 1] : tensor<2x4x16x8xf32> to tensor<2x4x16x4xf32>
    %concat = tensor.concat dim(3) %21, %extracted_slice_12 : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x8xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg2 : tensor<2x4x16x8xf32>, tensor<16x8xf32>) outs(%13 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x8xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) outs(%13 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.addf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x8xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_8, %arg1 : tensor<2x2x16x8xf32>, tensor<16x8xf32>) outs(%17 : tensor<2x2x16x8xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x2x16x8xf32>
    %extracted_slice_13 = tensor.extract_slice %transposed_8[0, 0, 0, 4] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xf32> to tensor<2x2x16x4xf32>
    %25 = tensor.empty() : tensor<2x2x16x4xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13 : tensor<2x2x16x4xf32>) outs(%25 : tensor<2x2x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.negf %in : f32
      linalg.yield %74 : f32
    } -> tensor<2x2x16x4xf32>
    %extracted_slice_14 = tensor.extract_slice %transposed_8[0, 0, 0, 0] [2, 2, 16, 4] [1, 1, 1, 1] : tensor<2x2x16x8xf32> to tensor<2x2x16x4xf32>
    %concat_15 = tensor.concat dim(3) %26, %extracted_slice_14 : (tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>) -> tensor<2x2x16x8xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_15, %arg2 : tensor<2x2x16x8xf32>, tensor<16x8xf32>) outs(%17 : tensor<2x2x16x8xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x2x16x8xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>) outs(%17 : tensor<2x2x16x8xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.addf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x2x16x8xf32>
    %29 = tensor.empty() : tensor<2x2x2x16x8xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x2x16x8xf32>) outs(%29 : tensor<2x2x2x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x16x8xf32>
    %collapsed_16 = tensor.collapse_shape %30 [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xf32> into tensor<2x4x16x8xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<2x2x16x8xf32>) outs(%29 : tensor<2x2x2x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x16x8xf32>
    %32 = tensor.empty() : tensor<2x4x8x16xf32>
    %transposed_17 = linalg.transpose ins(%collapsed_16 : tensor<2x4x16x8xf32>) outs(%32 : tensor<2x4x8x16xf32>) permutation = [0, 1, 3, 2]
    %collapsed_18 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
    %collapsed_19 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %33 = tensor.empty() : tensor<8x16x16xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %35 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%34 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %expanded_20 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
    %36 = tensor.empty() : tensor<2x4x16x16xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x4x16x16xf32>) outs(%36 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.truncf %cst_2 : f64 to f32
      %75 = arith.mulf %in, %74 : f32
      linalg.yield %75 : f32
    } -> tensor<2x4x16x16xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %arg3 : tensor<2x4x16x16xf32>, tensor<16x16xf32>) outs(%36 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.addf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x16xf32>
    %39 = tensor.empty() : tensor<2x4x16xi64>
    %40 = linalg.fill ins(%c0_i64 : i64) outs(%39 : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
    %41 = tensor.empty() : tensor<2x4x16xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %43:2 = linalg.generic {indexing_maps = [#map3, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<2x4x16x16xf32>) outs(%42, %40 : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_37: i64):
      %74 = linalg.index 3 : index
      %75 = arith.index_cast %74 : index to i64
      %76 = arith.maximumf %in, %out : f32
      %77 = arith.cmpf ogt, %in, %out : f32
      %78 = arith.select %77, %75, %out_37 : i64
      linalg.yield %76, %78 : f32, i64
    } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
    %expanded_21 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %expanded_21 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%36 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.subf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x16xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x4x16x16xf32>) outs(%36 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = math.exp %in : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x16xf32>
    %46 = tensor.empty() : tensor<2x4x16x1xf32>
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<2x4x16x16xf32>) outs(%47 : tensor<2x4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.addf %in, %out : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x1xf32>
    %49 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %48 : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%36 : tensor<2x4x16x16xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.divf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x16x16xf32>
    %collapsed_22 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
    %collapsed_23 = tensor.collapse_shape %31 [[0, 1, 2], [3], [4]] : tensor<2x2x2x16x8xf32> into tensor<8x16x8xf32>
    %50 = tensor.empty() : tensor<8x16x8xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %52 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%51 : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %expanded_24 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
    %53 = tensor.empty() : tensor<2x16x4x8xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<2x4x16x8xf32>) outs(%53 : tensor<2x16x4x8xf32>) permutation = [0, 2, 1, 3]
    %transposed_26 = linalg.transpose ins(%arg9 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0]
    %collapsed_27 = tensor.collapse_shape %transposed_25 [[0, 1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<32x32xf32>
    %54 = linalg.matmul ins(%collapsed_27, %transposed_26 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_28 = tensor.expand_shape %54 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_28 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.addf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%56 : tensor<2x16x32xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.addf %in, %out : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.divf %in, %cst_4 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.truncf %cst_3 : f64 to f32
      %75 = arith.addf %in, %74 : f32
      linalg.yield %75 : f32
    } -> tensor<2x16x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x16x1xf32>) outs(%2 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = math.rsqrt %in : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x1xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %60 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    %62 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5, %61 : tensor<32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    %63 = tensor.empty() : tensor<32x64xf32>
    %transposed_29 = linalg.transpose ins(%arg10 : tensor<64x32xf32>) outs(%63 : tensor<32x64xf32>) permutation = [1, 0]
    %collapsed_30 = tensor.collapse_shape %62 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %64 = linalg.fill ins(%cst : f32) outs(%63 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %65 = linalg.matmul ins(%collapsed_30, %transposed_29 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%64 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %expanded_31 = tensor.expand_shape %65 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xf32> into tensor<2x16x64xf32>
    %66 = tensor.empty() : tensor<2x16x64xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<2x16x64xf32>) outs(%66 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = arith.negf %in : f32
      %75 = math.exp %74 : f32
      %76 = arith.addf %75, %cst_1 : f32
      %77 = arith.divf %cst_1, %76 : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x64xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31, %67 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%66 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x64xf32>
    %transposed_32 = linalg.transpose ins(%arg11 : tensor<64x32xf32>) outs(%63 : tensor<32x64xf32>) permutation = [1, 0]
    %69 = linalg.matmul ins(%collapsed_30, %transposed_32 : tensor<32x32xf32>, tensor<32x64xf32>) outs(%64 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %expanded_33 = tensor.expand_shape %69 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xf32> into tensor<2x16x64xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %expanded_33 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%66 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.mulf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x64xf32>
    %71 = tensor.empty() : tensor<64x32xf32>
    %transposed_34 = linalg.transpose ins(%arg12 : tensor<32x64xf32>) outs(%71 : tensor<64x32xf32>) permutation = [1, 0]
    %collapsed_35 = tensor.collapse_shape %70 [[0, 1], [2]] : tensor<2x16x64xf32> into tensor<32x64xf32>
    %72 = linalg.matmul ins(%collapsed_35, %transposed_34 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%11 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_36 = tensor.expand_shape %72 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %expanded_36 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %74 = arith.addf %in, %in_37 : f32
      linalg.yield %74 : f32
    } -> tensor<2x16x32xf32>
    return %73 : tensor<2x16x32xf32>
  }
}
