// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gpt2_layernorm_c_attn_addmm_f16
// Module: GPT2Attn(hidden=256)
// %arg0 = x: f16 [1, seq, 256]
// %arg1 = ln_1.weight: f16 [256]
// %arg2 = ln_1.bias: f16 [256]
// %arg3 = c_attn.weight: f16 [256, 768]
// %arg4 = c_attn.bias: f16 [768]
// Decompositions: keep-addmm.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @gpt2_layernorm_c_attn_addmm_f16(%arg0: tensor<1x?x256xf16>, %arg1: tensor<256xf16>, %arg2: tensor<256xf16>, %arg3: tensor<256x768xf16>, %arg4: tensor<768xf16>) -> tensor<1x?x768xf16> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.560000e+02 : f64
    %cst_3 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x256xf16>
    %0 = tensor.empty(%dim) : tensor<1x?x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x256xf16>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f16, %out: f32):
      %31 = arith.extf %in : f16 to f32
      linalg.yield %31 : f32
    } -> tensor<1x?x256xf32>
    %2 = tensor.empty(%dim) : tensor<1x?x256xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x256xf32>) outs(%2 : tensor<1x?x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %31 = arith.extf %in : f32 to f64
      linalg.yield %31 : f64
    } -> tensor<1x?x256xf64>
    %4 = tensor.empty(%dim) : tensor<1x?x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x?x1xf64>) -> tensor<1x?x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x?x256xf64>) outs(%5 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<1x?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf64>) outs(%4 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.divf %in, %cst_2 : f64
      linalg.yield %31 : f64
    } -> tensor<1x?x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x?x256xf64>, tensor<1x?x1xf64>) outs(%2 : tensor<1x?x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %31 = arith.subf %in, %in_4 : f64
      linalg.yield %31 : f64
    } -> tensor<1x?x256xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x?x256xf64>, tensor<1x?x256xf64>) outs(%2 : tensor<1x?x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %31 = arith.mulf %in, %in_4 : f64
      linalg.yield %31 : f64
    } -> tensor<1x?x256xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x?x256xf64>) outs(%5 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<1x?x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x?x1xf64>) outs(%4 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.divf %in, %cst_2 : f64
      linalg.yield %31 : f64
    } -> tensor<1x?x1xf64>
    %12 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x?x1xf64>) outs(%12 : tensor<1x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %31 = arith.truncf %in : f64 to f32
      linalg.yield %31 : f32
    } -> tensor<1x?x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x?x256xf32>) outs(%14 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<1x?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x?x1xf32>) outs(%12 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.divf %in, %cst_3 : f32
      linalg.yield %31 : f32
    } -> tensor<1x?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x?x1xf32>) outs(%12 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.truncf %cst_1 : f64 to f32
      %32 = arith.addf %in, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x?x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x?x1xf32>) outs(%12 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.rsqrt %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %31 = arith.subf %in, %in_4 : f32
      linalg.yield %31 : f32
    } -> tensor<1x?x256xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %31 = arith.mulf %in, %in_4 : f32
      linalg.yield %31 : f32
    } -> tensor<1x?x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<1x?x256xf32>, tensor<256xf16>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %31 = arith.extf %in_4 : f16 to f32
      %32 = arith.mulf %in, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x?x256xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<1x?x256xf32>, tensor<256xf16>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %31 = arith.extf %in_4 : f16 to f32
      %32 = arith.addf %in, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x?x256xf32>
    %23 = tensor.empty(%dim) : tensor<1x?x256xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x?x256xf32>) outs(%23 : tensor<1x?x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<1x?x256xf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<1x?x256xf16> into tensor<?x256xf16>
    %25 = tensor.empty(%dim) : tensor<?x768xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %27 = linalg.matmul ins(%collapsed, %arg3 : tensor<?x256xf16>, tensor<256x768xf16>) outs(%26 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %28 = tensor.empty(%dim) : tensor<?x768xf16>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<?x768xf32>) outs(%28 : tensor<?x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<?x768xf16>
    %30 = linalg.generic {indexing_maps = [#map4, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg4, %29 : tensor<768xf16>, tensor<?x768xf16>) outs(%28 : tensor<?x768xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %31 = arith.addf %in, %in_4 : f16
      linalg.yield %31 : f16
    } -> tensor<?x768xf16>
    %expanded = tensor.expand_shape %30 [[0, 1], [2]] output_shape [1, %dim, 768] : tensor<?x768xf16> into tensor<1x?x768xf16>
    return %expanded : tensor<1x?x768xf16>
  }
}
