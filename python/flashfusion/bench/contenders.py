# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our kernels and what they are compared with, as calls for one set of weights each."""

import functools
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F

from .. import CompileError, api
from .shapes import Case

#: What there is, and what each is.
NAMES = {
    "ours": "flashfusion, plain launches",
    "ours pdl": "flashfusion, dependent launch between the calls",
    "unpacked": "flashfusion, weights as they are",
    "gemm": "cuBLAS alone on all Linears' weights as one: no norm, no activation",
    "eager": "PyTorch eager: norm, Linear, activation",
    "compile": "torch.compile",
    "max-autotune": "torch.compile, mode max-autotune-no-cudagraphs",
    "triton": "a Triton kernel of the same algorithm (M <= 64)",
}


class Weights(NamedTuple):
    gain: torch.Tensor
    shift: Optional[torch.Tensor]
    joined: torch.Tensor      # all Linears' weights, one below the other
    bias: Optional[torch.Tensor]
    x: torch.Tensor


def make_weights(case: Case, rows: int, seed: int, device: str = "cuda") -> Weights:
    generator = torch.Generator(device).manual_seed(seed)

    def normal(*shape: int, scale: float = 1.0) -> torch.Tensor:
        values = torch.randn(*shape, generator=generator, device=device)
        return (values * scale).bfloat16()

    return Weights(normal(case.k, scale=0.1) + (0 if case.offset else 1),
                   normal(case.k, scale=0.1) if case.norm == "layer_norm" else None,
                   normal(sum(case.n), case.k, scale=case.k ** -0.5),
                   normal(sum(case.n)) if case.bias else None, normal(rows, case.k))


def reference(case: Case, x: torch.Tensor, w: Weights) -> torch.Tensor:
    """As a model in PyTorch computes it, its Linears joined into one."""
    if case.norm == "layer_norm":
        h = F.layer_norm(x, (case.k,), w.gain, w.shift, 1e-5)
    else:
        h = F.rms_norm(x, (case.k,), w.gain + case.offset if case.offset else w.gain, 1e-5)
    y = F.linear(h, w.joined, w.bias)
    return activate(case, y.chunk(2, dim=-1) if case.act in ("swiglu", "geglu") else y)


def activate(case: Case, y: Any) -> Any:
    """The activation on a Linear's result, or on those of a gated pair."""
    if case.act in ("swiglu", "geglu"):
        gate, up = y
        return (F.silu(gate) if case.act == "swiglu" else F.gelu(gate, approximate="tanh")) * up
    if case.act:
        return F.gelu(y, approximate="tanh" if case.act == "gelu_tanh" else "none")
    return y


def our_arguments(case: Case, w: Weights) -> List[torch.Tensor]:
    pieces = list(w.joined.split(list(case.n)))
    biases = list(w.bias.split(list(case.n))) if w.bias is not None else []
    return [w.x, w.gain, *([w.shift] if w.shift is not None else []), *pieces, *biases]


#: What a contender does with one set of weights, given its place among the sets.
Step = Callable[[int, Weights], Any]


