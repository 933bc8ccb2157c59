# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A simulator of PTX that checks the order of memory accesses; see docs/testing.md."""
