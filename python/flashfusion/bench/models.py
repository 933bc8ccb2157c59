# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m flashfusion.bench.models [MODEL ...]

Whole models from transformers, random weights: what the torch.compile backend fuses, whether
the logits are as good as eager's, and how long one step takes, in a CUDA graph, against eager and
torch.compile. Decoders: one token per sequence at empty context, one behind a StaticCache, and a
prompt; encoders: a batch. Results are appended to the JSON file.
"""

import argparse
import functools
import sys
import time
from collections import Counter
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import measure, report

Chains = Tuple[Tuple[str, int], ...]  # (norm, Linears that it feeds), once per layer


class Model(NamedTuple):
    config: str            # class in transformers
    settings: Dict[str, Any]
    layers: int
    chains: Chains         # of a layer
    last: Chains = ()      # behind the layers
    kind: str = "decoder"


_LLAMA: Chains = (("rms_norm", 3), ("rms_norm", 2))
_HEAD: Chains = (("rms_norm", 1),)
_GPT2: Chains = (("layer_norm", 1), ("layer_norm", 1))


def _llama(width: int, ffn: int, heads: int, groups: int, layers: int, words: int,
           **more: Any) -> Dict[str, Any]:
    return dict(hidden_size=width, intermediate_size=ffn, num_attention_heads=heads,
                num_key_value_heads=groups, num_hidden_layers=layers, vocab_size=words, **more)


#: The chains that each model must have fused.
MODELS: Dict[str, Model] = {
    "Llama-3.2-1B": Model("LlamaConfig", _llama(2048, 8192, 32, 8, 16, 128256, head_dim=64,
                                                tie_word_embeddings=True), 16, _LLAMA, _HEAD),
    "Llama-3-8B": Model("LlamaConfig", _llama(4096, 14336, 32, 8, 32, 128256), 32, _LLAMA, _HEAD),
    "Qwen3-0.6B": Model("Qwen3Config", _llama(1024, 3072, 16, 8, 28, 151936, head_dim=128,
                                              tie_word_embeddings=True), 28, _LLAMA, _HEAD),
    "Qwen3-4B": Model("Qwen3Config", _llama(2560, 9728, 32, 8, 36, 151936, head_dim=128,
                                            tie_word_embeddings=True), 36, _LLAMA, _HEAD),
    "Gemma-2-2B": Model("Gemma2Config", _llama(2304, 9216, 8, 4, 26, 256000, head_dim=256), 26,
                        _LLAMA, _HEAD),
    "GPT-2": Model("GPT2Config", dict(n_embd=768, n_layer=12, n_head=12), 12, _GPT2,
                   (("layer_norm", 1),)),
    "ViT-L": Model("ViTConfig", dict(hidden_size=1024, intermediate_size=4096,
                                     num_hidden_layers=24, num_attention_heads=16), 24,
                   (("layer_norm", 3), ("layer_norm", 1)), (), "vision"),
    "Whisper-large": Model("WhisperConfig", dict(d_model=1280, encoder_layers=32,
                                                 encoder_attention_heads=20,
                                                 encoder_ffn_dim=5120, num_mel_bins=128,
                                                 decoder_layers=1, decoder_attention_heads=20), 32,
                           (("layer_norm", 3), ("layer_norm", 1)), (), "audio"),
}


def expected(model: Model, layers: int) -> Counter:
    return Counter(model.chains * layers + model.last)


def build(model: Model, layers: int, device: str, dtype: Any) -> Any:
    """A model with random weights and norms that are not ones."""
    import torch
    import transformers
    settings = dict(model.settings)
    for name in ("num_hidden_layers", "n_layer", "encoder_layers"):
        if name in settings:
            settings[name] = layers
    config = getattr(transformers, model.config)(**settings)
    torch.manual_seed(0)
    with torch.device(device):
        if model.kind == "decoder":
            made = transformers.AutoModelForCausalLM.from_config(config)
        elif model.kind == "vision":
            made = transformers.ViTModel(config, add_pooling_layer=False)
        else:
            made = transformers.WhisperModel(config).get_encoder()
    for parameter in made.parameters():
        if parameter.ndim == 1:
            parameter.data += torch.randn_like(parameter) * 0.1
    return made.to(dtype).eval()


class Shape(NamedTuple):
    """Of a decoder's step. With `context`, behind a StaticCache of so many positions."""
    batch: int
    tokens: int
    context: int = 0

    @staticmethod
    def parse(text: str) -> "Shape":
        size, _, context = text.partition("@")
        batch, _, tokens = size.partition("x")
        return Shape(int(batch), int(tokens), int(context or 0))


