# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads, stores and shuffles."""

import numpy as np

from .machine import DTYPES, PLAIN, WARP_WIDE, Active, Machine
from .order import WARP
from .ptx import Instruction, PTXError, vector
from .shared import Fault


def _load(machine: Machine, i: Instruction):
    type_, names = i.op[-1], vector(i.operands[0])
    size = np.dtype(DTYPES[type_]).itemsize
    # Registers may be wider than what is loaded, which is then extended.
    targets = [machine.register(n) for n in names]
    if any(t.dtype.itemsize < size for t in targets):
        raise PTXError(f"not modelled: {i.text}")
    address = machine.address(i.operands[1])

    def store(active: Active, raw: np.ndarray) -> None:
        words = np.ascontiguousarray(raw).view(DTYPES[type_])
        for at, target in enumerate(targets):
            target[active.threads] = words[:, at]

    if "param" in i.op:
        def load_parameter(active: Active) -> None:
            for place in np.unique(address(active.threads)):
                value, offset = machine.parameter(place)
                if offset or not isinstance(value, int):
                    raise Fault("load of a part of a parameter")
                if len(targets) != 1:
                    raise Fault("load of several parameters")
                bits = np.array(value & ((1 << 8 * size) - 1), f"u{size}")
                np.copyto(targets[0], bits.view(DTYPES[type_]).astype(targets[0].dtype),
                          where=active.where)
        return PLAIN, load_parameter
    if "shared" in i.op or "shared::cta" in i.op:
        def load_shared(active: Active) -> None:
            machine.order.tick()
            store(active, machine.shared.read(active.threads, address(active.threads),
                                              size * len(names)))
        return PLAIN, load_shared
    if "global" not in i.op:
        raise PTXError(f"not modelled: {i.text}")

    def load_global(active: Active) -> None:
        store(active, machine.memory.read(address(active.threads), size * len(names),
                                          machine.waited[active.threads]))
    return PLAIN, load_global


def _store(machine: Machine, i: Instruction):
    type_, names = i.op[-1], vector(i.operands[1])
    size = np.dtype(DTYPES[type_]).itemsize
    # Registers may be wider than what is stored.
    sources = [machine.register(n) if n.startswith("%") else machine.source(n, type_)
               for n in names]
    address = machine.address(i.operands[0])

    def words(active: Active) -> np.ndarray:
        data = np.empty((len(active.threads), len(sources)), DTYPES[type_])
        for at, source in enumerate(sources):
            data[:, at] = source if np.ndim(source) == 0 else source[active.threads].astype(
                DTYPES[type_] if source.dtype.itemsize != size else source.dtype)
        return data

    if {"shared", "shared::cta", "shared::cluster"}.intersection(i.op):
        def store_shared(active: Active) -> None:
            machine.order.tick()
            machine.shared.write(active.threads, address(active.threads),
                                 words(active).view(np.uint16))
        return PLAIN, store_shared
    if "global" not in i.op:
        raise PTXError(f"not modelled: {i.text}")

    def store_global(active: Active) -> None:
        data = words(active).view(np.uint8).reshape(len(active.threads), size * len(sources))
        machine.memory.write(address(active.threads), data, machine.waited[active.threads])
    return PLAIN, store_global


def _shuffle(machine: Machine, i: Instruction):
    if int(i.operands[4], 0) & 0xffffffff != 0xffffffff:
        raise PTXError(f"not modelled: {i.text}")
    mode = i.op[2]
    name, _, predicate = i.operands[0].partition("|")
    target = machine.target(name, "b32")
    valid = machine.target(predicate, "pred") if predicate else None
    value, distance, clamp = (machine.source(o, "b32") for o in i.operands[1:4])
    lane = np.arange(machine.threads) % WARP
    base = np.arange(machine.threads) - lane

    def shuffle(active: Active) -> None:
        by, limits = np.asarray(distance, np.int64) & 31, np.asarray(clamp, np.int64)
        segment = (limits >> 8) & 31
        last = (lane & segment) | (limits & 31 & ~segment)
        if mode == "up":
            source = lane - by
            inside = source >= last
        elif mode == "down":
            source = lane + by
            inside = source <= last
        elif mode == "bfly":
            source = lane ^ by
            inside = source <= last
        else:
            source = (lane & segment) | (by & ~segment)
            inside = source <= last
        source = np.where(inside, source, lane)
        words = np.broadcast_to(value, machine.threads)
        np.copyto(target, words[base + source], where=active.where)
        if valid is not None:
            np.copyto(valid, inside, where=active.where)
    return WARP_WIDE, shuffle


def compile_instruction(machine: Machine, i: Instruction):
    if i.op[0] == "ld":
        return _load(machine, i)
    if i.op[0] == "st" and i.op[1] != "async":
        return _store(machine, i)
    if i.op[0] == "shfl":
        return _shuffle(machine, i)
    return None
