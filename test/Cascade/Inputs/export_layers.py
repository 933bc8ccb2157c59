#!/usr/bin/env python3
"""Exports whole Transformer layers, small, from PyTorch to linalg-on-tensors MLIR.

Writes bert_layer.mlir, llama_layer.mlir and t5_layer.mlir beside this script, with the
packages that test/Inputs/export.py names. Parameters are arguments of the function, in the
order of Module.named_parameters(), after the activations.

    venv/bin/python export_layers.py
"""

import importlib.metadata
import inspect
import math
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch_mlir import fx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Inputs"))
from export import Externalised, LlamaRMSNorm, T5LayerNorm  # noqa: E402

B, P, D, H, E, S = 2, 16, 32, 4, 8, 64
KV = 2  # heads of keys and values of the Llama-like layer


def heads(x, count):
    return x.view(x.shape[0], x.shape[1], count, E).transpose(1, 2)


def merge(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


class BertLayer(nn.Module):
    """Biases, scaled scores, additive mask of keys, LayerNorm after, GELU."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(D, D) for _ in range(4))
        self.norm1, self.norm2 = (nn.LayerNorm(D, eps=1e-12) for _ in range(2))
        self.up, self.down = nn.Linear(D, S), nn.Linear(S, D)

    def forward(self, x, mask):
        q, k, v = (heads(f(x), H) for f in (self.query, self.key, self.value))
        scores = q @ k.transpose(-1, -2) / math.sqrt(E) + mask
        x = self.norm1(self.output(merge(scores.softmax(-1) @ v)) + x)
        return self.norm2(self.down(F.gelu(self.up(x))) + x)


def rotate_half(x):
    return torch.cat((-x[..., E // 2:], x[..., :E // 2]), dim=-1)


class LlamaLayer(nn.Module):
    """RMSNorm before, rotary positions, fewer heads of keys, additive causal mask, SiLU gate."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = LlamaRMSNorm(D), LlamaRMSNorm(D)
        self.q, self.k, self.v, self.o = (
            nn.Linear(D, n, bias=False) for n in (H * E, KV * E, KV * E, D))
        self.gate, self.up, self.down = (
            nn.Linear(i, o, bias=False) for i, o in ((D, S), (D, S), (S, D)))

    def forward(self, x, cos, sin, mask):
        y = self.norm1(x)
        q, k, v = heads(self.q(y), H), heads(self.k(y), KV), heads(self.v(y), KV)
        q, k = (t * cos + rotate_half(t) * sin for t in (q, k))
        k, v = (t[:, :, None].expand(B, KV, H // KV, P, E).reshape(B, H, P, E) for t in (k, v))
        scores = q @ k.transpose(2, 3) * E**-0.5 + mask
        x = x + self.o(merge(scores.softmax(-1, dtype=torch.float32) @ v))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class T5Layer(nn.Module):
    """T5's norm before, scores unscaled with a bias of positions, GELU gate."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = T5LayerNorm(D), T5LayerNorm(D)
        self.q, self.k, self.v, self.o = (nn.Linear(D, H * E, bias=False) for _ in range(4))
        self.wi_0, self.wi_1, self.wo = (
            nn.Linear(i, o, bias=False) for i, o in ((D, S), (D, S), (S, D)))

    def forward(self, x, position_bias):
        y = self.norm1(x)
        q, k, v = (heads(f(y), H) for f in (self.q, self.k, self.v))
        scores = q @ k.transpose(3, 2) + position_bias
        x = x + self.o(merge(F.softmax(scores.float(), dim=-1) @ v))
        y = self.norm2(x)
        return x + self.wo(F.gelu(self.wi_0(y), approximate="tanh") * self.wi_1(y))


LAYERS = {
    "bert_layer": (BertLayer, [(B, P, D), (B, 1, 1, P)]),
    "llama_layer": (LlamaLayer, [(B, P, D), (P, E), (P, E), (P, P)]),
    "t5_layer": (T5Layer, [(B, P, D), (1, H, P, P)]),
}


def main():
    for name, (build, shapes) in LAYERS.items():
        torch.manual_seed(0)
        module = build().eval()
        inputs = [torch.zeros(s) for s in shapes] + [p.detach() for p in module.parameters()]
        mlir = fx.export_and_import(Externalised(module, len(shapes)), *inputs,
                                    output_type="linalg-on-tensors", func_name=name)
        arguments = list(inspect.signature(module.forward).parameters)
        arguments += [n for n, _ in module.named_parameters()]
        header = [f"torch {torch.__version__.split('+')[0]}, torch-mlir "
                  f"{importlib.metadata.version('torch-mlir')}, linalg-on-tensors.",
                  "Written by: python export_layers.py", f"{build.__doc__}",
                  f"Arguments: {', '.join(arguments)}"]
        text = "\n".join(line.rstrip() for line in str(mlir).rstrip().splitlines())
        path = pathlib.Path(__file__).resolve().parent / f"{name}.mlir"
        path.write_text("".join(f"// {line}\n" for line in header) + "\n" + text + "\n")


if __name__ == "__main__":
    main()
