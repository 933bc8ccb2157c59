# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds norms in front of Linears in a graph after Inductor's decompositions.

Everything in a region is of one of three kinds, whatever its shape says: it varies over
rows and elements ("full", like x), over rows ("row", like a mean) or over elements
("column", like a gain). That comes from x and from 1-D leaves, not from extents, which are
ambiguous for a single row.
"""

import operator
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch.fx import Graph, Node

VIEWS = {"aten.view.default", "aten.reshape.default", "aten._unsafe_view.default",
         "aten.unsqueeze.default", "aten.squeeze.dim", "aten.squeeze.dims",
         "aten.expand.default", "aten.clone.default", "aten.alias.default"}
CONVERT = "prims.convert_element_type.default"
CASTS = {CONVERT, "aten._to_copy.default"}
UNARY = {"aten.neg.default", "aten.rsqrt.default", "aten.sqrt.default", "aten.reciprocal.default"}
BINARY = {f"aten.{name}.{form}" for name in ("add", "sub", "mul", "div")
          for form in ("Tensor", "Scalar")} | {"aten.maximum.default"}
SCALAR = {"aten.pow.Tensor_Scalar", "aten.clamp_min.default"}
SUMS = {"aten.mean.dim", "aten.sum.dim_IntList"}
VARIANCES = {"aten.var_mean.correction", "aten.var.correction"}
ALLOWED = VIEWS | CASTS | UNARY | BINARY | SCALAR | SUMS | VARIANCES
#: Between the norm and the Linear these commute with the norm, as long as they leave rows whole.
ROW_VIEWS = VIEWS | {"aten.slice.Tensor", "aten.select.int", "aten.permute.default"}
LINEARS = {"aten.mm.default", "aten.addmm.default"}
#: Types that a weight may be stored in: others, as int4 and f8, are decoded on the way. (What is
#: computed from int64 are positions.)
WEIGHTS = {torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64}
#: More operations than any norm.
MAX_SIZE = 40


class Linear(NamedTuple):
    node: Node
    weight: Node
    layout: str  # "nk" or "kn"
    bias: Optional[Node]
    width: int


class Tail(NamedTuple):
    nodes: List[Node]  # in order, behind the Linears
    tiles: List[Node]  # other tensors of the result's shape
    result: Node
    shape: Optional[Tuple[Any, ...]]  # of the result, where a graph can say it


class Region(NamedTuple):
    x: Node
    nodes: List[Node]  # in order, without x and the leaves
    kinds: Dict[Node, str]
    columns: List[Node]  # 1-D leaves: gain, shift, or what they are computed from
    norm: Node  # what the Linears read, before `views`
    views: List[Node]
    linears: List[Linear]
    tail: Optional[Tail] = None
    scalars: Sequence[Node] = ()  # on the host: an eps that Dynamo made an input


class NotFused(Exception):
    """Why not: a short id as in docs/detection.md, and a sentence."""

    def __init__(self, reason: str, message: str = "", kind: str = "") -> None:
        super().__init__(message or reason)
        self.reason, self.kind = reason, kind


def name_of(node: Node) -> str:
    return str(node.target) if node.op == "call_function" else ""


def args_of(node: Node) -> Tuple[Any, ...]:
    """node.args, whose type is anything that a graph can hold."""
    return node.args


def value_of(node: Node) -> Any:
    return node.meta.get("val")


def shape_of(node: Any) -> Tuple[Any, ...]:
    value = value_of(node) if isinstance(node, Node) else None
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()


def _is_scalar(node: Node) -> bool:
    value = value_of(node)
    return isinstance(value, torch.Tensor) and value.ndim == 0 and value.is_floating_point() and \
        value.device.type == "cpu"


def _sources(weight: Node) -> List[Node]:
    """A weight, and the matrices that it is computed from."""
    found = [weight]
    for node in found:
        if node.op == "call_function" and len(found) <= MAX_SIZE:
            found += [n for n in node.all_input_nodes if len(shape_of(n)) > 1 and n not in found]
    return found


def left_of(node: Node) -> Node:
    """What a Linear multiplies its weight with."""
    return args_of(node)[1 if name_of(node) == "aten.addmm.default" else 0]


def _linear(node: Node) -> Linear:
    bias, weight = None, args_of(node)[1]
    if name_of(node) == "aten.addmm.default":
        bias, weight = args_of(node)[0], args_of(node)[2]
        if any(node.kwargs.get(name, 1) != 1 for name in ("alpha", "beta")):
            raise NotFused("scaled", "addmm with factors")
        if len(shape_of(bias)) != 1:
            raise NotFused("bias-form", "the bias is no vector")
    layout = "kn"
    if name_of(weight) == "aten.permute.default" and list(args_of(weight)[1]) == [1, 0] or \
            name_of(weight) == "aten.t.default":
        weight, layout = weight.args[0], "nk"
    if name_of(weight) in CASTS and value_of(args_of(weight)[0]).dtype == torch.float8_e4m3fn:
        weight = args_of(weight)[0]  # kernels widen them, which is exact
    width = shape_of(node)[1]
    if not isinstance(width, int):
        raise NotFused("dynamic-n", "the number of outputs is not static")
    narrow = next((n for n in _sources(weight)[1:] if value_of(n).dtype not in WEIGHTS), None)
    if narrow is not None:
        raise NotFused("weight-format", f"its weight is computed from {narrow.name} of type "
                       f"{str(value_of(narrow).dtype)[6:]}")
    return Linear(node, weight, layout, bias, width)


def vectors_outside(region: Region) -> Region:
    """The region with gain and shift as inputs, where it computes them, as Gemma's 1 + w."""
    vectors = {n for n in region.nodes if region.kinds[n] == "column" and len(shape_of(n)) == 1}
    nodes = [n for n in region.nodes if n not in vectors]
    read = dict.fromkeys(a for n in nodes for a in n.all_input_nodes
                         if a in vectors or a in region.columns)
    return region._replace(nodes=nodes, columns=list(read)) if vectors else region


