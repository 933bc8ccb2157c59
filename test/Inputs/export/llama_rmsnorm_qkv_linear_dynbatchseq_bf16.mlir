// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama_rmsnorm_qkv_linear_dynbatchseq_bf16
// Module: RMSNormQKV(hidden=512, q=512, kv=128)
// %arg0 = x: bf16 [batch, seq, 512]
// %arg1 = input_layernorm.weight: bf16 [512]
// %arg2 = q_proj.weight: bf16 [512, 512]
// %arg3 = k_proj.weight: bf16 [128, 512]
// %arg4 = v_proj.weight: bf16 [128, 512]
// Decompositions: keep-linear.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @llama_rmsnorm_qkv_linear_dynbatchseq_bf16(%arg0: tensor<?x?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<512x512xbf16>, %arg3: tensor<128x512xbf16>, %arg4: tensor<128x512xbf16>) -> (tensor<?x?x512xbf16>, tensor<?x?x128xbf16>, tensor<?x?x128xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 5.120000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x512xbf16>
    %dim_2 = tensor.dim %arg0, %c1 : tensor<?x?x512xbf16>
    %0 = tensor.empty(%dim, %dim_2) : tensor<?x?x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x?x512xbf16>) outs(%0 : tensor<?x?x512xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %32 = arith.extf %in : bf16 to f32
      linalg.yield %32 : f32
    } -> tensor<?x?x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<?x?x512xf32>) outs(%0 : tensor<?x?x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %32 : f32
    } -> tensor<?x?x512xf32>
    %3 = tensor.empty(%dim, %dim_2) : tensor<?x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<?x?x512xf32>) outs(%4 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.addf %in, %out : f32
      linalg.yield %32 : f32
    } -> tensor<?x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<?x?x1xf32>) outs(%3 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.divf %in, %cst_1 : f32
      linalg.yield %32 : f32
    } -> tensor<?x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<?x?x1xf32>) outs(%3 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.truncf %cst_0 : f64 to f32
      %33 = arith.addf %in, %32 : f32
      linalg.yield %33 : f32
    } -> tensor<?x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?x?x1xf32>) outs(%3 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = math.rsqrt %in : f32
      linalg.yield %32 : f32
    } -> tensor<?x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<?x?x512xf32>, tensor<?x?x1xf32>) outs(%0 : tensor<?x?x512xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %32 = arith.mulf %in, %in_5 : f32
      linalg.yield %32 : f32
    } -> tensor<?x?x512xf32>
    %10 = tensor.empty(%dim, %dim_2) : tensor<?x?x512xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<?x?x512xf32>) outs(%10 : tensor<?x?x512xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %32 = arith.truncf %in : f32 to bf16
      linalg.yield %32 : bf16
    } -> tensor<?x?x512xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<512xbf16>, tensor<?x?x512xbf16>) outs(%10 : tensor<?x?x512xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %32 = arith.mulf %in, %in_5 : bf16
      linalg.yield %32 : bf16
    } -> tensor<?x?x512xbf16>
    %13 = tensor.empty() : tensor<512x512xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<512x512xbf16>) outs(%13 : tensor<512x512xbf16>) permutation = [1, 0]
    %14 = arith.index_cast %dim : index to i64
    %15 = arith.cmpi sge, %14, %c0_i64 : i64
    cf.assert %15, "negative values not allowed in new dimensions"
    %16 = tensor.empty(%dim) : tensor<?x512x512xbf16>
    %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<512x512xbf16>) outs(%16 : tensor<?x512x512xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<?x512x512xbf16>
    %18 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x?x512xf32>) -> tensor<?x?x512xf32>
    %19 = linalg.batch_matmul ins(%12, %17 : tensor<?x?x512xbf16>, tensor<?x512x512xbf16>) outs(%18 : tensor<?x?x512xf32>) -> tensor<?x?x512xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<?x?x512xf32>) outs(%10 : tensor<?x?x512xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %32 = arith.truncf %in : f32 to bf16
      linalg.yield %32 : bf16
    } -> tensor<?x?x512xbf16>
    %21 = tensor.empty() : tensor<512x128xbf16>
    %transposed_3 = linalg.transpose ins(%arg3 : tensor<128x512xbf16>) outs(%21 : tensor<512x128xbf16>) permutation = [1, 0]
    cf.assert %15, "negative values not allowed in new dimensions"
    %22 = tensor.empty(%dim) : tensor<?x512x128xbf16>
    %23 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_3 : tensor<512x128xbf16>) outs(%22 : tensor<?x512x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<?x512x128xbf16>
    %24 = tensor.empty(%dim, %dim_2) : tensor<?x?x128xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<?x?x128xf32>) -> tensor<?x?x128xf32>
    %26 = linalg.batch_matmul ins(%12, %23 : tensor<?x?x512xbf16>, tensor<?x512x128xbf16>) outs(%25 : tensor<?x?x128xf32>) -> tensor<?x?x128xf32>
    %27 = tensor.empty(%dim, %dim_2) : tensor<?x?x128xbf16>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<?x?x128xf32>) outs(%27 : tensor<?x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %32 = arith.truncf %in : f32 to bf16
      linalg.yield %32 : bf16
    } -> tensor<?x?x128xbf16>
    %transposed_4 = linalg.transpose ins(%arg4 : tensor<128x512xbf16>) outs(%21 : tensor<512x128xbf16>) permutation = [1, 0]
    cf.assert %15, "negative values not allowed in new dimensions"
    %29 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_4 : tensor<512x128xbf16>) outs(%22 : tensor<?x512x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<?x512x128xbf16>
    %30 = linalg.batch_matmul ins(%12, %29 : tensor<?x?x512xbf16>, tensor<?x512x128xbf16>) outs(%25 : tensor<?x?x128xf32>) -> tensor<?x?x128xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<?x?x128xf32>) outs(%27 : tensor<?x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %32 = arith.truncf %in : f32 to bf16
      linalg.yield %32 : bf16
    } -> tensor<?x?x128xbf16>
    return %20, %28, %31 : tensor<?x?x512xbf16>, tensor<?x?x128xbf16>, tensor<?x?x128xbf16>
  }
}
