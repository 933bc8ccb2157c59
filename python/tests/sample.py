# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small bundle, as ff-opt writes them, for tests that need no compiler."""

import base64
import copy


def launch(kernel, args, **changes):
    spec = {"kernel": kernel, "grid": {"fixed": 0, "tile_m": 16, "tiles_n": 2, "cap": 0},
            "block": 128, "cluster": 1, "shared_bytes": 0, "min_rows": 1, "max_rows": 0,
            "align": 1, "packed": False, "dependent_launch": False, "args": args}
    spec.update(changes)
    return spec


def bundle():
    """Two steps: arg0 [?, 8, 64] with gain constant, weight arg1, eps arg2 -> an
    intermediate -> result0 [?, 8, 32] with weight arg3."""
    slow = launch("slow", [{"kind": "buffer", "index": 0}, {"kind": "scalar", "index": 3},
                           {"kind": "rows"}])
    fast = launch("fast", [{"kind": "tensor_map", "index": 0, "box": [16, 64]},
                           {"kind": "packed", "index": 0}],
                  grid={"fixed": 132, "tile_m": 0, "tiles_n": 0, "cap": 0}, max_rows=16, align=16,
                  packed=True, dependent_launch=True, shared_bytes=65536)
    pack = launch("pack", [{"kind": "buffer", "index": 2}, {"kind": "packed", "index": 0}],
                  grid={"fixed": 1, "tile_m": 0, "tiles_n": 0, "cap": 0})
    last = launch("last", [{"kind": "buffer", "index": 0}, {"kind": "buffer", "index": 1},
                           {"kind": "buffer", "index": 3}, {"kind": "rows"}],
                  grid={"fixed": 0, "tile_m": 16, "tiles_n": 2, "cap": 3}, dependent_launch=True)
    ones = base64.b64encode(b"\0\0\x80?" * 64).decode()

    def operand(role, source, index, type, shape=None, **more):
        node = {"role": role, "source": source, "index": index, "type": type, **more}
        return node if shape is None else {**node, "shape": shape}

    return copy.deepcopy({
        "format": "flashfusion-bundle", "version": 1,
        "target": {"chip": "sm_90a", "ptx_version": "8.3"},
        "functions": [{
            "name": "f",
            "arguments": [{"name": "arg0", "type": "bf16", "shape": [None, 8, 64]},
                          {"name": "arg1", "type": "bf16", "shape": [64, 64]},
                          {"name": "arg2", "type": "f32"},
                          {"name": "arg3", "type": "bf16", "shape": [32, 64]}],
            "results": [{"name": "result0", "type": "bf16", "shape": [None, 8, 32],
                         "written_by": 1}],
            "constants": [{"type": "f32", "shape": [64], "data": ones}],
            "intermediates": [{"type": "bf16", "shape": [None, 64], "written_by": 0}],
            "steps": [
                {"name": "f_online_0",
                 "operands": [operand("x", "argument", 0, "bf16", [None, 64]),
                              operand("gain", "constant", 0, "f32", [64]),
                              operand("weight", "argument", 1, "bf16", [64, 64]),
                              operand("scalar", "argument", 2, "f32"),
                              operand("out", "intermediate", 0, "bf16", [None, 64])],
                 "variants": [fast, slow], "pack": [pack],
                 "packed": [{"type": "bf16", "shape": [64, 64]}]},
                {"name": "f_online_1",
                 "operands": [operand("x", "intermediate", 0, "bf16", [None, 64]),
                              operand("weight", "argument", 3, "bf16", [32, 64]),
                              {"role": "scalar", "source": "number", "value": 0.5, "type": "f32"},
                              operand("out", "result", 0, "bf16", [None, 32])],
                 "variants": [last], "pack": [], "packed": []}]}],
        "ptx": ".version 8.3\n.target sm_90a\n.visible .entry slow(\n.visible .entry fast(\n"
               ".visible .entry pack(\n.visible .entry last(\n"})
