#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times bundles on a GPU: bench_bundles.py FOLDER [--json out.json].

Microseconds per call, from CUDA graphs of about 48 calls that rotate through
sets of weights larger together than 256 MB (more than L2 holds), median of the
rounds, order shuffled in every round:
  ours      the bundle's choice of kernel, plain launches
  ours pdl  the same with programmatic dependent launch between the calls
  linear    F.linear alone on all Linears' weights as one, no norm
  eager     the norm, then F.linear on all weights as one
  eager n   the norm, then one F.linear per Linear (where there are several)
and with --variants every kernel that serves the number of rows. Weights of 8 bits are
dequantised for the others, to the type of x. See cases.py for the case files.
"""

import argparse
import json
import random
import sys

import torch
import torch.nn.functional as F

import cases
import reference as ref

L2_BYTES = 256 << 20


def capture(calls, least=48):
    """A graph that makes all calls, repeated to at least `least`; calls per replay."""
    repeats = max(1, least // len(calls))
    for call in calls:
        call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(repeats):
            for call in calls:
                call()
    return graph, repeats * len(calls)


def measure(graphs, rounds):
    """Median microseconds per call of every graph."""
    times = {name: [] for name in graphs}
    for r in range(rounds + 2):
        for name in random.sample(list(graphs), len(graphs)):
            graph, calls = graphs[name]
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            graph.replay()  # settle into this kernel's own state
            start.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            if r >= 2:
                times[name].append(start.elapsed_time(end) * 1e3 / calls)
    return {name: sorted(t)[len(t) // 2] for name, t in times.items()}


def eager_norm(case, x, values):
    k = (case.k,)
    gain = values["gain"][0].to(x.dtype) if values["gain"] else None
    shift = values["shift"][0].to(x.dtype) if values["shift"] else None
    if case.kind == "layer_norm":
        return lambda: F.layer_norm(x, k, gain, shift, case.eps)
    if case.kind == "l2_norm":
        return lambda: F.normalize(x, dim=1, eps=case.eps)
    if case.kind == "none":
        return lambda: x
    return lambda: F.rms_norm(x, k, gain, case.eps)


def calls_for(case, rows, sets):
    """Lists of calls, one per set of weights, by name."""
    shape = case.shape_of_x(rows)
    dtype = cases.DTYPES[case.x.type]
    xs = [torch.randn(rows, case.k, device=cases.DEVICE).to(dtype) for _ in sets]
    ours = cases.Program(case.bundle)
    found = {name: [] for name in ("ours", "ours pdl", "linear", "eager", "eager n")}
    for x, values in zip(xs, sets):
        args = case.arguments(x.view(shape), values)
        out = ours(*args)
        found["ours"].append(lambda a=args, o=out: ours(*a, out=o, dependent_launch=False))
        found["ours pdl"].append(lambda a=args, o=out: ours(*a, out=o, dependent_launch=True))
        weights = [ref.weight(case, values, l, dtype) for l in range(len(case.weights))]
        biases = [None if b is None else values["column"][b].to(dtype) for b in case.biases]
        joined = weights[0] if len(weights) == 1 else torch.cat(weights).contiguous()
        bias = None if None in biases else torch.cat(biases)
        norm = eager_norm(case, x, values)
        found["linear"].append(lambda x=x, w=joined, b=bias: F.linear(x, w, b))
        found["eager"].append(lambda n=norm, w=joined, b=bias: F.linear(n(), w, b))
        if len(weights) > 1:
            def separate(n=norm, ws=weights, bs=biases):
                h = n()
                return [F.linear(h, w, b) for w, b in zip(ws, bs)]
            found["eager n"].append(separate)
    kernel = ours.only().variant(*args)
    return {name: calls for name, calls in found.items() if calls}, kernel, xs


def bench(case, rows, options):
    weight_bytes = sum(w.element_size() * w.numel() for w in case.parameters()["weight"])
    count = max(2, min(48, L2_BYTES // weight_bytes + 1))
    sets = [case.parameters(seed=i) for i in range(count)]
    calls, kernel, xs = calls_for(case, rows, sets)
    if options.variants:
        for variant in case.step.variants:
            if variant.serves(rows, 0) and variant.kernel != kernel:
                program = case.only(variant)
                calls[variant.kernel] = []
                for x, values in zip(xs, sets):
                    args = case.arguments(x.view(case.shape_of_x(rows)), values)
                    out = program(*args)
                    calls[variant.kernel].append(lambda p=program, a=args, o=out: p(*a, out=o))
    medians = measure({name: capture(list_) for name, list_ in calls.items()}, options.rounds)
    ours = medians["ours"]
    moved = weight_bytes + rows * (case.k + sum(case.n)) * (4 if case.x.type == "f32" else 2)
    line = {"case": case.name, "M": rows, "K": case.k, "N": sum(case.n), "kernel": kernel,
            "us": medians, "TB/s": moved / ours / 1e6,
            "TFLOPS": 2 * rows * case.k * sum(case.n) / ours / 1e6}
    print(f"{case.name:32} M={rows:<5} {kernel:30} "
          + " ".join(f"{n} {t:8.2f}" for n, t in medians.items())
          + f" | {line['TB/s']:5.2f} TB/s {line['TFLOPS']:6.1f} TFLOPS"
          + f" | ours/linear {ours / medians['linear']:5.2f} ours/eager {ours / medians['eager']:5.2f}"
          + f" pdl/eager {medians['ours pdl'] / medians['eager']:5.2f}", flush=True)
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--only", default="", help="only bundles whose path contains this")
    parser.add_argument("--rows", type=lambda s: [int(m) for m in s.split(",")])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--variants", action="store_true", help="also time the other kernels")
    parser.add_argument("--json", help="write the results to this file")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(0)
    random.seed(0)
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}", flush=True)
    lines = []
    for case in cases.load_cases(options.folder, options.only):
        for rows in case.row_counts(options.rows or case.bench_rows or [1, 8, 16, 64, 1024, 4096]):
            lines.append(bench(case, rows, options))
            torch.cuda.empty_cache()
    if options.json:
        with open(options.json, "w") as file:
            json.dump(lines, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
