# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m flashfusion.tune [--cases ..] [FILE.mlir ..]

Tries kernel schedules on this machine's GPU and writes the best, by number of rows, to a table
that the compiler takes before its own choice:

    python -m flashfusion.tune --out h200.json
    flashfusion.compile("model.mlir", tuning="h200.json")
    ff-opt model.mlir --ff-to-ptx="chip=sm_90a tuning=h200.json" --emit=bundle -o model.ffb

Tried are the compiler's proposals for any number of rows, and those with one parameter changed.
What a changed kernel computes must equal the proposal's result within its rounding. The table
is written after every operation: a run that was stopped goes on where it was.
"""

import argparse
import functools
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional, Tuple

from .. import _compiler, api
from ..bench import measure, report, shapes
from ..runtime import driver
from . import table as tables

ROWS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]


def look_up(source: bytes, chip: str) -> Tuple[str, List[Dict[str, str]]]:
    """The key of the program's only fused operation, and the schedules that the compiler
    proposes for it. ValueError if there are several, or none."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as empty:
        empty.write('{"format": "flashfusion-tuning", "version": 1, "entries": []}')
        empty.flush()
        pipeline = (f"ff-raise,ff-decompose,ff-fuse-epilogue{{chip={chip}}},"
                    f"ff-schedule{{chip={chip} tuning={empty.name}}}")
        compiled = _compiler.compile(source, "ir", {}, pipeline)
    keys = [r["args"]["op"] for r in compiled.remarks
            if (r["category"], r["name"]) == ("ff-schedule", "tuning")]
    if len(keys) != 1:
        raise ValueError(f"{len(keys)} fused operations; a program with one is expected")
    return keys[0], tables.schedules_in(compiled.data.decode())


