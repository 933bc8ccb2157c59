#!/usr/bin/env python3
"""Exports normalization + Linear modules from PyTorch to linalg-on-tensors MLIR.

The files that this script writes are the frontend inputs of the test suite: what
torch.export and torch-mlir really hand to a compiler, not what somebody thinks
they hand over. They are committed, so the tests need neither package. Only
changing or adding a case does:

    python3.11 -m venv venv
    venv/bin/pip install torch==2.15.0 torch-mlir==20261001 ml_dtypes
    venv/bin/python export.py [--out DIR] [--mlir-opt MLIR_OPT] [NAME...]

Without a NAME every case is written; --list prints the names. Each case becomes
DIR/NAME.mlir (DIR: the folder "export" beside this script), one function named
like the case. With --mlir-opt each file is also parsed and verified by that
mlir-opt, which knows nothing of torch-mlir's own dialects. The output is a
function of the case and of the two package versions alone.

Unless a case says `constants=True`, the parameters are arguments of the
function: first the activations, then the parameters in the order of
Module.named_parameters(). The comment that opens each file names them.
"""

import argparse
import importlib.metadata
import inspect
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import nn
from torch_mlir import fx
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

F32, BF16, F16 = torch.float32, torch.bfloat16, torch.float16
DTYPE_NAME = {F32: "f32", BF16: "bf16", F16: "f16"}

# Dialects that a stock mlir-opt registers and that a fusion input may hold.
ALLOWED_DIALECTS = {"affine", "arith", "cf", "func", "linalg", "math", "ml_program", "tensor"}


# ---------------------------------------------------------------------------
# Norms, as the model sources spell them.
# ---------------------------------------------------------------------------


class LlamaRMSNorm(nn.Module):
    """Llama, Mistral, Qwen: weight * cast(x_f32 * rsqrt(mean(x_f32^2) + eps))."""

    def __init__(self, hidden, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))
        self.eps = eps

    def forward(self, x):
        dtype = x.dtype
        x = x.to(torch.float32)
        variance = x.pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + self.eps)
        return self.weight * x.to(dtype)


class GemmaRMSNorm(nn.Module):
    """Gemma: cast(norm(x_f32) * (1 + weight_f32)); the cast comes last."""

    def __init__(self, hidden, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(hidden))
        self.eps = eps

    def forward(self, x):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + self.eps)
        y = y * (1.0 + self.weight.float())
        return y.type_as(x)


class T5LayerNorm(nn.Module):
    """T5: the statistics are f32 but the product takes the uncast x."""

    def __init__(self, hidden, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))
        self.eps = eps

    def forward(self, x):
        variance = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + self.eps)
        if self.weight.dtype in (torch.float16, torch.bfloat16):
            x = x.to(self.weight.dtype)
        return self.weight * x


class SquareSumRMSNorm(nn.Module):
    """A hand-written spelling: x / sqrt(sum(x * x) / K + eps) * weight."""

    def __init__(self, hidden, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))
        self.eps = eps

    def forward(self, x):
        total = (x * x).sum(-1, keepdim=True)
        return x / torch.sqrt(total / x.shape[-1] + self.eps) * self.weight


class ManualLayerNorm(nn.Module):
    """A hand-written spelling: mean, centre, mean of squares, sqrt, divide."""

    def __init__(self, hidden, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        centred = x - mean
        variance = (centred * centred).mean(-1, keepdim=True)
        return self.weight * (centred / torch.sqrt(variance + self.eps)) + self.bias


# ---------------------------------------------------------------------------
# Projections and whole modules.
# ---------------------------------------------------------------------------


class Conv1D(nn.Module):
    """GPT-2's projection: addmm with the weight stored as [in, out]."""

    def __init__(self, out_features, in_features):
        super().__init__()
        self.out_features = out_features
        self.weight = nn.Parameter(torch.randn(in_features, out_features) * 0.02)
        self.bias = nn.Parameter(torch.zeros(out_features))

    def forward(self, x):
        size = x.size()[:-1] + (self.out_features,)
        return torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight).view(size)


