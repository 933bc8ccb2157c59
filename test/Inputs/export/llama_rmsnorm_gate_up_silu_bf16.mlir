// torch 2.15.0, torch-mlir 20261001, linalg-on-tensors.
// Written by: python export.py llama_rmsnorm_gate_up_silu_bf16
// Module: GateUp(LlamaRMSNorm(256), hidden=256, intermediate=384, act=F.silu)
// %arg0 = x: bf16 [1, seq, 256]
// %arg1 = norm.weight: bf16 [256]
// %arg2 = gate_proj.weight: bf16 [384, 256]
// %arg3 = up_proj.weight: bf16 [384, 256]

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @llama_rmsnorm_gate_up_silu_bf16(%arg0: tensor<1x?x256xbf16>, %arg1: tensor<256xbf16>, %arg2: tensor<384x256xbf16>, %arg3: tensor<384x256xbf16>) -> tensor<1x?x384xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 9.9999999999999995E-7 : f64
    %cst_2 = arith.constant 2.560000e+02 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<1x?x256xbf16>
    %0 = tensor.empty(%dim) : tensor<1x?x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x?x256xbf16>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %28 = arith.extf %in : bf16 to f32
      linalg.yield %28 : f32
    } -> tensor<1x?x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x?x256xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %28 : f32
    } -> tensor<1x?x256xf32>
    %3 = tensor.empty(%dim) : tensor<1x?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x?x256xf32>) outs(%4 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.addf %in, %out : f32
      linalg.yield %28 : f32
    } -> tensor<1x?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.divf %in, %cst_2 : f32
      linalg.yield %28 : f32
    } -> tensor<1x?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.truncf %cst_1 : f64 to f32
      %29 = arith.addf %in, %28 : f32
      linalg.yield %29 : f32
    } -> tensor<1x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1xf32>) outs(%3 : tensor<1x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.rsqrt %in : f32
      linalg.yield %28 : f32
    } -> tensor<1x?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x?x256xf32>, tensor<1x?x1xf32>) outs(%0 : tensor<1x?x256xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.mulf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<1x?x256xf32>
    %10 = tensor.empty(%dim) : tensor<1x?x256xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x?x256xf32>) outs(%10 : tensor<1x?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %28 = arith.truncf %in : f32 to bf16
      linalg.yield %28 : bf16
    } -> tensor<1x?x256xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<256xbf16>, tensor<1x?x256xbf16>) outs(%10 : tensor<1x?x256xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %28 = arith.mulf %in, %in_5 : bf16
      linalg.yield %28 : bf16
    } -> tensor<1x?x256xbf16>
    %13 = tensor.empty() : tensor<256x384xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<384x256xbf16>) outs(%13 : tensor<256x384xbf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x?x256xbf16> into tensor<?x256xbf16>
    %14 = tensor.empty(%dim) : tensor<?x384xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<?x256xbf16>, tensor<256x384xbf16>) outs(%15 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %17 = tensor.empty(%dim) : tensor<?x384xbf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x384xf32>) outs(%17 : tensor<?x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %28 = arith.truncf %in : f32 to bf16
      linalg.yield %28 : bf16
    } -> tensor<?x384xbf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, %dim, 384] : tensor<?x384xbf16> into tensor<1x?x384xbf16>
    %transposed_3 = linalg.transpose ins(%arg3 : tensor<384x256xbf16>) outs(%13 : tensor<256x384xbf16>) permutation = [1, 0]
    %19 = linalg.matmul ins(%collapsed, %transposed_3 : tensor<?x256xbf16>, tensor<256x384xbf16>) outs(%15 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x384xf32>) outs(%17 : tensor<?x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %28 = arith.truncf %in : f32 to bf16
      linalg.yield %28 : bf16
    } -> tensor<?x384xbf16>
    %expanded_4 = tensor.expand_shape %20 [[0, 1], [2]] output_shape [1, %dim, 384] : tensor<?x384xbf16> into tensor<1x?x384xbf16>
    %21 = tensor.empty(%dim) : tensor<1x?x384xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x?x384xbf16>) outs(%21 : tensor<1x?x384xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %28 = arith.extf %in : bf16 to f32
      linalg.yield %28 : f32
    } -> tensor<1x?x384xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x?x384xf32>) outs(%21 : tensor<1x?x384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.negf %in : f32
      %29 = math.exp %28 : f32
      %30 = arith.addf %29, %cst_0 : f32
      %31 = arith.divf %cst_0, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<1x?x384xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %23 : tensor<1x?x384xf32>, tensor<1x?x384xf32>) outs(%21 : tensor<1x?x384xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %28 = arith.mulf %in, %in_5 : f32
      linalg.yield %28 : f32
    } -> tensor<1x?x384xf32>
    %25 = tensor.empty(%dim) : tensor<1x?x384xbf16>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<1x?x384xf32>) outs(%25 : tensor<1x?x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %28 = arith.truncf %in : f32 to bf16
      linalg.yield %28 : bf16
    } -> tensor<1x?x384xbf16>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %expanded_4 : tensor<1x?x384xbf16>, tensor<1x?x384xbf16>) outs(%25 : tensor<1x?x384xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %28 = arith.mulf %in, %in_5 : bf16
      linalg.yield %28 : bf16
    } -> tensor<1x?x384xbf16>
    return %27 : tensor<1x?x384xbf16>
  }
}