def build(source: bytes, chip: str, op: str, schedule: Dict[str, str]) -> Optional[api.Program]:
    """The program with one schedule in front of all others; None if that does not fit."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.json")
        tables.write(path, {"format": "flashfusion-tuning", "version": 1, "entries": [
            {"chip": chip, "op": op, "schedule": [tables.spell(schedule)]}]})
        try:
            program = api.compile(source, target="cuda", chip=chip, tuning=path, use_cache=False)
            program.bundle(chip).prepare()
        except (_compiler.CompileError, driver.CudaError):
            return None
    return program


def arguments_for(program: api.Program, rows: int, seed: int) -> List[Any]:
    import torch
    generator = torch.Generator("cuda").manual_seed(seed)
    types = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
    found: List[Any] = []
    for argument in program.bundle().only().info.arguments:
        if argument.shape is None:
            found.append(1e-5)
            continue
        shape = [rows if e is None else e for e in argument.shape]
        scale = shape[-1] ** -0.5 if len(shape) == 2 and None not in argument.shape else 1.0
        values = torch.randn(*shape, generator=generator, device="cuda") * scale
        found.append(values.to(types[argument.type]))
    return found


def close(a: Any, b: Any) -> bool:
    """Equal within what another order of sums may change."""
    import torch
    for x, y in zip(*((r if isinstance(r, tuple) else (r,)) for r in (a, b))):
        error = (x.double() - y.double()).norm() / y.double().norm().clamp_min(1e-30)
        if not error.item() < (1e-5 if x.dtype == torch.float32 else 5e-3):
            return False
    return True


def tune_one(source: bytes, chip: str, rows: List[int], options: argparse.Namespace,
             say: Callable[[str], None]) -> Dict[str, Any]:
    """The entry of the table for a program."""
    import torch
    op, proposed = look_up(source, chip)
    default = api.compile(source, target="cuda", chip=chip)
    tried = {tables.spell(s): s for s in tables.candidates(proposed, not options.quick)}
    programs = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # compilers are processes of their own
        made = pool.map(lambda schedule: build(source, chip, op, schedule), tried.values())
        for number, (name, program) in enumerate(zip(tried, made)):
            say(f"{number + 1} of {len(tried)} compiled")
            if program is not None:
                programs[name] = program
    times: Dict[int, Dict[str, float]] = {}
    summary: Dict[str, Dict[str, float]] = {}
    for m in rows:
        first = arguments_for(default, m, 0)
        moved = sum(a.nbytes for a in first if hasattr(a, "nbytes"))
        sets = [first] + [arguments_for(default, m, seed + 1)
                          for seed in range(measure.sets_for(moved) - 1)]
        expected = default(*first)
        contenders: Dict[str, Any] = {"default": default}
        for name, program in programs.items():
            most = tables.most_rows(tried[name])
            if (not most or m <= most) and close(program(*first), expected):
                contenders[name] = program
        graphs: Dict[str, Any] = {}
        for name, program in contenders.items():
            say(f"M={m}: {len(graphs)} of {len(contenders)} prepared")
            function = program.bundle(chip).only()
            outs = [function(*a) for a in sets]
            calls = [functools.partial(function, *a, out=o) for a, o in zip(sets, outs)]
            graphs[name] = measure.capture(calls, 24)
        found = measure.medians(graphs, options.rounds)
        summary[str(m)] = {"default": found.pop("default")}
        if found:
            times[m] = found
            summary[str(m)]["best"] = min(found.values())
        del graphs, sets
        torch.cuda.empty_cache()
    best = tables.winners(times, tried)
    return {"chip": chip, "op": op, "schedule": [tables.spell(s) for s in best],
            "device": torch.cuda.get_device_name(), "date": report.today(),
            "compiler": _compiler.identity(), "rows": summary}


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m flashfusion.tune", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="programs with one fused operation each")
    parser.add_argument("--cases", help="of the bench instead: gate, all, or parts of names "
                        "(default: gate, if there are no files)")
    parser.add_argument("--rows", default=",".join(map(str, ROWS)))
    parser.add_argument("--out", default="flashfusion-tuning.json")
    parser.add_argument("--quick", action="store_true", help="only the compiler's proposals")
    parser.add_argument("--again", action="store_true", help="what the table has, too")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    work = [(path, open(path, "rb").read()) for path in options.files]
    if options.cases or not work:
        work += [(c.name, c.mlir().encode()) for c in shapes.select("decode",
                                                                    options.cases or "gate")]
    rows = sorted(int(m) for m in options.rows.split(","))
    try:
        import torch
        available = torch.cuda.is_available()
    except ImportError:
        available = False
    if not available:
        print("tuning needs torch and a CUDA GPU", file=sys.stderr)
        return 1
    chip = driver.chip_of(0)
    start = time.perf_counter()
    for number, (name, source) in enumerate(work):
        filled = 20 * number // len(work)

        def say(what: str) -> None:
            line = (f"[{'#' * filled}{'.' * (20 - filled)}] {number}/{len(work)} "
                    f"{time.perf_counter() - start:.0f} s  {name}: {what}")
            print("\r" + line.ljust(110), end="", file=sys.stderr, flush=True)

        table = tables.read(options.out)
        try:
            op, _ = look_up(source, chip)
            old = tables.entry(table, chip, op)
            if old and old.get("compiler") == _compiler.identity() and not options.again \
                    and set(map(str, rows)) <= set(old.get("rows", {})):
                continue
            new = tune_one(source, chip, rows, options, say)
        except (ValueError, _compiler.CompileError) as error:
            print(f"\r{name}: left out: {str(error).splitlines()[0]}".ljust(110))
            continue
        tables.put(table, new)
        tables.write(options.out, table)
        print(f"\r{name}".ljust(110))
        for m, us in new["rows"].items():
            gain = f"{us['default'] / us['best']:.2f}x" if "best" in us else "nothing fits"
            print(f"  M={m:6} default {us['default']:9.2f} us  best "
                  f"{us.get('best', us['default']):9.2f} us  {gain}")
        for schedule in new["schedule"]:
            print(f"  {schedule}")
    print(f"\r{options.out}: {len(tables.read(options.out)['entries'])} entries".ljust(110))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
