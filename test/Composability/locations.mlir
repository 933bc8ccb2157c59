// The fused operations stand where the contraction stood, debug information of functions stays.
// RUN: ff-opt %s --ff-raise --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=RAISE
// RUN: ff-opt %s --ff-raise --ff-decompose --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=ONLINE
// RUN: ff-opt %s --ff-to-cpu --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=CPU
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=PTX

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#file = #llvm.di_file<"model.py" in "models">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_Python, file = #file, producer = "frontend", isOptimized = true, emissionKind = LineTablesOnly>
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
#program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 3, scopeLine = 3, subprogramFlags = Definition, type = #type>

// RAISE: func.func @f
// RAISE: ff.norm_linear {{.*}} loc("q_proj"("model.py":7:3)
// RAISE: } loc(fused<#llvm.di_subprogram<{{.*}}name = "f"{{.*}}>["model.py":3:1])
// ONLINE: ff.online
// ONLINE: math.rsqrt {{.*}} loc("q_proj"("model.py":7:3)
// ONLINE: finalize
// CPU: llvm.func @f
// CPU: } loc(fused<#llvm.di_subprogram<{{.*}}name = "f"{{.*}}>["model.py":3:1])
// PTX: func.func @f
// PTX: call @f_online_0{{.*}} loc("q_proj"("model.py":7:3)
// PTX: } loc(fused<#llvm.di_subprogram<{{.*}}name = "f"{{.*}}>["model.py":3:1])
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
  %y = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32> loc("q_proj"("model.py":7:3))
  return %y : tensor<4x6xf32>
} loc(fused<#program>["model.py":3:1])
