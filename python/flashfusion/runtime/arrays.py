# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the runtime needs to know of an array, whatever library it comes from."""

import math
import struct
import sys
from dataclasses import dataclass
from typing import Any, Optional, Tuple

from . import driver
from .manifest import ITEM_SIZE

_TORCH_TYPES = {"torch.bfloat16": "bf16", "torch.float16": "f16", "torch.float32": "f32",
                "torch.float64": "f64", "torch.int8": "i8", "torch.int16": "i16",
                "torch.int32": "i32", "torch.int64": "i64",
                "torch.float8_e4m3fn": "f8E4M3FN"}
# cupy has no bfloat16 of its own: two opaque bytes, or 16-bit integers, are its bits; nor floats
# of 8 bits: an opaque or unsigned byte is one.
_TYPE_STRINGS = {"<f2": "f16", "<f4": "f32", "<f8": "f64", "<V2": "bf16", "|V2": "bf16",
                 "<u2": "bf16", "|i1": "i8", "<i2": "i16", "<i4": "i32", "<i8": "i64",
                 "|u1": "f8E4M3FN", "|V1": "f8E4M3FN", "<V1": "f8E4M3FN", "<f1": "f8E4M3FN"}


@dataclass
class Array:
    """A contiguous array in device memory. `owner` keeps it alive."""
    owner: Any
    address: int
    type: str
    shape: Tuple[int, ...]
    device: int
    version: int = 0  # grows when torch changes the contents in place

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * ITEM_SIZE[self.type]

    def overlaps(self, other: "Array") -> bool:
        return (self.address < other.address + other.nbytes
                and other.address < self.address + self.nbytes)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def describe(value: Any, what: str) -> Array:
    """`value` as an Array. TypeError if it is no CUDA array of a known type,
    ValueError if it is not contiguous."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _describe_torch(torch, value, what)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(f"{what}: expected a torch CUDA tensor or an array with "
                        f"__cuda_array_interface__, not {type(value).__name__}")
    kind = _TYPE_STRINGS.get(interface["typestr"])
    if kind is None:
        raise TypeError(f"{what}: arrays of type {interface['typestr']} are not supported")
    shape = tuple(interface["shape"])
    strides, expected = interface.get("strides"), ITEM_SIZE[kind]
    if strides is not None and math.prod(shape):
        for extent, stride in zip(reversed(shape), reversed(strides)):
            if extent != 1 and stride != expected:
                raise ValueError(f"{what} must be contiguous (row-major)")
            expected *= extent
    address = interface["data"][0]
    device = driver.device_of(address) if address else 0
    return Array(value, address, kind, shape, device)


def _describe_torch(torch: Any, value: Any, what: str) -> Array:
    if not value.is_cuda:
        raise TypeError(f"{what} is on {value.device}; bundles run on CUDA devices")
    kind = _TORCH_TYPES.get(str(value.dtype))
    if kind is None:
        raise TypeError(f"{what}: tensors of type {value.dtype} are not supported")
    if not value.is_contiguous():
        raise ValueError(f"{what} must be contiguous (row-major)")
    try:
        version = value._version
    except RuntimeError:  # tensors made in inference mode do not count changes
        version = 0
    return Array(value, value.data_ptr(), kind, tuple(value.shape), value.device.index, version)


def current_stream(like: Any, device: int) -> int:
    """The stream on which the library of `like` queues its work now."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        return torch.cuda.current_stream(device).cuda_stream
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(like, cupy.ndarray):
        return cupy.cuda.get_current_stream().ptr
    return 0


def empty(like: Any, type: str, shape: Tuple[int, ...], device: int) -> Any:
    """A new array of the library of `like`. TypeError if that is unknown."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        dtype = next(name for name, kind in _TORCH_TYPES.items() if kind == type)
        return torch.empty(shape, dtype=getattr(torch, dtype.split(".")[1]),
                           device=torch.device("cuda", device))
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(like, cupy.ndarray):
        dtype = {"bf16": "u2", "f16": "f2", "f32": "f4", "f64": "f8"}[type]
        with cupy.cuda.Device(device):
            return cupy.empty(shape, dtype=dtype)
    raise TypeError("cannot allocate results next to arrays of type "
                    f"{like.__class__.__name__}; pass out=")


def scalar_bytes(type: str, value: Optional[float]) -> bytes:
    """A number as a kernel takes it, by value."""
    assert value is not None
    if type == "bf16":  # round to nearest even
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        if value != value:
            return struct.pack("<H", 0x7FC0)
        return struct.pack("<H", ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF)
    formats = {"f16": "<e", "f32": "<f", "f64": "<d", "i8": "<b", "i16": "<h", "i32": "<i",
               "i64": "<q", "index": "<q"}
    if type not in formats:
        raise TypeError(f"numbers of type {type} are not supported; arrays of them are")
    return struct.pack(formats[type], int(value) if type[0] == "i" else value)
