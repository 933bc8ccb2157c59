# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile the cases that check_bundles.py and bench_bundles.py run on a GPU.

    make_cases.py --out DIR [--ff-opt build/bin/ff-opt] [--chips sm_90a,sm_80] [--only REGEX] [--bench] [FILE.mlir ...]

Without files: a matrix of norms, types, layouts and ragged extents, written as
ff.norm_linear. With files: programs from frontends; what they hold (kind, eps,
layouts) is read off the output of --ff-raise. Every case becomes
DIR/NAME.CHIP.ffb and DIR/NAME.CHIP.json (see cases.py). A file whose function
does more than fused kernels is reported and left out.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field


@dataclass
class Norm:
    """y_l = norm(x) W_l (+ bias_l); `kn` holds the Linears whose weight is [K, N]."""
    name: str
    kind: str
    type: str
    k: int
    n: list
    gain: str = ""           # element type, or none
    shift: str = ""
    bias: str = ""
    kn: tuple = ()
    eps: float = 1e-5
    gain_offset: float = 0.0
    tf32: bool = False
    weights: str = ""        # element type: that of x, or f8E4M3FN
    scale: str = ""          # element type, or none
    per_tensor: tuple = ()   # Linears whose scale is one number
    rows: list = field(default_factory=list)

    def mlir(self):
        args, types = ["%x"], [f"tensor<?x{self.k}x{self.type}>"]

        def add(name, type_):
            args.append(name)
            types.append(type_)
            return name
        text = f"ff.norm_linear {self.kind}(%x)"
        if self.gain:
            text += f" gain({add('%g', f'tensor<{self.k}x{self.gain}>')})"
        if self.shift:
            text += f" shift({add('%s', f'tensor<{self.k}x{self.shift}>')})"
        shapes = [f"{self.k}x{n}" if i in self.kn else f"{n}x{self.k}" for i, n in enumerate(self.n)]
        text += " weights(" + ", ".join(
            add(f"%w{i}", f"tensor<{s}x{self.weights or self.type}>") for i, s in enumerate(shapes)) + ")"
        attributes = [f"eps = {self.eps:e} : f64", "layouts = [" + ", ".join(
            f"#ff.layout<{'kn' if i in self.kn else 'nk'}>" for i in range(len(self.n))) + "]"]
        if self.scale:
            text += " scales(" + ", ".join(
                add(f"%q{i}", f"tensor<{1 if i in self.per_tensor else n}x{self.scale}>")
                for i, n in enumerate(self.n)) + ")"
            attributes.append(f"scale_of = array<i64: {', '.join(map(str, range(len(self.n))))}>")
        if self.bias:
            text += " biases(" + ", ".join(
                add(f"%c{i}", f"tensor<{n}x{self.bias}>") for i, n in enumerate(self.n)) + ")"
            attributes.append(f"bias_of = array<i64: {', '.join(map(str, range(len(self.n))))}>")
        if self.gain_offset:
            attributes.append(f"gain_offset = {self.gain_offset:e} : f64")
        outs = ", ".join(f"tensor<?x{n}x{self.type}>" for n in self.n)
        results = ", ".join(f"%r#{i}" for i in range(len(self.n))) if len(self.n) > 1 else "%r"
        head = "%r" if len(self.n) == 1 else f"%r:{len(self.n)}"
        sig = ", ".join(f"{a}: {t}" for a, t in zip(args, types))
        return (f"func.func @{self.name}({sig}) -> ({outs}) {{\n  {head} = {text} {{{', '.join(attributes)}}}\n"
                f"    : ({', '.join(types)}) -> ({outs})\n  return {results} : {outs}\n}}\n")


