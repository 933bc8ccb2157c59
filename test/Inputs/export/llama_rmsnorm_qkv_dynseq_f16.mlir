// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama_rmsnorm_qkv_dynseq_f16
// Module: RMSNormQKV(hidden=512, q=512, kv=128)
// %arg0 = x: f16 [1, seq, 512]
// %arg1 = input_layernorm.weight: f16 [512]
// %arg2 = q_proj.weight: f16 [512, 512]
// %arg3 = k_proj.weight: f16 [128, 512]
// %arg4 = v_proj.weight: f16 [128, 512]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @llama_rmsnorm_qkv_dynseq_f16(%arg0: tensor<1x?x512xf16>, %arg1: tensor<512xf16>, %arg2: tensor<512x512xf16>, %arg3: tensor<128x512xf16>, %arg4: tensor<128x512xf16>) -> (tensor<1x?x512xf16>, tensor<1x?x128xf16>, tensor<1x?x128xf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 5.120000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x512xf16>
    %0 = tensor.empty(%dim) : tensor<1x?x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x512xf16>) outs(%0 : tensor<1x?x512xf32>) {
    ^bb0(%in: f16, %out: f32):
      %27 = arith.extf %in : f16 to f32
      linalg.yield %27 : f32
    } -> tensor<1x?x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x512xf32>) outs(%0 : tensor<1x?x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %27 : f32
    } -> tensor<1x?x512xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x512xf32>) outs(%4 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<1x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.divf %in, %cst_1 : f32
      linalg.yield %27 : f32
    } -> tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.truncf %cst_0 : f64 to f32
      %28 = arith.addf %in, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.rsqrt %in : f32
      linalg.yield %27 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x?x512xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %27 = arith.mulf %in, %in_6 : f32
      linalg.yield %27 : f32
    } -> tensor<1x?x512xf32>
    %10 = tensor.empty(%dim) : tensor<1x?x512xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x512xf32>) outs(%10 : tensor<1x?x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<1x?x512xf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<512xf16>, tensor<1x?x512xf16>) outs(%10 : tensor<1x?x512xf16>) {
    ^bb0(%in: f16, %in_6: f16, %out: f16):
      %27 = arith.mulf %in, %in_6 : f16
      linalg.yield %27 : f16
    } -> tensor<1x?x512xf16>
    %13 = tensor.empty() : tensor<512x512xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<512x512xf16>) outs(%13 : tensor<512x512xf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x?x512xf16> into tensor<?x512xf16>
    %14 = tensor.empty(%dim) : tensor<?x512xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<?x512xf32>) -> tensor<?x512xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<?x512xf16>, tensor<512x512xf16>) outs(%15 : tensor<?x512xf32>) -> tensor<?x512xf32>
    %17 = tensor.empty(%dim) : tensor<?x512xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x512xf32>) outs(%17 : tensor<?x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<?x512xf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, %dim, 512] : tensor<?x512xf16> into tensor<1x?x512xf16>
    %19 = tensor.empty() : tensor<512x128xf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<128x512xf16>) outs(%19 : tensor<512x128xf16>) permutation = [1, 0]
    %20 = tensor.empty(%dim) : tensor<?x128xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %22 = linalg.matmul ins(%collapsed, %transposed_2 : tensor<?x512xf16>, tensor<512x128xf16>) outs(%21 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %23 = tensor.empty(%dim) : tensor<?x128xf16>
    %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<?x128xf32>) outs(%23 : tensor<?x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<?x128xf16>
    %expanded_3 = tensor.expand_shape %24 [[0, 1], [2]] output_shape [1, %dim, 128] : tensor<?x128xf16> into tensor<1x?x128xf16>
    %transposed_4 = linalg.transpose ins(%arg4 : tensor<128x512xf16>) outs(%19 : tensor<512x128xf16>) permutation = [1, 0]
    %25 = linalg.matmul ins(%collapsed, %transposed_4 : tensor<?x512xf16>, tensor<512x128xf16>) outs(%21 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x128xf32>) outs(%23 : tensor<?x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<?x128xf16>
    %expanded_5 = tensor.expand_shape %26 [[0, 1], [2]] output_shape [1, %dim, 128] : tensor<?x128xf16> into tensor<1x?x128xf16>
    return %expanded, %expanded_3, %expanded_5 : tensor<1x?x512xf16>, tensor<1x?x128xf16>, tensor<1x?x128xf16>
  }
}
