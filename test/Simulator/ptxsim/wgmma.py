# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma.mma_async: products of a warpgroup, both operands in shared memory.

Operands are stored along K with the 128-byte swizzle. A warp's products are an actor: they read
shared memory until the warp waits for them. While they are in flight nothing
else may touch the accumulators; wgmma.fence must come between a write to them (other than
of zeros) and a product.
"""

from typing import Callable, Dict, List

import numpy as np

from .floats import FROM, from_f8
from .machine import GROUP, GROUP_WIDE, WARP_WIDE, Active, Machine
from .order import FENCED, GENERIC, WARP
from .ptx import Instruction, PTXError, vector
from .shared import BASE, Fault


class Products:
    def __init__(self, machine: Machine):
        self.machine = machine
        self.accumulators = {name for i in machine.kernel.code if i.op[:2] == ("wgmma", "mma_async")
                             for name in vector(i.operands[0])}

    def reset(self) -> None:
        threads = self.machine.threads
        self.busy = np.zeros(threads, bool)      # products in flight
        self.unfenced = np.ones(threads, bool)   # accumulators written since wgmma.fence
        self.groups: Dict[int, List[int]] = {}   # per warp: moments of commits not yet waited for
        self.uncommitted: Dict[int, bool] = {}

    def checked(self, i: Instruction, kind: int, run: Callable) -> Callable:
        """The same instruction, with the rules for accumulators."""
        if not self.accumulators or i.op[0] == "wgmma" or run is None:
            return run
        names = [n for operand in i.operands for n in vector(operand)]
        if not self.accumulators.intersection(names):
            return run
        writes = bool(self.accumulators.intersection(vector(i.operands[0]))) and i.op[0] != "st"
        # LLVM may place the zeros that products start from behind wgmma.fence; ptxas then
        # starts without accumulators.
        moved = self.machine.register(i.operands[0]) if i.name == "mov.b32" else None

        def guarded(active: Active):
            if self.busy[active.threads].any():
                raise Fault("an accumulator is used while its products are in flight")
            result = run(active)
            if writes and (moved is None or moved[active.threads].any()):
                self.unfenced[active.threads] = True
            return result
        return guarded

    def fence(self, active: Active) -> None:
        self.unfenced[active.threads] = False

    def commit(self, active: Active) -> None:
        for warp in active.groups().tolist():
            self.groups.setdefault(warp, []).append(self.machine.order.now)
            self.uncommitted[warp] = False

    def wait(self, active: Active, left: int) -> None:
        order = self.machine.order
        for warp in active.groups().tolist():
            groups = self.groups.setdefault(warp, [])
            threads = np.arange(warp * WARP, (warp + 1) * WARP)
            while len(groups) > left:
                order.observe(threads, self.actor(warp), groups.pop(0))
            self.busy[threads] = bool(groups) or self.uncommitted.get(warp, False)

    def actor(self, warp: int) -> int:
        return self.machine.order.actor(("wgmma", warp), True)

    def operand(self, warps: np.ndarray, descriptors: np.ndarray, rows: np.ndarray,
                type_: str) -> np.ndarray:
        """`rows` x 32 bytes of elements, read on behalf of these warps."""
        machine = self.machine
        if (descriptors != descriptors[0]).any():
            raise Fault("the threads of a warpgroup have different descriptors")
        bits = int(descriptors[0])
        start, stride = (bits & 0x3fff) << 4, (bits >> 32 & 0x3fff) << 4
        # 18 bits of an address in this block's part of the cluster's memory.
        own = BASE + int(machine.rank[warps[0] * WARP]) * machine.pitch
        start = own + (start - own) % (1 << 18)
        if bits >> 62 != 1 or bits >> 49 & 7:
            raise Fault("only descriptors with the 128-byte swizzle and no offset are modelled")
        offsets = (start + rows // 8 * stride + rows % 8 * 128)[:, None] + 2 * np.arange(16)
        cells = machine.shared.swizzled(offsets)
        data = np.empty(0)
        for warp in warps.tolist():
            known = np.stack([machine.order.warp_knows(w, warp) for w in (GENERIC, FENCED)])
            data = machine.shared.async_read(cells.reshape(-1), known, self.actor(warp),
                                             ("wgmma", warp))
        if type_ == "e4m3":
            return from_f8(np.ascontiguousarray(data).view(np.uint8)).reshape(len(cells), -1)
        return FROM[type_](data).reshape(cells.shape)

    def multiply(self, group: int, a: np.ndarray, b: np.ndarray, n: int, type_: str,
                 sums: np.ndarray) -> np.ndarray:
        """`sums` and the product that a warpgroup's descriptors name, 64 x n."""
        threads = slice(group * GROUP, (group + 1) * GROUP)
        warps = group * 4 + np.arange(4)
        left = [self.operand(warps[w:w + 1], a[threads], 16 * w + np.arange(16), type_)
                for w in range(4)]
        right = self.operand(warps, b[threads], np.arange(n), type_)
        left = np.concatenate(left).astype(np.float64)
        right = right.astype(np.float64)
        return add_short(sums, left, right) if type_ == "e4m3" else sums + left @ right.T