class NormLinear(nn.Module):
    """One norm, one projection."""

    def __init__(self, norm, linear):
        super().__init__()
        self.norm = norm
        self.linear = linear

    def forward(self, x):
        return self.linear(self.norm(x))


class RMSNormQKV(nn.Module):
    """The head of a Llama attention block: one norm, three projections."""

    def __init__(self, hidden, q, kv):
        super().__init__()
        self.input_layernorm = LlamaRMSNorm(hidden)
        self.q_proj = nn.Linear(hidden, q, bias=False)
        self.k_proj = nn.Linear(hidden, kv, bias=False)
        self.v_proj = nn.Linear(hidden, kv, bias=False)

    def forward(self, x):
        x = self.input_layernorm(x)
        return self.q_proj(x), self.k_proj(x), self.v_proj(x)


class GPT2Attn(nn.Module):
    """The head of a GPT-2 block: LayerNorm, then c_attn; `split` cuts it in q, k, v."""

    def __init__(self, hidden, split=False):
        super().__init__()
        self.ln_1 = nn.LayerNorm(hidden, eps=1e-5)
        self.c_attn = Conv1D(3 * hidden, hidden)
        self.hidden = hidden
        self.split = split

    def forward(self, x):
        y = self.c_attn(self.ln_1(x))
        return y.split(self.hidden, dim=-1) if self.split else y


class GateUp(nn.Module):
    """The head of a gated MLP: one norm, gate and up; `act` multiplies them."""

    def __init__(self, norm, hidden, intermediate, act=None):
        super().__init__()
        self.norm = norm
        self.gate_proj = nn.Linear(hidden, intermediate, bias=False)
        self.up_proj = nn.Linear(hidden, intermediate, bias=False)
        self.act = act

    def forward(self, x):
        x = self.norm(x)
        gate, up = self.gate_proj(x), self.up_proj(x)
        return self.act(gate) * up if self.act else (gate, up)


class FunctionalRMSNormLinear(nn.Module):
    """F.rms_norm without a module of its own."""

    def __init__(self, hidden, out_features, eps):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(hidden))
        self.linear = nn.Linear(hidden, out_features, bias=False)
        self.eps = eps

    def forward(self, x):
        return self.linear(F.rms_norm(x, (x.shape[-1],), self.gamma, self.eps))


class ResidualRMSNormLinear(nn.Module):
    """residual + x feeds both the norm and the block's result."""

    def __init__(self, hidden, out_features):
        super().__init__()
        self.norm = LlamaRMSNorm(hidden)
        self.linear = nn.Linear(hidden, out_features, bias=False)

    def forward(self, x, residual):
        h = x + residual
        return self.linear(self.norm(h)), h


class NormReturned(nn.Module):
    """The normalized activations are a result too: they must be materialised."""

    def __init__(self, hidden, out_features):
        super().__init__()
        self.norm = LlamaRMSNorm(hidden)
        self.linear = nn.Linear(hidden, out_features, bias=False)

    def forward(self, x):
        y = self.norm(x)
        return self.linear(y), y


def new_gelu(x):
    """GPT-2's gelu, written out as in its sources."""
    return 0.5 * x * (1.0 + torch.tanh((2.0 / torch.pi)**0.5 * (x + 0.044715 * torch.pow(x, 3.0))))


class MLPBlock(nn.Module):
    """x + down(act(up(norm(x)))), or with a gate x + down(act(gate(n)) * up(n)), n = norm(x)."""

    def __init__(self, norm, hidden, intermediate, act, gated=False, bias=False):
        super().__init__()
        self.norm, self.act = norm, act
        if gated:
            self.gate_proj = nn.Linear(hidden, intermediate, bias=bias)
        self.up_proj = nn.Linear(hidden, intermediate, bias=bias)
        self.down_proj = nn.Linear(intermediate, hidden, bias=bias)
        self.gated = gated

    def forward(self, x):
        n = self.norm(x)
        if self.gated:
            return x + self.down_proj(self.act(self.gate_proj(n)) * self.up_proj(n))
        return x + self.down_proj(self.act(self.up_proj(n)))


