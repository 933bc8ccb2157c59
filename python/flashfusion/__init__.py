# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FlashFusion: normalizations fused with the Linears that read them."""

__version__ = "0.1.0"
