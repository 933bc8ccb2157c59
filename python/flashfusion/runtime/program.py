# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the functions of a bundle on arrays in device memory."""

import ctypes
import os
import threading
import weakref
from collections import OrderedDict
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import driver
from .arrays import Array, current_stream, describe, empty, is_number, scalar_bytes
from .manifest import ITEM_SIZE, Bundle, BundleError, FunctionInfo, KernelArg, Launch, Step

#: How many sets of packed weights a step keeps before it drops the oldest.
MAX_PACKED_SETS = 64
#: Roles of operands that kernels read element by element.
UNALIGNED = ("column", "x_scale", "scalar")


def load(path: Union[str, "os.PathLike[str]"], **options: Any) -> "Program":
    """Loads a bundle. `options` are those of Program.

    OSError if the file cannot be read, BundleError if it is no bundle that this
    runtime knows. The driver is looked for at the first call."""
    return Program(Bundle.read(os.fspath(path)), **options)


class _Packed:
    """Packed weights of one step for one set of weights."""

    def __init__(self, step: Step) -> None:
        self.versions: Tuple[int, ...] = ()
        self.owners: List[Any] = []  # keeps the weights' addresses taken
        self.pinned = False          # used inside a captured graph
        self.buffers = [driver.allocate(_size(b.type, b.shape)) for b in step.packed]

    def free(self) -> None:
        for address in self.buffers:
            driver.free(address)


class _Device:
    """What a program keeps on one device: kernels and constants."""

    def __init__(self, bundle: Bundle, device: int) -> None:
        self.module = driver.Module(bundle.ptx)
        self.constants: Dict[str, List[int]] = {}
        for name, function in bundle.functions.items():
            addresses = self.constants[name] = []
            for constant in function.constants:
                addresses.append(driver.allocate(len(constant.data)))
                driver.upload(addresses[-1], constant.data)
            for step in function.steps:  # now, because a capture may not
                for spec in step.variants + step.pack:
                    self.module.function(spec.kernel, spec.shared_bytes, spec.cluster)
        self.chosen: Dict[Tuple[str, int, int], Launch] = {}  # by rows and alignment
        self.packed: Dict[Tuple[str, int], "OrderedDict[Tuple[int, ...], _Packed]"] = {}


def _release(devices: Dict[int, _Device]) -> None:
    """Frees what a program keeps, once the kernels that may use it are done."""
    for ordinal, device in devices.items():
        try:
            with driver.current(ordinal):
                driver.synchronize_all()
                for sets in device.packed.values():
                    for packed in sets.values():
                        packed.free()
                for addresses in device.constants.values():
                    for address in addresses:
                        driver.free(address)
                device.module.unload()
        except driver.CudaError:  # a lost context frees nothing, and holds nothing
            pass
    devices.clear()


def _size(type: str, shape: Any) -> int:
    size = ITEM_SIZE[type]
    for extent in shape:
        size *= extent
    return size


class Program:
    """A loaded bundle. Calling it calls its function, if it has one only;
    `program["name"]` is the function of that name.

    dependent_launch: lets the first kernel of a call start before the kernel
        that precedes it in the stream is complete (programmatic dependent
        launch, sm_90 and newer). Only where that predecessor does not write
        weights. Kernels of one call always overlap where they can.
    allow_packed: False never packs weights, which saves their memory twice over
        but may leave faster kernels unused, and some numbers of rows unserved
        (BundleError); "last" packs only for those.
    """

    def __init__(self, bundle: Bundle, dependent_launch: bool = False,
                 allow_packed: Union[bool, str] = True) -> None:
        self.bundle = bundle
        self.dependent_launch = dependent_launch
        self.allow_packed = allow_packed
        self._devices: Dict[int, _Device] = {}
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, _release, self._devices)
        self._finalizer.atexit = False  # the process's end frees it all

    def __getitem__(self, name: str) -> "Function":
        functions = self.bundle.functions
        if name not in functions:
            raise KeyError(f"no function {name!r}; the bundle has {', '.join(functions)}")
        return Function(self, functions[name])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the bundle's only function (see Function.__call__)."""
        return self.only()(*args, **kwargs)

    def only(self) -> "Function":
        """The bundle's function. BundleError if it has several."""
        names = list(self.bundle.functions)
        if len(names) != 1:
            raise BundleError(f"the bundle has several functions: {', '.join(names)}; "
                              "choose one as program[name]")
        return self[names[0]]

    def prepare(self, device: int = 0) -> None:
        """Compiles the kernels for `device` now instead of at the first call."""
        with driver.current(device):
            self._device(device)

    def close(self) -> None:
        """Frees everything on the devices now instead of with the program's last
        reference. No call and no captured graph may be running or run later."""
        self._finalizer()

    def _device(self, device: int) -> _Device:
        with self._lock:
            if device not in self._devices:
                self._devices[device] = _Device(self.bundle, device)
            return self._devices[device]

    def repack(self) -> None:
        """Packs the weights anew at their next use. Needed after weights were
        changed in place by other means than torch operations (which are
        noticed), and before replaying a captured graph that uses changed
        weights: call the function once outside of the graph."""
        for device in self._devices.values():
            for sets in device.packed.values():
                for packed in sets.values():
                    packed.versions = ()

    def release_packed(self) -> None:
        """Frees all packed weights that no captured graph uses."""
        for ordinal, device in self._devices.items():
            with driver.current(ordinal):
                for sets in device.packed.values():
                    for key in [k for k, p in sets.items() if not p.pinned]:
                        sets.pop(key).free()