class OutputProjection(nn.Module):
    """What follows attention: a Linear without a norm, and the residual."""

    def __init__(self, hidden, bias=False):
        super().__init__()
        self.o_proj = nn.Linear(hidden, hidden, bias=bias)

    def forward(self, attention, residual):
        return residual + self.o_proj(attention)


class GroupNormLinear(nn.Module):
    """Not fusible: the statistics run over parts of a row."""

    def __init__(self, groups, hidden, out_features):
        super().__init__()
        self.norm = nn.GroupNorm(groups, hidden)
        self.linear = nn.Linear(hidden, out_features)

    def forward(self, x):
        return self.linear(self.norm(x))


class SoftmaxLinear(nn.Module):
    """Not a norm: softmax over the row, then a projection."""

    def __init__(self, hidden, out_features):
        super().__init__()
        self.linear = nn.Linear(hidden, out_features, bias=False)

    def forward(self, x):
        return self.linear(F.softmax(x, dim=-1))


class SequenceNormLinear(nn.Module):
    """Not fusible: the mean square runs over the sequence, not over the hidden size."""

    def __init__(self, hidden, out_features):
        super().__init__()
        self.linear = nn.Linear(hidden, out_features, bias=False)

    def forward(self, x):
        x = x * torch.rsqrt(x.pow(2).mean(-2, keepdim=True) + 1e-6)
        return self.linear(x)


# ---------------------------------------------------------------------------
# Cases.
# ---------------------------------------------------------------------------


@dataclass
class Case:
    name: str
    build: Callable[[], nn.Module]
    shapes: Sequence[Sequence]  # one per activation; a str is a dynamic dimension
    dtype: torch.dtype
    source: str  # what `build` evaluates, for the header
    constants: bool = False  # the parameters stay in the module, as constants
    negative: bool = False  # nothing here may be fused
    decompositions: str = "torch-mlir"  # see decomposition_table


CASES = {}

# The sizes that torch.export sees for the dynamic dimensions, and their bounds.
EXAMPLE_SIZE = {"batch": 3, "seq": 7, "tokens": 7}
MAX_SIZE = {"batch": 1 << 10, "seq": 1 << 17, "tokens": 1 << 20}


def case(name, source, *shapes, dtypes=(F32,), **options):
    """Registers NAME_DTYPE for each dtype; `source` is the module's constructor call."""
    for dtype in dtypes:
        full = f"{name}_{DTYPE_NAME[dtype]}"
        assert full not in CASES, full
        build = lambda: eval(source, globals())
        CASES[full] = Case(full, build, shapes, dtype, source, **options)


ALL = (F32, BF16, F16)

# Llama: RMSNorm + q, k, v. GPT-2: LayerNorm + c_attn.
LLAMA = "RMSNormQKV(hidden=512, q=512, kv=128)"
case("llama_rmsnorm_qkv_static", LLAMA, (1, 7, 512), dtypes=ALL)
case("llama_rmsnorm_qkv_dynseq", LLAMA, (1, "seq", 512), dtypes=ALL)
case("llama_rmsnorm_qkv_linear_dynseq", LLAMA, (1, "seq", 512),
     dtypes=(F32, BF16), decompositions="keep-linear")
case("llama_rmsnorm_qkv_linear_dynbatchseq", LLAMA, ("batch", "seq", 512),
     dtypes=(F32, BF16), decompositions="keep-linear")
case("llama_rmsnorm_qkv_2d", LLAMA, ("tokens", 512), dtypes=(F32, BF16))
case("llama_rmsnorm_qkv_batch", LLAMA, (2, 5, 512), dtypes=(F32,))

GPT2 = "GPT2Attn(hidden=256)"
case("gpt2_layernorm_c_attn_static", GPT2, (1, 7, 256), dtypes=ALL)
case("gpt2_layernorm_c_attn_dynseq", GPT2, (1, "seq", 256), dtypes=ALL)
case("gpt2_layernorm_c_attn_2d", GPT2, ("tokens", 256), dtypes=(F32,))
case("gpt2_layernorm_c_attn_split", "GPT2Attn(hidden=256, split=True)",
     (2, "seq", 256), dtypes=(BF16,))

