# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Regions as linalg by torch-mlir's FX importer, where it is installed and asked for
(flashfusion.importer). emit.py, which needs nothing, writes the same computation."""

import contextlib
import importlib
import importlib.util
from typing import Any, Dict, Iterator, List, Tuple

import torch

from . import emit
from .numerics import Reference
from .region import NotFused, Region, shape_of, value_of


def available() -> bool:
    return importlib.util.find_spec("torch_mlir") is not None


class _Module(torch.nn.Module):
    def __init__(self, region: Region) -> None:
        super().__init__()
        self.reference = Reference(region)

    def forward(self, x: torch.Tensor, *operands: torch.Tensor) -> Tuple[torch.Tensor, ...]:
        return tuple(self.reference.run(x, operands, False))


def import_region(region: Region) -> str:
    """As emit.emit: the text of a function of x and emit.operands_of(region)."""
    fx = importlib.import_module("torch_mlir.fx")
    if region.scalars:
        raise NotFused("importer", "numbers on the host are arguments of our importer only")
    operands = emit.operands_of(region)
    rows = shape_of(region.linears[0].node)[0]
    static = isinstance(rows, int) and rows > emit.FEW_ROWS
    tiles = region.tail.tiles if region.tail is not None else []
    some = rows if static else emit.FEW_ROWS  # any number of rows that is not special
    arguments: List[torch.Tensor] = []
    varying: List[Any] = []
    dim = None if static else torch.export.Dim("rows", min=2)
    for node in (region.x, *operands):
        of_rows = node is region.x or node in tiles
        shape: Any = (some, shape_of(node)[-1]) if of_rows else tuple(shape_of(node))
        arguments.append(torch.empty(shape, dtype=value_of(node).dtype, device="meta"))
        varying.append({0: dim} if of_rows and dim is not None else None)
    settings: Dict[str, Any] = {} if static else {
        "dynamic_shapes": {"x": varying[0], "operands": tuple(varying[1:])}}
    with _outside():
        module = fx.export_and_import(_Module(region), *arguments, func_name="main",
                                      output_type="linalg-on-tensors", **settings)
    return str(module)


@contextlib.contextmanager
def _outside() -> Iterator[None]:
    """Of the compilation that we are called from: an export is one of its own."""
    from torch._guards import tracing
    from torch._subclasses.fake_tensor import unset_fake_temporarily
    with unset_fake_temporarily(), tracing(None):
        yield
