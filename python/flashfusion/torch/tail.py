# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What follows the Linears of a region and can be computed with them: an activation, a gated
pair, a residual sum."""

from typing import Dict, List, Optional, Set, Tuple

import torch
from torch.fx import Node

from .region import BINARY, CASTS, SCALAR, UNARY, VIEWS, Linear, Tail, args_of, name_of, shape_of, value_of

POINTWISE = (UNARY | BINARY | SCALAR | CASTS
             | {f"aten.{name}.default" for name in ("exp", "sigmoid", "tanh", "erf")})
#: More operations than any activation.
MAX_SIZE = 24


def grow(linears: List[Linear], order: Dict[Node, int]) -> Optional[Tail]:
    """The longest tail that computes one tensor from all Linears' results, of which nothing in
    between is used elsewhere. At most one other tensor, of the result's shape, joins in."""
    width = linears[0].width
    if any(linear.width != width for linear in linears):
        return None
    first = min(order[linear.node] for linear in linears)
    inside: Set[Node] = {linear.node for linear in linears}
    tiles: List[Node] = []
    work = sorted({u for n in inside for u in n.users}, key=lambda n: order[n])
    while work and len(inside) < MAX_SIZE:
        node = work.pop(0)
        if node in inside or not _joins(node, inside, tiles, width, first, order):
            continue
        inside.add(node)
        work = sorted(set(work) | set(node.users), key=lambda n: order[n])
    for result in sorted(inside, key=lambda n: -order[n]):
        if name_of(result) not in POINTWISE or _widens(result):
            continue
        cone = _cone(result, inside)
        closed = all(u in cone for n in cone if n is not result for u in n.users)
        if closed and all(linear.node in cone for linear in linears):
            shape = _shape_argument(result, cone)
            if shape is None and shape_of(result) != shape_of(linears[0].node):
                continue
            nodes = sorted(cone - {l.node for l in linears}, key=lambda n: order[n])
            used = [t for t in tiles if any(t in n.all_input_nodes for n in nodes)]
            return Tail(nodes, used, result, shape)
    return None


def _widens(node: Node) -> bool:
    """A cast that is the next norm's, which reads what is before it: half of the bytes."""
    return name_of(node) in CASTS and \
        value_of(node).element_size() > value_of(args_of(node)[0]).element_size()


def _joins(node: Node, inside: Set[Node], tiles: List[Node], width: int, first: int,
           order: Dict[Node, int]) -> bool:
    """Whether the node's inputs are all inside; a tile that it needs is added."""
    name, value = name_of(node), value_of(node)
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or \
            shape_of(node)[-1:] != (width,):
        return False
    if name in VIEWS:
        return node.args[0] in inside
    if name not in POINTWISE:
        return False
    others = [a for a in node.all_input_nodes if a not in inside]
    if not others:
        return all(shape_of(a) == shape_of(node) for a in node.all_input_nodes)
    tile = others[0]
    if len(others) > 1 or name not in BINARY or (tiles and tile not in tiles) or \
            shape_of(tile) != shape_of(node) or order[tile] > first or \
            not value_of(tile).is_contiguous():
        return False
    if tile not in tiles:
        tiles.append(tile)
    return True


def _cone(node: Node, inside: Set[Node]) -> Set[Node]:
    found, work = {node}, [node]
    while work:
        for source in work.pop().all_input_nodes:
            if source in inside and source not in found:
                found.add(source)
                work.append(source)
    return found


def _shape_argument(result: Node, cone: Set[Node]) -> Optional[Tuple]:
    """The sizes of the result as a graph may name them."""
    if all(isinstance(e, int) for e in shape_of(result)):
        return tuple(shape_of(result))
    for node in cone:
        if name_of(node) in ("aten.view.default", "aten.reshape.default",
                             "aten._unsafe_view.default") and shape_of(node) == shape_of(result):
            return tuple(args_of(node)[1])
    return None
