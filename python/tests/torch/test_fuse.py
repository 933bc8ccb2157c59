# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pass on graphs of a GPU, without one: compiled, but nothing is loaded or run."""

import unittest
from unittest import mock

try:
    import torch
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
except ImportError:
    raise unittest.SkipTest("torch is not installed") from None

from flashfusion.runtime import program
from flashfusion.torch import fuse, op


def gemma(x, gain, weight):
    """A gain that is computed of a weight."""
    wide = x.to(torch.float32)
    h = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
    h = (h * (1.0 + gain.to(torch.float32))).to(torch.bfloat16)
    return torch.mm(h, weight.t())


def layer(x, gain, gate, up, down):
    """What Inductor makes of a norm, a gated pair and a residual."""
    wide = x.to(torch.float32)
    h = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
    h = gain * h.to(torch.bfloat16)
    g, u = torch.mm(h, gate.t()), torch.mm(h, up.t())
    g = g.to(torch.float32)
    y = (g / ((-g).exp() + 1)).to(torch.bfloat16) * u
    return x + torch.mm(y, down.t())


class OnGraphsOfAGPU(unittest.TestCase):
    def setUp(self):
        self.loads = mock.Mock()
        for patch in (mock.patch.object(fuse.driver, "chip_of", return_value="sm_90a"),
                      mock.patch.object(program.Program, "prepare", self.loads),
                      mock.patch.object(op, "_programs", {}),
                      mock.patch.object(fuse, "_refused", {})):
            patch.start()
            self.addCleanup(patch.stop)

    def run_pass(self, rows, **options):
        with FakeTensorMode():
            x, gain, gate, up, down = (
                torch.empty(*shape, device="cuda", dtype=torch.bfloat16)
                for shape in ((rows, 512), (512,), (1024, 512), (1024, 512), (512, 1024)))
            graph = make_fx(layer)(x, gain, gate, up, down).graph
        records = []
        fuse.FusePass(fuse.Options(**options), records)(graph)
        return records, [n for n in graph.nodes if n.target is op.fused]

    def test_a_layer_becomes_two_kernels(self):
        records, calls = self.run_pass(4)
        self.assertEqual([(r.kind, len(r.widths), r.tail) for r in records],
                         [("rms_norm", 2, True), ("linear", 1, True)])
        self.assertTrue(all("decode" in r.kernel for r in records), records)
        self.assertEqual(len(calls), 2)
        # Only what a kernel of the graph has computed lets weights be read early.
        self.assertEqual([call.args[6] for call in calls], [False, True])
        self.assertEqual(self.loads.call_count, 4)  # side by side, and in their turn

    def test_many_rows(self):
        records, calls = self.run_pass(2000, packed=True)
        self.assertEqual([(r.kind, r.reason) for r in records],
                         [("rms_norm", ""), ("", "no-norm")])
        self.assertIn("prefill", records[0].kernel)
        # The compiler is told how many: it fits its tiles to them.
        self.assertIn("tensor<2000x512xbf16>", records[0].program)
        records, calls = self.run_pass(2000, packed=0.5)  # MiB, of 2 that it takes
        self.assertEqual([r.reason for r in records], ["packed-budget", "no-norm"])
        self.assertEqual(calls, [])

    def test_gains_that_are_computed(self):
        for rows, packed, expected in ((4, False, []), (4, True, None), (500, True, None)):
            with FakeTensorMode():
                graph = make_fx(gemma)(*(torch.empty(*shape, device="cuda", dtype=torch.bfloat16)
                                         for shape in ((rows, 512), (512,), (1024, 512)))).graph
            fuse.FusePass(fuse.Options(packed=packed), [])(graph)
            call = next(n for n in graph.nodes if n.target is op.fused)
            derive = call.args[7]
            if expected is None:  # packed weights need a tensor that is the same at every call
                self.assertIn("aten.add.Tensor", derive[0])
                self.assertEqual(derive[1:], [""] * (len(derive) - 1))
                self.assertEqual(call.args[1][0].op, "placeholder")
            else:
                self.assertEqual(derive, expected)

    def test_kernels_that_the_driver_refuses(self):
        self.loads.side_effect = fuse.driver.CudaError("no kernel image")
        records, calls = self.run_pass(4)
        self.assertEqual([r.reason for r in records], ["no-driver"] * 2)
        self.assertIn("no kernel image", records[0].message)
        self.assertEqual(calls, [])


if __name__ == "__main__":
    unittest.main()
