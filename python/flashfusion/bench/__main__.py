# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m flashfusion.bench decode|prefill [options]

Times fused kernels of real models' shapes on this machine's GPU against PyTorch and Triton, in
CUDA graphs that rotate through more weights than L2 holds, contenders shuffled in every
round, medians. Every result is appended to the JSON file at once; a run that was stopped goes
on where it was, and later runs add to it.

The floor is what has to be moved / BANDWIDTH + LAUNCH, or the arithmetic / PEAK if that
is more.

`decode --chain` times layers that depend on each other: each normalizes the result of the one
before. Times and floor are those of a layer.
"""

import argparse
import random
import sys
import time
from typing import Any, List

from . import measure, report, shapes

DEFAULT = {"decode": "ours,ours pdl,gemm,eager,compile,triton",
           "prefill": "ours,unpacked,gemm,eager,compile"}


def parse(arguments: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m flashfusion.bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", choices=["decode", "prefill"])
    parser.add_argument("--cases", default="gate",
                        help="gate (a few that stand for all), all, or parts of names: 'Qwen3,head'")
    parser.add_argument("--chain", action="store_true",
                        help=f"decode: a dependent chain of {shapes.CHAIN_LAYERS} layers "
                        f"{shapes.CHAIN.k}x{shapes.CHAIN.n[0]} instead of cases")
    parser.add_argument("--rows", help="numbers of rows: 1,8,64")
    parser.add_argument("--against", help="contenders, separated by commas (default: "
                        + "; ".join(f"{b}: {n}" for b, n in DEFAULT.items()) + "); there is "
                        "also max-autotune")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", default="flashfusion-bench.jsonl", help="results file")
    parser.add_argument("--plot", help="SVG file to write")
    parser.add_argument("--again", action="store_true", help="measure what the file has, too")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--bandwidth", type=float, default=4.4, help="TB/s of the floor (H200)")
    parser.add_argument("--launch", type=float, default=0.57, help="us of the floor (H200)")
    parser.add_argument("--peak", type=float, default=790, help="TFLOP/s of the floor (H200)")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    options = parser.parse_args(arguments)
    if options.chain and options.bench != "decode":
        parser.error("--chain is for decode")
    return options


def floor_of(case: shapes.Case, rows: int, options: argparse.Namespace) -> float:
    moved = case.moved_bytes(rows) / options.bandwidth / 1e6 + options.launch
    return max(moved, 2.0 * rows * case.k * sum(case.n) / options.peak / 1e6)


def bench_one(case: shapes.Case, rows: int, names: List[str], options: argparse.Namespace,
              device: str) -> None:
    import torch

    from .contenders import Chain, Contenders, make_weights
    count = shapes.CHAIN_LAYERS if options.chain else measure.sets_for(case.weight_bytes)
    sets = [make_weights(case, rows, seed) for seed in range(count)]
    contenders = (Chain if options.chain else Contenders)(case, rows, sets)
    layers = count if options.chain else 1  # of a call
    graphs, missing, kept = {}, {}, []
    for name in names:
        try:
            calls = contenders.calls(name)
            kept.append(calls)  # with the programs whose kernels the graphs launch
            least = 48 // layers if options.bench == "decode" else max(count, 4)
            graph, number = measure.capture(calls, least)
            graphs[name] = graph, number * layers
        except Exception as error:  # a contender that does not run is reported, not fatal
            missing[name] = f"{type(error).__name__}: {error}".splitlines()[0][:300]
            torch.cuda.synchronize()
    base = {"bench": options.bench, "device": device, "date": report.today(), "case": case.name,
            "M": rows, "K": case.k, "N": sum(case.n), "act": case.act, "norm": case.norm,
            "floor": floor_of(case, rows, options), "missing": missing}
    if "ours" in graphs:
        base["kernel"] = contenders.kernel()
        base["error"] = contenders.error()
    ways = ["rotated"] if options.bench == "decode" else ["burst", "sustained"]
    for how in ways:
        us = measure.medians(graphs, options.rounds, how)
        report.append(options.json, {**base, "how": how, "us": us})


def main(arguments: List[str]) -> int:
    options = parse(arguments)
    cases = ([shapes.CHAIN] if options.chain else
             shapes.select(options.bench, options.cases))
    rows = ([int(m) for m in options.rows.split(",")] if options.rows else
            shapes.CHAIN_ROWS if options.chain else
            (shapes.ROWS if options.cases == "all" else shapes.GATE_ROWS)[options.bench])
    names = [n.strip() for n in (options.against or DEFAULT[options.bench]).split(",")]
    if options.list or not cases:
        for case in cases or shapes.CASES:
            print(f"{case.name:24} {case.norm:10} K={case.k:<6} N={'+'.join(map(str, case.n)):16} "
                  f"{'bias ' if case.bias else ''}{case.act}")
        return 0 if cases else 1
    try:
        import torch
    except ImportError:
        print("the bench needs torch", file=sys.stderr)
        return 1
    if not torch.cuda.is_available():
        print("the bench needs a CUDA GPU", file=sys.stderr)
        return 1
    from .contenders import NAMES
    unknown = [n for n in names if n not in NAMES]
    if unknown:
        print(f"unknown contender {unknown[0]!r}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 1
    random.seed(0)
    torch.backends.cuda.matmul.allow_tf32 = False
    device = torch.cuda.get_device_name()

    done = {(l["case"], l["M"], n) for l in report.read(options.json)
            if l["device"] == device and l["bench"] == options.bench for n in l["us"]}
    work: List[Any] = []
    for case in cases:
        for m in rows:
            left = [n for n in names if options.again or (case.name, m, n) not in done]
            if left:
                work.append((case, m, names if "ours" in left else ["ours", *left]))
    start = time.perf_counter()
    for number, (case, m, left) in enumerate(work):
        passed = time.perf_counter() - start
        if passed > options.seconds:
            print(f"{len(work) - number} of {len(work)} are left for another run", file=sys.stderr)
            break
        filled = 30 * number // len(work)
        print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {number}/{len(work)} {passed:.0f} s  "
              f"{case.name} M={m}".ljust(100), end="", file=sys.stderr, flush=True)
        bench_one(case, m, left, options, device)
        torch.cuda.empty_cache()
    print("\r" + " " * 100 + "\r", end="", file=sys.stderr)

    chosen = {(c.name, m) for c in cases for m in rows}
    lines = [l for l in report.merge(report.read(options.json))
             if l["bench"] == options.bench and (l["case"], l["M"]) in chosen]
    print(f"{device}, torch {torch.__version__}; microseconds")
    print(report.table(lines))
    for line in lines:
        for name, why in line.get("missing", {}).items():
            print(f"{line['case']} M={line['M']}: no {name}: {why}")
    if options.plot:
        with open(options.plot, "w", encoding="utf-8") as file:
            file.write(report.plot(lines, f"{options.bench} on {device}"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