def _strip(node: Node) -> Tuple[Node, List[Node]]:
    """What is normalised, and the views of it that the contraction reads."""
    extent, views = shape_of(node)[-1], []
    while name_of(node) in ROW_VIEWS and isinstance(node.args[0], Node):
        source = node.args[0]
        name, last = name_of(node), len(shape_of(source)) - 1
        if not shape_of(source) or shape_of(source)[-1] != extent:
            break
        if name in ("aten.slice.Tensor", "aten.select.int"):
            dim = node.args[1] if len(node.args) > 1 else 0
            if dim in (-1, last):
                break
        if name == "aten.permute.default" and args_of(node)[1][-1] not in (-1, last):
            break
        if name == "aten.expand.default" and shape_of(node) != shape_of(source):
            break
        views.append(node)
        node = source
    return node, views[::-1]


def find(graph: Graph, plain: bool = False) \
        -> Tuple[List[Region], List[Tuple[Node, NotFused]]]:
    """Regions, and for every other Linear why it is in none. With `plain` a Linear that reads no
    norm is a region of its own."""
    from .tail import grow
    groups: Dict[Any, List[Tuple[Node, Node, List[Node]]]] = {}
    for node in graph.nodes:
        if name_of(node) not in LINEARS:
            continue
        norm, views = _strip(left_of(node))
        key = (norm, tuple((name_of(v), str(v.args[1:])) for v in views))
        groups.setdefault(key, []).append((node, norm, views))
    order = {node: i for i, node in enumerate(graph.nodes)}
    regions, declined = [], []
    for members in groups.values():
        _, norm, views = members[0]
        try:
            found = _find_norm(norm, order)
        except NotFused as reason:
            if not plain or reason.reason != "no-norm":
                declined += [(node, reason) for node, _, _ in members]
                continue
            for node, _, _ in members:
                try:
                    regions.append(_plain(node))
                except NotFused as why:
                    declined.append((node, why))
            continue
        linears = []
        for node, _, _ in members:
            try:
                linear = _linear(node)
                late = [n for n in (linear.weight, linear.bias)
                        if n is not None and order[n] > order[members[0][0]]]
                if late:
                    raise NotFused("order", "a weight is computed behind the first Linear")
                linears.append(linear)
            except NotFused as reason:
                declined.append((node, reason))
        if linears:
            regions.append(found._replace(views=views, linears=linears))
    regions = [r._replace(tail=grow(r.linears, order)) for r in regions]
    regions.sort(key=lambda r: order[r.linears[0].node])
    return regions, declined


def _dims(node: Node) -> Optional[List[int]]:
    """Of a sum or a variance."""
    return args_of(node)[1] if len(node.args) > 1 else None


def other_norms(graph: Graph, regions: List[Region], declined: List[Node]) -> List[Node]:
    """Statistics of rows that belong to no Linear, by their first node: QK norms, norms in front
    of routers and of weights that are no matrices."""
    known = {n for found in regions for n in found.nodes}
    for node in declined:
        known.update(_slice(_strip(left_of(node))[0]))
    found: List[Node] = []
    for node in graph.nodes:
        if name_of(node) not in SUMS | VARIANCES or node in known:
            continue
        dims, rank = _dims(node), len(shape_of(node.all_input_nodes[0]))
        if dims is not None and rank and [d % rank for d in dims] == [rank - 1] and \
                any("rsqrt" in name_of(n) or "sqrt" in name_of(n) for n in _readers(node)):
            found.append(node)
    return found


