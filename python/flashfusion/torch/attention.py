# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one token per sequence, where several query heads share a head of keys and values:
models repeat keys and values for each of them, since not every kernel of torch takes groups. For
one token the heads of a group are as good as rows of two products:

    k = k[:, :, None].expand(b, h, g, s, d).reshape(b, h * g, s, d); v likewise
    sdpa(q, k, v, mask)
    ->
    p = softmax(scale * (q.reshape(b * h, g, d) @ k.T) + mask)     the sums, as in sdpa, in f32
    (p @ v).reshape(b, h * g, 1, d)

so that the cache is read once and copied never, and all of the GPU works on one sequence, too.
Works on the graph that Dynamo made, where attention is still one call."""

import operator
from typing import Any, Dict, Optional, Tuple

import torch
from torch import library
from torch.fx import GraphModule, Node

_UNSQUEEZED = (slice(None), slice(None), None)

_library = library.Library("flashfusion", "FRAGMENT")
_library.define("scores(Tensor q, Tensor k) -> Tensor", tags=(torch.Tag.pt2_compliant_tag,))


def _scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """q @ k.T in f32, of [n, g, d] and [n, s, d]; Inductor has no such product in all its modes."""
    if not q.is_cuda or q.dtype == torch.float32:
        return torch.bmm(q.float(), k.float().transpose(1, 2))
    try:
        return torch.bmm(q, k.transpose(1, 2), out_dtype=torch.float32)
    except TypeError:  # before torch 2.8
        return torch.bmm(q, k.transpose(1, 2)).float()


def _fake(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    return q.new_empty((q.shape[0], q.shape[1], k.shape[1]), dtype=torch.float32)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)


def _backward(ctx: Any, gradient: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    q, k = ctx.saved_tensors
    gradient = gradient.to(q.dtype)
    return torch.bmm(gradient, k), torch.bmm(gradient.transpose(1, 2), q)


_library.impl("scores", _scores, "CUDA")
_library.impl("scores", _scores, "CPU")
library.register_fake("flashfusion::scores", _fake, lib=_library)
library.register_autograd("flashfusion::scores", _backward, setup_context=_keep, lib=_library)


def group_queries(gm: GraphModule, host: bool = False) -> int:
    """How many calls were changed; on the `host` none are unless asked for."""
    changed = 0
    for node in list(gm.graph.nodes):
        if node.op == "call_function" and \
                node.target is torch.nn.functional.scaled_dot_product_attention:
            changed += _group(gm, node, host)
    if changed:
        gm.recompile()
    return changed


def _group(gm: GraphModule, node: Node, host: bool) -> bool:
    names = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
    given: Dict[str, Any] = {**dict(zip(names, node.args)), **node.kwargs}
    query, mask = given["query"], given.get("attn_mask")
    if given.get("dropout_p") or given.get("is_causal") or given.get("enable_gqa"):
        return False
    key, value = _repeated(given["key"]), _repeated(given["value"])
    shape = _shape(query)
    if key is None or value is None or len(shape) != 4 or not _is(shape[2], 1):
        return False
    if mask is not None and (len(_shape(mask)) != 4 or not _is(_shape(mask)[1], 1) or
                             not _is(_shape(mask)[2], 1)):
        return False  # not the same for all heads
    q, heads = query.meta["example_value"], _shape(key)[1]
    if q.dtype not in (torch.bfloat16, torch.float16, torch.float32) or not (q.is_cuda or host):
        return False
    if heads != _shape(value)[1] or heads == shape[1] or shape[1] % heads or \
            str(shape[0]) != str(_shape(key)[0]):
        return False
    scale = given.get("scale")
    with gm.graph.inserting_before(node):
        new = _Builder(gm, node)
        scores = new(torch.ops.flashfusion.scores.default,
                     new("reshape", query, (-1, shape[1] // heads, shape[3])),
                     new("flatten", key, 0, 1))
        scores = new(operator.mul, scores, shape[3] ** -0.5 if scale is None else scale)
        scores = new("unflatten", scores, 0, (-1, heads))
        if mask is not None and mask.meta["example_value"].dtype == torch.bool:
            scores = new("masked_fill", scores, new("logical_not", mask), float("-inf"))
        elif mask is not None:
            scores = new(operator.add, scores, mask)
        # As sdpa, zeros for what sees nothing.
        weights = new("to", new(torch.ops.aten._safe_softmax.default, scores, -1), q.dtype)
        result = new(torch.bmm, new("flatten", weights, 0, 1), new("flatten", value, 0, 1))
        result = new("reshape", result, (-1, shape[1], 1, _shape(value)[3]))
    node.replace_all_uses_with(result)
    gm.graph.erase_node(node)  # what it read may have other readers, and is Inductor's to remove
    return True


class _Builder:
    """Calls a method, by its name, or a function; in the place of `node`."""

    def __init__(self, gm: GraphModule, node: Node) -> None:
        self.graph = gm.graph
        self.meta = {k: v for k, v in node.meta.items() if k != "example_value"}

    def __call__(self, target: Any, *args: Any) -> Node:
        values = [a.meta["example_value"] if isinstance(a, Node) else a for a in args]
        if isinstance(target, str):
            node = self.graph.call_method(target, args)
            value = getattr(values[0], target)(*values[1:])
        else:
            node, value = self.graph.call_function(target, args), target(*values)
        node.meta.update(self.meta, example_value=value)
        return node


def _repeated(node: Any) -> Optional[Node]:
    """[b, h, s, d], of [b, h * g, s, d] that repeats every head g times."""
    reshaped, expanded = node, _source(node, "reshape", "view")
    unsqueezed = _source(expanded, "expand")
    found = _source(unsqueezed, "unsqueeze", operator.getitem)
    if found is None or len(_shape(found)) != 4:
        return None
    how = unsqueezed.args[1]
    if unsqueezed.target == "unsqueeze":
        if how != 2:
            return None
    elif not isinstance(how, tuple) or how[:3] != _UNSQUEEZED or \
            any(part != slice(None) for part in how[3:]):
        return None
    b, h, s, d = _shape(found)
    wide, flat = _shape(expanded), _shape(reshaped)
    if not all(isinstance(e, int) for e in (h, d, *wide[1:3], *flat[1:2])) or len(wide) != 5:
        return None
    if (wide[1], wide[4]) != (h, d) or len(flat) != 4 or (flat[1], flat[3]) != (h * wide[2], d):
        return None
    return found


def _source(node: Any, *names: Any) -> Any:
    """What one of these operations is applied to."""
    if not isinstance(node, Node) or node.target not in names or not node.args:
        return None
    return node.args[0]


def _shape(node: Any) -> Tuple[Any, ...]:
    value = node.meta.get("example_value") if isinstance(node, Node) else None
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()


def _is(extent: Any, number: int) -> bool:
    return isinstance(extent, int) and extent == number
