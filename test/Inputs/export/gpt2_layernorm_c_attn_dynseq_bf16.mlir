// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gpt2_layernorm_c_attn_dynseq_bf16
// Module: GPT2Attn(hidden=256)
// %arg0 = x: bf16 [1, seq, 256]
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
  func.func @gpt2_layernorm_c_attn_dynseq_bf16(%arg0: tensor<1x?x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<256xbf16>, %arg3: tensor<256x768xbf16>, %arg4: tensor<768xbf16>) -> tensor<1x?x768xbf16> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.560000e+02 : f64
    %cst_3 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x256xbf16>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<1x?x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x256xbf16>) outs(%1 : tensor<1x?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %41 = arith.extf %in : bf16 to f32
      linalg.yield %41 : f32
    } -> tensor<1x?x256xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x256xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x?x256xf32>) outs(%3 : tensor<1x?x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %41 = arith.extf %in : f32 to f64
      linalg.yield %41 : f64
    } -> tensor<1x?x256xf64>
    %5 = tensor.empty(%dim) : tensor<1x?x1xf64>
    %6 = linalg.fill ins(%cst : f64) outs(%5 : tensor<1x?x1xf64>) -> tensor<1x?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<1x?x256xf64>) outs(%6 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.addf %in, %out : f64
      linalg.yield %41 : f64
    } -> tensor<1x?x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1xf64>) outs(%5 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.divf %in, %cst_2 : f64
      linalg.yield %41 : f64
    } -> tensor<1x?x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %8 : tensor<1x?x256xf64>, tensor<1x?x1xf64>) outs(%3 : tensor<1x?x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %41 = arith.subf %in, %in_4 : f64
      linalg.yield %41 : f64
    } -> tensor<1x?x256xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<1x?x256xf64>, tensor<1x?x256xf64>) outs(%3 : tensor<1x?x256xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %41 = arith.mulf %in, %in_4 : f64
      linalg.yield %41 : f64
    } -> tensor<1x?x256xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<1x?x256xf64>) outs(%6 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.addf %in, %out : f64
      linalg.yield %41 : f64
    } -> tensor<1x?x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x?x1xf64>) outs(%5 : tensor<1x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %41 = arith.divf %in, %cst_2 : f64
      linalg.yield %41 : f64
    } -> tensor<1x?x1xf64>
    %13 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x?x1xf64>) outs(%13 : tensor<1x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %41 = arith.truncf %in : f64 to f32
      linalg.yield %41 : f32
    } -> tensor<1x?x1xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x256xf32>) outs(%15 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<1x?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x?x1xf32>) outs(%13 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.divf %in, %cst_3 : f32
      linalg.yield %41 : f32
    } -> tensor<1x?x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x?x1xf32>) outs(%13 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_1 : f64 to f32
      %42 = arith.addf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x?x1xf32>) outs(%13 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.rsqrt %in : f32
      linalg.yield %41 : f32
    } -> tensor<1x?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %17 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%1 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.subf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<1x?x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%1 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.mulf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<1x?x256xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<1x?x256xf32>, tensor<256xbf16>) outs(%1 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: bf16, %out: f32):
      %41 = arith.extf %in_4 : bf16 to f32
      %42 = arith.mulf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x?x256xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg2 : tensor<1x?x256xf32>, tensor<256xbf16>) outs(%1 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_4: bf16, %out: f32):
      %41 = arith.extf %in_4 : bf16 to f32
      %42 = arith.addf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x?x256xf32>
    %24 = tensor.empty(%dim) : tensor<1x?x256xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x?x256xf32>) outs(%24 : tensor<1x?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %41 = arith.truncf %in : f32 to bf16
      linalg.yield %41 : bf16
    } -> tensor<1x?x256xbf16>
    %collapsed = tensor.collapse_shape %25 [[0, 1], [2]] : tensor<1x?x256xbf16> into tensor<?x256xbf16>
    %26 = tensor.empty() : tensor<768xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<768xbf16>) outs(%26 : tensor<768xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %41 = arith.extf %in : bf16 to f32
      linalg.yield %41 : f32
    } -> tensor<768xf32>
    %28 = tensor.empty(%dim) : tensor<?x256xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<?x256xbf16>) outs(%28 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %41 = arith.extf %in : bf16 to f32
      linalg.yield %41 : f32
    } -> tensor<?x256xf32>
    %30 = tensor.empty() : tensor<256x768xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<256x768xbf16>) outs(%30 : tensor<256x768xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %41 = arith.extf %in : bf16 to f32
      linalg.yield %41 : f32
    } -> tensor<256x768xf32>
    %32 = tensor.empty(%dim) : tensor<?x768xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<?x256xf32>, tensor<256x768xf32>) outs(%33 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %35 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %35, "negative values not allowed in new dimensions"
    %36 = tensor.empty(%dim) : tensor<?x768xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<768xf32>) outs(%36 : tensor<?x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x768xf32>
    cf.assert %true, "mismatched size for broadcast"
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %37 : tensor<?x768xf32>, tensor<?x768xf32>) outs(%32 : tensor<?x768xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %41 = arith.addf %in, %in_4 : f32
      linalg.yield %41 : f32
    } -> tensor<?x768xf32>
    %39 = tensor.empty(%dim) : tensor<?x768xbf16>
    %40 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<?x768xf32>) outs(%39 : tensor<?x768xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %41 = arith.truncf %in : f32 to bf16
      linalg.yield %41 : bf16
    } -> tensor<?x768xbf16>
    %expanded = tensor.expand_shape %40 [[0, 1], [2]] output_shape [1, %dim, 768] : tensor<?x768xbf16> into tensor<1x?x768xbf16>
    return %expanded : tensor<1x?x768xbf16>
  }
}
