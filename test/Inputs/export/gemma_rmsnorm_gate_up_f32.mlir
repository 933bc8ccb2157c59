// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py gemma_rmsnorm_gate_up_f32
// Module: GateUp(GemmaRMSNorm(256), hidden=256, intermediate=384)
// %arg0 = x: f32 [1, seq, 256]
// %arg1 = norm.weight: f32 [256]
// %arg2 = gate_proj.weight: f32 [384, 256]
// %arg3 = up_proj.weight: f32 [384, 256]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @gemma_rmsnorm_gate_up_f32(%arg0: tensor<1x?x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<384x256xf32>, %arg3: tensor<384x256xf32>) -> (tensor<1x?x384xf32>, tensor<1x?x384xf32>) {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 2.560000e+02 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x256xf32>
    %0 = tensor.empty(%dim) : tensor<1x?x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x256xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %17 : f32
    } -> tensor<1x?x256xf32>
    %2 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x?x256xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %in, %out : f32
      linalg.yield %17 : f32
    } -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x?x1xf32>) outs(%2 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.divf %in, %cst_1 : f32
      linalg.yield %17 : f32
    } -> tensor<1x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf32>) outs(%2 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.truncf %cst_0 : f64 to f32
      %18 = arith.addf %in, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf32>) outs(%2 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.rsqrt %in : f32
      linalg.yield %17 : f32
    } -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %17 = arith.mulf %in, %in_5 : f32
      linalg.yield %17 : f32
    } -> tensor<1x?x256xf32>
    %9 = tensor.empty() : tensor<256xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg1 : tensor<256xf32>) outs(%9 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %in, %cst_2 : f32
      linalg.yield %17 : f32
    } -> tensor<256xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x?x256xf32>, tensor<256xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %17 = arith.mulf %in, %in_5 : f32
      linalg.yield %17 : f32
    } -> tensor<1x?x256xf32>
    %12 = tensor.empty() : tensor<256x384xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<384x256xf32>) outs(%12 : tensor<256x384xf32>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<1x?x256xf32> into tensor<?x256xf32>
    %13 = tensor.empty(%dim) : tensor<?x384xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %15 = linalg.matmul ins(%collapsed, %transposed : tensor<?x256xf32>, tensor<256x384xf32>) outs(%14 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %expanded = tensor.expand_shape %15 [[0, 1], [2]] output_shape [1, %dim, 384] : tensor<?x384xf32> into tensor<1x?x384xf32>
    %transposed_3 = linalg.transpose ins(%arg3 : tensor<384x256xf32>) outs(%12 : tensor<256x384xf32>) permutation = [1, 0]
    %16 = linalg.matmul ins(%collapsed, %transposed_3 : tensor<?x256xf32>, tensor<256x384xf32>) outs(%14 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %expanded_4 = tensor.expand_shape %16 [[0, 1], [2]] output_shape [1, %dim, 384] : tensor<?x384xf32> into tensor<1x?x384xf32>
    return %expanded, %expanded_4 : tensor<1x?x384xf32>, tensor<1x?x384xf32>
  }
}
