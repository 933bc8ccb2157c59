#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="flashfusion") on a GPU: accuracy, quick calls, graphs, streams, weights that
change. Needs torch, a GPU and the compiler."""

import os
import sys
import unittest

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torch"))

import flashfusion.torch
from flashfusion.torch import op
from models import Decoder, Encoder, Head, Quantised, randomized


def decoder():
    return torch.nn.Sequential(Decoder(512, 8, 1024), Decoder(512, 8, 1024, offset=1.0),
                               Head(512, 3000))


def encoder():
    return torch.nn.Sequential(Encoder(768, 12), Encoder(768, 12))


@unittest.skipUnless(torch.cuda.is_available(), "no CUDA GPU")
class BackendOnGPU(unittest.TestCase):
    def compiled(self, make, x, dtype=torch.bfloat16, **options):
        torch._dynamo.reset()
        with torch.device("cuda"):
            model = make()
        model = randomized(model.cpu(), dtype).cuda()
        options = {f"flashfusion.{name}": value for name, value in options.items()}
        options["flashfusion.always"] = True  # what is small is not faster
        found = flashfusion.torch.explain(model, x, options=options)
        return model, torch.compile(model, backend="flashfusion", options=options), found

    def check(self, make, shape, norms, dtype=torch.bfloat16, **options):
        x = torch.randn(*shape, device="cuda").to(dtype)
        with torch.no_grad():
            model, compiled, found = self.compiled(make, x, dtype, **options)
            self.assertEqual(sum(r.kind not in ("", "linear") for r in found.records), norms,
                             str(found))
            first = compiled(x)
            eager = model(x)
            # In f64 on the host: layers as they are written, in exact arithmetic.
            exact = model.double().cpu()(x.double().cpu()).cuda()
            model.to(dtype).cuda()
            ours, theirs = ((y.double() - exact).norm() / exact.norm() for y in (first, eager))
            self.assertLess(ours.item(), 1.1 * theirs.item() + 1e-3)
        return x, found

    def test_accuracy(self):
        for shape in ((1, 1, 512), (8, 1, 512), (1, 5, 512), (3, 40, 512), (2, 300, 512)):
            with self.subTest(shape=shape):
                many = shape[0] * shape[1] > 64
                self.check(decoder, shape, 5, packed=many)
        for shape in ((1, 1, 768), (2, 7, 768), (2, 197, 768)):
            with self.subTest(shape=shape):
                self.check(encoder, shape, 4, packed=True)

    def test_calls_streams_and_graphs_give_equal_bits(self):
        for make, shape in ((decoder, (8, 1, 512)), (encoder, (2, 7, 768))):
            for packed in (False, True):
                x = torch.randn(*shape, device="cuda").bfloat16()
                with torch.no_grad(), self.subTest(make=make.__name__, packed=packed):
                    _, compiled, _ = self.compiled(make, x, packed=packed)
                    op._functions.clear()
                    first = compiled(x)  # checked calls
                    self.assertTrue(op._functions)
                    for _ in range(3):  # quick ones
                        self.assertTrue(torch.equal(compiled(x), first))
                    streams = [torch.cuda.Stream() for _ in range(3)]
                    torch.cuda.synchronize()
                    found = []
                    for _ in range(5):
                        for stream in streams:
                            with torch.cuda.stream(stream):
                                found.append(compiled(x))
                    torch.cuda.synchronize()
                    self.assertTrue(all(torch.equal(y, first) for y in found))
                    graph = torch.cuda.CUDAGraph()
                    with torch.cuda.graph(graph):
                        captured = compiled(x)
                    for seed in range(3):
                        torch.manual_seed(seed)
                        x.copy_(torch.randn_like(x))
                        expected = compiled(x)
                        captured.fill_(float("nan"))
                        for _ in range(50):
                            graph.replay()
                        self.assertTrue(torch.equal(captured, expected))

    def test_weights_that_change(self):
        for packed in (False, True):
            x = torch.randn(4, 1, 512, device="cuda").bfloat16()
            with torch.no_grad(), self.subTest(packed=packed):
                model, compiled, _ = self.compiled(lambda: Head(512, 3000), x, packed=packed)
                before = compiled(x)
                model.lm_head.weight.mul_(2)
                self.assertTrue(torch.equal(compiled(x), 2 * before))
                model.lm_head.weight.data.mul_(2)
                flashfusion.torch.repack()
                self.assertTrue(torch.equal(compiled(x), 4 * before))

    def test_weights_of_8_bits(self):
        for rows, packed in ((1, False), (8, False), (300, True)):
            with torch.no_grad(), self.subTest(rows=rows):
                torch._dynamo.reset()
                model = Quantised(512, 1024).bfloat16().cuda()
                model.weight = torch.randn(1024, 512, device="cuda").to(torch.float8_e4m3fn)
                x = torch.randn(rows, 512, device="cuda").bfloat16()
                options = {"flashfusion.packed": packed, "flashfusion.always": True}
                found = flashfusion.torch.explain(model, x, options=options)
                self.assertIn("f8E4M3FN", found.records[0].program, str(found))
                ours = torch.compile(model, backend="flashfusion", options=options)(x).double()
                h = torch.nn.functional.rms_norm(x.double(), (512,), model.norm.weight.double(),
                                                 1e-6)
                exact = h @ model.weight.double().t()
                self.assertLess(((ours - exact).norm() / exact.norm()).item(), 8e-3)

    def test_many_numbers_of_rows_in_one_graph(self):
        torch._dynamo.reset()
        model = randomized(Decoder(512, 8, 1024), torch.bfloat16).cuda()
        compiled = torch.compile(model, backend="flashfusion", dynamic=True)
        with torch.no_grad():
            for rows in (3, 1, 17, 64, 65, 700, 5):
                x = torch.randn(2, rows, 512, device="cuda").bfloat16()
                torch.testing.assert_close(compiled(x), model(x), rtol=5e-2, atol=5e-2)


if __name__ == "__main__":
    unittest.main()
