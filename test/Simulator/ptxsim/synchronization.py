# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers of the cluster, the block and of warps, mbarriers, fences, dependent launch."""

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

import numpy as np

from .machine import BARRIER, PLAIN, WAIT, WARP_WIDE, Active, Machine
from .ptx import Instruction, PTXError
from .shared import BASE, Fault


@dataclass
class MBarrier:
    count: int
    pending: int
    born: Tuple[int, int]           # thread, moment of the initialisation
    known: np.ndarray               # what those who arrived knew, in all phases
    done: np.ndarray                # the same, when the last phase was completed
    published: bool = False         # fence.mbarrier_init: the copy engine may use it
    bytes: int = 0                  # expected and not yet arrived
    phase: int = 0                  # number of the one that is not complete


class Barriers:
    def __init__(self, machine: Machine):
        self.machine = machine

    def reset(self) -> None:
        self.named: Dict[int, List[Tuple[int, np.ndarray]]] = {}
        self.counts: Dict[int, int] = {}
        self.mbarriers: Dict[int, MBarrier] = {}
        #: Whether a phase was completed since threads last looked.
        self.changed = False
        # The barrier of the cluster: who has arrived, what they knew, in this phase and in the
        # last one, and the phase in which a thread arrived last.
        machine = self.machine
        self.arrived = np.zeros(machine.threads, bool)
        self.known = np.zeros((2, machine.order.columns), np.int32)
        self.done, self.phase = self.known.copy(), 0
        self.entered = np.full(machine.threads, -1)

    def waiting(self) -> List[Tuple[int, np.ndarray]]:
        return [(pc - 1, mask) for waits in self.named.values() for pc, mask in waits]

    #--- bar.sync ------------------------------------------------------------#

    def arrive_named(self, number: int, count: int, mask: np.ndarray, pc: int) -> None:
        machine = self.machine
        if self.counts.setdefault(number, count) != count:
            raise Fault(f"barrier {number} is used with several thread counts at once")
        waits = self.named.setdefault(number, [])
        waits.append((pc, mask))
        everyone = np.logical_or.reduce([m for _, m in waits])
        arrived = int(everyone.sum())
        if arrived > count:
            raise Fault(f"{arrived} threads at barrier {number}, which takes {count}")
        if arrived == count:
            del self.named[number], self.counts[number]
            machine.order.tick()
            machine.order.meet(everyone.nonzero()[0])
            for at, group in waits:
                machine.put(at, group)

    #--- barrier.cluster -----------------------------------------------------#

    def arrive_cluster(self, active: Active) -> None:
        order, threads = self.machine.order, active.threads
        if self.arrived[threads].any():
            raise Fault("a thread arrives twice at the barrier of the cluster")
        self.arrived[threads] = True
        self.entered[threads] = self.phase
        self.known = np.maximum(self.known, order.known[:, threads].max(axis=1))
        self.known[0, threads] = order.now
        if (self.arrived | self.machine.exited).all():
            self.phase += 1
            self.done = self.known.copy()
            self.arrived[:] = False
            self.changed = True

    def test_cluster(self, active: Active) -> np.ndarray:
        if (self.entered[active.threads] < 0).any():
            raise Fault("a thread waits for the cluster and has not arrived")
        passed = active.mask & (self.entered < self.phase)
        self.machine.order.acquire(passed.nonzero()[0], self.done)
        return passed

    #--- mbarrier ------------------------------------------------------------#

    def init(self, thread: int, address: int, count: int) -> None:
        machine = self.machine
        if address in self.mbarriers:
            raise Fault("mbarrier initialised twice")
        if address % 8 or not 1 <= count < 1 << 20:
            raise Fault("mbarrier with a bad address or count")
        cells = machine.shared.locate(np.array([address]), 8)[0]
        if (machine.shared.writer[cells] >= 0).any():
            raise Fault("mbarrier where shared memory is in use")
        machine.shared.barrier[cells] = True
        clock = np.zeros((2, machine.order.columns), np.int32)
        self.mbarriers[address] = MBarrier(count, count, (thread, machine.order.now), clock,
                                           clock.copy())

    def find(self, thread: int, address: int) -> MBarrier:
        order = self.machine.order
        barrier = self.mbarriers.get(address)
        if barrier is None:
            raise Fault(f"no mbarrier at shared + {address - BASE}")
        creator, moment = barrier.born
        if creator != thread and order.known[0, thread, creator] < moment:
            raise Fault("use of an mbarrier that races with its initialisation")
        return barrier

    def arrive(self, thread: int, address: int, expected: int = 0) -> None:
        barrier = self.find(thread, address)
        if barrier.pending == 0:
            raise Fault("more arrivals at an mbarrier than it counts")
        barrier.bytes += expected
        barrier.pending -= 1
        np.maximum(barrier.known, self.machine.order.published(thread), out=barrier.known)
        self.complete(barrier)

    def complete(self, barrier: MBarrier) -> None:
        """Ends the phase if all have arrived, threads and bytes."""
        if barrier.pending or barrier.bytes:
            return
        barrier.phase += 1
        barrier.pending = barrier.count
        barrier.done = barrier.known.copy()
        self.changed = True

    def landed(self, address: int, size: int, actor: int, moment: int,
               known: Optional[np.ndarray] = None) -> None:
        """A copy that was started at `moment`, by someone who knew `known`, is complete."""
        barrier = self.mbarriers[address]
        barrier.bytes -= size
        barrier.known[:, actor] = np.maximum(barrier.known[:, actor], moment)
        if known is not None:
            np.maximum(barrier.known, known, out=barrier.known)
        self.complete(barrier)

    def test(self, active: Active, addresses: np.ndarray, parity: np.ndarray) -> np.ndarray:
        """Which threads see the phase of this parity complete."""
        machine = self.machine
        passed = np.zeros(machine.threads, bool)
        for address, bit in set(zip(addresses.tolist(), parity.tolist())):
            threads = active.threads[(addresses == address) & (parity == bit)]
            for thread in threads:
                barrier = self.find(int(thread), address)
            if bit > 1:
                raise Fault("a parity is 0 or 1")
            if barrier.phase & 1 != bit:
                passed[threads] = True
                machine.order.acquire(threads, barrier.done)
        return passed


