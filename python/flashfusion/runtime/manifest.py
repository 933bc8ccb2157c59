# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and checks bundles (docs/bundle.md). Needs no GPU."""

import base64
import binascii
import json
import math
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

Shape = Tuple[Optional[int], ...]

#: Bytes of an element of the types that a buffer or a scalar may have.
ITEM_SIZE: Dict[str, int] = {
    "bf16": 2, "f16": 2, "f32": 4, "f64": 8,
    "f8E4M3FN": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8,
}


class BundleError(ValueError):
    """The file is no bundle that this runtime can run."""


@dataclass(frozen=True)
class Operand:
    """One operand of a step; `source` is 'argument', 'result', 'constant',
    'intermediate' (each with `index`) or 'number' (with `value`)."""
    role: str
    source: str
    index: int
    value: float
    type: str
    shape: Optional[Shape]  # None: a scalar


@dataclass(frozen=True)
class KernelArg:
    kind: str
    index: int
    box: Optional[Tuple[int, int]]


@dataclass(frozen=True)
class Launch:
    kernel: str
    fixed: int
    tile_m: int
    tiles_n: int
    cap: int
    block: int
    cluster: int
    shared_bytes: int
    min_rows: int
    max_rows: int
    align: int
    packed: bool
    dependent_launch: bool
    args: Tuple[KernelArg, ...]

    def serves(self, rows: int, addresses: int) -> bool:
        """Whether the variant takes `rows` rows; `addresses` is the bitwise or
        of the addresses of x, gain, shift, weights and outputs."""
        return (self.min_rows <= rows and (self.max_rows == 0 or rows <= self.max_rows)
                and addresses % self.align == 0)

    @property
    def serves_everything(self) -> bool:
        return self.min_rows <= 1 and self.max_rows == 0 and self.align <= 1

    def blocks(self, rows: int) -> int:
        if self.fixed:
            return self.fixed
        blocks = -(-rows // self.tile_m) * self.tiles_n
        return min(blocks, self.cap) if self.cap else blocks


@dataclass(frozen=True)
class Step:
    name: str
    operands: Tuple[Operand, ...]
    variants: Tuple[Launch, ...]
    pack: Tuple[Launch, ...]
    packed: Tuple["Buffer", ...]

    @property
    def k(self) -> int:
        return self.operands[0].shape[1]  # type: ignore[index,return-value]

    def choose(self, rows: int, addresses: int,
               allow_packed: Union[bool, str] = True) -> Launch:
        """The first variant that serves; BundleError if there is none. Packed weights
        may be allowed (True), not (False), or where nothing else serves ("last"), but for
        what stands behind a packed variant that serves everything: that is for False."""
        serving = []
        for variant in self.variants:
            if variant.serves(rows, addresses):
                serving.append(variant)
            if variant.serves_everything and allow_packed:
                break
        unpacked = [v for v in serving if not v.packed]
        for variant in unpacked if allow_packed is False or (allow_packed == "last" and unpacked) \
                else serving:
            return variant
        how = " without packed weights" if serving else ""
        raise BundleError(f"{self.name}: no variant serves {rows} rows at these addresses{how}")


@dataclass(frozen=True)
class Buffer:
    """An argument, result, constant, intermediate or packed buffer."""
    name: str
    type: str
    shape: Optional[Shape]  # None: a scalar argument
    written_by: int = -1
    data: bytes = b""


@dataclass(frozen=True)
class FunctionInfo:
    name: str
    arguments: Tuple[Buffer, ...]
    results: Tuple[Buffer, ...]
    constants: Tuple[Buffer, ...]
    intermediates: Tuple[Buffer, ...]
    steps: Tuple[Step, ...]

    def rows(self, step: int, shapes: Sequence[Sequence[int]]) -> int:
        """M of a step, from the shapes of the arguments."""
        return self._count(self.steps[step].operands[0], shapes) // self.steps[step].k

    def _count(self, operand: Operand, shapes: Sequence[Sequence[int]]) -> int:
        """Number of elements of what an operand of a step reads."""
        if operand.source == "argument":
            return math.prod(shapes[operand.index])
        if operand.source == "intermediate":
            return math.prod(self.buffer_shape(self.intermediates[operand.index], shapes))
        if operand.source == "result":
            return self._elements(self.results[operand.index], shapes)
        return math.prod(self.constants[operand.index].shape)  # type: ignore[arg-type]

    def _elements(self, buffer: Buffer, shapes: Sequence[Sequence[int]]) -> int:
        step = self.steps[buffer.written_by]
        outs = [o for o in step.operands if o.role == "out"]
        out = next(o for o in outs
                   if buffer is (self.results if o.source == "result" else
                                 self.intermediates)[o.index])
        return self.rows(buffer.written_by, shapes) * out.shape[-1]  # type: ignore[index,operator]

    def buffer_shape(self, buffer: Buffer, shapes: Sequence[Sequence[int]]) -> Tuple[int, ...]:
        """Shape of a result or intermediate, from the shapes of the arguments."""
        assert buffer.shape is not None
        unknown = [d for d, extent in enumerate(buffer.shape) if extent is None]
        if not unknown:
            return buffer.shape  # type: ignore[return-value]
        elements = self._elements(buffer, shapes)
        shape = list(buffer.shape)
        if len(unknown) > 1:
            # The leading extents are those of the argument behind x.
            x = self.steps[buffer.written_by].operands[0]
            while x.source in ("intermediate", "result"):
                behind = (self.intermediates if x.source == "intermediate"
                          else self.results)[x.index]
                x = self.steps[behind.written_by].operands[0]
            like = shapes[x.index] if x.source == "argument" else ()
            if len(like) != len(shape):
                raise BundleError(f"{self.name}: the shape of {buffer.name} does not follow from "
                                  "the arguments; pass it as out=")
            for d in unknown:
                shape[d] = like[d]
        else:
            known = math.prod(e for e in shape if e is not None)
            shape[unknown[0]] = elements // known
        if math.prod(shape) != elements:  # type: ignore[arg-type]
            raise BundleError(f"{self.name}: the shape of {buffer.name} does not follow from the "
                              "arguments; pass it as out=")
        return tuple(shape)  # type: ignore[arg-type]

    def bind(self, shapes: Sequence[Optional[Sequence[int]]]) -> None:
        """Checks the shapes of the arguments (None for scalars); ValueError."""
        if len(shapes) != len(self.arguments):
            raise ValueError(f"{self.name} takes {len(self.arguments)} arguments, "
                             f"not {len(shapes)}")
        for info, shape in zip(self.arguments, shapes):
            check_shape(f"{self.name}: {info.name}", info.shape, shape)
        for i, step in enumerate(self.steps):
            x = step.operands[0]
            if x.source != "argument":
                continue
            elements = math.prod(shapes[x.index])  # type: ignore[arg-type]
            fixed = x.shape[0]  # type: ignore[index]
            if elements % step.k or (fixed is not None and fixed * step.k != elements):
                raise ValueError(f"{self.name}: {self.arguments[x.index].name} of shape "
                                 f"{tuple(shapes[x.index])} does not "  # type: ignore[arg-type]
                                 f"hold rows of {step.k} elements")
        # Tiles are read at the positions of the result, whatever they hold.
        for i, step in enumerate(self.steps):
            for tile in step.operands:
                if tile.role != "tile":
                    continue
                count, rows = self._count(tile, shapes), self.rows(i, shapes)  # type: ignore[arg-type]
                if count != rows * tile.shape[-1]:  # type: ignore[index,operator]
                    raise ValueError(f"{step.name}: a tile of {count} elements does not have "
                                     f"{rows} rows of {tile.shape[-1]}")  # type: ignore[index]
            for scale in step.operands:
                if scale.role != "x_scale" or scale.shape == (1,):
                    continue
                count, rows = self._count(scale, shapes), self.rows(i, shapes)  # type: ignore[arg-type]
                if count != rows:
                    raise ValueError(f"{step.name}: {count} scales of x do not go with {rows} rows")


def check_shape(what: str, expected: Optional[Shape], actual: Optional[Sequence[int]]) -> None:
    """ValueError or TypeError unless `actual` is an instance of `expected`."""
    if expected is None:
        if actual is not None:
            raise TypeError(f"{what} is a number, not an array")
        return
    if actual is None:
        raise TypeError(f"{what} is an array, not a number")
    if len(actual) != len(expected) or any(e is not None and e != a
                                           for e, a in zip(expected, actual)):
        wanted = ", ".join("?" if e is None else str(e) for e in expected)
        raise ValueError(f"{what} must have shape ({wanted}), not {tuple(actual)}")


@dataclass(frozen=True)
class Bundle:
    chip: str
    ptx: str
    functions: Dict[str, FunctionInfo]

    @staticmethod
    def read(path: str) -> "Bundle":
        """Reads a bundle file. OSError if it cannot be read, BundleError if it is none."""
        with open(path, encoding="utf-8") as file:
            try:
                text = file.read()
            except UnicodeDecodeError as error:
                raise BundleError(f"{path}: not a FlashFusion bundle: {error}") from None
        try:
            return Bundle.parse(text)
        except BundleError as error:
            raise BundleError(f"{path}: {error}") from None

    @staticmethod
    def parse(text: str) -> "Bundle":
        try:
            root = json.loads(text)
        except json.JSONDecodeError as error:
            raise BundleError(f"not a FlashFusion bundle: {error}") from None
        if not isinstance(root, dict) or root.get("format") != "flashfusion-bundle":
            raise BundleError("not a FlashFusion bundle")
        if root.get("version") != 1:
            raise BundleError(f"bundle version {root.get('version')} is not known to this "
                              "runtime, which reads version 1")
        try:
            functions = [_function(f) for f in root["functions"]]
            bundle = Bundle(_typed(root["target"]["chip"], str), _typed(root["ptx"], str),
                            {f.name: f for f in functions})
        except (KeyError, TypeError, IndexError, AttributeError, binascii.Error) as error:
            raise BundleError(f"malformed bundle: {type(error).__name__}: {error}") from None
        if not functions:
            raise BundleError("malformed bundle: no functions")
        for function in functions:
            _check(function, bundle.ptx)
        return bundle


def _typed(value: Any, kind: type) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"expected {kind.__name__}, found {value!r}")
    return value


