// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gemma_rmsnorm_gate_up_bf16
// Module: GateUp(GemmaRMSNorm(256), hidden=256, intermediate=384)
// %arg0 = x: bf16 [1, seq, 256]
// %arg1 = norm.weight: bf16 [256]
// %arg2 = gate_proj.weight: bf16 [384, 256]
// %arg3 = up_proj.weight: bf16 [384, 256]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @gemma_rmsnorm_gate_up_bf16(%arg0: tensor<1x?x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<384x256xbf16>, %arg3: tensor<384x256xbf16>) -> (tensor<1x?x384xbf16>, tensor<1x?x384xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 2.560000e+02 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x256xbf16>
    %0 = tensor.empty(%dim) : tensor<1x?x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x256xbf16>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %24 = arith.extf %in : bf16 to f32
      linalg.yield %24 : f32
    } -> tensor<1x?x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x256xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %24 : f32
    } -> tensor<1x?x256xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x256xf32>) outs(%4 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.addf %in, %out : f32
      linalg.yield %24 : f32
    } -> tensor<1x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.divf %in, %cst_1 : f32
      linalg.yield %24 : f32
    } -> tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.truncf %cst_0 : f64 to f32
      %25 = arith.addf %in, %24 : f32
      linalg.yield %25 : f32
    } -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = math.rsqrt %in : f32
      linalg.yield %24 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %24 = arith.mulf %in, %in_5 : f32
      linalg.yield %24 : f32
    } -> tensor<1x?x256xf32>
    %10 = tensor.empty() : tensor<256xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg1 : tensor<256xbf16>) outs(%10 : tensor<256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %24 = arith.extf %in : bf16 to f32
      linalg.yield %24 : f32
    } -> tensor<256xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<256xf32>) outs(%10 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.addf %in, %cst_2 : f32
      linalg.yield %24 : f32
    } -> tensor<256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %12 : tensor<1x?x256xf32>, tensor<256xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %24 = arith.mulf %in, %in_5 : f32
      linalg.yield %24 : f32
    } -> tensor<1x?x256xf32>
    %14 = tensor.empty(%dim) : tensor<1x?x256xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x?x256xf32>) outs(%14 : tensor<1x?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %24 = arith.truncf %in : f32 to bf16
      linalg.yield %24 : bf16
    } -> tensor<1x?x256xbf16>
    %16 = tensor.empty() : tensor<256x384xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<384x256xbf16>) outs(%16 : tensor<256x384xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<1x?x256xbf16> into tensor<?x256xbf16>
    %17 = tensor.empty(%dim) : tensor<?x384xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %19 = linalg.matmul ins(%collapsed, %transposed : tensor<?x256xbf16>, tensor<256x384xbf16>) outs(%18 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %20 = tensor.empty(%dim) : tensor<?x384xbf16>
    %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x384xf32>) outs(%20 : tensor<?x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %24 = arith.truncf %in : f32 to bf16
      linalg.yield %24 : bf16
    } -> tensor<?x384xbf16>
    %expanded = tensor.expand_shape %21 [[0, 1], [2]] output_shape [1, %dim, 384] : tensor<?x384xbf16> into tensor<1x?x384xbf16>
    %transposed_3 = linalg.transpose ins(%arg3 : tensor<384x256xbf16>) outs(%16 : tensor<256x384xbf16>) permutation = [1, 0]
    %22 = linalg.matmul ins(%collapsed, %transposed_3 : tensor<?x256xbf16>, tensor<256x384xbf16>) outs(%18 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<?x384xf32>) outs(%20 : tensor<?x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %24 = arith.truncf %in : f32 to bf16
      linalg.yield %24 : bf16
    } -> tensor<?x384xbf16>
    %expanded_4 = tensor.expand_shape %23 [[0, 1], [2]] output_shape [1, %dim, 384] : tensor<?x384xbf16> into tensor<1x?x384xbf16>
    return %expanded, %expanded_4 : tensor<1x?x384xbf16>, tensor<1x?x384xbf16>
  }
}