def add_short(sums: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """sums + left right^T as 8-bit products are added: what is below 2^-13 of the largest summand's
    power of two is cut off. PTX leaves that open; sm_90 is known to keep about 14 bits."""
    terms = np.concatenate([left[:, None, :] * right[None, :, :], sums[:, :, None]], axis=2)
    largest = np.abs(terms).max(2, keepdims=True)
    unit = np.exp2(np.floor(np.log2(np.where(largest > 0, largest, 1))) - 13)
    return (np.trunc(terms / unit) * unit).sum(2)


def _multiply(machine: Machine, i: Instruction):
    n = int(i.op[4].partition("n")[2].partition("k")[0])
    type_ = i.op[-1]
    d = vector(i.operands[0])
    depth, flags = ("k32", ["1", "1"]) if type_ == "e4m3" else ("k16", ["1", "1", "0", "0"])
    if i.op[4] != f"m64n{n}{depth}" or i.op[5] != "f32" or i.op[6:] != (type_, type_) \
            or type_ not in ("bf16", "f16", "e4m3") or len(d) != n // 2 or i.operands[4:] != flags:
        raise PTXError(f"not modelled: {i.text}")
    a, b = (machine.source(o, "u64") for o in i.operands[1:3])
    scale = machine.source(i.operands[3], "pred")
    file, rows = machine.registers(d)
    sums = file.view(np.float32)
    # Register 4 j + 2 h + e of lane l of warp w: row 16 w + l / 4 + 8 h,
    # column 8 j + 2 (l % 4) + e.
    register, thread = np.arange(n // 2)[:, None], np.arange(GROUP)[None, :]
    row = thread // WARP * 16 + thread % WARP // 4 + 8 * (register // 2 % 2)
    column = register // 4 * 8 + thread % 4 * 2 + register % 2

    def run(active: Active) -> None:
        machine.order.tick()
        products = machine.products
        if products.unfenced[active.threads].any():
            raise Fault("no wgmma.fence since the accumulators were written")
        products.busy[active.threads] = True
        for group in active.groups(GROUP).tolist():
            threads = slice(group * GROUP, (group + 1) * GROUP)
            keep = np.broadcast_to(scale, machine.threads)[threads]
            before = np.zeros((64, n))
            before[row, column] = np.where(keep, sums[rows, threads], 0)
            result = products.multiply(group, a, b, n, type_, before)
            sums[rows, threads] = result[row, column]
            for warp in range(4 * group, 4 * group + 4):
                products.uncommitted[warp] = True
    return GROUP_WIDE, run


def compile_wgmma(machine: Machine, i: Instruction):
    if i.op[1] == "mma_async":
        return _multiply(machine, i)
    products = machine.products
    if i.op[1] == "fence":
        return WARP_WIDE, products.fence
    if i.op[1] == "commit_group":
        def commit(active: Active) -> None:
            machine.order.tick()
            products.commit(active)
        return WARP_WIDE, commit
    if i.op[1] == "wait_group":
        left = int(i.operands[0])
        return WARP_WIDE, lambda active: products.wait(active, left)
    raise PTXError(f"not modelled: {i.text}")
