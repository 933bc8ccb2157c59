#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an epilogue costs in the finalizer, against none.

    epilogues.py make --out DIR [--ff-opt ff-opt] [--chip sm_90a]     where ff-opt is built
    epilogues.py run DIR [--rows 1024,4096] [--json out.json]         on the GPU

RMSNorm + Linear with 6144 x 4096 weights (SwiGLU: two Linears of 3072). `run` compares each
with float64 (every row within 5e-3) and prints microseconds per call, from CUDA graphs over sets of
weights larger than L2, and the ratio to F.linear alone.
"""

import argparse
import json
import os
import subprocess
import sys

N, K = 6144, 4096
PIPELINE = [
    "--ff-prepare-host-functions",
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map",
    "--canonicalize", "--buffer-results-to-out-params=add-result-attr hoist-static-allocs "
    "hoist-dynamic-allocs modify-public-functions",
    "--ff-write-results-in-place", "--cse", "--ff-lower-to-nvgpu", "--ff-emit-ptx",
    "--emit=bundle"]

BIAS = """    %cw = arith.extf %bias : bf16 to f32
    %b = arith.addf %z0, %cw : f32
"""
GELU = """    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %f = arith.addf %e, %one : f32
    %h = arith.mulf %b, %half : f32
    %v = arith.mulf %h, %f : f32
"""
#: Name: how many Linears, what the finalizer takes besides their z, its body up to %v.
FORMS = {
    "none": (1, "", "    %one = arith.constant 1.0 : f32\n    %v = arith.mulf %z0, %one : f32\n"),
    "bias": (1, "column", BIAS + "    %zero = arith.constant -0.0 : f32\n"
             "    %v = arith.addf %b, %zero : f32\n"),
    "gelu": (1, "column", BIAS + "    %root = arith.constant 0.707106781 : f32\n"
             "    %u = arith.mulf %b, %root : f32\n    %e = math.erf %u : f32\n" + GELU),
    "gelu_tanh": (1, "column", BIAS + """    %root = arith.constant 0.797884561 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %b2 = arith.mulf %b, %b : f32
    %b3 = arith.mulf %b2, %b : f32
    %s = arith.mulf %b3, %cubic : f32
    %w = arith.addf %b, %s : f32
    %u = arith.mulf %w, %root : f32
    %e = math.tanh %u : f32
""" + GELU),
    "swiglu": (2, "", """    %one = arith.constant 1.0 : f32
    %n = arith.negf %z0 : f32
    %e = math.exp %n : f32
    %d = arith.addf %one, %e : f32
    %silu = arith.divf %z0, %d : f32
    %v = arith.mulf %silu, %z1 : f32
