# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs compiled for the host, on numpy arrays and torch CPU tensors."""

import ctypes
import functools
import json
import math
import struct
import sys
import threading
import weakref
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _compiler
from .runtime.arrays import is_number, scalar_bytes

_TORCH = {"torch.bfloat16": "bf16", "torch.float16": "f16", "torch.float32": "f32",
          "torch.float64": "f64", "torch.bool": "i1", "torch.int8": "i8", "torch.int16": "i16",
          "torch.int32": "i32", "torch.int64": "i64", "torch.float8_e4m3fn": "f8E4M3FN"}
_NUMPY = {"float16": "f16", "float32": "f32", "float64": "f64", "bool": "i1", "int8": "i8",
          "int16": "i16", "int32": "i32", "int64": "i64", "bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN"}
#: Types that numpy lacks: their names in ml_dtypes, and integers as large.
_FOREIGN = {"bf16": ("bfloat16", "uint16"), "f8E4M3FN": ("float8_e4m3fn", "uint8")}
_SIZE = {"f8E4M3FN": 1, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4,
         "i64": 8}


class Value(NamedTuple):
    """An argument or a result: a type, and a shape (None in it: any extent) or, for
    a scalar, no shape."""
    type: str
    shape: Optional[Tuple[Optional[int], ...]]

    def __str__(self) -> str:
        if self.shape is None:
            return self.type
        return f"{self.type}[{', '.join('?' if e is None else str(e) for e in self.shape)}]"


class _Array(NamedTuple):
    owner: Any
    address: int
    type: str
    shape: Tuple[int, ...]


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_compiler.folder() / "libFlashFusionCompiler.so"))
    library.ffHostLoad.restype = library.ffHostLookup.restype = ctypes.c_void_p
    library.ffHostLoad.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
    library.ffHostLookup.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    library.ffHostCall.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library.ffHostRelease.argtypes = [ctypes.c_void_p]
    library.ffHostRelease.restype = None
    return library


@functools.lru_cache(maxsize=None)
def _free() -> Any:
    free = ctypes.CDLL(None).free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    return free


def _take(message: ctypes.c_void_p) -> str:
    text = ctypes.string_at(message).decode(errors="replace") if message.value else ""
    _free()(message)
    return text


class HostProgram:
    """A program for this host. Calling it calls its function, if it has one only;
    `program["name"]` is the function of that name. Thread-safe."""

    def __init__(self, data: bytes) -> None:
        header, _, self._object = data.partition(b"\n")
        root = json.loads(header)
        if root.get("format") != "flashfusion-host" or root.get("version") != 1:
            raise ValueError("not a host program of this version")
        #: Arguments and results by function.
        self.functions: Dict[str, Tuple[List[Value], List[Value]]] = {
            f["name"]: ([_value(a) for a in f["arguments"]], [_value(r) for r in f["results"]])
            for f in root["functions"]}
        self._handle: Optional[int] = None
        self._entries: Dict[str, int] = {}
        self._lock = threading.Lock()

    def __getitem__(self, name: str) -> "HostFunction":
        if name not in self.functions:
            raise KeyError(f"no function {name!r}; the program has {', '.join(self.functions)}")
        return HostFunction(self, name)

    def only(self) -> "HostFunction":
        if len(self.functions) != 1:
            raise ValueError(f"the program has several functions: {', '.join(self.functions)}; "
                             "choose one as program[name]")
        return self[next(iter(self.functions))]

    def __call__(self, *args: Any, out: Any = None) -> Any:
        return self.only()(*args, out=out)

    def _address(self, name: str) -> int:
        with self._lock:
            if name in self._entries:
                return self._entries[name]
            library, message = _library(), ctypes.c_void_p()
            if self._handle is None:
                self._handle = library.ffHostLoad(self._object, len(self._object),
                                                  ctypes.byref(message))
                if self._handle is None:
                    raise RuntimeError(f"loading the program: {_take(message)}")
                weakref.finalize(self, library.ffHostRelease, self._handle).atexit = False
            address = library.ffHostLookup(self._handle, f"ff_{name}".encode(),
                                           ctypes.byref(message))
            if address is None:
                raise RuntimeError(f"loading {name}: {_take(message)}")
            self._entries[name] = address
            return address


