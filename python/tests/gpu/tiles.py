#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is the tile that TileSeek chooses without measuring among the best on a GPU?

    tiles.py make --out DIR [--ff-opt ff-opt] [--ff-plan ff-plan]     where ff-opt is built
    tiles.py run DIR [--json out.json]                                on the GPU

`make` writes one bundle per case of BENCH whose step has every tile of the prefill kernel that
fits (columns x stages, at most 24), and what ff-plan predicts for each. `run` times them all
(CUDA graphs over sets of weights larger than L2), times the three best again, and says per
shape by how much the chosen tile misses the best, and the rank correlation of prediction and
measurement.
"""

import argparse
import csv
import io
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SHAPES = [(6144, 4096), (28672, 4096), (3072, 2048), (3072, 1024), (2304, 768), (8192, 8192)]
ROWS = [1024, 4096]
PIPELINE = [
    "--ff-prepare-host-functions",
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map",
    "--canonicalize", "--buffer-results-to-out-params=add-result-attr modify-public-functions",
    "--ff-write-results-in-place", "--canonicalize", "--cse", "--ff-lower-to-nvgpu",
    "--ff-emit-ptx", "--emit=bundle"]


def program(n, k):
    return (f"func.func @f(%x: tensor<?x{k}xbf16>, %w: tensor<{n}x{k}xbf16>) -> tensor<?x{n}xbf16> {{\n"
            f"  %0 = ff.norm_linear rms_norm(%x) weights(%w) {{eps = 1.0e-5 : f64, "
            f"layouts = [#ff.layout<nk>]}} : (tensor<?x{k}xbf16>, tensor<{n}x{k}xbf16>) -> "
            f"tensor<?x{n}xbf16>\n  return %0 : tensor<?x{n}xbf16>\n}}\n")


def call(command, text):
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    return run.stdout


def make(args):
    os.makedirs(args.out, exist_ok=True)
    for n, k in SHAPES:
        predicted = {}
        for m in ROWS:
            table = call([args.ff_plan, f"--kernel={m},{n},{k}", "--target=h200"], "")
            predicted[m] = [{key: float(v) for key, v in row.items()}
                            for row in csv.DictReader(io.StringIO(table))]
        tiles = [(int(t["tile_n"]), int(t["stages"])) for t in predicted[ROWS[0]]]
        scheduled = call([args.ff_opt, "-", "--ff-decompose",
                          "--ff-schedule=chip=sm_90a family=prefill"], program(n, k))
        variants = ", ".join(
            f"#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = {width}, "
            f"tile_k = 64, stages = {stages}, warps = 8, split = 2, align = 16>" for width, stages in tiles)
        # The last variant of the pass serves what wgmma cannot; the others go.
        edited, count = re.subn(r"schedule = \[.*(#ff\.schedule<[^>]*>)\]",
                                lambda found: f"schedule = [{variants}, {found[1]}]", scheduled)
        if count != 1:
            sys.exit("ff-schedule's output has no schedule")
        name = os.path.join(args.out, f"tiles_{n}x{k}")
        with open(name + ".ffb", "w") as file:
            file.write(call([args.ff_opt, "-", *PIPELINE], edited))
        with open(name + ".json", "w") as file:
            json.dump({"kind": "rms_norm", "eps": 1e-5}, file)
        with open(name + ".tiles", "w") as file:
            json.dump({"tiles": tiles, "predicted": predicted}, file)
        print(name, len(tiles), "tiles", flush=True)


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for o in order[i:j + 1]:
            result[o] = (i + j) / 2
        i = j + 1
    return result


def correlation(a, b):
    """Spearman's."""
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    cov = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    return cov / (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5


def probe(args):
    """One launch of one tile, in a process of its own: exits with an error if it fails."""
    import cases
    import torch
    case = cases.load_cases(args.folder, args.case)[0]
    x = torch.randn(ROWS[0], case.k, device="cuda").to(torch.bfloat16)
    case.only(case.step.variants[args.index])(*case.arguments(x, case.parameters()))
    torch.cuda.synchronize()


def probe_all(folder, name, tiles):
    """Which of the tiles run: a ring that is too short for the kernel may not."""
    def works(index):
        command = [sys.executable, __file__, "probe", folder, name, str(index)]
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    with ThreadPoolExecutor(10) as pool:
        return [tile for tile, ok in zip(tiles, pool.map(works, range(len(tiles)))) if ok]


def run(args):
    import bench_bundles
    import cases
    import torch
    torch.manual_seed(0)
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}", flush=True)
    lines, good, working = [], 0, None
    for case in cases.load_cases(args.folder, "tiles_"):
        with open(os.path.join(args.folder, case.name + ".tiles")) as file:
            planned = json.load(file)
        n = case.n[0]
        if working is None:
            working = probe_all(args.folder, case.name, planned["tiles"])
            left_out = [t for t in planned["tiles"] if t not in working]
            print(f"tiles that do not run and are left out: {left_out}", flush=True)
        for m in ROWS:
            seconds = 2.0 * m * n * case.k / 600e12
            calls = max(2, min(48, int(4e-3 / seconds)))
            sets = [case.parameters(seed=i)
                    for i in range(max(1, min(calls, bench_bundles.L2_BYTES // (n * case.k * 2) + 1)))]
            x = torch.randn(m, case.k, device="cuda").to(torch.bfloat16)
            graphs, alive = {}, []  # a program that is dropped unloads its kernels
            for tile, variant in zip(planned["tiles"], case.step.variants):
                if tile not in working:
                    continue
                one = case.only(variant)
                alive.append(one)
                arguments = [case.arguments(x, values) for values in sets]
                out = one(*arguments[0])
                alive.append((arguments, out))
                graphs[tuple(tile)] = bench_bundles.capture(
                    [lambda p=one, a=a, o=out: p(*a, out=o) for a in arguments], calls)
            measured = bench_bundles.measure(graphs, args.rounds)
            best = sorted(measured, key=measured.get)[:3]
            predicted = {(int(t["tile_n"]), int(t["stages"])): t for t in planned["predicted"][str(m)]}
            # ff-plan's choice, or of those that run the first in its order, should that one not.
            chosen = next((t for t in predicted if predicted[t]["chosen"] and t in measured),
                          next(t for t in predicted if t in measured))
            again = bench_bundles.measure({t: graphs[t] for t in {*best, chosen}}, 3 * args.rounds)
            least = min(again.values())
            loss = again[chosen] / least - 1
            good += loss <= 0.05
            order = list(measured)
            rho = correlation([predicted[t]["predicted_us"] for t in order],
                              [measured[t] for t in order])
            lines.append({"M": m, "N": n, "K": case.k, "chosen": chosen, "chosen_us": again[chosen],
                          "best": min(again, key=again.get), "best_us": least, "loss": loss,
                          "rank_correlation": rho,
                          "tiles": [[*t, predicted[t]["predicted_us"], measured[t]] for t in order]})
            print(f"{n}x{case.k} M={m}: chosen {chosen} {again[chosen]:.2f} us, best "
                  f"{min(again, key=again.get)} {least:.2f} us, loss {100 * loss:.1f} %, "
                  f"rank correlation {rho:.2f} of {len(order)}", flush=True)
            del graphs, alive, sets
            torch.cuda.empty_cache()
    print(f"within 5 % of the best: {good} of {len(lines)}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(lines, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(required=True)
    maker = modes.add_parser("make")
    maker.add_argument("--out", required=True)
    maker.add_argument("--ff-opt", default="build/bin/ff-opt")
    maker.add_argument("--ff-plan", default="build/bin/ff-plan")
    maker.set_defaults(run=make)
    runner = modes.add_parser("run")
    runner.add_argument("folder")
    runner.add_argument("--rounds", type=int, default=5)
    runner.add_argument("--json")
    runner.set_defaults(run=run)
    prober = modes.add_parser("probe")
    prober.add_argument("folder")
    prober.add_argument("case")
    prober.add_argument("index", type=int)
    prober.set_defaults(run=probe)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
