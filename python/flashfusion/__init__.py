# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FlashFusion: normalizations fused with the Linears that read them.

    program = flashfusion.compile("model.mlir")     # linalg on tensors
    y = program(x, weight)                          # torch, cupy or numpy

    model = torch.compile(model, backend="flashfusion")
    print(flashfusion.explain(model, x))

`flashfusion.runtime` runs bundles that were compiled elsewhere.
"""

__version__ = "0.1.0"

from typing import Any

from ._compiler import CompileError, CompilerMissing
from .api import Function, Program, Verification, compile, verify

__all__ = ["CompileError", "CompilerMissing", "Function", "Program", "Verification", "compile",
           "explain", "verify"]


def explain(model: Any, *args: Any, **kwargs: Any) -> Any:
    """What torch.compile(model, backend="flashfusion") fuses, on these arguments, and why not the
    rest: flashfusion.torch.explain. Needs torch."""
    from .torch import explain as explain_model
    return explain_model(model, *args, **kwargs)
