# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The few functions of the CUDA driver that a bundle needs, through ctypes."""

import ctypes
import functools
from contextlib import contextmanager
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

MAX_DYNAMIC_SHARED_SIZE = 8
NON_PORTABLE_CLUSTER_SIZE = 14
POINTER_DEVICE_ORDINAL = 9
COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76
LAUNCH_CLUSTER = 4
LAUNCH_PROGRAMMATIC_SERIALIZATION = 6
TENSOR_MAP_TYPES = {"f8E4M3FN": 0, "f16": 6, "f32": 7, "bf16": 9}  # 0: bytes


class CudaError(RuntimeError):
    """A call of the CUDA driver failed."""


class _ClusterDim(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]


class _LaunchValue(ctypes.Union):
    _fields_ = [("pad", ctypes.c_char * 64), ("cluster", _ClusterDim),
                ("programmatic", ctypes.c_int)]


class _LaunchAttribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_char * 4), ("value", _LaunchValue)]


class _LaunchConfig(ctypes.Structure):
    _fields_ = [("grid_x", ctypes.c_uint), ("grid_y", ctypes.c_uint), ("grid_z", ctypes.c_uint),
                ("block_x", ctypes.c_uint), ("block_y", ctypes.c_uint), ("block_z", ctypes.c_uint),
                ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.POINTER(_LaunchAttribute)), ("count", ctypes.c_uint)]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The driver, initialized. CudaError where there is none."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise CudaError(f"no CUDA driver on this machine: {error}") from None
    for name in ("cuMemAlloc_v2", "cuMemFree_v2", "cuMemcpyHtoD_v2", "cuLaunchKernelEx",
                 "cuTensorMapEncodeTiled"):
        if not hasattr(cuda, name):
            raise CudaError(f"the CUDA driver is too old: it has no {name}")
    result = cuda.cuInit(0)
    if result:
        raise CudaError(f"cuInit: {_describe(cuda, result)}")
    return cuda


def _describe(cuda: ctypes.CDLL, result: int) -> str:
    name, text = ctypes.c_char_p(), ctypes.c_char_p()
    cuda.cuGetErrorName(result, ctypes.byref(name))
    cuda.cuGetErrorString(result, ctypes.byref(text))
    label = name.value.decode() if name.value else f"error {result}"
    return f"{label} ({text.value.decode()})" if text.value else label


def check(result: int, doing: str) -> None:
    if result:
        raise CudaError(f"{doing}: {_describe(library(), result)}")


@contextmanager
def current(device: int) -> Iterator[None]:
    """Makes the primary context of `device`, which torch and cupy use, current."""
    cuda = library()
    context, before = _primary_context(device), ctypes.c_void_p()
    check(cuda.cuCtxGetCurrent(ctypes.byref(before)), "finding the current context")
    if before.value == context:
        yield
        return
    check(cuda.cuCtxSetCurrent(ctypes.c_void_p(context)), f"choosing device {device}")
    try:
        yield
    finally:
        cuda.cuCtxSetCurrent(before)


@functools.lru_cache(maxsize=None)
def _primary_context(device: int) -> Optional[int]:
    cuda, handle, context = library(), ctypes.c_int(), ctypes.c_void_p()
    check(cuda.cuDeviceGet(ctypes.byref(handle), device), f"finding device {device}")
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), handle),
          f"opening a context on device {device}")
    return context.value


def device_of(address: int) -> int:
    """The device that holds `address`. CudaError if it is no device memory."""
    ordinal = ctypes.c_int()
    check(library().cuPointerGetAttribute(ctypes.byref(ordinal), POINTER_DEVICE_ORDINAL,
                                          ctypes.c_uint64(address)),
          "finding the device of an array")
    return ordinal.value


def allocate(size: int) -> int:
    address = ctypes.c_uint64()
    check(library().cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(max(size, 1))),
          f"allocating {size} bytes")
    return address.value


def free(address: int) -> None:
    library().cuMemFree_v2(ctypes.c_uint64(address))


def upload(address: int, data: bytes) -> None:
    if data:
        check(library().cuMemcpyHtoD_v2(ctypes.c_uint64(address), data,
                                        ctypes.c_size_t(len(data))), "copying a constant")


def synchronize(stream: int) -> None:
    check(library().cuStreamSynchronize(ctypes.c_void_p(stream)), "waiting for the stream")


def synchronize_all() -> None:
    check(library().cuCtxSynchronize(), "waiting for the device")


def is_capturing(stream: int) -> bool:
    status = ctypes.c_int()
    check(library().cuStreamIsCapturing(ctypes.c_void_p(stream), ctypes.byref(status)),
          "asking whether the stream is being captured")
    return status.value != 0


