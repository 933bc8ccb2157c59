# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For every M,N,K: the tile that ff-plan chooses, then ff-schedule's. Up to 16 rows, K of a stage
and split of the decode kernel; else columns and stages of the prefill kernel."""

import re
import subprocess
import sys


def run(command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


for shape in sys.argv[1:]:
    m, n, k = shape.split(",")
    table = run(["ff-plan", "--kernel=" + shape, "--target=h200"]).splitlines()
    planned = next(",".join(row.split(",")[:2]) for row in table if row.endswith(",1"))
    chip, family, pattern = "sm_90a", "prefill", r"mma = wgmma.*?tile_n = (\d+), tile_k = 64, stages = (\d+)"
    if int(m) <= 16:  # on a chip without wgmma, which would be faster for some of these
        chip, family, pattern = "sm_90", "decode", r"tile_k = (\d+), .*?split = (\d+)"
    x, w, y = f"tensor<{m}x{k}xbf16>", f"tensor<{n}x{k}xbf16>", f"tensor<{m}x{n}xbf16>"
    program = f"""func.func @f(%x: {x}, %w: {w}) -> {y} {{
      %0 = ff.norm_linear rms_norm(%x) weights(%w) {{eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}}
          : ({x}, {w}) -> {y}
      return %0 : {y}
    }}"""
    scheduled = run(["ff-opt", "-", "--ff-decompose", f"--ff-schedule=chip={chip} family={family}"],
                    program)
    schedule = re.search(r"#ff\.schedule<([^>]*)>", scheduled)[1]
    tile = re.search(pattern, schedule if "split" in schedule else schedule + ", split = 1")
    print(f"{shape}: {planned} {tile[1]},{tile[2]}")
