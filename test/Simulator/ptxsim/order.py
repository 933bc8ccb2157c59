# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Happens-before within a block, by vector clocks.

Time is one counter, advanced by every instruction that touches shared memory or
synchronises. `known[GENERIC][t, a]` is the last moment up to which everything that actor
`a` did happens before what thread `t` does next; `known[FENCED][t, a]` counts only paths
with a fence.proxy.async on them, which is what the copy engine and the tensor
cores of a warpgroup need after ordinary accesses. Actors are the threads, and
whatever works on their behalf behind their back: copies in flight, products in flight. What they
did is known only after the instruction that waits for them.
"""

from typing import Dict, Hashable

import numpy as np

GENERIC, FENCED = 0, 1
WARP = 32


class Order:
    def __init__(self, threads: int, actors: int, alive: int):
        """`actors`: how many there may be besides the threads, of which `alive` run."""
        self.threads, self.alive = threads, alive
        self.columns = threads + actors
        self.known = np.zeros((2, threads, self.columns), np.int32)
        self.now = 1
        #: All threads know what all threads did up to here: the last barrier of the whole block.
        self.floor = 0
        #: Whether an actor's accesses need no fence before those of the copy engine.
        self.asynchronous = np.zeros(self.columns, bool)
        self._actors: Dict[Hashable, int] = {}

    def tick(self) -> int:
        self.now += 1
        return self.now

    def actor(self, key: Hashable, asynchronous: bool) -> int:
        """The column of an actor that is no thread."""
        if key not in self._actors:
            column = self.threads + len(self._actors)
            if column >= self.columns:
                raise RuntimeError("more asynchronous actors than were counted")
            self._actors[key] = column
            self.asynchronous[column] = asynchronous
        return self._actors[key]

    def published(self, thread: int) -> np.ndarray:
        """What others know who wait for this thread: all it knows, and what it did."""
        clock = self.known[:, thread].copy()
        clock[GENERIC, thread] = self.now
        return clock

    def acquire(self, threads: np.ndarray, clock: np.ndarray) -> None:
        self.known[:, threads] = np.maximum(self.known[:, threads], clock[:, None])

    def observe(self, threads: np.ndarray, actor, moment) -> None:
        """What `actor` did up to `moment` is over for `threads`."""
        for which in (GENERIC, FENCED):
            self.known[which, threads, actor] = np.maximum(
                self.known[which, threads, actor], moment)

    def fence(self, threads: np.ndarray) -> None:
        """fence.proxy.async"""
        generic = self.known[GENERIC, threads]
        generic[np.arange(len(threads)), threads] = self.now
        self.known[FENCED, threads] = np.maximum(self.known[FENCED, threads], generic)

    def meet(self, threads: np.ndarray) -> None:
        """A barrier of these threads."""
        self.known[GENERIC, threads, threads] = self.now
        everything = self.known[:, threads].max(axis=1)
        self.known[:, threads] = everything[:, None]
        if len(threads) == self.alive:
            self.floor = self.now

    def meet_warps(self, warps: np.ndarray) -> None:
        """bar.warp.sync of whole warps."""
        threads = (warps[:, None] * WARP + np.arange(WARP)).ravel()
        self.known[GENERIC, threads, threads] = self.now
        clocks = self.known[:, threads].reshape(2, len(warps), WARP, self.columns)
        everything = np.repeat(clocks.max(axis=2), WARP, axis=1)
        self.known[:, threads] = everything

    def warp_knows(self, which: int, warp: int) -> np.ndarray:
        """What all lanes of a warp know."""
        return self.known[which, warp * WARP:(warp + 1) * WARP].min(axis=0)
