#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is the tile that TileSeek chooses without measuring among the best on a GPU?

    tiles.py make --out DIR [--ff-opt ff-opt] [--ff-plan ff-plan]     where ff-opt is built
    tiles.py run DIR [--json out.json]                                on the GPU
    tiles.py judge out.json [--ff-plan ff-plan]                       where ff-plan is built

`make` writes one bundle per case of SHAPES whose step has every tile of the prefill kernel that
fits with a ring of three stages or more (columns x stages, at most 24), and what ff-plan predicts
for each. `run` compares every tile with float64 and times them all (CUDA graphs over sets of x and
weights larger than L2, order shuffled), times the three best and the chosen one again, and says
per shape by how much the chosen tile misses the best, and the rank correlation of prediction and
measurement. `judge` says so of a run's JSON and what ff-plan predicts now.
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


def plan(ff_plan, m, n, k):
    """What ff-plan predicts, of the tiles that are compared."""
    table = call([ff_plan, f"--kernel={m},{n},{k}", "--target=h200"], "")
    rows = [{key: float(v) for key, v in row.items()} for row in csv.DictReader(io.StringIO(table))]
    return [t for t in rows if t["stages"] >= 3 and t.get("parts", 1) == 1]


def make(args):
    os.makedirs(args.out, exist_ok=True)
    for n, k in SHAPES:
        predicted = {m: plan(args.ff_plan, m, n, k) for m in ROWS}
        tiles = sorted({(int(t["tile_n"]), int(t["stages"])) for m in ROWS for t in predicted[m]})
        if len(tiles) > 24:
            sys.exit(f"{len(tiles)} tiles, more than 24")
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
    """One launch of each tile from a number on, in a process of its own, which ends where one fails."""
    import cases
    import torch
    case = cases.load_cases(args.folder, args.case)[0]
    x = torch.randn(ROWS[0], case.k, device="cuda").to(torch.bfloat16)
    values = case.parameters()
    for index in range(args.first, args.last):
        case.only(case.step.variants[index])(*case.arguments(x, values))
        torch.cuda.synchronize()
        print(index, flush=True)


def probe_all(folder, counts):
    """Which of the tiles run, by case: a ring that is too short for the kernel may not. Compiles all
    kernels side by side, which the driver keeps for those who come later."""
    def works(part):
        name, last = part
        first, good = 0, set()
        while first < last:
            command = [sys.executable, __file__, "probe", folder, name, str(first), str(last)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=100).stdout.split()
            good.update(map(int, done))
            first += len(done) + 1  # the one that failed is left out
        return name, good
    with ThreadPoolExecutor(len(counts)) as pool:
        return dict(pool.map(works, counts.items()))


