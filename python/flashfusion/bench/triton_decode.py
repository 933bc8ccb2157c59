# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same algorithm as the decode kernels, as one would write it in Triton: the weights are
read once, the row's statistics ride along (RMSNorm) or come from a first sweep over the
row (LayerNorm), a gated pair of Linears shares one kernel. For comparison only."""

import triton
import triton.language as tl

CONFIGS = [triton.Config({"BN": bn, "BK": bk}, num_warps=w, num_stages=s)
           for bn, bk, w, s in ((16, 256, 4, 4), (16, 512, 4, 3), (32, 128, 4, 5), (32, 256, 4, 4),
                                (64, 128, 4, 4), (64, 64, 4, 5), (128, 64, 4, 4))]


@triton.autotune(configs=CONFIGS, key=["M", "N", "K", "PAIR"])
@triton.jit
def _kernel(x, gain, shift, w, w2, bias, out, M, N, K: tl.constexpr, eps, offset,
            LAYER: tl.constexpr, BIAS: tl.constexpr, ACT: tl.constexpr, PAIR: tl.constexpr,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    row_ok, column_ok = rows[:, None] < M, columns[:, None] < N
    mean = tl.zeros([BM], tl.float32)
    scale = tl.zeros([BM], tl.float32)
    if LAYER:
        squares = tl.zeros([BM], tl.float32)
        for at in range(0, K, BK):
            inside = at + k < K
            h = tl.load(x + rows[:, None] * K + at + k[None, :], mask=row_ok & inside[None, :],
                        other=0.0).to(tl.float32)
            mean += tl.sum(h, 1)
            squares += tl.sum(h * h, 1)
        mean = mean / K
        scale = tl.rsqrt(squares / K - mean * mean + eps)
    a = tl.zeros([BM, BN], tl.float32)
    b = tl.zeros([BM, BN], tl.float32)
    squares = tl.zeros([BM], tl.float32)
    for at in range(0, K, BK):
        inside = at + k < K
        v = tl.load(w + columns[:, None] * K + at + k[None, :],
                    mask=column_ok & inside[None, :], other=0.0, eviction_policy="evict_first")
        h = tl.load(x + rows[:, None] * K + at + k[None, :], mask=row_ok & inside[None, :],
                    other=0.0).to(tl.float32)
        g = tl.load(gain + at + k, mask=inside, other=0.0).to(tl.float32) + offset
        if LAYER:
            s = tl.load(shift + at + k, mask=inside, other=0.0).to(tl.float32)
            h = (h - mean[:, None]) * scale[:, None] * g[None, :] + s[None, :]
        else:
            squares += tl.sum(h * h, 1)
            h = h * g[None, :]
        left = h.to(tl.bfloat16)
        a = tl.dot(left, tl.trans(v), a)
        if PAIR:
            u = tl.load(w2 + columns[:, None] * K + at + k[None, :],
                        mask=column_ok & inside[None, :], other=0.0, eviction_policy="evict_first")
            b = tl.dot(left, tl.trans(u), b)
    if not LAYER:
        factor = tl.rsqrt(squares / K + eps)
        a *= factor[:, None]
        b *= factor[:, None]
    if BIAS:
        a += tl.load(bias + columns, mask=columns < N, other=0.0).to(tl.float32)[None, :]
    if ACT == 1:
        a = a / (1 + tl.exp(-a))
    elif ACT == 2:
        a = 0.5 * a * (1 + tl.erf(a * 0.7071067811865476))
    elif ACT == 3:
        t = 0.7978845608028654 * (a + 0.044715 * a * a * a)
        a = a * (1 - 1 / (1 + tl.exp(2 * t)))
    if PAIR:
        a *= b
    tl.store(out + rows[:, None] * N + columns[None, :], a.to(tl.bfloat16),
             mask=row_ok & (columns[None, :] < N))


ACTIVATIONS = {"": 0, "swiglu": 1, "gelu": 2, "gelu_tanh": 3, "geglu": 3}


def run(case, x, gain, shift, weights, bias, out):
    """One launch. weights: one tensor, or a pair for a gated activation."""
    pair = len(weights) == 2
    rows, n = x.shape[0], weights[0].shape[0]
    _kernel[lambda meta: (triton.cdiv(n, meta["BN"]),)](
        x, gain, shift if shift is not None else gain, weights[0],
        weights[1] if pair else weights[0], bias if bias is not None else gain, out, rows, n,
        case.k, 1e-5, case.offset, LAYER=case.norm == "layer_norm", BIAS=bias is not None,
        ACT=ACTIVATIONS[case.act], PAIR=pair, BM=max(16, triton.next_power_of_2(rows)))