# nn.LayerNorm + nn.Linear with bias, sizes that no tile divides.
RAGGED = "NormLinear(nn.LayerNorm(200, eps=1e-5), nn.Linear(200, 75))"
case("layernorm_linear_bias_ragged", RAGGED, (13, 200), dtypes=(F32, BF16))
case("layernorm_linear_bias_ragged_3d", RAGGED, (2, 5, 200), dtypes=(F32,))
case("layernorm_linear_bias_oddk",
     "NormLinear(nn.LayerNorm(97, eps=1e-5), nn.Linear(97, 75))",
     ("tokens", 97), dtypes=(F16,))
case("layernorm_noaffine_linear",
     "NormLinear(nn.LayerNorm(128, elementwise_affine=False), nn.Linear(128, 96))",
     ("tokens", 128), dtypes=(F32,))
case("layernorm_manual_linear",
     "NormLinear(ManualLayerNorm(128), nn.Linear(128, 96))",
     (1, "seq", 128), dtypes=(F32, BF16))

# Other spellings of RMSNorm.
case("nn_rmsnorm_linear",
     "NormLinear(nn.RMSNorm(256, eps=1e-6), nn.Linear(256, 192, bias=False))",
     (1, "seq", 256), dtypes=ALL)
case("nn_rmsnorm_default_eps_linear",
     "NormLinear(nn.RMSNorm(256), nn.Linear(256, 192, bias=False))",
     (9, 256), dtypes=(F32, BF16))
case("functional_rms_norm_linear",
     "FunctionalRMSNormLinear(hidden=256, out_features=192, eps=1e-5)",
     ("tokens", 256), dtypes=(F32, F16))
case("gemma_rmsnorm_gate_up",
     "GateUp(GemmaRMSNorm(256), hidden=256, intermediate=384)",
     (1, "seq", 256), dtypes=ALL)
case("llama_rmsnorm_gate_up_silu",
     "GateUp(LlamaRMSNorm(256), hidden=256, intermediate=384, act=F.silu)",
     (1, "seq", 256), dtypes=(BF16,))
case("t5_rmsnorm_linear",
     "NormLinear(T5LayerNorm(256), nn.Linear(256, 192, bias=False))",
     (1, 7, 256), dtypes=(F32, BF16))
case("square_sum_rmsnorm_linear",
     "NormLinear(SquareSumRMSNorm(256), nn.Linear(256, 192, bias=False))",
     ("tokens", 256), dtypes=(F32, BF16))

# Around the norm: a residual before it, a second user after it.
case("llama_rmsnorm_residual_linear", "ResidualRMSNormLinear(hidden=256, out_features=192)",
     (1, "seq", 256), (1, "seq", 256), dtypes=(BF16,))
case("llama_rmsnorm_returned_linear", "NormReturned(hidden=256, out_features=192)",
     ("tokens", 256), dtypes=(BF16,))

# Whole MLP blocks, and attention's output: activations, gates and residuals behind Linears.
case("llama_mlp_block",
     "MLPBlock(LlamaRMSNorm(64), hidden=64, intermediate=96, act=F.silu, gated=True)",
     (1, "seq", 64), dtypes=ALL)
case("gemma_mlp_block",
     "MLPBlock(GemmaRMSNorm(64), hidden=64, intermediate=96, "
     "act=nn.GELU(approximate='tanh'), gated=True)",
     (1, "seq", 64), dtypes=(BF16,))
case("gpt2_mlp_block",
     "MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=new_gelu, bias=True)",
     (2, 5, 64), dtypes=(F32, F16))
case("vit_mlp_block",
     "MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=F.gelu, bias=True)",
     ("batch", 5, 64), dtypes=(F32, BF16))
case("opt_mlp_block",
     "MLPBlock(nn.LayerNorm(64), hidden=64, intermediate=96, act=F.relu, bias=True)",
     ("tokens", 64), dtypes=(F16,))
case("residual_projection", "OutputProjection(hidden=64)",
     (1, "seq", 64), (1, "seq", 64), dtypes=(BF16,))