def _barrier(machine: Machine, i: Instruction):
    if i.name == "bar.warp.sync":
        if int(i.operands[0], 0) & 0xffffffff != 0xffffffff:
            raise PTXError(f"not modelled: {i.text}")

        def meet(active: Active) -> None:
            machine.order.tick()
            machine.order.meet_warps(active.groups())
        return WARP_WIDE, meet
    if i.op[1] == "cluster":
        def cluster(active: Active):
            machine.order.tick()
            if i.op[2] == "arrive":
                return machine.barriers.arrive_cluster(active)
            return machine.barriers.test_cluster(active)
        if i.op[2:] not in (("arrive",), ("wait",)):
            raise PTXError(f"not modelled: {i.text}")
        return (PLAIN if i.op[2] == "arrive" else WAIT), cluster
    if i.name not in ("bar.sync", "barrier.sync.aligned", "barrier.cta.sync.aligned"):
        raise PTXError(f"not modelled: {i.text}")
    number = machine.source(i.operands[0], "u32")
    count = int(i.operands[1]) if len(i.operands) > 1 else machine.block_threads

    def arrive(active: Active, pc: int) -> None:
        # Every block of a cluster has barriers of its own: 0 to 15.
        numbers = np.broadcast_to(number, machine.threads) + 16 * machine.rank
        for one in np.unique(numbers[active.mask]):
            machine.barriers.arrive_named(int(one), count, active.mask & (numbers == one), pc)
    return BARRIER, arrive


def _mbarrier(machine: Machine, i: Instruction):
    at = 0 if i.op[1] == "init" else 1
    address = machine.address(i.operands[at])
    number = machine.source(i.operands[at + 1], "u32") if len(i.operands) > at + 1 else 1

    def numbers(active: Active) -> np.ndarray:
        return np.broadcast_to(number, machine.threads)[active.threads]

    if i.op[1] == "init":
        def init(active: Active) -> None:
            machine.order.tick()
            for thread, place, count in zip(active.threads, address(active.threads),
                                            numbers(active)):
                machine.barriers.init(int(thread), int(place), int(count))
        return PLAIN, init
    if i.op[1] == "arrive":
        if "noComplete" in i.op or (len(i.operands) > 2 and "expect_tx" not in i.op):
            raise PTXError(f"not modelled: {i.text}")
        expects = "expect_tx" in i.op

        def arrive(active: Active) -> None:
            machine.order.tick()
            for thread, place, size in zip(active.threads, address(active.threads),
                                           numbers(active)):
                machine.barriers.arrive(int(thread), int(place), int(size) if expects else 0)
        return PLAIN, arrive
    if i.op[1:3] != ("try_wait", "parity"):
        raise PTXError(f"not modelled: {i.text}")
    result = machine.target(i.operands[0], "pred")

    def wait(active: Active) -> np.ndarray:
        machine.order.tick()
        passed = machine.barriers.test(active, address(active.threads), numbers(active))
        result[passed] = True
        return passed
    return WAIT, wait


def _mapa(machine: Machine, i: Instruction):
    if i.name not in ("mapa.shared::cluster.u64", "mapa.shared::cluster.u32"):
        raise PTXError(f"not modelled: {i.text}")
    result = machine.target(i.operands[0], i.op[-1])
    address = machine.source(i.operands[1], i.op[-1])
    rank = machine.source(i.operands[2], "u32")

    def place(active: Active) -> None:
        for thread in active.threads.tolist():
            at, block = (int(np.broadcast_to(v, machine.threads)[thread]) for v in (address, rank))
            result[thread] = machine.in_block(at, thread, block)
    return PLAIN, place


def _fence(machine: Machine, i: Instruction):
    if i.op[1] == "mbarrier_init":
        def publish(active: Active) -> None:
            for barrier in machine.barriers.mbarriers.values():
                barrier.published |= barrier.born[0] in active.threads
        return PLAIN, publish
    if i.op[1:3] != ("proxy", "async") or i.op[3:] not in ((), ("shared::cta",)):
        raise PTXError(f"not modelled: {i.text}")

    def fence(active: Active) -> None:
        machine.order.tick()
        machine.order.fence(active.threads)
    return PLAIN, fence


def _dependent(machine: Machine, i: Instruction):
    if i.op[1] == "wait":
        def wait(active: Active) -> None:
            machine.waited[active.threads] = True
        return PLAIN, wait
    return PLAIN, lambda active: None


def compile_instruction(machine: Machine, i: Instruction):
    if i.op[0] in ("bar", "barrier"):
        return _barrier(machine, i)
    if i.op[0] == "mbarrier":
        return _mbarrier(machine, i)
    if i.op[0] == "mapa":
        return _mapa(machine, i)
    if i.op[0] == "fence":
        return _fence(machine, i)
    if i.op[0] == "griddepcontrol":
        return _dependent(machine, i)
    if i.op[0] == "prefetch":
        return PLAIN, lambda active: None
    return None