class Contenders:
    """Builds lists of calls by name, one call per set of weights."""

    def __init__(self, case: Case, rows: int, sets: List[Weights]) -> None:
        self.case, self.rows, self.sets = case, rows, sets

    def calls(self, name: str) -> List[Callable[[], Any]]:
        step = self.step(name)
        return [functools.partial(step, i, w) for i, w in enumerate(self.sets)]

    def step(self, name: str) -> Step:
        make = getattr(self, "_" + name.replace(" ", "_").replace("-", "_"))
        return make()

    def _program(self, packed: bool) -> Tuple[api.Program, bool]:
        """The program, and whether the activation is in it; else PyTorch does it."""
        try:
            return api.compile(self.case.mlir(), target="cuda", allow_packed=packed), True
        except CompileError:
            if not self.case.act:
                raise
            plain = self.case._replace(act="").mlir()
            return api.compile(plain, target="cuda", allow_packed=packed), False

    def kernel(self, packed: bool = True) -> str:
        """The kernel that is launched."""
        program, whole = self._program(packed)
        name = program.bundle().only().variant(*our_arguments(self.case, self.sets[0]))
        return name if whole else f"{name}, then {self.case.act} by PyTorch"

    def _fused(self, packed: bool, dependent: bool) -> Step:
        program, whole = self._program(packed)
        function = program.bundle().only()
        outs = [function(*our_arguments(self.case, w)) for w in self.sets]

        def step(i: int, w: Weights) -> Any:
            function(*our_arguments(self.case, w), out=outs[i], dependent_launch=dependent)
            return outs[i] if whole else activate(self.case, outs[i])

        return step

    def _ours(self) -> Step:
        return self._fused(True, False)

    def _ours_pdl(self) -> Step:
        return self._fused(True, True)

    def _unpacked(self) -> Step:
        return self._fused(False, False)

    def _gemm(self) -> Step:
        return lambda i, w: F.linear(w.x, w.joined)

    def _eager(self) -> Step:
        return lambda i, w: reference(self.case, w.x, w)

    def _compiled(self, mode: Optional[str]) -> Step:
        torch._dynamo.reset()
        case = self.case

        def model(x: torch.Tensor, gain: Any, shift: Any, joined: Any, bias: Any) -> torch.Tensor:
            return reference(case, x, Weights(gain, shift, joined, bias, x))

        compiled = torch.compile(model, mode=mode, dynamic=False)

        def step(i: int, w: Weights) -> torch.Tensor:
            with torch.inference_mode():
                return compiled(w.x, w.gain, w.shift, w.joined, w.bias)

        return step

    def _compile(self) -> Step:
        return self._compiled(None)

    def _max_autotune(self) -> Step:
        return self._compiled("max-autotune-no-cudagraphs")

    def _triton(self) -> Step:
        from . import triton_decode
        if self.rows > 64:
            raise RuntimeError("for at most 64 rows")
        pair = self.case.act in ("swiglu", "geglu")
        wide = sum(self.case.n) // (2 if pair else 1)
        outs = [w.x.new_empty(self.rows, wide) for w in self.sets]

        def step(i: int, w: Weights) -> torch.Tensor:
            weights = w.joined.chunk(2) if pair else (w.joined,)
            triton_decode.run(self.case, w.x, w.gain, w.shift, weights, w.bias, outs[i])
            return outs[i]

        return step

    def error(self) -> float:
        """Our relative error, in row norms, against the reference in f64 (the worst row)."""
        w = self.sets[0]
        program, whole = self._program(True)
        results = program(*our_arguments(self.case, w))
        if not whole:
            results = activate(self.case, results)
        ours = torch.cat(results if isinstance(results, tuple) else (results,), dim=1).double()
        wide = w._replace(**{name: t.double() for name, t in w._asdict().items() if t is not None})
        expected = reference(self.case, wide.x, wide)
        return ((ours - expected).norm(dim=1) / expected.norm(dim=1)).max().item()


class Chain(Contenders):
    """Layers of which each takes the result of the one before: one call runs all."""

    def calls(self, name: str) -> List[Callable[[], Any]]:
        step = self.step(name)
        return [lambda: self.run(step)[-1]]

    def run(self, step: Step) -> List[Any]:
        """x, and every layer's result."""
        values = [self.sets[0].x]
        for i, w in enumerate(self.sets):
            values.append(step(i, w._replace(x=values[-1])))
        return values

    def error(self) -> float:
        """The worst row of any layer, each against f64 on what it was given."""
        values = self.run(self._ours_pdl())
        worst = 0.0
        for w, x, y in zip(self.sets, values, values[1:]):
            tensors = w._replace(x=x)._asdict()
            wide = w._replace(**{n: t.double() for n, t in tensors.items() if t is not None})
            expected = reference(self.case, wide.x, wide)
            errors = (y.double() - expected).norm(dim=1) / expected.norm(dim=1)
            worst = max(worst, errors.max().item())
        return worst
