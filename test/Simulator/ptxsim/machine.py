# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the blocks of a kernel, one after the other; the blocks of a cluster at once.

All threads that stand at the same instruction execute it together, as numpy arrays over threads;
the group that is furthest behind goes first, until it waits. Warp-wide
instructions wait until all lanes of the warp are there. Copies in flight land only
when nothing else can run, the last one first. With a schedule number, warps run
on their own, in random order, and copies land at random times: what threads see then differs
(how far one is ahead), while what Order knows to be a race is the same in every order.

A cluster is one big block: threads are numbered through, its blocks' shared memories lie one behind
the other, and the address of a block's own is where its part begins.
"""

import random

from typing import Callable, Dict, List, Optional, Tuple

import numpy as np

from .memory import GlobalMemory
from .order import WARP, Order
from .ptx import Instruction, Kernel, PTXError
from .shared import BASE, Fault, SharedMemory

DTYPES = {"pred": np.bool_, "b16": np.uint16, "b32": np.uint32, "b64": np.uint64,
          "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "u8": np.uint8, "b8": np.uint8,
          "s16": np.int16, "s32": np.int32, "s64": np.int64, "f32": np.float32,
          "f64": np.float64, "f16": np.uint16, "bf16": np.uint16, "f16x2": np.uint32,
          "bf16x2": np.uint32}

#: Addresses of parameters, one page each.
PARAMS = 1 << 52
PAGE = 4096

# How the scheduler treats an instruction: PLAIN ones take any threads, WARP_WIDE and
# GROUP_WIDE ones whole warps and warpgroups; the others change where threads go.
PLAIN, WARP_WIDE, GROUP_WIDE, BRANCH, EXIT, BARRIER, WAIT = range(7)
GROUP = 128


class Active:
    """Threads that execute an instruction together."""
    __slots__ = ("mask", "threads", "where", "_whole")

    def __init__(self, mask: np.ndarray):
        self.mask = mask
        self.threads = mask.nonzero()[0]
        #: For numpy's `where=`.
        self.where = True if len(self.threads) == len(mask) else mask
        self._whole: Dict[int, np.ndarray] = {}

    def incomplete(self, size: int) -> np.ndarray:
        """Those whose warp (or group of `size`) is not here as a whole."""
        if size not in self._whole:
            whole = self.mask.reshape(-1, size).all(axis=1)
            self._whole[size] = self.mask & ~np.repeat(whole, size)
        return self._whole[size]

    def groups(self, size: int = WARP) -> np.ndarray:
        """Numbers of the warps (or groups of `size`); all are whole."""
        return self.threads[::size] // size


Step = Tuple[int, Optional[Callable], Instruction, Optional[np.ndarray]]


class Machine:
    def __init__(self, kernel: Kernel, memory: GlobalMemory, args: List, grid: int,
                 shared_bytes: int, dependent: bool, schedule: int = 0, cluster: int = 1):
        """`args`: integers (bits of the parameter) or TensorMap; `dependent`: launched
        before its predecessor is complete; `schedule`: if not 0, which random one;
        `cluster`: blocks of a cluster."""
        from . import arithmetic, copies, data, synchronization, tensorcore
        if kernel.threads % WARP:
            raise PTXError("blocks of partial warps are not modelled")
        self.kernel, self.memory, self.grid = kernel, memory, grid
        self.shared_bytes, self.dependent = shared_bytes, dependent
        self.args = dict(zip(kernel.params, args))
        # Threads that fill up the last warpgroup of a block never run.
        whole = -(-kernel.threads // GROUP) * GROUP
        self.block_threads, self.threads = kernel.threads, whole * cluster
        self.random = random.Random(schedule) if schedule else None
        number = np.arange(self.threads)
        self.tid = (number % whole).astype(np.uint32)
        self.cta = np.zeros(self.threads, np.uint32)
        #: Which block of the cluster a thread is in, and how far their shared memories are apart.
        self.rank = number // whole
        self.pitch = -(-shared_bytes // 1024) * 1024
        self.cluster = cluster
        self.instructions = 0
        self._files: Dict[str, np.ndarray] = {}
        for name, type_ in kernel.registers.items():
            count = kernel.counts.get(name, 1)
            self._files[name] = np.zeros((count, self.threads), DTYPES[type_])
        self.copies = copies.Copies(self)
        self.barriers = synchronization.Barriers(self)
        self.products = tensorcore.Products(self)
        families = (arithmetic, data, tensorcore, synchronization, copies)
        self.code: List[Step] = [self._compile(i, families) for i in kernel.code]

    #--- Operands ------------------------------------------------------------#

    def register(self, name: str) -> np.ndarray:
        if name in self._files:
            return self._files[name][0]
        prefix = name.rstrip("0123456789")
        if prefix not in self._files or prefix == name:
            raise PTXError(f"unknown register or symbol {name}")
        return self._files[prefix][int(name[len(prefix):])]

    def registers(self, names: List[str]) -> Tuple[np.ndarray, np.ndarray]:
        """The file of these registers, and their rows in it."""
        prefix = names[0].rstrip("0123456789")
        if prefix not in self._files or any(n.rstrip("0123456789") != prefix for n in names):
            raise PTXError(f"not registers of one range: {names}")
        return self._files[prefix], np.array([int(n[len(prefix):]) for n in names])

    def source(self, operand: str, type_: str):
        """An operand to read: a view of a register, or a constant."""
        dtype = np.dtype(DTYPES[type_])
        special = {"%tid.x": self.tid, "%ctaid.x": self.cta}.get(operand)
        if special is None and operand.startswith("%nctaid.x"):
            special = np.uint32(self.grid)
        if special is None and operand.startswith("%ntid.x"):
            special = np.uint32(self.block_threads)
        if special is not None:
            if dtype.itemsize != 4:
                raise PTXError(f"{operand} used as {type_}")
            return special.view(dtype)
        if operand.startswith("%") or "@" in operand:
            register = self.register(operand)
            if register.dtype.itemsize != dtype.itemsize:
                raise PTXError(f"{operand} used as {type_}")
            return register.view(dtype)
        if operand == self.kernel.shared:
            return (BASE + self.rank * self.pitch).astype(dtype)
        if operand in self.args:
            return dtype.type(PARAMS + self.kernel.params.index(operand) * PAGE)
        if operand[:2] in ("0f", "0d"):
            bits = np.array(int(operand[2:], 16), np.uint32 if operand[1] == "f" else np.uint64)
            return bits.view(dtype)[()]
        if dtype == np.bool_:
            return np.bool_(int(operand) != 0)
        size = dtype.itemsize
        return np.array(int(operand, 0) & ((1 << 8 * size) - 1), f"u{size}").view(dtype)[()]

    def target(self, operand: str, type_: str) -> np.ndarray:
        """A register to write."""
        register = self.register(operand)
        if register.dtype.itemsize != np.dtype(DTYPES[type_]).itemsize:
            raise PTXError(f"{operand} used as {type_}")
        return register.view(DTYPES[type_])

    def address(self, operand: str) -> Callable[[np.ndarray], np.ndarray]:
        """Threads to the addresses of `[base+offset]`."""
        base, _, offset = operand.strip("[] ").partition("+")
        base, distance = base.strip(), int(offset or 0)
        if base.startswith("%"):
            register = self.register(base)
            return lambda threads: register[threads].astype(np.int64) + distance
        if base == self.kernel.shared:
            own = BASE + self.rank * self.pitch + distance
            return lambda threads: own[threads]
        fixed = int(self.source(base, "b64")) + distance
        return lambda threads: np.full(len(threads), fixed, np.int64)

    def parameter(self, address: int):
        """The parameter at an address, and the offset in it."""
        at, offset = divmod(int(address) - PARAMS, PAGE)
        if not 0 <= at < len(self.kernel.params):
            raise Fault(f"no parameter at {int(address):#x}")
        return self.args[self.kernel.params[at]], offset

    def _compile(self, instruction: Instruction, families) -> Step:
        guard = None
        if instruction.guard:
            guard = self.register(instruction.guard)
        for family in families:
            made = family.compile_instruction(self, instruction)
            if made is not None:
                kind, run = made
                run = self.products.checked(instruction, kind, run)
                return kind, run, instruction, guard
        raise PTXError(f"not modelled: {instruction.text}")

    #--- Running -------------------------------------------------------------#

    def in_block(self, address: int, thread: int, rank: int) -> int:
        """Where block `rank` of the cluster has what this thread's has at `address`."""
        if not 0 <= rank < self.cluster:
            raise Fault(f"no block {rank} in the cluster")
        if self.exited[self.rank == rank].all():
            raise Fault("access to a block of the cluster that has ended")
        return int(address) + (rank - int(self.rank[thread])) * self.pitch

    def block_of(self, address):
        """Which block of the cluster has it."""
        return (address - BASE) // self.pitch

    def run(self, cta: int) -> None:
        """One block, or the cluster that begins with it, from start to end. Fault if it
        does what it must not."""
        self.cta[:] = cta + self.rank
        for file in self._files.values():
            file.view(np.uint8)[:] = 255 if file.dtype != np.bool_ else 0
        warps = self.threads // WARP
        alive = self.tid < self.block_threads
        self.order = Order(self.threads, self.copies.actors() + warps, int(alive.sum()))
        size = self.shared_bytes if self.cluster == 1 else self.cluster * self.pitch
        self.shared = SharedMemory(size, self.order, self.copies.readers() + warps)
        self.waited = np.full(self.threads, not self.dependent)
        self.exited = ~alive
        self.groups: Dict[int, np.ndarray] = {0: alive}
        self.held: Dict[int, np.ndarray] = {}
        self.parked: List[Tuple[int, np.ndarray]] = []
        for part in (self.copies, self.barriers, self.products):
            part.reset()
        with np.errstate(all="ignore"):
            while self.groups or self._go_on():
                if self.random:
                    self._run_some(self.random)
                    continue
                pc = min(self.groups)
                self._run_from(pc, self.groups.pop(pc), min(self.groups, default=len(self.code)))
        self.copies.finish()

    def put(self, pc: int, mask: np.ndarray) -> None:
        """Threads that go on at an instruction."""
        self.groups[pc] = self.groups[pc] | mask if pc in self.groups else mask

    def _wake(self) -> bool:
        """Threads that wait for an mbarrier look again if one has changed."""
        if not self.barriers.changed:
            return False
        self.barriers.changed = False
        for pc, mask in self.parked:
            self.put(pc, mask)
        self.parked = []
        return True

    def _go_on(self) -> bool:
        """Whether something can still happen when no threads can run."""
        while self.parked:
            if self._wake():
                return True
            if not self.copies.land_one(self.random):
                break
        if self.exited.all():
            return False
        stuck = [f"{int(mask.sum())} threads at \"{self.code[pc][2].text[:100]}\"" for pc, mask in
                 [*self.held.items(), *self.parked, *self.barriers.waiting()]]
        raise Fault("deadlock: " + ", ".join(stuck))

    def _run_some(self, choice: random.Random) -> None:
        """Some warps that stand together run until they wait or are interrupted."""
        if choice.random() < 0.2:
            self.copies.land_one(choice)
        if self.parked and choice.random() < 0.5:
            self._wake()
        pc = choice.choice(list(self.groups))
        mask = self.groups.pop(pc)
        warps = np.unique(mask.nonzero()[0] // WARP)
        if len(warps) > 1 and choice.random() < 0.7:
            chosen = choice.sample(warps.tolist(), choice.randint(1, len(warps)))
            some = mask & np.repeat(np.isin(np.arange(self.threads // WARP), chosen), WARP)
            if not (some == mask).all():
                self.put(pc, mask & ~some)
            mask = some
        self._run_from(pc, mask, -1)

    def _run_from(self, pc: int, mask: np.ndarray, other: int) -> None:
        """`other`: the first place where other threads could run; -1 if they need not."""
        active = Active(mask)
        while True:
            if pc == other or pc in self.held:
                if pc == other:
                    mask = mask | self.groups.pop(pc)
                    other = min(self.groups, default=len(self.code))
                if pc in self.held:
                    mask = mask | self.held.pop(pc)
                active = Active(mask)
            elif pc > other >= 0:
                self.put(pc, mask)
                return
            kind, run, instruction, guard = self.code[pc]
            self.instructions += 1
            chosen = active
            if guard is not None:
                taken = mask & (~guard if instruction.negated else guard)
                if kind == BRANCH:
                    if taken.all() or not (mask & ~taken).any():
                        pc = instruction.target
                    elif taken.any():
                        self.put(instruction.target, taken)
                        self.put(pc + 1, mask & ~taken)
                        return
                    else:
                        pc += 1
                    continue
                chosen = Active(taken)
                if not len(chosen.threads):
                    pc += 1
                    continue
                if kind != PLAIN and kind != EXIT and len(chosen.threads) != len(active.threads):
                    raise self._located(Fault("threads of a group diverge by a guard"), pc)
            try:
                if kind == PLAIN:
                    run(chosen)
                    pc += 1
                    continue
                if kind == BRANCH:
                    pc = instruction.target
                    if self.random and self.random.random() < 0.3:
                        self.put(pc, mask)
                        return
                    continue
                if kind == EXIT:
                    self.copies.exit(chosen)
                    self.exited |= chosen.mask
                    mask = mask & ~chosen.mask
                    pc += 1
                elif kind == WAIT:
                    waiting = mask & ~run(chosen)
                    if waiting.any():
                        self.parked.append((pc, waiting))
                        mask = mask & ~waiting
                    pc += 1
                else:
                    missing = chosen.incomplete(GROUP if kind == GROUP_WIDE else WARP)
                    if missing.any():
                        self.held[pc] = missing
                        mask = mask & ~missing
                        chosen = Active(mask)
                    if kind == BARRIER:
                        if mask.any():
                            run(chosen, pc + 1)
                        return
                    if mask.any():
                        run(chosen)
                    pc += 1
            except Fault as fault:
                raise self._located(fault, pc)
            if not mask.any():
                return
            active = Active(mask)

    def _located(self, fault: Fault, pc: int) -> Fault:
        text = self.code[pc][2].text
        return Fault(f"{fault}\n  at \"{text[:160]}\" in block {int(self.cta[0])} "
                     f"of {self.kernel.name}")
