// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama_rmsnorm_qkv_batch_f32
// Module: RMSNormQKV(hidden=512, q=512, kv=128)
// %arg0 = x: f32 [2, 5, 512]
// %arg1 = input_layernorm.weight: f32 [512]
// %arg2 = q_proj.weight: f32 [512, 512]
// %arg3 = k_proj.weight: f32 [128, 512]
// %arg4 = v_proj.weight: f32 [128, 512]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @llama_rmsnorm_qkv_batch_f32(%arg0: tensor<2x5x512xf32>, %arg1: tensor<512xf32>, %arg2: tensor<512x512xf32>, %arg3: tensor<128x512xf32>, %arg4: tensor<128x512xf32>) -> (tensor<2x5x512xf32>, tensor<2x5x128xf32>, tensor<2x5x128xf32>) {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 5.120000e+02 : f32
    %0 = tensor.empty() : tensor<2x5x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x512xf32>) outs(%0 : tensor<2x5x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %19 : f32
    } -> tensor<2x5x512xf32>
    %2 = tensor.empty() : tensor<2x5x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x5x512xf32>) outs(%3 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %in, %out : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x5x1xf32>) outs(%2 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.divf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x5x1xf32>) outs(%2 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.truncf %cst_0 : f64 to f32
      %20 = arith.addf %in, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<2x5x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x5x1xf32>) outs(%2 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.rsqrt %in : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x5x512xf32>, tensor<2x5x1xf32>) outs(%0 : tensor<2x5x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %19 = arith.mulf %in, %in_6 : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x512xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %8 : tensor<512xf32>, tensor<2x5x512xf32>) outs(%0 : tensor<2x5x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %19 = arith.mulf %in, %in_6 : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x512xf32>
    %10 = tensor.empty() : tensor<512x512xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<512x512xf32>) outs(%10 : tensor<512x512xf32>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x5x512xf32> into tensor<10x512xf32>
    %11 = tensor.empty() : tensor<10x512xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<10x512xf32>) -> tensor<10x512xf32>
    %13 = linalg.matmul ins(%collapsed, %transposed : tensor<10x512xf32>, tensor<512x512xf32>) outs(%12 : tensor<10x512xf32>) -> tensor<10x512xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2]] output_shape [2, 5, 512] : tensor<10x512xf32> into tensor<2x5x512xf32>
    %14 = tensor.empty() : tensor<512x128xf32>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<128x512xf32>) outs(%14 : tensor<512x128xf32>) permutation = [1, 0]
    %15 = tensor.empty() : tensor<10x128xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<10x128xf32>) -> tensor<10x128xf32>
    %17 = linalg.matmul ins(%collapsed, %transposed_2 : tensor<10x512xf32>, tensor<512x128xf32>) outs(%16 : tensor<10x128xf32>) -> tensor<10x128xf32>
    %expanded_3 = tensor.expand_shape %17 [[0, 1], [2]] output_shape [2, 5, 128] : tensor<10x128xf32> into tensor<2x5x128xf32>
    %transposed_4 = linalg.transpose ins(%arg4 : tensor<128x512xf32>) outs(%14 : tensor<512x128xf32>) permutation = [1, 0]
    %18 = linalg.matmul ins(%collapsed, %transposed_4 : tensor<10x512xf32>, tensor<512x128xf32>) outs(%16 : tensor<10x128xf32>) -> tensor<10x128xf32>
    %expanded_5 = tensor.expand_shape %18 [[0, 1], [2]] output_shape [2, 5, 128] : tensor<10x128xf32> into tensor<2x5x128xf32>
    return %expanded, %expanded_3, %expanded_5 : tensor<2x5x512xf32>, tensor<2x5x128xf32>, tensor<2x5x128xf32>
  }
}
