# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a fused kernel for many rows is worth it. A prefill kernel computes tiles in waves, one
per multiprocessor: where the last wave is nearly empty, cuBLAS, which has more shapes of tiles,
gains more than the norm costs. Decode kernels read each weight once, whatever they do with it.

The numbers are fitted to profiles of whole models (docs/performance.md) on an H200; on other GPUs
both sides scale alike.
"""

import math
from typing import Tuple

import torch

from ..runtime.manifest import Launch
from .region import VARIANCES, Region, name_of, shape_of

#: Microseconds: of a kernel's start and end; of a tile of 128 x 256 per element of K, with
#: statistics of squares and with means besides; of an activation in such a tile.
START, SQUARES, MEANS, TAIL = 4.5, 11.5e-3, 13e-3, 4.0
#: Columns of tiles; KB that a step of 64 of K moves through shared memory, which bounds narrow
#: ones: without columns, and for each.
COLUMNS, ROWS_KB, COLUMN_KB = (64, 96, 128, 160, 192, 256), 40, 0.375
#: cuBLAS: microseconds of a start, and operations in one; of a pointwise kernel's start, and bytes
#: that it moves in one; what a norm takes besides the bytes that it writes, in the kernel of a
#: residual sum.
CUBLAS, FLOPS, POINTWISE, BYTES, NORM = 3.0, 770e6, 2.5, 3.1e6, 0.5


def predict(found: Region, variant: Launch, rows: int) -> Tuple[float, float]:
    """Microseconds of the kernel and of what Inductor makes of the same, in 16 bits."""
    if "prefill" not in variant.kernel:
        return 0.0, math.inf
    k = shape_of(found.norm)[-1]
    widths = [linear.width for linear in found.linears]
    tiles = -(-rows // variant.tile_m) * variant.tiles_n
    waves = -(-tiles // (variant.cap or _multiprocessors(found)))
    mean = sum(widths) / variant.tiles_n
    columns = next((c for c in COLUMNS if c >= mean), mean)
    size = variant.tile_m / 128 * (ROWS_KB + COLUMN_KB * columns) / (ROWS_KB + COLUMN_KB * 256)
    means = any(name_of(n) in VARIANCES for n in found.nodes)
    tile = k * (MEANS if means else SQUARES) * size
    if found.tail:  # of a pair, half as many
        tile += TAIL * variant.tile_m * columns / (128 * 256) / len(widths)
    ours = START + waves * tile
    theirs = sum(CUBLAS + 2 * rows * k * n / FLOPS for n in widths) + NORM + 2 * rows * k / BYTES
    if found.tail:
        moved = len(widths) + 1 + len(found.tail.tiles)
        theirs += POINTWISE + 2 * rows * widths[0] * moved / BYTES
    return ours, theirs


def _multiprocessors(found: Region) -> int:
    device = found.x.meta["val"].device
    try:
        return torch.cuda.get_device_properties(device).multi_processor_count
    except (AssertionError, RuntimeError):  # no GPU: a graph for one is compiled all the same
        return 132
