#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Llama-shaped stack of layers in linalg, weights as arguments: layers.py COUNT.

Each layer: RMSNorm, q, k, v, a product in place of attention, o, residual,
RMSNorm, gate, up, SiLU, down, residual. Two norms and seven Linears per layer.
"""
import sys

D, F = 4096, 14336
ID, ROW, COL = (f"affine_map<(a, b) -> ({r})>" for r in ("a, b", "a, 0", "b"))


class Writer:
    def __init__(self):
        self.lines, self.args, self.count = [], [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def empty(self, type):
        self.lines.append(f"{self.name()} = tensor.empty() : {type}")
        return f"%v{self.count}"

    def fill(self, type):
        out, result = self.empty(type), self.name()
        self.lines.append(f"{result} = linalg.fill ins(%zero : f32) outs({out} : {type}) -> {type}")
        return result

    def generic(self, ins, type, body, out=None, out_map=ID, reduction=False):
        """ins: (value, type, map); body: lines over %i0, %i1, .., %o that define %r."""
        out, result = out or self.empty(type), self.name()
        element = lambda t: t[t.rindex("x") + 1:-1]
        args = [f"%i{n}: {element(t)}" for n, (_, t, _) in enumerate(ins)]
        self.lines.append(
            f"{result} = linalg.generic {{indexing_maps = [{', '.join([m for _, _, m in ins] + [out_map])}], "
            f'iterator_types = ["parallel", "{"reduction" if reduction else "parallel"}"]}} '
            f"ins({', '.join(v for v, _, _ in ins)} : {', '.join(t for _, t, _ in ins)}) "
            f"outs({out} : {type}) {{\n  ^bb0({', '.join(args + [f'%o: {element(type)}'])}):\n"
            + "".join(f"    {line}\n" for line in body) +
            f"    linalg.yield %r : {element(type)}\n  }} -> {type}")
        return result

    def norm(self, x, gain):
        x16, x32, s = f"tensor<8x{D}xf16>", f"tensor<8x{D}xf32>", "tensor<8x1xf32>"
        a = self.generic([(x, x16, ID)], x32, ["%r = arith.extf %i0 : f16 to f32"])
        p = self.generic([(a, x32, ID)], x32, ["%r = math.powf %i0, %two : f32"])
        t = self.generic([(p, x32, ID)], s, ["%r = arith.addf %i0, %o : f32"], self.fill(s), ROW, True)
        for line in ("arith.divf %i0, %count", "arith.addf %i0, %eps", "math.rsqrt %i0"):
            t = self.generic([(t, s, ID)], s, [f"%r = {line} : f32"])
        h = self.generic([(a, x32, ID), (t, s, ROW)], x32, ["%r = arith.mulf %i0, %i1 : f32"])
        self.args.append(f"{gain}: tensor<{D}xf32>")
        h = self.generic([(h, x32, ID), (gain, f"tensor<{D}xf32>", COL)], x32, ["%r = arith.mulf %i0, %i1 : f32"])
        return self.generic([(h, x32, ID)], x16, ["%r = arith.truncf %i0 : f32 to f16"])

    def linear(self, h, k, n, weight):
        self.args.append(f"{weight}: tensor<{n}x{k}xf16>")
        out, w, y, result = self.empty(f"tensor<{k}x{n}xf16>"), self.name(), f"tensor<8x{n}xf32>", None
        self.lines.append(f"{w} = linalg.transpose ins({weight} : tensor<{n}x{k}xf16>) "
                          f"outs({out} : tensor<{k}x{n}xf16>) permutation = [1, 0]")
        zero, result = self.fill(y), self.name()
        self.lines.append(f"{result} = linalg.matmul ins({h}, {w} : tensor<8x{k}xf16>, tensor<{k}x{n}xf16>) "
                          f"outs({zero} : {y}) -> {y}")
        return self.generic([(result, y, ID)], f"tensor<8x{n}xf16>", ["%r = arith.truncf %i0 : f32 to f16"])


def main(count):
    w, x, t, f = Writer(), "%x", f"tensor<8x{D}xf16>", f"tensor<8x{F}xf16>"
    add = ["%r = arith.addf %i0, %i1 : f16"]
    for layer in range(count):
        h = w.norm(x, f"%ga{layer}")
        q, k, v = (w.linear(h, D, D, f"%w{c}{layer}") for c in "qkv")
        a = w.generic([(q, t, ID), (k, t, ID), (v, t, ID)], t,
                      ["%p = arith.mulf %i0, %i1 : f16", "%r = arith.mulf %p, %i2 : f16"])
        x = w.generic([(x, t, ID), (w.linear(a, D, D, f"%wo{layer}"), t, ID)], t, add)
        h = w.norm(x, f"%gm{layer}")
        gate, up = w.linear(h, D, F, f"%wg{layer}"), w.linear(h, D, F, f"%wu{layer}")
        a = w.generic([(gate, f, ID), (up, f, ID)], f,
                      ["%p = arith.extf %i0 : f16 to f32", "%n = arith.negf %p : f32",
                       "%e = math.exp %n : f32", "%d = arith.addf %e, %one : f32",
                       "%s = arith.divf %p, %d : f32", "%c = arith.truncf %s : f32 to f16",
                       "%r = arith.mulf %c, %i1 : f16"])
        x = w.generic([(x, t, ID), (w.linear(a, F, D, f"%wd{layer}"), t, ID)], t, add)
    constants = [f"%{name} = arith.constant {value} : f32" for name, value in
                 (("zero", "0.0"), ("one", "1.0"), ("two", "2.0"), ("count", f"{D}.0"), ("eps", "1.0e-5"))]
    print(f"func.func @llama(%x: {t}, {', '.join(w.args)}) -> {t} {{")
    print("\n".join("  " + line for line in constants + w.lines))
    print(f"  return {x} : {t}\n}}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
