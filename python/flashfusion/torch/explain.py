# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the backend makes of a model."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch

from . import backend, op
from .fuse import Record
from .numerics import error


class Explanation(NamedTuple):
    """`records`: one per norm with its Linears, and per Linear or norm that was left alone.
    `errors`: relative errors, against f64, of the kernel and of the program as written, of every
    record that is fused and was asked for, by its position. `attentions`: how many of one token
    per sequence read keys and values that heads share once. Printed, a table."""
    records: List[Record]
    errors: Dict[int, Tuple[float, float]] = {}
    attentions: int = 0

    @property
    def fused(self) -> List[Record]:
        return [r for r in self.records if r.fused]

    def __str__(self) -> str:
        lines = [["Linears", "K -> N", "norm", "kernel, or why not", "launches", "bytes/row"]]
        if self.errors:
            lines[0] += ["error", "as written"]
        for i, r in enumerate(self.records):
            what = r.kernel + " with what follows" * r.tail if r.fused else f"not fused: {r.reason}"
            saved = [f"-{r.launches}", f"-{r.row_bytes}"] if r.fused else ["", ""]
            lines.append([", ".join(r.modules), f"{r.k} -> {', '.join(map(str, r.widths)) or '-'}",
                          r.kind or "-", what, *saved])
            if self.errors:
                lines[-1] += [f"{e:.1e}" for e in self.errors.get(i, ())] or ["", ""]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        text = ["  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines]
        text.insert(1, "  ".join("-" * w for w in widths))
        fused = self.fused
        norms = sum(r.kind != "linear" for r in fused)
        linears = sum(len(r.modules) for r in fused if r.kind != "linear")
        text.append(f"{norms} norms fused with {linears} Linears, {len(fused) - norms} Linears "
                    f"alone: {sum(r.launches for r in fused)} launches and "
                    f"{sum(r.row_bytes for r in fused)} bytes per row saved; "
                    f"{sum(bool(not r.fused and r.widths) for r in self.records)} Linears left to "
                    "Inductor")
        if self.attentions:
            text.append(f"{self.attentions} attentions of one token read shared keys and values "
                        "once")
        return "\n".join(text)


class _Observer:
    """Compares every call of the operator with its region. The calls of one program come in the
    order of its records."""

    def __init__(self, records: List[Record]) -> None:
        self.records = records
        self.errors: Dict[int, Tuple[float, float]] = {}

    def __call__(self, program: str, x: torch.Tensor, operands: Sequence[torch.Tensor],
                 results: Sequence[torch.Tensor]) -> None:
        for i, record in enumerate(self.records):
            if record.program == program and record.reference and i not in self.errors:
                exact = record.reference.run(x, operands, True)
                written = record.reference.run(x, operands, False)
                self.errors[i] = error(results, exact), error(written, exact)
                return


def explain(model: Any, *args: Any, options: Optional[Dict[str, Any]] = None,
            numerics: bool = False, **kwargs: Any) -> Explanation:
    """Compiles `model` anew, runs it once on the arguments without gradients, and says which
    norms were fused with which Linears, what that saves, and for every other Linear and norm why
    not. With `numerics`, how exact each kernel was on what this run gave it, against f64, and how
    exact the same operations are as they are written."""
    records: List[Record] = []
    observer = _Observer(records)
    attentions: List[int] = []

    def recording(gm: Any, inputs: Any, **more: Any) -> Any:
        # A graph from a cache has no pass to listen to.
        return backend.flashfusion(gm, inputs, options={**(options or {}),
                                                        "force_disable_caches": True},
                                   records=records, attentions=attentions, **more)

    torch._dynamo.reset()
    if numerics:
        op.observers.append(observer)
    try:
        with torch.no_grad():
            torch.compile(model, backend=recording)(*args, **kwargs)
    finally:
        torch._dynamo.reset()
        if numerics:
            op.observers.remove(observer)
    return Explanation(records, observer.errors, sum(attentions))