def _shape(node: Dict[str, Any]) -> Optional[Shape]:
    if "shape" not in node:
        return None
    return tuple(None if e is None else _typed(e, int) for e in node["shape"])


def _buffer(node: Dict[str, Any], name: str) -> Buffer:
    if node["type"] not in ITEM_SIZE:
        raise TypeError(f"unknown type {node['type']!r}")
    data = base64.b64decode(node["data"], validate=True) if "data" in node else b""
    return Buffer(node.get("name", name), node["type"], _shape(node),
                  _typed(node.get("written_by", -1), int), data)


def _operand(node: Dict[str, Any]) -> Operand:
    return Operand(_typed(node["role"], str), _typed(node["source"], str), node.get("index", 0),
                   float(node.get("value", 0.0)), _typed(node["type"], str), _shape(node))


def _launch(node: Dict[str, Any]) -> Launch:
    def number(name: str, at: Dict[str, Any] = node) -> int:
        value = _typed(at[name], int)
        if value < 0:
            raise TypeError(f"{name} is negative")
        return value

    grid = node["grid"]
    args: List[KernelArg] = []
    for arg in node["args"]:
        box = arg.get("box")
        args.append(KernelArg(_typed(arg["kind"], str), _typed(arg.get("index", 0), int),
                              (_typed(box[0], int), _typed(box[1], int)) if box else None))
    launch = Launch(_typed(node["kernel"], str), number("fixed", grid), number("tile_m", grid),
                    number("tiles_n", grid), number("cap", grid), number("block"),
                    number("cluster"), number("shared_bytes"), number("min_rows"),
                    number("max_rows"), number("align"), _typed(node["packed"], bool),
                    _typed(node["dependent_launch"], bool), tuple(args))
    if not launch.block or not launch.cluster or not launch.align or not (
            launch.fixed or (launch.tile_m and launch.tiles_n)):
        raise TypeError(f"kernel {launch.kernel} has an empty grid, block or alignment")
    return launch


