# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fit_decode.py DATA.csv DecodeModel.cpp [--fit] [--ff-opt BIN]

How well the constants of DecodeModel.cpp predict what was measured (RMSNorm + Linear, bf16, medians in
CUDA graphs), and whether moving one of them by some per cent helps. --fit looks for the best ones.
--ff-opt: what ff-schedule proposes, as far as that was measured, against the best that was.
"""
import argparse
import collections
import csv
import math
import random
import re
import subprocess

SMS = 132


def ceil(a, b):
    return -(-a // b)


def mma(c, r):
    tiles = ceil(r["n"], 8)
    of_block = ceil(tiles, SMS)
    blocks = ceil(tiles, of_block)
    stage = 8 * r["k"] * 2 / r["split"]
    operands = r["tile_m"] // 8 * r["split"] * (r["tile_k"] // (32 * r["warps"]))
    x = blocks * min(r["m"], r["tile_m"]) * r["k"] * 2
    if r["m"] <= r["tile_m"] and r["warps"] > 8 and r["stages"] * stage <= 160 << 10:  # room in L1
        x *= c["mmaRoom"]
    longest = max(stage * blocks / c["mmaMemory"], c["mmaIssue"],
                  (c["mmaLatency"] + stage / c["mmaCopy"]) / (r["stages"] - 1))
    return (c["mmaLaunch"] + operands * c["mmaOperand"] + x / c["mmaRows"]
            + of_block * (r["split"] * longest + c["mmaTile"]))


def wgmma(c, r):
    tiles = ceil(r["n"], r["tile_n"])
    of_block = 1 if r["split"] > 1 else ceil(tiles, SMS)
    blocks = ceil(tiles, of_block) * r["split"]
    steps = of_block * ceil(r["k"], r["tile_k"] * r["split"])
    w, x = r["tile_k"] * r["tile_n"] * 2, r["tile_k"] * r["tile_m"] * 2
    spare = r["tile_k"] // 64 * max(0, r["tile_m"] - r["m"])
    fill = (w + x) / c["wgmmaFill"] + spare * c["wgmmaSpare"]
    # The first stages of W are under way before x is.
    ring = (c["wgmmaLatency"] + fill) / max(1, min(r["stages"], steps) - 1)
    longest = max(w * blocks / c["wgmmaMemory"], fill, ring if steps > r["stages"] else 0)
    rows = x * steps * blocks * min(r["m"], r["tile_m"]) / r["tile_m"]
    return (c["wgmmaLaunch"] + c["wgmmaCluster"] * (r["split"] > 1) + rows / c["wgmmaRows"]
            + of_block * r["tile_n"] * c["wgmmaColumn"] + steps * (longest + c["wgmmaStep"]))


def predict(c, r):
    return (mma if r["mma"] == "mma_sync" else wgmma)(c, r)


def loss(c, rows):
    return math.sqrt(sum((predict(c, r) / r["plain_us"] - 1) ** 2 for r in rows) / len(rows))


def fit(c, rows, names):
    """Random steps of one constant at a time, seeded."""
    rng = random.Random(1)
    step = dict.fromkeys(names, 0.2)
    best = loss(c, rows)
    for i in range(3000):
        name = names[i % len(names)]
        trial = {**c, name: c[name] * math.exp(rng.gauss(0, step[name]))}
        found = loss(trial, rows)
        step[name] = max(step[name] * 0.9, 1e-3) if found >= best else min(step[name] * 1.5, 1)
        if found < best:
            c, best = trial, found
    return c


def proposals(ff_opt, n, k):
    program = f"""func.func @f(%x: tensor<?x{k}xbf16>, %w: tensor<{n}x{k}xbf16>) -> tensor<?x{n}xbf16> {{
  %y = ff.norm_linear rms_norm(%x) weights(%w) {{eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}}
      : (tensor<?x{k}xbf16>, tensor<{n}x{k}xbf16>) -> tensor<?x{n}xbf16>
  return %y : tensor<?x{n}xbf16>
}}"""
    text = subprocess.run([ff_opt, "-", "--ff-decompose", "--ff-schedule=chip=sm_90a"], input=program,
                          capture_output=True, text=True, check=True).stdout
    default = {"min_rows": "1", "max_rows": "0", "warps": "4", "split": "1", "stages": "1"}
    return [{**default, **dict(re.findall(r"(\w+) = (\w+)", s))}
            for s in re.findall(r"#ff.schedule<([^>]*)>", text)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("model")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--ff-opt")
    options = parser.parse_args()
    with open(options.data) as file:
        rows = [{key: value if key == "mma" else float(value) if key.endswith("us") else int(value)
                 for key, value in row.items()} for row in csv.DictReader(file)]
    with open(options.model) as file:
        constants = {name: float(value) for name, value in
                     re.findall(r"constexpr double (\w+) = ([-+.\de]+);", file.read())}
    # Boxes that reach 16 rows and more past M are not what is launched.
    rows = [r for r in rows if r["mma"] == "mma_sync" or r["tile_m"] - r["m"] < 16]
    for kind in ("mma_sync", "wgmma"):
        mine = [r for r in rows if r["mma"] == kind]
        names = [n for n in constants if n.startswith("mma" if kind == "mma_sync" else "wgmma")]
        if options.fit:
            constants = fit(constants, mine, names)
        here = loss(constants, mine)
        gain = max(1 - loss({**constants, n: constants[n] * f}, mine) / here
                   for n in names for f in (0.95, 1.05))
        print(f"{kind}: {len(mine)} measurements, relative error {100 * here:.1f} % RMS, "
              f"5 % more or less of a constant {'helps' if gain > 0.01 else 'does not help'}")
    if options.fit:
        for name, value in constants.items():
            print(f"constexpr double {name} = {value:.5g};")
    if not options.ff_opt:
        return
    cells = collections.defaultdict(list)
    for r in rows:
        cells[r["n"], r["k"], r["m"]].append(r)
    known = {}
    losses = []
    for (n, k, m), measured in sorted(cells.items()):
        if (n, k) not in known:
            known[n, k] = proposals(options.ff_opt, n, k)
        chosen = next(s for s in known[n, k] if int(s["min_rows"]) <= m <= int(s["max_rows"] or 0))
        keys = ("tile_m", "tile_n", "tile_k", "warps", "split")
        same = [r for r in measured if r["mma"] == chosen["mma"] and all(
            str(r[key]) == chosen[key] for key in keys)]
        exact = [r for r in same if str(r["stages"]) == chosen["stages"]] or same
        best = min(measured, key=lambda r: r["plain_us"])
        if not exact:
            print(f"{n} x {k}, M = {m}: {chosen['mma']} was not measured so")
            continue
        lost = exact[0]["plain_us"] / best["plain_us"] - 1
        losses.append(lost)
        print(f"{n} x {k}, M = {m}: {chosen['mma']} {exact[0]['plain_us']:.2f}, best {best['plain_us']:.2f} "
              f"({best['mma']}), {100 * lost:.0f} %")
    print(f"{len(losses)} of {len(cells)}: {100 * sum(losses) / len(losses):.1f} % lost on average, "
          f"{100 * max(losses):.0f} % at most")


if __name__ == "__main__":
    main()
