#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random elementwise programs behind Linears, for ff-fuse-epilogue.

  epilogues.py --seed=1 --count=64 OUT.mlir

Every function has one or two Linears of one x, and behind them casts, activations, vectors and
matrices in every kind of broadcast, reshapes, values that are used twice or returned, and here
and there something that no finalizer can hold.
"""
import argparse
import random

M, K, N = 6, 16, 24
SHAPES = [(6, 24), (2, 3, 24), (1, 6, 24), (6, 4, 6), (2, 3, 4, 6)]
TYPES = ["f32", "f16", "bf16"]
UNARY = {
    "neg": ["arith.negf %a"],
    "tanh": ["math.tanh %a"],
    "erf": ["math.erf %a"],
    "abs": ["math.absf %a"],
    "relu": ["arith.maximumf %a, %zero"],
    "half": ["arith.mulf %a, %half"],
    "cube": ["math.powf %a, %three"],
    "square": ["arith.mulf %a, %a"],
    "sigmoid": ["arith.negf %a", "math.exp %0", "arith.addf %1, %one", "arith.divf %one, %2"],
}


class Function:
    def __init__(self, number, seed):
        self.r = random.Random(seed)
        self.number, self.args, self.body, self.count = number, [], [], 0
        self.empties = {}

    def new(self, text):
        name = f"%v{self.count}"
        self.count += 1
        self.body.append(f"{name} = {text}")
        return name

    def argument(self, type_):
        name = f"%arg{len(self.args)}"
        self.args.append((name, type_))
        return name

    def empty(self, shape, elem):
        if (shape, elem) not in self.empties:
            self.empties[shape, elem] = self.new(f"tensor.empty() : {tensor(shape, elem)}")
        return self.empties[shape, elem]

    def generic(self, inputs, maps, shape, elem, lines, results_in):
        """`lines` use %a, %b for the inputs, in the type `results_in`; %0.. for earlier lines."""
        init = self.empty(shape, elem)
        ids = affine(len(shape), range(len(shape)))
        types = ", ".join(t for _, t, _ in inputs)
        names = ", ".join(n for n, _, _ in inputs)
        args = ", ".join(f"%{chr(97 + i)}: {e}" for i, (_, _, e) in enumerate(inputs))
        text = (f"linalg.generic {{indexing_maps = [{', '.join(maps + [ids])}], iterator_types = "
                f"[{parallel(len(shape))}]}} "
                f"ins({names} : {types}) outs({init} : {tensor(shape, elem)}) {{\n"
                f"    ^bb0({args}, %out: {elem}):\n")
        last = "%a"
        for i, line in enumerate(lines):
            last = f"%t{i}"
            for j in range(i):
                line = line.replace(f"%{j}", f"%t{j}")
            for c in ("zero", "half", "one", "three"):
                line = line.replace(f"%{c}", f"%{c}_{results_in}")
            if ":" not in line:
                line += f" : {results_in}"
            text += f"      {last} = {line}\n"
        text += f"      linalg.yield {last} : {elem}\n    }} -> {tensor(shape, elem)}"
        return (self.new(text), shape, elem)

    def linear(self, x, elem):
        w = self.argument(tensor((K, N), elem))
        out = "f32" if self.r.random() < 0.7 else elem
        acc = self.empty((M, N), "f32")
        acc = self.new(f"linalg.fill ins(%zero_f32 : f32) outs({acc} : {tensor((M, N), 'f32')}) -> "
                       f"{tensor((M, N), 'f32')}")
        y = self.new(f"linalg.matmul ins({x}, {w} : {tensor((M, K), elem)}, {tensor((K, N), elem)}) "
                     f"outs({acc} : {tensor((M, N), 'f32')}) -> {tensor((M, N), 'f32')}")
        return self.cast((y, (M, N), "f32"), out)

    def cast(self, value, elem):
        name, shape, old = value
        if old == elem:
            return value
        if "f32" not in (old, elem):
            return self.cast(self.cast(value, "f32"), elem)
        op = "extf" if elem == "f32" else "truncf"
        return self.generic([(name, tensor(shape, old), old)], [affine(len(shape), range(len(shape)))],
                            shape, elem, [f"arith.{op} %a : {old} to {elem}"], elem)

    def reshape(self, value, shape):
        name, old, elem = value
        if old == shape:
            return value
        if old != (M, N):
            name = self.new(f"tensor.collapse_shape {name} {groups(old)} : {tensor(old, elem)} into "
                            f"{tensor((M, N), elem)}")
        if shape != (M, N):
            name = self.new(f"tensor.expand_shape {name} {groups(shape)} output_shape "
                            f"{list(shape)} : {tensor((M, N), elem)} into {tensor(shape, elem)}")
        return (name, shape, elem)

    def unary(self, value):
        name, shape, elem = value
        return self.generic([(name, tensor(shape, elem), elem)], [affine(len(shape), range(len(shape)))],
                            shape, elem, UNARY[self.r.choice(list(UNARY))], elem)

    def binary(self, a, b):
        b = self.cast(self.reshape(b, a[1]), a[2])
        op = self.r.choice(["addf", "mulf", "subf"])
        swap = self.r.random() < 0.5
        line = f"arith.{op} %b, %a" if swap else f"arith.{op} %a, %b"
        ids = affine(len(a[1]), range(len(a[1])))
        return self.generic([(a[0], tensor(a[1], a[2]), a[2]), (b[0], tensor(b[1], b[2]), b[2])],
                            [ids, ids], a[1], a[2], [line], a[2])

    def with_operand(self, value):
        """A vector over the columns, the rows, a single number or a matrix; sometimes transposed."""
        name, shape, elem = value
        rank = len(shape)
        split = {(6, 24): 1, (2, 3, 24): 2, (1, 6, 24): 2, (6, 4, 6): 1, (2, 3, 4, 6): 2}[shape]
        kind = self.r.choice(["column", "column", "matrix", "matrix", "row", "part", "unit"])
        dims = list(range(rank))
        if kind == "column":
            dims = dims[split:]
        elif kind == "row":
            dims = dims[:split]
        elif kind == "part":
            dims = dims[-1:]
        other = self.r.choice(TYPES)
        extents = tuple(shape[d] for d in dims)
        map_ = affine(rank, dims)
        if kind == "unit" and split > 0:
            extents = (1,) * split + tuple(shape[split:])
            map_ = (f"affine_map<({', '.join(f'd{d}' for d in range(rank))}) -> "
                    f"({', '.join(['0'] * split + [f'd{d}' for d in range(split, rank)])})>")
        b = self.argument(tensor(extents, other))
        lines, last = [], "%b"
        if other != elem:
            if "f32" not in (other, elem):
                lines.append(f"arith.extf %b : {other} to f32")
                lines.append(f"arith.truncf %0 : f32 to {elem}")
                last = "%1"
            else:
                op = "extf" if elem == "f32" else "truncf"
                lines.append(f"arith.{op} %b : {other} to {elem}")
                last = "%0"
        lines.append(f"arith.{self.r.choice(['addf', 'mulf'])} {last}, %a")
        return self.generic([(name, tensor(shape, elem), elem), (b, tensor(extents, other), other)],
                            [affine(rank, range(rank)), map_], shape, elem, lines, elem)

    def write(self):
        r = self.r
        elem = r.choice(TYPES)
        x = self.argument(tensor((M, K), elem))
        values = [self.linear(x, elem) for _ in range(r.choice([1, 1, 2]))]
        for _ in range(r.randint(1, 7)):
            value = r.choice(values[-2:])
            step = r.randrange(6)
            if step == 0:
                values.append(self.cast(value, r.choice([elem, "f32"])))
            elif step == 1:
                values.append(self.reshape(value, r.choice(SHAPES)))
            elif step == 2:
                values.append(self.binary(value, r.choice(values)))
            elif step == 3:
                values.append(self.with_operand(value))
            else:
                values.append(self.unary(value))
        # No result is more exact than what is rounded on the way to it.
        results = [self.cast(v, elem)
                   for v in [values[-1]] + [v for v in values if r.random() < 0.1]]
        results = {v[0]: v for v in results}
        types = [tensor(s, e) for _, s, e in results.values()]
        args = ", ".join(f"{n}: {t}" for n, t in self.args)
        constants = "".join(
            f"    %{name}_{t} = arith.constant {value} : {t}\n" for t in TYPES
            for name, value in (("zero", "0.0"), ("half", "0.5"), ("one", "1.0"), ("three", "3.0")))
        return (f"  func.func @f{self.number}({args}) -> ({', '.join(types)}) {{\n{constants}"
                + "".join(f"    {line}\n" for line in self.body)
                + f"    return {', '.join(results)} : {', '.join(types)}\n  }}\n")


def tensor(shape, elem):
    return "tensor<" + "".join(f"{e}x" for e in shape) + elem + ">"


def parallel(rank):
    return ", ".join(['"parallel"'] * rank)


def affine(rank, dims):
    return (f"affine_map<({', '.join(f'd{d}' for d in range(rank))}) -> "
            f"({', '.join(f'd{d}' for d in dims)})>")


def groups(shape):
    rows, at = 1, 0
    while rows < M or (at < len(shape) and shape[at] == 1):
        rows *= shape[at]
        at += 1
    return f"[{list(range(at))}, {list(range(at, len(shape)))}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("out")
    options = parser.parse_args()
    with open(options.out, "w", encoding="ascii") as out:
        out.write("module {\n")
        for i in range(options.count):
            out.write(Function(i, options.seed * 100003 + i).write())
        out.write("}\n")


if __name__ == "__main__":
    main()
