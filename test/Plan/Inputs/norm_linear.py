# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm and its Linear in linalg, x (M, K) and W (K, N): norm_linear.py M K N [gated]"""

import sys

M, K, N = map(int, sys.argv[1:4])
gated = len(sys.argv) > 4
x, w, y, r = f"tensor<{M}x{K}xf32>", f"tensor<{K}x{N}xf32>", f"tensor<{M}x{N}xf32>", f"tensor<{M}xf32>"


def linear(result, weights):
    return (f"  {result} = linalg.matmul ins(%y, {weights} : {x}, {w}) outs(%yz : {y}) -> {y}")


print(f"""#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#vec = affine_map<(d0) -> (d0)>
func.func @f(%x: {x}, %w: {w}, %u: {w}) -> {y} {{
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : {r}
  %rz = linalg.fill ins(%zero : f32) outs(%re : {r}) -> {r}
  %s = linalg.generic {{indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}}
      ins(%x : {x}) outs(%rz : {r}) {{
  ^bb0(%a: f32, %acc: f32):
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %acc, %q : f32
    linalg.yield %t : f32
  }} -> {r}
  %f = linalg.generic {{indexing_maps = [#vec, #vec], iterator_types = ["parallel"]}}
      ins(%s : {r}) outs(%re : {r}) {{
  ^bb0(%a: f32, %acc: f32):
    %k = arith.constant {K}.0 : f32
    %e = arith.constant 1.0e-5 : f32
    %m = arith.divf %a, %k : f32
    %t = arith.addf %m, %e : f32
    %i = math.rsqrt %t : f32
    linalg.yield %i : f32
  }} -> {r}
  %xe = tensor.empty() : {x}
  %y = linalg.generic {{indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %f : {x}, {r}) outs(%xe : {x}) {{
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  }} -> {x}
  %ye = tensor.empty() : {y}
  %yz = linalg.fill ins(%zero : f32) outs(%ye : {y}) -> {y}
""")
print(linear("%z", "%w"))
if gated:
    print(linear("%v", "%u"))
    print(f"""  %p = linalg.generic {{indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%z, %v : {y}, {y}) outs(%ye : {y}) {{
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %n = arith.negf %a : f32
    %ex = math.exp %n : f32
    %one = arith.constant 1.0 : f32
    %d = arith.addf %ex, %one : f32
    %si = arith.divf %a, %d : f32
    %t = arith.mulf %si, %b : f32
    linalg.yield %t : f32
  }} -> {y}
  return %p : {y}
}}""")
else:
    print(f"  return %z : {y}\n}}")
