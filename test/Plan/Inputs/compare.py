"""Compares planned rows with the published ones: seconds to 1e-6, placements exactly.

usage: compare.py GOLDEN PLANNED [baselines]
"""
import csv
import math
import sys

golden, planned = (list(csv.DictReader(open(path))) for path in sys.argv[1:3])
groups = ["QKV", "MHA", "LayerNorm", "FFN"]
wrong = abs(len(golden) - len(planned))
worst = 0.0
for want, got in zip(golden, planned):
    row = "/".join(want[key] for key in ("arch", "model", "seq"))
    for column in ["arch", "model", "seq"] + [g + "_on_1d" for g in groups]:
        if want[column] != got[column]:
            wrong += 1
            print(f"{row} {column}: {got[column]!r}, published {want[column]!r}")
    for column in [g + "_s" for g in groups] + ["total_s"]:
        error = abs(float(got[column]) / float(want[column]) - 1)
        worst = max(worst, error)
        if not error <= 1e-6:
            wrong += 1
            print(f"{row} {column}: {got[column]}, published {want[column]}")
for baseline in ["unfused", "flat", "fusemax", "fusemax_layerfuse"] if len(sys.argv) > 3 else []:
    for arch in ["cloud", "edge"]:
        gains = []
        for want, got in zip(golden, planned):
            if want["arch"] != arch:
                continue
            gains.append(float(got[baseline + "_s"]) / float(got["total_s"]))
            error = float(got[baseline + "_s"]) / float(want[baseline + "_s"]) - 1
            if not abs(error) <= 1e-6:
                row = "/".join(want[key] for key in ("arch", "model", "seq"))
                print(f"{row} {baseline}: {100 * error:+.2f} %")
        print(f"{arch} {baseline} geomean {math.exp(sum(map(math.log, gains)) / len(gains)):.3f}")
print(f"{len(planned)} rows, {wrong} differences, largest deviation {worst:.1e}")
sys.exit(wrong != 0)