def _step(node: Dict[str, Any]) -> Step:
    return Step(_typed(node["name"], str), tuple(_operand(o) for o in node["operands"]),
                tuple(_launch(v) for v in node["variants"]),
                tuple(_launch(p) for p in node["pack"]),
                tuple(_buffer(b, f"packed{i}") for i, b in enumerate(node["packed"])))


def _function(node: Dict[str, Any]) -> FunctionInfo:
    def buffers(key: str) -> Tuple[Buffer, ...]:
        return tuple(_buffer(b, f"{key}[{i}]") for i, b in enumerate(node[key]))

    return FunctionInfo(_typed(node["name"], str), buffers("arguments"), buffers("results"),
                        buffers("constants"), buffers("intermediates"),
                        tuple(_step(s) for s in node["steps"]))


def _check(function: FunctionInfo, ptx: str) -> None:
    """What parsing alone does not guarantee: indices, kernels, sizes."""
    def require(condition: bool, message: str) -> None:
        if not condition:
            raise BundleError(f"malformed bundle: {function.name}: {message}")

    lists = {"argument": function.arguments, "result": function.results,
             "constant": function.constants, "intermediate": function.intermediates}
    for constant in function.constants:
        require(constant.shape is not None and None not in constant.shape, "a constant's shape")
        require(len(constant.data) == math.prod(constant.shape)  # type: ignore[arg-type]
                * ITEM_SIZE[constant.type], f"{constant.name} has the wrong size")
    for buffer in function.results + function.intermediates:
        require(0 <= buffer.written_by < len(function.steps), f"{buffer.name} is never written")
    for number, step in enumerate(function.steps):
        require(bool(step.operands) and step.operands[0].role == "x", f"{step.name} has no x")
        x = step.operands[0].shape
        require(x is not None and len(x) == 2 and bool(x[1]), f"x of {step.name}")
        for operand in step.operands:
            if operand.source == "number":
                require(operand.shape is None, f"a number of {step.name}")
                continue
            require(operand.source in lists, f"source {operand.source!r} of {step.name}")
            require(isinstance(operand.index, int)
                    and 0 <= operand.index < len(lists[operand.source]),
                    f"an operand of {step.name} does not exist")
            buffer = lists[operand.source][operand.index]
            require(buffer.type == operand.type
                    and (buffer.shape is None) == (operand.shape is None),
                    f"an operand of {step.name} has another type than its buffer")
            if operand.role == "out":
                require(buffer.written_by == number and operand.shape is not None
                        and len(operand.shape) == 2 and bool(operand.shape[1]),
                        f"an output of {step.name}")
            elif operand.role == "tile" and (
                    operand.shape is None or len(operand.shape) != 2 or not operand.shape[1]):
                require(False, f"a tile of {step.name}")
            elif operand.role == "x_scale" and (operand.shape is None or len(operand.shape) != 1):
                require(False, f"the scale of x of {step.name}")
            elif operand.source in ("result", "intermediate"):
                require(buffer.written_by < number, f"{step.name} reads what is not yet written")
        require(bool(step.variants), f"{step.name} has no kernel")
        for launch in step.variants + step.pack:
            require(f".entry {launch.kernel}(" in ptx, f"kernel {launch.kernel} is not in the PTX")
            for arg in launch.args:
                count = (1 if arg.kind == "rows" else len(step.packed)
                         if arg.kind in ("packed", "packed_map") else len(step.operands))
                require(arg.kind in ("buffer", "tensor_map", "packed", "packed_map", "scalar",
                                     "rows") and 0 <= arg.index < count,
                        f"a parameter of kernel {launch.kernel}")
                require(("map" in arg.kind) == (arg.box is not None),
                        f"a tensor map of kernel {launch.kernel}")
                if arg.kind in ("buffer", "tensor_map", "scalar"):
                    require((step.operands[arg.index].shape is None) == (arg.kind == "scalar"),
                            f"a parameter of kernel {launch.kernel}")
