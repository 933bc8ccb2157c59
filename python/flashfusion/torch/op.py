# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operator that a fused region becomes in a graph."""

import threading
from typing import Any, Dict, List, Sequence, Tuple

import torch
from torch import library

from .. import api
from ..runtime import driver

_library = library.Library("flashfusion", "DEF")
# `early` allows a kernel to read its weights before the kernel in front of it is done: where that
# one computes x, and so is of the same graph, which writes no weights.
# Functional: the results are new tensors. The program is text, so that a graph which Inductor
# took from its cache needs nothing else of the process that made it.
_library.define("fused(Tensor x, Tensor[] operands, str program, int[] widths, ScalarType dtype, "
                "bool packed, bool early) -> Tensor[]", tags=(torch.Tag.pt2_compliant_tag,))

_programs: Dict[Tuple[str, bool], api.Program] = {}
_functions: Dict[Tuple[str, bool, int], Any] = {}
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


def repack() -> None:
    """Packs weights anew at their next use, in all models. Needed after changes that torch does not
    count (docs/python.md) and before replaying a graph that was captured with other weights: run
    the model once outside of the graph. Weights that are not packed need nothing."""
    for program in list(_programs.values()):
        program.repack()


#: Called with a program, its arguments and results (explain).
observers: List[Any] = []


def _fused(x: torch.Tensor, operands: Sequence[torch.Tensor], program: str, widths: Sequence[int],
           dtype: torch.dtype, packed: bool, early: bool) -> List[torch.Tensor]:
    results = _run(x, operands, program, widths, dtype, packed, early)
    for observer in observers:
        observer(program, x, operands, results)
    return results


def _run(x: torch.Tensor, operands: Sequence[torch.Tensor], program: str, widths: Sequence[int],
         dtype: torch.dtype, packed: bool, early: bool) -> List[torch.Tensor]:
    arguments: List[Any] = [t if t.is_contiguous() else t.contiguous() for t in (x, *operands)]
    compiled, scalars = program_of(program, packed), False
    for i, t in enumerate(operands):
        if t.ndim == 0:
            arguments[i + 1], scalars = t.item(), True
    if not x.is_cuda:
        return _as_list(compiled(*arguments))
    device, function = x.device.index, _functions.get((program, packed, x.device.index))
    if function is None:  # the first call makes sure that all fits
        results = _as_list(compiled(*arguments, dependent_launch=early))
        _functions[program, packed, device] = compiled.bundle(driver.chip_of(device)).only()
        return results
    results = [x.new_empty((x.shape[0], width), dtype=dtype) for width in widths]
    with driver.current(device):
        done = not scalars and function.run_trusted([t.data_ptr() for t in arguments],
                                    [r.data_ptr() for r in results], x.shape[0], device,
                                    torch.cuda.current_stream(device).cuda_stream, early)
    if not done:
        function(*arguments, out=results, dependent_launch=early)
    return results


def _as_list(results: Any) -> List[torch.Tensor]:
    return list(results) if isinstance(results, tuple) else [results]


def _fake(x: torch.Tensor, operands: Sequence[torch.Tensor], program: str, widths: Sequence[int],
          dtype: torch.dtype, packed: bool, early: bool) -> List[torch.Tensor]:
    return [x.new_empty((x.shape[0], width), dtype=dtype) for width in widths]


_library.impl("fused", _fused, "CUDA")
_library.impl("fused", _fused, "CPU")
library.register_fake("flashfusion::fused", _fake, lib=_library)

#: The operator, for graphs.
fused = torch.ops.flashfusion.fused.default
