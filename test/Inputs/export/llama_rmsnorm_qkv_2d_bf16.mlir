// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama_rmsnorm_qkv_2d_bf16
// Module: RMSNormQKV(hidden=512, q=512, kv=128)
// %arg0 = x: bf16 [tokens, 512]
// %arg1 = input_layernorm.weight: bf16 [512]
// %arg2 = q_proj.weight: bf16 [512, 512]
// %arg3 = k_proj.weight: bf16 [128, 512]
// %arg4 = v_proj.weight: bf16 [128, 512]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @llama_rmsnorm_qkv_2d_bf16(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<512x512xbf16>, %arg3: tensor<128x512xbf16>, %arg4: tensor<128x512xbf16>) -> (tensor<?x512xbf16>, tensor<?x128xbf16>, tensor<?x128xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 5.120000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x512xbf16>
    %0 = tensor.empty(%dim) : tensor<?x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x512xbf16>) outs(%0 : tensor<?x512xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<?x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<?x512xf32>) outs(%0 : tensor<?x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %25 : f32
    } -> tensor<?x512xf32>
    %3 = tensor.empty(%dim) : tensor<?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<?x512xf32>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %in, %out : f32
      linalg.yield %25 : f32
    } -> tensor<?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.divf %in, %cst_1 : f32
      linalg.yield %25 : f32
    } -> tensor<?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.truncf %cst_0 : f64 to f32
      %26 = arith.addf %in, %25 : f32
      linalg.yield %26 : f32
    } -> tensor<?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.rsqrt %in : f32
      linalg.yield %25 : f32
    } -> tensor<?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %8 : tensor<?x512xf32>, tensor<?x1xf32>) outs(%0 : tensor<?x512xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %25 = arith.mulf %in, %in_4 : f32
      linalg.yield %25 : f32
    } -> tensor<?x512xf32>
    %10 = tensor.empty(%dim) : tensor<?x512xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x512xf32>) outs(%10 : tensor<?x512xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<?x512xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %11 : tensor<512xbf16>, tensor<?x512xbf16>) outs(%10 : tensor<?x512xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %25 = arith.mulf %in, %in_4 : bf16
      linalg.yield %25 : bf16
    } -> tensor<?x512xbf16>
    %13 = tensor.empty() : tensor<512x512xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<512x512xbf16>) outs(%13 : tensor<512x512xbf16>) permutation = [1, 0]
    %14 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x512xf32>) -> tensor<?x512xf32>
    %15 = linalg.matmul ins(%12, %transposed : tensor<?x512xbf16>, tensor<512x512xbf16>) outs(%14 : tensor<?x512xf32>) -> tensor<?x512xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<?x512xf32>) outs(%10 : tensor<?x512xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<?x512xbf16>
    %17 = tensor.empty() : tensor<512x128xbf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<128x512xbf16>) outs(%17 : tensor<512x128xbf16>) permutation = [1, 0]
    %18 = tensor.empty(%dim) : tensor<?x128xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %20 = linalg.matmul ins(%12, %transposed_2 : tensor<?x512xbf16>, tensor<512x128xbf16>) outs(%19 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %21 = tensor.empty(%dim) : tensor<?x128xbf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<?x128xf32>) outs(%21 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<?x128xbf16>
    %transposed_3 = linalg.transpose ins(%arg4 : tensor<128x512xbf16>) outs(%17 : tensor<512x128xbf16>) permutation = [1, 0]
    %23 = linalg.matmul ins(%12, %transposed_3 : tensor<?x512xbf16>, tensor<512x128xbf16>) outs(%19 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<?x128xf32>) outs(%21 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<?x128xbf16>
    return %16, %22, %24 : tensor<?x512xbf16>, tensor<?x128xbf16>, tensor<?x128xbf16>
  }
}
