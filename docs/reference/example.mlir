#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>
func.func @f(%x: tensor<?x4096xbf16>, %g: tensor<4096xf32>, %wq: tensor<4096x1024xbf16>, %wk: tensor<4096x4096xbf16>,
             %c: tensor<4096xf32>) -> (tensor<?x1024xf32>, tensor<?x4096xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 4096.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x4096xbf16>
  %e1 = tensor.empty(%rows) : tensor<?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x4096xbf16>) outs(%z1 : tensor<?xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %a = arith.extf %in : bf16 to f32
    %q = arith.mulf %a, %a : f32
    %r = arith.addf %out, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %e2 = tensor.empty(%rows) : tensor<?x4096xbf16>
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %g : tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xf32>) outs(%e2 : tensor<?x4096xbf16>) {
  ^bb0(%in: bf16, %sum: f32, %gain: f32, %out: bf16):
    %a = arith.extf %in : bf16 to f32
    %mean = arith.divf %sum, %count : f32
    %b = arith.addf %mean, %eps : f32
    %scale = math.rsqrt %b : f32
    %d = arith.mulf %a, %scale : f32
    %e = arith.mulf %d, %gain : f32
    %t = arith.truncf %e : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x4096xbf16>
  %e3 = tensor.empty(%rows) : tensor<?x1024xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %y = linalg.matmul ins(%h, %wq : tensor<?x4096xbf16>, tensor<4096x1024xbf16>) outs(%z3 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %e4 = tensor.empty(%rows) : tensor<?x4096xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %u = linalg.matmul ins(%h, %wk : tensor<?x4096xbf16>, tensor<4096x4096xbf16>) outs(%z4 : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %v = linalg.generic {indexing_maps = [#mk, #k, #mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%u, %c, %x : tensor<?x4096xf32>, tensor<4096xf32>, tensor<?x4096xbf16>) outs(%e4 : tensor<?x4096xf32>) {
  ^bb0(%in: f32, %bias: f32, %residual: bf16, %out: f32):
    %a = arith.addf %in, %bias : f32
    %r = arith.extf %residual : bf16 to f32
    %b = arith.addf %a, %r : f32
    linalg.yield %b : f32
  } -> tensor<?x4096xf32>
  return %y, %v : tensor<?x1024xf32>, tensor<?x4096xf32>
}
