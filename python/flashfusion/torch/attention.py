# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one token per sequence, where several query heads share a head of keys and values:
models repeat keys and values for each of them, since not every kernel of torch takes groups. For
one token the heads of a group are as good as its rows:

    k = k[:, :, None].expand(b, h, g, s, d).reshape(b, h * g, s, d); v likewise
    sdpa(q, k, v, mask)
    ->
    sdpa(q.reshape(b, h, g, d), k, v, mask).reshape(b, h * g, 1, d)

so that the cache is read once and copied never. Works on the graph that Dynamo made, where
attention is still one call."""

import operator
from typing import Any, Optional, Tuple

import torch
from torch.fx import GraphModule, Node

_UNSQUEEZED = (slice(None), slice(None), None)


def group_queries(gm: GraphModule) -> int:
    """How many calls were changed."""
    changed = 0
    for node in list(gm.graph.nodes):
        if node.op == "call_function" and \
                node.target is torch.nn.functional.scaled_dot_product_attention:
            changed += _group(gm, node)
    if changed:
        gm.recompile()
    return changed


def _group(gm: GraphModule, node: Node) -> bool:
    names = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
    given = {**dict(zip(names, node.args)), **node.kwargs}
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
    heads, rows = _shape(key)[1], _shape(value)[1]
    if heads != rows or heads == shape[1] or shape[1] % heads:
        return False
    with gm.graph.inserting_before(node):
        # The batch is the one extent that may vary.
        grouped = gm.graph.call_method("reshape", (query, (-1, heads, shape[1] // heads, shape[3])))
        result = gm.graph.call_function(node.target, (grouped, key, value),
                                        {k: v for k, v in given.items() if k not in names[:3]})
        flat = gm.graph.call_method("reshape", (result, (-1, shape[1], 1, _shape(value)[3])))
    for new in (grouped, result, flat):
        new.meta.update({k: v for k, v in node.meta.items() if k != "example_value"})
    grouped.meta["example_value"] = query.meta["example_value"].reshape(grouped.args[1])
    like = node.meta["example_value"]
    result.meta["example_value"] = like.reshape(-1, heads, shape[1] // heads, _shape(value)[3])
    flat.meta["example_value"] = like
    node.replace_all_uses_with(flat)
    gm.graph.erase_node(node)  # what it read may have other readers, and is Inductor's to remove
    return True


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
