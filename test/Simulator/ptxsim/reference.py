# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a step must compute, in float64, and the caps of docs/numerics.md."""

import math
from dataclasses import dataclass, replace
from typing import Callable, Dict, List

import numpy as np

from .floats import decode, encode

CAPS = {"bf16": 4e-3, "f16": 5e-4}
UNITS = {"bf16": 2.0 ** -8, "f16": 2.0 ** -11}
DIGITS = {"bf16": (7, -126), "f16": (10, -14), "f32": (23, -126)}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


@dataclass
class Case:
    """One step of a bundle on random inputs; values as the kernel reads them."""
    norm: str                       # rms_norm, layer_norm, l2_norm or none
    eps: float
    type: str                       # of x
    layouts: List[str]              # per weight
    inputs: Dict[str, List[np.ndarray]]     # role: stored arrays
    types: Dict[str, List[str]]
    tf32: bool = False
    # silu_mul: one result of two Linears, silu(y_0) y_1; gelu(y_i), with erf or tanh; add_tile:
    # nothing but what every epilogue does where the step has tiles, + tile i
    epilogue: str = ""

    def value(self, role: str, index: int = 0) -> np.ndarray:
        return decode(self.types[role][index], self.inputs[role][index])

    def first(self, rows: int) -> "Case":
        """The same with the first rows only."""
        inputs = dict(self.inputs)
        for role in ("x", "x_scale", "tile", "out"):
            if role not in inputs or role == "x_scale" and self.shares_scale:
                continue
            inputs[role] = [a[:rows] for a in inputs[role]]
        return replace(self, inputs=inputs)

    @property
    def shares_scale(self) -> bool:
        """Whether one scale of x is for all rows."""
        return self.inputs["x_scale"][0].size != len(self.inputs["x"][0])

    @property
    def rows(self) -> np.ndarray:
        """x, times its scale."""
        x = self.value("x")
        return x * self.value("x_scale").reshape(-1, 1) if self.has("x_scale") else x

    def has(self, role: str) -> bool:
        return bool(self.inputs.get(role))

    def normalized(self, x: np.ndarray, dtype) -> np.ndarray:
        x = x.astype(dtype)
        k = x.shape[1]
        if self.norm == "layer_norm":
            x = x - (x.sum(1, keepdims=True) / k).astype(dtype)
        if self.norm in ("rms_norm", "layer_norm"):
            x = x / np.sqrt((x * x).sum(1, keepdims=True) / k + dtype(self.eps))
        elif self.norm == "l2_norm":
            x = x / np.maximum(np.sqrt((x * x).sum(1, keepdims=True)), dtype(self.eps))
        if self.has("gain"):
            x = x * self.value("gain").astype(dtype)
        if self.has("shift"):
            x = x + self.value("shift").astype(dtype)
        return x

    def linears(self, written: bool = False) -> List[np.ndarray]:
        """The Linears with their biases, in f32 if `written`."""
        dtype = np.float32 if written else np.float64
        h = self.normalized(self.rows, dtype)
        if written and self.type != "f32":
            h = decode(self.narrow, encode(self.narrow, h)).astype(np.float32)
        results = []
        for l in range(len(self.layouts)):
            w = self.weight(l).astype(dtype)
            if written and self.type == "f32":  # one chain, as a loop over k
                y = np.zeros((h.shape[0], w.shape[1]), np.float32)
                for k in range(h.shape[1]):
                    y += h[:, k:k + 1] * w[k:k + 1]
            else:
                y = h @ w
            bias = self.scales + l
            if bias < len(self.inputs.get("column", [])):
                y = y + self.value("column", bias).astype(dtype)
            results.append(y)
        return results

    @property
    def scales(self) -> int:
        """How many of the columns are scales: the first one of every weight of 8 bits."""
        return self.types["weight"].count("f8E4M3FN")

    def weight(self, l: int) -> np.ndarray:
        """K x N; one of 8 bits times its scale."""
        w = self.value("weight", l)
        w = w.T if self.layouts[l] == "nk" else w
        return w * self.value("column", l) if self.scales else w

    def results(self, written: bool = False) -> List[np.ndarray]:
        """In float64; `written`: as the unfused program would round, with f32 sums."""
        results = self.linears(written)
        if self.epilogue == "silu_mul":
            gate, up = results
            results = [gate * sigmoid(gate) * up]
        elif self.epilogue in ACTIVATIONS:
            results = [ACTIVATIONS[self.epilogue](y) for y in results]
        if self.has("tile"):  # one for each result
            results = [y + self.value("tile", i).astype(y.dtype) for i, y in enumerate(results)]
        if written:
            results = [decode(t, encode(t, y)) for t, y in zip(self.types["out"], results)]
        return [y.astype(np.float64) for y in results]

    @property
    def narrow(self) -> str:
        """The type that a program as written rounds to: of 8 bits that of its results."""
        return self.types["out"][0] if self.type == "f8E4M3FN" else self.type

    @property
    def k(self) -> int:
        return self.inputs["x"][0].shape[1]

    def cap(self) -> float:
        """Largest relative error of a row."""
        if self.type == "f32":
            return 1e-3 if self.tf32 else 1e-6 * math.sqrt(self.k / 1024)
        return max(CAPS.get(self.narrow, 0), 1e-3 if self.type == "f8E4M3FN" else 0)

    def spread(self, out: int) -> np.ndarray:
        """sqrt(sum_k (h_k W_k)^2) for every element, as far as it reaches the result."""
        h2 = self.normalized(self.rows, np.float64) ** 2
        spreads = []
        for l in range(len(self.layouts)):
            spreads.append(np.sqrt(h2 @ self.weight(l) ** 2))
        if self.epilogue == "silu_mul":
            gate, up = self.linears()
            part = sigmoid(gate)
            slope = part * (1 + gate * (1 - part))
            return np.hypot(spreads[0] * slope * up, spreads[1] * gate * part)
        if self.epilogue in ACTIVATIONS:
            f, y = ACTIVATIONS[self.epilogue], self.linears()[out]
            slope = np.abs(f(y + 1e-6) - f(y - 1e-6)) / 2e-6
            # 1 + erf and 1 + tanh lose digits near 0, in every program.
            return np.maximum(spreads[out] * slope, np.abs(y) / 4)
        return spreads[out]

    def element_bound(self, out: int, ref: np.ndarray, spread: np.ndarray) -> np.ndarray:
        """2 ulp + 8 u spread"""
        unit = UNITS.get("f16" if self.type == "f8E4M3FN" and self.narrow == "f32" else self.narrow) or (2.0 ** -10 if self.tf32
                                        else math.sqrt(self.k) * 2.0 ** -24)
        digits, least = DIGITS[self.types["out"][out]]
        exponent = np.floor(np.log2(np.maximum(np.abs(ref), 2.0 ** least)))
        return 2 * np.exp2(exponent - digits) + 8 * unit * spread


