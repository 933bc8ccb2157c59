// Read by toy-compiler: its dialect beside ours and upstream's.
func.func @from_linalg(%x: tensor<?x64xf32>, %g: tensor<64xf32>, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %h = "toy.rms_norm"(%x, %g) : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.matmul ins(%h, %w : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

func.func @direct(%x: tensor<?x64xf32>, %g: tensor<64xf32>, %w: tensor<32x64xf32>) -> tensor<?x32xf32> {
  %y = "toy.norm_proj"(%x, %g, %w) : (tensor<?x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
