// A chain in a module in a module: ff-raise reaches it from outside, and pipelines can be nested on
// the inner module, where they leave their kernels and target.
// RUN: ff-opt %s --ff-raise | FileCheck %s --check-prefix=RAISE
// RUN: ff-opt %s --pass-pipeline='builtin.module(builtin.module(ff-to-ptx{chip=sm_80}))' | FileCheck %s --check-prefix=PTX
// From outside, what the pipeline does not reach is an error.
// RUN: not ff-opt %s --ff-to-ptx=chip=sm_80 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: a module within a module is not compiled

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

// RAISE: module @outer
// RAISE-NEXT: func.func private @ff_kernels
// RAISE: module @inner
// RAISE: func.func @f
// RAISE: ff.norm_linear
// RAISE: gpu.module @others
// RAISE: func.func @g
// RAISE: ff.norm_linear

// PTX: module @outer attributes {gpu.container_module} {
// PTX: func.func private @ff_kernels
// PTX: module @inner attributes {{.*}}ff.target = #ff.target<chip = "sm_80"
// PTX: gpu.binary @ff_kernels
// The other symbol table is none of its business.
// PTX: gpu.module @others
// PTX: linalg.matmul
module @outer attributes {gpu.container_module} {
  func.func private @ff_kernels()
  module @inner {
    func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
      %zero = arith.constant 0.0 : f32
      %count = arith.constant 8.0 : f32
      %e1 = tensor.empty() : tensor<4xf32>
      %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
      %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %q = arith.mulf %in, %in : f32
        %r = arith.addf %out, %q : f32
        linalg.yield %r : f32
      } -> tensor<4xf32>
      %e2 = tensor.empty() : tensor<4x8xf32>
      %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
          ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %a = arith.divf %sum, %count : f32
        %c = math.rsqrt %a : f32
        %d = arith.mulf %in, %c : f32
        linalg.yield %d : f32
      } -> tensor<4x8xf32>
      %e3 = tensor.empty() : tensor<4x6xf32>
      %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
      %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }
  gpu.module @others {
    func.func @g(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
      %zero = arith.constant 0.0 : f32
      %count = arith.constant 8.0 : f32
      %e1 = tensor.empty() : tensor<4xf32>
      %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
      %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %q = arith.mulf %in, %in : f32
        %r = arith.addf %out, %q : f32
        linalg.yield %r : f32
      } -> tensor<4xf32>
      %e2 = tensor.empty() : tensor<4x8xf32>
      %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
          ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %a = arith.divf %sum, %count : f32
        %c = math.rsqrt %a : f32
        %d = arith.mulf %in, %c : f32
        linalg.yield %d : f32
      } -> tensor<4x8xf32>
      %e3 = tensor.empty() : tensor<4x6xf32>
      %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
      %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }
}
