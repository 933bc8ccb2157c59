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


def layer(x, gain, gate, up, down):
    """What Inductor makes of a norm, a gated pair and a residual."""
    wide = x.to(torch.float32)
    h = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
    h = gain * h.to(torch.bfloat16)
    g, u = torch.mm(h, gate.t()), torch.mm(h, up.t())
    g = g.to(torch.float32)
    y = (g / ((-g).exp() + 1)).to(torch.bfloat16) * u
    return x + torch.mm(y, down.t())


def pair(norm):
    """Two Linears behind a norm."""
    def function(x, gain, shift, *weights):
        h = norm(x.to(torch.float32), gain, shift).to(torch.bfloat16)
        return tuple(torch.mm(h, w.t()) for w in weights)
    return function


def rms(x, gain):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * gain


def layer_norm(x, gain, shift):
    variance, mean = torch.var_mean(x, [-1], correction=0, keepdim=True)
    return (x - mean) * torch.rsqrt(variance + 1e-6) * gain + shift


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

    def run_pair(self, function, rows, k, widths, weights=torch.bfloat16, **options):
        with FakeTensorMode():
            arguments = [torch.empty(*shape, device="cuda", dtype=torch.bfloat16)
                         for shape in ((rows, k), (k,), (k,))]
            arguments += [torch.empty(n, k, device="cuda", dtype=weights) for n in widths]
            graph = make_fx(function)(*arguments).graph
        records = []
        fuse.FusePass(fuse.Options(**options), records)(graph)
        return records, [n for n in graph.nodes if n.target is op.fused]

    def test_gains_that_are_computed(self):
        # 1 + w is the kernel's, whose packed weights are then those of w.
        records, (call,) = self.run_pair(pair(lambda x, g, s: rms(x, 1.0 + g.float())), 2000, 2304,
                                         (4096, 4096), packed=True, always=True)
        self.assertTrue(records[0].fused and "prefill" in records[0].kernel, records)
        self.assertEqual([n.op for n in call.args[1]], ["placeholder"] * 3)
        self.assertTrue(call.args[5])
        # Packed would be what another graph's call has computed.
        odd = pair(lambda x, g, s: rms(x, torch.cumsum(g.float(), 0)))
        records, calls = self.run_pair(odd, 2000, 2304, (4096, 4096), packed=True, always=True)
        self.assertEqual([r.reason for r in records], ["needs-packed-weights"])
        self.assertIn("computed in the graph", records[0].message)
        records, (call,) = self.run_pair(odd, 4, 2304, (4096, 4096), packed=True)
        self.assertFalse(call.args[5])

    def test_weights_of_other_formats(self):
        def decoded(x, gain, shift, w, scale):
            return torch.mm(rms(x.float(), gain).bfloat16(), (w.to(torch.bfloat16) * 2).t())

        for kind in (torch.float8_e4m3fn, torch.int8):
            records, calls = self.run_pair(decoded, 4, 512, (1024, 1024), kind)
            self.assertEqual([r.reason for r in records], ["weight-format"])
            self.assertIn(str(kind)[6:], records[0].message)
            self.assertEqual(calls, [])

    def test_routers_are_left_with_a_reason(self):
        def experts(x, gain, shift, router, up):
            h = rms(x.float(), gain).bfloat16()
            chosen = torch.mm(h, router.t()).topk(2, dim=-1).indices
            each = up.view(8, -1, up.shape[-1])[chosen]
            return torch.bmm(each.flatten(1, 2), h.unsqueeze(-1))

        records, calls = self.run_pair(experts, 4, 512, (8, 1024))
        self.assertEqual([r.reason for r in records], ["escapes"])
        self.assertEqual(calls, [])

    def test_what_gains_nothing(self):
        # 208 tiles on 132 multiprocessors.
        records, calls = self.run_pair(pair(layer_norm), 1576, 1024, (4096,), packed=True)
        self.assertEqual([(r.reason, r.kind) for r in records], [("no-gain", "layer_norm")])
        self.assertEqual(calls, [])
        for rows, widths, options in ((1576, (4096,), {"always": True}), (4, (4096,), {}),
                                      (1024, (1024,) * 3, {})):
            records, calls = self.run_pair(pair(layer_norm), rows, 1024, widths, packed=True,
                                           **options)
            self.assertEqual([r.reason for r in records], [""], records)

    def test_small_kernels_are_combined_for_few_rows(self):
        for rows, before in ((4, False), (2000, True)):
            with FakeTensorMode():
                graph = make_fx(torch.mm)(torch.empty(rows, 64), torch.empty(64, 64)).graph
            for combines, after in ((True, not before), (False, before)):
                with self.subTest(rows=rows), fuse.config.patch(combo_kernels=before):
                    fuse.FusePass(fuse.Options(), combines=combines)(graph)
                    self.assertEqual(fuse.config.combo_kernels, after)

    def test_a_fault_of_ours_fails_no_model(self):
        with mock.patch.object(fuse.emit, "emit", side_effect=KeyError("fault")), \
                self.assertWarnsRegex(UserWarning, "not fused: KeyError"):
            records, calls = self.run_pass(4)
        self.assertEqual([r.reason for r in records], ["internal"] * 2)
        self.assertEqual(calls, [])
        with mock.patch.object(fuse.region, "find", side_effect=KeyError("fault")), \
                self.assertWarnsRegex(UserWarning, "nothing is fused: KeyError"):
            self.assertEqual(self.run_pass(4), ([], []))

    def test_kernels_that_the_driver_refuses(self):
        self.loads.side_effect = fuse.driver.CudaError("no kernel image")
        records, calls = self.run_pass(4)
        self.assertEqual([r.reason for r in records], ["no-driver"] * 2)
        self.assertIn("no kernel image", records[0].message)
        self.assertEqual(calls, [])


if __name__ == "__main__":
    unittest.main()
