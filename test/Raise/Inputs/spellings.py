#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random spellings of norms in front of Linears, and a check of ff-raise.

  spellings.py generate --seed=1 --count=200 [--mutate] OUT.mlir OUT.json
  spellings.py each OUT.mlir OUT.json
  spellings.py check OUT.json RAISED.mlir REMARKS.yaml
  spellings.py select IN.mlir REMARKS.yaml OUT.mlir

Every function of OUT.mlir is one norm with one to three Linears; each step of
it is written in one of the ways that frontends and upstream passes write it:
at random, or (each) one function for every way, named after it. With --mutate,
each function has one semantic mutation: it must be declined, or raised as kind
`other` and computed right. `select` copies the functions that were raised.
"""
import argparse
import json
import random
import re
import struct
import sys


def f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def f16(value):
    return struct.unpack("e", struct.pack("e", value))[0]


def bf16(value):
    bits = struct.unpack("I", struct.pack("f", value))[0]
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return struct.unpack("f", struct.pack("I", bits))[0]


ROUND = {"f16": f16, "bf16": bf16, "f32": f32, "f64": lambda v: v}
WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}

MUTATIONS = [
    "divisor", "other-stats", "uncentered", "max-reduction", "no-root", "double", "sum-init",
    "acc-arg", "acc-empty", "row-gain", "cube", "add-mean", "other-axis", "abs", "eps-outside",
    "relu", "slice", "square-row-gain", "square-transposed", "square-swapped-batch",
    "statistics-of-all-rows", "clamped"]


# Settings in which some spelling comes up that does not by itself.
CONTEXTS = [{}, {"norm": "layer_norm"}, {"bias": ""}, {"shape": "3x4xK"}, {"shape": "1xK"},
            {"shape": "1xK", "vector": "", "weight-NxK": ""}, {"x": "f16"}, {"weight-NxK": ""},
            {"residual-in-front": ""}, {"x": "f16", "bias": ""}, {"x": "bf16", "bias": ""},
            {"square-in-body": "fpowi"}, {"scale": "sqrt"}, {"linear": "generic"}, {"x": "bf16"},
            {"norm": "layer_norm", "variance": "one-pass"}, {"norm": "layer_norm", "shift": ""}, {"norm": "layer_norm", "shift": "", "x": "f16"},
            {"norm": "layer_norm", "shift": "", "x": "bf16"}, {"bias": "", "x": "bf16", "accumulator": "bf16"}, {"bias": "", "x": "f16", "accumulator": "f16"}]


class T:
    """A tensor value: name, shape (None is dynamic) and element type."""

    def __init__(self, name, shape, elem):
        self.name, self.shape, self.elem = name, list(shape), elem

    @property
    def type(self):
        return "tensor<" + "".join(f"{'?' if s is None else s}x" for s in self.shape) + self.elem + ">"

    @property
    def rank(self):
        return len(self.shape)


class Builder:
    def __init__(self, rng, name, mutation, accurate=False, plain=False, forced={}):
        # Every step is written in the plain way, but for `forced`; `taken` notes the ways.
        self.plain, self.forced, self.taken = plain, forced, set()
        self.rng, self.name, self.mutation, self.accurate = rng, name, mutation, accurate
        self.lines, self.args, self.count, self.dims, self.used = [], [], 0, {}, False
        # Whether maps say 0 for unit dimensions, and whether empties and fills are shared.
        self.units, self.share = self.chance("maps-modulo-units", 0.3), self.chance("shared-empties-and-fills", 0.3)
        self.shared = {}

    # --- plumbing ---
    def fresh(self, hint="v"):
        self.count += 1
        return f"%{hint}{self.count}"

    def emit(self, text):
        self.lines.append("  " + text)

    def arg(self, shape, elem):
        value = T(self.fresh("arg"), shape, elem)
        self.args.append(f"{value.name}: {value.type}")
        return value

    def scalar_arg(self, elem):
        name = self.fresh("arg")
        self.args.append(f"{name}: {elem}")
        return name

    def const(self, value, elem):
        name = self.fresh("c")
        text = str(value) if elem in ("i32", "i64", "index") else f"{float(value):.17e}"
        self.emit(f"{name} = arith.constant {text} : {elem}")
        return name

    def mutate(self, which):
        if self.mutation == which:
            self.used = True
            return True
        return False

    def pick(self, step, *choices):
        """One of the ways to write `step`; the first is the plain one."""
        if step in self.forced:
            choice = next((c for c in choices if str(c) == self.forced[step]), choices[0])
        else:
            choice = choices[0] if self.plain else self.rng.choice(choices)
        self.taken.add((step, str(choice)))
        return choice

    def chance(self, step, probability):
        """Whether the spelling `step` is taken; it is not the plain one."""
        taken = step in self.forced or (not self.plain and self.rng.random() < probability)
        if taken:
            self.taken.add((step, ""))
        return taken

    def empty(self, shape, elem):
        dyn = []
        for i, s in enumerate(shape):
            if s is None:
                dyn.append(self.dims[i])
        value = T(self.fresh("e"), shape, elem)
        key = (value.type, *dyn)
        if self.share and key in self.shared:
            return self.shared[key]
        self.emit(f"{value.name} = tensor.empty({', '.join(dyn)}) : {value.type}")
        self.shared[key] = value
        return value

    def fill(self, shape, elem, number=0.0):
        if None not in shape and self.chance("fill-as-constant", 0.2):
            value = T(self.fresh("z"), shape, elem)
            self.emit(f"{value.name} = arith.constant dense<{number:.17e}> : {value.type}")
            return value
        key = (number, T("", shape, elem).type, *(self.dims[i] for i, s in enumerate(shape) if s is None))
        if self.share and key in self.shared:
            return self.shared[key]
        zero, out = self.const(number, elem), self.empty(shape, elem)
        value = self.shared[key] = T(self.fresh("z"), shape, elem)
        self.emit(f"{value.name} = linalg.fill ins({zero} : {elem}) outs({out.name} : {out.type}) -> {out.type}")
        return value

    def generic(self, ins, out, loops, body, reduced=()):
        """ins: [(T, map results)], out: (T init, map results); body(names) -> lines, result."""
        ins = [(t, self.modulo_units(t, m)) for t, m in ins]
        dims = [f"d{i}" for i in range(loops)]
        maps = [f"affine_map<({', '.join(dims)}) -> ({', '.join(m)})>" for _, m in ins + [out]]
        kinds = ", ".join('"reduction"' if i in reduced else '"parallel"' for i in range(loops))
        result = T(self.fresh("t"), out[0].shape, out[0].elem)
        names = [self.fresh("b") for _ in ins] + [self.fresh("o")]
        args = ", ".join(f"{n}: {t.elem}" for n, (t, _) in zip(names, ins + [out]))
        text = ""
        if ins:
            text = (f" ins({', '.join(t.name for t, _ in ins)} : "
                    f"{', '.join(t.type for t, _ in ins)})")
        self.emit(f"{result.name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
                  f"iterator_types = [{kinds}]}}{text} outs({out[0].name} : {out[0].type}) {{")
        self.emit(f"^bb0({args}):")
        value = body(*names)
        self.emit(f"  linalg.yield {value} : {out[0].elem}")
        self.emit(f"}} -> {out[0].type}")
        return result

    def op(self, text, elem, hint="s"):
        name = self.fresh(hint)
        self.emit(f"  {name} = {text} : {elem}")
        return name

    def cast_scalar(self, value, src, dst):
        if src == dst:
            return value
        name = self.fresh("k")
        what = "arith.extf" if WIDTH[src] < WIDTH[dst] else "arith.truncf"
        self.emit(f"  {name} = {what} {value} : {src} to {dst}")
        return name

    def id(self, value):
        """The identity, up to a leading unit dimension: an input may be read at its 0."""
        return [f"d{i}" for i in range(value.rank)]

    def modulo_units(self, value, results):
        """`results` as an input may say it: (d0, 0, d2)."""
        return ["0" if s == 1 and self.units else r for s, r in zip(value.shape, results)]

    def cast(self, x, elem):
        if x.elem == elem:
            return x
        out = self.empty(x.shape, elem)
        if self.chance("cast-as-linalg.copy", 0.3):
            value = T(self.fresh("t"), x.shape, elem)
            self.emit(f"{value.name} = linalg.copy ins({x.name} : {x.type}) outs({out.name} : {out.type}) -> {out.type}")
            return value
        return self.generic([(x, self.id(x))], (out, self.id(x)), x.rank,
                            lambda a, o: self.cast_scalar(a, x.elem, elem))

    def binary(self, op, a, b):
        """a op b with b broadcast by its map; operand order at random where it commutes."""
        (x, mx), (y, my) = a, b
        out = self.empty(x.shape, x.elem)
        ins = [(x, mx), (y, my)]
        swap = op in ("mulf", "addf") and self.chance("swapped-operands", 0.5)
        order = self.chance("swapped-inputs", 0.5)

        def body(p, q, o):
            if order:
                p, q = q, p
            q = self.cast_scalar(q, y.elem, x.elem)
            return self.op(f"arith.{op} {q}, {p}" if swap else f"arith.{op} {p}, {q}", x.elem)
        return self.generic(ins[::-1] if order else ins, (out, self.id(x)), x.rank, body)

    def unary(self, x, body):
        return self.generic([(x, self.id(x))], (self.empty(x.shape, x.elem), self.id(x)), x.rank,
                            lambda a, o: body(a))

    def named_unary(self, op, x):
        out = self.empty(x.shape, x.elem)
        value = T(self.fresh("t"), x.shape, x.elem)
        self.emit(f"{value.name} = linalg.{op} ins({x.name} : {x.type}) outs({out.name} : {out.type}) -> {out.type}")
        return value

    # --- steps of a norm ---
    def square_scalar(self, a, elem):
        if self.mutate("cube"):
            return self.op(f"math.powf {a}, {self.inline(3.0, elem)}", elem)
        kind = self.pick("square-in-body", "mulf", "powf", "fpowi", "absf-mulf")
        if kind == "absf-mulf":
            a, kind = self.op(f"math.absf {a}", elem), "mulf"
        if kind == "mulf":
            return self.op(f"arith.mulf {a}, {a}", elem)
        if kind == "powf":
            return self.op(f"math.powf {a}, {self.inline(2.0, elem)}", elem)
        itype = self.pick("fpowi-exponent", "i32", "i64")
        two = self.fresh("c")
        self.emit(f"  {two} = arith.constant 2 : {itype}")
        return self.op(f"math.fpowi {a}, {two}", f"{elem}, {itype}")

    def inline(self, number, elem):
        name = self.fresh("c")
        self.emit(f"  {name} = arith.constant {number:.17e} : {elem}")
        return name

    def square(self, x):
        kind = self.pick("square", "scalar", "linalg", "two", "tensor-powf", "linalg-powf")
        if self.mutation == "cube" or kind == "scalar":
            return self.unary(x, lambda a: self.square_scalar(a, x.elem))
        if kind == "linalg":
            return self.named_unary("square", x)
        if kind == "two":
            return self.binary("mulf", (x, self.id(x)), (x, self.id(x)))
        two = self.fill(x.shape, x.elem, 2.0)
        if kind == "linalg-powf":
            out = self.empty(x.shape, x.elem)
            value = T(self.fresh("t"), x.shape, x.elem)
            self.emit(f"{value.name} = linalg.powf ins({x.name}, {two.name} : {x.type}, {two.type}) outs({out.name} : {out.type}) -> {out.type}")
            return value
        return self.generic([(x, self.id(x)), (two, self.id(x))],
                            (self.empty(x.shape, x.elem), self.id(x)), x.rank,
                            lambda a, b, o: self.op(f"math.powf {a}, {b}", x.elem))

    def row_sum(self, x, keep, square=False):
        """Sum over the last dimension, 1-D or with a unit dimension kept."""
        lead = x.shape[:-1]
        init = 1.0 if self.mutate("sum-init") else 0.0
        add = "arith.maximumf" if self.mutate("max-reduction") else "arith.addf"
        kind = "generic" if square else self.pick("sum", "generic", "generic", "reduce")
        if kind == "reduce":
            z = self.fill(lead, x.elem, init)
            value = T(self.fresh("t"), lead, x.elem)
            self.emit(f"{value.name} = linalg.reduce {{ {add} }} ins({x.name} : {x.type}) "
                      f"outs({z.name} : {z.type}) dimensions = [{x.rank - 1}]")
            return self.keepdim(value) if keep else value
        z = self.fill(lead + [1] if keep else lead, x.elem, init)
        m = self.id(x)[:-1] + (["0"] if keep else [])
        order = self.chance("sum-operands-swapped", 0.5)

        def body(a, o):
            if square:
                a = self.square_scalar(a, x.elem)
            return self.op(f"{add} {a}, {o}" if order else f"{add} {o}, {a}", x.elem)
        return self.generic([(x, self.id(x))], (z, m), x.rank, body, reduced=(x.rank - 1,))

    def keepdim(self, s):
        value = T(self.fresh("t"), s.shape + [1], s.elem)
        if s.rank == 0:
            groups, sizes = "[]", "1"
        else:
            groups = "[" + ", ".join(f"[{i}]" for i in range(s.rank - 1)) + \
                (", " if s.rank > 1 else "") + f"[{s.rank - 1}, {s.rank}]]"
            sizes = ", ".join(self.dims[i] if d is None else str(d) for i, d in enumerate(value.shape))
        self.emit(f"{value.name} = tensor.expand_shape {s.name} {groups} output_shape [{sizes}] : {s.type} into {value.type}")
        return value

    def mean(self, s, k):
        """s / k."""
        if self.mutate("divisor"):
            k += self.rng.choice([1, -1, k])
        kind = self.pick("mean", "div", "mul", "splat", "dim", "dim-reciprocal")
        if self.mutation == "divisor" and kind.startswith("dim"):
            kind = "div"
        if kind == "div":
            c = self.const(k, s.elem)
            return self.unary(s, lambda a: self.op(f"arith.divf {a}, {c}", s.elem))
        if kind == "mul":
            c = self.const(ROUND[s.elem](1.0 / k), s.elem)
            return self.unary(s, lambda a: self.op(f"arith.mulf {c}, {a}", s.elem))
        if kind == "splat":
            c = T(self.fresh("c"), [1] * s.rank, s.elem)
            self.emit(f"{c.name} = arith.constant dense<{ROUND[s.elem](1.0 / k):.17e}> : {c.type}")
            return self.binary("mulf", (s, self.id(s)), (c, ["0"] * s.rank))
        index = self.const(self.x.rank - 1, "index")
        d, i, f = self.fresh("d"), self.fresh("d"), self.fresh("d")
        self.emit(f"{d} = tensor.dim {self.x.name}, {index} : {self.x.type}")
        self.emit(f"{i} = arith.index_cast {d} : index to i64")
        self.emit(f"{f} = arith.sitofp {i} : i64 to {s.elem}")
        if kind == "dim-reciprocal":
            one, r = self.const(1.0, s.elem), self.fresh("r")
            self.emit(f"{r} = arith.divf {one}, {f} : {s.elem}")
            return self.unary(s, lambda a: self.op(f"arith.mulf {a}, {r}", s.elem))
        return self.unary(s, lambda a: self.op(f"arith.divf {a}, {f}", s.elem))

    def add_eps(self, v):
        kind = self.pick("eps", "const", "trunc", "splat", "arg", "tensor", "none")
        eps = self.rng.choice([1e-5, 1e-6, 1e-12, 0.001])
        if kind == "none":
            self.eps = 0.0
            return v
        if kind == "arg":
            e = self.scalar_arg(v.elem)
            self.eps = None
            return self.unary(v, lambda a: self.op(f"arith.addf {a}, {e}", v.elem))
        if kind == "tensor":
            e = self.arg([1] * v.rank, v.elem)
            self.eps = None
            return self.binary("addf", (v, self.id(v)), (e, ["0"] * v.rank))
        self.eps = ROUND[v.elem](eps)
        if kind == "trunc" and v.elem != "f64":
            e = self.const(eps, "f64")
            return self.unary(v, lambda a: self.op(f"arith.addf {a}, {self.cast_scalar(e, 'f64', v.elem)}", v.elem))
        if kind == "splat":
            c = self.fill(v.shape, v.elem, self.eps)
            return self.binary("addf", (v, self.id(v)), (c, self.id(c)))
        e = self.const(self.eps, v.elem)
        return self.unary(v, lambda a: self.op(f"arith.addf {e}, {a}", v.elem))

    def scale(self, v):
        """(tensor, True if it divides): 1 / sqrt(v)."""
        if self.mutate("no-root"):
            return v, True
        if self.mutate("eps-outside"):
            eps = self.const(0.5, v.elem)
            return self.unary(v, lambda a: self.op(f"arith.addf {eps}, {self.op(f'math.sqrt {a}', v.elem)}", v.elem)), True
        kind = self.pick("scale", "rsqrt", "one-over", "sqrt", "powf", "reciprocal", "powf-half", "linalg.rsqrt")
        if kind == "linalg.rsqrt":
            return self.named_unary("rsqrt", v), False
        if kind == "rsqrt":
            return self.unary(v, lambda a: self.op(f"math.rsqrt {a}", v.elem)), False
        if kind == "one-over":
            one = self.const(1.0, v.elem)
            return self.unary(v, lambda a: self.op(f"arith.divf {one}, {self.op(f'math.sqrt {a}', v.elem)}", v.elem)), False
        if kind == "powf":
            return self.unary(v, lambda a: self.op(f"math.powf {a}, {self.inline(-0.5, v.elem)}", v.elem)), False
        if kind == "powf-half":
            return self.unary(v, lambda a: self.op(f"math.powf {a}, {self.inline(0.5, v.elem)}", v.elem)), True
        root = self.named_unary("sqrt", v) if self.chance("linalg.sqrt", 0.3) else \
            self.unary(v, lambda a: self.op(f"math.sqrt {a}", v.elem))
        if kind == "sqrt":
            return root, True
        return self.named_unary("reciprocal", root), False

    def row(self, s, like):
        """A statistic as an operand of an elementwise op on `like`: (T, map)."""
        lead = [f"d{i}" for i in range(like.rank - 1)]
        swapped = self.mutate("square-swapped-batch")
        if swapped:
            lead.reverse()
        kept = s.rank == like.rank
        m = lead + (["0"] if kept else [])
        kind = "map" if swapped else self.pick("row-broadcast", "map", "map", "broadcast", "copy")
        if kind == "broadcast" and not kept:
            out = self.empty(like.shape, s.elem)
            value = T(self.fresh("t"), like.shape, s.elem)
            self.emit(f"{value.name} = linalg.broadcast ins({s.name} : {s.type}) outs({out.name} : {out.type}) dimensions = [{like.rank - 1}]")
            return value, self.id(like)
        if kind == "copy":
            out = self.empty(like.shape, s.elem)
            value = self.generic([(s, m)], (out, self.id(like)), like.rank, lambda a, o: a)
            return value, self.id(like)
        return s, m

    def column(self, g, like):
        """A vector over k as an operand: (T, map)."""
        last = f"d{like.rank - 1}"
        kind = self.pick("column-broadcast", "map", "map", "unit", "broadcast")
        if kind == "unit":
            value = T(self.fresh("t"), [1, g.shape[0]], g.elem)
            self.emit(f"{value.name} = tensor.expand_shape {g.name} [[0, 1]] output_shape [1, {g.shape[0]}] : {g.type} into {value.type}")
            return value, ["0", last]
        if kind == "broadcast" and like.rank > 1:
            out = self.empty(like.shape, g.elem)
            value = T(self.fresh("t"), like.shape, g.elem)
            dims = ", ".join(str(i) for i in range(like.rank - 1))
            self.emit(f"{value.name} = linalg.broadcast ins({g.name} : {g.type}) outs({out.name} : {out.type}) dimensions = [{dims}]")
            return value, self.id(like)
        return g, [last]

    # --- the norm ---
    def norm(self, k):
        kind = self.kind
        compute = self.pick("statistics-in", "f32", "f32", "f64") if self.x.elem == "f32" else self.pick("statistics-in", "f32", "f32", self.x.elem)
        if self.accurate and WIDTH[compute] < 32:
            compute = "f32"
        x = self.cast(self.x, compute)
        keep = self.chance("kept-dimension", 0.5)
        if self.mutate("statistics-of-all-rows"):
            z = self.fill([], compute)
            total = self.generic([(x, ["d0", "d1"])], (z, []), 2, lambda a, o: self.op(
                f"arith.addf {o}, " + self.square_scalar(a, compute), compute), reduced=(0, 1))
            self.eps = 0.0
            s = self.mean(total, 4 * k)
            out = self.empty(x.shape, compute)
            root = self.generic([(s, [])], (out, self.id(x)), 2, lambda a, o: self.op(f"math.rsqrt {a}", compute))
            return self.apply(x, None, root, False, whole=True)
        of = self.cast(self.other, compute) if self.mutate("other-stats") else x
        if self.mutate("abs"):
            of = self.unary(x, lambda a: self.op(f"math.absf {a}", compute))
            total = self.row_sum(of, keep)
            self.eps = 0.0
            s, divides = self.mean(total, k), True
            return self.apply(x, None, s, divides)
        if kind == "rms_norm":
            if self.chance("square-fused-into-sum", 0.4):
                s = self.row_sum(of, keep, square=True)
            else:
                s = self.row_sum(self.square(of), keep)
            s = self.add_eps(self.mean(s, k))
            s, divides = self.scale(s)
            return self.apply(x, None, s, divides)
        mu = self.mean(self.row_sum(of, keep), k)
        form = self.pick("variance", "two-pass", "two-pass", "one-pass", "one-pass-clamped", "two-pass-f64")
        if form == "two-pass-f64" and compute != "f64" and self.mutation is None:
            # As PyTorch decomposes var: in f64, with a mean of its own.
            wide = self.cast(of, "f64")
            d = self.binary("subf", (wide, self.id(wide)), self.row(self.mean(self.row_sum(wide, keep), k), wide))
            v = self.cast(self.mean(self.row_sum(self.square(d), keep), k), compute)
        elif not form.startswith("one-pass"):
            d = self.binary("subf", (of, self.id(of)), self.row(mu, of))
            v = self.mean(self.row_sum(self.square(d), keep) if not self.chance("square-fused-into-sum", 0.5)
                          else self.row_sum(d, keep, square=True), k)
        else:
            q = self.mean(self.row_sum(self.square(of), keep), k)
            m2 = self.unary(mu, lambda a: self.op(f"arith.mulf {a}, {a}", compute))
            v = self.binary("subf", (q, self.id(q)), (m2, self.id(q)))
            if form == "one-pass-clamped":
                # As Flax does: rounding may make it negative.
                zero = self.const(0.0, compute)
                v = self.unary(v, lambda a: self.op(f"arith.maximumf {zero}, {a}", compute))
        if self.mutate("clamped"):
            half = self.const(0.5, compute)
            v = self.unary(v, lambda a: self.op(f"arith.maximumf {a}, {half}", compute))
        s, divides = self.scale(self.add_eps(v))
        return self.apply(x, mu, s, divides)

    def apply(self, x, mu, s, divides, whole=False):
        """((x - mu) * s) * gain + shift, in one of its orders."""
        g, b = self.gain, self.shift
        if self.mutate("square-transposed"):
            x = self.generic([(x, ["d1", "d0"])], (self.empty(x.shape, x.elem), self.id(x)), 2, lambda a, o: a)
        folded = mu is not None and g is not None and b is not None and not divides and \
            self.mutation is None and not self.offset and self.chance("a*x+(b-mu*a)", 0.3)
        if folded:
            # a = s * g, y = a * x + (b - mu * a)
            sr, sm = self.row(s, x)
            gr, gm = self.column(g, x)
            a = self.generic([(sr, sm), (gr, gm)], (self.empty(x.shape, x.elem), self.id(x)), x.rank,
                             lambda p, q, o: self.op(f"arith.mulf {p}, {self.cast_scalar(q, g.elem, x.elem)}", x.elem))
            ma = self.binary("mulf", (a, self.id(a)), self.row(mu, x))
            bb, bm = self.column(b, x)
            c = self.generic([(bb, bm), (ma, self.id(x))], (self.empty(x.shape, x.elem), self.id(x)), x.rank,
                             lambda p, q, o: self.op(f"arith.subf {self.cast_scalar(p, b.elem, x.elem)}, {q}", x.elem))
            h = self.binary("mulf", (a, self.id(a)), (x, self.id(x)))
            return self.cast(self.binary("addf", (h, self.id(h)), (c, self.id(h))), self.h_elem)
        h = x
        if mu is not None and not self.mutate("uncentered"):
            h = self.binary("addf" if self.mutate("add-mean") else "subf", (h, self.id(h)), self.row(mu, h))
        h = self.binary("divf" if divides else "mulf", (h, self.id(h)),
                        (s, self.id(h)) if whole else self.row(s, h))
        if self.mutate("double"):
            two = self.const(2.0, h.elem)
            h = self.unary(h, lambda a: self.op(f"arith.mulf {a}, {two}", h.elem))
        if self.mutate("relu"):
            zero = self.const(0.0, h.elem)
            h = self.unary(h, lambda a: self.op(f"arith.maximumf {a}, {zero}", h.elem))
        if self.chance("down-cast-before-gain", 0.5):
            h = self.cast(h, self.h_elem)
        if g is not None:
            if self.offset:
                one, g0 = self.const(1.0, "f32"), self.cast(g, "f32")
                g = self.unary(g0, lambda a: self.op(f"arith.addf {a}, {one}", "f32"))
            if WIDTH[h.elem] < WIDTH[g.elem]:
                h = self.cast(h, g.elem)
            if self.mutate("row-gain"):
                g = self.arg(h.shape, h.elem)
                h = self.binary("mulf", (h, self.id(h)), (g, self.id(h)))
            else:
                h = self.binary("mulf", (h, self.id(h)), self.column(g, h))
        if self.mutate("square-row-gain"):
            rows = self.arg([h.shape[0]], h.elem)
            h = self.binary("mulf", (h, self.id(h)), (rows, ["d0"]))
        if b is not None:
            if WIDTH[h.elem] < WIDTH[b.elem]:
                h = self.cast(h, b.elem)
            h = self.binary("addf", (h, self.id(h)), self.column(b, h))
        return self.cast(h, self.h_elem)

    # --- the Linear ---
    def flatten(self, h):
        """Collapses the leading dimensions."""
        if h.rank == 2:
            return h
        rows = 1
        for s in h.shape[:-1]:
            rows = None if s is None or rows is None else rows * s
        value = T(self.fresh("t"), [rows, h.shape[-1]], h.elem)
        lead = ", ".join(str(i) for i in range(h.rank - 1))
        self.emit(f"{value.name} = tensor.collapse_shape {h.name} [[{lead}], [{h.rank - 1}]] : {h.type} into {value.type}")
        return value

    def row_vector(self, h):
        value = T(self.fresh("t"), h.shape[1:], h.elem)
        self.emit(f"{value.name} = tensor.collapse_shape {h.name} [[0, 1]] : {h.type} into {value.type}")
        return value

    def transpose(self, w):
        out = self.empty(w.shape[::-1], w.elem)
        value = T(self.fresh("t"), out.shape, w.elem)
        if not self.chance("transpose-as-generic", 0.5):
            self.emit(f"{value.name} = linalg.transpose ins({w.name} : {w.type}) outs({out.name} : {out.type}) permutation = [1, 0]")
            return value
        return self.generic([(w, ["d0", "d1"])], (out, ["d1", "d0"]), 2, lambda a, o: a)

    def linear(self, h, n):
        k = h.shape[-1]
        w_elem = h.elem
        nk = self.chance("weight-NxK", 0.5)
        w = self.arg([n, k] if nk else [k, n], w_elem)
        acc = "f32" if self.accurate else self.pick("accumulator", "f32", "f32", h.elem)
        batched = h.rank == 3 and self.chance("batch_matmul-of-broadcast-weight", 0.3)
        four = h.rank == 3 and not batched and self.chance("generic-4-D", 0.3)
        vector = h.rank == 2 and h.shape[0] == 1 and self.mutation is None and \
            self.chance("vector", 0.4)
        two = h if batched or four else self.row_vector(h) if vector else self.flatten(h)
        saved = dict(self.dims)
        if not (batched or four):
            self.dims[0] = self.flat_dim
        shape = two.shape[:-1] + [n]
        bias = self.arg([n], self.pick("bias-type", "f32", acc)) if self.chance("bias", 0.5) else None
        how = self.pick("bias-as", "map", "broadcast", "unit", "acc") if bias else None
        if bias is not None and ((how == "acc" and bias.elem != acc) or (vector and how != "map")):
            how = "map"
        lead = [f"d{i}" for i in range(len(shape))]
        if self.mutate("acc-arg"):
            z = self.arg(shape, acc)
        elif self.mutate("acc-empty"):
            z = self.empty(shape, acc)
        elif how == "acc":
            out = self.empty(shape, acc)
            z = T(self.fresh("t"), shape, acc)
            dims = ", ".join(str(i) for i in range(len(shape) - 1))
            self.emit(f"{z.name} = linalg.broadcast ins({bias.name} : {bias.type}) outs({out.name} : {out.type}) dimensions = [{dims}]")
        else:
            z = self.fill(shape, acc)
        if four:
            m = ["d2", "d3"] if nk else ["d3", "d2"]
            body = lambda a, b, o: self.op(f"arith.addf {o}, " + self.op(
                f"arith.mulf {self.cast_scalar(a, two.elem, acc)}, {self.cast_scalar(b, w_elem, acc)}", acc), acc)
            y = self.generic([(two, ["d0", "d1", "d3"]), (w, m)], (z, ["d0", "d1", "d2"]), 4, body, reduced=(3,))
        elif vector and nk and self.chance("matvec", 0.7):
            y = self.named("linalg.matvec", w, two, z)
        elif vector:
            y = self.named("linalg.vecmat", two, self.transpose(w) if nk else w, z)
        elif batched:
            flat = self.transpose(w) if nk else w
            out = self.empty([h.shape[0]] + flat.shape, w_elem)
            wb = T(self.fresh("t"), out.shape, w_elem)
            self.emit(f"{wb.name} = linalg.broadcast ins({flat.name} : {flat.type}) outs({out.name} : {out.type}) dimensions = [0]")
            y = self.named("linalg.batch_matmul", two, wb, z)
        else:
            form = self.pick("linear", "matmul", "generic", "contract", "batch1")
            if form == "matmul" and nk and self.chance("matmul-with-transposed-map", 0.5):
                maps = " indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]"
                y = self.named("linalg.matmul" + maps, two, w, z)
            elif form in ("matmul", "batch1"):
                flat = self.transpose(w) if nk else w
                if form == "batch1" and two.shape[0] is not None:
                    y = self.drop(self.named("linalg.batch_matmul", self.lift(two), self.lift(flat), self.lift(z)))
                else:
                    y = self.named("linalg.matmul", two, flat, z)
            else:
                wm = ["d1", "d2"] if nk else ["d2", "d1"]
                if form == "contract":
                    m = lambda r: f"affine_map<(d0, d1, d2) -> ({', '.join(r)})>"
                    y = self.named(f"linalg.contract indexing_maps = [{m(['d0', 'd2'])}, {m(wm)}, {m(['d0', 'd1'])}]", two, w, z)
                else:
                    swap = self.chance("product-operands-swapped", 0.5)
                    fma = self.chance("contraction-by-fma", 0.2)

                    def body(a, b, o):
                        a, b = self.cast_scalar(a, two.elem, acc), self.cast_scalar(b, w_elem, acc)
                        if fma:
                            return self.op(f"math.fma {a}, {b}, {o}", acc)
                        p = self.op(f"arith.mulf {b}, {a}" if swap else f"arith.mulf {a}, {b}", acc)
                        return self.op(f"arith.addf {o}, {p}", acc)
                    y = self.generic([(two, ["d0", "d2"]), (w, wm)], (z, ["d0", "d1"]), 3, body, reduced=(2,))
        result = self.x.elem if self.accurate else self.pick("result", "f32", acc)
        early = self.chance("result-cast-before-bias", 0.5)
        if early:
            y = self.cast(y, result)
        if how == "map":
            y = self.add_bias(y, (bias, [lead[-1]]))
        elif how == "broadcast":
            y = self.add_bias(y, self.column(bias, y))
        elif how == "unit":
            value = T(self.fresh("t"), [1, n], bias.elem)
            self.emit(f"{value.name} = tensor.expand_shape {bias.name} [[0, 1]] output_shape [1, {n}] : {bias.type} into {value.type}")
            y = self.add_bias(y, (value, ["0", lead[-1]]))
        y = self.cast(y, result)
        self.dims = saved
        return y, bias is not None

    def add_bias(self, y, bias):
        if WIDTH[y.elem] < WIDTH[bias[0].elem]:
            y = self.cast(y, bias[0].elem)
        return self.binary("addf", (y, self.id(y)), bias)

    def named(self, op, a, b, z):
        y = T(self.fresh("y"), z.shape, z.elem)
        self.emit(f"{y.name} = {op} ins({a.name}, {b.name} : {a.type}, {b.type}) outs({z.name} : {z.type}) -> {z.type}")
        return y

    def lift(self, t):
        value = T(self.fresh("t"), [1] + t.shape, t.elem)
        self.emit(f"{value.name} = tensor.expand_shape {t.name} [[0, 1], [2]] output_shape [1, {t.shape[0]}, {t.shape[1]}] : {t.type} into {value.type}")
        return value

    def drop(self, t):
        value = T(self.fresh("t"), t.shape[1:], t.elem)
        self.emit(f"{value.name} = tensor.collapse_shape {t.name} [[0, 1], [2]] : {t.type} into {value.type}")
        return value

    def run(self):
        rng, elem = self.rng, self.pick("x", "f32", "f16", "bf16")
        lengths = [6, 7, 8, 10, 24] if not self.accurate else [40, 64, 100]
        k = rng.choice(lengths)
        self.kind = self.pick("norm", "rms_norm", "layer_norm")
        # A sum of squares that starts at 1 is another eps, which is right.
        if self.mutation in ("uncentered", "add-mean", "sum-init", "clamped"):
            self.kind = "layer_norm"
        shapes = {"4xK": [4, k], "?xK": [None, k], "3x4xK": [3, 4, k], "2x?xK": [2, None, k],
                  "1x?xK": [1, None, k], "1x1xK": [1, 1, k], "1xK": [1, k],
                  "KxK": [k, k], "4x4xK": [4, 4, k]}
        shape = shapes[self.pick("shape", *shapes)]
        # With one row, a matrix is a vector: a gain, a bias.
        if self.mutation in ("row-gain", "acc-arg", "statistics-of-all-rows"):
            shape = [4, k]
        # With equal extents, only coordinates tell rows from columns.
        if self.mutation in ("square-row-gain", "square-transposed"):
            shape = [k, k]
        if self.mutation == "square-swapped-batch":
            shape = [4, 4, k]
        self.x, self.residual = self.arg(shape, elem), None
        self.other = self.arg(shape, elem) if self.mutation == "other-stats" else None
        self.h_elem = elem
        self.gain = self.arg([k], self.pick("gain-type", "f32", elem)) if self.mutation == "row-gain" or not self.chance("no-gain", 0.2) else None
        self.offset = 1.0 if self.gain is not None and self.kind == "rms_norm" and self.chance("gain-plus-1", 0.3) else 0.0
        self.shift = self.arg([k], self.pick("shift-type", "f32", elem)) if self.kind == "layer_norm" and self.chance("shift", 0.6) else None
        for i, s in enumerate(shape):
            if s is None:
                c, d = self.const(i, "index"), self.fresh("d")
                self.emit(f"{d} = tensor.dim {self.x.name}, {c} : {self.x.type}")
                self.dims[i] = d
        self.flat_dim = None
        if None in shape:
            at, times = shape.index(None), 1
            for s in shape[:-1]:
                times *= s or 1
            c, d = self.const(times, "index"), self.fresh("d")
            self.emit(f"{d} = arith.muli {self.dims[at]}, {c} : index")
            self.flat_dim = d
        if self.mutation is None and self.chance("residual-in-front", 0.25):
            r = self.arg(shape, elem)
            self.x = self.binary("addf", (self.x, self.id(r)), (r, self.id(r)))
            self.residual = self.x
        if self.mutate("slice"):
            # Statistics of the first half of a row twice as long.
            wide = self.arg(shape[:-1] + [2 * k], elem)
            part = T(self.fresh("t"), shape, elem)
            sizes = ", ".join(self.dims[i] if s is None else str(s) for i, s in enumerate(shape))
            zeros, ones = ", ".join(["0"] * len(shape)), ", ".join(["1"] * len(shape))
            self.emit(f"{part.name} = tensor.extract_slice {wide.name}[{zeros}] [{sizes}] [{ones}] : {wide.type} to {part.type}")
            self.mutation, self.other = "other-stats", part
        h = self.norm(k)
        if self.mutate("other-axis"):
            # The Linear contracts another dimension than the norm's.
            h = self.flatten(h)
            if h.shape[0] is None or h.shape[0] == 1:
                return None
            self.dims = {}
            h = self.transpose(h)
        results, biases, first = [], [], h
        for _ in range(self.pick("linears", *([1, 1, 1, 2] if self.accurate else [1, 1, 2, 3]))):
            y, bias = self.linear(h, rng.choice([24, k] if self.accurate else [5, 16, 3, k]))
            results.append(y)
            biases.append(bias)
        escapes = self.chance("normalized-tensor-returned", 0.2)
        if escapes:
            results.append(first)
        if self.residual and self.chance("residual-returned", 0.4):
            results.append(self.residual)
        if self.mutation and not self.used:
            return None
        head = f"func.func @{self.name}({', '.join(self.args)}) -> ({', '.join(r.type for r in results)}) {{"
        tail = f"  return {', '.join(r.name for r in results)} : {', '.join(r.type for r in results)}\n}}"
        expected = {"name": self.name, "mutation": self.mutation, "kind": self.kind,
                    "linears": len(biases), "biases": sum(biases), "eps": self.eps,
                    "gain": self.gain is not None, "offset": self.offset,
                    "shift": self.shift is not None}
        return "\n".join([head] + self.lines + [tail]), expected


def each(options):
    """Every spelling by itself, everything else as plain as that allows."""
    known = set()
    for seed in range(400):
        builder = Builder(random.Random(seed), "f", None)
        builder.run()
        known |= builder.taken
    texts, table = [], []
    for step, choice in sorted(known):
        name = re.sub(r"\W", lambda m: {"+": "plus", "*": "times", "?": "any"}.get(m.group(0), "_"),
                      f"{step}__{choice}" if choice else step)
        # What makes the step come up: a LayerNorm, a shape, a bias.
        for context in CONTEXTS:
            builder = Builder(random.Random(1), name, None, plain=True,
                              forced={**context, step: choice})
            made = builder.run()
            if (step, choice) in builder.taken:
                texts.append(made[0])
                table.append(made[1])
                break
        else:
            sys.exit(f"no context for {step} {choice}")
    write(options, texts, table)


def write(options, texts, table):
    with open(options.mlir, "w") as f:
        f.write("\n".join(texts) + "\n")
    with open(options.json, "w") as f:
        json.dump(table, f)


def select(options):
    """Those functions of IN.mlir that a norm was found in."""
    remarks = parse_remarks(open(options.yaml).read())
    with open(options.out, "w") as f:
        # Never empty.
        f.write("func.func @nothing(%x: tensor<1xf32>) -> tensor<1xf32> {\n  return %x : tensor<1xf32>\n}\n")
        for text in open(options.mlir).read().split("\nfunc.func ")[0:]:
            text = text if text.startswith("func.func") else "func.func " + text
            name = re.match(r"func.func @(\w+)", text).group(1)
            if any(kind == "!Passed" for kind, _ in remarks.get(name, [])):
                f.write(text.rstrip() + "\n")


def generate(options):
    rng = random.Random(options.seed)
    texts, table = [], []
    while len(table) < options.count:
        mutation = rng.choice(MUTATIONS) if options.mutate else None
        made = Builder(rng, f"f{len(table)}", mutation, options.accurate).run()
        if made:
            texts.append(made[0])
            made[1]["mutation"] = mutation
            table.append(made[1])
    write(options, texts, table)


def parse_remarks(text):
    remarks = {}
    for doc in text.split("---")[1:]:
        kind = doc.split()[0]
        function = re.search(r"Function:\s+'?(\w+)", doc).group(1)
        args = dict(re.findall(r"- (\w+):\s+'?([^'\n]*)", doc))
        remarks.setdefault(function, []).append((kind, args))
    return remarks


def check(options):
    table = json.load(open(options.json))
    remarks = parse_remarks(open(options.yaml).read())
    raised = {m.group(1): m.group(0) for m in
              re.finditer(r"func\.func @(\w+)\(.*?\n  }", open(options.mlir).read(), re.S)}
    wrong = 0
    for case in table:
        name, problems = case["name"], []
        got = remarks.get(name, [])
        passed = [a for kind, a in got if kind == "!Passed"]
        if case["mutation"]:
            if any(a["kind"] != "other" for a in passed):
                problems.append(f"mutation {case['mutation']} was raised as {passed[0]['kind']}")
            elif not got:
                problems.append(f"mutation {case['mutation']}: no remark")
        elif len(passed) != 1 or len(got) != 1:
            problems.append(f"expected one norm, got {got}")
        else:
            op = re.search(r"ff\.norm_linear.*", raised[name]).group(0)
            eps = re.search(r"eps = ([-+.\deE]+)", op)
            offset = re.search(r"gain_offset = ([-+.\deE]+)", op)
            biases = re.search(r"biases\(([^)]*)\)", op)
            actual = {"kind": passed[0]["kind"], "linears": int(passed[0]["linears"]),
                      "biases": len(biases.group(1).split(",")) if biases else 0,
                      "eps": float(eps.group(1)) if eps else None, "gain": " gain(" in op,
                      "offset": float(offset.group(1)) if offset else 0.0, "shift": " shift(" in op}
            for key, value in actual.items():
                if value != case[key] and not (key == "eps" and value is not None and
                                               case[key] is not None and
                                               abs(value - case[key]) <= 1e-16 * case[key]):
                    problems.append(f"{key}: expected {case[key]}, got {value}")
            if "linalg.matmul" in raised[name] or "linalg.batch_matmul" in raised[name]:
                problems.append("a contraction is left")
        for problem in problems:
            print(f"{name} ({case['kind']}): {problem}")
        wrong += bool(problems)
    print(f"{len(table)} cases, {wrong} wrong")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    gen = commands.add_parser("generate")
    gen.add_argument("--seed", type=int, default=1)
    gen.add_argument("--count", type=int, default=100)
    gen.add_argument("--mutate", action="store_true")
    gen.add_argument("--accurate", action="store_true",
                     help="sums in f32, results in the type of x: what the accuracy contract covers")
    gen.add_argument("mlir")
    gen.add_argument("json")
    alone = commands.add_parser("each")
    alone.add_argument("mlir")
    alone.add_argument("json")
    sel = commands.add_parser("select")
    sel.add_argument("mlir")
    sel.add_argument("yaml")
    sel.add_argument("out")
    chk = commands.add_parser("check")
    chk.add_argument("json")
    chk.add_argument("mlir")
    chk.add_argument("yaml")
    options = parser.parse_args()
    sys.exit(globals()[options.command](options))


if __name__ == "__main__":
    main()
