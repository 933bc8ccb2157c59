#!/usr/bin/env python3
"""Exports layers of the transformers package, small, in bf16, beside this script.

    venv/bin/pip install transformers  # and what test/Inputs/export.py names
    venv/bin/python export_transformers.py NAME...

NAME is MODEL_IMPLEMENTATION_bf16, a key of LAYERS and eager or sdpa. Those that are committed are
inputs of layers-narrow.test; docs/transfusion.md says what else was looked at.
"""

import importlib
import importlib.metadata
import pathlib
import sys

import torch
import transformers
from torch import nn
from torch_mlir import fx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Inputs"))
from export import Externalised  # noqa: E402

B, P, D, H, E, S = 2, 16, 32, 4, 8, 64
X, KEYS, MASK, ROTARY = (B, P, D), (B, 1, 1, P), (B, 1, P, P), (B, P, E)
BERT = {"hidden_size": D, "num_attention_heads": H, "intermediate_size": S}
LLAMA = {**BERT, "num_key_value_heads": 2, "head_dim": E}
LAYERS = {  # class of the layer, its configuration, shapes of what forward takes
    "bert": ("BertLayer", BERT, {"attention_mask": KEYS}),
    "vit": ("ViTLayer", BERT, {}),
    "gpt2": ("GPT2Block", {"n_embd": D, "n_head": H, "n_inner": S}, {"attention_mask": MASK}),
    **{model: (f"{name}DecoderLayer", LLAMA,
               {"attention_mask": MASK, "position_embeddings": (ROTARY, ROTARY)})
       for model, name in {"llama": "Llama", "mistral": "Mistral", "qwen3": "Qwen3",
                           "gemma2": "Gemma2"}.items()},
}


class Layer(nn.Module):
    """Takes tensors in a row and returns one."""

    def __init__(self, model, implementation):
        super().__init__()
        name, sizes, self.shapes = LAYERS[model]
        module = importlib.import_module(f"transformers.models.{model}.modeling_{model}")
        config = transformers.AutoConfig.for_model(model, **sizes)
        config._attn_implementation = implementation
        index = {} if model in ("bert", "vit") else {"layer_idx": 0}
        self.layer = getattr(module, name)(config, **index)

    def forward(self, x, *rest):
        rest = list(rest)
        arguments = {name: (rest.pop(-2), rest.pop()) if isinstance(shape[0], tuple) else rest.pop(0)
                     for name, shape in self.shapes.items()}
        result = self.layer(x, **arguments)
        return result[0] if isinstance(result, tuple) else result


def main():
    for name in sys.argv[1:]:
        model, implementation, _ = name.split("_")
        torch.manual_seed(0)
        module = Layer(model, implementation).eval().to(torch.bfloat16)
        shapes = [X]
        for shape in module.shapes.values():
            shapes += shape if isinstance(shape[0], tuple) else [shape]
        inputs = [torch.zeros(s, dtype=torch.bfloat16) for s in shapes]
        mlir = fx.export_and_import(Externalised(module, len(shapes)), *inputs,
                                    *(p.detach() for p in module.parameters()),
                                    output_type="linalg-on-tensors", func_name=name)
        versions = ", ".join(f"{p} {importlib.metadata.version(p).split('+')[0]}"
                             for p in ("torch", "torch-mlir", "transformers"))
        arguments = ["x", *module.shapes, *(n for n, _ in module.named_parameters())]
        header = [f"{versions}, linalg-on-tensors.",
                  f"Written by: python export_transformers.py {name}",
                  f"Arguments: {', '.join(arguments)}"]
        text = "\n".join(line.rstrip() for line in str(mlir).rstrip().splitlines())
        path = pathlib.Path(__file__).resolve().parent / f"{name}.mlir"
        path.write_text("".join(f"// {line}\n" for line in header) + "\n" + text + "\n")


if __name__ == "__main__":
    main()
