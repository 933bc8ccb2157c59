# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend of torch.compile."""

from typing import Any, Callable, Dict, List, Optional, Sequence

import torch

from . import attention, importer
from .fuse import FusePass, Options, Record

PREFIX = "flashfusion."
_PASS = "post_grad_custom_pre_pass"


def flashfusion(gm: torch.fx.GraphModule, example_inputs: Sequence[Any], *,
                mode: Optional[str] = None, options: Optional[Dict[str, Any]] = None,
                records: Optional[List[Record]] = None,
                attentions: Optional[List[int]] = None) -> Callable[..., Any]:
    """torch.compile(model, backend="flashfusion", mode=.., options=..): Inductor, with norms
    fused with the Linears that read them. Never fails a model: what is not fused is left to
    Inductor (flashfusion.torch.explain says why).

    mode: as for Inductor.
    options: those of Inductor, and of flashfusion.torch.fuse.Options with the prefix
        "flashfusion.", as {"flashfusion.disable": ["layers.0.*"]}.
    records, attentions: where what was found goes, and how many attentions of a graph were
        rewritten (`attention.py`); `explain` shows both."""
    import torch._inductor as inductor
    from torch._inductor import config
    from torch._inductor.compile_fx import compile_fx
    own = {k[len(PREFIX):]: v for k, v in (options or {}).items() if k.startswith(PREFIX)}
    unknown = set(own) - set(Options._fields)
    if unknown:
        raise ValueError(f"no option {PREFIX}{sorted(unknown)[0]}; there are "
                         + ", ".join(PREFIX + name for name in Options._fields))
    if own.get("importer", "own") not in ("own", "torch-mlir"):
        raise ValueError(f"{PREFIX}importer must be 'own' or 'torch-mlir'")
    if own.get("importer") == "torch-mlir" and not importer.available():
        raise ImportError("torch-mlir is not installed")
    patches = dict(inductor.list_mode_options(mode)) if mode else {}
    patches.update((k, v) for k, v in (options or {}).items() if not k.startswith(PREFIX))
    if "disable" in own:
        own["disable"] = tuple(own["disable"])
    behind = patches.get(_PASS) or getattr(config, _PASS)
    combines = "combo_kernels" not in patches
    patches[_PASS] = FusePass(Options(**own), records, behind, combines)
    # Kernels of ours let their successors start before what they wait for is complete; Inductor's,
    # with this, would not always wait.
    patches["triton.enable_pdl"] = False
    # Would turn the products of one row into sums before the pass sees them.
    patches.setdefault("coordinate_descent_tuning", False)
    # Would put copies, padded to multiples of 8 rows, between norms and Linears, where a benchmark
    # of the moment says so.
    patches.setdefault("shape_padding", False)
    # Decided by the pass, which knows the graph.
    patches.setdefault("combo_kernels", False)
    if Options(**own).attention:
        changed = attention.group_queries(gm, host=Options(**own).cpu)
        if attentions is not None:
            attentions.append(changed)
    compiled: Any = compile_fx(gm, list(example_inputs), config_patches=patches)
    return compiled


if "flashfusion" not in torch._dynamo.list_backends(exclude_tags=()):
    torch._dynamo.register_backend(flashfusion, name="flashfusion")
