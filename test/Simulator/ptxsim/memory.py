# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Global memory: buffers with holes between them, and tensor maps."""

import bisect
from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np

from .shared import Fault


class Buffer:
    """`guarded`: another kernel may still be writing (x) or reading (an output) it, until
    griddepcontrol.wait. A writable buffer takes one write per byte and launch."""

    def __init__(self, name: str, address: int, data: bytearray, writable: bool, guarded: bool):
        self.name, self.address = name, address
        self.bytes = np.frombuffer(data, np.uint8)
        self.writable, self.guarded = writable, guarded
        self.written = np.zeros(len(self.bytes), bool)

    def array(self, dtype, shape) -> np.ndarray:
        return self.bytes.view(dtype).reshape(shape)


class GlobalMemory:
    def __init__(self) -> None:
        self.buffers: List[Buffer] = []
        self.starts: List[int] = []

    def add(self, name: str, array: np.ndarray, offset: int = 0, writable: bool = False,
            guarded: bool = False) -> Buffer:
        """A copy of `array`, `offset` bytes behind an address that is a multiple of 4096."""
        last = self.buffers[-1] if self.buffers else None
        free = last.address + len(last.bytes) if last else 0x10000000
        address = (free + 65536 + 4095) // 4096 * 4096 + offset
        made = Buffer(name, address, bytearray(np.ascontiguousarray(array).tobytes()), writable,
                      guarded)
        self.buffers.append(made)
        self.starts.append(address)
        return made

    def launch(self, writable: List[Buffer]) -> None:
        """A new kernel: only these may be written, each byte once."""
        for buffer in self.buffers:
            buffer.writable = any(buffer is w for w in writable)
            buffer.written[:] = False

    def find(self, address: int, what: str) -> Buffer:
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0:
            raise Fault(f"{what} outside of all buffers: {address:#x}")
        return self.buffers[at]

    def _inside(self, buffer: Buffer, offsets: np.ndarray, size: int, what: str) -> None:
        if offsets.min() < 0 or offsets.max() + size > len(buffer.bytes):
            bad = int(offsets.max() if offsets.max() + size > len(buffer.bytes) else offsets.min())
            raise Fault(f"{what} outside of {buffer.name}: {size} bytes at {bad} of "
                        f"{len(buffer.bytes)}")

    def _split(self, addresses: np.ndarray, size: int, what: str):
        """Per buffer: which accesses, and their offsets."""
        addresses = addresses.astype(np.int64)
        if (addresses % min(size, 16)).any():
            raise Fault(f"misaligned {what} of {size} bytes")
        which = np.searchsorted(self.starts, addresses, side="right") - 1
        if which.min() < 0:
            raise Fault(f"{what} outside of all buffers")
        first = which[0]
        if (which == first).all():
            parts = [(self.buffers[first], slice(None))]
        else:
            parts = [(self.buffers[w], (which == w).nonzero()[0]) for w in np.unique(which)]
        for buffer, part in parts:
            offsets = addresses[part] - buffer.address
            self._inside(buffer, offsets, size, what)
            yield buffer, part, offsets

    @staticmethod
    def _wait(buffer: Buffer, waited, what: str) -> None:
        if buffer.guarded and not np.all(waited):
            raise Fault(f"{what} of {buffer.name} before griddepcontrol.wait")

    def read(self, addresses: np.ndarray, size: int, waited) -> np.ndarray:
        """One row of bytes per address; `waited`: who has passed griddepcontrol.wait."""
        result = np.empty((len(addresses), size), np.uint8)
        for buffer, part, offsets in self._split(addresses, size, "read"):
            if buffer.writable:
                raise Fault(f"read of {buffer.name}, which this kernel writes")
            self._wait(buffer, waited if np.isscalar(waited) else waited[part], "read")
            result[part] = buffer.bytes[offsets[:, None] + np.arange(size)]
        return result

    def write(self, addresses: np.ndarray, data: np.ndarray, waited) -> None:
        size = data.shape[1]
        for buffer, part, offsets in self._split(addresses, size, "write"):
            self._wait(buffer, waited if np.isscalar(waited) else waited[part], "write")
            self._store(buffer, (offsets[:, None] + np.arange(size)), data[part])

    @staticmethod
    def _store(buffer: Buffer, where: np.ndarray, data: np.ndarray) -> None:
        if not buffer.writable:
            raise Fault(f"write to {buffer.name}, which is read only")
        if buffer.written[where].any() or len(np.unique(where)) != where.size:
            raise Fault(f"second write to the same place of {buffer.name}")
        buffer.written[where] = True
        buffer.bytes[where] = data


@dataclass
class TensorMap:
    """A matrix seen by the copy engine (docs/bundle.md); `box` is rows, columns."""
    buffer: Buffer
    rows: int
    columns: int
    item: int
    box: Tuple[int, int]
    memory: Optional[GlobalMemory] = None

    def check(self) -> None:
        if self.buffer.address % 16 or self.columns * self.item % 16:
            raise Fault(f"tensor map of {self.buffer.name} with misaligned address or rows")
        if self.box[1] * self.item != 128:
            raise Fault(f"tensor map of {self.buffer.name}: a row of its box has no 128 bytes")

    def _places(self, row: int, column: int):
        """Offsets of the box's elements in the buffer and which of them are inside."""
        rows = row + np.arange(self.box[0])[:, None]
        columns = column + np.arange(self.box[1])[None, :]
        inside = (rows >= 0) & (rows < self.rows) & (columns >= 0) & (columns < self.columns)
        return (rows * self.columns + columns) * self.item, inside

    def read(self, row: int, column: int, waited: bool) -> np.ndarray:
        """The box as uint16 cells, zero where it reaches past the matrix."""
        GlobalMemory._wait(self.buffer, waited, "copy")
        offsets, inside = self._places(row, column)
        offsets = np.where(inside, offsets, 0)
        data = self.buffer.bytes[offsets[:, :, None] + np.arange(self.item)]
        data = np.where(inside[:, :, None], data, 0).astype(np.uint8)
        return data.reshape(self.box[0], -1).view(np.uint16)

    def write(self, row: int, column: int, cells: np.ndarray, waited: bool) -> None:
        """Stores what of the box is inside."""
        GlobalMemory._wait(self.buffer, waited, "copy")
        offsets, inside = self._places(row, column)
        data = np.ascontiguousarray(cells).view(np.uint8).reshape(*self.box, self.item)
        where = offsets[inside][:, None] + np.arange(self.item)
        if where.size:
            GlobalMemory._store(self.buffer, where, data[inside])
