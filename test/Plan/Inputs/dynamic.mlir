// A square of every element, then a Linear; an assertion that a plan does not need.
#mk = affine_map<(m, k) -> (m, k)>
func.func @f(%x: tensor<?x64xf32>, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %some = arith.cmpi sgt, %m, %c0 : index
  cf.assert %some, "no rows"
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %h = linalg.generic {indexing_maps = [#mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    linalg.yield %q : f32
  } -> tensor<?x64xf32>
  %o = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.matmul ins(%h, %w : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>)
      -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