class HostFunction:
    """One function of a host program, which it keeps alive."""

    def __init__(self, program: HostProgram, name: str) -> None:
        self.program, self.name = program, name
        self.arguments, self.results = program.functions[name]

    def __repr__(self) -> str:
        return (f"{self.name}({', '.join(map(str, self.arguments))}) -> "
                f"({', '.join(map(str, self.results))})")

    def __call__(self, *args: Any, out: Any = None) -> Any:
        """Runs the function and returns its result, or a tuple of several.

        args: contiguous numpy arrays (bf16: of ml_dtypes, or uint16 as its bits) or
            torch CPU tensors of the function's types and shapes (print it to see
            them), numbers for scalars.
        out: the array, or list of arrays, to copy the results to.
        TypeError, ValueError for what does not fit; RuntimeError for an assertion
        of the program that does not hold, such as extents that differ."""
        if len(args) != len(self.arguments):
            raise ValueError(f"{self.name} takes {len(self.arguments)} arguments, "
                             f"not {len(args)}")
        outs = None
        if out is not None:
            outs = list(out) if isinstance(out, (list, tuple)) else [out]
            if len(outs) != len(self.results):
                raise ValueError(f"{self.name} has {len(self.results)} results, not {len(outs)}")
        keep: List[Any] = []
        borrowed = set()
        like = None
        for number, (value, expected) in enumerate(zip(args, self.arguments)):
            what = f"{self.name}: argument {number}"
            if expected.shape is None:
                keep.append(_scalar(value, expected, what))
                continue
            array = _describe(value, expected, what)
            like = value if like is None else like
            borrowed.add(array.address)
            keep.append(_descriptor(array))
        values, storage = self._result_values(keep)
        message = ctypes.c_void_p()
        entry = self.program._address(self.name)
        if _library().ffHostCall(entry, values, ctypes.byref(message)):
            raise RuntimeError(f"{self.name}: an assertion of the program failed: "
                               f"{_take(message)}")
        results = self._read_results(storage, borrowed, like, outs)
        if not results:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def _layout(self) -> Tuple[List[int], int]:
        """Offsets of the results in their struct, and its size."""
        offsets, size = [], 0
        for result in self.results:
            own = (_SIZE[result.type] if result.shape is None
                   else 8 * (3 + 2 * len(result.shape)))
            align = own if result.shape is None else 8
            size = (size + align - 1) // align * align
            offsets.append(size)
            size += own
        return offsets, size

    def _result_values(self, keep: List[Any]) -> Tuple[Any, Any]:
        """What ffHostCall takes. Results in memory come before the arguments, one
        scalar after them."""
        storage = ctypes.create_string_buffer(self._layout()[1] + 8)
        scalar = len(self.results) == 1 and self.results[0].shape is None
        order = keep + [storage] if scalar or not self.results else [storage] + keep
        return (ctypes.c_void_p * len(order))(*map(ctypes.addressof, order)), storage

    def _read_results(self, storage: Any, borrowed: Any, like: Any, outs: Any) -> List[Any]:
        found, owned = [], set()
        for number, (result, offset) in enumerate(zip(self.results, self._layout()[0])):
            at = ctypes.addressof(storage) + offset
            if result.shape is None:
                found.append(_number(ctypes.string_at(at, _SIZE[result.type]), result.type))
                continue
            rank = len(result.shape)
            words = (ctypes.c_int64 * (3 + 2 * rank)).from_address(at)
            shape = tuple(words[3:3 + rank])
            owned.add(words[0])
            target = None if outs is None else outs[number]
            new = _empty(like, result.type, shape) if target is None else target
            array = _describe(new, Value(result.type, shape), f"{self.name}: result {number}")
            size = _SIZE[result.type]
            ctypes.memmove(array.address, words[1] + words[2] * size, math.prod(shape) * size)
            found.append(new)
        for address in owned - borrowed - {0, 0xdeadbeef}:  # the mark of a constant
            _free()(address)
        return found


def _value(node: Dict[str, Any]) -> Value:
    shape = node.get("shape")
    return Value(node["type"], None if shape is None
                 else tuple(None if e < 0 else e for e in shape))


def _describe(value: Any, expected: Value, what: str) -> _Array:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        if value.device.type != "cpu":
            raise TypeError(f"{what} is on {value.device}; a program for the host was called")
        kind = _TORCH.get(str(value.dtype))
        contiguous, address = value.is_contiguous(), value.data_ptr()
        shape, dtype = tuple(value.shape), value.dtype
    elif hasattr(value, "__array_interface__"):
        kind = _NUMPY.get(value.dtype.name)
        if (value.dtype.kind in "uV" and expected.type in _FOREIGN
                and value.dtype.itemsize == _SIZE[expected.type]):
            kind = expected.type
        contiguous, address = value.flags["C_CONTIGUOUS"], value.ctypes.data
        shape, dtype = tuple(value.shape), value.dtype
    else:
        raise TypeError(f"{what}: expected a numpy array or a torch CPU tensor, not "
                        f"{type(value).__name__}")
    if kind is None or kind != expected.type:
        raise TypeError(f"{what} must be of type {expected.type}, not {dtype}")
    assert expected.shape is not None
    if len(shape) != len(expected.shape) or any(
            e is not None and e != s for e, s in zip(expected.shape, shape)):
        raise ValueError(f"{what} must be {expected}, not of shape {shape}")
    if not contiguous:
        raise ValueError(f"{what} must be contiguous (row-major)")
    return _Array(value, address, kind, shape)


def _descriptor(array: _Array) -> Any:
    rank = len(array.shape)
    words = (ctypes.c_int64 * (3 + 2 * rank))()
    words[0] = words[1] = array.address
    stride = 1
    for i in reversed(range(rank)):
        words[3 + i] = array.shape[i]
        words[3 + rank + i] = stride
        stride *= array.shape[i]
    return words


def _scalar(value: Any, expected: Value, what: str) -> Any:
    if not is_number(value) and not isinstance(value, bool):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    data = bytes([bool(value)]) if expected.type == "i1" else scalar_bytes(expected.type, value)
    return ctypes.create_string_buffer(data, 8)


def _number(data: bytes, kind: str) -> Union[int, float, bool]:
    if kind == "bf16":
        return struct.unpack("<f", b"\0\0" + data)[0]
    if kind == "i1":
        return bool(data[0] & 1)
    return struct.unpack({"f16": "<e", "f32": "<f", "f64": "<d", "i8": "<b", "i16": "<h",
                          "i32": "<i", "i64": "<q"}[kind], data)[0]


def _empty(like: Any, kind: str, shape: Sequence[int]) -> Any:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        name = next(n for n, k in _TORCH.items() if k == kind)
        return torch.empty(tuple(shape), dtype=getattr(torch, name.split(".")[1]))
    import numpy
    if kind not in _FOREIGN:
        return numpy.empty(shape, next(n for n, k in _NUMPY.items() if k == kind))
    name, bits = _FOREIGN[kind]
    if like is not None and like.dtype.name == name:
        return numpy.empty(shape, like.dtype)
    try:
        import ml_dtypes  # pyright: ignore[reportMissingImports]
        return numpy.empty(shape, getattr(ml_dtypes, name))
    except ImportError:
        return numpy.empty(shape, bits)
