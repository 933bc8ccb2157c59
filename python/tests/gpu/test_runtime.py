#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the Python runtime promises (docs/python.md), on a GPU with torch:
test_runtime.py FOLDER, with bundles and case files from make_cases.py. Every
test runs on a case with packed weights and on one without, where FOLDER has both."""

import os
import sys
import unittest

import torch

import cases

FOLDER = ""


class View:
    """The memory of a tensor as another library would show it."""

    def __init__(self, tensor):
        typestr = {torch.bfloat16: "<V2", torch.float16: "<f2", torch.float32: "<f4"}[tensor.dtype]
        self.tensor = tensor
        self.__cuda_array_interface__ = {"shape": tuple(tensor.shape), "typestr": typestr,
                                         "data": (tensor.data_ptr(), False), "version": 3,
                                         "strides": None}


class Runtime(unittest.TestCase):
    def each(self):
        """(case, program, arguments): one case that packs, one that does not."""
        chosen = {}
        for case in cases.load_cases(FOLDER):
            rows = case.row_counts([8])[0]
            if rows and any(o.source == "argument" for o in case.weights):
                packs = case.step.choose(rows, 0).packed
                chosen.setdefault(packs, (case, rows))
        for packs, (case, rows) in chosen.items():
            with self.subTest(case=case.name, packs=packs):
                values = case.parameters(seed=1)
                x = torch.randn(rows, case.k, device="cuda").to(cases.DTYPES[case.x.type])
                args = case.arguments(x.view(case.shape_of_x(rows)), values)
                yield case, cases.Program(case.bundle), args, values, packs

    def flat(self, results):
        results = results if isinstance(results, tuple) else (results,)
        return torch.cat([r.float().flatten() for r in results])

    def test_out_and_new_results(self):
        for case, program, args, values, packs in self.each():
            new = program(*args)
            outs = [torch.full_like(r, float("nan"))
                    for r in (new if isinstance(new, tuple) else (new,))]
            program(*args, out=outs)
            self.assertTrue(torch.equal(self.flat(new), self.flat(tuple(outs))))

    def test_weights_changed_by_torch(self):
        for case, program, args, values, packs in self.each():
            if values["shift"] or values["column"]:
                continue
            before = self.flat(program(*args))
            for w in values["weight"]:
                w.mul_(2)  # exact in every type
            self.assertTrue(torch.equal(self.flat(program(*args)), 2 * before))

    def test_repack(self):
        for case, program, args, values, packs in self.each():
            if values["shift"] or values["column"]:
                continue
            before = self.flat(program(*args))
            for w in values["weight"]:
                w.data.mul_(2)  # behind torch's back
            program.repack()
            self.assertTrue(torch.equal(self.flat(program(*args)), 2 * before))

    def test_fresh_weights_at_old_addresses(self):
        for case, program, args, values, packs in self.each():
            for seed in range(4):
                fresh = case.parameters(seed=seed)
                again = case.arguments(args[case.x.index], fresh)
                want = self.flat(cases.Program(case.bundle)(*again))
                self.assertTrue(torch.equal(self.flat(program(*again)), want))
                del fresh, again

    def test_graph(self):
        for case, program, args, values, packs in self.each():
            stream = torch.cuda.Stream()
            if packs:
                graph = torch.cuda.CUDAGraph()
                with self.assertRaisesRegex(RuntimeError, "before a graph is captured"):
                    with torch.cuda.graph(graph, stream=stream):
                        program(*args)
                torch.cuda.synchronize()
            program(*args)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=torch.cuda.Stream()):
                captured = program(*args)
            x = args[case.x.index]
            for seed in range(3):
                torch.manual_seed(seed)
                x.copy_(torch.randn_like(x))
                want = self.flat(program(*args))
                for r in captured if isinstance(captured, tuple) else (captured,):
                    r.fill_(float("nan"))
                graph.replay()
                torch.cuda.synchronize()
                self.assertTrue(torch.equal(self.flat(captured), want))

    def test_streams(self):
        for case, program, args, values, packs in self.each():
            want = self.flat(program(*args))
            torch.cuda.synchronize()
            streams = [torch.cuda.Stream() for _ in range(3)]
            found = []
            for _ in range(10):
                for stream in streams:
                    with torch.cuda.stream(stream):
                        found.append(program(*args))
            torch.cuda.synchronize()
            for result in found:
                self.assertTrue(torch.equal(self.flat(result), want))

    def test_other_libraries(self):
        for case, program, args, values, packs in self.each():
            want = program(*args)
            outs = [torch.empty_like(r) for r in (want if isinstance(want, tuple) else (want,))]
            views = [View(a) if isinstance(a, torch.Tensor) else a for a in args]
            stream = torch.cuda.current_stream().cuda_stream
            program(*views, out=[View(o) for o in outs], stream=stream)
            self.assertTrue(torch.equal(self.flat(tuple(outs)), self.flat(want)))

    def test_inference_mode(self):
        for case, program, args, values, packs in self.each():
            want = self.flat(program(*args))
            with torch.inference_mode():
                again = [a.clone() if isinstance(a, torch.Tensor) else a for a in args]
                self.assertTrue(torch.equal(self.flat(program(*again)), want))

    def test_bad_arguments(self):
        for case, program, args, values, packs in self.each():
            i = case.x.index
            x = args[i]

            def with_x(other):
                return [other if j == i else a for j, a in enumerate(args)]

            other = torch.float32 if x.dtype != torch.float32 else torch.float16
            for bad, kind in ((x.cpu(), TypeError), (x.to(other), TypeError),
                              (x.cpu().float().numpy(), TypeError), (1.0, TypeError),
                              (x[..., :-1], ValueError), (x[..., :-1].contiguous(), ValueError),
                              (torch.cat([x, x], -1)[..., ::2], ValueError)):
                with self.assertRaises(kind):
                    program(*with_x(bad))
            with self.assertRaises(ValueError):
                program(*args[:-1])


if __name__ == "__main__":
    if len(sys.argv) < 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__)
    FOLDER = sys.argv.pop(1)
    unittest.main()