@functools.lru_cache(maxsize=None)
def capability(device: int) -> Tuple[int, int]:
    """The compute capability of `device`, as (9, 0)."""
    handle, value = ctypes.c_int(), ctypes.c_int()
    check(library().cuDeviceGet(ctypes.byref(handle), device), f"finding device {device}")
    found = []
    for attribute in (COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR):
        check(library().cuDeviceGetAttribute(ctypes.byref(value), attribute, handle),
              f"asking for the compute capability of device {device}")
        found.append(value.value)
    return found[0], found[1]


def chip_of(device: int) -> str:
    """The name of a device's chip, with all that is its own: sm_89, sm_90a."""
    major, minor = capability(device)
    return f"sm_{major}{minor}{'a' if major >= 9 else ''}"


class Module:
    """PTX, compiled by the driver for the current device. The driver keeps what it compiled for
    later processes (CUDA_CACHE_PATH)."""

    def __init__(self, ptx: str) -> None:
        self._handle = ctypes.c_void_p()
        log = ctypes.create_string_buffer(16384)
        options = (ctypes.c_int * 2)(5, 6)  # error log buffer, its size
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), len(log))
        # Not through the driver's linker, which could return machine code to be kept: it compiles
        # for linking with others, where ptxas ignores setmaxnreg and serializes wgmma.
        result = library().cuModuleLoadDataEx(ctypes.byref(self._handle), ptx.encode() + b"\0", 2,
                                              options, values)
        text = log.value.decode(errors="replace").strip()
        check(result, "compiling the PTX of the bundle" + (f": {text}" if text else ""))
        self._functions: dict = {}

    def function(self, name: str, shared_bytes: int, cluster: int) -> ctypes.c_void_p:
        """The kernel `name`, allowed to be launched with these."""
        key = (name, shared_bytes, cluster)
        if key in self._functions:
            return self._functions[key]
        cuda, handle = library(), ctypes.c_void_p()
        check(cuda.cuModuleGetFunction(ctypes.byref(handle), self._handle, name.encode()),
              f"finding kernel {name}")
        check(cuda.cuFuncSetAttribute(handle, MAX_DYNAMIC_SHARED_SIZE, shared_bytes),
              f"giving kernel {name} {shared_bytes} bytes of shared memory")
        if cluster > 8:
            check(cuda.cuFuncSetAttribute(handle, NON_PORTABLE_CLUSTER_SIZE, 1),
                  f"allowing kernel {name} clusters of {cluster}")
        self._functions[key] = handle
        return handle

    def unload(self) -> None:
        library().cuModuleUnload(self._handle)


def tensor_map(address: int, type: str, shape: Tuple[int, int],
               box: Tuple[int, int]) -> ctypes.Array:
    """A 128-byte tensor map of a row-major matrix (docs/bundle.md), aligned to 64."""
    raw = ctypes.create_string_buffer(192)
    start = ctypes.addressof(raw)
    map_ = (ctypes.c_char * 128).from_buffer(raw, -start % 64)
    size = {"f8E4M3FN": 1, "f32": 4}.get(type, 2)
    check(library().cuTensorMapEncodeTiled(
        map_, TENSOR_MAP_TYPES[type], ctypes.c_uint32(2), ctypes.c_void_p(address),
        (ctypes.c_uint64 * 2)(shape[1], shape[0]), (ctypes.c_uint64 * 1)(shape[1] * size),
        (ctypes.c_uint32 * 2)(box[1], box[0]), (ctypes.c_uint32 * 2)(1, 1),
        0, 3, 2, 0),  # no interleave, 128-byte swizzle, L2 promotion 128 bytes, zero fill
        f"encoding a tensor map of {shape[0]} x {shape[1]} {type} with box {box[0]} x {box[1]}")
    return map_


def launch(function: ctypes.c_void_p, what: str, blocks: int, threads: int, shared: int,
           cluster: int, dependent: bool, stream: int, parameters: Sequence[object]) -> None:
    """Launches a kernel; `parameters` are ctypes values or arrays, in order."""
    attributes: List[_LaunchAttribute] = []
    if cluster > 1:
        attribute = _LaunchAttribute(id=LAUNCH_CLUSTER)
        attribute.value.cluster = _ClusterDim(cluster, 1, 1)
        attributes.append(attribute)
    if dependent:
        attribute = _LaunchAttribute(id=LAUNCH_PROGRAMMATIC_SERIALIZATION)
        attribute.value.programmatic = 1
        attributes.append(attribute)
    array = (_LaunchAttribute * max(len(attributes), 1))(*attributes)
    config = _LaunchConfig(blocks, 1, 1, threads, 1, 1, shared, stream, array, len(attributes))
    pointers = (ctypes.c_void_p * max(len(parameters), 1))(
        *[ctypes.addressof(p) for p in parameters])  # type: ignore[arg-type]
    check(library().cuLaunchKernelEx(ctypes.byref(config), function, pointers, None),
          f"launching kernel {what}")
