# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases for check_bundles.py and bench_bundles.py: NAME.ffb and NAME.json.

The JSON says what a bundle does not: which norm its one step is, and its eps.
  {"kind": "rms_norm" | "layer_norm" | "l2_norm" | "none", "eps": 1e-5}
Optional, with what is taken from the bundle otherwise:
  "gain_offset": 0.0       added to the gain
  "function": name         the bundle's only one
  "layouts": ["nk", ...]   per weight; nk where the last extent is K
  "biases": [i, null, ...] per Linear, an index into the step's columns; where
                           there is one column per Linear, in order; else none
  "scales": [i, null, ...] per Linear, the column that its sums are multiplied by; else none
  "rows": [1, 3, ...], "bench_rows": [...]   numbers of rows to run
  "tf32": true             f32 through tf32 tensor cores was asked for
  "x", "gain", "shift": i, "weights": [i, ...]   arguments of the function that
                           the roles must be, checked against the bundle
"""

import dataclasses
import glob
import json
import math
import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from flashfusion.runtime import Bundle, Program  # noqa: E402

DEVICE = "cuda"
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32,
          "f8E4M3FN": torch.float8_e4m3fn}
KEYS = {"kind", "eps", "gain_offset", "function", "layouts", "biases", "scales", "rows", "bench_rows", "tf32",
        "x", "gain", "shift", "weights"}


class Case:
    """One bundle with one step."""

    def __init__(self, path):
        self.name = os.path.basename(path)[:-4]
        with open(path[:-4] + ".json") as file:
            node = json.load(file)
        if not KEYS.issuperset(node):
            raise ValueError(f"{self.name}: unknown keys {sorted(set(node) - KEYS)}")
        self.kind, self.eps = node["kind"], node.get("eps", 0.0)
        if self.kind not in ("rms_norm", "layer_norm", "l2_norm", "none"):
            raise ValueError(f"{self.name}: unknown kind {self.kind}")
        self.gain_offset, self.tf32 = node.get("gain_offset", 0.0), node.get("tf32", False)
        self.rows, self.bench_rows = node.get("rows"), node.get("bench_rows")
        self.bundle = Bundle.read(path)
        functions = self.bundle.functions
        self.info = functions[node.get("function", next(iter(functions)))]
        if len(self.info.steps) != 1:
            raise ValueError(f"{self.name}: {len(self.info.steps)} steps; cases have one")
        self.step = self.info.steps[0]
        self.roles = {role: [o for o in self.step.operands if o.role == role]
                      for role in ("x", "gain", "shift", "weight", "column", "scalar", "out")}
        self.x, self.weights = self.roles["x"][0], self.roles["weight"]
        self.k, linears = self.step.k, len(self.weights)
        self.layouts = node.get("layouts") or ["nk" if w.shape[1] == self.k else "kn"
                                               for w in self.weights]
        columns = len(self.roles["column"])
        self.biases = node.get("biases") or (list(range(columns)) if columns == linears
                                             else [None] * linears)
        self.scales = node.get("scales") or [None] * linears
        self._check(node)
        self.n = [w.shape[0] if layout == "nk" else w.shape[1]
                  for w, layout in zip(self.weights, self.layouts)]
        self.dtype = DTYPES[self.roles["out"][0].type]

    def _check(self, node):
        if len(self.roles["out"]) != len(self.weights) or len(self.layouts) != len(self.weights):
            raise ValueError(f"{self.name}: cases have one output per Linear")
        for key in ("x", "gain", "shift", "weights"):
            if node.get(key) is None:
                continue
            wanted = node[key] if isinstance(node[key], list) else [node[key]]
            found = [o.index for o in self.roles["weight" if key == "weights" else key]]
            if wanted != found:
                raise ValueError(f"{self.name}: {key} is said to be {wanted}, the bundle has {found}")

    def only(self, variant):
        """A program that knows one of the step's variants."""
        step = dataclasses.replace(self.step, variants=(variant,))
        info = dataclasses.replace(self.info, steps=(step,))
        return Program(dataclasses.replace(self.bundle, functions={info.name: info}))

    def shape_of_x(self, rows):
        """Shape of the argument x with that many rows, or None if it has another number."""
        shape = list(self.info.arguments[self.x.index].shape)
        unknown = [d for d, e in enumerate(shape) if e is None]
        for d in unknown[:-1]:
            shape[d] = 1
        if unknown:
            rest = math.prod(e for e in shape[:-1] if e is not None)
            if rows % rest:
                return None
            shape[unknown[-1]] = rows // rest
        return tuple(shape) if math.prod(shape[:-1]) == rows and shape[-1] == self.k else None

    def row_counts(self, wanted):
        """Those of `wanted` that the function takes; its own number where M is static."""
        shape = self.info.arguments[self.x.index].shape
        if None not in shape:
            return [math.prod(shape) // self.k]
        return [m for m in wanted if self.shape_of_x(m)]

    def parameters(self, seed=0):
        """Values of all operands but x: random, or the bundle's constants."""
        generator = torch.Generator(device=DEVICE).manual_seed(seed)
        values = {}
        for role in ("gain", "shift", "weight", "column"):
            values[role] = [self._value(role, o, generator) for o in self.roles[role]]
        for column in self.scales:
            if column is not None:  # such that weights are as large as without one
                scale = values["column"][column]
                u = torch.rand(scale.shape, device=DEVICE, generator=generator)
                scale.copy_((u + 0.5) / (100 * math.sqrt(self.k)))
        return values

    def _value(self, role, operand, generator):
        dtype = DTYPES[operand.type]
        if operand.source == "constant":
            data = bytearray(self.info.constants[operand.index].data)
            return torch.frombuffer(data, dtype=dtype).reshape(operand.shape).to(DEVICE)
        r = torch.randn(operand.shape, device=DEVICE, generator=generator)
        if role == "gain":
            r = r * 0.3 + (1.0 - self.gain_offset)
        elif role == "shift":
            r = r * 0.5
        elif role == "weight" and dtype == torch.float8_e4m3fn:
            r = (r * 100).clamp(-448, 448)  # what is larger would become NaN
        elif role == "weight":
            r = r / math.sqrt(self.k)
        return r.to(dtype)

    def arguments(self, x, values):
        """The argument list of the function."""
        args = [None] * len(self.info.arguments)
        args[self.x.index] = x
        for role, tensors in values.items():
            for operand, tensor in zip(self.roles[role], tensors):
                if operand.source == "argument":
                    shape = [e for e in self.info.arguments[operand.index].shape]
                    args[operand.index] = tensor.view(shape)
        for operand in self.roles["scalar"]:
            if operand.source == "argument":
                args[operand.index] = self.eps
        if any(a is None for a in args):
            raise ValueError(f"{self.name}: argument {args.index(None)} has no role")
        return args

    def results(self, returned, rows):
        """What a call returned, as M x N matrices in the order of the Linears."""
        flat = returned if isinstance(returned, (tuple, list)) else [returned]
        return [flat[o.index].view(rows, n) for o, n in zip(self.roles["out"], self.n)]


def load_cases(folder, only=""):
    paths = sorted(p for p in glob.glob(os.path.join(folder, "*.ffb")) if only in p)
    if not paths:
        sys.exit(f"no bundles in {folder}")
    return [Case(p) for p in paths]
