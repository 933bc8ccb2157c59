# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory of a block, with the order of every access checked.

Memory is an array of cells of two bytes. Per cell are kept the last write (actor and
moment) and, for each warp and each asynchronous reader, the last read.
A read must come after the write, a write after the last write and all reads:
by Order, not by the order in which the simulator happens to run threads.
"""

from typing import Dict, Hashable, Optional

import numpy as np

from .order import FENCED, GENERIC, WARP, Order

#: Address of the first byte: the first 1024 bytes belong to the system on sm_90.
BASE = 1024
SEVERAL = -2  # in place of the one reader


class Fault(Exception):
    """The kernel did something that it must not do."""


class SharedMemory:
    def __init__(self, size: int, order: Order, readers: int):
        """`readers`: how many asynchronous readers there may be."""
        self.size = size
        self.order = order
        cells = (size + 1) // 2
        # NaN in every type, so that what is read too early is seen in results, too.
        self.cells = np.full(cells, 0xffff, np.uint16)
        self.writer = np.full(cells, -1, np.int16)
        self.written = np.zeros(cells, np.int32)
        self.warps = order.threads // WARP
        rows = self.warps + readers
        self.reader = np.full((rows, cells), -1, np.int16)
        self.read_at = np.zeros((rows, cells), np.int32)
        self.barrier = np.zeros(cells, bool)  # holds an mbarrier
        self._rows: Dict[Hashable, int] = {}

    #--- Addresses -----------------------------------------------------------#

    def locate(self, addresses: np.ndarray, size: int) -> np.ndarray:
        """Cells of accesses of `size` bytes, one row for each address."""
        offsets = addresses.astype(np.int64) - BASE
        if (offsets % min(size, 16)).any():
            raise Fault(f"misaligned access of {size} bytes to shared memory")
        if len(offsets) and (offsets.min() < 0 or offsets.max() + size > self.size):
            raise Fault("access outside of shared memory")
        cells = (offsets >> 1)[:, None] + np.arange(size // 2)
        if self.barrier[cells].any():
            raise Fault("ordinary access to an mbarrier")
        return cells

    def swizzled(self, offsets: np.ndarray) -> np.ndarray:
        """Cells of byte addresses under the 128-byte swizzle of the hardware."""
        offsets = offsets ^ ((offsets >> 3) & 0x70)
        if offsets.min() < BASE or offsets.max() - BASE + 2 > self.size:
            raise Fault("access outside of shared memory")
        return (offsets - BASE) >> 1

    #--- Accesses of threads -------------------------------------------------#

    def read(self, threads: np.ndarray, addresses: np.ndarray, size: int) -> np.ndarray:
        """One row of uint16 for each thread."""
        cells = self.locate(addresses, size)
        who = np.broadcast_to(threads[:, None], cells.shape)
        writer = self.writer[cells]
        # What was never written is NaN: kernels may read it if they do not use it.
        self._require((writer < 0) | self._knows(who, writer, self.written[cells]),
                      "read of shared memory that races with a write", writer)
        self._note_reads(cells, who)
        return self.cells[cells]

    def write(self, threads: np.ndarray, addresses: np.ndarray, data: np.ndarray,
              actors: Optional[np.ndarray] = None) -> np.ndarray:
        """`data` has a row of uint16 for each thread. `actors`: on whose behalf the write
        happens, if it is not complete by now; the data follows with `land`."""
        cells = self.locate(addresses, 2 * data.shape[1])
        who = np.broadcast_to(threads[:, None], cells.shape)
        writer = self.writer[cells]
        self._require((writer < 0) | self._knows(who, writer, self.written[cells]),
                      "write to shared memory that races with a write", writer)
        self._check_reads(cells, who)
        owner = who if actors is None else np.broadcast_to(actors[:, None], cells.shape)
        self.writer[cells] = owner
        if (self.writer[cells] != owner).any():
            raise Fault("two threads write the same place in shared memory")
        self.written[cells] = self.order.now
        self.cells[cells] = data if actors is None else 0xffff
        return cells

    def land(self, cells: np.ndarray, data: np.ndarray) -> None:
        """The data of an earlier asynchronous write."""
        self.cells[cells] = data

    def _knows(self, who: np.ndarray, actor: np.ndarray, moment: np.ndarray) -> np.ndarray:
        order = self.order
        known = (actor == who) | ((actor < order.threads) & (moment <= order.floor))
        if not known.all():
            rest = ~known & (actor >= 0)
            known[rest] = order.known[GENERIC, who[rest], actor[rest]] >= moment[rest]
        return known

    def _note_reads(self, cells: np.ndarray, who: np.ndarray) -> None:
        order = self.order
        flat = (who // WARP).astype(np.int64) * self.cells.size + cells
        reader, read_at = self.reader.reshape(-1), self.read_at.reshape(-1)
        # An earlier read by another lane is forgotten if it happens before this one.
        recent = read_at[flat] > order.floor
        several = None
        if recent.any():
            old = reader[flat]
            kept = recent & (old != who)
            if kept.any():
                kept[kept] = ((old[kept] < 0) | (
                    order.known[GENERIC, who[kept], old[kept]] < read_at[flat[kept]]))
                several = flat[kept]
        reader[flat] = who
        read_at[flat] = order.now
        lost = reader[flat] != who
        if lost.any():
            reader[flat[lost]] = SEVERAL
        if several is not None:
            reader[several] = SEVERAL

    def _check_reads(self, cells: np.ndarray, who: np.ndarray) -> None:
        order = self.order
        read_at = self.read_at[:, cells]
        if not read_at.any():
            return
        recent = read_at > 0
        recent[:self.warps] &= read_at[:self.warps] > order.floor
        row, at, part = recent.nonzero()
        if len(row):
            moment = read_at[row, at, part]
            reader, me = self.reader[row, cells[at, part]], who[at, part]
            one = reader >= 0
            known = reader == me
            known[one] |= (order.known[GENERIC, me[one], reader[one]] >= moment[one])
            if not one.all():
                all_of_warp = order.known[GENERIC][:, :order.threads].reshape(
                    order.threads, self.warps, WARP).min(axis=2)
                many = ~one
                known[many] = all_of_warp[me[many], row[many]] >= moment[many]
            self._require(known, "write to shared memory that races with a read", reader)
        self.read_at[:, cells] = 0

    def _require(self, good: np.ndarray, what: str, actor: np.ndarray) -> None:
        if not good.all():
            other = int(actor[~good][0])
            by = ("several threads" if other < 0 else f"thread {other}"
                  if other < self.order.threads else "a copy or product in flight")
            raise Fault(f"{what} by {by}")

    #--- Accesses of the copy engine and the tensor cores --------------------#

    def reader_row(self, key: Hashable) -> int:
        if key not in self._rows:
            self._rows[key] = self.warps + len(self._rows)
            if self._rows[key] >= len(self.reader):
                raise RuntimeError("more asynchronous readers than were counted")
        return self._rows[key]

    def async_read(self, cells: np.ndarray, known: np.ndarray, actor: int,
                   row: Hashable) -> np.ndarray:
        """`known`: both clocks of whoever starts the read."""
        writer = self.writer[cells]
        if (writer < 0).any():
            raise Fault("asynchronous read of shared memory that was never written")
        self._require_async(known, writer, self.written[cells], "asynchronous read", "a write")
        at = self.reader_row(row)
        self.reader[at, cells] = actor
        self.read_at[at, cells] = self.order.now
        return self.cells[cells]

    def async_write(self, cells: np.ndarray, known: np.ndarray, actor: int) -> None:
        """The data follows with `land`."""
        if self.barrier[cells].any():
            raise Fault("copy over an mbarrier")
        order, writer = self.order, self.writer[cells]
        old = writer >= 0
        self._require_async(known, writer[old], self.written[cells][old], "copy", "a write")
        read_at = self.read_at[:, cells]
        row, at = read_at.nonzero()
        if len(row):
            reader, moment = self.reader[row, cells[at]], read_at[row, at]
            many = reader < 0
            if many.any():
                # All lanes, by the one that is known least: stands for its warp.
                lanes = known[:, :order.threads].reshape(2, self.warps, WARP)
                least = lanes.min(axis=2)
                self._explain(least[GENERIC][row[many]] >= moment[many],
                              least[FENCED][row[many]] >= moment[many], "copy", "a read")
            self._require_async(known, reader[~many], moment[~many], "copy", "a read")
            self.read_at[:, cells] = 0
        self.writer[cells] = actor
        self.written[cells] = order.now
        self.cells[cells] = 0xffff

    def _require_async(self, known: np.ndarray, actor: np.ndarray, moment: np.ndarray,
                       what: str, other: str) -> None:
        ordered = known[GENERIC][actor] >= moment
        fenced = self.order.asynchronous[actor] | (known[FENCED][actor] >= moment)
        self._explain(ordered, fenced, what, other)

    @staticmethod
    def _explain(ordered: np.ndarray, fenced: np.ndarray, what: str, other: str) -> None:
        if not ordered.all():
            raise Fault(f"{what} in shared memory races with {other}")
        if not fenced.all():
            raise Fault(f"{what} in shared memory after {other} by threads without "
                        "fence.proxy.async in between")
