// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gpt2_layernorm_c_attn_split_bf16
// Module: GPT2Attn(hidden=256, split=True)
// %arg0 = x: bf16 [2, seq, 256]
// %arg1 = ln_1.weight: bf16 [256]
// %arg2 = ln_1.bias: bf16 [256]
// %arg3 = c_attn.weight: bf16 [256, 768]
// %arg4 = c_attn.bias: bf16 [768]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<()[s0] -> (s0 * 2)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @gpt2_layernorm_c_attn_split_bf16(%arg0: tensor<2x?x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<256xbf16>, %arg3: tensor<256x768xbf16>, %arg4: tensor<768xbf16>) -> (tensor<2x?x256xbf16>, tensor<2x?x256xbf16>, tensor<2x?x256xbf16>) {
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 2.560000e+02 : f64
    %cst_3 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<2x?x256xbf16>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<2x?x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x?x256xbf16>) outs(%1 : tensor<2x?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %46 = arith.extf %in : bf16 to f32
      linalg.yield %46 : f32
    } -> tensor<2x?x256xf32>
    %3 = tensor.empty(%dim) : tensor<2x?x256xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x?x256xf32>) outs(%3 : tensor<2x?x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %46 = arith.extf %in : f32 to f64
      linalg.yield %46 : f64
    } -> tensor<2x?x256xf64>
    %5 = tensor.empty(%dim) : tensor<2x?x1xf64>
    %6 = linalg.fill ins(%cst : f64) outs(%5 : tensor<2x?x1xf64>) -> tensor<2x?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x?x256xf64>) outs(%6 : tensor<2x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.addf %in, %out : f64
      linalg.yield %46 : f64
    } -> tensor<2x?x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x?x1xf64>) outs(%5 : tensor<2x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.divf %in, %cst_2 : f64
      linalg.yield %46 : f64
    } -> tensor<2x?x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %8 : tensor<2x?x256xf64>, tensor<2x?x1xf64>) outs(%3 : tensor<2x?x256xf64>) {
    ^bb0(%in: f64, %in_6: f64, %out: f64):
      %46 = arith.subf %in, %in_6 : f64
      linalg.yield %46 : f64
    } -> tensor<2x?x256xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<2x?x256xf64>, tensor<2x?x256xf64>) outs(%3 : tensor<2x?x256xf64>) {
    ^bb0(%in: f64, %in_6: f64, %out: f64):
      %46 = arith.mulf %in, %in_6 : f64
      linalg.yield %46 : f64
    } -> tensor<2x?x256xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x?x256xf64>) outs(%6 : tensor<2x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.addf %in, %out : f64
      linalg.yield %46 : f64
    } -> tensor<2x?x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x?x1xf64>) outs(%5 : tensor<2x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %46 = arith.divf %in, %cst_2 : f64
      linalg.yield %46 : f64
    } -> tensor<2x?x1xf64>
    %13 = tensor.empty(%dim) : tensor<2x?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x?x1xf64>) outs(%13 : tensor<2x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %46 = arith.truncf %in : f64 to f32
      linalg.yield %46 : f32
    } -> tensor<2x?x1xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x?x256xf32>) outs(%15 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %out : f32
      linalg.yield %46 : f32
    } -> tensor<2x?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x?x1xf32>) outs(%13 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.divf %in, %cst_3 : f32
      linalg.yield %46 : f32
    } -> tensor<2x?x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x?x1xf32>) outs(%13 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_1 : f64 to f32
      %47 = arith.addf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<2x?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x?x1xf32>) outs(%13 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.rsqrt %in : f32
      linalg.yield %46 : f32
    } -> tensor<2x?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %17 : tensor<2x?x256xf32>, tensor<2x?x1xf32>) outs(%1 : tensor<2x?x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.subf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<2x?x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<2x?x256xf32>, tensor<2x?x1xf32>) outs(%1 : tensor<2x?x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.mulf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<2x?x256xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<2x?x256xf32>, tensor<256xbf16>) outs(%1 : tensor<2x?x256xf32>) {
    ^bb0(%in: f32, %in_6: bf16, %out: f32):
      %46 = arith.extf %in_6 : bf16 to f32
      %47 = arith.mulf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<2x?x256xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg2 : tensor<2x?x256xf32>, tensor<256xbf16>) outs(%1 : tensor<2x?x256xf32>) {
    ^bb0(%in: f32, %in_6: bf16, %out: f32):
      %46 = arith.extf %in_6 : bf16 to f32
      %47 = arith.addf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<2x?x256xf32>
    %24 = tensor.empty(%dim) : tensor<2x?x256xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x?x256xf32>) outs(%24 : tensor<2x?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %46 = arith.truncf %in : f32 to bf16
      linalg.yield %46 : bf16
    } -> tensor<2x?x256xbf16>
    %collapsed = tensor.collapse_shape %25 [[0, 1], [2]] : tensor<2x?x256xbf16> into tensor<?x256xbf16>
    %26 = tensor.empty() : tensor<768xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<768xbf16>) outs(%26 : tensor<768xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %46 = arith.extf %in : bf16 to f32
      linalg.yield %46 : f32
    } -> tensor<768xf32>
    %28 = affine.apply #map4()[%dim]
    %29 = tensor.empty(%28) : tensor<?x256xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<?x256xbf16>) outs(%29 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %46 = arith.extf %in : bf16 to f32
      linalg.yield %46 : f32
    } -> tensor<?x256xf32>
    %31 = tensor.empty() : tensor<256x768xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<256x768xbf16>) outs(%31 : tensor<256x768xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %46 = arith.extf %in : bf16 to f32
      linalg.yield %46 : f32
    } -> tensor<256x768xf32>
    %33 = tensor.empty(%28) : tensor<?x768xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%33 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %35 = linalg.matmul ins(%30, %32 : tensor<?x256xf32>, tensor<256x768xf32>) outs(%34 : tensor<?x768xf32>) -> tensor<?x768xf32>
    %36 = arith.muli %0, %c2_i64 : i64
    %37 = arith.cmpi sge, %36, %c0_i64 : i64
    cf.assert %37, "negative values not allowed in new dimensions"
    %38 = arith.index_cast %36 : i64 to index
    %39 = tensor.empty(%38) : tensor<?x768xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<768xf32>) outs(%39 : tensor<?x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x768xf32>
    %41 = arith.cmpi eq, %28, %38 : index
    cf.assert %41, "mismatched size for broadcast"
    %42 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%35, %40 : tensor<?x768xf32>, tensor<?x768xf32>) outs(%33 : tensor<?x768xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.addf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<?x768xf32>
    %43 = tensor.empty(%28) : tensor<?x768xbf16>
    %44 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<?x768xf32>) outs(%43 : tensor<?x768xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %46 = arith.truncf %in : f32 to bf16
      linalg.yield %46 : bf16
    } -> tensor<?x768xbf16>
    %45 = arith.divsi %28, %c2 : index
    %expanded = tensor.expand_shape %44 [[0, 1], [2]] output_shape [2, %45, 768] : tensor<?x768xbf16> into tensor<2x?x768xbf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, %45, 256] [1, 1, 1] : tensor<2x?x768xbf16> to tensor<2x?x256xbf16>
    %extracted_slice_4 = tensor.extract_slice %expanded[0, 0, 256] [2, %45, 256] [1, 1, 1] : tensor<2x?x768xbf16> to tensor<2x?x256xbf16>
    %extracted_slice_5 = tensor.extract_slice %expanded[0, 0, 512] [2, %45, 256] [1, 1, 1] : tensor<2x?x768xbf16> to tensor<2x?x256xbf16>
    return %extracted_slice, %extracted_slice_4, %extracted_slice_5 : tensor<2x?x256xbf16>, tensor<2x?x256xbf16>, tensor<2x?x256xbf16>
  }
}
