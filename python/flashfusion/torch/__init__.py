# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(model, backend="flashfusion"): norms fused with the Linears behind them,
Inductor for the rest.

    import flashfusion.torch
    model = torch.compile(model, backend="flashfusion")
    print(flashfusion.torch.explain(model, x))
"""

from .backend import flashfusion
from .explain import Explanation, explain
from .op import repack

__all__ = ["Explanation", "explain", "flashfusion", "repack"]