case("residual_projection_bias", "OutputProjection(hidden=64, bias=True)",
     (2, 5, 64), (2, 5, 64), dtypes=(F32,))

# The same modules with another choice of who decomposes an operator.
case("nn_rmsnorm_linear_core",
     "NormLinear(nn.RMSNorm(256, eps=1e-6), nn.Linear(256, 192, bias=False))",
     (1, "seq", 256), dtypes=(F32, BF16, F16), decompositions="core-rms-norm")
case("gpt2_layernorm_c_attn_addmm", GPT2, (1, "seq", 256),
     dtypes=(BF16, F16), decompositions="keep-addmm")
case("layernorm_linear_bias_ragged_addmm", RAGGED, (13, 200),
     dtypes=(F32, BF16), decompositions="keep-addmm")
case("layernorm_linear_bias_ragged_kept", RAGGED, (13, 200),
     dtypes=(F32, BF16), decompositions="keep-layer-norm")

# The parameters as dense constants of the module.
case("llama_rmsnorm_linear_constants",
     "NormLinear(LlamaRMSNorm(64), nn.Linear(64, 48, bias=False))",
     (5, 64), dtypes=(F32, BF16), constants=True)
case("layernorm_linear_constants",
     "NormLinear(nn.LayerNorm(64), nn.Linear(64, 48))",
     (5, 64), dtypes=(F32,), constants=True)

# Llama 3 8B's own sizes.
case("llama8b_rmsnorm_qkv_dynseq", "RMSNormQKV(hidden=4096, q=4096, kv=1024)",
     (1, "seq", 4096), dtypes=(BF16,))

# Nothing to fuse.
case("negative_groupnorm_linear", "GroupNormLinear(groups=4, hidden=32, out_features=24)",
     (5, 32), dtypes=(F32,), negative=True)
case("negative_softmax_linear", "SoftmaxLinear(hidden=128, out_features=96)",
     (1, "seq", 128), dtypes=(F32, BF16), negative=True)
case("negative_sequence_norm_linear", "SequenceNormLinear(hidden=128, out_features=96)",
     (1, "seq", 128), dtypes=(F32,), negative=True)


# ---------------------------------------------------------------------------
# Export.
# ---------------------------------------------------------------------------


def without(table, packet):
    return {op: fn for op, fn in table.items() if op._overloadpacket is not packet}


def decomposition_table(key):
    """Who takes an operator apart, PyTorch or torch-mlir, changes what comes out.

    torch-mlir      torch-mlir's own default: PyTorch decomposes native_layer_norm and
                    addmm, torch-mlir decomposes rms_norm (in the element type).
    core-rms-norm   PyTorch decomposes rms_norm too (in f32).
    keep-addmm      torch-mlir lowers addmm: the operands keep their element type.
    keep-layer-norm torch-mlir decomposes layer_norm.
    keep-linear     torch-mlir lowers linear: no view around a 2-D matmul, so the only
                    way for two dynamic dimensions at once. PyTorch would flatten them
                    with a view, which this torch-mlir lowers wrongly (it takes one of
                    them for 1: llvm/torch-mlir issue 4743).
    """
    aten = torch.ops.aten
    table = dict(get_decomposition_table())
    if key == "core-rms-norm":
        core = torch._decomp.core_aten_decompositions()
        table[aten.rms_norm.default] = core[aten.rms_norm.default]
    elif key == "keep-addmm":
        table = without(table, aten.addmm)
    elif key == "keep-layer-norm":
        table = without(without(table, aten.layer_norm), aten.native_layer_norm)
    elif key == "keep-linear":
        table = without(table, aten.linear)
    else:
        assert key == "torch-mlir", key
    return table


class Externalised(nn.Module):
    """Calls a module with its parameters taken from the arguments' tail."""

    def __init__(self, module, num_activations):
        super().__init__()
        # In a tuple, so that it is no submodule and its own parameters stay out.
        self.wrapped = (module,)
        self.names = [name for name, _ in module.named_parameters()]
        self.num_activations = num_activations

    def forward(self, *args):
        activations = args[: self.num_activations]
        parameters = dict(zip(self.names, args[self.num_activations :]))
        return torch.func.functional_call(self.wrapped[0], parameters, activations)


