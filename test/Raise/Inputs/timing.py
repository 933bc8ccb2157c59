#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long ff-raise alone takes on stacks of one exported layer.

  timing.py LAYER.mlir ACTIVATIONS COUNT..

The function of LAYER.mlir is called COUNT times, each time on the result of the
call before and on weights of its own (its first ACTIVATIONS arguments are
shared), and inlined. Prints a line per COUNT: what --mlir-timing says of the
pass, and the CPU time that it adds to ff-opt, the best of three each. Fails if
a stack takes more than 2 s of CPU time, or if that grows faster than the number
of layers (twice the time per layer, and 0.1 s, are left to chance).
"""
import os
import re
import resource
import subprocess
import sys
import tempfile


def run(*arguments):
    return subprocess.run(["ff-opt", *arguments], check=True, capture_output=True, text=True).stderr


def measure(*arguments):
    """The best of three: CPU seconds, and seconds of the pass (with --mlir-timing)."""
    cpu, wall = [], [0.0]
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = run(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        wall += [float(s) for s in re.findall(r"([\d.]+) \([^)]*\) +RaisePass", report)]
    return min(cpu), min(wall[1:], default=0.0)


def stack(layer, activations, count):
    head = re.search(r"func\.func @(\w+)\((.*?)\) -> (tensor<[^>]*>)", layer)
    name, result = head.group(1), head.group(3)
    types = [text.split(": ", 1)[1] for text in re.findall(r"%\w+: [^%]*?(?=, %|$)", head.group(2))]
    arguments, calls, x = [], [], "%x"
    for i in range(count):
        weights = [(f"%w{i}_{j}", t) for j, t in enumerate(types[activations:])]
        arguments += [f"{v}: {t}" for v, t in weights]
        operands = [x] + [f"%a{j}" for j in range(1, activations)] + [v for v, _ in weights]
        calls.append(f"    %y{i} = func.call @{name}({', '.join(operands)}) : ({', '.join(types)}) -> {result}")
        x = f"%y{i}"
    shared = [f"%x: {types[0]}"] + [f"%a{j}: {types[j]}" for j in range(1, activations)]
    text = f"  func.func @stack({', '.join(shared + arguments)}) -> {result} {{\n" + "\n".join(calls) + \
        f"\n    return {x} : {result}\n  }}\n"
    inside = layer.rstrip()
    assert inside.endswith("}")
    return inside[:-1].replace("func.func @", "func.func private @", 1) + text + "}\n"


def main():
    layer, activations = open(sys.argv[1]).read(), int(sys.argv[2])
    first, ok = None, True
    with tempfile.TemporaryDirectory() as folder:
        source, inlined, raised = (os.path.join(folder, n) for n in ("s.mlir", "i.mlir", "r.mlir"))
        for count in map(int, sys.argv[3:]):
            with open(source, "w") as f:
                f.write(stack(layer, activations, count))
            run(source, "--inline", "--symbol-dce", "-o", inlined)
            without, _ = measure(inlined, "-o", os.devnull)
            cpu, wall = measure(inlined, "--ff-raise", "--mlir-timing", "-o", raised)
            seconds = max(cpu - without, 0.0)
            norms = open(raised).read().count("ff.norm_linear")
            operations = sum(" = " in line for line in open(inlined))
            print(f"{count} layers, {operations} operations: {norms} norms in {wall:.3f} s, CPU {seconds:.3f} s")
            first = first or (count, seconds)
            ok &= seconds < 2 and seconds < 2 * first[1] * count / first[0] + 0.1
    sys.exit(not ok)


if __name__ == "__main__":
    main()
