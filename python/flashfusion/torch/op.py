# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operator that a fused region becomes in a graph."""

import threading
from typing import Any, Dict, List, Sequence, Tuple

import torch

from .. import api

_library = torch.library.Library("flashfusion", "DEF")
# `early` allows a kernel to read its weights before the kernel in front of it is done: where that one
# computes x, and so is of the same graph, which writes no weights.
# Functional: the results are new tensors. The program is text, so that a graph which Inductor
# took from its cache needs nothing else of the process that made it.
_library.define("fused(Tensor x, Tensor[] operands, str program, int[] widths, ScalarType dtype, "
                "bool packed, bool early) -> Tensor[]", tags=(torch.Tag.pt2_compliant_tag,))

_programs: Dict[Tuple[str, bool], api.Program] = {}
_lock = threading.Lock()


def program_of(text: str, packed: bool) -> api.Program:
    """The program of a text; compiled when it is first run or asked for its bundle. Without
    `packed`, weights are packed only for numbers of rows that nothing else serves: the pass has
    seen to it that those at hand are not among them."""
    found = _programs.get((text, packed))
    if found is None:
        with _lock:
            found = _programs.setdefault(
                (text, packed),
                api.compile(text, allow_packed=packed or "last", plain_linears=True))
    return found


def _fused(x: torch.Tensor, operands: Sequence[torch.Tensor], program: str, widths: Sequence[int],
           dtype: torch.dtype, packed: bool, early: bool) -> List[torch.Tensor]:
    arguments = [t if t.is_contiguous() else t.contiguous() for t in (x, *operands)]
    options = {"dependent_launch": True} if early and x.is_cuda else {}
    results: Any = program_of(program, packed)(*arguments, **options)
    return list(results) if isinstance(results, tuple) else [results]


def _fake(x: torch.Tensor, operands: Sequence[torch.Tensor], program: str, widths: Sequence[int],
          dtype: torch.dtype, packed: bool, early: bool) -> List[torch.Tensor]:
    return [x.new_empty((x.shape[0], width), dtype=dtype) for width in widths]


_library.impl("fused", _fused, "CUDA")
_library.impl("fused", _fused, "CPU")
torch.library.register_fake("flashfusion::fused", _fake, lib=_library)

#: The operator, for graphs.
fused = torch.ops.flashfusion.fused.default