def randomise(module):
    """Small fixed values, so that constants are neither splats nor folded away."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            offset = 1.0 if parameter.dim() == 1 and name.endswith("weight") else 0.0
            noise = torch.rand(parameter.shape, generator=generator) - 0.5
            parameter.copy_(offset + 0.25 * noise)


def describe(tensor_shape, dtype):
    return f"{DTYPE_NAME[dtype]} [{', '.join(str(d) for d in tensor_shape)}]"


def export(c):
    """Returns the MLIR text of a case, header included."""
    torch.manual_seed(0)
    module = c.build().to(c.dtype).eval()
    if c.constants:
        randomise(module)

    dims = {d for shape in c.shapes for d in shape if isinstance(d, str)}
    dims = {d: torch.export.Dim(d, min=2, max=MAX_SIZE[d]) for d in sorted(dims)}
    inputs = [torch.zeros([EXAMPLE_SIZE.get(d, d) for d in s], dtype=c.dtype) for s in c.shapes]
    specs = [{i: dims[d] for i, d in enumerate(s) if isinstance(d, str)} for s in c.shapes]
    names = list(inspect.signature(module.forward).parameters)
    arguments = [f"{n}: {describe(s, c.dtype)}" for n, s in zip(names, c.shapes)]

    if c.constants:
        target, dynamic_shapes = module, tuple(specs)
    else:
        parameters = list(module.named_parameters())
        target = Externalised(module, len(inputs))
        inputs += [p.detach() for _, p in parameters]
        specs += [None] * len(parameters)
        dynamic_shapes = (tuple(specs),)
        arguments += [f"{n}: {describe(p.shape, p.dtype)}" for n, p in parameters]

    mlir = fx.export_and_import(
        target,
        *inputs,
        dynamic_shapes=dynamic_shapes if dims else None,
        decomposition_table=decomposition_table(c.decompositions),
        output_type="linalg-on-tensors",
        func_name=c.name,
    )
    text = str(mlir)
    # The printer leaves a blank after some attributes, and blank lines at the end.
    text = "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n"

    header = [
        f"torch {torch.__version__.split('+')[0]}, "
        f"torch-mlir {importlib.metadata.version('torch-mlir')}, linalg-on-tensors.",
        f"Written by: python export.py {c.name}",
        f"Module: {c.source}",
        *[f"%arg{i} = {a}" for i, a in enumerate(arguments)],
    ]
    if c.decompositions != "torch-mlir":
        header.append(f"Decompositions: {c.decompositions}.")
    if c.constants:
        header.append("The parameters are constants of the module.")
    if c.negative:
        header.append("Negative: there is no norm + Linear chain to fuse.")
    return "".join(f"// {line}\n" for line in header) + "\n" + text


def check(text, path, mlir_opt):
    """Stops if the text holds an unexpected dialect or mlir_opt rejects the file."""
    body = re.sub(r'"[^"]*"', "", "\n".join(l.split("//")[0] for l in text.splitlines()))
    ops = re.findall(r"(?:^|=)\s*([a-z_]+)\.[a-z_]+", body, re.M)
    if unknown := set(ops) - ALLOWED_DIALECTS:
        sys.exit(f"{path}: unexpected dialects {sorted(unknown)}")
    if mlir_opt:
        subprocess.run([mlir_opt, str(path), "-o", "/dev/null"], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent / "export")
    parser.add_argument("--mlir-opt", help="also parse each file with this mlir-opt")
    parser.add_argument("--list", action="store_true", help="print the cases' names")
    args = parser.parse_args()

    if unknown := [n for n in args.names if n not in CASES]:
        parser.error(f"no such case: {', '.join(unknown)} (--list prints them)")
    if args.list:
        print("\n".join(CASES))
        return
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.names or CASES:
        text = export(CASES[name])
        path = args.out / f"{name}.mlir"
        path.write_text(text)
        check(text, path, args.mlir_opt)
        print(f"{path.name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
