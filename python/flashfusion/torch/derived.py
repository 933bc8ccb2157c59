# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors that a graph computes of one weight, like Gemma's 1 + gain in f32. Where weights are
packed these have to be the same tensors at every call: they are computed once, and anew when
torch has counted a change of the weight."""

import json
import threading
from typing import Any, Dict, List, Optional, Tuple

import torch
from torch.fx import Node

from .region import BINARY, CASTS, name_of, shape_of


def derivation(node: Node) -> Optional[Tuple[Node, str]]:
    """The input of the graph that `node` is computed of, and how: steps with "$" for what came
    before. None where it takes more than casts and arithmetic with numbers."""
    steps: List[Any] = []
    while node.op == "call_function":
        inputs = node.all_input_nodes
        if name_of(node) not in CASTS | BINARY or len(inputs) != 1 or \
                shape_of(inputs[0]) != shape_of(node):
            return None
        steps.insert(0, [name_of(node), [_written(a) for a in node.args],
                         {k: _written(v) for k, v in node.kwargs.items()}])
        node = inputs[0]
    return (node, json.dumps(steps)) if node.op in ("placeholder", "get_attr") and steps else None


def _written(argument: Any) -> Any:
    if isinstance(argument, Node):
        return "$"
    return str(argument) if isinstance(argument, torch.dtype) else argument


def _read(argument: Any, value: torch.Tensor) -> Any:
    if argument == "$":
        return value
    if isinstance(argument, str) and argument.startswith("torch."):
        return getattr(torch, argument[len("torch."):])
    return argument


#: By address, type, device and steps: the weight, which keeps its address taken, its version, and
#: the vector. As long as the process: captured graphs may read them.
_known: Dict[Any, Tuple[torch.Tensor, Optional[int], torch.Tensor]] = {}
_lock = threading.Lock()


def derive(weight: torch.Tensor, how: str) -> torch.Tensor:
    """The vector. Changed in place when the weight has changed, so that packed weights notice."""
    version = None if weight.is_inference() else weight._version
    key = (weight.data_ptr(), weight.dtype, weight.device, how)
    with _lock:
        found = _known.get(key)
        if found is not None and found[1] == version:
            return found[2]
        if weight.is_cuda and torch.cuda.is_current_stream_capturing():
            raise RuntimeError("vectors of weights must be computed before a graph is captured: "
                               "call the model once outside of the capture")
        value = weight
        with torch.no_grad():
            for name, args, kwargs in json.loads(how):
                space, op, overload = name.split(".")
                value = getattr(getattr(getattr(torch.ops, space), op), overload)(
                    *(_read(a, value) for a in args),
                    **{k: _read(v, value) for k, v in kwargs.items()})
            if found is not None:
                value = found[2].copy_(value)
        if weight.is_cuda:  # other streams may read it from now on
            torch.cuda.current_stream(weight.device).synchronize()
        _known[key] = weight, version, value
        return value


def forget() -> None:
    """Computes all anew at their next use."""
    with _lock:
        for key, (weight, _, value) in _known.items():
            _known[key] = weight, -1, value
