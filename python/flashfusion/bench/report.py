# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results as lines of JSON, a table, and a picture."""

import datetime
import json
import math
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional

Line = Dict[str, Any]
COLOURS = ["#1b6ca8", "#52a7e0", "#8e44ad", "#555555", "#c0392b", "#e08e0b", "#b8860b", "#2e8b57"]


def read(path: str) -> List[Line]:
    """The lines of a results file; what a killed run left half is skipped."""
    found = []
    if Path(path).exists():
        for text in Path(path).read_text().splitlines():
            try:
                found.append(json.loads(text))
            except json.JSONDecodeError:
                continue
    return found


def append(path: str, line: Line) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def merge(lines: Iterable[Line]) -> List[Line]:
    """The newest times of every contender, by device, case, rows and way of measuring."""
    found: Dict[Any, Line] = {}
    for line in sorted(lines, key=lambda l: l["date"]):
        key = (line["device"], line["bench"], line["case"], line["M"], line["how"])
        old = found.get(key)
        us = {**(old["us"] if old else {}), **line["us"]}
        found[key] = {**line, "us": us}
    return list(found.values())


def today() -> str:
    return datetime.datetime.now().isoformat(timespec="seconds")


def geomean(values: Iterable[float]) -> float:
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs)) if logs else float("nan")


def table(lines: List[Line]) -> str:
    """Microseconds, and ours over the others'; geomeans at the end."""
    if not lines:
        return "nothing was measured"
    names = list(dict.fromkeys(n for l in lines for n in l["us"]))
    head = ["case", "K x N", "M", "how", "floor", *names, "ours/floor", "ours/gemm", "ours/eager"]
    rows = [head]
    for l in lines:
        us = l["us"]

        def ratio(over: Optional[float], ours: Optional[float] = us.get("ours")) -> str:
            return f"{ours / over:.2f}" if ours and over else ""

        rows.append([l["case"], f"{l['K']}x{l['N']}", str(l["M"]), l["how"], f"{l['floor']:.1f}",
                     *(f"{us[n]:.2f}" if n in us else "" for n in names), ratio(l["floor"]),
                     ratio(us.get("gemm")), ratio(us.get("eager"))])
    widths = [max(len(r[i]) for r in rows) for i in range(len(head))]
    text = ["  ".join(c.ljust(w) if i == 0 else c.rjust(w)
                      for i, (c, w) in enumerate(zip(r, widths))).rstrip() for r in rows]
    text.insert(1, "-" * len(text[0]))
    ours = [n for n in names if n in ("ours", "ours pdl", "unpacked")]
    for other in names:
        for own in ours:
            pairs = [l["us"][other] / l["us"][own] for l in lines
                     if own in l["us"] and other in l["us"] and other not in ours]
            if pairs:
                text.append(f"{own} against {other}: {geomean(pairs):.2f}x (geomean of "
                            f"{len(pairs)}, {min(pairs):.2f} to {max(pairs):.2f})")
    return "\n".join(text)


def plot(lines: List[Line], title: str) -> str:
    """SVG: time over the floor for every case and number of rows, by contender."""
    names = list(dict.fromkeys(n for l in lines for n in l["us"]))
    top = min(4.0, max((t / l["floor"] for l in lines for t in l["us"].values()), default=2))
    left, bottom, height, step = 60, 150, 320, 26
    width = left + step * len(lines) + 190

    def y(value: float) -> float:
        return 30 + height * (1 - (min(value, top) - 0.8) / (top - 0.8))

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
             f'height="{30 + height + bottom}" font-family="sans-serif" font-size="11">',
             f'<rect width="100%" height="100%" fill="white"/><text x="{left}" y="18" '
             f'font-size="14">{title}: time / floor</text>']
    tick = 1.0
    while tick <= top:
        parts.append(f'<line x1="{left}" x2="{width - 185}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" '
                     f'stroke="{"#888" if tick == 1 else "#ddd"}"/><text x="{left - 8}" '
                     f'y="{y(tick) + 4:.1f}" text-anchor="end">{tick:.1f}</text>')
        tick += 0.5
    for i, line in enumerate(lines):
        x = left + step * i + step / 2
        how = f' {line["how"]}' if line["how"] != "rotated" else ""
        parts.append(f'<text transform="translate({x + 4:.1f},{40 + height}) rotate(60)">'
                     f'{line["case"]} M={line["M"]}{how}</text>')
        for j, name in enumerate(names):
            if name in line["us"]:
                value = line["us"][name] / line["floor"]
                parts.append(f'<circle cx="{x + (j - len(names) / 2) * 2:.1f}" cy="{y(value):.1f}" '
                             f'r="3.5" fill="{COLOURS[j % len(COLOURS)]}"><title>{name}: '
                             f'{line["us"][name]:.2f} us</title></circle>')
    for j, name in enumerate(names):
        at = 40 + 18 * j
        parts.append(f'<circle cx="{width - 170}" cy="{at}" r="4" '
                     f'fill="{COLOURS[j % len(COLOURS)]}"/><text x="{width - 160}" '
                     f'y="{at + 4}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def bars(groups: Dict[str, Dict[str, float]], title: str) -> str:
    """SVG: a group of bars for each label, each group in parts of its longest bar."""
    left, width, thick = 210, 380, 14
    names = list(dict.fromkeys(n for values in groups.values() for n in values))
    parts, y = [], 34
    for label, values in groups.items():
        parts.append(f'<text x="{left - 8}" y="{y + thick * len(values) / 2 + 4}" '
                     f'text-anchor="end">{label}</text>')
        for name, value in values.items():
            colour = COLOURS[names.index(name) % len(COLOURS)]
            length = width * value / max(values.values())
            parts.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{thick - 2}" '
                         f'fill="{colour}"/><text x="{left + length + 5:.1f}" y="{y + 10}">'
                         f'{name} {value:.3f}</text>')
            y += thick
        y += 10
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 170}" height="{y}" '
            'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" '
            f'fill="white"/><text x="{left}" y="20" font-size="14">{title}</text>\n'
            + "\n".join(parts) + "\n</svg>\n")