ACTIVATIONS: Dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "gelu": lambda y: y / 2 * (1 + np.vectorize(math.erf)(y / math.sqrt(2))),
    "gelu_tanh": lambda y: y / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y ** 3))),
}


def relative(error: np.ndarray, size: np.ndarray) -> np.ndarray:
    return np.where(size > 0, error / np.where(size > 0, size, 1), error)


def row_errors(y: np.ndarray, ref: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Relative to the row's norm; in a row of few elements that cancel, to what it would be
    with random signs."""
    size = np.maximum(np.linalg.norm(ref, axis=1), np.linalg.norm(spread, axis=1))
    return relative(np.linalg.norm(y - ref, axis=1), size)


def group_errors(y: np.ndarray, ref: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Worst RMS error of aligned groups of 8 outputs, relative to the larger of the group's and the
    row's RMS."""
    worst = np.zeros(len(ref))
    row = np.sqrt(np.maximum((ref ** 2).mean(1), (spread ** 2).mean(1)))
    for first in range(0, ref.shape[1], 8):
        part = slice(first, first + 8)
        error = np.sqrt(((y[:, part] - ref[:, part]) ** 2).mean(1))
        size = np.maximum(np.sqrt((ref[:, part] ** 2).mean(1)), row)
        worst = np.maximum(worst, relative(error, size))
    return worst


def fractions(case: Case, results: List[np.ndarray]) -> Dict[str, float]:
    """The worst errors as fractions of what is allowed; above 1 is wrong."""
    worst = {"row": 0.0, "group": 0.0, "element": 0.0}
    for out, (y, ref, usual) in enumerate(zip(results, case.results(), case.results(True))):
        if not np.isfinite(y).all():
            return dict.fromkeys(worst, math.inf)
        # Where the program as written does not reach the cap, 1.1 x what it does over all rows.
        # Three standard deviations of slack for the roundings of one row, to narrow rows also
        # at the cap.
        spread = case.spread(out)
        usual_error = np.sqrt((row_errors(usual, ref, spread) ** 2).mean())
        slack = 3 / math.sqrt(2 * y.shape[1])
        bound = max(case.cap() * (1 + (slack if y.shape[1] < 32 else 0)),
                    (1.1 + slack) * usual_error)
        for key, value in (("row", row_errors(y, ref, spread) / bound),
                           ("group", group_errors(y, ref, spread) / (3 * bound)),
                           ("element", np.abs(y - ref) / case.element_bound(out, ref, spread))):
            worst[key] = max(worst[key], float(value.max()))
    return worst
