// A feed-forward network as autocast runs it: the weights are f32 and rounded in the program.
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @rounded_weights(%x: tensor<32x64xbf16>, %up: tensor<64x128xf32>, %down: tensor<128x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ue = tensor.empty() : tensor<64x128xbf16>
  %u = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%up : tensor<64x128xf32>) outs(%ue : tensor<64x128xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<64x128xbf16>
  %de = tensor.empty() : tensor<128x64xbf16>
  %d = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%down : tensor<128x64xf32>) outs(%de : tensor<128x64xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<128x64xbf16>
  %he = tensor.empty() : tensor<32x128xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<32x128xf32>) -> tensor<32x128xf32>
  %h = linalg.matmul ins(%x, %u : tensor<32x64xbf16>, tensor<64x128xbf16>) outs(%hz : tensor<32x128xf32>) -> tensor<32x128xf32>
  %ae = tensor.empty() : tensor<32x128xbf16>
  %a = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<32x128xf32>) outs(%ae : tensor<32x128xbf16>) {
  ^bb0(%v: f32, %out: bf16):
    %0 = math.tanh %v : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<32x128xbf16>
  %ye = tensor.empty() : tensor<32x64xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<32x64xf32>) -> tensor<32x64xf32>
  %y = linalg.matmul ins(%a, %d : tensor<32x128xbf16>, tensor<128x64xbf16>) outs(%yz : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
