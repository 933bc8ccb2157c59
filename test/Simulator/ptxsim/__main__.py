# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of a bundle in the simulator and checks their results.

    python -m ptxsim FILE.ffb --norm=rms_norm --rows=1,17 [--family=decode] [...]

Every variant of the step that takes that many rows runs on random inputs, into results that
were NaN. A line tells errors as fractions of what docs/numerics.md allows. Exit status 1 if a
result is wrong or a kernel does what it must not, 2 if it does what the simulator
does not model. With --mutants, kernels run with one synchronisation
spoiled at a time, and those that nevertheless pass are listed.
"""

import argparse
import sys
import time
from collections import Counter
from typing import Dict, List

import numpy as np

from flashfusion.runtime.manifest import Bundle, Launch

from .mutate import mutants
from .ptx import PTXError
from .reference import Case, fractions
from .runner import Program, Run, random_case
from .shared import Fault


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ptxsim", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("--function", help="of the bundle; the first one by default")
    parser.add_argument("--norm", choices=["rms_norm", "layer_norm", "l2_norm", "none"],
                        required=True)
    parser.add_argument("--epilogue", choices=["silu_mul", "add_tile", "gelu", "gelu_tanh"], default="",
                        help="what makes one result of two Linears")
    parser.add_argument("--eps", type=float, default=1e-5)
    parser.add_argument("--rows", default="1", help="numbers of rows, with commas")
    parser.add_argument("--family", default="", help="only kernels with this in their name")
    parser.add_argument("--any-rows", action="store_true",
                        help="also variants that are meant for other numbers of rows")
    parser.add_argument("--blocks", type=int, default=0,
                        help="at most so many blocks of kernels that loop over tiles")
    parser.add_argument("--offset", type=int, default=0,
                        help="elements by which buffers are off alignment")
    parser.add_argument("--mean", type=float, default=0.0, help="of x")
    parser.add_argument("--outlier", type=float, default=0.0, help="the first element of rows")
    parser.add_argument("--tf32", action="store_true", help="the program was compiled with tf32")
    parser.add_argument("--seed", type=int, default=0, help="of the inputs")
    parser.add_argument("--schedule", type=int, default=0,
                        help="if not 0, a random order in which warps and copies go on")
    parser.add_argument("--replace", nargs=2, action="append", default=[],
                        metavar=("OLD", "NEW"), help="edit the PTX first")
    parser.add_argument("--same-bits", action="store_true",
                        help="a row's bits must not depend on the kernel, packed weights apart")
    parser.add_argument("--mutants", action="store_true")
    options = parser.parse_args()
    options.loaded = Bundle.read(options.bundle)
    for old, _ in options.replace:
        if old not in options.loaded.ptx:
            parser.error(f"not in the PTX: {old!r}")
    return options


class Checker:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        functions = options.loaded.functions
        self.step = functions[options.function or next(iter(functions))].steps[0]
        self.program = Program(options.loaded, self.step, options.replace)
        self.results: Dict[str, List[np.ndarray]] = {}  # the first ones of a kernel

    def variants(self, rows: int):
        options = self.options
        size = {"f32": 4, "f8E4M3FN": 1}.get(self.step.operands[0].type, 2)
        addresses = 16 + options.offset * size
        for variant in self.step.variants:
            fits = variant.serves(rows, addresses) or (
                options.any_rows and variant.tile_m and addresses % variant.align == 0)
            if fits and options.family in variant.kernel:
                yield variant

    def run(self, case: Case, variant: Launch):
        options = self.options
        run = Run(self.program, case, options.offset, options.blocks, options.schedule)
        if variant.packed:
            run.pack()
        return run, run.run(variant)

    def check(self, case: Case, variant: Launch, rows: int) -> bool:
        start = time.process_time()
        run, results = self.run(case, variant)
        errors = fractions(case, results)
        good = all(e <= 1 for e in errors.values())
        text = " ".join(f"{k} {v:.2f}" for k, v in errors.items())
        # A row has the same bits whatever M is.
        of = f"packed={variant.packed}" if self.options.same_bits else variant.kernel
        before = self.results.setdefault(of, results)
        for old, new in zip(before, results):
            common = min(len(old), len(new))
            if not np.array_equal(old[:common], new[:common], equal_nan=True):
                good, text = False, text + f", rows differ from those of M={len(old)}"
        print(f"{'ok' if good else 'FAIL'} {variant.kernel} M={rows} {text} ({run.instructions} "
              f"instructions, {time.process_time() - start:.1f} s)", flush=True)
        return good

    def check_mutants(self, case: Case, variant: Launch, name: str) -> None:
        """Mutants of kernel `name`: the variant or one that packs for it."""
        kernel = self.program.kernels[name]
        noticed: Counter = Counter()
        survivors = []
        for what, mutant in mutants(kernel):
            self.program.kernels[name] = mutant
            try:
                _, results = self.run(case, variant)
                if all(e <= 1 for e in fractions(case, results).values()):
                    survivors.append(what)
                else:
                    noticed["wrong result"] += 1
            except Fault as fault:
                noticed[str(fault).split("\n")[0].split(":")[0]] += 1
        self.program.kernels[name] = kernel
        print(f"{name}: {sum(noticed.values())} mutants noticed, {len(survivors)} survive")
        for what, count in sorted(noticed.items()):
            print(f"  {count} x {what}")
        for what in survivors:
            print(f"  survives: {what}")


def main() -> int:
    options = parse_options()
    try:
        checker = Checker(options)
        ran, good = 0, True
        counts = [int(rows) for rows in options.rows.split(",")]
        whole = random_case(checker.step, max(counts), options.norm, options.eps, options.tf32,
                            options.seed, options.mean, options.epilogue, options.outlier)
        for rows in counts:
            case = whole.first(rows)
            for variant in checker.variants(rows):
                ran += 1
                good &= checker.check(case, variant, rows)
                if options.mutants:
                    packs = [p.kernel for p in checker.step.pack] if variant.packed else []
                    for name in (variant.kernel, *packs):
                        checker.check_mutants(case, variant, name)
    except Fault as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except PTXError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not ran:
        print("error: no variant ran", file=sys.stderr)
        return 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