def inputs_for(model: Model, made: Any, shape: Shape, device: str, room: int) -> Dict[str, Any]:
    """Equal tokens at every call. A cache is filled by eager, up to `room` positions."""
    import torch
    dtype, batch = next(made.parameters()).dtype, shape.batch
    torch.manual_seed(1)
    if model.kind == "decoder":
        words = made.config.vocab_size
        found = {"input_ids": torch.randint(0, words, (batch, shape.tokens), device=device),
                 "use_cache": False}
        if shape.context:
            from transformers import StaticCache
            cache = StaticCache(config=made.config, max_cache_len=shape.context)
            made(input_ids=torch.randint(0, words, (batch, shape.context - room), device=device),
                 past_key_values=cache, use_cache=True)
            found.update(past_key_values=cache, use_cache=True)
        return found
    if model.kind == "vision":
        return {"pixel_values": torch.randn(batch, 3, 224, 224, device=device, dtype=dtype)}
    return {"input_features": torch.randn(batch, made.config.num_mel_bins, 3000, device=device,
                                          dtype=dtype)}


def rewind(inputs: Dict[str, Any], room: int) -> None:
    """Back to where inputs_for left the cache; every step moves it on."""
    cache = inputs.get("past_key_values")
    for layer in cache.layers if cache is not None else []:
        layer.cumulative_length.fill_(layer.max_cache_len - room)
        _recount(layer, room)


def _recount(layer: Any, room: int) -> None:
    """Sliding windows count in Python, too, and a new number there is a new graph."""
    if hasattr(layer, "cumulative_length_int"):
        layer.cumulative_length_int = layer.max_cache_len - room


def step(function: Any, inputs: Dict[str, Any], room: int) -> Any:
    cache = inputs.get("past_key_values")
    for layer in cache.layers if cache is not None else []:
        _recount(layer, room)
    return function(**inputs)


def layers_of(made: Any) -> List[Any]:
    """Its longest list of modules."""
    import torch
    return max((list(m) for m in made.modules() if isinstance(m, torch.nn.ModuleList)), key=len)


def output_of(result: Any) -> Any:
    return result.logits if hasattr(result, "logits") else result.last_hidden_state


def compare(model: Model, made: Any, ours: Any, shape: Shape, layers: int, device: str,
            room: int) -> Dict[str, Any]:
    """Errors of eager and of the backend against the model in f32, and whether the greedy
    choices are equal wherever eager's error leaves no doubt about them."""
    import torch
    exact = build(model, layers, device, torch.float32)
    values = made.state_dict()
    for name, value in exact.state_dict().items():  # one by one: a copy of all takes much memory
        value.copy_(values[name])
    inputs = inputs_for(model, made, shape, device, room)
    eager = output_of(made(**inputs)).double()
    wide = (inputs_for(model, exact, shape, device, room) if shape.context else
            {k: v.float() if torch.is_tensor(v) and v.is_floating_point() else v
             for k, v in inputs.items()})
    reference, ours = output_of(exact(**wide)).double(), ours.double()
    del exact
    scale = reference.norm()
    found = {"eager error": ((eager - reference).norm() / scale).item(),
             "our error": ((ours - reference).norm() / scale).item()}
    top = reference.topk(2, dim=-1)
    margin = top.values[..., 0] - top.values[..., 1]
    sure = margin > 4 * (eager - reference).abs().amax(dim=-1)
    found["sure choices"] = int(sure.sum())
    found["equal choices"] = int((ours.argmax(-1) == top.indices[..., 0])[sure].sum())
    return found


def kernels_of(graph: Any) -> List[Tuple[str, int, float]]:
    """Name, launches and microseconds of every kernel of one replay, the longest first."""
    import torch
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        graph.replay()
        torch.cuda.synchronize()
    found = [(e.key, e.count, e.self_device_time_total) for e in profiled.key_averages()
             if e.self_device_time_total]
    return sorted(found, key=lambda line: -line[2])