CASES = [
    Norm("rms_qkv_4096", "rms_norm", "bf16", 4096, [4096, 1024, 1024], gain="f32"),
    Norm("rms_qkv_512", "rms_norm", "f16", 512, [512, 128, 128], gain="f16", eps=1e-6),
    Norm("rms_plain_4096", "rms_norm", "bf16", 4096, [6144]),
    Norm("rms_long", "rms_norm", "bf16", 14336, [512], gain="bf16"),
    Norm("rms_tiny", "rms_norm", "bf16", 40, [72], gain="bf16"),
    Norm("rms_kn", "rms_norm", "f16", 1536, [256, 75], kn=(0, 1), gain="f16"),
    Norm("rms_mixed", "rms_norm", "bf16", 1032, [96, 1000], kn=(1,)),
    Norm("gemma", "rms_norm", "bf16", 256, [384, 384], gain="bf16", gain_offset=1.0, eps=1e-6),
    Norm("ln_bert", "layer_norm", "bf16", 1024, [3072], gain="f32", shift="f32", bias="bf16", eps=1e-12),
    Norm("ln_gpt2", "layer_norm", "f16", 768, [2304], gain="f16", shift="f16", bias="f16", kn=(0,)),
    Norm("ln_ragged", "layer_norm", "bf16", 200, [75], gain="bf16", shift="bf16", bias="bf16"),
    Norm("ln_odd", "layer_norm", "f16", 97, [75], gain="f16", shift="f16", bias="f16"),
    Norm("rms_odd", "rms_norm", "bf16", 333, [129], gain="bf16"),
    Norm("ln_plain", "layer_norm", "bf16", 1032, [1000]),
    Norm("l2", "l2_norm", "bf16", 256, [192], eps=1e-12),
    Norm("rms_f32", "rms_norm", "f32", 512, [512, 128, 128], gain="f32"),
    Norm("ln_f32", "layer_norm", "f32", 200, [75], gain="f32", shift="f32", bias="f32", kn=(0,)),
    Norm("ln_f32_1536", "layer_norm", "f32", 1536, [256, 512], gain="f32", shift="f32", bias="f32"),
    Norm("f8_rms", "rms_norm", "bf16", 4096, [4096, 1024, 1024], gain="f32", weights="f8E4M3FN", scale="f32"),
    Norm("f8_rms_f16", "rms_norm", "f16", 2048, [3072], gain="f16", weights="f8E4M3FN", scale="f16"),
    Norm("f8_long", "rms_norm", "bf16", 14336, [512], gain="bf16", weights="f8E4M3FN", scale="f32", per_tensor=(0,)),
    Norm("f8_ln", "layer_norm", "bf16", 1024, [3072, 75], gain="f32", shift="f32", bias="bf16",
         weights="f8E4M3FN", scale="f32", per_tensor=(1,)),
    Norm("f8_odd", "rms_norm", "bf16", 333, [129], gain="bf16", weights="f8E4M3FN", scale="f32"),
    Norm("f8_kn", "rms_norm", "f16", 512, [256], kn=(0,), weights="f8E4M3FN", scale="f32"),
    Norm("f8_unscaled", "l2_norm", "bf16", 272, [192], eps=1e-12, weights="f8E4M3FN"),
    Norm("rms_tf32", "rms_norm", "f32", 1024, [768], gain="f32", tf32=True),
    Norm("ln_tf32", "layer_norm", "f32", 1000, [500], gain="f32", shift="f32", bias="f32", tf32=True),
]

BENCH = [Norm(f"bench_rms_{n}x{k}", "rms_norm", "bf16", k, [n]) for n, k in
         ((6144, 4096), (28672, 4096), (3072, 2048), (3072, 1024), (2304, 768), (8192, 8192))] + [
    Norm("bench_ln_6144x4096", "layer_norm", "bf16", 4096, [6144], gain="bf16", shift="bf16", bias="bf16"),
    Norm("bench_rms_gain_6144x4096", "rms_norm", "bf16", 4096, [6144], gain="bf16")] + [
    Norm(f"bench_f8_{n}x{k}", "rms_norm", "bf16", k, [n], weights="f8E4M3FN", scale="f32") for n, k in
    ((6144, 4096), (28672, 4096), (8192, 8192))]


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def describe(ff_opt, path):
    """Kind, eps and layouts of the one ff.norm_linear that the file raises to, or an error."""
    raised = run([ff_opt, path, "--ff-raise"])
    ops = re.findall(r"ff\.norm_linear\s+(\w+)\([^\n]*?\{([^\n]*?)\} :", raised.stdout)
    if raised.returncode or len(ops) != 1:
        return None, raised.stderr.strip() or f"{len(ops)} norms"
    kind, attributes = ops[0]

    def number(name):
        found = re.search(rf"\b{name} = ([-+.\dE]+)", attributes, re.IGNORECASE)
        return float(found.group(1)) if found else 0.0
    case = {"kind": kind, "eps": number("eps"), "gain_offset": number("gain_offset"),
            "layouts": re.findall(r"#ff\.layout<(\w+)>", attributes)}

    def owned(name, first):
        """Per Linear its vector's place among the columns, which begin with `first` others."""
        found = re.search(rf"{name} = array<i64: ([\d, ]+)>", attributes)
        owners = [int(i) for i in found.group(1).split(",")] if found else []
        return [first + owners.index(i) if i in owners else None for i in range(len(case["layouts"]))]
    case["scales"] = owned("scale_of", 0)
    case["biases"] = owned("bias_of", sum(s is not None for s in case["scales"]))
    return case, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--out", required=True)
    parser.add_argument("--ff-opt", default="build/bin/ff-opt")
    parser.add_argument("--chips", default="sm_90a,sm_80")
    parser.add_argument("--only", default="")
    parser.add_argument("--bench", action="store_true", help="the shapes of docs/performance.md instead")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)

    sources = []
    for path in args.files:
        sources.append((os.path.basename(path).split(".")[0], path, False))
    for norm in ([] if args.files else BENCH if args.bench else CASES):
        path = os.path.join(args.out, norm.name + ".mlir")
        with open(path, "w") as file:
            file.write(norm.mlir())
        sources.append((norm.name, path, norm.tf32))

    def build(job):
        (name, path, tf32), chip = job
        case, error = describe(args.ff_opt, path)
        if not case:
            return f"{name}: left out: {error}"
        if tf32:
            case["tf32"] = True
        target = os.path.join(args.out, f"{name}.{chip}")
        options = f"chip={chip}" + (" tf32=true" if tf32 else "")
        made = run([args.ff_opt, path, f"--ff-to-ptx={options}", "--emit=bundle", "-o", target + ".ffb"])
        if made.returncode:
            return f"{name}.{chip}: left out: {made.stderr.strip().splitlines()[0]}"
        with open(target + ".json", "w") as file:
            json.dump(case, file)
        return f"{name}.{chip}"

    jobs = [(s, chip) for s in sources if re.search(args.only, s[0]) for chip in args.chips.split(",")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for line in pool.map(build, jobs):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
