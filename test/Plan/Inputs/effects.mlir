// A call in between, of which nothing is known.
func.func private @log(tensor<8x32xf32>)
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %z: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%z : tensor<8x32xf32>)
      -> tensor<8x32xf32>
  func.call @log(%y) : (tensor<8x32xf32>) -> ()
  return %y : tensor<8x32xf32>
}
