# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A region computed by torch, in f64 or as it was written: what explain(numerics=True) compares
the kernels with."""

import operator
from typing import Any, Dict, List, NamedTuple, Sequence

import torch
from torch.fx import Node

from .emit import operands_of
from .region import CASTS, SUMS, VARIANCES, VIEWS, Region, name_of, value_of


class _Step(NamedTuple):
    node: Node
    target: Any
    name: str
    arguments: Any
    keywords: Dict[str, Any]

    @staticmethod
    def of(node: Node) -> "_Step":
        return _Step(node, node.target, name_of(node), tuple(node.args), dict(node.kwargs))


class Reference:
    """Taken of a region before its nodes change. Rows are the first of two dimensions; statistics
    are columns of one element."""

    def __init__(self, region: Region) -> None:
        self.x, self.norm, self.linears = region.x, region.norm, region.linears
        self.operands = operands_of(region)
        self.before = [_Step.of(n) for n in region.nodes]
        self.behind = [_Step.of(n) for n in region.tail.nodes] if region.tail else []
        self.results = [region.tail.result] if region.tail else [l.node for l in region.linears]
        self.types = {s.node: value_of(s.node).dtype for s in self.before + self.behind
                      if isinstance(value_of(s.node), torch.Tensor)}

    def run(self, x: torch.Tensor, operands: Sequence[torch.Tensor],
            wide: bool) -> List[torch.Tensor]:
        """`wide`: in f64, without the casts."""
        change = (lambda t: t.double()) if wide else (lambda t: t)
        found: Dict[Any, Any] = {node: change(t) for node, t in zip(self.operands, operands)}
        found[self.x] = change(x)
        for step in self.before:
            found[step.node] = self._step(step, found, wide)
        for linear in self.linears:
            weight = found[linear.weight].to(found[self.norm].dtype)  # of 8 bits: widened
            weight = weight.t() if linear.layout == "nk" else weight
            h, bias = found[self.norm], linear.bias
            found[linear.node] = h @ weight if bias is None else torch.addmm(found[bias], h, weight)
        for step in self.behind:
            found[step.node] = self._step(step, found, wide)
        return [found[node] for node in self.results]

    def _step(self, step: _Step, found: Dict[Any, Any], wide: bool) -> Any:
        arguments = [found[a] if isinstance(a, Node) else a for a in step.arguments]
        if step.target is operator.getitem:
            return arguments[0][arguments[1]]
        if step.name in VIEWS:
            return arguments[0]
        if step.name in CASTS:
            return arguments[0] if wide else arguments[0].to(self.types[step.node])
        if step.name in SUMS:
            reduce = torch.mean if step.name == "aten.mean.dim" else torch.sum
            return reduce(arguments[0], -1, keepdim=True)
        if step.name in VARIANCES:
            correction = step.keywords.get("correction", 1)
            variance = torch.var(arguments[0], -1, correction=1 if correction is None
                                 else correction, keepdim=True)
            mean = torch.mean(arguments[0], -1, keepdim=True)
            return (variance, mean) if "mean" in step.name else variance
        return step.target(*arguments, **step.keywords)


def error(results: Sequence[torch.Tensor], exact: Sequence[torch.Tensor]) -> float:
    """The largest relative error of the results, each as a whole."""
    return max(((r.double() - e).norm() / e.norm().clamp_min(1e-300)).item()
               for r, e in zip(results, exact))
