#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""x and weights of 8 bits (f8E4M3FN): are they right, and how fast?

    f8.py make --out DIR [--ff-opt ff-opt]           where ff-opt is built
    f8.py check DIR [--rows 1,17,128,300,1000]       on the GPU
    f8.py bench DIR [--rows 1024,8192] [--json out.json]

`check` compares every kernel of every program with the dequantised program in float64: random rows,
rows with an outlier, of zeros, of ones, of tiny numbers; results poisoned before, equal bits in
further calls and for fewer rows. `bench` times kernels against bf16 ones, F.linear and
torch._scaled_mm (CUDA graphs over sets of weights larger than L2; burst and sustained), and whatever
other kernels of the same programs are in DIR as bench_NxK_try_*.ffb.
"""

import argparse
import glob
import json
import os
import random
import re
import subprocess
import sys
import time

F8 = "f8E4M3FN"
PIPELINE = [
    "--ff-prepare-host-functions",
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map",
    "--canonicalize", "--buffer-results-to-out-params=add-result-attr hoist-static-allocs "
    "hoist-dynamic-allocs modify-public-functions",
    "--ff-write-results-in-place", "--cse", "--ff-lower-to-nvgpu", "--ff-emit-ptx",
    "--emit=bundle"]
BENCH = [(8192, 8192), (6144, 4096), (28672, 4096), (4096, 14336)]
WIDTHS = [128, 160, 192, 256]
#: Name: norm ("" for none), N of each Linear, K, result, scales of rows and of columns ("row",
#: "one", ""), layout, whether two Linears make one result (SwiGLU).
PROGRAMS = {
    "plain": ("", [1024], 2048, "bf16", "row", "row", "nk", False),
    "long": ("", [512], 16384, "f16", "row", "row", "nk", False),
    "ragged": ("", [1000, 75], 1040, "f32", "row", "one", "nk", False),
    "tensor": ("", [640], 512, "f16", "one", "one", "nk", False),
    "bare": ("", [136], 272, "f32", "", "", "nk", False),
    "short": ("", [264], 48, "bf16", "row", "row", "nk", False),
    "rms": ("rms_norm", [1024, 256], 1536, "bf16", "row", "row", "nk", False),
    "l2": ("l2_norm", [192], 1040, "f16", "one", "row", "kn", False),
    "swiglu": ("", [1536, 1536], 1024, "bf16", "row", "row", "nk", True),
}
EPS = 1e-5


def program(norm, n, k, result, rows, columns, layout, pair, element=F8):
    """An ff.online: row factors as ff-decompose writes them."""
    x, outs = f"tensor<?x{k}x{element}>", [f"tensor<?x{e}x{result}>" for e in n[:1] if pair] or [
        f"tensor<?x{e}x{result}>" for e in n]
    arguments, taken = [("%x", x)], ""
    row, factor = [], []
    if rows:
        arguments.append(("%sx", "tensor<?xf32>" if rows == "row" else "tensor<1xf32>"))
    weights = [f"tensor<{e}x{k}x{element}>" if layout == "nk" else f"tensor<{k}x{e}x{element}>" for e in n]
    arguments += [(f"%w{i}", t) for i, t in enumerate(weights)]
    if columns:
        arguments += [(f"%s{i}", f"tensor<{e if columns == 'row' else 1}xf32>") for i, e in enumerate(n)]
        taken += f" columns({', '.join(f'%s{i}' for i in range(len(n)))})"
    statistic = {"rms_norm": "mean_square", "l2_norm": "sum_square"}.get(norm)
    if statistic:
        row.append("%q: f32")
    if rows:
        row.append("%s: f32")
        taken += " x_scale(%sx)"
        factor.append("%s")
    body = ""
    if statistic:
        body += f"    %eps = arith.constant {EPS:e} : f32\n"
        q = "%q"
        if rows:
            body += "    %s2 = arith.mulf %s, %s : f32\n    %q2 = arith.mulf %q, %s2 : f32\n"
            q = "%q2"
        if norm == "rms_norm":
            body += f"    %a = arith.addf {q}, %eps : f32\n    %r = math.rsqrt %a : f32\n"
        else:
            body += (f"    %a = math.sqrt {q} : f32\n    %b = arith.maximumf %a, %eps : f32\n"
                     "    %one = arith.constant 1.0 : f32\n    %r = arith.divf %one, %b : f32\n")
        if rows:
            body += "    %f = arith.mulf %r, %s : f32\n"
        factor = ["%f" if rows else "%r"]
    body += f"    ff.yield {factor[0]} : f32\n" if factor else "    ff.yield\n"
    head = f"  ^bb0({', '.join(row)}):\n" if row else ""

    def finalizer(linears):
        block = [f"%z{i}: f32" for i in linears]
        text, z = "", [f"%z{i}" for i in linears]
        if columns:
            block += [f"%c{i}: f32" for i in linears]
            text = "".join(f"    %y{i} = arith.mulf %z{i}, %c{i} : f32\n" for i in linears)
            z = [f"%y{i}" for i in linears]
        if pair:
            text += (f"    %one = arith.constant 1.0 : f32\n    %n = arith.negf {z[0]} : f32\n"
                     "    %e = math.exp %n : f32\n    %d = arith.addf %one, %e : f32\n"
                     f"    %g = arith.divf {z[0]}, %d : f32\n    %v = arith.mulf %g, {z[1]} : f32\n")
            z = ["%v"]
        if result != "f32":
            text += f"    %t = arith.truncf {z[0]} : f32 to {result}\n"
            z = ["%t"]
        return f"{{\n  ^bb0({', '.join(block)}):\n{text}    ff.yield {z[0]} : {result}\n  }}"

    groups = [list(range(len(n)))] if pair else [[i] for i in range(len(n))]
    owner = [0] * len(n) if pair else list(range(len(n)))
    attributes = [f"layouts = [{', '.join([f'#ff.layout<{layout}>'] * len(n))}]",
                  f"linears_of = [{', '.join(f'array<i64: {str(g)[1:-1]}>' for g in groups)}]",
                  f"statistics = [{f'#ff.statistic<{statistic}>' if statistic else ''}]"]
    if columns:
        attributes.append(f"column_of = array<i64: {str(owner)[1:-1]}>")
    types = [x, *weights, *[t for a, t in arguments if re.fullmatch(r"%s\d", a)],
             *[t for a, t in arguments if a == "%sx"], *outs]
    inits = "".join(f"  %o{i} = tensor.empty(%m) : {t}\n" for i, t in enumerate(outs))
    many = len(outs) > 1
    return (f"func.func @f({', '.join(f'{a}: {t}' for a, t in arguments)}) -> ({', '.join(outs)}) {{\n"
            f"  %first = arith.constant 0 : index\n  %m = tensor.dim %x, %first : {x}\n{inits}"
            f"  %r{f':{len(outs)}' if many else ''} = ff.online(%x)"
            f" weights({', '.join(f'%w{i}' for i in range(len(n)))}){taken}"
            f" outs({', '.join(f'%o{i}' for i in range(len(outs)))}) {{{', '.join(attributes)}}}\n"
            f"      : ({', '.join(types)}) -> ({', '.join(outs)})\n"
            f"  row {{\n{head}{body}  }} finalize {', '.join(map(finalizer, groups))}\n"
            f"  return {', '.join(f'%r#{i}' for i in range(len(outs))) if many else '%r'} : {', '.join(outs)}\n}}\n")


def call(command, text):
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr}\n{text}")
    return run.stdout


def make(args):
    os.makedirs(args.out, exist_ok=True)

    def write(name, text, widths=()):
        scheduled = call([args.ff_opt, "-", "--ff-schedule=chip=sm_90a"], text)
        if widths:  # one kernel of each width instead, and the last one, which serves everything
            ring = dict(zip(WIDTHS, (6, 5, 5, 4)))
            variants = ", ".join(
                f"#ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = {w}, tile_k = "
                f"{128 if F8 in text else 64}, stages = {ring[w]}, warps = 8, align = 16>" for w in widths)
            scheduled = re.sub(r"schedule = \[.*(#ff\.schedule<[^>]*>)\]",
                               lambda found: f"schedule = [{variants}, {found[1]}]", scheduled)
        with open(os.path.join(args.out, name + ".ffb"), "w") as file:
            file.write(call([args.ff_opt, "-", *PIPELINE], scheduled))
        print(name, flush=True)

    for name, what in PROGRAMS.items():
        write(f"check_{name}", program(*what))
    for n, k in BENCH:
        for name, rows in (("row", "row"), ("tensor", "one")):
            text = program("", [n], k, "bf16", rows, rows, "nk", False)
            write(f"bench_{n}x{k}_{name}", text, WIDTHS if (n, k, name) == (*BENCH[0], "row") else ())
        write(f"bench_{n}x{k}_rms", program("rms_norm", [n], k, "bf16", "row", "row", "nk", False))
        write(f"bench_{n}x{k}_bf16", program("", [n], k, "bf16", "", "", "nk", False, "bf16"))


#--- On the GPU ------------------------------------------------------------------#

#: Largest error of a row, and of a group of 8: docs/numerics.md.
CAPS = {"bf16": 4e-3, "f16": 1e-3, "f32": 1e-3}


def load(path):
    from cases import Program
    from flashfusion.runtime import Bundle
    bundle = Bundle.read(path)
    return bundle, Program(bundle)


def only(bundle, variant):
    """A program that knows one of the variants."""
    import dataclasses

    from cases import Program
    info = next(iter(bundle.functions.values()))
    step = dataclasses.replace(info.steps[0], variants=(variant,))
    info = dataclasses.replace(info, steps=(step,))
    return Program(dataclasses.replace(bundle, functions={info.name: info}))


def quantised(shape, scale=30.0):
    import torch
    values = torch.randn(*shape, device="cuda") * scale
    return values.clamp(-448, 448).to(torch.float8_e4m3fn)


def hard_rows(rows, k):
    """x of 8 bits, rows of several kinds."""
    import torch
    x = torch.randn(rows, k, device="cuda") * 30
    kind = torch.arange(rows, device="cuda") % 7
    x[kind == 1] = x[kind == 1] / 30
    x[kind == 2, 0] = 448
    x[kind == 3, k // 2] = -448
    x[kind == 4] = 0
    x[kind == 5] = 1 + x[kind == 5] / 300
    x[kind == 6] = x[kind == 6] / 15000  # subnormal ones
    return x.clamp(-448, 448).to(torch.float8_e4m3fn)


def inputs(what, rows):
    import torch
    norm, n, k, result, of_rows, of_columns, layout, pair = what
    x = hard_rows(rows, k)
    args, scale = [x], None
    if of_rows:
        scale = (0.5 + torch.rand(rows if of_rows == "row" else 1, device="cuda")) / 30
        args.append(scale)
    weights = [quantised((e, k) if layout == "nk" else (k, e), 100) for e in n]
    columns = [(0.5 + torch.rand(e if of_columns == "row" else 1, device="cuda")) / (100 * k ** 0.5)
               for e in n] if of_columns else []
    h = x.double() * (scale.double()[:, None] if of_rows else 1)
    if norm == "rms_norm":
        h = h * torch.rsqrt(h.pow(2).mean(1, keepdim=True) + EPS)
    elif norm == "l2_norm":
        h = h / h.pow(2).sum(1, keepdim=True).sqrt().clamp_min(EPS)
    y = []
    for i, w in enumerate(weights):
        wide = w.double() if layout == "nk" else w.double().t()
        y.append(h @ wide.t() * (columns[i].double() if of_columns else 1))
    if pair:
        y = [torch.nn.functional.silu(y[0]) * y[1]]
    return [*args, *weights, *columns], y


def check(args):
    import torch
    failed = ran = 0
    worst = {}
    for name, what in PROGRAMS.items():
        bundle, _ = load(os.path.join(args.folder, f"check_{name}.ffb"))
        variants = next(iter(bundle.functions.values())).steps[0].variants
        programs = [(v, only(bundle, v)) for v in variants]
        for rows in args.rows:
            arguments, want = inputs(what, rows)
            for variant, program in programs:
                if not variant.serves(rows, 0) or ("simt" in variant.kernel and rows > 300):
                    continue
                outs = [torch.full(y.shape, float("nan"), device="cuda", dtype={
                    "bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}[what[3]])
                    for y in want]
                program(*arguments, out=outs)
                first = [o.clone() for o in outs]
                same = True
                for _ in range(args.replays):
                    for o in outs:
                        o.fill_(float("nan"))
                    program(*arguments, out=outs)
                    same &= all(torch.equal(a, b) for a, b in zip(first, outs))
                error = group = 0.0
                for got, y in zip(first, want):
                    norm = y.norm(dim=1)
                    live = norm > 0
                    difference = got.double() - y
                    rowed = torch.where(live, difference.norm(dim=1) / norm.clamp_min(1e-300),
                                        difference.norm(dim=1))
                    error = max(error, rowed.nan_to_num(float("inf")).max().item())
                    n = y.shape[1] // 8 * 8
                    groups = [t[:, :n].view(rows, -1, 8).pow(2).mean(2).sqrt() for t in (difference, y)]
                    size = (norm / y.shape[1] ** 0.5).clamp_min(1e-300)[:, None]
                    eight = groups[0] / torch.maximum(groups[1], size)
                    group = max(group, eight[live].max().item() if live.any() else 0.0)
                cap = CAPS[what[3]]
                good = error <= cap and group <= 3 * cap and same
                ran += 1
                failed += not good
                kind = "simt" if "simt" in variant.kernel else "wgmma"
                worst[name, kind] = max(worst.get((name, kind), 0), error)
                if not good:
                    print(f"WRONG {name} {variant.kernel} M={rows}: row {error:.2e} of {cap:.0e}, group "
                          f"{group:.2e}, same bits {same}", flush=True)
    for (name, kind), error in worst.items():
        print(f"  {name:8} {kind:6} {PROGRAMS[name][3]:5} largest row error {error:.2e}")
    print(f"{ran - failed} of {ran} right", flush=True)
    return failed


def graph_of(calls, least):
    import torch
    for c in calls:
        c()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    repeats = max(1, least // len(calls))
    with torch.cuda.graph(graph):
        for _ in range(repeats):
            for c in calls:
                c()
    return graph, repeats * len(calls)


def medians(graphs, rounds, sustained):
    import torch
    times = {name: [] for name in graphs}
    for number in range(rounds + 1):
        for name in random.sample(list(graphs), len(graphs)):
            graph, calls = graphs[name]
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            if sustained:
                until = time.perf_counter() + 0.08
                while time.perf_counter() < until:
                    graph.replay()
                    torch.cuda.synchronize()
            else:
                torch.cuda.synchronize()
                time.sleep(0.015)
            start.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            if number:
                times[name].append(start.elapsed_time(end) * 1e3 / calls)
    return {name: sorted(t)[len(t) // 2] for name, t in times.items()}


def bench(args):
    import torch
    import torch.nn.functional as F
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}", flush=True)
    lines = []
    for path in sorted(glob.glob(os.path.join(args.folder, "bench_*_row.ffb")),
                       key=lambda p: [f"bench_{n}x{k}_" in p for n, k in BENCH].index(True)):
        stem = path[:-len("row.ffb")]
        n, k = map(int, re.search(r"bench_(\d+)x(\d+)_", path).groups())
        loaded = {name: load(stem + name + ".ffb") for name in ("row", "tensor", "rms", "bf16")
                  if os.path.exists(stem + name + ".ffb")}
        extra = {os.path.basename(p)[len(os.path.basename(stem)):-4]: load(p)
                 for p in glob.glob(stem + "try_*.ffb")}
        for rows in args.rows:
            count = max(2, min(12, (160 << 20) // (n * k) + 1))
            x = quantised((rows, k))
            sx, one = torch.rand(rows, device="cuda") / 30 + 0.01, torch.full((1,), 0.03, device="cuda")
            sw = torch.rand(n, device="cuda") / 1000 + 0.001
            weights = [quantised((n, k), 100) for _ in range(count)]
            wide, xw = [(w.float() * 0.001).bfloat16() for w in weights], (x.float() * 0.03).bfloat16()
            calls = {"cuBLAS bf16": [lambda w=w: F.linear(xw, w) for w in wide]}

            def add(name, program, arguments):
                out = program(*arguments(weights[0], wide[0]))
                calls[name] = [lambda p=program, a=arguments(w, v): p(*a, out=out, dependent_launch=False)
                               for w, v in zip(weights, wide)]

            def rowwise(w, v):
                return [x, sx, w, sw]
            for name, (bundle, whole) in {**loaded, **extra}.items():
                arguments = {"tensor": lambda w, v: [x, one, w, one], "bf16": lambda w, v: [xw, v]}.get(
                    name, rowwise)
                variants = next(iter(bundle.functions.values())).steps[0].variants
                serving = [v for v in variants if v.serves(rows, 0) and "prefill" in v.kernel]
                if name in ("row", *extra) and len(serving) > 1:
                    for variant in serving:
                        width = 128 * variant.tiles_n and -(-n // variant.tiles_n)
                        add(f"{name} {width}", only(bundle, variant), arguments)
                else:
                    add(name, whole, arguments)
            for fast in (False, True):
                calls[f"_scaled_mm tensor{' fast' if fast else ''}"] = [
                    lambda w=w, f=fast: torch._scaled_mm(x, w.t(), scale_a=one, scale_b=one,
                                                         out_dtype=torch.bfloat16, use_fast_accum=f)
                    for w in weights]
                calls[f"_scaled_mm row{' fast' if fast else ''}"] = [
                    lambda w=w, f=fast: torch._scaled_mm(x, w.t(), scale_a=sx[:, None], scale_b=sw[None, :],
                                                         out_dtype=torch.bfloat16, use_fast_accum=f)
                    for w in weights]
            least = max(4, int(3000 / (2 * rows * n * k / 1e9)))
            graphs = {}
            for name, list_ in calls.items():
                try:
                    graphs[name] = graph_of(list_, least)
                except Exception as error:  # a contender that does not run is reported
                    print(f"no {name}: {str(error).splitlines()[0]}"[:200], flush=True)
                    torch.cuda.synchronize()
            for sustained in (False, True):
                us = medians(graphs, args.rounds, sustained)
                how = "sustained" if sustained else "burst"
                lines.append({"M": rows, "N": n, "K": k, "how": how, "us": us})
                print(f"{rows} x {n} x {k} {how}: " + ", ".join(
                    f"{name} {t:.1f} ({2e-6 * rows * n * k / t:.0f})" for name, t in us.items()), flush=True)
            del graphs, calls
            torch.cuda.empty_cache()
            if args.json:
                with open(args.json, "w") as file:
                    json.dump(lines, file, indent=1)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    maker = parts.add_parser("make")
    maker.add_argument("--out", required=True)
    maker.add_argument("--ff-opt", default="build/bin/ff-opt")
    maker.set_defaults(call=make)
    checker = parts.add_parser("check")
    checker.add_argument("folder")
    checker.add_argument("--rows", type=lambda s: [int(m) for m in s.split(",")], default=[1, 17, 128, 300, 1000])
    checker.add_argument("--replays", type=int, default=8)
    checker.set_defaults(call=check)
    timer = parts.add_parser("bench")
    timer.add_argument("folder")
    timer.add_argument("--rows", type=lambda s: [int(m) for m in s.split(",")], default=[1024, 8192])
    timer.add_argument("--rounds", type=int, default=5)
    timer.add_argument("--json")
    timer.set_defaults(call=bench)
    args = parser.parse_args()
    return args.call(args)


if __name__ == "__main__":
    sys.exit(main())
