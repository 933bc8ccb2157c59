# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For every M,N,K: the tile that ff-plan chooses, then ff-schedule's. Up to 16 rows, K of a stage
and split of the mma.sync decode kernel; up to 128 rows loaded, columns, K of a stage, split and stages
of the wgmma one; else columns, stages and parts of K of the prefill kernel."""

import re
import subprocess
import sys


def run(command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


# Chip (the first one has no wgmma, which would be faster for some), family, fields of the schedule.
KINDS = [(16, "sm_90", "decode", ["tile_k", "split"]),
         (128, "sm_90a", "decode", ["tile_m", "tile_n", "tile_k", "split", "stages"]),
         (1 << 40, "sm_90a", "prefill", ["tile_n", "stages", "parts"])]

for shape in sys.argv[1:]:
    m, n, k = shape.split(",")
    _, chip, family, fields = next(kind for kind in KINDS if int(m) <= kind[0])
    table = run(["ff-plan", "--kernel=" + shape, "--target=h200"]).splitlines()
    chosen = dict(zip(table[0].split(","), next(row for row in table if row.endswith(",1")).split(",")))
    x, w, y = f"tensor<{m}x{k}xbf16>", f"tensor<{n}x{k}xbf16>", f"tensor<{m}x{n}xbf16>"
    program = f"""func.func @f(%x: {x}, %w: {w}) -> {y} {{
      %0 = ff.norm_linear rms_norm(%x) weights(%w) {{eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}}
          : ({x}, {w}) -> {y}
      return %0 : {y}
    }}"""
    scheduled = run(["ff-opt", "-", "--ff-decompose", f"--ff-schedule=chip={chip} family={family}"],
                    program)
    schedule = re.search(r"#ff\.schedule<([^>]*)>", scheduled)[1]
    found = {"split": "1", "parts": "1", **dict(re.findall(r"(\w+) = (\w+)", schedule))}
    print(shape + ":", *(",".join(tile[field] for field in fields) for tile in (chosen, found)))
