#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks bundles on a GPU against float64 references: check_bundles.py FOLDER.

Every variant of every bundle runs for every number of rows that it serves, on
random and on hard rows, into results that were NaN before. Columns are the
worst over rows and outputs, as fractions of what is allowed:
  row      error of a row / cap, which is 4e-3 (bf16), 5e-4 (f16),
           1e-6 sqrt(K/1024), but no less than 6 u = 3.6e-7 (f32), 1e-3 (tf32); a row that the program as written
           does not bring below the cap is held to that, with the slack of `written`
  written  RMS error of the rows of a kind / that of the program as written (f32 sums),
           as a fraction of 1.1 + 3 / sqrt(2 N). One row says little: where one product
           dominates (an outlier), its error is a single rounding of the left operand
           as written, and by chance may be none; the slack is three standard
           deviations of an RMS over N roundings. For the same reason
           every kind may err like the program as written does on random rows: an outlier
           of a power of two times a 16-bit gain is no rounding at all as written. `strict` counts the rows above
           1.1 x their own error as written.
  group    error of an aligned group of 8 outputs / 3 caps
  element  error of an element / (2 ulp + 8 u sqrt(sum (h W)^2))
A value above 1 fails. Then: replays give equal bits, also under dependent launch;
a row has the same bits whatever M is; pointers off by one element work. See cases.py for
the case files. Exit status 1 on any failure.
"""

import argparse
import sys
import traceback
import zlib

import torch

import cases
import reference as ref

KINDS = ("random", "mean100", "outlier", "outlier_first", "zeros", "large", "tiny")


def make_rows(case, kinds, seed):
    """x with one row per entry of `kinds`."""
    g = torch.Generator(device=cases.DEVICE).manual_seed(seed)
    dtype = cases.DTYPES[case.x.type]
    x = torch.randn(len(kinds), case.k, device=cases.DEVICE, generator=g, dtype=torch.float32)
    scale = 0.5 + torch.rand(len(kinds), 1, device=cases.DEVICE, generator=g)
    x = x * scale + 0.3
    for i, kind in enumerate(kinds):
        if kind == "mean100":
            x[i] = x[i] + 100 * scale[i]
        elif kind == "outlier":
            x[i, (37 * i + 11) % case.k] = 1000.0
        elif kind == "outlier_first":
            x[i, 0] = -1000.0
        elif kind == "zeros":
            x[i] = 0
        elif kind == "large":  # near the end of f16; far from it elsewhere
            x[i] = (x[i] * (12000.0 if dtype == torch.float16 else 1e12))
        elif kind == "tiny":
            x[i] = x[i] * 1e-4
    if dtype == torch.float16:
        x = x.clamp(-65000, 65000)
    return x.to(dtype)


def kinds_for(case):
    """Without eps, the norm of a row of zeros is 0/0, also as written."""
    return [k for k in KINDS if k != "zeros" or case.eps > 0 or case.kind == "none"]


def poisoned(case, rows, offset=0):
    """Results full of NaN, `offset` elements off alignment."""
    outs = [None] * len(case.info.results)
    for o, n in zip(case.roles["out"], case.n):
        outs[o.index] = shifted(torch.full((rows, n), float("nan"), device=cases.DEVICE,
                                           dtype=case.dtype), offset)
    shapes = [tuple(e for e in a.shape or ()) for a in case.info.arguments]
    shapes[case.x.index] = case.shape_of_x(rows)
    return [t.view(case.info.buffer_shape(r, shapes)) for t, r in zip(outs, case.info.results)]


def shifted(t, offset):
    """A copy that starts `offset` elements behind an aligned address."""
    if not offset:
        return t.contiguous()
    space = torch.empty(t.numel() + offset, device=t.device, dtype=t.dtype)
    view = space[offset:].view(t.shape)
    view.copy_(t)
    return view


class Checker:
    def __init__(self, options):
        self.options = options
        self.failures = 0
        self.known = {}

    def report(self, case, kernel, rows, what, ok):
        self.failures += not ok
        print(f"{'ok  ' if ok else 'FAIL'} {case.name:32} {kernel:34} M={rows:<5} {what}",
              flush=True)

    def run(self, case, program, rows, x, values, outs, **kwargs):
        args = case.arguments(x.view(case.shape_of_x(rows)), values)
        program(*args, out=outs, **kwargs)
        return case.results(outs, rows)

    def reference(self, case, values, rows):
        """`rows` rows in which the kinds alternate, with what they should give. Kept: every
        variant and every M up to `rows` runs on the same ones."""
        if rows not in self.known:
            kinds = (kinds_for(case) * rows)[:rows]
            x = make_rows(case, kinds, 1000)
            self.known[rows] = (kinds, x, ref.exact(case, x, values),
                                ref.as_written(case, x, values))
        return self.known[rows]

    def accuracy(self, case, program, kernel, rows, values, offset=0):
        total = max(self.options.rows_of_a_kind * len(kinds_for(case)), rows)
        kinds, x, want, written = self.reference(case, values, total)
        got = [torch.empty_like(w) for w in written]
        for first in range(0, total, rows):
            at = (torch.arange(first, first + rows, device=cases.DEVICE) % total)
            results = self.run(case, program, rows, shifted(x[at], offset), values,
                               poisoned(case, rows, offset))
            for g, y in zip(got, results):
                g[at] = y
        worst = {"row": 0.0, "written": 0.0, "group": 0.0, "element": 0.0}
        strict, cap = 0, ref.cap(case)
        for y, other, (exact, spread) in zip(got, written, want):
            if not torch.isfinite(y).all():
                bad = (~torch.isfinite(y)).nonzero()[0].tolist()
                self.report(case, kernel, rows, f"not finite: {(~torch.isfinite(y)).sum()} "
                            f"elements, first {bad} (row kind {kinds[bad[0]]})", False)
                return None
            error, usual = ref.row_errors(y, exact), ref.row_errors(other, exact)
            slack = 1.1 + 3 / (2 * y.shape[1]) ** 0.5
            worst["row"] = max(worst["row"], (error / (slack * usual).clamp_min(cap)).max().item())
            if not case.tf32:
                floor = cap * 1e-3  # rounding of the result alone is no error of the program
                rms = {}
                for kind in kinds_for(case):
                    at = torch.tensor([k == kind for k in kinds], device=cases.DEVICE)
                    ours, theirs = (e[at].pow(2).mean().sqrt() for e in (error, usual))
                    rms[kind] = theirs
                    theirs = theirs.maximum(rms["random"])
                    worst["written"] = max(worst["written"],
                                           (ours / (slack * theirs + floor)).item())
                strict += (error > 1.1 * usual + floor).sum().item()
            worst["group"] = max(worst["group"],
                                 (ref.group_errors(y, exact) / (3 * cap)).max().item())
            worst["element"] = max(worst["element"],
                                   ref.element_errors(case, y, exact, spread).max().item())
        text = " ".join(f"{k} {v:5.2f}" for k, v in worst.items())
        text += f" strict {strict}/{total * len(got)}" + (f" offset {offset}" if offset else "")
        self.report(case, kernel, rows, text, all(v <= 1 for v in worst.values()))
        return True

    def determinism(self, case, variant, program, counts, values):
        """Equal bits over replays, under dependent launch, and whatever M is."""
        bits = torch.int32 if case.dtype == torch.float32 else torch.int16
        rows = max(counts)
        x = make_rows(case, (kinds_for(case) * rows)[:rows], 7)
        want = [y.clone() for y in self.run(case, program, rows, x, values, poisoned(case, rows))]

        def same(got, count):
            return all(torch.equal(a.view(bits)[:count], b.view(bits)[:count])
                       for a, b in zip(got, want))

        for dependent in (False, True):
            if dependent and not variant.dependent_launch:
                continue
            outs = [poisoned(case, rows) for _ in range(8)]
            bad = 0
            for _ in range(-(-self.options.replays // len(outs))):
                for out in outs:
                    for y in out:
                        y.fill_(float("nan"))
                torch.cuda.synchronize()
                for out in outs:  # back to back, so that launches overlap
                    self.run(case, program, rows, x, values, out, dependent_launch=dependent)
                bad += sum(not same(case.results(out, rows), rows) for out in outs)
            if bad:
                self.report(case, variant.kernel, rows, f"{bad} replays differ"
                            + (" under dependent launch" if dependent else ""), False)
        for count in counts:
            got = self.run(case, program, count, x[:count].contiguous(), values,
                           poisoned(case, count))
            if not same(got, count):
                self.report(case, variant.kernel, count, f"rows differ from those of M={rows}",
                            False)

    def case(self, case):
        options = self.options
        self.known = {}
        counts = case.row_counts(options.rows or case.rows or [1, 3, 8, 17, 64, 127, 1024])
        values = case.parameters(seed=zlib.crc32(case.name.encode()) % 1000)
        print(f"## {case.name}: {case.kind} {case.x.type} K={case.k} N={case.n} "
              f"{'/'.join(case.layouts)} on {case.bundle.chip}", flush=True)
        for variant in case.step.variants:
            served = [m for m in counts if variant.serves(m, 0)]
            program = case.only(variant)
            for rows in served:
                if not self.accuracy(case, program, variant.kernel, rows, values):
                    break
            else:
                if served:
                    self.determinism(case, variant, program, served, values)
        # Addresses that are off by one element: whatever variant takes them.
        program = cases.Program(case.bundle)
        moved = {role: [shifted(t, 1) for t in tensors] for role, tensors in values.items()}
        for rows in [m for m in counts if m in (1, 17, 127)] or counts[:1]:
            self.accuracy(case, program, "(offset by one element)", rows, moved, offset=1)
            # Only the vectors off: the fast variants must take them anywhere.
            some = {**values, **{r: moved[r] for r in ("gain", "shift", "column")}}
            self.accuracy(case, program, "(vectors off by one)", rows, some)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--only", default="", help="only bundles whose path contains this")
    parser.add_argument("--rows", type=lambda s: [int(m) for m in s.split(",")])
    parser.add_argument("--replays", type=int, default=48)
    parser.add_argument("--rows-of-a-kind", type=int, default=64,
                        help="fewer make it faster (under a sanitizer), and `written` less sure")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    checker = Checker(options)
    for case in cases.load_cases(options.folder, options.only):
        try:
            checker.case(case)
            torch.cuda.synchronize()
        except Exception as error:  # a broken kernel must not hide the other bundles
            traceback.print_exc()
            checker.report(case, "-", 0, f"{type(error).__name__}: {error}", False)
            if "ILLEGAL" in str(error) or "LAUNCH" in str(error) or "MISALIGNED" in str(error) \
                    or "CUDA error" in str(error):
                print("the context is lost; the remaining bundles were not run")
                break
    print(f"{checker.failures} failures" if checker.failures else "all passed")
    sys.exit(1 if checker.failures else 0)


if __name__ == "__main__":
    main()