def reference(x, weight, eps=1e-5):
    """Some rows, in float64."""
    rows = x[::max(1, len(x) // 64)].double()
    return (rows * (rows.square().mean(1, keepdim=True) + eps).rsqrt()) @ weight.double().T


def check(case, tile, out, expected):
    found = out[::max(1, len(out) // 64)].double()
    error = ((found - expected).norm(dim=1) / expected.norm(dim=1)).max().item()
    if not error < 4e-3:
        sys.exit(f"{case.name} {tile}: wrong, relative error {error:.1e}")


def judge_case(measured, again, predicted):
    """The chosen tile beside the best measured one."""
    # Should the chosen one not run, the first that does.
    chosen = next((t for t in predicted if predicted[t]["chosen"]), next(iter(predicted)))
    timed = again if chosen in again else measured
    best = min(timed, key=timed.get)
    rho = correlation([predicted[t]["predicted_us"] for t in measured], list(measured.values()))
    return chosen, timed[chosen], best, timed[best], timed[chosen] / timed[best] - 1, rho


def say(n, k, m, verdict, tiles):
    chosen, chosen_us, best, best_us, loss, rho = verdict
    print(f"{n}x{k} M={m}: chosen {chosen} {chosen_us:.2f} us, best {best} {best_us:.2f} us, "
          f"loss {100 * loss:.1f} %, rank correlation {rho:.2f} of {tiles}", flush=True)


def by_tile(predicted):
    return {(int(t["tile_n"]), int(t["stages"])): t for t in predicted}


def run(args):
    import bench_bundles
    import cases
    import torch
    torch.manual_seed(0)
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}", flush=True)
    lines, good = [], 0
    planned = {}
    for case in cases.load_cases(args.folder, "tiles_"):
        with open(os.path.join(args.folder, case.name + ".tiles")) as file:
            planned[case.name] = json.load(file)
    working = probe_all(args.folder, {name: len(p["tiles"]) for name, p in planned.items()})
    for case in cases.load_cases(args.folder, "tiles_"):
        tiles = [tuple(t) for t in planned[case.name]["tiles"]]
        left_out = [t for i, t in enumerate(tiles) if i not in working[case.name]]
        if left_out:
            print(f"{case.name}: tiles that do not run and are left out: {left_out}", flush=True)
        n = case.n[0]
        for m in ROWS:
            seconds = 2.0 * m * n * case.k / 600e12
            calls = max(2, min(48, int(4e-3 / seconds)))
            sets = [case.parameters(seed=i)
                    for i in range(max(1, min(calls, bench_bundles.L2_BYTES // (n * case.k * 2) + 1)))]
            xs = [torch.randn(m, case.k, device="cuda").to(torch.bfloat16) for _ in sets]
            expected = reference(xs[0], sets[0]["weight"][0])
            graphs, alive = {}, []  # a program that is dropped unloads its kernels
            for i, (tile, variant) in enumerate(zip(tiles, case.step.variants)):
                if i not in working[case.name]:
                    continue
                one = case.only(variant)
                arguments = [case.arguments(x, values) for x, values in zip(xs, sets)]
                out = one(*arguments[0])
                out.fill_(float("nan"))
                one(*arguments[0], out=out)
                check(case, tile, out, expected)
                alive.append((one, arguments, out))
                graphs[tile] = bench_bundles.capture(
                    [lambda p=one, a=a, o=out: p(*a, out=o) for a in arguments], calls)
            measured = bench_bundles.measure(graphs, args.rounds)
            predicted = by_tile(planned[case.name]["predicted"][str(m)])
            predicted = {t: predicted[t] for t in predicted if t in measured}
            finalists = {*sorted(measured, key=measured.get)[:3],
                         judge_case(measured, measured, predicted)[0]}
            again = bench_bundles.measure({t: graphs[t] for t in finalists}, 3 * args.rounds)
            verdict = judge_case(measured, again, predicted)
            good += verdict[4] <= 0.05
            lines.append({"M": m, "N": n, "K": case.k, "tiles": [[*t, us] for t, us in measured.items()],
                          "again": [[*t, us] for t, us in again.items()]})
            say(n, case.k, m, verdict, len(measured))
            if args.json:
                with open(args.json, "w") as file:
                    json.dump(lines, file, indent=1)
            del graphs, alive, sets, xs
            torch.cuda.empty_cache()
    print(f"within 5 % of the best: {good} of {len(lines)}")


def judge(args):
    with open(args.json) as file:
        lines = json.load(file)
    good = 0
    for line in lines:
        measured = {tuple(t): us for *t, us in line["tiles"]}
        again = {tuple(t): us for *t, us in line["again"]}
        predicted = by_tile(plan(args.ff_plan, line["M"], line["N"], line["K"]))
        verdict = judge_case(measured, again, {t: p for t, p in predicted.items() if t in measured})
        good += verdict[4] <= 0.05
        say(line["N"], line["K"], line["M"], verdict, len(measured))
    print(f"within 5 % of the best: {good} of {len(lines)}")


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
    prober.add_argument("first", type=int)
    prober.add_argument("last", type=int)
    prober.set_defaults(run=probe)
    judged = modes.add_parser("judge")
    judged.add_argument("json")
    judged.add_argument("--ff-plan", default="build/bin/ff-plan")
    judged.set_defaults(run=judge)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
