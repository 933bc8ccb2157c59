# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The norm-fed Linears of real models, and their programs."""

from typing import List, NamedTuple, Tuple


class Case(NamedTuple):
    name: str
    model: str
    k: int
    n: Tuple[int, ...]       # widths of the Linears that share the norm
    norm: str = "rms_norm"   # or layer_norm, with gain and shift
    bias: bool = False
    act: str = ""            # swiglu (a pair of Linears), gelu, gelu_tanh, geglu (tanh, a pair)
    offset: float = 0.0      # of the gain

    @property
    def weight_bytes(self) -> int:
        return 2 * self.k * sum(self.n)

    def moved_bytes(self, rows: int) -> int:
        """What has to be read and written at least."""
        out = self.n[0] if self.act else sum(self.n)
        vectors = (2 if self.norm == "layer_norm" else 1) * self.k
        return self.weight_bytes + 2 * (rows * (self.k + out) + vectors
                                        + (sum(self.n) if self.bias else 0))

    def mlir(self) -> str:
        return program(self)


def _decoder(model: str, k: int, qkv: Tuple[int, ...], ffn: int, words: int,
             act: str = "swiglu", offset: float = 0.0) -> List[Case]:
    return [Case(f"{model} qkv", model, k, qkv, offset=offset),
            Case(f"{model} gate+up", model, k, (ffn, ffn), act=act, offset=offset),
            Case(f"{model} head", model, k, (words,), offset=offset)]


def _encoder(model: str, k: int, ffn: int, act: str, words: int = 0) -> List[Case]:
    found = [Case(f"{model} qkv", model, k, (3 * k,), "layer_norm", True),
             Case(f"{model} fc1", model, k, (ffn,), "layer_norm", True, act)]
    if words:
        found.append(Case(f"{model} head", model, k, (words,), "layer_norm"))
    return found


CASES: List[Case] = [
    *_decoder("Llama-3.2-1B", 2048, (2048, 512, 512), 8192, 128256),
    *_decoder("Llama-3-8B", 4096, (4096, 1024, 1024), 14336, 128256),
    *_decoder("Llama-3-70B/8", 8192, (1024, 128, 128), 3584, 16032),
    *_decoder("Qwen3-0.6B", 1024, (2048, 1024, 1024), 3072, 151936),
    *_decoder("Qwen3-4B", 2560, (4096, 1024, 1024), 9728, 151936),
    *_decoder("Qwen3-8B", 4096, (4096, 1024, 1024), 12288, 151936),
    *_decoder("Gemma-2-9B", 3584, (4096, 2048, 2048), 14336, 256000, "geglu", 1.0),
    *_encoder("GPT-2-124M", 768, 3072, "gelu_tanh", 50257),
    *_encoder("GPT-2-1.5B", 1600, 6400, "gelu_tanh", 50257),
    *_encoder("ViT-L", 1024, 4096, "gelu"),
    *_encoder("Whisper-large", 1280, 5120, "gelu"),
]

_EXTRA = [Case("8192^3", "", 8192, (8192,)), Case("1024x3072", "", 1024, (3072,))]

#: A dependent chain: layers of this shape, each on the result of the one before.
CHAIN = Case("chain of 12", "", 4096, (4096,))
CHAIN_LAYERS = 12

#: A few that stand for all: what a change is judged by.
GATE = {
    "decode": ["Llama-3-8B qkv", "Llama-3-8B gate+up", "Llama-3.2-1B qkv", "Llama-3.2-1B gate+up",
               "Qwen3-0.6B gate+up", "GPT-2-124M qkv", "Whisper-large qkv", "Llama-3-70B/8 qkv",
               "Llama-3.2-1B head"],
    "prefill": ["Llama-3-8B qkv", "Llama-3-8B gate+up", "Llama-3.2-1B qkv", "GPT-2-1.5B fc1",
                "ViT-L qkv", "Whisper-large qkv", "8192^3"],
}
ROWS = {"decode": [1, 2, 4, 8, 16, 32, 64],
        "prefill": [128, 256, 512, 1000, 1024, 2048, 4096, 8192]}
CHAIN_ROWS = [1, 8, 16, 64]
GATE_ROWS = {"decode": [1, 8, 64], "prefill": [256, 1000, 1024, 4096, 8192]}


def select(kind: str, which: str) -> List[Case]:
    """which: "gate", "all", or names (or parts of them) separated by commas."""
    known = CASES + _EXTRA
    if which == "all":
        return [c for c in known if kind == "decode" or not c.name.endswith("head")]
    if which == "gate":
        return [next(c for c in known if c.name == name) for name in GATE[kind]]
    return [c for c in known if any(part.strip() in c.name for part in which.split(","))]


