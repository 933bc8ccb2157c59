// Norms without a contraction behind them.
#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>
#nchw = affine_map<(a, b, c, d) -> (a, b, c, d)>
#nc = affine_map<(a, b, c, d) -> (a, b)>

// Everything in f16, behind a residual sum; eps rounded to f16.
func.func @t5(%a: tensor<7x16xf16>, %b: tensor<7x16xf32>, %g: tensor<16xf16>) -> (tensor<7x16xf16>, tensor<7x16xf16>) {
  %eps = arith.constant 1.0e-6 : f32
  %count = arith.constant 16.0 : f16
  %zero = arith.constant 0.0 : f16
  %c2 = arith.constant 2 : i64
  %e1 = tensor.empty() : tensor<7xf16>
  %e2 = tensor.empty() : tensor<7x16xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e1 : tensor<7xf16>) -> tensor<7xf16>
  %x = linalg.generic {indexing_maps = [#mk, #mk, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<7x16xf16>, tensor<7x16xf32>) outs(%e2 : tensor<7x16xf16>) {
  ^bb0(%in: f16, %other: f32, %out: f16):
    %t = arith.truncf %other : f32 to f16
    %r = arith.addf %in, %t : f16
    linalg.yield %r : f16
  } -> tensor<7x16xf16>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<7x16xf16>) outs(%z : tensor<7xf16>) {
  ^bb0(%in: f16, %out: f16):
    %q = math.fpowi %in, %c2 : f16, i64
    %r = arith.addf %q, %out : f16
    linalg.yield %r : f16
  } -> tensor<7xf16>
  %h = linalg.generic {indexing_maps = [#k, #mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%g, %x, %s : tensor<16xf16>, tensor<7x16xf16>, tensor<7xf16>) outs(%e2 : tensor<7x16xf16>) {
  ^bb0(%gain: f16, %in: f16, %sum: f16, %out: f16):
    %a0 = arith.divf %sum, %count : f16
    %a1 = arith.truncf %eps : f32 to f16
    %a2 = arith.addf %a0, %a1 : f16
    %a3 = math.rsqrt %a2 : f16
    %a4 = arith.mulf %in, %a3 : f16
    %a5 = arith.mulf %gain, %a4 : f16
    linalg.yield %a5 : f16
  } -> tensor<7x16xf16>
  return %x, %h : tensor<7x16xf16>, tensor<7x16xf16>
}

// A group norm is a LayerNorm of the last two dimensions.
func.func @group_norm(%x: tensor<2x3x4x5xf16>) -> tensor<2x3x4x5xf32> attributes {k_dims = 2 : i64} {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 20.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %e1 = tensor.empty() : tensor<2x3xf32>
  %x32 = linalg.copy ins(%x : tensor<2x3x4x5xf16>) outs(%e : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = linalg.reduce { arith.addf } ins(%x32 : tensor<2x3x4x5xf32>) outs(%z : tensor<2x3xf32>) dimensions = [2, 3]
  %v = linalg.generic {indexing_maps = [#nchw, #nc, #nc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x32, %s : tensor<2x3x4x5xf32>, tensor<2x3xf32>) outs(%z : tensor<2x3xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %mu = arith.divf %sum, %count : f32
    %d = arith.subf %in, %mu : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %h = linalg.generic {indexing_maps = [#nchw, #nc, #nc, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s, %v : tensor<2x3x4x5xf16>, tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: f16, %sum: f32, %var: f32, %out: f32):
    %mu = arith.divf %sum, %count : f32
    %a0 = arith.divf %var, %count : f32
    %a1 = arith.addf %a0, %eps : f32
    %a2 = math.rsqrt %a1 : f32
    %a3 = arith.extf %in : f16 to f32
    %a4 = arith.subf %a3, %mu : f32
    %a5 = arith.mulf %a4, %a2 : f32
    linalg.yield %a5 : f32
  } -> tensor<2x3x4x5xf32>
  return %h : tensor<2x3x4x5xf32>
}

// 11 is not the number of elements.
func.func @wrong_count(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 11.0 : f32
  %eps = arith.constant 4.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a0 = arith.divf %sum, %count : f32
    %a1 = arith.addf %a0, %eps : f32
    %a2 = math.rsqrt %a1 : f32
    %a3 = arith.mulf %in, %a2 : f32
    linalg.yield %a3 : f32
  } -> tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// Statistics over the rows.
func.func @batch_norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 4.0 : f32
  %e1 = tensor.empty() : tensor<8xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#mk, #k], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %h = linalg.generic {indexing_maps = [#mk, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a0 = arith.divf %sum, %count : f32
    %a2 = math.rsqrt %a0 : f32
    %a3 = arith.mulf %in, %a2 : f32
    linalg.yield %a3 : f32
  } -> tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// K is dynamic: divided by what the program converts, in two passes.
func.func @dynamic(%x: tensor<?x?xf16>, %g: tensor<?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf16>
  %cols = tensor.dim %x, %c1 : tensor<?x?xf16>
  %int = arith.index_cast %cols : index to i64
  %count = arith.sitofp %int : i64 to f32
  %reciprocal = arith.divf %one, %count : f32
  %e1 = tensor.empty(%rows) : tensor<?xf32>
  %e2 = tensor.empty(%rows, %cols) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %x32 = linalg.copy ins(%x : tensor<?x?xf16>) outs(%e2 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.reduce { arith.addf } ins(%x32 : tensor<?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x32, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%e2 : tensor<?x?xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %mu = arith.mulf %sum, %reciprocal : f32
    %r = arith.subf %in, %mu : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %v = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<?x?xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%d, %v, %g : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e2 : tensor<?x?xf32>) {
  ^bb0(%in: f32, %var: f32, %gain: f32, %out: f32):
    %a0 = arith.divf %var, %count : f32
    %a1 = arith.addf %a0, %eps : f32
    %a2 = math.rsqrt %a1 : f32
    %a3 = arith.mulf %in, %a2 : f32
    %a4 = arith.mulf %a3, %gain : f32
    linalg.yield %a4 : f32
  } -> tensor<?x?xf32>
  return %h : tensor<?x?xf32>
}

// The number of rows is not the number of elements.
func.func @dynamic_rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %cols = tensor.dim %x, %c1 : tensor<?x?xf32>
  %int = arith.index_cast %rows : index to i64
  %count = arith.sitofp %int : i64 to f32
  %e1 = tensor.empty(%rows) : tensor<?xf32>
  %e2 = tensor.empty(%rows, %cols) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%e2 : tensor<?x?xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a0 = arith.divf %sum, %count : f32
    %a2 = math.rsqrt %a0 : f32
    %a3 = arith.mulf %in, %a2 : f32
    linalg.yield %a3 : f32
  } -> tensor<?x?xf32>
  return %h : tensor<?x?xf32>
}
