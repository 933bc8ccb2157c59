# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning tables: what ff-schedule reads with tuning=FILE.

    {"format": "flashfusion-tuning", "version": 1, "entries": [
      {"chip": "sm_90a", "op": "mean_square bf16 K=4096 N=6144nk gain outs=1",
       "schedule": ["#ff.schedule<..>", ..],
       "device": .., "date": .., "compiler": .., "rows": {"8": {"default": us, "best": us}}}]}

The compiler needs chip, op and schedule; the rest says where they come from.
"""

import json
import os
import re
import tempfile
from typing import Any, Dict, Iterable, List, Optional, Tuple

_ATTRIBUTE = re.compile(r"#ff\.schedule<([^>]*)>")
#: What may be tried besides what the compiler proposes: one parameter, twice or half of it, or
#: one more or less. The compiler refuses what does not fit.
_SCALED, _STEPPED = ("tile_n", "tile_k", "warps", "split"), ("stages",)


def read(path: str) -> Dict[str, Any]:
    """A table; an empty one if there is no file. ValueError if it is something else."""
    if not os.path.exists(path):
        return {"format": "flashfusion-tuning", "version": 1, "entries": []}
    with open(path, encoding="utf-8") as file:
        table = json.load(file)
    if not isinstance(table, dict) or table.get("format") != "flashfusion-tuning":
        raise ValueError(f"{path} is no tuning table")
    return table


def write(path: str, table: Dict[str, Any]) -> None:
    """Replaces the file as a whole."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(prefix=".tuning-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(table, file, indent=1)
            file.write("\n")
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def entry(table: Dict[str, Any], chip: str, op: str) -> Optional[Dict[str, Any]]:
    return next((e for e in table["entries"] if (e["chip"], e["op"]) == (chip, op)), None)


def put(table: Dict[str, Any], new: Dict[str, Any]) -> None:
    """Adds an entry in place of the one for the same chip and operation."""
    table["entries"] = [e for e in table["entries"]
                        if (e["chip"], e["op"]) != (new["chip"], new["op"])] + [new]


def schedules_in(text: str) -> List[Dict[str, str]]:
    """The parameters of every #ff.schedule in a text, in order."""
    found = []
    for match in _ATTRIBUTE.finditer(text):
        pairs = (part.split("=") for part in match.group(1).split(","))
        found.append({name.strip(): value.strip() for name, value in pairs})
    return found


def spell(schedule: Dict[str, str]) -> str:
    return f"#ff.schedule<{', '.join(f'{n} = {v}' for n, v in schedule.items())}>"


def with_rows(schedule: Dict[str, str], least: int, most: int) -> Dict[str, str]:
    """The same for least .. most rows (0: any number)."""
    changed = {n: v for n, v in schedule.items() if n not in ("min_rows", "max_rows")}
    head: Dict[str, str] = {n: changed.pop(n) for n in ("family", "mma") if n in changed}
    if least > 1:
        head["min_rows"] = str(least)
    if most:
        head["max_rows"] = str(most)
    return {**head, **changed}


def most_rows(schedule: Dict[str, str]) -> int:
    """The largest number of rows that a schedule may be tried for; 0: any. Decode kernels
    hold all rows at once, the others go over them."""
    return int(schedule.get("max_rows", 0)) if schedule["family"] == "decode" else 0


def candidates(proposed: Iterable[Dict[str, str]], explore: bool = True) -> List[Dict[str, str]]:
    """Different schedules to try, each for as many rows as it may serve."""
    found: Dict[str, Dict[str, str]] = {}
    for schedule in proposed:
        own = with_rows(schedule, 1, most_rows(schedule))
        variations = [own]
        if explore and schedule["family"] != "simt":
            for name in _SCALED + _STEPPED:
                if name not in own:
                    continue
                value = int(own[name])
                values = [value - 1, value + 1] if name in _STEPPED else [value // 2, value * 2]
                variations += [{**own, name: str(v)} for v in values if v > 0]
        for variation in variations:
            found.setdefault(spell(variation), variation)
    return list(found.values())


def winners(times: Dict[int, Dict[str, float]], tried: Dict[str, Dict[str, str]],
            tolerance: float = 0.01) -> List[Dict[str, str]]:
    """Schedules in order of rows, from microseconds by number of rows and name. A neighbour
    that is as good within `tolerance` is kept: fewer kernels."""
    chosen: List[Tuple[str, int, int]] = []
    least = 1
    for rows in sorted(times):
        best = min(times[rows], key=lambda name: times[rows][name])
        if chosen:
            last = chosen[-1][0]
            most = most_rows(tried[last])
            if times[rows].get(last, float("inf")) <= times[rows][best] * (1 + tolerance) and \
                    (not most or rows <= most):
                best = last
        if chosen and chosen[-1][0] == best:
            chosen[-1] = (best, chosen[-1][1], rows)
        else:
            chosen.append((best, least, rows))
        least = rows + 1
    found = [with_rows(tried[name], low, high) for name, low, high in chosen]
    if found and not most_rows(tried[chosen[-1][0]]):
        found[-1] = with_rows(found[-1], chosen[-1][1], 0)  # for more rows, too
    return found
