func.func @f(%x: tensor<?x64xf32>, %g: tensor<64xf32>, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e1 = tensor.empty(%m) : tensor<?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x64xf32>) outs(%z1 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %e2 = tensor.empty(%m) : tensor<?x64xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m, k)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %g : tensor<?x64xf32>, tensor<?xf32>, tensor<64xf32>) outs(%e2 : tensor<?x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %gain: f32, %out: f32):
    %a = arith.divf %sum, %count : f32
    %b = arith.addf %a, %eps : f32
    %c = math.rsqrt %b : f32
    %d = arith.mulf %in, %c : f32
    %f = arith.mulf %d, %gain : f32
    linalg.yield %f : f32
  } -> tensor<?x64xf32>
  %e3 = tensor.empty(%m) : tensor<?x32xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.matmul ins(%h, %w : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z3 : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
