# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linears of one tensor, with an activation each: wide.py COUNT [--tanh]"""

import sys

count = int(sys.argv[1])
t = "tensor<64x64xf32>"
ys = ", ".join([t] * count)
ws = ", ".join(f"%w{i}: {t}" for i in range(count))
print(f"func.func @f(%x: {t}, {ws}, %o: {t}) -> ({ys}) {{")
for i in range(count):
    print(f"  %{i} = linalg.matmul ins(%x, %w{i} : {t}, {t}) outs(%o : {t}) -> {t}")
result = "%"
if sys.argv[2:] == ["--tanh"]:
    result = "%t"
    for i in range(count):
        print(f"  %t{i} = linalg.tanh ins(%{i} : {t}) outs(%o : {t}) -> {t}")
print("  return " + ", ".join(f"{result}{i}" for i in range(count)) + f" : {ys}\n}}")