"""),
    "residual": (1, "tile", "    %tw = arith.extf %residual : bf16 to f32\n"
                 "    %v = arith.addf %z0, %tw : f32\n"),
}


def program(linears, extra, body):
    n = N // linears
    y = f"tensor<?x{n}xbf16>"
    args = [("%x", f"tensor<?x{K}xbf16>")]
    args += [(f"%w{i}", f"tensor<{n}x{K}xbf16>") for i in range(linears)]
    taken, attributes, block = "", "", [f"%z{i}: f32" for i in range(linears)]
    if extra == "column":
        args.append(("%c", f"tensor<{n}xbf16>"))
        taken, attributes = " columns(%c)", "column_of = array<i64: 0>, "
        block.append("%bias: bf16")
    if extra == "tile":
        args.append(("%t", y))
        taken, attributes = " tiles(%t)", "tile_of = array<i64: 0>, "
        block.append("%residual: bf16")
    weights = ", ".join(f"%w{i}" for i in range(linears))
    numbers = ", ".join(str(i) for i in range(linears))
    layouts = ", ".join(["#ff.layout<nk>"] * linears)
    return f"""func.func @f({", ".join(f"{a}: {t}" for a, t in args)}) -> {y} {{
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : {args[0][1]}
  %out = tensor.empty(%m) : {y}
  %r = ff.online(%x) weights({weights}){taken} outs(%out)
      {{layouts = [{layouts}], linears_of = [array<i64: {numbers}>], {attributes}statistics = [#ff.statistic<mean_square>]}}
      : ({", ".join(t for _, t in args)}, {y}) -> {y}
  row {{
  ^bb0(%q: f32):
    %eps = arith.constant 1.0e-5 : f32
    %a = arith.addf %q, %eps : f32
    %s = math.rsqrt %a : f32
    ff.yield %s : f32
  }} finalize {{
  ^bb0({", ".join(block)}):
{body}    %rounded = arith.truncf %v : f32 to bf16
    ff.yield %rounded : bf16
  }}
  return %r : {y}
}}
"""


def make(args):
    os.makedirs(args.out, exist_ok=True)
    for name, form in FORMS.items():
        text = program(*form)
        for step in ([f"--ff-schedule=chip={args.chip}"], PIPELINE):
            made = subprocess.run([args.ff_opt, "-"] + step, input=text, capture_output=True, text=True)
            if made.returncode:
                sys.exit(f"{name}: {made.stderr}")
            text = made.stdout
        with open(os.path.join(args.out, name + ".ffb"), "w") as file:
            file.write(text)


def run(args):
    import torch
    import torch.nn.functional as F

    from bench_bundles import L2_BYTES, capture, measure  # knows where flashfusion is
    from flashfusion.runtime import Bundle, Program
    apply = {
        "none": lambda z, c, t: z[0], "bias": lambda z, c, t: z[0] + c,
        "gelu": lambda z, c, t: F.gelu(z[0] + c),
        "gelu_tanh": lambda z, c, t: F.gelu(z[0] + c, approximate="tanh"),
        "swiglu": lambda z, c, t: F.silu(z[0]) * z[1], "residual": lambda z, c, t: z[0] + t}
    programs = {name: Program(Bundle.read(os.path.join(args.folder, name + ".ffb"))) for name in FORMS}

    def random(*shape):
        return torch.randn(*shape, device="cuda").bfloat16()
    weights = [random(N, K) / K ** 0.5 for _ in range(L2_BYTES // (N * K * 2) + 1)]
    column, results, failed = random(N), {}, False
    for rows in args.rows:
        x, tile = random(rows, K), random(rows, N)
        h = x.double() * torch.rsqrt(x.double().pow(2).mean(1, keepdim=True) + 1e-5)
        calls = {"linear": [lambda w=w: F.linear(x, w) for w in weights]}
        for name, (linears, extra, _) in FORMS.items():
            more = {"column": [column], "tile": [tile]}.get(extra, [])
            lists = [[x, *w.chunk(linears), *more] for w in weights]
            out = programs[name](*lists[0])
            z = [h @ w.double().t() for w in weights[0].chunk(linears)]
            want = apply[name](z, column.double(), tile.double())
            error = ((out.double() - want).norm(dim=1) / want.norm(dim=1)).max().item()
            if not error < 5e-3:
                print(f"WRONG {name} M={rows}: {error:.2e}", flush=True)
                failed = True
            calls[name] = [lambda p=programs[name], a=a, o=out: p(*a, out=o, dependent_launch=False)
                           for a in lists]
        medians = measure({name: capture(list_) for name, list_ in calls.items()}, args.rounds)
        results[rows] = medians
        print(f"M={rows} " + " ".join(f"{name} {us:.2f} ({us / medians['linear']:.3f})"
                                      for name, us in medians.items()), flush=True)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results, file, indent=1)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    maker = parts.add_parser("make")
    maker.add_argument("--out", required=True)
    maker.add_argument("--ff-opt", default="build/bin/ff-opt")
    maker.add_argument("--chip", default="sm_90a")
    maker.set_defaults(call=make)
    runner = parts.add_parser("run")
    runner.add_argument("folder")
    runner.add_argument("--rows", type=lambda s: [int(m) for m in s.split(",")], default=[1024, 4096])
    runner.add_argument("--rounds", type=int, default=7)
    runner.add_argument("--json")
    runner.set_defaults(call=run)
    args = parser.parse_args()
    return args.call(args)


if __name__ == "__main__":
    sys.exit(main())
