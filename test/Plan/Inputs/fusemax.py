# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fusemax.py PUBLISHED.csv < the survey: whether FuseMax's attention comes out to the printed digits."""

import csv
import sys

found = {tuple(line.split()[:2]): line.split()[-2:] for line in sys.stdin}
with open(sys.argv[1]) as file:
    rows = list(csv.DictReader(file))
good = 0
for row in rows:
    seq = {"1M": "1024K"}.get(row["seq"], row["seq"])
    seconds, utilisation = found[row["model"], seq]
    same = float(seconds) == float(row["binding"]) and utilisation == row["utilisation"]
    good += same
    if not same:
        print(row, seconds, utilisation)
print(f"{good} of {len(rows)} latencies and utilisations")
