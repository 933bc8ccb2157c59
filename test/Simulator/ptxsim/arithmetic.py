# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions on registers of one thread: arithmetic, comparisons, conversions, moves.

Approximate functions (rsqrt.approx, ex2.approx, ...) are exact to f32 here.
"""

from typing import Callable, Dict

import numpy as np

from .floats import FROM, TO, from_f8, to_bf16, to_f16, to_f8, to_tf32
from .machine import BRANCH, DTYPES, EXIT, PLAIN, Active, Machine
from .ptx import Instruction, PTXError, vector

UNSIGNED = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}


def _fma(a, b, c):
    return (np.multiply(a, b, dtype=np.float64) + c)


UFUNCS: Dict[str, Callable] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative,
    "abs": np.abs, "min": np.fmin, "max": np.fmax, "sqrt": np.sqrt}

FLOAT: Dict[str, Callable] = {
    "fma": _fma, "rcp": lambda a: 1 / a.astype(np.float64), "ex2": np.exp2, "lg2": np.log2,
    "rsqrt": lambda a: 1 / np.sqrt(a.astype(np.float64)), "tanh": np.tanh, "sin": np.sin,
    "cos": np.cos, "copysign": lambda a, b: np.copysign(b, a)}

BITWISE = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
           "not": np.bitwise_not}

COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
           "gt": np.greater, "ge": np.greater_equal, "lo": np.less, "ls": np.less_equal,
           "hi": np.greater, "hs": np.greater_equal}


def _apply(function: Callable, target: np.ndarray, sources) -> Callable:
    def run(active: Active) -> None:
        np.copyto(target, function(*sources), where=active.where, casting="unsafe")
    return run


def _ufunc(function: Callable, target: np.ndarray, sources) -> Callable:
    return lambda active: function(*sources, out=target, where=active.where)


def _half(name: str, type_: str) -> Callable:
    """A function of 16-bit floats, one or two in a register."""
    base = type_.replace("x2", "")
    decode, encode = FROM[base], TO[base]
    function = FLOAT.get(name) or UFUNCS[name]

    def run(*sources):
        size = max(np.size(s) for s in sources)
        words = [decode(np.ascontiguousarray(np.broadcast_to(s, size)).view(np.uint16))
                 for s in sources]
        result = encode(np.asarray(function(*words), np.float32))
        return result.view(DTYPES[type_])
    return run


def _arithmetic(machine: Machine, i: Instruction):
    name, type_ = i.op[0], i.op[-1]
    if type_ in ("f16", "bf16", "f16x2", "bf16x2"):
        target = machine.target(i.operands[0], type_)
        sources = [machine.source(o, type_) for o in i.operands[1:]]
        return PLAIN, _apply(_half(name, type_), target, sources)
    if type_ in ("f32", "f64"):
        target = machine.target(i.operands[0], type_)
        sources = [machine.source(o, type_) for o in i.operands[1:]]
        if "ftz" in i.op:
            raise PTXError(f"not modelled: {i.text}")
        if name in UFUNCS:
            function = UFUNCS[name]
            if "NaN" in i.op:
                function = {"min": np.minimum, "max": np.maximum}[name]
            return PLAIN, _ufunc(function, target, sources)
        return PLAIN, _apply(FLOAT[name], target, sources)
    if type_ == "u16x2" and name in ("min", "max"):
        function = {"min": np.minimum, "max": np.maximum}[name]

        def halves(*sources):
            a, b = (np.ascontiguousarray(np.broadcast_to(s, machine.threads)).view(np.uint16)
                    for s in sources)
            return function(a, b).view(np.uint32)
        return PLAIN, _apply(halves, machine.target(i.operands[0], "b32"),
                             [machine.source(o, "b32") for o in i.operands[1:]])
    return PLAIN, _integer(machine, i, name, type_)


def _integer(machine: Machine, i: Instruction, name: str, type_: str) -> Callable:
    dtype = np.dtype(DTYPES[type_])
    double = type_[0] + str(16 * dtype.itemsize)
    if "wide" in i.op:
        wide = DTYPES[double]
        a, b = (machine.source(o, type_) for o in i.operands[1:3])
        target = machine.target(i.operands[0], double)
        if name == "mul":
            return _apply(lambda a, b: np.multiply(a, b, dtype=wide), target, (a, b))
        c = machine.source(i.operands[3], double)
        return _apply(lambda a, b, c: np.multiply(a, b, dtype=wide) + c, target, (a, b, c))
    target = machine.target(i.operands[0], type_)
    sources = [machine.source(o, type_) for o in i.operands[1:]]
    if "hi" in i.op:
        if name != "mul" or dtype.itemsize == 8:
            raise PTXError(f"not modelled: {i.text}")
        wide, bits = DTYPES[double], 8 * dtype.itemsize
        return _apply(lambda a, b: np.multiply(a, b, dtype=wide) >> wide(bits), target, sources)
    if name in ("div", "rem"):
        return _division(name, target, sources, dtype)
    if name == "mad":
        return _apply(lambda a, b, c: a * b + c, target, sources)
    return _ufunc(UFUNCS[name], target, sources)


def _division(name: str, target: np.ndarray, sources, dtype) -> Callable:
    def divide(a, b):
        b = np.where(b == 0, dtype.type(1), b)
        if name == "div":
            quotient = np.floor_divide(np.abs(a), np.abs(b)) if dtype.kind == "i" else a // b
            return np.where((a < 0) != (b < 0), -quotient, quotient) if dtype.kind == "i" \
                else quotient
        return np.fmod(a, b)
    return _apply(divide, target, sources)


def _bitwise(machine: Machine, i: Instruction):
    type_ = i.op[-1]
    function = BITWISE[i.op[0]]
    target = machine.target(i.operands[0], type_)
    return PLAIN, _ufunc(function, target, [machine.source(o, type_) for o in i.operands[1:]])


def _shift(machine: Machine, i: Instruction):
    type_ = i.op[-1]
    dtype, bits = DTYPES[type_], 8 * np.dtype(DTYPES[type_]).itemsize
    target, value = (machine.target(i.operands[0], type_), machine.source(i.operands[1], type_))
    count = machine.source(i.operands[2], "u32")
    function = np.left_shift if i.op[0] == "shl" else np.right_shift

    def shift(value, count):
        inside = count < bits
        shifted = function(value, np.where(inside, count, 0).astype(dtype))
        if function is np.right_shift and type_[0] == "s":
            return np.where(inside, shifted, function(value, dtype(bits - 1)))
        return np.where(inside, shifted, dtype(0))
    return PLAIN, _apply(shift, target, (value, count))


def _bits(machine: Machine, i: Instruction):
    target = machine.target(i.operands[0], "u32")
    a, b, c = (machine.source(o, "u32") for o in i.operands[1:4])
    one = np.uint32(1)
    if i.name == "bfe.u32":
        return PLAIN, _apply(lambda a, b, c: (a >> b) & ((one << c) - one), target, (a, b, c))
    if i.name == "bfi.b32":
        length = machine.source(i.operands[4], "u32")

        def insert(a, b, c, length):
            field = ((one << length) - one) << c
            return (b & ~field) | ((a << c) & field)
        return PLAIN, _apply(insert, target, (a, b, c, length))
    if i.name == "lop3.b32":
        table = int(i.operands[4], 0)

        def look_up(a, b, c):
            result = np.zeros(machine.threads, np.uint32)
            for row in range(8):
                if table >> row & 1:
                    result |= ((a if row & 4 else ~a) & (b if row & 2 else ~b)
                               & (c if row & 1 else ~c))
            return result
        return PLAIN, _apply(look_up, target, (a, b, c))
    if i.name in ("shf.l.wrap.b32", "shf.r.wrap.b32"):
        def funnel(a, b, c):
            both = a.astype(np.uint64) | (b.astype(np.uint64) << np.uint64(32))
            count = np.asarray(c & np.uint32(31), np.uint64)
            return both >> count if i.op[1] == "r" else (both << count) >> np.uint64(32)
        return PLAIN, _apply(funnel, target, (a, b, c))
    if i.name != "prmt.b32":
        raise PTXError(f"not modelled: {i.text}")

    def permute(a, b, c):
        both = np.asarray(a, np.uint64) | (np.asarray(b, np.uint64) << np.uint64(32))
        result = np.zeros(machine.threads, np.uint64)
        for byte in range(4):
            choice = (np.asarray(c, np.uint64) >> np.uint64(4 * byte)) & np.uint64(7)
            part = (both >> (np.uint64(8) * choice)) & np.uint64(255)
            result |= part << np.uint64(8 * byte)
        return result
    return PLAIN, _apply(permute, target, (a, b, c))


def _setp(machine: Machine, i: Instruction):
    type_, relation = i.op[-1], i.op[1]
    if len(i.op) != 3:
        raise PTXError(f"not modelled: {i.text}")
    target = machine.target(i.operands[0], "pred")
    a, b = (machine.source(o, type_) for o in i.operands[1:3])
    if type_ in FROM:
        decode = FROM[type_]
        return PLAIN, _apply(lambda a, b: _float_relation(relation, decode(a), decode(b)), target,
                             (a, b))
    if type_[0] == "f":
        return PLAIN, _apply(lambda a, b: _float_relation(relation, a, b), target, (a, b))
    return PLAIN, _ufunc(COMPARE[relation], target, (a, b))


def _float_relation(relation: str, a, b):
    unordered = np.isnan(a) | np.isnan(b)
    if relation in ("nan", "num"):
        return unordered if relation == "nan" else ~unordered
    if relation.endswith("u"):
        return COMPARE[relation[:-1]](a, b) | unordered
    return COMPARE[relation](a, b) & ~unordered


def _selp(machine: Machine, i: Instruction):
    type_ = i.op[-1]
    a, b = (machine.source(o, type_) for o in i.operands[1:3])
    choice = machine.source(i.operands[3], "pred")
    return PLAIN, _apply(lambda a, b, c: np.where(c, a, b), machine.target(i.operands[0], type_),
                         (a, b, choice))


def _mov(machine: Machine, i: Instruction):
    type_ = i.op[-1]
    to, of = i.operands
    size = np.dtype(DTYPES[type_]).itemsize
    if to.startswith("{"):
        parts = vector(to)
        part = UNSIGNED[size // len(parts)]
        source = machine.source(of, UNSIGNED[size])
        targets = [None if p == "_" else machine.target(p, part) for p in parts]

        def unpack(active: Active) -> None:
            words = np.broadcast_to(source, machine.threads).copy().view(DTYPES[part])
            for at, target in enumerate(targets):
                if target is not None:
                    np.copyto(target, words[at::len(parts)], where=active.where)
        return PLAIN, unpack
    target = machine.target(to, type_)
    if of.startswith("{"):
        parts = vector(of)
        part = UNSIGNED[size // len(parts)]
        sources = [machine.source(p, part) for p in parts]

        def pack(active: Active) -> None:
            words = np.empty((machine.threads, len(parts)), DTYPES[part])
            for at, source in enumerate(sources):
                words[:, at] = source
            np.copyto(target, words.reshape(-1).view(target.dtype), where=active.where)
        return PLAIN, pack
    source = machine.source(of, type_)
    return PLAIN, lambda active: np.copyto(target, source, where=active.where)


def _cvt(machine: Machine, i: Instruction):
    to, of = i.op[-2], i.op[-1]
    if to == "tf32":
        target = machine.target(i.operands[0], "b32")
        return PLAIN, _apply(to_tf32, target, (machine.source(i.operands[1], "f32"),))
    if to == "e4m3x2" and "satfinite" in i.op:
        high, low = (machine.source(o, "f32") for o in i.operands[1:3])

        def narrow(high, low):
            high, low = (to_f8(np.broadcast_to(v, machine.threads)).astype(np.uint16)
                         for v in (high, low))
            return high << np.uint16(8) | low
        return PLAIN, _apply(narrow, machine.target(i.operands[0], "b16"), (high, low))
    target = machine.target(i.operands[0], to if to not in FROM else "b16")
    if of == "e4m3x2" and to == "f16x2":
        source = machine.source(i.operands[1], "b16")

        def widen(two):
            low, high = (to_f16(from_f8(np.asarray(two, np.uint16) >> np.uint16(at) & np.uint16(255)))
                         .astype(np.uint32) for at in (0, 8))
            return (high << np.uint32(16)) | low
        return PLAIN, _apply(widen, target, (source,))
    if to in ("bf16x2", "f16x2"):
        encode = to_bf16 if to[0] == "b" else to_f16
        high, low = (machine.source(o, "f32") for o in i.operands[1:3])

        def pair(high, low):
            high, low = (encode(np.broadcast_to(v, machine.threads)).astype(np.uint32)
                         for v in (high, low))
            return (high << np.uint32(16)) | low
        return PLAIN, _apply(pair, target, (high, low))
    if of in ("s8", "u8"):  # of a register that is wider
        source = machine.register(i.operands[1])
        return PLAIN, _apply(lambda v: v.astype(f"{of[0].replace('s', 'i')}1").astype(DTYPES[to]),
                             target, (source,))
    source = machine.source(i.operands[1], of)
    if of in FROM:
        if to != "f32":
            raise PTXError(f"not modelled: {i.text}")
        return PLAIN, _apply(FROM[of], target, (source,))
    if to in TO:
        if of != "f32" or "rn" not in i.op:
            raise PTXError(f"not modelled: {i.text}")
        return PLAIN, _apply(lambda v: TO[to](np.asarray(v, np.float32)), target, (source,))
    if of[0] == "f" and to[0] != "f":
        rounding = {"rzi": np.trunc, "rni": np.rint, "rmi": np.floor, "rpi": np.ceil}
        mode = [rounding[m] for m in i.op if m in rounding]
        return PLAIN, _apply(lambda v: mode[0](v).astype(DTYPES[to]), target, (source,))
    return PLAIN, _apply(lambda v: np.asarray(v).astype(DTYPES[to]), target, (source,))


HANDLERS = {"setp": _setp, "selp": _selp, "mov": _mov, "cvt": _cvt, "shl": _shift, "shr": _shift}
HANDLERS.update(dict.fromkeys(("bfe", "bfi", "prmt", "lop3", "shf"), _bits))
HANDLERS.update(dict.fromkeys(BITWISE, _bitwise))
HANDLERS.update(dict.fromkeys([*UFUNCS, *FLOAT, "mad", "rem"], _arithmetic))


def compile_instruction(machine: Machine, i: Instruction):
    if i.op[0] in HANDLERS:
        return HANDLERS[i.op[0]](machine, i)
    if i.op[0] == "bra":
        return BRANCH, None
    if i.op[0] in ("ret", "exit"):
        return EXIT, None
    if i.op[0] == "cvta":
        target = machine.target(i.operands[0], "b64")
        return PLAIN, _apply(lambda v: v, target, (machine.source(i.operands[1], "b64"),))
    return None
