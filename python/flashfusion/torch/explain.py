# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the backend makes of a model."""

from typing import Any, Dict, List, NamedTuple, Optional

import torch

from . import backend
from .fuse import Record


class Explanation(NamedTuple):
    """`records`: one per norm with its Linears, and per Linear that was left alone. Printed, a
    table."""
    records: List[Record]

    @property
    def fused(self) -> List[Record]:
        return [r for r in self.records if r.fused]

    def __str__(self) -> str:
        lines = [("Linears", "K -> N", "norm", "kernel, or why not")]
        for r in self.records:
            what = r.kernel if r.fused else f"not fused: {r.reason}"
            lines.append((", ".join(r.modules), f"{r.k} -> {', '.join(map(str, r.widths))}",
                          r.kind or "-", what))
        widths = [max(len(line[i]) for line in lines) for i in range(4)]
        text = ["  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines]
        text.insert(1, "  ".join("-" * w for w in widths))
        fused = self.fused
        text.append(f"{len(fused)} norms fused with {sum(len(r.modules) for r in fused)} Linears: "
                    f"{sum(r.launches for r in fused)} launches and "
                    f"{sum(r.row_bytes for r in fused)} bytes per row saved; "
                    f"{sum(not r.fused for r in self.records)} Linears left to Inductor")
        return "\n".join(text)


def explain(model: Any, *args: Any, options: Optional[Dict[str, Any]] = None,
            **kwargs: Any) -> Explanation:
    """Compiles `model` anew, runs it once on the arguments without gradients, and says which
    norms were fused with which Linears, and for every other Linear why not."""
    records: List[Record] = []

    def recording(gm: Any, inputs: Any, **more: Any) -> Any:
        # A graph from a cache has no pass to listen to.
        return backend.flashfusion(gm, inputs, options={**(options or {}),
                                                        "force_disable_caches": True},
                                   records=records, **more)

    torch._dynamo.reset()
    try:
        with torch.no_grad():
            torch.compile(model, backend=recording)(*args, **kwargs)
    finally:
        torch._dynamo.reset()
    return Explanation(records)
