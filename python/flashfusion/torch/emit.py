# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a region as linalg on tensors, as it was computed: the compiler decides what it is."""

import operator
from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch
from torch.fx import Node

from .region import CASTS, SUMS, VARIANCES, VIEWS, Linear, NotFused, Region, args_of, name_of, value_of

TYPES = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16",
         torch.float64: "f64", torch.float8_e4m3fn: "f8E4M3FN"}
WIDTH = {"f8E4M3FN": 8, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
MAPS = {"full": "affine_map<(d0, d1) -> (d0, d1)>", "row": "affine_map<(d0, d1) -> (d0)>",
        "column": "affine_map<(d0, d1) -> (d1)>"}
#: What the decode kernels serve.
FEW_ROWS = 128
IDENTITY = "affine_map<(d0) -> (d0)>"
UNARY = {"aten.neg.default": "arith.negf", "aten.rsqrt.default": "math.rsqrt",
         "aten.sqrt.default": "math.sqrt", "aten.exp.default": "math.exp",
         "aten.tanh.default": "math.tanh", "aten.erf.default": "math.erf"}
BINARY = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf",
          "maximum": "arith.maximumf", "clamp_min": "arith.maximumf"}


def operands_of(region: Region) -> List[Node]:
    """The arguments of the program behind x, in order."""
    found = [*region.columns, *region.scalars]
    for linear in region.linears:
        found.append(linear.weight)
        if linear.bias is not None:
            found.append(linear.bias)
    if region.tail is not None:
        found += region.tail.tiles
    return list(dict.fromkeys(found))


def emit(region: Region) -> str:
    """MLIR text of a function of x, of M rows, and operands_of(region), that returns the
    Linears' results. NotFused for what there is no arithmetic for."""
    return _Emitter(region).run()