class Function:
    """One function of a bundle. Keeps its program alive, not the other way round:
    a program frees its device memory with its last reference."""

    def __init__(self, program: Program, info: FunctionInfo) -> None:
        self.program = program
        self.info = info

    def __repr__(self) -> str:
        def text(buffer: Any) -> str:
            if buffer.shape is None:
                return f"{buffer.name}: {buffer.type}"
            extents = ", ".join("?" if e is None else str(e) for e in buffer.shape)
            return f"{buffer.name}: {buffer.type}[{extents}]"

        return (f"{self.info.name}({', '.join(map(text, self.info.arguments))}) -> "
                f"({', '.join(map(text, self.info.results))})")

    def variant(self, *args: Any, step: int = 0) -> str:
        """Name of the kernel that a call with these arguments, and results that
        are as aligned as a new allocation, would launch for a step."""
        arrays = self._arguments(args)
        shapes = [() if a is None else a.shape for a in arrays]
        addresses = 0
        for operand in self.info.steps[step].operands:
            if operand.source == "argument" and operand.role not in UNALIGNED:
                addresses |= arrays[operand.index].address  # type: ignore[union-attr]
        return self.info.steps[step].choose(self.info.rows(step, shapes), addresses,
                                            self.program.allow_packed).kernel

    def __call__(self, *args: Any, out: Any = None, stream: Optional[int] = None,
                 dependent_launch: Optional[bool] = None) -> Any:
        """Queues the function on the current stream of the arrays' library.

        args: one per argument of the source function, in order: contiguous CUDA
            arrays (torch tensors; anything with __cuda_array_interface__, bf16
            there as 2-byte void or uint16), Python numbers for scalars. Shapes
            and dtypes must be those of the bundle (print the function to see
            them); all on one device.
        out: the result array, or a list of them, to write to. They must not
            overlap arguments. Otherwise new arrays of the library of the first
            argument.
        stream: handle of the CUDA stream to use instead of the current one.
        dependent_launch: overrides that of the program for this call.

        Returns the result, or a tuple of results where there are several.
        TypeError, ValueError for arguments that do not fit; CudaError from the
        driver. May be captured into CUDA graphs, after one call outside."""
        arrays = self._arguments(args)
        present = [a for a in arrays if a is not None]
        if not present:
            raise ValueError(f"{self.info.name} has no array argument")
        device = present[0].device
        if any(a.device != device for a in present):
            raise ValueError(f"{self.info.name}: arguments are on devices "
                             f"{sorted({a.device for a in present})}; one is expected")
        shapes = [() if a is None else a.shape for a in arrays]
        with driver.current(device):
            results = self._results(arrays, shapes, device, out, present[0].owner)
            queue = current_stream(present[0].owner, device) if stream is None else stream
            if device not in self.program._devices and driver.is_capturing(queue):
                raise RuntimeError(f"{self.info.name}: kernels must be compiled before a graph is "
                                   "captured: call the function once outside of the capture")
            first = (self.program.dependent_launch if dependent_launch is None
                     else dependent_launch)
            self._run(args, arrays, results, shapes, device, queue, first, present[0].owner)
        owners = tuple(r.owner for r in results)
        return owners[0] if len(owners) == 1 else owners

    def run_trusted(self, addresses: Sequence[int], results: Sequence[int], rows: int, device: int,
                    stream: int, dependent: bool) -> bool:
        """Queues the function without looking at anything: for callers that know their arrays to be
        contiguous, of the right types and shapes, on `device`, whose context is current. Takes
        addresses, where a call takes arrays. False, and nothing is done, where only a call will do:
        scalars, several steps, packed weights, a program that has not run on the device."""
        info, state = self.info, self.program._devices.get(device)
        if state is None or len(info.steps) != 1 or info.intermediates or rows <= 0:
            return False
        step = info.steps[0]
        sources = {"argument": addresses, "result": results, "constant": state.constants[info.name]}
        at, aligned = [], 0
        for operand in step.operands:
            if operand.shape is None:
                if operand.source != "number":
                    return False
                at.append(0)
                continue
            at.append(sources[operand.source][operand.index])
            if operand.role not in UNALIGNED:
                aligned |= at[-1]
        key = (info.name, rows, aligned & 255)
        variant = state.chosen.get(key)
        if variant is None:
            variant = step.choose(rows, aligned, self.program.allow_packed)
            state.chosen[key] = variant
        if variant.packed:
            return False
        self._launch(state, step, variant, rows, at, [o.value for o in step.operands], [], stream,
                     variant.dependent_launch and dependent)
        return True

    def _arguments(self, args: Sequence[Any]) -> List[Optional[Array]]:
        info = self.info
        if len(args) != len(info.arguments):
            raise ValueError(f"{info.name} takes {len(info.arguments)} arguments, not {len(args)}")
        arrays: List[Optional[Array]] = []
        for value, expected in zip(args, info.arguments):
            what = f"{info.name}: {expected.name}"
            if is_number(value):
                arrays.append(None)
                continue
            array = describe(value, what)
            if expected.shape is not None and array.type != expected.type:
                raise TypeError(f"{what} must be of type {expected.type}, not {array.type}")
            arrays.append(array)
        info.bind([None if a is None else a.shape for a in arrays])
        return arrays

    def _results(self, arrays: Sequence[Optional[Array]], shapes: Sequence[Any], device: int,
                 out: Any, like: Any) -> List[Array]:
        info = self.info
        if out is None:
            return [describe(empty(like, r.type, info.buffer_shape(r, shapes), device), r.name)
                    for r in info.results]
        given = list(out) if isinstance(out, (list, tuple)) else [out]
        if len(given) != len(info.results):
            raise ValueError(f"{info.name} has {len(info.results)} results, not {len(given)}")
        results: List[Array] = []
        for value, expected in zip(given, info.results):
            what = f"{info.name}: {expected.name}"
            result = describe(value, what)
            if result.type != expected.type:
                raise TypeError(f"{what} must be of type {expected.type}, not {result.type}")
            if result.device != device:
                raise ValueError(f"{what} is on device {result.device}, the arguments on {device}")
            self._check_result_shape(what, expected, result, shapes)
            for other in [a for a in arrays if a is not None] + results:
                if result.nbytes and other.nbytes and result.overlaps(other):
                    raise ValueError(f"{what} overlaps an argument or another result")
            results.append(result)
        return results

    def _check_result_shape(self, what: str, expected: Any, result: Array,
                            shapes: Sequence[Any]) -> None:
        try:
            shape = self.info.buffer_shape(expected, shapes)
        except BundleError:  # several extents are open: the number of elements decides
            elements = self.info._elements(expected, shapes)
            if result.nbytes != elements * ITEM_SIZE[expected.type]:
                raise ValueError(f"{what} must have {elements} elements") from None
            return
        if result.shape != shape:
            raise ValueError(f"{what} must have shape {shape}, not {result.shape}")

    def _run(self, args: Sequence[Any], arrays: Sequence[Optional[Array]],
             results: Sequence[Array], shapes: Sequence[Any], device: int, stream: int,
             dependent: bool, like: Any) -> None:
        info = self.info
        state = self.program._device(device)
        temporaries = [describe(empty(like, t.type, info.buffer_shape(t, shapes), device), t.name)
                       for t in info.intermediates]
        addresses = {"argument": [0 if a is None else a.address for a in arrays],
                     "result": [r.address for r in results],
                     "constant": state.constants[info.name],
                     "intermediate": [t.address for t in temporaries]}
        for number, step in enumerate(info.steps):
            rows = info.rows(number, shapes)
            if rows == 0:
                continue
            if rows > 2**31 - 1:  # kernels count rows in 32 bits
                raise BundleError(f"{step.name}: {rows} rows are too many")
            at = [0 if o.shape is None else addresses[o.source][o.index] for o in step.operands]
            aligned = 0
            for operand, address in zip(step.operands, at):
                if operand.role not in UNALIGNED:
                    aligned |= address
            variant = step.choose(rows, aligned, self.program.allow_packed)
            scalars = [None if o.shape is not None else o.value if o.source == "number"
                       else args[o.index] for o in step.operands]
            packed: List[int] = []
            if variant.packed:
                packed = self._pack(state, number, step, at, arrays, stream)
            # Behind another kernel of this call, which writes no weights, a
            # kernel may always start early; behind a foreign one only on demand.
            early = variant.dependent_launch and (dependent if number == 0
                                                  else self._writes_no_weights(step))
            self._launch(state, step, variant, rows, at, scalars, packed, stream, early)

    @staticmethod
    def _writes_no_weights(step: Step) -> bool:
        return all(o.source in ("argument", "constant", "number") for o in step.operands
                   if o.role not in ("x", "tile", "x_scale", "out"))

    def _pack(self, state: _Device, number: int, step: Step, at: Sequence[int],
              arrays: Sequence[Optional[Array]], stream: int) -> List[int]:
        """Packed buffers for these weights, filled if they are not."""
        used = [i for i, o in enumerate(step.operands) if o.role in ("gain", "shift", "weight")]
        sources = [arrays[step.operands[i].index] if step.operands[i].source == "argument"
                   else None for i in used]
        key = tuple(at[i] for i in used)
        # A version is never (): an empty tuple of versions marks a stale set.
        versions = tuple(0 if s is None else s.version for s in sources) + (0,)
        computed = any(step.operands[i].source in ("intermediate", "result") for i in used)
        capturing = driver.is_capturing(stream)
        with self.program._lock:
            sets = state.packed.setdefault((self.info.name, number), OrderedDict())
            packed = sets.get(key)
            stale = packed is None or packed.versions != versions or computed
            if stale and capturing:
                raise RuntimeError(f"{step.name}: weights must be packed before a graph is "
                                   "captured: call the function once outside of the capture")
            if packed is None:
                packed = sets[key] = _Packed(step)
                for old in [k for k, p in sets.items() if not p.pinned][:-MAX_PACKED_SETS]:
                    sets.pop(old).free()
            sets.move_to_end(key)
            packed.owners = [s.owner for s in sources if s is not None]
            packed.pinned |= capturing
            if stale:
                for spec in step.pack:
                    self._launch(state, step, spec, 1, at, [], packed.buffers, stream, False)
                # Other streams may use the packed weights from now on.
                driver.synchronize(stream)
                packed.versions = versions
        return packed.buffers

    def _launch(self, state: _Device, step: Step, spec: Launch, rows: int, at: Sequence[int],
                scalars: Sequence[Optional[float]], packed: Sequence[int], stream: int,
                dependent: bool) -> None:
        function = state.module.function(spec.kernel, spec.shared_bytes, spec.cluster)
        parameters = [self._parameter(step, arg, rows, at, scalars, packed) for arg in spec.args]
        driver.launch(function, spec.kernel, spec.blocks(rows), spec.block, spec.shared_bytes,
                      spec.cluster, dependent, stream, parameters)

    @staticmethod
    def _parameter(step: Step, arg: KernelArg, rows: int, at: Sequence[int],
                   scalars: Sequence[Optional[float]], packed: Sequence[int]) -> Any:
        if arg.kind == "buffer":
            return ctypes.c_uint64(at[arg.index])
        if arg.kind == "packed":
            return ctypes.c_uint64(packed[arg.index])
        if arg.kind == "rows":
            return ctypes.c_int32(rows)
        if arg.kind == "scalar":
            data = scalar_bytes(step.operands[arg.index].type, scalars[arg.index])
            return (ctypes.c_char * len(data)).from_buffer_copy(data)
        assert arg.box is not None
        of = step.packed[arg.index] if arg.kind == "packed_map" else step.operands[arg.index]
        address = packed[arg.index] if arg.kind == "packed_map" else at[arg.index]
        extents = tuple(rows if e is None else e for e in of.shape)  # type: ignore[union-attr]
        return driver.tensor_map(address, of.type, extents, arg.box)  # type: ignore[arg-type]
