# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For every M,N,K: columns and stages of ff-plan's choice, then of ff-schedule's."""

import re
import subprocess
import sys


def run(command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


for shape in sys.argv[1:]:
    m, n, k = shape.split(",")
    table = run(["ff-plan", "--kernel=" + shape, "--target=h200"]).splitlines()
    planned = next(",".join(row.split(",")[:2]) for row in table if row.endswith(",1"))
    x, w, y = f"tensor<{m}x{k}xbf16>", f"tensor<{n}x{k}xbf16>", f"tensor<{m}x{n}xbf16>"
    program = f"""func.func @f(%x: {x}, %w: {w}) -> {y} {{
      %0 = ff.norm_linear rms_norm(%x) weights(%w) {{eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}}
          : ({x}, {w}) -> {y}
      return %0 : {y}
    }}"""
    scheduled = run(["ff-opt", "-", "--ff-decompose", "--ff-schedule=chip=sm_90a family=prefill"],
                    program)
    tile = re.search(r"mma = wgmma.*?tile_n = (\d+), tile_k = 64, stages = (\d+)", scheduled)
    print(f"{shape}: {planned} {tile[1]},{tile[2]}")
