# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs through the compiler and the simulator, until time is up.

    python -m ptxsim.fuzz --ff-opt=build/bin/ff-opt [--seconds=60] [--seed=1]

Prints what fails, with the program and the command that shows it, and a count at the end.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from .__main__ import main as simulate

BUFFERIZE = [
    "--ff-prepare-host-functions", "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map", "--canonicalize",
    "--buffer-results-to-out-params=add-result-attr hoist-static-allocs hoist-dynamic-allocs "
    "modify-public-functions", "--ff-write-results-in-place", "--cse", "--ff-lower-to-nvgpu",
    "--ff-emit-ptx", "--emit=bundle"]


def program(r: random.Random):
    """ff.norm_linear with random operands; its norm and element type."""
    type_ = r.choice(["bf16", "bf16", "f16", "f16", "f32"])
    norm = r.choice(["rms_norm", "rms_norm", "layer_norm", "l2_norm"])
    k = r.choice([24, 40, 64, 72, 97, 128, 136, 200, 256, 264, 331, 512, 776, 1032])
    n = [r.choice([1, 5, 8, 16, 24, 33, 40, 64, 75, 100, 128, 200, 264])
         for _ in range(r.choice([1, 1, 2, 3]))]
    args = [("x", f"?x{k}x{type_}")]
    text, attributes = f"ff.norm_linear {norm}(%x)", ["eps = 1.0e-5 : f64"]
    for role, chance in (("gain", 0.5), ("shift", 0.3)):
        if r.random() < chance:
            args.append((role, f"{k}x{r.choice([type_, 'f32'])}"))
            text += f" {role}(%{role})"
    layouts = [r.choice(["nk", "nk", "kn"]) if extent != k else "nk" for extent in n]
    weights = [(f"w{i}", f"{k}x{e}x{type_}" if layout == "kn" else f"{e}x{k}x{type_}")
               for i, (e, layout) in enumerate(zip(n, layouts))]
    text += f" weights({', '.join('%' + name for name, _ in weights)})"
    args += weights
    attributes.append(f"layouts = [{', '.join(f'#ff.layout<{layout}>' for layout in layouts)}]")
    if r.random() < 0.4:
        biases = [(f"c{i}", f"{e}x{type_}") for i, e in enumerate(n)]
        text += f" biases({', '.join('%' + name for name, _ in biases)})"
        args += biases
        attributes.append(f"bias_of = array<i64: {', '.join(map(str, range(len(n))))}>")
    outs = ", ".join(f"tensor<?x{e}x{type_}>" for e in n)
    head, uses = ("%r", "%r") if len(n) == 1 else (
        f"%r:{len(n)}", ", ".join(f"%r#{i}" for i in range(len(n))))
    signature = ", ".join(f"%{name}: tensor<{shape}>" for name, shape in args)
    types = ", ".join(f"tensor<{shape}>" for _, shape in args)
    return (f"func.func @f({signature}) -> ({outs}) {{\n  {head} = {text} "
            f"{{{', '.join(attributes)}}}\n    : ({types}) -> ({outs})\n"
            f"  return {uses} : {outs}\n}}\n"), norm, type_


def one(r: random.Random, ff_opt: str, folder: str) -> bool:
    """Compiles and runs one program. False if something is wrong."""
    text, norm, type_ = program(r)
    source, bundle = (os.path.join(folder, name) for name in ("f.mlir", "f.ffb"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    chip = r.choice(["sm_80", "sm_90a", "sm_90a"])
    tf32 = type_ == "f32" and r.random() < 0.5
    schedule = f"--ff-schedule=chip={chip}" + (" tf32=true" if tf32 else "")
    made = subprocess.run([ff_opt, source, "--ff-decompose", schedule], capture_output=True,
                          text=True, check=False)
    if made.returncode == 0 and r.random() < 0.6:
        # Few multiprocessors and stages, so that rings go round.
        made.stdout = re.sub(r"sms = \d+", f"sms = {r.choice([1, 2, 5])}", made.stdout)
        made.stdout = re.sub(r"(family = decode[^>]*stages = )\d+",
                             rf"\g<1>{r.choice([4, 5, 6])}", made.stdout)
    if made.returncode == 0:
        made = subprocess.run([ff_opt, "-", *BUFFERIZE, "-o", bundle], input=made.stdout,
                              capture_output=True, text=True, check=False)
    if made.returncode:
        print(f"does not compile for {chip}:\n{text}{made.stderr[:2000]}")
        return False
    rows = sorted({r.choice([1, 2, 3, 7, 8, 9, 15, 16]), r.choice([17, 33, 64, 70] + [130] * (type_ != "f32"))})
    sys.argv = ["ptxsim", bundle, f"--norm={norm}", f"--rows={','.join(map(str, rows))}",
                f"--offset={r.choice([0, 0, 0, 1, 2, 4])}", f"--mean={r.choice([0, 0, 3, 30])}",
                f"--blocks={r.choice([0, 1, 2, 3])}", f"--schedule={r.choice([0, 0, 1, 2, 3])}",
                f"--seed={r.randrange(100)}"]
    sys.argv += (["--tf32"] if tf32 else []) + (["--any-rows"] if r.random() < 0.3 else [])
    if simulate() == 0:
        return True
    print(f"for {chip}: {' '.join(sys.argv)}\n{text}")
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ff-opt", default="ff-opt")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    r, end, count, bad = random.Random(options.seed), time.time() + options.seconds, 0, 0
    while time.time() < end:
        with tempfile.TemporaryDirectory() as folder:
            count += 1
            bad += not one(r, options.ff_opt, folder)
    print(f"{count - bad} programs passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
