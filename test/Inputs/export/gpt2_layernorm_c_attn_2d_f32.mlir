// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gpt2_layernorm_c_attn_2d_f32
// Module: GPT2Attn(hidden=256)
// %arg0 = x: f32 [tokens, 256]
// %arg1 = ln_1.weight: f32 [256]
// %arg2 = ln_1.bias: f32 [256]
// %arg3 = c_attn.weight: f32 [256, 768]
// %arg4 = c_attn.bias: f32 [768]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @gpt2_layernorm_c_attn_2d_f32(%arg0: tensor<?x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256x768xf32>, %arg4: tensor<768xf32>) -> tensor<?x768xf32> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.560000e+02 : f64
    %cst_3 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?x256xf64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x256xf32>) outs(%1 : tensor<?x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %30 = arith.extf %in : f32 to f64
      linalg.yield %30 : f64
    } -> tensor<?x256xf64>
    %3 = tensor.empty(%dim) : tensor<?x1xf64>
    %4 = linalg.fill ins(%cst : f64) outs(%3 : tensor<?x1xf64>) -> tensor<?x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<?x256xf64>) outs(%4 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %30 = arith.addf %in, %out : f64
      linalg.yield %30 : f64
    } -> tensor<?x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x1xf64>) outs(%3 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %30 = arith.divf %in, %cst_2 : f64
      linalg.yield %30 : f64
    } -> tensor<?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<?x256xf64>, tensor<?x1xf64>) outs(%1 : tensor<?x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %30 = arith.subf %in, %in_4 : f64
      linalg.yield %30 : f64
    } -> tensor<?x256xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %7 : tensor<?x256xf64>, tensor<?x256xf64>) outs(%1 : tensor<?x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %30 = arith.mulf %in, %in_4 : f64
      linalg.yield %30 : f64
    } -> tensor<?x256xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<?x256xf64>) outs(%4 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %30 = arith.addf %in, %out : f64
      linalg.yield %30 : f64
    } -> tensor<?x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x1xf64>) outs(%3 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %30 = arith.divf %in, %cst_2 : f64
      linalg.yield %30 : f64
    } -> tensor<?x1xf64>
    %11 = tensor.empty(%dim) : tensor<?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x1xf64>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %30 = arith.truncf %in : f64 to f32
      linalg.yield %30 : f32
    } -> tensor<?x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x256xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<?x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x1xf32>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.divf %in, %cst_3 : f32
      linalg.yield %30 : f32
    } -> tensor<?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x1xf32>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.truncf %cst_1 : f64 to f32
      %31 = arith.addf %in, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x1xf32>) outs(%11 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.rsqrt %in : f32
      linalg.yield %30 : f32
    } -> tensor<?x1xf32>
    %18 = tensor.empty(%dim) : tensor<?x256xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %15 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%18 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.subf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<?x256xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %17 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%18 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.mulf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<?x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %arg1 : tensor<?x256xf32>, tensor<256xf32>) outs(%18 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.mulf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<?x256xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg2 : tensor<?x256xf32>, tensor<256xf32>) outs(%18 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.addf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<?x256xf32>
    %23 = tensor.empty(%dim) : tensor<?x768xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %25 = linalg.matmul ins(%22, %arg3 : tensor<?x256xf32>, tensor<256x768xf32>) outs(%24 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %26 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %26, "negative values not allowed in new dimensions"
    %27 = tensor.empty(%dim) : tensor<?x768xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<768xf32>) outs(%27 : tensor<?x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x768xf32>
    cf.assert %true, "mismatched size for broadcast"
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %28 : tensor<?x768xf32>, tensor<?x768xf32>) outs(%23 : tensor<?x768xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %30 = arith.addf %in, %in_4 : f32
      linalg.yield %30 : f32
    } -> tensor<?x768xf32>
    return %29 : tensor<?x768xf32>
  }
}
