# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small layers as the libraries of models write them."""

import torch
from torch import nn


class LlamaNorm(nn.Module):
    def __init__(self, width, offset=0.0, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.offset, self.eps = offset, eps

    def forward(self, hidden):
        kind = hidden.dtype
        hidden = hidden.to(torch.float32)
        variance = hidden.pow(2).mean(-1, keepdim=True)
        hidden = hidden * torch.rsqrt(variance + self.eps)
        if self.offset:  # Gemma: in f32
            return (hidden * (self.offset + self.weight.float())).to(kind)
        return self.weight * hidden.to(kind)


class Decoder(nn.Module):
    """A layer of Llama (or Qwen3 with `head_norm`, Gemma with `offset`)."""

    def __init__(self, width=64, heads=4, hidden=96, offset=0.0, head_norm=False, bias=False):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.input_norm = LlamaNorm(width, offset)
        self.post_norm = LlamaNorm(width, offset)
        self.q_proj = nn.Linear(width, width, bias=bias)
        self.k_proj = nn.Linear(width, width // 2, bias=bias)
        self.v_proj = nn.Linear(width, width // 2, bias=bias)
        self.o_proj = nn.Linear(width, width, bias=False)
        self.gate_proj = nn.Linear(width, hidden, bias=False)
        self.up_proj = nn.Linear(width, hidden, bias=False)
        self.down_proj = nn.Linear(hidden, width, bias=False)
        self.head_norm = LlamaNorm(self.size) if head_norm else None

    def forward(self, x):
        batch, rows, width = x.shape
        h = self.input_norm(x)
        q = self.q_proj(h).view(batch, rows, self.heads, self.size)
        k = self.k_proj(h).view(batch, rows, self.heads // 2, self.size)
        v = self.v_proj(h).view(batch, rows, self.heads // 2, self.size)
        if self.head_norm is not None:
            q, k = self.head_norm(q), self.head_norm(k)
        k, v = (t.repeat_interleave(2, dim=2) for t in (k, v))
        q, k, v = (t.transpose(1, 2) for t in (q, k, v))
        h = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o_proj(h.transpose(1, 2).reshape(batch, rows, width))
        h = self.post_norm(x)
        return x + self.down_proj(nn.functional.silu(self.gate_proj(h)) * self.up_proj(h))


class Encoder(nn.Module):
    """A layer of GPT-2 or ViT, with LayerNorm and biases."""

    def __init__(self, width=64, heads=4):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)
        self.c_fc = nn.Linear(width, 2 * width)
        self.mlp_proj = nn.Linear(2 * width, width)

    def forward(self, x):
        batch, rows, width = x.shape
        q, k, v = self.c_attn(self.ln_1(x)).split(width, dim=2)
        q, k, v = (t.view(batch, rows, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        h = nn.functional.scaled_dot_product_attention(q, k, v)
        x = x + self.c_proj(h.transpose(1, 2).reshape(batch, rows, width))
        return x + self.mlp_proj(nn.functional.gelu(self.c_fc(self.ln_2(x)), approximate="tanh"))


class Head(nn.Module):
    """The last norm and the LM head on the last position."""

    def __init__(self, width=64, words=200):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=1e-6)
        self.lm_head = nn.Linear(width, words, bias=False)

    def forward(self, x):
        return self.lm_head(self.norm(x)[:, -1:, :])


class Quantised(nn.Module):
    """A norm and a Linear with weights of 8 bits and a scale per output."""

    def __init__(self, width=64, outputs=96):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=1e-6)
        self.register_buffer("weight", torch.randn(outputs, width).to(torch.float8_e4m3fn))
        self.scale = nn.Parameter(torch.ones(outputs))

    def forward(self, x):
        return nn.functional.linear(self.norm(x), self.weight.to(x.dtype)) * self.scale


def randomized(model, dtype=torch.float32, seed=0):
    """The model with norms that are not ones."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        if parameter.ndim == 1:
            noise = torch.randn(parameter.shape, generator=generator) * 0.2
            parameter.data += noise
    return model.to(dtype).eval()
