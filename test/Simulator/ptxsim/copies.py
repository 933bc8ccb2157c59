# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What happens behind the threads' back: cp.async, bulk copies, tensor maps, st.async.

Until a copy was waited for, its target holds NaN.
"""

import random
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Tuple

import numpy as np

from .machine import PLAIN, Active, Machine
from .memory import TensorMap
from .ptx import Instruction, PTXError, split
from .shared import BASE, Fault

MBARRIERS = 128  # of a cluster, that copies may complete on
STORERS = 8     # threads that store by tensor maps


@dataclass
class _Flight:
    """A copy to shared memory that has not arrived."""
    mbarrier: int
    size: int
    actor: int
    moment: int
    land: Callable[[], None]
    known: Optional[np.ndarray] = None  # what whoever sees its arrival knows, too
    source: Optional[int] = None  # the block of the cluster that it reads


class Copies:
    def __init__(self, machine: Machine):
        self.machine = machine
        kernel = machine.kernel
        self.per_thread = any(i.op[:2] == ("cp", "async") and i.op[2] != "bulk"
                              for i in kernel.code)
        self.bulk = kernel.uses("cp", "async", "bulk")
        self.sends = kernel.uses("st", "async")
        self.within = kernel.uses("cp", "async", "bulk", "shared::cluster", "shared::cta")

    def actors(self) -> int:
        """Columns of Order for them."""
        return (self.machine.threads if self.per_thread else 0) + \
            (MBARRIERS + STORERS if self.bulk else 0) + (MBARRIERS if self.sends else 0)

    def readers(self) -> int:
        return (STORERS if self.bulk else 0) + (MBARRIERS if self.within else 0)

    def reset(self) -> None:
        threads = self.machine.threads
        self.flights: List[_Flight] = []
        # cp.async: per thread the number of groups committed and complete; copies by group.
        self.committed = np.zeros(threads, np.int64)
        self.finished = np.zeros(threads, np.int64)
        self.open: List[Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
        self.commits: List[np.ndarray] = []  # per group, the moment for each thread
        if self.per_thread:
            self.column = [self.machine.order.actor(("cp.async", t), False)
                           for t in range(threads)][0]
        # Stores by tensor maps: per thread, how many are open, and when groups were committed.
        self.stores: Dict[int, int] = {}
        self.store_groups: Dict[int, List[int]] = {}

    #--- cp.async ------------------------------------------------------------#

    def start(self, active: Active, to: np.ndarray, of: np.ndarray, size: int,
              sizes: np.ndarray) -> None:
        """Reads now, and lands when the thread waits. Beyond `sizes` zeros arrive."""
        machine = self.machine
        threads = active.threads
        data = np.zeros((len(threads), size), np.uint8)
        waited = machine.waited[threads]
        for part in np.unique(sizes):
            if part:
                these = sizes == part
                if (of[these] % size).any():
                    raise Fault("misaligned cp.async")
                data[these, :part] = machine.memory.read(of[these], int(part), waited[these])
        cells = machine.shared.write(threads, to, data.view(np.uint16), self.column + threads)
        self.open.append((threads, self.committed[threads], cells, data.view(np.uint16)))

    def commit(self, active: Active) -> None:
        groups = self.committed[active.threads]
        while len(self.commits) <= groups.max():
            self.commits.append(np.zeros(self.machine.threads, np.int32))
        for group in np.unique(groups):
            self.commits[group][active.threads[groups == group]] = self.machine.order.now
        self.committed[active.threads] += 1

    def wait(self, active: Active, left: int) -> None:
        """All but the last `left` groups of these threads are complete."""
        order = self.machine.order
        done = np.maximum(self.committed - left, self.finished)
        self.finished[active.threads] = done[active.threads]
        remaining = []
        for threads, group, cells, data in self.open:
            arrived = group < self.finished[threads]
            if arrived.any():
                self.machine.shared.land(cells[arrived], data[arrived])
            if not arrived.all():
                late = ~arrived
                remaining.append((threads[late], group[late], cells[late], data[late]))
        self.open = remaining
        counts = self.finished[active.threads]
        for count in np.unique(counts[counts > 0]):
            threads = active.threads[counts == count]
            order.observe(threads, self.column + threads, self.commits[count - 1][threads])

    #--- Bulk copies to shared memory ----------------------------------------#

    def bulk_load(self, thread: int, mbarrier: int, cells: np.ndarray, data: np.ndarray) -> None:
        machine = self.machine
        order = machine.order
        barrier = machine.barriers.find(thread, mbarrier)
        if not barrier.published:
            raise Fault("copy that completes on an mbarrier without fence.mbarrier_init")
        actor = order.actor(("bulk", mbarrier), True)
        machine.shared.async_write(cells, order.published(thread), actor)
        self.flights.append(_Flight(mbarrier, 2 * cells.size, actor, order.now,
                                    lambda: machine.shared.land(cells, data)))

    def land_one(self, choice: Optional[random.Random] = None) -> bool:
        """The last copy that was started arrives first, or any."""
        if not self.flights:
            return False
        flight = self.flights.pop(choice.randrange(len(self.flights)) if choice else -1)
        flight.land()
        self.machine.barriers.landed(flight.mbarrier, flight.size, flight.actor, flight.moment,
                                     flight.known)
        return True

    def bulk_send(self, thread: int, mbarrier: int, cells: np.ndarray, to: np.ndarray) -> None:
        """From this block's shared memory to another's of the cluster."""
        machine, order = self.machine, self.machine.order
        block = machine.block_of(mbarrier)
        if machine.exited[machine.rank == block].all():
            raise Fault("copy to a block of the cluster that has ended")
        actor = order.actor(("bulk", mbarrier), True)
        data = machine.shared.async_read(cells, order.published(thread), actor,
                                         ("sent", mbarrier)).copy()
        self.bulk_load(thread, mbarrier, to, data)
        self.flights[-1].source = int(machine.rank[thread])

    #--- st.async ------------------------------------------------------------#

    def send(self, active: Active, to: np.ndarray, data: np.ndarray,
             mbarriers: np.ndarray) -> None:
        """Lands later. Whoever sees it arrive knows what the sender knew."""
        machine, order = self.machine, self.machine.order
        for mbarrier in np.unique(mbarriers):
            these = mbarriers == mbarrier
            threads = active.threads[these]
            for thread in threads:
                machine.barriers.find(int(thread), int(mbarrier))
            block = machine.block_of(mbarrier)
            if (machine.block_of(to[these]) != block).any():
                raise Fault("st.async and its mbarrier are in different blocks")
            if machine.exited[machine.rank == block].all():
                raise Fault("st.async to a block of the cluster that has ended")
            actor = order.actor(("sent", int(mbarrier)), False)
            cells = machine.shared.write(threads, to[these], data[these],
                                         np.full(len(threads), actor))
            known = np.maximum.reduce([order.published(thread) for thread in threads])
            self.flights.append(_Flight(
                int(mbarrier), 2 * cells.size, actor, order.now,
                lambda cells=cells, data=data[these]: machine.shared.land(cells, data), known))

    #--- Stores by tensor maps -----------------------------------------------#

    def bulk_store(self, thread: int, tensor: TensorMap, row: int, column: int,
                   cells: np.ndarray) -> None:
        machine = self.machine
        order = machine.order
        actor = order.actor(("store", thread), True)
        data = machine.shared.async_read(cells.reshape(-1), order.published(thread), actor,
                                         ("store", thread))
        tensor.write(row, column, data.reshape(cells.shape), bool(machine.waited[thread]))
        self.stores[thread] = self.stores.get(thread, 0) + 1

    def commit_stores(self, active: Active) -> None:
        for thread in active.threads:
            self.store_groups.setdefault(int(thread), []).append(self.machine.order.now)
            self.stores[int(thread)] = 0

    def wait_stores(self, active: Active, left: int) -> None:
        order = self.machine.order
        for thread in active.threads:
            groups = self.store_groups.get(int(thread), [])
            while len(groups) > left:
                order.observe(np.array([thread]), order.actor(("store", int(thread)), True),
                              groups.pop(0))

    #--- The end -------------------------------------------------------------#

    def exit(self, active: Active) -> None:
        for thread in active.threads:
            if self.store_groups.get(int(thread)) or self.stores.get(int(thread)):
                raise Fault("a thread ends while its stores still read shared memory")
        machine = self.machine
        gone = machine.exited | active.mask
        for block in {flight.source for flight in self.flights} - {None}:
            if gone[machine.rank == block].all():
                raise Fault("a block ends while copies of its shared memory are in flight")

    def finish(self) -> None:
        if self.flights or self.open:
            raise Fault(f"{self.machine.kernel.name}: the block ends while copies to its shared "
                        "memory are in flight")


def _cp_async(machine: Machine, i: Instruction):
    if i.op[2] == "commit_group":
        def commit(active: Active) -> None:
            machine.order.tick()
            machine.copies.commit(active)
        return PLAIN, commit
    if i.op[2] in ("wait_group", "wait_all"):
        left = int(i.operands[0]) if i.operands else 0

        def wait(active: Active) -> None:
            machine.order.tick()
            machine.copies.wait(active, left)
        return PLAIN, wait
    if i.op[2] not in ("ca", "cg"):
        raise PTXError(f"not modelled: {i.text}")
    to, of = machine.address(i.operands[0]), machine.address(i.operands[1])
    size = int(i.operands[2])
    sizes = machine.source(i.operands[3], "u32") if len(i.operands) > 3 else np.uint32(size)

    def start(active: Active) -> None:
        machine.order.tick()
        machine.copies.start(active, to(active.threads), of(active.threads), size,
                             np.broadcast_to(sizes, machine.threads)[active.threads])
    return PLAIN, start


def _tensor(machine: Machine, operand: str):
    """`[map, {column, row}]` to a function of a thread."""
    pointer, coordinates = split(operand.strip("[]"))
    address = machine.address(f"[{pointer}]")
    column, row = (machine.source(c, "s32") for c in split(coordinates[1:-1]))

    def resolve(thread: int):
        tensor, offset = machine.parameter(address(np.array([thread]))[0])
        if not isinstance(tensor, TensorMap) or offset:
            raise Fault("no tensor map")
        tensor.check()
        at = [int(np.broadcast_to(c, machine.threads)[thread]) for c in (row, column)]
        return tensor, at[0], at[1]
    return resolve


def _box_cells(machine: Machine, address: int, tensor: TensorMap) -> np.ndarray:
    if address % 128:
        raise Fault("box at a misaligned place in shared memory")
    offsets = address + 128 * np.arange(tensor.box[0])[:, None] + 2 * np.arange(64)[None, :]
    return machine.shared.swizzled(offsets)


def _bulk(machine: Machine, i: Instruction):
    name = i.name
    if i.op[3] == "commit_group":
        def commit(active: Active) -> None:
            machine.order.tick()
            machine.copies.commit_stores(active)
        return PLAIN, commit
    if i.op[3] == "wait_group":
        left = int(i.operands[0])

        def wait(active: Active) -> None:
            machine.order.tick()
            machine.copies.wait_stores(active, left)
        return PLAIN, wait
    if name.startswith("cp.async.bulk.tensor.2d.global.shared::cta"):
        tensor_at, source = _tensor(machine, i.operands[0]), machine.address(i.operands[1])

        def store(active: Active) -> None:
            machine.order.tick()
            for thread in active.threads.tolist():
                tensor, row, column = tensor_at(thread)
                cells = _box_cells(machine, int(source(np.array([thread]))[0]), tensor)
                machine.copies.bulk_store(thread, tensor, row, column, cells)
        return PLAIN, store
    if "mbarrier::complete_tx::bytes" not in i.op:
        raise PTXError(f"not modelled: {i.text}")
    to = machine.address(i.operands[0])
    if name.startswith("cp.async.bulk.tensor.2d.shared::cluster.global"):
        tensor_at, mbarrier = _tensor(machine, i.operands[1]), machine.address(i.operands[2])

        def load_box(active: Active) -> None:
            machine.order.tick()
            for thread in active.threads.tolist():
                one = np.array([thread])
                tensor, row, column = tensor_at(thread)
                cells = _box_cells(machine, int(to(one)[0]), tensor)
                data = tensor.read(row, column, bool(machine.waited[thread]))
                machine.copies.bulk_load(thread, int(mbarrier(one)[0]), cells.reshape(-1),
                                         data.reshape(-1))
        return PLAIN, load_box
    within = name.startswith("cp.async.bulk.shared::cluster.shared::cta")
    if not within and not name.startswith("cp.async.bulk.shared::cluster.global"):
        raise PTXError(f"not modelled: {i.text}")
    of, size = machine.address(i.operands[1]), machine.source(i.operands[2], "u32")
    mbarrier = machine.address(i.operands[3])

    def load(active: Active) -> None:
        machine.order.tick()
        for thread in active.threads.tolist():
            one = np.array([thread])
            count = int(np.broadcast_to(size, machine.threads)[thread])
            target, source = int(to(one)[0]), int(of(one)[0])
            if count % 16 or target % 16 or source % 16:
                raise Fault("misaligned bulk copy")
            if count == 0:
                continue
            if within:
                cells, targets = (machine.shared.locate(np.arange(at, at + count, 16), 16)
                                  for at in (source, target))
                machine.copies.bulk_send(thread, int(mbarrier(one)[0]), cells.reshape(-1),
                                         targets.reshape(-1))
                continue
            if not BASE <= target <= target + count <= BASE + machine.shared.size:
                raise Fault("copy outside of shared memory")
            cells = (target - BASE) // 2 + np.arange(count // 2)
            pieces = source + 16 * np.arange(count // 16)
            data = machine.memory.read(pieces, 16, bool(machine.waited[thread]))
            machine.copies.bulk_load(thread, int(mbarrier(one)[0]), cells,
                                     data.reshape(-1).view(np.uint16))
    return PLAIN, load


def _send(machine: Machine, i: Instruction):
    if i.name not in ("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32",
                      "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64"):
        raise PTXError(f"not modelled: {i.text}")
    to, mbarrier = machine.address(i.operands[0]), machine.address(i.operands[2])
    value = machine.source(i.operands[1], i.op[-1])

    def send(active: Active) -> None:
        machine.order.tick()
        words = np.broadcast_to(value, machine.threads)[active.threads].reshape(-1, 1)
        machine.copies.send(active, to(active.threads), words.view(np.uint16),
                            mbarrier(active.threads))
    return PLAIN, send


def compile_instruction(machine: Machine, i: Instruction):
    if i.op[:2] == ("st", "async"):
        return _send(machine, i)
    if i.op[0] != "cp" and not (i.op[0] == "setmaxnreg"):
        return None
    if i.op[0] == "setmaxnreg":
        return PLAIN, lambda active: None
    return _bulk(machine, i) if i.op[2] == "bulk" else _cp_async(machine, i)
