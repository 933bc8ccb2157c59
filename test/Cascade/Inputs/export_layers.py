#!/usr/bin/env python3
"""Exports whole Transformer layers, small, from PyTorch to linalg-on-tensors MLIR.

Writes LAYER.mlir and LAYER_bf16.mlir beside this script, with the packages that
test/Inputs/export.py names. Parameters are arguments of the function, in the order of
Module.named_parameters(), after the activations. In f16 an export differs by the names of
types and minus infinity (0xFC00 for 0xFF80) alone, so the tests make these with sed.

    venv/bin/python export_layers.py [LAYER...]
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
        x = x + self.o(merge(scores.softmax(-1, dtype=torch.float32).to(q.dtype) @ v))
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
        x = x + self.o(merge(F.softmax(scores.float(), dim=-1).type_as(scores) @ v))
        y = self.norm2(x)
        return x + self.wo(F.gelu(self.wi_0(y), approximate="tanh") * self.wi_1(y))


class Attention(nn.Module):
    """scaled_dot_product_attention; where the mask says so, a row sees no key."""

    def forward(self, q, k, v, mask):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


class EncoderLayer(nn.TransformerEncoderLayer):
    """torch.nn.TransformerEncoderLayer, of which torch.nn.MultiheadAttention is a part."""

    def __init__(self):
        super().__init__(D, H, S, dropout=0.0, activation="gelu", batch_first=True)

    def forward(self, x, mask):
        return super().forward(x, src_mask=mask)


class GPT2Layer(nn.Module):
    """LayerNorm before, one projection to Q, K and V, causal attention, GELU."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.qkv, self.o = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.up, self.down = nn.Linear(D, S), nn.Linear(S, D)

    def forward(self, x):
        q, k, v = (heads(t, H) for t in self.qkv(self.norm1(x)).split(D, -1))
        x = x + self.o(merge(F.scaled_dot_product_attention(q, k, v, is_causal=True)))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


QKV = [(B, H, P, E)] * 3
LAYERS = {
    "bert_layer": (BertLayer, [(B, P, D), (B, 1, 1, P)]),
    "llama_layer": (LlamaLayer, [(B, P, D), (P, E), (P, E), (P, P)]),
    "t5_layer": (T5Layer, [(B, P, D), (1, H, P, P)]),
    "attention": (Attention, [*QKV, (B, 1, P, P)]),
    "encoder_layer": (EncoderLayer, [(B, P, D), (P, P)]),
    "gpt2_layer": (GPT2Layer, [(B, P, D)]),
}


def export(name, dtype):
    build, shapes = LAYERS[name]
    torch.manual_seed(0)
    module = build().eval().to(dtype)
    inputs = [torch.zeros(s, dtype=dtype) for s in shapes]
    if build is Attention:
        inputs[-1] = torch.ones(shapes[-1], dtype=torch.bool)
    if dtype != torch.float32:
        name += "_bf16"
    mlir = fx.export_and_import(Externalised(module, len(shapes)), *inputs,
                                *(p.detach() for p in module.parameters()),
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


def main():
    for name in sys.argv[1:] or LAYERS:
        for dtype in (torch.float32, torch.bfloat16):
            export(name, dtype)


if __name__ == "__main__":
    main()