def run(name: str, shape: Shape, options: argparse.Namespace) -> Dict[str, Any]:
    import torch

    import flashfusion.torch
    model = MODELS[name]
    layers = options.layers or model.layers
    made = build(model, layers, options.device, getattr(torch, options.dtype))
    room = 2 * options.rounds + 8  # steps that one cache takes
    own = {"flashfusion.packed": options.packed, "flashfusion.cpu": options.device == "cpu",
           "flashfusion.always": options.always}
    # Many layers of one model are one function, compiled once each.
    torch._dynamo.config.recompile_limit = 64
    line: Dict[str, Any] = {"bench": "models", "model": name, "layers": layers, **shape._asdict(),
                            "packed": options.packed, "date": report.today(),
                            "us": {}, "seconds": {},
                            "device": (torch.cuda.get_device_name() if options.device == "cuda"
                                       else "cpu")}
    records: List[Any] = []

    def ours(gm: Any, example: Any, **more: Any) -> Any:
        return flashfusion.torch.flashfusion(
            gm, example, options={**own, "force_disable_caches": True}, records=records, **more)

    known: Dict[str, Dict[str, Any]] = {
        "compile": {}, "max-autotune": {"mode": "max-autotune-no-cudagraphs"},
        "compile combo": {"options": {"combo_kernels": True}},
        "ours no combo": {"backend": "flashfusion", "options": {**own, "combo_kernels": False}},
        "ours linears only": {"backend": "flashfusion", "options": {
            **own, "combo_kernels": False, "flashfusion.attention": False}}}
    contenders: Dict[str, Optional[Dict[str, Any]]] = {"ours": {"backend": ours}, "eager": None}
    contenders.update((name, known[name]) for name in options.against.split(",") if name)
    graphs: Dict[str, Any] = {}
    kept: Dict[str, Dict[str, Any]] = {}
    with torch.no_grad():
        for contender, settings in contenders.items():
            torch._dynamo.reset()
            function: Any = made
            if settings is not None:
                how: Dict[str, Any] = {"dynamic": False, **settings}
                function = torch.compile(made, **how)
            inputs = kept[contender] = inputs_for(model, made, shape, options.device, room)
            start = time.perf_counter()
            step(function, inputs, room)
            if options.device == "cuda":
                torch.cuda.synchronize()
            line["seconds"][contender] = time.perf_counter() - start
            if contender == "ours":
                rewind(inputs, room)
                line["numerics"] = compare(model, made, output_of(function(**inputs)).clone(),
                                           shape, layers, options.device, room)
            if options.device == "cuda":
                rewind(inputs, room)
                graphs[contender] = measure.capture(
                    [functools.partial(step, function, inputs, room)], 1)
        if graphs:
            line["us"] = measure.medians(graphs, options.rounds)
        if graphs and options.profile:
            line["profile"] = {n: kernels_of(graph) for n, (graph, _) in graphs.items()}
    fused = Counter((r.kind, len(r.modules)) for r in records if r.fused and r.kind != "linear")
    spared = Counter((r.kind, len(r.modules)) for r in records if r.reason == "no-gain")
    line["linears"] = sum(r.kind == "linear" for r in records)
    line["tails"] = sum(r.tail for r in records)
    line["fused"] = {f"{k}, {n}": c for (k, n), c in sorted(fused.items())}
    line["no gain"] = {f"{k}, {n}": c for (k, n), c in sorted(spared.items())}
    line["as expected"] = fused + spared == expected(model, layers)
    line["left"] = dict(Counter(r.reason for r in records if not r.fused))
    found = line["numerics"]
    line["exact enough"] = (found["our error"] <= 1.1 * found["eager error"]
                            and found["equal choices"] == found["sure choices"])
    line["kernels"] = sorted({r.kernel for r in records if r.fused})
    weights = sum(p.numel() * p.element_size() for p in made.parameters())
    line["weight bytes"] = weights
    return line


def start(name: str, shape: Shape, options: argparse.Namespace) -> Dict[str, Any]:
    """Seconds of this process's import, of the first step and of one more."""
    begin = time.perf_counter()
    import torch

    import flashfusion.torch  # noqa: F401: an import is what is timed
    model, imported = MODELS[name], time.perf_counter() - begin
    layers = options.layers or model.layers
    made = build(model, layers, options.device, getattr(torch, options.dtype))
    inputs = inputs_for(model, made, shape, options.device, 8)
    settings = {"flashfusion.packed": options.packed, "flashfusion.cpu": options.device == "cpu"}
    how: Dict[str, Any] = {"dynamic": False, "backend": options.start}
    if options.start == "flashfusion":
        how["options"] = settings
    torch._dynamo.config.recompile_limit = 64
    function = made
    if options.by_layer:
        for layer in layers_of(made):
            layer.compile(**how)
    else:
        function = torch.compile(made, **how)
    seconds = []
    with torch.no_grad():
        for _ in range(2):
            if options.device == "cuda":
                torch.cuda.synchronize()
            begin = time.perf_counter()
            output_of(function(**inputs)).cpu()
            seconds.append(time.perf_counter() - begin)
    return {"bench": "start", "model": name, "layers": layers, **shape._asdict(),
            "backend": options.start, "by layer": options.by_layer, "date": report.today(),
            "import": imported,
            "first": seconds[0], "next": seconds[1]}