def program(case: Case) -> str:
    """MLIR: the norm with its Linears, and what follows in linalg."""
    k = case.k
    arguments, types = ["%x", "%g"], [f"tensor<?x{k}xbf16>", f"tensor<{k}xbf16>"]
    text = f"ff.norm_linear {case.norm}(%x) gain(%g)"
    if case.norm == "layer_norm":
        arguments.append("%s")
        types.append(f"tensor<{k}xbf16>")
        text += " shift(%s)"
    weights = [f"%w{i}" for i in range(len(case.n))]
    arguments += weights
    types += [f"tensor<{n}x{k}xbf16>" for n in case.n]
    text += f" weights({', '.join(weights)})"
    attributes = ["eps = 1.0e-05 : f64",
                  f"layouts = [{', '.join(['#ff.layout<nk>'] * len(case.n))}]"]
    if case.offset:
        attributes.append(f"gain_offset = {case.offset:.1f} : f64")
    if case.bias:
        biases = [f"%b{i}" for i in range(len(case.n))]
        arguments += biases
        types += [f"tensor<{n}xbf16>" for n in case.n]
        text += f" biases({', '.join(biases)})"
        attributes.append(f"bias_of = array<i64: {', '.join(map(str, range(len(case.n))))}>")
    outs = [f"tensor<?x{n}xbf16>" for n in case.n]
    many = len(outs) > 1
    lines = [f"%r{f':{len(outs)}' if many else ''} = {text} {{{', '.join(attributes)}}}",
             f"  : ({', '.join(types)}) -> ({', '.join(outs)})"]
    results = [f"%r#{i}" for i in range(len(outs))] if many else ["%r"]
    if case.act:
        lines += _activation(case.act, results, outs[0])
        results, outs = ["%y"], outs[:1]
    signature = ", ".join(f"{a}: {t}" for a, t in zip(arguments, types))
    body = "\n".join("  " + line for line in lines)
    return (f"func.func @main({signature}) -> ({', '.join(outs)}) {{\n{body}\n"
            f"  return {', '.join(results)} : {', '.join(outs)}\n}}\n")


def _activation(act: str, inputs: List[str], of: str) -> List[str]:
    bodies = {
        "silu": ["%n = arith.negf %f : f32", "%e = math.exp %n : f32",
                 "%d = arith.addf %e, %one : f32", "%a = arith.divf %f, %d : f32"],
        "gelu": ["%h = arith.mulf %f, %half : f32", "%q = arith.mulf %f, %root : f32",
                 "%e = math.erf %q : f32", "%d = arith.addf %e, %one : f32",
                 "%a = arith.mulf %h, %d : f32"],
        "gelu_tanh": ["%h = arith.mulf %f, %half : f32", "%q = arith.mulf %f, %f : f32",
                      "%c = arith.mulf %q, %f : f32", "%p = arith.mulf %c, %cube : f32",
                      "%s0 = arith.addf %f, %p : f32", "%t = arith.mulf %s0, %beta : f32",
                      "%e = math.tanh %t : f32", "%d = arith.addf %e, %one : f32",
                      "%a = arith.mulf %h, %d : f32"]}
    pair = act in ("swiglu", "geglu")
    body = bodies[{"swiglu": "silu", "geglu": "gelu_tanh"}.get(act, act)]
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * (3 if pair else 2))
    arguments = "%in: bf16, %up: bf16" if pair else "%in: bf16"
    tail = (["%u = arith.extf %up : bf16 to f32", "%g0 = arith.mulf %a, %u : f32",
             "%o = arith.truncf %g0 : f32 to bf16"] if pair
            else ["%o = arith.truncf %a : f32 to bf16"])
    constants = [f"%{name} = arith.constant {value} : f32" for name, value in (
        ("one", "1.0"), ("half", "0.5"), ("root", "0.70710678118654752"), ("cube", "0.044715"),
        ("beta", "0.79788456080286536"))]
    return ["%c0 = arith.constant 0 : index", *constants,
            f"%m = tensor.dim {inputs[0]}, %c0 : {of}",
            f"%empty = tensor.empty(%m) : {of}",
            f"%y = linalg.generic {{indexing_maps = [{maps}], "
            'iterator_types = ["parallel", "parallel"]} '
            f"ins({', '.join(inputs)} : {', '.join([of] * len(inputs))}) outs(%empty : {of}) {{",
            f"^bb0({arguments}, %out: bf16):", "  %f = arith.extf %in : bf16 to f32",
            *["  " + line for line in body + tail], "  linalg.yield %o : bf16", f"}} -> {of}"]