def _readers(node: Node) -> List[Node]:
    """The next operations on a statistic."""
    found: List[Node] = []
    work = [node]
    while work and len(found) < MAX_SIZE:
        for user in work.pop().users:
            if user not in found and shape_of(user)[-1:] in ((1,), ()):
                found.append(user)
                work.append(user)
    return found


def _plain(node: Node) -> Region:
    linear = _linear(node)
    x = left_of(node)
    if not all(isinstance(e, int) for e in shape_of(x)):
        raise NotFused("no-norm", "reads no norm, and the number of rows is not known")
    return Region(x, [], {x: "full"}, [], x, [], [linear])


def _slice(norm: Node) -> List[Node]:
    """The nodes that `norm` is computed from, up to what is no part of a norm."""
    seen, work = {norm: None}, [norm]
    while work and len(seen) <= 3 * MAX_SIZE:
        node = work.pop()
        if name_of(node) not in ALLOWED and node.target is not operator.getitem:
            continue
        for source in node.all_input_nodes:
            if source not in seen:
                seen[source] = None
                work.append(source)
    return list(seen)


def _find_norm(norm: Node, order: Dict[Node, int]) -> Region:
    shape = shape_of(norm)
    nodes = _slice(norm)
    if not any(name_of(n) in SUMS | VARIANCES for n in nodes):
        raise NotFused("no-norm", "reads no norm")
    if not isinstance(shape[-1], int):
        raise NotFused("dynamic-k", "the contracted extent is not static")
    reason = NotFused("not-a-norm", "what it reads is no function of one tensor and vectors")
    # The nearest tensor that everything depends on through a row's statistics.
    for x in sorted(nodes, key=lambda n: -order[n]):
        if x is norm or len(shape_of(x)) < 2 or shape_of(x) != shape:
            continue
        try:
            region = _build(norm, x, order)
        except NotFused as why:
            reason = why if why.reason != "no-statistics" else reason
            continue
        while name_of(region.x) in CASTS and value_of(args_of(region.x)[0]).element_size() < \
                value_of(region.x).element_size():
            region = _build(norm, args_of(region.x)[0], order)
        return region
    raise reason


def _build(norm: Node, x: Node, order: Dict[Node, int]) -> Region:
    kinds: Dict[Node, str] = {x: "full"}
    columns: List[Node] = []
    nodes: List[Node] = []
    scalars: List[Node] = []

    def kind(node: Any) -> str:
        if not isinstance(node, Node):
            return "number"
        if node in kinds:
            return kinds[node]
        name, getitem = name_of(node), node.target is operator.getitem
        if _is_scalar(node):
            scalars.append(node)
            kinds[node] = "number"
            return "number"
        if name not in ALLOWED and not getitem:
            return leaf(node)
        if len(kinds) > MAX_SIZE:
            raise NotFused("too-large", "the operand's slice is larger than any norm")
        inputs = [kind(a) for a in node.args if isinstance(a, (Node, int, float))
                  and not isinstance(a, bool)]
        if name in SUMS | VARIANCES:
            found = reduction(node, inputs[0])
        else:
            found = join(inputs)
        if name in VIEWS and found == "full" and shape_of(node)[-1:] != shape_of(x)[-1:]:
            raise NotFused("unsupported-reshape", "a row is cut into pieces")
        kinds[node] = found
        nodes.append(node)
        return found

    def leaf(node: Node) -> str:
        shape = shape_of(node)
        if len(shape) != 1 or shape[0] != shape_of(x)[-1]:
            raise NotFused("not-a-norm", f"it depends on {node.name} of shape {list(shape)}, "
                           "which is no vector over the row")
        kinds[node] = "column"
        columns.append(node)
        return "column"

    def reduction(node: Node, of: str) -> str:
        dims, rank = _dims(node), len(shape_of(node.all_input_nodes[0]))
        if of != "full" or dims is None or [d % rank for d in dims] != [rank - 1]:
            raise NotFused("other-axis", "statistics over another dimension")
        return "row"

    def join(inputs: List[str]) -> str:
        if "full" in inputs or ("row" in inputs and "column" in inputs):
            return "full"
        return "row" if "row" in inputs else "column"

    if kind(norm) != "full":
        raise NotFused("not-a-norm", "the Linear reads no rows")
    if not any(name_of(n) in SUMS | VARIANCES for n in nodes):
        raise NotFused("no-statistics")
    return Region(x, nodes, kinds, columns, norm, [], [], scalars=scalars)
