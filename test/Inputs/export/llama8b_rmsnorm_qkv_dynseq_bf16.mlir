// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama8b_rmsnorm_qkv_dynseq_bf16
// Module: RMSNormQKV(hidden=4096, q=4096, kv=1024)
// %arg0 = x: bf16 [1, seq, 4096]
// %arg1 = input_layernorm.weight: bf16 [4096]
// %arg2 = q_proj.weight: bf16 [4096, 4096]
// %arg3 = k_proj.weight: bf16 [1024, 4096]
// %arg4 = v_proj.weight: bf16 [1024, 4096]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @llama8b_rmsnorm_qkv_dynseq_bf16(%arg0: tensor<1x?x4096xbf16>, %arg1: tensor<4096xbf16>, %arg2: tensor<4096x4096xbf16>, %arg3: tensor<1024x4096xbf16>, %arg4: tensor<1024x4096xbf16>) -> (tensor<1x?x4096xbf16>, tensor<1x?x1024xbf16>, tensor<1x?x1024xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 4.096000e+03 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x4096xbf16>
    %0 = tensor.empty(%dim) : tensor<1x?x4096xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x4096xbf16>) outs(%0 : tensor<1x?x4096xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %27 = arith.extf %in : bf16 to f32
      linalg.yield %27 : f32
    } -> tensor<1x?x4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x4096xf32>) outs(%0 : tensor<1x?x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %27 : f32
    } -> tensor<1x?x4096xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x4096xf32>) outs(%4 : tensor<1x?x1xf32>) {
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
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x?x4096xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x4096xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %27 = arith.mulf %in, %in_6 : f32
      linalg.yield %27 : f32
    } -> tensor<1x?x4096xf32>
    %10 = tensor.empty(%dim) : tensor<1x?x4096xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x4096xf32>) outs(%10 : tensor<1x?x4096xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %27 = arith.truncf %in : f32 to bf16
      linalg.yield %27 : bf16
    } -> tensor<1x?x4096xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<4096xbf16>, tensor<1x?x4096xbf16>) outs(%10 : tensor<1x?x4096xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %27 = arith.mulf %in, %in_6 : bf16
      linalg.yield %27 : bf16
    } -> tensor<1x?x4096xbf16>
    %13 = tensor.empty() : tensor<4096x4096xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<4096x4096xbf16>) outs(%13 : tensor<4096x4096xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x?x4096xbf16> into tensor<?x4096xbf16>
    %14 = tensor.empty(%dim) : tensor<?x4096xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<?x4096xf32>) -> tensor<?x4096xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<?x4096xbf16>, tensor<4096x4096xbf16>) outs(%15 : tensor<?x4096xf32>) -> tensor<?x4096xf32>
    %17 = tensor.empty(%dim) : tensor<?x4096xbf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x4096xf32>) outs(%17 : tensor<?x4096xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %27 = arith.truncf %in : f32 to bf16
      linalg.yield %27 : bf16
    } -> tensor<?x4096xbf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, %dim, 4096] : tensor<?x4096xbf16> into tensor<1x?x4096xbf16>
    %19 = tensor.empty() : tensor<4096x1024xbf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<1024x4096xbf16>) outs(%19 : tensor<4096x1024xbf16>) permutation = [1, 0]
    %20 = tensor.empty(%dim) : tensor<?x1024xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
    %22 = linalg.matmul ins(%collapsed, %transposed_2 : tensor<?x4096xbf16>, tensor<4096x1024xbf16>) outs(%21 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
    %23 = tensor.empty(%dim) : tensor<?x1024xbf16>
    %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<?x1024xf32>) outs(%23 : tensor<?x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %27 = arith.truncf %in : f32 to bf16
      linalg.yield %27 : bf16
    } -> tensor<?x1024xbf16>
    %expanded_3 = tensor.expand_shape %24 [[0, 1], [2]] output_shape [1, %dim, 1024] : tensor<?x1024xbf16> into tensor<1x?x1024xbf16>
    %transposed_4 = linalg.transpose ins(%arg4 : tensor<1024x4096xbf16>) outs(%19 : tensor<4096x1024xbf16>) permutation = [1, 0]
    %25 = linalg.matmul ins(%collapsed, %transposed_4 : tensor<?x4096xbf16>, tensor<4096x1024xbf16>) outs(%21 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x1024xf32>) outs(%23 : tensor<?x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %27 = arith.truncf %in : f32 to bf16
      linalg.yield %27 : bf16
    } -> tensor<?x1024xbf16>
    %expanded_5 = tensor.expand_shape %26 [[0, 1], [2]] output_shape [1, %dim, 1024] : tensor<?x1024xbf16> into tensor<1x?x1024xbf16>
    return %expanded, %expanded_3, %expanded_5 : tensor<1x?x4096xbf16>, tensor<1x?x1024xbf16>, tensor<1x?x1024xbf16>
  }
}
