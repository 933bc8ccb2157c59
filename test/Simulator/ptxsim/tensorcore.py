# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor cores: ldmatrix, stmatrix, mma.sync; wgmma is in wgmma.py.

Products are exact and summed in float64, then added to the f32 accumulator.
"""

import numpy as np

from .floats import FROM
from .machine import WARP_WIDE, Active, Machine
from .order import WARP
from .ptx import Instruction, PTXError, vector
from .shared import Fault
from .wgmma import Products, compile_wgmma

__all__ = ["Products", "compile_instruction"]

LANE = np.arange(WARP)
QUAD, IN_QUAD = LANE // 4, LANE % 4


def _row_addresses(address, active: Active, count: int):
    """Lanes 8 i .. 8 i + 7 name the rows of matrix i."""
    chosen = active.threads[active.threads % WARP < 8 * count]
    return chosen, address(chosen)


def _load_matrix(machine: Machine, i: Instruction):
    names = vector(i.operands[0])
    if "m8n8" not in i.op or f"x{len(names)}" not in i.op or i.op[-1] != "b16":
        raise PTXError(f"not modelled: {i.text}")
    targets = [machine.target(n, "b32") for n in names]
    address = machine.address(i.operands[1])
    transposed = "trans" in i.op

    def run(active: Active) -> None:
        machine.order.tick()
        chosen, addresses = _row_addresses(address, active, len(names))
        rows = machine.shared.read(chosen, addresses, 16).reshape(-1, len(names), 8, 8)
        if transposed:
            rows = np.swapaxes(rows, 2, 3)
        words = np.ascontiguousarray(rows).view(np.uint32)  # warp, matrix, row, pair
        for at, target in enumerate(targets):
            target[active.threads] = words[:, at].reshape(-1)
    return WARP_WIDE, run


def _store_matrix(machine: Machine, i: Instruction):
    names = vector(i.operands[1])
    if "m8n8" not in i.op or f"x{len(names)}" not in i.op or "trans" in i.op:
        raise PTXError(f"not modelled: {i.text}")
    sources = [machine.source(n, "b32") for n in names]
    address = machine.address(i.operands[0])

    def run(active: Active) -> None:
        machine.order.tick()
        chosen, addresses = _row_addresses(address, active, len(names))
        warps = len(active.threads) // WARP
        words = np.empty((warps, len(names), 8, 4), np.uint32)
        for at, source in enumerate(sources):
            words[:, at] = np.broadcast_to(source, machine.threads)[active.threads].reshape(
                warps, 8, 4)
        machine.shared.write(chosen, addresses, words.reshape(-1, 4).view(np.uint16))
    return WARP_WIDE, run


def _fragment(machine: Machine, names, warps: int, active: Active) -> np.ndarray:
    """Registers as [warp, lane, register]."""
    words = np.empty((len(active.threads), len(names)), np.uint32)
    for at, name in enumerate(names):
        source = machine.source(name, "b32")
        words[:, at] = source if np.ndim(source) == 0 else source[active.threads]
    return words.reshape(warps, WARP, len(names))


def _multiply(machine: Machine, i: Instruction):
    shape, type_ = i.op[3], i.op[-2]
    depth = {("m16n8k16", "bf16"): 16, ("m16n8k16", "f16"): 16, ("m16n8k8", "tf32"): 8}.get(
        (shape, type_))
    if depth is None or i.op[4:6] != ("row", "col") or i.op[-1] != "f32" or i.op[6] != "f32":
        raise PTXError(f"not modelled: {i.text}")
    d, a, b, c = (vector(o) for o in i.operands)
    targets = [machine.target(n, "f32") for n in d]

    def values(words: np.ndarray) -> np.ndarray:
        """The elements in a fragment's registers: [warp, lane, register, element]."""
        if type_ == "tf32":
            if (words & np.uint32(0x1fff)).any():
                raise Fault("operand is no tf32 number")
            return words.view(np.float32)[..., None]
        return FROM[type_](np.ascontiguousarray(words)[..., None].view(np.uint16))

    per = depth // 8  # elements of a register

    def run(active: Active) -> None:
        warps = len(active.threads) // WARP
        left = np.empty((warps, 16, depth))
        right = np.empty((warps, depth, 8))
        sums = np.empty((warps, 16, 8))
        # Register r of A: row quad + 8 (r % 2), columns from per * (lane % 4) + 4 per (r / 2).
        elements = values(_fragment(machine, a, warps, active))
        for r in range(4):
            for e in range(per):
                left[:, QUAD + 8 * (r % 2), per * IN_QUAD + e + 4 * per * (r // 2)] = \
                    elements[:, :, r, e]
        elements = values(_fragment(machine, b, warps, active))
        for r in range(2):
            for e in range(per):
                right[:, per * IN_QUAD + e + 4 * per * r, QUAD] = elements[:, :, r, e]
        elements = _fragment(machine, c, warps, active).view(np.float32)
        for r in range(4):
            sums[:, QUAD + 8 * (r // 2), 2 * IN_QUAD + r % 2] = elements[:, :, r]
        sums += left @ right
        for r, target in enumerate(targets):
            target[active.threads] = sums[:, QUAD + 8 * (r // 2), 2 * IN_QUAD + r % 2].reshape(-1)
    return WARP_WIDE, run


def compile_instruction(machine: Machine, i: Instruction):
    if i.op[0] == "ldmatrix":
        return _load_matrix(machine, i)
    if i.op[0] == "stmatrix":
        return _store_matrix(machine, i)
    if i.op[0] == "mma":
        return _multiply(machine, i)
    if i.op[0] == "wgmma":
        return compile_wgmma(machine, i)
    return None