class _Emitter:
    def __init__(self, region: Region) -> None:
        self.region = region
        self.lines: List[str] = []
        self.names: Dict[Any, str] = {}
        self.count = 0
        self.k = value_of(region.norm).shape[-1]
        # Of many rows that a graph is made for, the compiler is told how many: it fits its tiles to
        # them. Few rows, and numbers that vary, share a program.
        rows = value_of(region.linears[0].node).shape[0]
        self.rows = str(rows) if isinstance(rows, int) and rows > FEW_ROWS else "?"

    def run(self) -> str:
        region, tail = self.region, self.region.tail
        signature = [f"%x: tensor<{self.rows}x{self.k}x{self.type(region.x)}>"]
        self.names[region.x] = "%x"
        for i, node in enumerate(operands_of(region)):
            self.names[node] = f"%arg{i}"
            if node in region.scalars:
                signature.append(f"%arg{i}: f32")
                continue
            shape = "x".join(str(e) for e in value_of(node).shape)
            if tail is not None and node in tail.tiles:
                shape = f"{self.rows}x{value_of(node).shape[-1]}"
            signature.append(f"%arg{i}: tensor<{shape}x{self.type(node)}>")
        if self.rows == "?":
            self.line("%c0 = arith.constant 0 : index")
            self.line(f"%m = tensor.dim %x, %c0 : tensor<?x{self.k}x{self.type(region.x)}>")
        for node in region.nodes:
            self.node(node)
        results = [self.linear(linear) for linear in region.linears]
        types = [f"tensor<{self.rows}x{l.width}x{self.type(l.node)}>" for l in region.linears]
        if tail is not None:
            width = region.linears[0].width
            self.names.update(zip((l.node for l in region.linears), results))
            for node in tail.nodes:
                self.node(node, width)
            results = [self.names[tail.result]]
            types = [f"tensor<{self.rows}x{width}x{self.type(tail.result)}>"]
        self.line(f"return {', '.join(results)} : {', '.join(types)}")
        body = "\n".join("  " + line for line in self.lines)
        return (f"func.func @main({', '.join(signature)}) -> ({', '.join(types)}) {{\n"
                f"{body}\n}}\n")

    def line(self, text: str) -> None:
        self.lines.append(text)

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def type(self, node: Node) -> str:
        value = value_of(node)
        value = value[0] if isinstance(value, (tuple, list)) else value
        if value.dtype not in TYPES:
            raise NotFused("unsupported-type", f"{node.name} is of type {value.dtype}")
        return TYPES[value.dtype]

    def tensor(self, kind: str, element: str, width: Optional[int] = None) -> str:
        extents = {"full": f"{self.rows}x{width or self.k}", "row": self.rows, "column": str(width or self.k)}
        return f"tensor<{extents[kind]}x{element}>"

    def empty(self, kind: str, element: str, width: Optional[int] = None) -> str:
        name = self.new()
        extents = "" if kind == "column" or self.rows != "?" else "%m"
        self.line(f"{name} = tensor.empty({extents}) : {self.tensor(kind, element, width)}")
        return name

    def zero(self, kind: str, element: str, width: Optional[int] = None) -> str:
        constant, name = self.new(), self.new()
        self.line(f"{constant} = arith.constant 0.0 : {element}")
        empty = self.empty(kind, element, width)
        of = self.tensor(kind, element, width)
        self.line(f"{name} = linalg.fill ins({constant} : {element}) outs({empty} : {of}) -> {of}")
        return name

    def constant(self, value: Any, element: str) -> str:
        name = self.new()
        self.line(f"{name} = arith.constant {float(value):.17e} : {element}")
        return name

    def cast(self, body: List[str], value: str, source: str, target: str) -> str:
        if source == target:
            return value
        name = self.new()
        if WIDTH[source] == WIDTH[target]:  # f16 <-> bf16 through f32
            return self.cast(body, self.cast(body, value, source, "f32"), "f32", target)
        op = "arith.extf" if WIDTH[source] < WIDTH[target] else "arith.truncf"
        body.append(f"{name} = {op} {value} : {source} to {target}")
        return name

    def generic(self, kind: str, element: str, inputs: Sequence[Tuple[str, str, str]], body: Any,
                width: Optional[int] = None) -> str:
        """A pointwise operation of `kind`; inputs are (name, kind, element), and `body`
        makes the value from lines and the inputs' elements."""
        one = kind != "full"
        maps = [IDENTITY if one else MAPS[k] for _, k, _ in inputs]
        maps.append(IDENTITY if one else MAPS["full"])
        loops = ", ".join(['"parallel"'] * (1 if one else 2))
        out, name = self.empty(kind, element, width), self.new()
        lines: List[str] = []
        arguments = [self.new() for _ in inputs]
        value = body(lines, arguments)
        ins = ""
        if inputs:
            ins = (f" ins({', '.join(n for n, _, _ in inputs)} : "
                   f"{', '.join(self.tensor(k, e, width) for _, k, e in inputs)})")
        blocks = ", ".join([f"{a}: {e}" for a, (_, _, e) in zip(arguments, inputs)]
                           + [f"{self.new()}: {element}"])
        of = self.tensor(kind, element, width)
        self.line(f"{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
                  f"iterator_types = [{loops}]}}{ins} outs({out} : {of}) {{")
        self.line(f"^bb0({blocks}):")
        self.lines += ["  " + line for line in lines]
        self.line(f"  linalg.yield {value} : {element}")
        self.line(f"}} -> {of}")
        return name

    def node(self, node: Node, width: Optional[int] = None) -> None:
        """`width`: of a node behind the Linears, where everything is full."""
        name = name_of(node)
        if node.target is operator.getitem:
            self.names[node] = self.names[(node.args[0], node.args[1])]
        elif name in VIEWS:
            self.names[node] = self.names[node.args[0]]
        elif name in SUMS | VARIANCES:
            self.statistics(node)
        else:
            self.names[node] = self.pointwise(node, width)

    def pointwise(self, node: Node, width: Optional[int]) -> str:
        name, element = name_of(node), self.type(node)
        inputs, numbers, scalars = [], {}, {}
        for i, argument in enumerate(node.args[:2]):
            if isinstance(argument, Node) and argument in self.region.scalars:
                if element != "f32":
                    raise NotFused("unsupported-type", f"{argument.name} meets {element}")
                scalars[i] = self.names[argument]
            elif isinstance(argument, Node):
                kind = "full" if width else self.region.kinds[argument]
                inputs.append((self.names[argument], kind, self.type(argument)))
            elif name not in CASTS and isinstance(argument, (int, float)):
                numbers[i] = argument
        if node.kwargs.get("alpha", 1) != 1 or node.kwargs.get("rounding_mode") is not None:
            raise NotFused("unsupported-op", f"{name} with {dict(node.kwargs)}")
        constants: Dict[int, str] = {}
        power = numbers.get(1) if name == "aten.pow.Tensor_Scalar" else None
        if power is None:
            constants = {i: self.constant(v, element) for i, v in numbers.items()}
        constants.update(scalars)
        if name == "aten.reciprocal.default":
            constants[0] = self.constant(1, element)
        one = self.constant(1, element) if name == "aten.sigmoid.default" else ""

        def body(lines: List[str], arguments: List[str]) -> str:
            values = [self.cast(lines, a, e, element) for a, (_, _, e) in zip(arguments, inputs)]
            for i, constant in sorted(constants.items()):
                values.insert(i, constant)
            if name in CASTS:
                return values[0]
            result = self.new()
            if power is not None:
                return self.power(lines, values[0], power, element)
            if one:
                negated, grown, more = self.new(), self.new(), self.new()
                lines += [f"{negated} = arith.negf {values[0]} : {element}",
                          f"{grown} = math.exp {negated} : {element}",
                          f"{more} = arith.addf {grown}, {one} : {element}",
                          f"{result} = arith.divf {one}, {more} : {element}"]
            elif name in UNARY:
                lines.append(f"{result} = {UNARY[name]} {values[0]} : {element}")
            else:
                op = ("div" if name == "aten.reciprocal.default" else name.split(".")[1])
                lines.append(f"{result} = {BINARY[op]} {values[0]}, {values[1]} : {element}")
            return result

        kind = "full" if width else self.region.kinds[node]
        return self.generic(kind, element, inputs, body, width)

    def power(self, lines: List[str], value: str, power: float, element: str) -> str:
        result = self.new()
        forms = {2: f"arith.mulf {value}, {value}", 0.5: f"math.sqrt {value}",
                 -0.5: f"math.rsqrt {value}"}
        if power not in forms:
            raise NotFused("unsupported-op", f"a power of {power}")
        lines.append(f"{result} = {forms[power]} : {element}")
        return result

    def sum_rows(self, source: str, element: str, wide: str) -> str:
        zero, name = self.zero("row", wide), self.new()
        value, out, total = self.new(), self.new(), self.new()
        lines: List[str] = []
        extended = self.cast(lines, value, element, wide)
        of = self.tensor("row", wide)
        self.line(f"{name} = linalg.generic {{indexing_maps = [{MAPS['full']}, {MAPS['row']}], "
                  f'iterator_types = ["parallel", "reduction"]}} '
                  f"ins({source} : {self.tensor('full', element)}) outs({zero} : {of}) {{")
        self.line(f"^bb0({value}: {element}, {out}: {wide}):")
        self.lines += ["  " + line for line in lines]
        self.line(f"  {total} = arith.addf {extended}, {out} : {wide}")
        self.line(f"  linalg.yield {total} : {wide}")
        self.line(f"}} -> {of}")
        return name

    def divided(self, source: str, wide: str, by: float, element: str) -> str:
        constant = self.constant(by, wide)

        def body(lines: List[str], arguments: List[str]) -> str:
            result = self.new()
            lines.append(f"{result} = arith.divf {arguments[0]}, {constant} : {wide}")
            return self.cast(lines, result, wide, element)

        return self.generic("row", element, [(source, "row", wide)], body)

    def statistics(self, node: Node) -> None:
        name, source = name_of(node), args_of(node)[0]
        element = self.type(source)
        wide = "f64" if element == "f64" else "f32"
        total = self.sum_rows(self.names[source], element, wide)
        if name in SUMS:
            by = self.k if name == "aten.mean.dim" else 1
            self.names[node] = self.divided(total, wide, by, self.type(node))
            return
        correction = node.kwargs.get("correction", 1)
        correction = 1 if correction is None else correction
        mean = self.divided(total, wide, self.k, wide)

        def square(lines: List[str], arguments: List[str]) -> str:
            extended = self.cast(lines, arguments[0], element, wide)
            centred, result = self.new(), self.new()
            lines.append(f"{centred} = arith.subf {extended}, {arguments[1]} : {wide}")
            lines.append(f"{result} = arith.mulf {centred}, {centred} : {wide}")
            return result

        squares = self.generic("full", wide, [(self.names[source], "full", element),
                                              (mean, "row", wide)], square)
        kept = self.type(node)
        variance = self.divided(self.sum_rows(squares, wide, wide), wide, self.k - correction,
                                kept)
        if name == "aten.var.correction":
            self.names[node] = variance
            return
        self.names[(node, 0)] = variance
        self.names[(node, 1)] = self.divided(total, wide, self.k, kept)

    def linear(self, linear: Linear) -> str:
        left, weight = self.type(self.region.norm), self.type(linear.weight)
        element = self.type(linear.node)
        wide = "f64" if element == "f64" else "f32"
        width = linear.width
        zero, product = self.zero("full", wide, width), self.new()
        a, b, c, p, s = (self.new() for _ in range(5))
        lines: List[str] = []
        left_value = self.cast(lines, a, left, wide)
        right_value = self.cast(lines, b, weight, wide)
        shape = f"{width}x{self.k}" if linear.layout == "nk" else f"{self.k}x{width}"
        weights = "(d1, d2)" if linear.layout == "nk" else "(d2, d1)"
        of = self.tensor("full", wide, width)
        self.line(f"{product} = linalg.generic {{indexing_maps = "
                  "[affine_map<(d0, d1, d2) -> (d0, d2)>, "
                  f"affine_map<(d0, d1, d2) -> {weights}>, "
                  "affine_map<(d0, d1, d2) -> (d0, d1)>], "
                  'iterator_types = ["parallel", "parallel", "reduction"]} '
                  f"ins({self.names[self.region.norm]}, {self.names[linear.weight]} : "
                  f"{self.tensor('full', left)}, tensor<{shape}x{weight}>) "
                  f"outs({zero} : {of}) {{")
        self.line(f"^bb0({a}: {left}, {b}: {weight}, {c}: {wide}):")
        self.lines += ["  " + line for line in lines]
        self.line(f"  {p} = arith.mulf {left_value}, {right_value} : {wide}")
        self.line(f"  {s} = arith.addf {c}, {p} : {wide}")
        self.line(f"  linalg.yield {s} : {wide}")
        self.line(f"}} -> {of}")
        inputs = [(product, "full", wide)]
        if linear.bias is not None:
            inputs.append((self.names[linear.bias], "column", self.type(linear.bias)))
        if linear.bias is None and wide == element:
            return product

        def body(lines: List[str], arguments: List[str]) -> str:
            value = arguments[0]
            if linear.bias is not None:
                extended = self.cast(lines, arguments[1], inputs[1][2], wide)
                value = self.new()
                lines.append(f"{value} = arith.addf {arguments[0]}, {extended} : {wide}")
            return self.cast(lines, value, wide, element)

        return self.generic("full", element, inputs, body, width)
