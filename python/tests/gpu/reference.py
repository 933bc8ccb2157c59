# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The float64 reference, the program as written, and the accuracy contract."""

import math

import torch

CAPS = {torch.bfloat16: 4e-3, torch.float16: 5e-4}
UNITS = {torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
DIGITS = {torch.bfloat16: (7, -126), torch.float16: (10, -14), torch.float32: (23, -126)}


def cap(case):
    """Largest relative error of a row."""
    if case.dtype == torch.float32:
        # What does not grow with K: the roundings of scale, gain, product and last addition.
        return 1e-3 if case.tf32 else max(1e-6 * math.sqrt(case.k / 1024), 6 * 2.0**-24)
    return CAPS[case.dtype]


def unit(case):
    """u of the bound on single elements."""
    if case.dtype == torch.float32:
        return 2.0**-10 if case.tf32 else math.sqrt(case.k) * 2.0**-24
    return UNITS[case.dtype]


def normalized(case, x, values, dtype, sum_k):
    """The left operand of the Linears, computed in `dtype`; sum_k sums over rows."""
    x = x.to(dtype)
    if case.kind == "layer_norm":
        x = x - sum_k(x) / case.k
    if case.kind in ("rms_norm", "layer_norm"):
        x = x / torch.sqrt(sum_k(x * x) / case.k + case.eps)
    elif case.kind == "l2_norm":
        x = x / torch.sqrt(sum_k(x * x)).clamp_min(case.eps)
    if values["gain"]:
        x = x * (values["gain"][0].to(dtype) + case.gain_offset)
    if values["shift"]:
        x = x + values["shift"][0].to(dtype)
    return x


def weight(case, values, l, dtype):
    """The weight as N x K; one of 8 bits times its scale, which nothing rounds."""
    w = values["weight"][l].to(dtype)
    w = w if case.layouts[l] == "nk" else w.t()
    column = case.scales[l]
    return w if column is None else w * values["column"][column].to(dtype)[:, None]


def bias(case, values, l, dtype):
    column = case.biases[l]
    return 0 if column is None else values["column"][column].to(dtype)


def exact(case, x, values):
    """Per Linear the results in float64 and sqrt(sum_k (h_ik W_jk)^2)."""
    h = normalized(case, x, values, torch.float64, lambda t: t.sum(1, keepdim=True))
    out = []
    for l in range(len(case.weights)):
        w = weight(case, values, l, torch.float64)
        out.append((h @ w.t() + bias(case, values, l, torch.float64),
                    ((h * h) @ (w * w).t()).sqrt()))
    return out


def as_written(case, x, values):
    """The unfused program with f32 accumulators: the norm rounds its result to
    the type of x, each Linear rounds once. In f32, sums run in order of k."""
    f32 = torch.float32
    if x.dtype != f32:
        h = normalized(case, x, values, f32, lambda t: t.sum(1, keepdim=True)).to(x.dtype).float()
        return [(h @ weight(case, values, l, f32).t() + bias(case, values, l, f32)
                 ).to(case.dtype) for l in range(len(case.weights))]

    def in_order(t):
        total = torch.zeros_like(t[:, :1])
        for k in range(t.shape[1]):
            total += t[:, k:k + 1]
        return total

    h = normalized(case, x, values, f32, in_order)
    out = []
    for l in range(len(case.weights)):
        w = weight(case, values, l, f32).t().contiguous()
        y = torch.zeros(x.shape[0], w.shape[1], device=x.device)
        for k in range(case.k):
            y.addcmul_(h[:, k:k + 1], w[k:k + 1])
        out.append((y + bias(case, values, l, f32)).to(case.dtype))
    return out


def rms(t):
    return t.pow(2).mean(-1)


def row_errors(y, ref):
    """Relative error of every row; absolute where the reference is zero."""
    error, size = (y.double() - ref).norm(dim=1), ref.norm(dim=1)
    return torch.where(size > 0, error / size.clamp_min(1e-300), error)


def group_errors(y, ref):
    """Worst error of aligned groups of 8 outputs, relative to the larger of the
    group's and the row's RMS; absolute where the row's reference is zero."""
    n = ref.shape[1]
    pad = -n % 8
    count = torch.full((1, (n + pad) // 8), 8.0, device=ref.device, dtype=torch.float64)
    count[0, -1] = 8 - pad
    padded = [torch.nn.functional.pad(t, (0, pad)).view(ref.shape[0], -1, 8).pow(2).sum(2) / count
              for t in (y.double() - ref, ref)]
    error, size = padded[0].sqrt(), padded[1].sqrt()
    size = torch.maximum(size, ref.pow(2).mean(1, keepdim=True).sqrt())
    return torch.where(size > 0, error / size.clamp_min(1e-300), error).amax(1)


def element_errors(case, y, ref, spread):
    """Worst error of single elements in units of their bound."""
    digits, least = DIGITS[case.dtype]
    exponent = torch.floor(torch.log2(ref.abs().clamp_min(2.0**least)))
    bound = 2 * torch.exp2(exponent - digits) + 8 * unit(case) * spread
    return ((y.double() - ref).abs() / bound).amax(1)
