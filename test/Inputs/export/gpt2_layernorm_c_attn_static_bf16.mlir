// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gpt2_layernorm_c_attn_static_bf16
// Module: GPT2Attn(hidden=256)
// %arg0 = x: bf16 [1, 7, 256]
// %arg1 = ln_1.weight: bf16 [256]
// %arg2 = ln_1.bias: bf16 [256]
// %arg3 = c_attn.weight: bf16 [256, 768]
// %arg4 = c_attn.bias: bf16 [768]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @gpt2_layernorm_c_attn_static_bf16(%arg0: tensor<1x7x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<256xbf16>, %arg3: tensor<256x768xbf16>, %arg4: tensor<768xbf16>) -> tensor<1x7x768xbf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.560000e+02 : f64
    %cst_3 = arith.constant 2.560000e+02 : f32
    %0 = tensor.empty() : tensor<1x7x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x256xbf16>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<1x7x256xf32>
    %2 = tensor.empty() : tensor<1x7x256xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x7x256xf32>) outs(%2 : tensor<1x7x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %38 = arith.extf %in : f32 to f64
      linalg.yield %38 : f64
    } -> tensor<1x7x256xf64>
    %4 = tensor.empty() : tensor<1x7x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x7x1xf64>) -> tensor<1x7x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x7x256xf64>) outs(%5 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.addf %in, %out : f64
      linalg.yield %38 : f64
    } -> tensor<1x7x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x7x1xf64>) outs(%4 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.divf %in, %cst_2 : f64
      linalg.yield %38 : f64
    } -> tensor<1x7x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x7x256xf64>, tensor<1x7x1xf64>) outs(%2 : tensor<1x7x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %38 = arith.subf %in, %in_4 : f64
      linalg.yield %38 : f64
    } -> tensor<1x7x256xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x7x256xf64>, tensor<1x7x256xf64>) outs(%2 : tensor<1x7x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %38 = arith.mulf %in, %in_4 : f64
      linalg.yield %38 : f64
    } -> tensor<1x7x256xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x7x256xf64>) outs(%5 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.addf %in, %out : f64
      linalg.yield %38 : f64
    } -> tensor<1x7x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x7x1xf64>) outs(%4 : tensor<1x7x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %38 = arith.divf %in, %cst_2 : f64
      linalg.yield %38 : f64
    } -> tensor<1x7x1xf64>
    %12 = tensor.empty() : tensor<1x7x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x7x1xf64>) outs(%12 : tensor<1x7x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %38 = arith.truncf %in : f64 to f32
      linalg.yield %38 : f32
    } -> tensor<1x7x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x7x256xf32>) outs(%14 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %in, %out : f32
      linalg.yield %38 : f32
    } -> tensor<1x7x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x7x1xf32>) outs(%12 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.divf %in, %cst_3 : f32
      linalg.yield %38 : f32
    } -> tensor<1x7x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x7x1xf32>) outs(%12 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.truncf %cst_1 : f64 to f32
      %39 = arith.addf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<1x7x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x7x1xf32>) outs(%12 : tensor<1x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.rsqrt %in : f32
      linalg.yield %38 : f32
    } -> tensor<1x7x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x7x256xf32>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.subf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<1x7x256xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x7x256xf32>, tensor<1x7x1xf32>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.mulf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<1x7x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<1x7x256xf32>, tensor<256xbf16>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %in_4: bf16, %out: f32):
      %38 = arith.extf %in_4 : bf16 to f32
      %39 = arith.mulf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<1x7x256xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<1x7x256xf32>, tensor<256xbf16>) outs(%0 : tensor<1x7x256xf32>) {
    ^bb0(%in: f32, %in_4: bf16, %out: f32):
      %38 = arith.extf %in_4 : bf16 to f32
      %39 = arith.addf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<1x7x256xf32>
    %23 = tensor.empty() : tensor<1x7x256xbf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x7x256xf32>) outs(%23 : tensor<1x7x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %38 = arith.truncf %in : f32 to bf16
      linalg.yield %38 : bf16
    } -> tensor<1x7x256xbf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<1x7x256xbf16> into tensor<7x256xbf16>
    %25 = tensor.empty() : tensor<768xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<768xbf16>) outs(%25 : tensor<768xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<768xf32>
    %27 = tensor.empty() : tensor<7x256xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<7x256xbf16>) outs(%27 : tensor<7x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<7x256xf32>
    %29 = tensor.empty() : tensor<256x768xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<256x768xbf16>) outs(%29 : tensor<256x768xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %38 = arith.extf %in : bf16 to f32
      linalg.yield %38 : f32
    } -> tensor<256x768xf32>
    %31 = tensor.empty() : tensor<7x768xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<7x768xf32>) -> tensor<7x768xf32>
    %33 = linalg.matmul ins(%28, %30 : tensor<7x256xf32>, tensor<256x768xf32>) outs(%32 : tensor<7x768xf32>) -> tensor<7x768xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<768xf32>) outs(%31 : tensor<7x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x768xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%33, %34 : tensor<7x768xf32>, tensor<7x768xf32>) outs(%31 : tensor<7x768xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %38 = arith.addf %in, %in_4 : f32
      linalg.yield %38 : f32
    } -> tensor<7x768xf32>
    %36 = tensor.empty() : tensor<7x768xbf16>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<7x768xf32>) outs(%36 : tensor<7x768xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %38 = arith.truncf %in : f32 to bf16
      linalg.yield %38 : bf16
    } -> tensor<7x768xbf16>
    %expanded = tensor.expand_shape %37 [[0, 1], [2]] output_shape [1, 7, 768] : tensor<7x768xbf16> into tensor<1x7x768xbf16>
    return %expanded : tensor<1x7x768xbf16>
  }
}