def show(line: Dict[str, Any]) -> str:
    us = line["us"]
    times = ", ".join(f"{n} {t / 1e3:.3f} ms" for n, t in us.items())
    best = min((t for n, t in us.items() if n in ("compile", "max-autotune")), default=None)
    gain = f"; {best / us['ours']:.2f}x of torch.compile" if best else ""
    n = line["numerics"]
    return (f"{line['model']} ({line['layers']} layers) {line['batch']} x {line['tokens']}"
            f"{' behind %d' % line['context'] if line['context'] else ''}: "
            f"{times}{gain}\n"
            f"  fused {line['fused']}, without a gain {line['no gain']}"
            f"{'' if line['as expected'] else ' NOT AS LISTED'}"
            f", {line['linears']} Linears alone, {line['tails']} tails, left {line['left']}\n"
            f"  error {n['our error']:.2e}, eager's {n['eager error']:.2e}; "
            f"{n['equal choices']} of {n['sure choices']} sure choices equal; first call "
            + ", ".join(f"{k} {s:.1f} s" for k, s in line["seconds"].items()))


def picture(lines: List[Dict[str, Any]]) -> str:
    """The newest times of every model and shape."""
    groups = {}
    for line in lines:
        if line["bench"] == "models" and line["us"]:
            behind = f" behind {line['context']}" if line["context"] else ""
            groups[f"{line['model']} {line['batch']} x {line['tokens']}{behind}"] = {
                name: us / 1e3 for name, us in line["us"].items()}
    return report.bars(groups, "Time of one step, ms")


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m flashfusion.bench.models",
                                     description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help=f"of {', '.join(MODELS)} (default: all)")
    parser.add_argument("--shapes", default="1x1,1x1@1024,8x1@1024,1x1024",
                        help="batch x tokens of decoders, @ positions of a StaticCache")
    parser.add_argument("--batch", type=int, default=8, help="of encoders")
    parser.add_argument("--layers", type=int, help="fewer layers than the model has")
    parser.add_argument("--against", default="compile,max-autotune",
                        help="also: compile combo, ours no combo (Inductor's combo_kernels), "
                        "ours linears only (without flashfusion.attention, either)")
    parser.add_argument("--start", nargs="?", const="flashfusion",
                        choices=["flashfusion", "inductor"],
                        help="time this process's first step instead, with the caches as they are")
    parser.add_argument("--by-layer", action="store_true",
                        help="with --start: compile the layers instead of the model")
    parser.add_argument("--packed", action="store_true", help="allow packed weights")
    parser.add_argument("--always", action="store_true",
                        help="fuse where no gain is predicted, too")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--profile", action="store_true", help="the kernels of one step")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--json", default="flashfusion-models.jsonl")
    parser.add_argument("--plot", help="SVG file to write, of all that the JSON file has")
    options = parser.parse_args(arguments)
    unknown = [m for m in options.models if m not in MODELS]
    if unknown:
        parser.error(f"unknown model {unknown[0]}; there are {', '.join(MODELS)}")
    good = True
    for name in options.models or MODELS:
        shapes = [Shape.parse(s) for s in options.shapes.split(",")]
        if MODELS[name].kind != "decoder":
            shapes = [Shape(options.batch, 1)]
        for shape in shapes:
            if options.start:
                line = start(name, shape, options)
                report.append(options.json, line)
                print(f"{name}, {options.start}{' by layer' * options.by_layer}: import {line['import']:.1f} s, first step "
                      f"{line['first']:.1f} s, next {line['next'] * 1e3:.1f} ms", flush=True)
                continue
            line = run(name, shape, options)
            report.append(options.json, line)
            print(show(line), flush=True)
            for contender, kernels in line.get("profile", {}).items():
                print(f"  {contender}: {sum(k[1] for k in kernels)} kernels, "
                      f"{sum(k[2] for k in kernels):.0f} us in them")
                for kernel, count, us in kernels[:20]:
                    print(f"    {count:4} x {us / count:8.2f} us  {kernel[:90]}")
            good &= line["as expected"] and line["exact enough"]
    if options.plot:
        with open(options.plot, "w", encoding="utf-8") as file:
            file.write(picture(report.read(options.json)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
