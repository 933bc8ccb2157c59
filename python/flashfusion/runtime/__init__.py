# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bundles (docs/bundle.md) on NVIDIA GPUs: no compiler, no CUDA toolkit,
nothing but the standard library and the driver.

    program = flashfusion.runtime.load("model.ffb")
    y = program(x, w)               # torch CUDA tensors or cupy arrays
"""

from .driver import CudaError
from .manifest import Bundle, BundleError
from .program import Function, Program, load

__all__ = ["Bundle", "BundleError", "CudaError", "Function", "Program", "load"]
